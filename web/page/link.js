/*
 * The state as a link: "#v=1&op=...". A key that is left out has its default,
 * so old links keep working.
 */
import { expand } from "./expression.js";
import { DEFAULTS, TYPES, VERSION } from "./facts.js";

const LANES = 32;
const MAX_LINK = 1 << 16;
const MAX_TEXT = 1 << 14; // of one value; the rest is cut, and the page says so

export function write(state) {
  const words = new URLSearchParams({ v: VERSION });
  for (const key of Object.keys(DEFAULTS)) {
    if (state[key] !== DEFAULTS[key]) words.set(key, state[key]);
  }
  return "#" + words.toString();
}

/* { state, wrong }: the state of a link, and what is wrong with the link ("" if nothing is). */
export function read(fragment) {
  const state = { ...DEFAULTS };
  if (fragment.length > MAX_LINK) {
    return { state, wrong: `The link has ${fragment.length} characters; at most ${MAX_LINK} are read.` };
  }
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const unknown = [];
  let wrong = "";
  for (const [key, value] of words) {
    if (Object.hasOwn(DEFAULTS, key)) [state[key], wrong] = cut(key, value, wrong);
    else if (key !== "v") unknown.push(key.slice(0, 40));
  }
  const version = words.get("v");
  if (version !== null && version !== VERSION) {
    wrong = "The link is for another version of this page; the parts that this one knows are shown.";
  } else if (unknown.length > 0) {
    wrong ||= `The link has keys that this page does not know: ${unknown.slice(0, 3).join(", ")}`;
  }
  return { state, wrong };
}

/* [text, wrong]: the text on one line and not too long, and what was wrong with it. */
export function cut(key, text, wrong = "") {
  const line = text.replace(/[\r\n]+/g, " ");
  if (line.length <= MAX_TEXT) return [line, wrong];
  return [line.slice(0, MAX_TEXT), wrong || `${key}: expected at most ${MAX_TEXT} characters, got ${line.length}`];
}

/* The state as the core reads it. */
export function lines(state) {
  const [bits, packed] = TYPES[state.type];
  const all = { ...state, addresses: expand(state.addresses, LANES), bits: String(bits), packed: packed ? "1" : "0" };
  return Object.entries(all)
    .map(([key, value]) => `${key}=${value.trim()}\n`)
    .join("");
}
