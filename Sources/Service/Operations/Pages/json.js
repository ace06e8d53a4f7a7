"use strict";
// Reads JSON and keeps what JSON.parse loses: all digits of numbers, and members with the same key.

class JSONNumber {
  constructor(text) { this.text = text; }
}

class JSONMembers {
  keys = [];
  values = [];

  get(key) { return this.values[this.keys.lastIndexOf(key)]; }
}

/** Returns the value in a text: null, a Boolean, a string, a `JSONNumber`, an array or `JSONMembers`. */
function readJSON(text) {
  const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  let at = 0;

  function fail() { throw new SyntaxError(`The answer is no JSON at character ${at}.`); }

  function skipSpace() {
    for (let c = text.charCodeAt(at); c === 32 || c === 10 || c === 13 || c === 9; c = text.charCodeAt(at)) at++;
  }

  function word(name, value) {
    if (!text.startsWith(name, at)) fail();
    at += name.length;
    return value;
  }

  function string() {
    const start = at++;
    for (;;) {
      const quote = text.indexOf('"', at);
      if (quote < 0) fail();
      let slash = quote;
      while (text[slash - 1] === "\\") slash--;
      at = quote + 1;
      if ((quote - slash) % 2 === 0) break;
    }
    const raw = text.slice(start + 1, at - 1);
    return raw.includes("\\") ? JSON.parse(text.slice(start, at)) : raw;
  }

  /** Reads elements until the end of a container. */
  function elements(end, read) {
    at++;
    skipSpace();
    if (text[at] === end) return at++;
    for (;;) {
      read();
      skipSpace();
      const next = text[at++];
      if (next === end) return;
      if (next !== ",") fail();
      skipSpace();
    }
  }

  function value() {
    skipSpace();
    switch (text[at]) {
    case "{": {
      const members = new JSONMembers();
      elements("}", () => {
        if (text[at] !== '"') fail();
        members.keys.push(string());
        skipSpace();
        if (text[at++] !== ":") fail();
        members.values.push(value());
      });
      return members;
    }
    case "[": {
      const array = [];
      elements("]", () => array.push(value()));
      return array;
    }
    case '"': return string();
    case "t": return word("true", true);
    case "f": return word("false", false);
    case "n": return word("null", null);
    default: {
      number.lastIndex = at;
      const match = number.exec(text);
      if (!match) fail();
      at = number.lastIndex;
      return new JSONNumber(match[0]);
    }
    }
  }

  const result = value();
  skipSpace();
  if (at < text.length) fail();
  return result;
}

/** The values in a container; undefined for another value. */
const childrenOf = value => Array.isArray(value) ? value : value instanceof JSONMembers ? value.values : undefined;

/** Follows keys and indices; undefined if there is no such value. */
function follow(value, ...steps) {
  for (const step of steps) {
    value = value instanceof JSONMembers ? value.get(step) : Array.isArray(value) ? value[step] : undefined;
  }
  return value;
}

/** The text of a string; undefined for another value. */
const stringOf = value => typeof value === "string" ? value : undefined;

/** A number or a number's text as JavaScript has it; undefined for another value. */
const numberOf = value => value instanceof JSONNumber ? Number(value.text) : undefined;

/** A value without members, as a text on one line. */
function scalarText(value) {
  if (value instanceof JSONNumber) return value.text;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** The lines of a value with indentation, made one by one. */
function* linesOf(value, indent = "", before = "", after = "") {
  const children = childrenOf(value);
  if (!children?.length) {
    yield indent + before + (children ? Array.isArray(value) ? "[]" : "{}" : visible(scalarText(value))) + after;
    return;
  }
  const isArray = Array.isArray(value);
  yield indent + before + (isArray ? "[" : "{");
  for (let i = 0; i < children.length; i++) {
    const key = isArray ? "" : visible(JSON.stringify(value.keys[i])) + ": ";
    yield* linesOf(children[i], indent + "  ", key, i + 1 < children.length ? "," : "");
  }
  yield indent + (isArray ? "]" : "}") + after;
}

/** Returns the place of a path such as `hourly.data[12].windSpeed`, as the numbers of the children on the way.
 *
 * `[]` takes the next of `indices`. `isWhole` is false if the path leads further than the document. */
function locate(value, path, indices = []) {
  const left = [...indices], place = [];
  let rest = path;
  while (rest) {
    let [step] = rest.match(/^\[\d*\]|^[^.[]*/), index = -1;
    if (Array.isArray(value) && step[0] === "[") {
      index = step === "[]" ? left.shift() ?? 0 : Number(step.slice(1, -1));
    } else if (value instanceof JSONMembers) {
      index = value.keys.lastIndexOf(step);
      // A key can have dots and brackets.
      if (index < 0) index = value.keys.findIndex(key => rest.startsWith(key) && /^[.[]|^$/.test(rest.slice(key.length)));
      step = value.keys[index] ?? step;
    }
    rest = rest.slice(step.length).replace(/^\./, "");
    const children = childrenOf(value);
    if (!children || index < 0 || index >= children.length) return { place, isWhole: false };
    place.push(index);
    value = children[index];
  }
  return { place, isWhole: true };
}

/** The containers of a document that are looked through for a path that does not start at the root. */
const containersLookedAt = 2000;

/** Returns the place of a repair in the upstream's document; undefined if the place is not known. */
function upstreamPlace(root, entry) {
  const indices = [...entry.example.matchAll(/\[(\d+)\]/g)].map(match => Number(match[1]));
  for (const path of [entry.from, entry.example]) {
    if (!path) continue;
    const found = locate(root, path, indices);
    if (found.isWhole && found.place.length) return found.place;
  }
  if (!entry.from) return undefined;
  // The path of a configured rule starts at the place of the rule around it: the only place where the path leads counts.
  const found = [], waiting = [[root, []]];
  for (let i = 0; i < waiting.length && i < containersLookedAt && found.length < 2; i++) {
    const [value, place] = waiting[i];
    const inner = locate(value, entry.from);
    if (inner.isWhole && inner.place.length) found.push([...place, ...inner.place]);
    childrenOf(value).slice(0, containersLookedAt).forEach((child, index) => {
      if (childrenOf(child)) waiting.push([child, [...place, index]]);
    });
  }
  if (found.length !== 1) return undefined;
  const value = found[0].reduce((value, index) => childrenOf(value)[index], root);
  if (Array.isArray(value) && indices[0] < value.length) found[0].push(indices[0]);
  return found[0];
}
