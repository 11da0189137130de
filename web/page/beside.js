/* The second layout, beside the one that the form describes. */
import { setError, show } from "./canvas.js";
import * as core from "./core.js";
import { $, sectionOf } from "./dom.js";
import * as link from "./link.js";
import * as notation from "./notation.js";
import { accessOf, placesOf, session } from "./session.js";
import * as tileView from "./views/tile.js";
import { compareWords, counted } from "./words.js";

/* The second layout: the state shown, in the layout that the field names. */
export function ask() {
  const text = session.state.beside.trim();
  const { fields, error } = text === "" ? {} : notation.read(text, session.shown);
  const state = fields ? { ...session.shown, ...fields } : null;
  const answer = state && core.ask("answer", link.lines(state));
  const wrong = error ?? answer?.tile?.error ?? "";
  const layout = state && notation.write(state);
  session.beside = wrong === "" && answer?.tile ? { layout, state, answer, places: placesOf(answer, state) } : null;
  setError("beside", wrong);
}

function captionOf(role, layout, answer) {
  const wavefronts = answer.traffic ? `: ${counted(answer.traffic.wavefronts, "wavefront")}` : "";
  return `${role}, ${layout}${wavefronts}`;
}

export function showAll() {
  const { beside: other, answer, shown } = session;
  const has = Boolean(other?.places) && !answer.error;
  $("beside-box").hidden = !has;
  $("comparison").replaceChildren();
  sectionOf("comparison").hidden = !has;
  $("tile-name").textContent = has ? captionOf("This layout", notation.write(shown), answer) : "";
  if (!has) return;
  $("beside-name").textContent = captionOf("Other layout", other.layout, other.answer);
  const columns = [
    [notation.write(shown), answer],
    [other.layout, other.answer],
  ];
  $("comparison").append(compareWords(columns));
  show("beside-tile", draw(), `The same tile, ${other.layout}, each element in the colour of its bank`);
}

export function draw() {
  const { answer, state, places } = session.beside;
  return tileView.draw(answer.tile, accessOf(answer, state), places, null);
}
