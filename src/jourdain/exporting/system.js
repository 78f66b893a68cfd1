// A system's functions and its motion, by the names of coordinates, speeds, inputs and parameters.

/** The system of a module; source: as `load` takes it. */
export async function open(source, said = layout) {
  return new System(await load(source, said), said);
}

function filled({ length, runs }) {
  const found = new Float64Array(length);
  for (const [place, text] of runs) found.set(new Float64Array(bytesOf(text).buffer), place);
  return found;
}

export class System {
  constructor(program, said) {
    this.layout = said;
    this.program = program;
    const given = Object.fromEntries(Object.entries(said.motion.given).map(([name, x]) => [name, filled(x)]));
    this.fresh = filled(said.motion.memory);
    this.motion = program.session("motion", given);
    const [parameters] = this.motion.place("parameters");
    this.functions = {};
    for (const name of Object.keys(said.procedures)) {
      if (name !== "motion") this.functions[name] = program.session(name, { parameters });
    }
    this.reset();
  }

  // -- values ---------------------------------------------------------------------------------------------------

  /** Views of the motion's state, inputs and parameters; what is written to the last two holds at once. */
  get q() {
    return this.motion.array("y").subarray(0, this.layout.coordinates.length);
  }

  get u() {
    const n = this.layout.coordinates.length;
    return this.motion.array("y").subarray(n, n + this.layout.speeds.length);
  }

  get t() {
    return this.motion.get("t");
  }

  get inputs() {
    return this.motion.array("inputs");
  }

  get parameters() {
    return this.motion.array("parameters");
  }

  // -- functions ------------------------------------------------------------------------------------------------

  /** A function's results. given: arrays by the names of its arguments; the state, the inputs as they are now, and
   * zeros stand for what is left out. Several results come by name. */
  call(name, given = {}) {
    const session = this.functions[name];
    if (!session) throw new Error(`there is no ${name}; there are ${Object.keys(this.functions).join(", ")}`);
    const results = [];
    const standing = { q: this.q, u: this.u, inputs: this.inputs, t: [this.t] };
    const [reads, makes] = this.layout.functions[name];
    for (const key of Object.keys(given)) {
      if (!reads.includes(key)) throw new Error(`${name} takes ${reads.join(", ")}, not ${key}`);
    }
    for (const key of reads) {
      const array = session.array(key);
      const values = given[key] ?? standing[key] ?? new Float64Array(array.length);
      if (values.length !== array.length) throw new Error(`${key} has ${values.length} numbers, not ${array.length}`);
      array.set(values);
    }
    session.run();
    for (const key of makes) results.push([key, session.array(key).slice()]);
    return results.length === 1 ? results[0][1] : Object.fromEntries(results);
  }

  // -- the motion -----------------------------------------------------------------------------------------------

  /** Back to the start, or to another state and time; it is put on the constraints. Answers the status. */
  reset({ q, u, t } = {}) {
    this.motion.memory.set(this.fresh);
    if (q) this._put(this.q, q, "q");
    if (u) this._put(this.u, u, "u");
    if (t !== undefined) this.motion.set("t", t);
    this._clear("budget", "status", "row");
    this.before = this.inputs.slice();
    this.motion.run();
    if (this.motion.get("lost") !== 0) this.motion.set("status", 5);
    return this.status;
  }

  /** On to a time [s], in equal steps none longer than the method's. Answers the status: 1 where it came there. */
  advance(until) {
    const motion = this.motion;
    if (!(until > this.t)) throw new Error(`it is ${this.t} s already, not before ${until} s`);
    if (![0, 1].includes(this.status)) return this.status;
    this._clear("status", "left");
    motion.array("times").set([until, Infinity]);
    motion.set("upcoming", until);
    motion.set("count", 1);
    if (motion.has("inputs set") && this.inputs.some((x, k) => x !== this.before[k])) motion.set("inputs set", 1);
    this.before = this.inputs.slice();
    motion.set("budget", Infinity);
    let steps;
    do {
      this._clear("row", "event rows", "change rows");
      steps = motion.get("steps");
      motion.run();
    } while (this.status === 0 && motion.get("steps") > steps);
    return this.status;
  }

  /** Turns a switchable constraint on or off, from the next moment on; speeds jump by the impulse that this takes. */
  turn(name, on) {
    const place = this.layout.motion.switches.indexOf(name);
    if (place < 0) throw new Error(`there is no switch ${name}; there are ${this.layout.motion.switches.join(", ")}`);
    this.motion.array("switched")[place] = on ? 1 : 0;
    this.motion.set("switches turned", 1);
  }

  /** Names of the switches that are on. */
  get on() {
    return this.layout.motion.switches.filter((_, k) => this.motion.array("switched")[k]);
  }

  /** Why the motion ended, as a number; `sentence` says it. */
  get status() {
    return this.motion.get("status");
  }

  get sentence() {
    return this.layout.statuses[this.status];
  }

  _clear(...cells) {
    for (const name of cells) if (this.motion.has(name)) this.motion.set(name, 0);
  }

  _put(view, values, what) {
    if (values.length !== view.length) throw new Error(`${what} has ${values.length} numbers, not ${view.length}`);
    view.set(values);
  }
}
