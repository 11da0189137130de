"use strict";

/* What the page shows, and its link: "#v=1&op=...". Keys that are left out have their default, so that old links keep working. */
const MOST_LINK = 1 << 16;
const MOST_TEXT = 1 << 14; // of one value: what is longer is cut, in words

const link = {
  write(state) {
    const words = new URLSearchParams({ v: VERSION });
    for (const key of Object.keys(DEFAULTS)) if (state[key] !== DEFAULTS[key]) words.set(key, state[key]);
    return "#" + words.toString();
  },

  /* The state of a link, and what was wrong with it: a text, or "". */
  read(fragment) {
    const state = { ...DEFAULTS };
    if (fragment.length > MOST_LINK) return { state, wrong: `The link has ${fragment.length} characters; at most ${MOST_LINK} are read.` };
    const words = new URLSearchParams(fragment.replace(/^#/, "")), unknown = [];
    let wrong = "";
    for (const [key, value] of words) {
      if (Object.hasOwn(DEFAULTS, key)) [state[key], wrong] = link.value(key, value, wrong);
      else if (key !== "v") unknown.push(key.slice(0, 40));
    }
    const version = words.get("v");
    if (version !== null && version !== VERSION) wrong = "The link is of another version of this page; what is known of it is shown.";
    else if (unknown.length > 0) wrong ||= `The link has words that mean nothing here: ${unknown.slice(0, 3).join(", ")}`;
    return { state, wrong };
  },

  /* One line, not too long; and what is wrong. */
  value(key, text, wrong = "") {
    const line = text.replace(/[\r\n]+/g, " ");
    if (line.length <= MOST_TEXT) return [line, wrong];
    return [line.slice(0, MOST_TEXT), wrong || `${key}: expected at most ${MOST_TEXT} characters, got ${line.length}`];
  },

  /* What the core is asked. */
  lines(state) {
    const [bits, packed, runUnit] = TYPES[state.type];
    const all = { ...state, bits: String(bits), packed: packed ? "1" : "0", run_unit: String(runUnit) };
    return Object.entries(all).map(([key, value]) => `${key}=${value.trim()}`).join("\n") + "\n";
  },
};
