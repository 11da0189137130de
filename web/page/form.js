/* The state as it comes in: from the form, from the link, from buttons, and back from the past. */
import { $, say } from "./dom.js";
import { DEFAULTS } from "./facts.js";
import * as link from "./link.js";
import * as notation from "./notation.js";
import { session } from "./session.js";
import { refresh } from "./show.js";
import * as undo from "./undo.js";

const CHOICES = ["target", "version", "type", "order", "unit", "arrange", "side"];

function fillForm() {
  for (const key of Object.keys(DEFAULTS)) {
    const isWrong = $(key).type === "number" && !/^-?\d{1,9}$/.test(session.state[key]);
    $(key).value = isWrong ? "" : session.state[key];
  }
}

/* The state as the page's address; `isNew`: as an entry of the browser's history. */
export function setLink(isNew = false) {
  try {
    history[isNew ? "pushState" : "replaceState"](null, "", link.write(session.state));
  } catch {
    /* in a frame without an address of its own */
  }
}

/* What the form says after an edit of `key`. */
export function readForm(key) {
  const isNew = undo.remember(key, link.write(session.state));
  const { state } = session;
  let wrong = "";
  for (const key of Object.keys(DEFAULTS)) {
    [state[key], wrong] = link.cut(key, $(key).value, wrong);
    if ($(key).value.length > state[key].length) $(key).value = state[key];
  }
  session.found = null;
  say(wrong);
  setLink(isNew);
  refresh(true);
}

/* Some fields at once; `key`: see undo.js. What the search found stays if it is one of its layouts. */
export function change(fields, { key = null, isFound = false } = {}) {
  const isNew = undo.remember(key, link.write(session.state));
  Object.assign(session.state, fields);
  if (!isFound) session.found = null;
  fillForm();
  setLink(isNew);
  refresh();
}

/* A whole state, which nothing before it completes. */
function show({ state, wrong }) {
  let message = wrong;
  for (const key of CHOICES) {
    if ([...$(key).options].some((option) => option.value === state[key])) continue;
    const unknown = state[key].slice(0, 40);
    message ||= `${key}: unknown value '${unknown}'; using ${DEFAULTS[key] || "the default"}`;
    state[key] = DEFAULTS[key];
  }
  session.state = state;
  session.found = null;
  fillForm();
  say(message);
  refresh();
}

export function readLink() {
  if (session.answer) undo.remember(null, link.write(session.state));
  show(link.read(location.hash || (document.documentElement.dataset.state ?? "")));
}

/* The state of a fragment, as one change. */
export function start(fragment) {
  undo.remember(null, link.write(session.state));
  show(link.read(fragment));
  setLink(true);
}

/* Where a step of undo.js leads. */
export function go(step) {
  const fragment = step(link.write(session.state));
  if (fragment === null) return;
  show(link.read(fragment));
  setLink();
}

/* A layout in another notation, as the fields; what does not fit leaves everything as it is. */
export function paste(text) {
  const { fields, error } = text.trim() === "" ? {} : notation.read(text, session.state);
  $("paste-error").textContent = error ?? "";
  $("paste").setAttribute("aria-invalid", String(Boolean(error)));
  if (fields) change(fields, { key: "paste" });
}
