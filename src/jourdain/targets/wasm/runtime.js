// Runs a module of Jourdain's in a page or in Node: memory, arrays by their names, functions called back.
// Nothing is fetched here; numbers are float64, in the layout that came with the module.

const ALIGN = 64;

/** A module from bytes, text in base64, a Response, or a WebAssembly.Module. */
export async function load(source, layout) {
  if (layout.format !== "jourdain wasm 1") throw new Error(`the layout is ${layout.format}, not jourdain wasm 1`);
  let module = await source;
  if (typeof module === "string") module = bytesOf(module);
  if (typeof Response !== "undefined" && module instanceof Response) module = await module.arrayBuffer();
  if (!(module instanceof WebAssembly.Module)) module = await WebAssembly.compile(module);
  return new Program(module, layout);
}

/** Bytes of a text in base64. */
export function bytesOf(text) {
  return Uint8Array.from(atob(text), (x) => x.charCodeAt(0));
}

// As C has them: 1 to any power, and −1 to an infinite one, is 1.
const math = Object.create(Math);
math.pow = (x, y) => (x === 1 || (x === -1 && (y === Infinity || y === -Infinity)) ? 1 : Math.pow(x, y));
for (const name of ["sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log"]) math[name] = Math[name];

/** An instance with its memory. */
export class Program {
  constructor(module, layout) {
    this.layout = layout;
    this.math = math;
    this.memory = new WebAssembly.Memory({ initial: layout.pages });
    this.instance = new WebAssembly.Instance(module, { env: { memory: this.memory }, math });
    this.free = layout.free;
  }

  /** The address of zeros [bytes] for so many numbers. */
  allocate(count) {
    const place = Math.ceil(this.free / ALIGN) * ALIGN;
    this.free = place + 8 * count;
    const missing = this.free - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
    return place;
  }

  /** A view; it is of no use after memory has grown. */
  view(place, count) {
    return new Float64Array(this.memory.buffer, place, count);
  }

  /** Working memory of one procedure. given: by name arrays of numbers, or addresses of what another session has. */
  session(name, given = {}) {
    return new Session(this, name, given);
  }
}

/** Working memory of zeros, and given arrays. */
export class Session {
  constructor(program, name, given) {
    const own = program.layout.procedures[name];
    if (!own) throw new Error(`there is no ${name}; there are ${Object.keys(program.layout.procedures).join(", ")}`);
    this.program = program;
    this.own = own;
    this.entry = program.instance.exports[name];
    this.base = program.allocate(own.size);
    this.given = {};
    for (const [key, least] of own.given) {
      const numbers = given[key] ?? new Float64Array(least);
      if (typeof numbers === "number") {
        this.given[key] = [numbers, least];
        continue;
      }
      if (numbers.length < least) throw new Error(`${key} has ${numbers.length} numbers; at least ${least} are needed`);
      const place = program.allocate(Math.max(1, numbers.length));
      program.view(place, numbers.length).set(numbers);
      this.given[key] = [place, numbers.length];
    }
    this.pointers = program.allocate(own.given.length + 1);
    const words = new Uint32Array(program.memory.buffer, this.pointers, 2 * own.given.length + 2);
    own.given.forEach(([key], k) => (words[2 * k] = this.given[key][0]));
  }

  /** All of the working memory: what a copy of keeps a whole run. */
  get memory() {
    return this.program.view(this.base, this.own.size);
  }

  /** The address of an array [bytes], and its length. */
  place(name) {
    const [start, length] = this.own.arrays[name] ?? [];
    if (start !== undefined) return [this.base + 8 * start, length];
    if (!this.given[name]) throw new Error(`there is no array ${name}`);
    return this.given[name];
  }

  /** A view of an array. */
  array(name) {
    return this.program.view(...this.place(name));
  }

  has(cell) {
    return cell in this.own.cells;
  }

  get(cell) {
    return this.memory[this.cell(cell)];
  }

  set(cell, value) {
    this.memory[this.cell(cell)] = value;
  }

  cell(name) {
    if (!this.has(name)) throw new Error(`there is no cell ${name}`);
    return this.own.cells[name];
  }

  /** From the first statement to the last. */
  run() {
    this.entry(this.base, this.pointers);
  }

  /** A function of (source, target), which fills the target, where the procedure looks for one. null: none. */
  connect(array, place, fill) {
    const found = this.own.calls.find((x) => x[0] === array && x[1] === place);
    if (!found) throw new Error(`no statement looks for a function at ${array}, ${place}`);
    let index = 0;
    if (fill) {
      const [, , reads, fills] = found;
      const called = (a, b) => fill(this.program.view(a, reads), this.program.view(b, fills));
      index = this.program.instance.exports.functions.grow(1);
      this.program.instance.exports.functions.set(index, exported(called));
    }
    const [start] = this.place(array);
    new Uint32Array(this.program.memory.buffer, start + 8 * place, 2).set([index, 0]);
  }
}

// A module that imports one function of two addresses and exports it: tables hold no others.
const THROUGH = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 2, 127, 127, 0, 2, 7, 1, 1, 97, 1, 97, 0, 0, 7, 5, 1, 1, 97, 0, 0,
];

function exported(call) {
  const module = new WebAssembly.Module(Uint8Array.from(THROUGH));
  return new WebAssembly.Instance(module, { a: { a: call } }).exports.a;
}
