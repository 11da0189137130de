/* Shows the session: words, pictures and the list of layouts. */
import * as core from "./core.js";
import { $, element, sectionOf, setOptions } from "./dom.js";
import { STORES } from "./facts.js";
import * as link from "./link.js";
import { themeColors } from "./picture.js";
import { passesOf, Places } from "./places.js";
import { accessShown, findingsShown, laneShown, passShown, session } from "./session.js";
import * as banksView from "./views/banks.js";
import * as foundView from "./views/found.js";
import * as fragmentView from "./views/fragment.js";
import * as packedView from "./views/packed.js";
import * as swizzleView from "./views/swizzle.js";
import * as tileView from "./views/tile.js";
import { caret, counted, number, numbersWords, verdictWords } from "./words.js";

/* The picture in each box of the page. */
const DRAW = {
  tile: () => tileView.draw(session.answer.tile, accessShown(), session.places, passShown()),
  banks: () => {
    const wrong = new Set(findingsShown().map((one) => one.lane));
    return banksView.draw(accessShown(), passShown(), laneShown(), wrong);
  },
  fragment: () => fragmentView.draw(accessShown() ?? session.answer, laneShown()),
  packed: () => packedView.draw(session.answer.row),
  found: () => foundView.draw(session.found, session.chosen),
  bits: () => swizzleView.draw(session.state),
};

export const isShown = (id) => !$(id).hidden && !sectionOf(id)?.hidden;

export const svgOf = (id, title) => DRAW[id]().svg(themeColors(), title);

/* Every picture that is shown, as the text of an SVG. */
export const drawings = () => {
  const shown = Object.keys(DRAW).filter(isShown);
  return shown.map((id) => svgOf(id, id));
};

/* A picture on a canvas of its box; `words` say what it is to those who do not see it. */
function show(id, picture, words, layer = 0) {
  const canvas = $(id).querySelectorAll("canvas")[layer];
  picture.show(canvas, themeColors());
  if (layer === 0) canvas.setAttribute("aria-label", words);
}

function setError(input, words) {
  $(`${input}-error`).textContent = words;
  $(input).setAttribute("aria-invalid", String(words !== ""));
}

/* Asks the core about the state and shows its answer. */
export function refresh() {
  const began = performance.now();
  const { state } = session;
  const answer = core.ask("answer", link.lines(state));
  session.answer = answer;
  session.pointed = null;
  setError("op", answer.error ? caret(state.op, answer.error) : "");
  setError("fill", answer.tile?.fill_error ? caret(state.fill, answer.tile.fill_error) : "");
  $("tile-error").textContent = answer.tile?.error ?? "";
  for (const box of document.querySelectorAll("[data-for=wmma]")) box.hidden = !answer.op?.wmma;
  $("verdict").replaceChildren(...verdictWords(answer, state.target));
  $("numbers").replaceChildren(...(answer.error ? [] : numbersWords(answer, Number(state.warps))));
  sectionOf("numbers").hidden = Boolean(answer.error);
  show("bits", DRAW.bits(), `Bits of the swizzle <${state.B},${state.M},${state.S}>`);
  showPasses();
  showPictures();
  showFound();
  offerInstructions();
  window.redrawMilliseconds = performance.now() - began;
}

let offered = ""; // the target and version whose instructions the boxes offer

function offerInstructions() {
  const target = `${session.state.target} ${session.state.version}`;
  if (target === offered) return;
  offered = target;
  const forms = core.ask("forms", link.lines(session.state));
  const isFill = (form) => STORES.some((kind) => form.startsWith(`${kind}.`)) && !form.startsWith("st.global");
  setOptions("forms", forms);
  setOptions("fills", forms.filter(isFill));
}

function showPasses() {
  const access = accessShown();
  const passes = access ? passesOf(access) : [];
  const hasGroups = new Set(passes.map((one) => one.group)).size > 1;
  const name = ({ pass, group }) => (hasGroups ? `pass ${pass} of group ${group}` : `pass ${pass}`);
  setOptions("pass", ["", ...passes.keys()], (i) => (i === "" ? "all" : name(passes[i])));
  $("pass").value = String(passShown() ?? "");
}

export function showPictures() {
  const { answer, state } = session;
  const access = accessShown();
  const tile = answer.tile?.rows ? answer.tile : null;
  const op = access?.op ?? answer.op;
  const has = {
    tile: tile !== null && op?.kind !== "movmatrix",
    banks: access !== null && access.banks.cells.length > 0,
    fragment: Boolean((access ?? answer).fragment),
    packed: Boolean(answer.row) && state.side !== "fill",
  };
  for (const [id, is] of Object.entries(has)) sectionOf(id).hidden = !is;
  session.places = has.tile ? new Places(access ?? {}, tile) : null;
  if (has.tile) {
    const size = `${tile.rows} by ${tile.cols}`;
    show("tile", DRAW.tile(), `A tile of ${size} elements, each in the colour of its bank. Arrow keys move a cursor.`);
  }
  if (has.banks) {
    const wavefronts = counted(access.traffic.wavefronts, "wavefront");
    const groups = counted(access.banks.wavefronts.length, "group");
    show("banks", DRAW.banks(), `${wavefronts} for ${groups} of lanes. Arrow keys choose a lane.`);
  }
  if (has.packed) {
    show("packed", DRAW.packed(), "A row in memory, bit by bit, and where each bit lands in a register");
  }
  showMarks();
}

/* What changes with the lane and the cursor alone. */
export function showMarks() {
  const lane = laneShown();
  const access = accessShown() ?? session.answer;
  if (session.places) showTileMarks(lane);
  if (access.banks?.cells.length > 0) {
    const findings = findingsShown().filter((one) => one.lane === lane);
    $("banks-place").textContent = banksView.words(access, findings, lane);
  }
  if (access.fragment) {
    const words = `The lane that holds each element; lane ${lane} is marked. Arrow keys choose a lane.`;
    show("fragment", DRAW.fragment(), words);
    $("fragment-place").textContent = fragmentView.words(access, lane);
  }
}

function showTileMarks(lane) {
  const { answer, places, pointed } = session;
  const access = accessShown();
  show("tile", tileView.drawMarks(answer.tile, places, lane, pointed?.cursor), "", 1);
  let words = "";
  if (pointed?.cursor) words = tileView.words(answer.tile, access, places, pointed.cursor);
  else if (access) {
    const outlined = access.op.wmma ? "" : " Outlined: what one lane requests at once. Red: served in a later pass.";
    words = `Marked: the elements of lane ${lane}.${outlined}`;
  }
  $("tile-place").textContent = words;
}

export function showFound() {
  const { found, chosen } = session;
  sectionOf("found").hidden = found === null;
  if (found === null) return;
  const isEmpty = Boolean(found.error) || found.best.length === 0;
  $("found-words").textContent = foundWords(found);
  $("found").hidden = isEmpty;
  $("found-list").replaceChildren();
  if (isEmpty) return;
  show("found", DRAW.found(), `${found.best.length} layouts by bytes and cycles; the best are listed below`);
  for (const [i, row] of found.best.slice(0, 8).entries()) {
    const item = element("li");
    const attributes = { type: "button", "data-row": String(i), "aria-pressed": String(i === chosen) };
    item.append(element("button", foundView.words(row), attributes));
    $("found-list").append(item);
  }
}

function foundWords(found) {
  if (found.error) return found.error.message ?? found.error;
  if (found.best.length === 0) return "No layout is legal for both sides.";
  const share = `${number(found.counted)} of ${number(found.candidates)}`;
  return (
    `${share} layouts can be used without splitting an access; the best is first. ` +
    "Green: no other layout is better in both cycles and bytes."
  );
}
