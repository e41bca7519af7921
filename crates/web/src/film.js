// Plays the film of a charge in its page: a tape, a slider, a speed, and both programs with the running place marked.
// The pictures come with the page, in the format of bfjoust. Without this script they are told there in words.
"use strict";

// A picture a line: what it leaves out is as in the picture before.
function readFilm(text) {
  const lines = text.split("\n");
  const length = Number(lines[1].split(" ")[1]);
  const frames = [];
  let now = { cycle: -1, at: [0, 0], symbols: ["_", "_"], changed: [], end: "" };
  for (const line of lines.slice(2)) {
    now = { ...now, cycle: now.cycle + 1, at: [...now.at], symbols: [...now.symbols], changed: [] };
    for (const part of line.split(" ").filter(Boolean)) {
      const rest = part.slice(1);
      if (part[0] === "@") now.cycle = Number(rest);
      else if (part[0] === "!") now.end = rest;
      else if (part[0] === "l" || part[0] === "r") now.at[part[0] === "l" ? 0 : 1] = Number(rest);
      else if (part[0] === "L" || part[0] === "R") now.symbols[part[0] === "L" ? 0 : 1] = rest;
      else now.changed.push(part.split("=").map(Number));
    }
    frames.push(now);
  }
  // Whole tapes at some pictures, from which the others are near.
  const tape = new Uint8Array(length);
  frames.forEach((frame, index) => {
    for (const [cell, value] of frame.changed) tape[cell] = value;
    if (index % 256 === 0) frame.tape = tape.slice();
  });
  return { length, frames };
}

function tapeAt(film, index) {
  const near = index - (index % 256);
  const tape = film.frames[near].tape.slice();
  for (let at = near + 1; at <= index; at++) {
    for (const [cell, value] of film.frames[at].changed) tape[cell] = value;
  }
  return tape;
}

// A program in its instructions: each with the place in its text, how often it is played, and where it jumps.
function readCode(text) {
  const found = [];
  const loops = [];
  const groups = {};
  for (const token of text.matchAll(/([+\-<>.[\]])(?:\*(\d+) )?|([({)}])(\d+)(?:\*(\d+))? /g)) {
    const [all, symbol, times, group, slot, count] = token;
    const at = found.length;
    const one = { symbol: symbol || group, begin: token.index, end: token.index + all.trimEnd().length };
    Object.assign(one, { times: Number(times || 1), slot, count: Number(count || 0), to: at + 1 });
    if (symbol === "[") loops.push(at);
    if (symbol === "]" && loops.length) {
      const begin = loops.pop();
      one.to = begin + 1;
      found[begin].to = at + 1;
    }
    if (group === "(" || group === "{") groups[group + slot] = at + 1;
    if (group === ")") one.to = groups["(" + slot];
    if (group === "}") one.to = groups["{" + slot];
    found.push(one);
  }
  return found;
}

// Which instruction each picture plays next: followed from the cells that the pointer was on. It ends where what it
// comes to is not what the film says.
function follow(film, code, side) {
  const counters = {};
  const places = [];
  const tape = new Uint8Array(film.length);
  let [at, played] = [0, 0];
  const pass = () => {
    for (;;) {
      const one = code[at];
      if (!one || !"({)}".includes(one.symbol)) return;
      at += 1;
      if (one.symbol === "(") counters[one.slot] = 1;
      else if (one.symbol === "{") counters[one.slot] = one.count || counters[one.slot];
      else if (one.symbol === ")" && counters[one.slot] < one.count) { counters[one.slot] += 1; at = one.to; }
      else if (one.symbol === "}" && counters[one.slot] > 1) { counters[one.slot] -= 1; at = one.to; }
    }
  };
  pass();
  for (const frame of film.frames) {
    for (const [cell, value] of frame.changed) tape[cell] = value;
    const one = code[at];
    if ((one ? one.symbol : "_") !== frame.symbols[side]) return places;
    places.push(one ? at : -1);
    if (!one) continue;
    const zero = tape[frame.at[side]] === 0;
    if ((one.symbol === "[" && zero) || (one.symbol === "]" && !zero)) at = one.to;
    else if (++played < one.times) continue;
    else at += 1;
    played = 0;
    pass();
  }
  return places;
}

function build(box) {
  const text = (name) => box.querySelector(`[data-part="${name}"]`).textContent;
  const film = readFilm(text("film").trimEnd());
  const programs = [0, 1].map((side) => {
    const source = text(side === 0 ? "left" : "right");
    const code = readCode(source);
    return { source, code, places: follow(film, code, side) };
  });
  const make = (name, parent, attributes = {}) =>
    parent.appendChild(Object.assign(document.createElement(name), attributes));
  const stage = make("div", box, { className: "stage" });
  const canvas = make("canvas", stage, { width: 1, height: 1 });
  canvas.setAttribute("role", "img");
  const told = make("p", stage, { className: "told" });
  const controls = make("div", stage, { className: "controls" });
  const play = make("button", controls, { type: "button", textContent: "Play" });
  const slider = make("input", controls, { type: "range", min: 0, max: film.frames.length - 1, value: 0 });
  slider.setAttribute("aria-label", "Cycle");
  const speed = make("select", controls);
  speed.setAttribute("aria-label", "Speed");
  for (const [rate, name] of [[4, "4 a second"], [20, "20 a second"], [60, "60 a second"], [300, "300 a second"]]) {
    make("option", speed, { value: rate, textContent: name, selected: rate === 20 });
  }
  const codes = make("div", stage, { className: "codes" });
  const views = programs.map((_, side) => {
    const part = make("div", codes);
    make("h3", part, { textContent: box.dataset[side === 0 ? "left" : "right"] });
    return make("pre", part);
  });
  let [index, timer, last] = [0, 0, 0];

  function draw() {
    const frame = film.frames[index];
    const tape = tapeAt(film, index);
    const ratio = window.devicePixelRatio || 1;
    const width = stage.clientWidth;
    // Cells stand in rows, so that each can be seen on a phone too.
    const columns = Math.max(8, Math.floor(width / 14));
    const rows = Math.ceil(film.length / columns);
    const size = width / columns;
    canvas.width = width * ratio;
    canvas.height = rows * size * ratio;
    canvas.style.setProperty("height", `${rows * size}px`);
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const ink = getComputedStyle(box).color;
    for (let cell = 0; cell < film.length; cell++) {
      const [x, y] = [(cell % columns) * size, Math.floor(cell / columns) * size];
      const value = Math.min(tape[cell], 256 - tape[cell]);
      pen.fillStyle = tape[cell] === 0 ? "#80808030" : `hsl(${260 - value * 1.5} 70% ${35 + value / 4}%)`;
      pen.fillRect(x + 1, y + 1, size - 2, size - 2);
      const here = [0, 1].filter((side) => frame.at[side] === cell);
      for (const side of here) {
        pen.fillStyle = side === 0 ? "#e69f00" : "#56b4e9";
        const half = here.length === 2 ? (size - 2) / 2 : size - 2;
        pen.fillRect(x + 1 + (here.length === 2 ? side * half : 0), y + 1, half, size - 2);
      }
      if (cell === 0 || cell === film.length - 1) {
        pen.strokeStyle = ink;
        pen.strokeRect(x + 1, y + 1, size - 2, size - 2);
      }
    }
    const side = (name, number) => {
      const cell = frame.at[number];
      const on = cell < 0 || cell >= film.length ? "has left the tape" : `is on cell ${cell} (${tape[cell]})`;
      return `${name} ${on}`;
    };
    const ends = frame.end ? ` It ends: ${frame.end.split(":")[0]} wins, by ${frame.end.split(":")[1]}.` : "";
    told.textContent = `After cycle ${frame.cycle}: ${side(box.dataset.left, 0)}; ${side(box.dataset.right, 1)}; ` +
      `the flags are at ${tape[0]} and ${tape[film.length - 1]}.${ends}`;
    canvas.setAttribute("aria-label", told.textContent);
    programs.forEach(({ source, code, places }, number) => {
      const one = code[places[index]];
      const view = views[number];
      view.replaceChildren();
      if (!one) { view.append(source); return; }
      const mark = Object.assign(document.createElement("mark"), { textContent: source.slice(one.begin, one.end) });
      view.append(source.slice(0, one.begin), mark, source.slice(one.end));
      view.scrollTop = mark.offsetTop - view.clientHeight / 2;
    });
    slider.value = index;
  }

  function stop() {
    cancelAnimationFrame(timer);
    timer = 0;
    play.textContent = "Play";
  }

  function tick(now) {
    const steps = Math.floor(((now - last) / 1000) * Number(speed.value));
    if (steps > 0) {
      last = now;
      index = Math.min(index + steps, film.frames.length - 1);
      draw();
    }
    if (index === film.frames.length - 1) stop();
    else timer = requestAnimationFrame(tick);
  }

  play.addEventListener("click", () => {
    if (timer) { stop(); return; }
    if (index === film.frames.length - 1) index = 0;
    play.textContent = "Pause";
    last = performance.now();
    timer = requestAnimationFrame(tick);
  });
  slider.addEventListener("input", () => { stop(); index = Number(slider.value); draw(); });
  window.addEventListener("resize", draw);
  draw();
  box.classList.add("plays");
}

document.querySelectorAll(".film").forEach(build);
