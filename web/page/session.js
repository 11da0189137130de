/* What the page shows now. form.js, pointer.js, play.js and main.js change it; everything else reads it. */
import { DEFAULTS } from "./facts.js";
import { LANES, passesOf, Places } from "./places.js";

export const session = {
  state: { ...DEFAULTS }, // as it is in the form
  shown: { ...DEFAULTS }, // the state of the answer: the last complete one while an edit is unfinished
  isStale: false, // it is that last one
  answer: null, // of the core to the state shown
  beside: null, // { layout, state, answer, places } of the layout to compare with
  found: null, // what the search found
  chosen: -1, // index of the layout taken from it
  action: null, // what the headline advises
  places: null, // of the access that the tile shows
  pointed: null, // { lane, cursor } while the pointer or a key points at something
};

/* The access of an answer that a side shows: the instruction, or the costliest step of the fill; or null. */
export function accessOf(answer, { side }) {
  if (side === "fill") return answer.tile?.store?.costliest ?? null;
  return answer.traffic ? answer : null;
}

/* What its tile shows, or null. */
export function placesOf(answer, state) {
  const op = accessOf(answer, state)?.op ?? answer.op;
  return answer.tile?.rows && op?.kind !== "movmatrix" ? new Places(accessOf(answer, state) ?? {}, answer.tile) : null;
}

/* The access in the pictures. */
export const accessShown = () => accessOf(session.answer, session.shown);

export function laneShown() {
  const chosen = Math.min(Math.max(Math.trunc(Number(session.state.lane)) || 0, 0), LANES - 1);
  return session.pointed?.lane ?? chosen;
}

/* What is undefined in the access that is shown. */
export function findingsShown() {
  const findings = accessShown() === session.answer ? (session.answer.findings ?? []) : [];
  return findings.filter((one) => one.severity === "error");
}

/* The number of the chosen pass, or null for all. */
export function passShown() {
  const pass = session.state.pass === "" ? NaN : Number(session.state.pass);
  const access = accessShown();
  return access && pass in passesOf(access) ? pass : null;
}
