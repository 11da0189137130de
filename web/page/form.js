/* The state as it comes in: from the form and from the link. */
import { $, say } from "./dom.js";
import { DEFAULTS } from "./facts.js";
import * as link from "./link.js";
import { session } from "./session.js";
import { refresh } from "./show.js";

const CHOICES = ["target", "version", "type", "order", "unit", "arrange", "side"];

export function fillForm() {
  for (const key of Object.keys(DEFAULTS)) {
    const isWrong = $(key).type === "number" && !/^-?\d{1,9}$/.test(session.state[key]);
    $(key).value = isWrong ? "" : session.state[key];
  }
}

export function setLink() {
  try {
    history.replaceState(null, "", link.write(session.state));
  } catch {
    /* in a frame without an address of its own */
  }
}

export function readForm() {
  const { state } = session;
  let wrong = "";
  for (const key of Object.keys(DEFAULTS)) {
    [state[key], wrong] = link.cut(key, $(key).value, wrong);
    if ($(key).value.length > state[key].length) $(key).value = state[key];
  }
  session.found = null;
  say(wrong);
  setLink();
  refresh();
}

export function readLink() {
  const { state, wrong } = link.read(location.hash || (document.documentElement.dataset.state ?? ""));
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
