/* Shows the session: words, pictures and the list of layouts. */
import * as beside from "./beside.js";
import { setError, show } from "./canvas.js";
import * as core from "./core.js";
import { $, element, sectionOf, setOptions } from "./dom.js";
import { STORES, TYPES } from "./facts.js";
import { headline } from "./headline.js";
import * as link from "./link.js";
import { themeColors } from "./picture.js";
import { passesOf } from "./places.js";
import { accessShown, findingsShown, laneShown, passShown, placesOf, session } from "./session.js";
import { canGo } from "./undo.js";
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
  "beside-tile": beside.draw,
  bits: () => swizzleView.draw(session.shown),
};

export const isShown = (id) => !$(id).closest("[hidden]");

export const svgOf = (id, title) => DRAW[id]().svg(themeColors(), title);

/* Every picture that is shown, as the text of an SVG. */
export const drawings = () => {
  const shown = Object.keys(DRAW).filter(isShown);
  return shown.map((id) => svgOf(id, id));
};

const isComplete = (answer) => !answer.error && !answer.tile.error;

/* The answer to the state; while an edit is unfinished, to the last complete one before it. */
function ask(mayKeep) {
  const { state, shown, answer } = session;
  const now = core.ask("answer", link.lines(state));
  const keeps = mayKeep && !isComplete(now) && answer !== null && isComplete(answer);
  session.isStale = keeps;
  if (!keeps) session.shown = { ...state };
  session.answer = keeps ? core.ask("answer", link.lines(shown)) : now;
  session.places = placesOf(session.answer, session.shown);
  session.pointed = null;
  showErrors(now);
}

const SECTION_PADDING = 26; // with its frame
const HALF = 700; // two pictures share a row from this width

/* How large the tiles are drawn: two of them side by side, where there is room. */
function fitTiles() {
  const room = $("views").clientWidth - SECTION_PADDING;
  const shared = session.beside && room >= HALF ? (room - 16) / 2 : room;
  for (const { tile } of [session.answer, session.beside?.answer ?? {}]) {
    if (tile?.rows) Object.assign(tile, tileView.fit(tile, shared));
  }
}

/* Shows the answer to the state; `mayKeep`: an edit that is unfinished leaves the last answer. */
export function refresh(mayKeep = false) {
  const began = performance.now();
  ask(mayKeep);
  beside.ask();
  fitTiles();
  const { answer, shown } = session;
  for (const box of document.querySelectorAll("[data-for=wmma]")) box.hidden = !answer.op?.wmma;
  showHeadline();
  $("verdict").replaceChildren(...verdictWords(answer, shown.target));
  $("numbers").replaceChildren(...(answer.error ? [] : numbersWords(answer, Number(shown.warps))));
  sectionOf("numbers").hidden = Boolean(answer.error);
  show("bits", DRAW.bits(), `Bits of the swizzle <${shown.B},${shown.M},${shown.S}>`);
  showPasses();
  showPictures();
  beside.showAll();
  showFound();
  offerInstructions();
  for (const [id, can] of Object.entries(canGo())) $(id).disabled = !can;
  window.redrawMilliseconds = performance.now() - began;
}

function showErrors(answer) {
  const { state } = session;
  setError("op", answer.error ? caret(state.op, answer.error) : "");
  setError("fill", answer.tile?.fill_error ? caret(state.fill, answer.tile.fill_error) : "");
  const words = answer.tile?.error ?? "";
  const [, key] = /^(\w+)[\w, ]*:/.exec(words) ?? [];
  const field = $(key in state ? key : "rows");
  for (const id of Object.keys(state)) if (id !== "op" && id !== "fill") $(id).removeAttribute("aria-invalid");
  if (words !== "") field.setAttribute("aria-invalid", "true");
  $("tile-error").textContent = words;
  field.closest("label").after($("tile-error"));
}

/* What the swizzles that a search finds count. */
export const unitOf = ({ type }) => (TYPES[type][1] ? "byte" : "element");

/* The best layout for both sides of the tile, as an answer's remedy has it; null where no layout can be used. */
function bestLayout() {
  const [best] = core.ask("search", link.lines(session.shown)).best ?? [];
  if (!best) return null;
  const [pad, B, M, S, stores, loads] = best;
  return { pad, B, M, S, unit: unitOf(session.shown), wavefronts: stores + loads };
}

function showHeadline() {
  const { isGood, text, action } = headline(session.answer, session.shown, bestLayout);
  $("headline").dataset.tone = isGood ? "good" : "bad";
  $("headline-text").textContent = text;
  $("apply").hidden = action === null;
  $("apply").textContent = action?.words ?? "";
  session.action = action;
  $("stale").hidden = !session.isStale;
  $("views").dataset.stale = String(session.isStale);
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
  const { answer, shown, places } = session;
  const access = accessShown();
  const has = {
    tile: places !== null,
    banks: access !== null && access.banks.cells.length > 0,
    fragment: Boolean((access ?? answer).fragment),
    packed: Boolean(answer.row) && shown.side !== "fill",
  };
  for (const [id, is] of Object.entries(has)) sectionOf(id).hidden = !is;
  if (has.tile) {
    const { tile } = answer;
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
    const outlined = " Outlined: what one lane requests at once. Red: served in a later pass.";
    const numbered = tileView.isNumbered(answer.tile) ? " Number: the wavefront that serves it." : "";
    words = `Marked: the elements of lane ${lane}.${access.op.wmma ? "" : outlined + numbered}`;
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
