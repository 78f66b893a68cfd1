"use strict";
(() => {
  const scene = JSON.parse(document.getElementById("scene").textContent);
  const element = (id) => document.getElementById(id);
  const canvas = element("stage"), pen = canvas.getContext("2d");
  const slider = element("time"), play = element("play"), now = element("now"), speed = element("speed");
  const last = scene.times.length - 1;
  const poses = new Float32Array(Uint8Array.from(atob(scene.poses), (x) => x.charCodeAt(0)).buffer);
  const BODY = 12;
  const start = { rows: scene.rows.map((x) => x.slice()), zoom: 1, shift: [0, 0] };
  let view = { rows: start.rows, zoom: 1, shift: [0, 0] };
  let at = 0, playing = false, before = 0, scale = 1, width = 0, height = 0, colors = {};

  // -- poses ---------------------------------------------------------------------------------------------------

  const pose = new Float64Array(BODY * (scene.bodies + 1));
  function settle() {
    // Between two frames entries are mixed; frames are so near that axes stay square.
    const k = Math.min(Math.floor(at), Math.max(last - 1, 0)), share = Math.min(at - k, 1);
    const size = BODY * scene.bodies, a = k * size, b = Math.min(k + 1, last) * size;
    pose.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    for (let i = 0; i < size; i++) pose[BODY + i] = poses[a + i] * (1 - share) + poses[b + i] * share;
  }
  const turned = (body, v, o = body * BODY) => [
    pose[o] * v[0] + pose[o + 1] * v[1] + pose[o + 2] * v[2],
    pose[o + 4] * v[0] + pose[o + 5] * v[1] + pose[o + 6] * v[2],
    pose[o + 8] * v[0] + pose[o + 9] * v[1] + pose[o + 10] * v[2],
  ];
  const moved = (body, p) => turned(body, p).map((x, k) => x + pose[body * BODY + 4 * k + 3]);

  // -- the screen ----------------------------------------------------------------------------------------------

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => { const n = Math.hypot(...a); return a.map((x) => x / n); };
  function flat(p) {
    const d = [p[0] - scene.middle[0], p[1] - scene.middle[1], p[2] - scene.middle[2]];
    return [
      width / 2 + view.shift[0] + scale * dot(view.rows[0], d),
      height / 2 + view.shift[1] - scale * dot(view.rows[1], d),
    ];
  }
  const along = (body, v) => { const w = turned(body, v); return [dot(view.rows[0], w), -dot(view.rows[1], w)]; };
  const depth = (body, v) => dot(view.rows[2], turned(body, v));
  const place = (body, p) => flat(moved(body, p));

  function fit() {
    const box = canvas.parentElement.clientWidth, dense = window.devicePixelRatio || 1;
    width = box;
    height = Math.round(box * scene.size[1] / scene.size[0]);
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * dense);
    canvas.height = Math.round(height * dense);
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    const style = getComputedStyle(document.documentElement);
    for (const name of ["ink", "soft", "faint", "paper", "link", "joint", "trail"])
      colors[name] = style.getPropertyValue(`--${name}`).trim();
    draw();
  }

  // -- strokes -------------------------------------------------------------------------------------------------

  function stroke(points, color, thick, dash = []) {
    pen.beginPath();
    points.forEach((p, k) => (k ? pen.lineTo(...p) : pen.moveTo(...p)));
    pen.strokeStyle = color; pen.lineWidth = thick; pen.setLineDash(dash);
    pen.lineCap = pen.lineJoin = "round";
    pen.stroke();
    pen.setLineDash([]);
  }
  function fill(points, paper, color, thick, clear = 1) {
    pen.beginPath();
    points.forEach((p, k) => (k ? pen.lineTo(...p) : pen.moveTo(...p)));
    pen.closePath();
    if (paper) { pen.globalAlpha = clear; pen.fillStyle = paper; pen.fill(); pen.globalAlpha = 1; }
    pen.strokeStyle = color; pen.lineWidth = thick; pen.lineJoin = "round";
    pen.stroke();
  }
  function disc(p, radius, color, paper = colors.paper) {
    pen.beginPath();
    pen.arc(p[0], p[1], radius, 0, 2 * Math.PI);
    pen.fillStyle = paper; pen.fill();
    pen.strokeStyle = color; pen.lineWidth = 1.7; pen.stroke();
  }
  function hull(points) { // the corners of the convex hull, in turn (A. M. Andrew, 1979)
    const order = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]), found = [];
    const side = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    for (const some of [order, order.slice().reverse()]) {
      const half = [];
      for (const p of some) {
        while (half.length > 1 && side(half[half.length - 2], half[half.length - 1], p) <= 0) half.pop();
        half.push(p);
      }
      found.push(...half.slice(0, -1));
    }
    return found.length ? found : order.slice(0, 1);
  }
  const STYLES = { link: ["link", 5, []], arm: ["link", 2, []], free: ["soft", 1.4, [5, 5]] };

  // -- parts ---------------------------------------------------------------------------------------------------

  function grounds() {
    for (const point of scene.grounds) {
      const p = flat(point), s = p[1] < height / 2 ? -1 : 1;
      const put = (x) => x.map(([a, b]) => [p[0] + a, p[1] + s * b]);
      stroke(put([[0, 0], [-11, 19], [11, 19], [0, 0]]), colors.soft, 1.4);
      stroke(put([[-20, 19], [20, 19]]), colors.soft, 1.4);
      for (let k = -16; k < 21; k += 6) stroke(put([[k, 19], [k - 5, 26]]), colors.soft, 1.4);
    }
  }
  function oval([body, center, axes]) {
    const p = place(body, center);
    const column = (k) => [axes[0][k], axes[1][k], axes[2][k]];
    const flats = [0, 1, 2].map((k) => along(body, column(k)).map((x) => x * scale));
    // The image of the unit sphere under a (2, 3) matrix, by the square root of its product with its transpose.
    let a = 0, b = 0, c = 0;
    for (const [x, y] of flats) { a += x * x; b += x * y; c += y * y; }
    const mean = (a + c) / 2, apart = Math.hypot((a - c) / 2, b), angle = Math.atan2(2 * b, a - c) / 2;
    pen.beginPath();
    pen.ellipse(p[0], p[1], Math.max(Math.sqrt(mean + apart), 1), Math.max(Math.sqrt(Math.max(mean - apart, 0)), 1),
                angle, 0, 2 * Math.PI);
    pen.globalAlpha = 0.14; pen.fillStyle = colors.link; pen.fill(); pen.globalAlpha = 1;
    pen.strokeStyle = colors.link; pen.lineWidth = 2; pen.stroke();
    const near = [0, 2].map((k) => depth(body, column(k)));
    let line = [];
    for (let k = 0; k <= 72; k++) { // a meridian, by which turning is seen
      const s = Math.sin(k * Math.PI / 36), e = Math.cos(k * Math.PI / 36);
      if (e * near[0] + s * near[1] >= 0)
        line.push([p[0] + e * flats[0][0] + s * flats[2][0], p[1] + e * flats[0][1] + s * flats[2][1]]);
      else { if (line.length) stroke(line, colors.link, 1); line = []; }
    }
    if (line.length) stroke(line, colors.link, 1);
  }
  function mark(x) {
    const a = place(...x.a), b = place(...x.b);
    const p = [a[0] + x.share * (b[0] - a[0]), a[1] + x.share * (b[1] - a[1])];
    const put = (v) => { const w = along(x.body, v); return [p[0] + w[0], p[1] + w[1]]; };
    const color = x.kind === "joint" ? colors.joint : colors.ink;
    if (x.axis) {
      const w = along(x.body, x.z).map((y) => 34 * y);
      if (Math.hypot(...w) > 10)
        stroke([[p[0] - w[0], p[1] - w[1]], [p[0] + w[0], p[1] + w[1]]], color, 1, [7, 3, 1.5, 3]);
    }
    if (x.solid.length) {
      const paper = x.kind === "joint" ? colors.paper : colors.ink;
      fill(hull(x.solid.map(put)), paper, color, 1.8, { wheel: 0.7, "wheel off": 0.12 }[x.kind] ?? 1);
    }
    const toward = depth(x.body, x.z);
    for (const [sign, ring] of x.caps) if (sign * toward > 0) fill(ring.map(put), "", color, 1.3);
    for (const radius of x.discs) disc(p, radius, color);
  }
  function center([body, point]) {
    const p = place(body, point);
    disc(p, 5, colors.ink);
    pen.fillStyle = colors.ink;
    for (const from of [0, Math.PI]) {
      pen.beginPath(); pen.moveTo(...p); pen.arc(p[0], p[1], 5, from, from + Math.PI / 2); pen.fill();
    }
  }
  function path() {
    const part = at * scene.parts, k = Math.floor(part), points = scene.trail.slice(0, k + 1).map(flat);
    const a = scene.trail[k], b = scene.trail[k + 1] ?? a;
    points.push(flat(a.map((x, i) => x + (part - k) * (b[i] - x))));
    stroke(points, colors.trail, 1.5);
  }
  function names() {
    pen.font = '13px system-ui, "Helvetica Neue", Arial, sans-serif';
    pen.textAlign = "left"; pen.textBaseline = "middle";
    for (const [i, p, j, q, text, kind] of scene.labels) {
      const a = place(i, p), b = place(j, q), joint = kind === "joint";
      const x = (a[0] + b[0]) / 2 + 12, y = (a[1] + b[1]) / 2 + (joint ? 14 : -12);
      pen.strokeStyle = colors.paper; pen.lineWidth = 4; pen.strokeText(text, x, y);
      pen.fillStyle = joint ? colors.joint : colors.ink; pen.fillText(text, x, y);
    }
  }
  function nice(length) {
    const power = 10 ** Math.floor(Math.log10(length));
    return power * [5, 2, 1].find((x) => x * power <= length * (1 + 1e-9));
  }
  function beside() {
    const length = nice(100 / scale), right = width - 18, left = right - length * scale, y = height - 16;
    stroke([[left, y - 4], [left, y], [right, y], [right, y - 4]], colors.soft, 1.2);
    pen.font = '12px system-ui, "Helvetica Neue", Arial, sans-serif';
    pen.fillStyle = colors.ink; pen.textAlign = "center"; pen.textBaseline = "alphabetic";
    pen.fillText(`${Number(length.toPrecision(1))} m`, (left + right) / 2, y - 6);
    const corner = [34, height - 30];
    ["x", "y", "z"].forEach((name, k) => {
      const axis = [0, 0, 0]; axis[k] = 1;
      const w = [dot(view.rows[0], axis), -dot(view.rows[1], axis)];
      if (Math.hypot(...w) < 0.15) return;
      stroke([corner, [corner[0] + 22 * w[0], corner[1] + 22 * w[1]]], colors.soft, 1.4);
      pen.fillStyle = colors.soft; pen.textBaseline = "middle";
      pen.fillText(name, corner[0] + 31 * w[0], corner[1] + 31 * w[1]);
    });
  }

  function draw() {
    settle();
    const room = [Math.max(width - 96, 20), Math.max(height - 96, 20)];
    scale = view.zoom * Math.min(room[0] / scene.span[0], room[1] / scene.span[1]);
    pen.fillStyle = colors.paper;
    pen.fillRect(0, 0, width, height);
    for (const [a, b] of scene.floor) stroke([flat(a), flat(b)], colors.faint, 1.2);
    grounds();
    if (element("trail").checked) path();
    for (const [i, p, j, q, kind] of scene.lines) {
      const [color, thick, dash] = STYLES[kind];
      stroke([place(i, p), place(j, q)], colors[color], thick, dash);
    }
    scene.ovals.forEach(oval);
    scene.marks.forEach(mark);
    for (const x of scene.pins) disc(place(...x), 5, colors.joint);
    scene.centers.forEach(center);
    if (element("names").checked) names();
    beside();
    const k = Math.floor(at), t = scene.times[k] + (at - k) * ((scene.times[k + 1] ?? scene.times[k]) - scene.times[k]);
    now.textContent = `t = ${t.toFixed(2)} s`;
    slider.value = at;
    slider.setAttribute("aria-valuetext", `${t.toFixed(2)} seconds`);
  }

  // -- time ----------------------------------------------------------------------------------------------------

  function go(frame) { at = Math.min(Math.max(frame, 0), last); draw(); }
  const step = last ? (scene.times[last] - scene.times[0]) / last : 1;
  function tick(moment) {
    if (!playing) return;
    // A frame's time is that of its beginning, which may lie before the key that started it.
    at += Math.max(moment - before, 0) / 1000 * Number(speed.value) / step;
    before = Math.max(moment, before);
    if (at >= last) { at = last; set(false); }
    draw();
    if (playing) requestAnimationFrame(tick);
  }
  function set(on) {
    playing = on;
    play.textContent = on ? "❚❚" : "▶";
    play.setAttribute("aria-label", on ? "pause" : "play");
    if (on) {
      if (at >= last) go(0);
      before = performance.now();
      requestAnimationFrame(tick);
    }
  }
  play.addEventListener("click", () => set(!playing));
  slider.addEventListener("input", () => { set(false); go(Number(slider.value)); });
  for (const id of ["names", "trail"]) element(id).addEventListener("change", draw);
  element("events")?.addEventListener("click", (event) => {
    const t = event.target.dataset?.time;
    if (t !== undefined) { set(false); go((Number(t) - scene.times[0]) / step); }
  });

  // -- the eye -------------------------------------------------------------------------------------------------

  function orbit(x, y) { // about what is up, and about the screen's right
    if (scene.planar) return;
    const about = (v, axis, angle) => {
      const c = Math.cos(angle), s = Math.sin(angle), w = cross(axis, v), d = dot(axis, v) * (1 - c);
      return v.map((e, k) => c * e + s * w[k] + d * axis[k]);
    };
    let rows = view.rows.map((v) => about(v, scene.up, -x));
    const tilted = rows.map((v) => about(v, rows[0], -y));
    if (dot(tilted[1], scene.up) > 0.02) rows = tilted;
    const right = unit(rows[0]), toward = unit(cross(right, rows[1]));
    view.rows = [right, cross(toward, right), toward];
    draw();
  }
  function home() { view = { rows: start.rows.map((x) => x.slice()), zoom: 1, shift: [0, 0] }; draw(); }
  element("home").addEventListener("click", home);
  canvas.addEventListener("dblclick", home);
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("pointercancel", () => { held = null; });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    const x = event.clientX - held[0], y = event.clientY - held[1];
    held = [event.clientX, event.clientY];
    if (scene.planar || event.buttons === 4) { view.shift = [view.shift[0] + x, view.shift[1] + y]; draw(); }
    else orbit(x * 0.01, y * 0.01);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.zoom = Math.min(Math.max(view.zoom * Math.exp(-event.deltaY * 0.001), 0.05), 50);
    draw();
  }, { passive: false });
  document.addEventListener("keydown", (event) => {
    const of = event.target.tagName;
    if (of === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
    const turn = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
    const jump = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === " " && !["BUTTON", "SUMMARY"].includes(of) && event.target.type !== "checkbox") set(!playing);
    else if (event.shiftKey && turn) orbit(...turn);
    else if (jump) { set(false); go((jump < 0 ? Math.ceil(at) : Math.floor(at)) + jump); }
    else if (event.key === "Home") { set(false); go(0); }
    else if (event.key === "End") { set(false); go(last); }
    else return;
    event.preventDefault();
  });

  // -- what happens when ---------------------------------------------------------------------------------------

  const share = (t) => 100 * Math.min(Math.max((t - scene.times[0]) / (scene.times[last] - scene.times[0] || 1), 0), 1);
  const modes = [...new Set(scene.spans.map((x) => x[2]))];
  if (modes.length > 1) for (const [from, to, name] of scene.spans) {
    const band = document.createElement("b");
    band.style.left = `${share(from)}%`;
    band.style.width = `${share(to) - share(from)}%`;
    band.style.background = `var(--band${modes.indexOf(name) % 5})`;
    band.title = name;
    element("marks").append(band);
  }
  for (const [t, name] of scene.ticks) {
    const line = document.createElement("i");
    line.style.left = `${share(t)}%`;
    line.title = `${name}, ${t.toPrecision(5)} s`;
    element("marks").append(line);
  }
  window.addEventListener("resize", fit);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", fit);
  fit();
})();
