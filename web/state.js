"use strict";

/* What the page shows, and its link: "#v=1&op=...". Keys that are left out have their default, so that old links keep working. */
const VERSION = "1";
const MOST_LINK = 1 << 16;
const DEFAULTS = {
  op: "ldmatrix.sync.aligned.m8n8.x4.shared.b16", target: "sm_90", version: "", stride: "", warps: "4",
  rows: "64", cols: "64", type: "f16", order: "row", pad: "0", B: "0", M: "0", S: "0", unit: "element",
  row: "0", col: "0", arrange: "col", addresses: "", fill: "st.shared.v4.b32",
};

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
    const words = new URLSearchParams(fragment.replace(/^#/, ""));
    const unknown = [];
    for (const [key, value] of words) {
      if (key in DEFAULTS && Object.hasOwn(DEFAULTS, key)) state[key] = value.replace(/[\r\n]+/g, " ");
      else if (key !== "v") unknown.push(key);
    }
    const version = words.get("v");
    if (version !== null && version !== VERSION) return { state, wrong: "The link is of another version of this page; what is known of it is shown." };
    if (unknown.length > 0) return { state, wrong: `The link has words that mean nothing here: ${unknown.slice(0, 3).map((word) => word.slice(0, 40)).join(", ")}` };
    return { state, wrong: "" };
  },

  /* What the core is asked. */
  lines(state) {
    const [bits, packed] = TYPES[state.type] ?? TYPES[DEFAULTS.type];
    const all = { ...state, addresses: state.addresses.trim(), bits: String(bits), packed: packed ? "1" : "0" };
    if (all.stride.trim() === "") delete all.stride;
    return Object.entries(all).map(([key, value]) => `${key}=${value.trim()}`).join("\n") + "\n";
  },
};
