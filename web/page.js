"use strict";

let state = { ...DEFAULTS }, answer = null, found = null, chosen = -1;
let places = null; // of what is shown in the tile
let pointed = null; // { lane, cursor } while something is pointed at

/* --- what is shown ------------------------------------------------------------------------------ */

/* The access that the pictures show: the reading instruction, or the costliest step of the fill; null if there is none. */
const shown = () => (state.side === "fill" ? answer.tile?.store?.costliest ?? null : answer.traffic ? answer : null);

const laneShown = () => pointed?.lane ?? Math.min(Math.max(Math.trunc(Number(state.lane)) || 0, 0), LANES - 1);

/* What is undefined in the access that is shown. */
const findingsShown = () => (shown() === answer ? answer.findings ?? [] : []).filter((one) => one.severity === "error");

/* The number of the chosen pass, or null for all. */
function passShown() {
  const pass = state.pass === "" ? NaN : Number(state.pass);
  return shown() && pass in passesOf(shown()) ? pass : null;
}

const draw = {
  tile: () => tileView.picture(answer.tile, shown(), places, passShown()),
  banks: () => banksView.picture(shown(), passShown(), laneShown(), new Set(findingsShown().map((one) => one.lane))),
  fragment: () => fragmentView.picture(shown() ?? answer, laneShown()),
  packed: () => packedView.picture(answer.row),
  found: () => foundView.picture(found, chosen),
  bits: () => swizzleView.picture(state),
};

const isShown = (id) => !$(id).hidden && !$(id).closest("section")?.hidden;

/* All pictures that are shown, as texts of SVG. */
const drawn = () => Object.keys(draw).filter(isShown).map((id) => draw[id]().svg(themeColors(), id));

/* A picture on the canvas of a box, said in words for those who do not see it. */
function show(id, picture, words, layer = 0) {
  const canvas = $(id).querySelectorAll("canvas")[layer];
  picture.show(canvas, themeColors());
  if (layer === 0) canvas.setAttribute("aria-label", words);
}

function showPictures() {
  const tile = answer.tile?.rows ? answer.tile : null, access = shown(), op = access?.op ?? answer.op;
  const has = {
    tile: tile !== null && op?.kind !== "movmatrix",
    banks: access !== null && access.banks.cells.length > 0,
    fragment: Boolean((access ?? answer).fragment),
    packed: Boolean(answer.row) && state.side !== "fill",
  };
  for (const [id, is] of Object.entries(has)) $(id).closest("section").hidden = !is;
  places = has.tile ? new Places(access ?? {}, tile) : null;
  if (has.tile) show("tile", draw.tile(), `A tile of ${tile.rows} by ${tile.cols} elements, each in the colour of its bank. Arrow keys move a cursor.`);
  if (has.banks) show("banks", draw.banks(), `${access.traffic.wavefronts} wavefronts of ${access.banks.wavefronts.length} groups of lanes. Arrow keys choose a lane.`);
  if (has.packed) show("packed", draw.packed(), "A row in memory, bit by bit, and where each bit lands in a register");
  showMarks();
}

/* What depends on the lane alone. */
function showMarks() {
  const lane = laneShown(), access = shown() ?? answer;
  if (places) {
    show("tile", tileView.marks(answer.tile, places, lane, pointed?.cursor), "", 1);
    const words = pointed?.cursor ? tileView.words(answer.tile, shown(), places, pointed.cursor) : "";
    const outlined = shown()?.op.wmma ? "" : " Outlined: what a lane asks for at once; red: it waits for another.";
    $("tile-place").textContent = words || (shown() ? `Marked: the elements of lane ${lane}.${outlined}` : "");
  }
  if (access.banks?.cells.length > 0) {
    $("banks-place").textContent = banksView.words(access, findingsShown().filter((one) => one.lane === lane), lane);
  }
  if (access.fragment) {
    show("fragment", draw.fragment(), `Which lane holds each element; lane ${lane} is marked. Arrow keys choose a lane.`);
    $("fragment-place").textContent = fragmentView.words(access, lane);
  }
}

function showPasses() {
  const passes = shown() ? passesOf(shown()) : [], many = new Set(passes.map((one) => one.group)).size > 1;
  const options = passes.map((one, i) => element("option", many ? `pass ${one.pass} of group ${one.group}` : `pass ${one.pass}`, { value: String(i) }));
  $("pass").replaceChildren(element("option", "all", { value: "" }), ...options);
  $("pass").value = passShown() === null ? "" : String(passShown());
}

function showFound() {
  $("found").closest("section").hidden = found === null;
  if (found === null) return;
  const isEmpty = !found.error && found.best.length === 0;
  $("found-words").textContent = found.error ? found.error.message ?? found.error : isEmpty ? "None of the layouts can be used." : `${number(found.counted)} of ${number(found.candidates)} layouts can be used without splitting an access; the best is first. Green: no other has both fewer cycles and fewer bytes.`;
  $("found").hidden = Boolean(found.error) || isEmpty;
  if ($("found").hidden) return $("found-list").replaceChildren();
  show("found", draw.found(), `${found.best.length} layouts by bytes and cycles; the best are listed below`);
  return $("found-list").replaceChildren(...found.best.slice(0, 8).map((row, i) => {
    const item = element("li");
    item.append(element("button", foundView.words(row), { type: "button", "data-row": String(i), "aria-pressed": String(i === chosen) }));
    return item;
  }));
}

/* --- what comes in -------------------------------------------------------------------------------- */

let listed = ""; // the target and version whose instructions are offered

function offer() {
  const target = `${state.target} ${state.version}`;
  if (target === listed) return;
  listed = target;
  const forms = core.ask("forms", link.lines(state));
  choose("forms", forms);
  choose("fills", forms.filter((form) => STORES.some((kind) => form.startsWith(`${kind}.`)) && !form.startsWith("st.global")));
}

function refresh() {
  const began = performance.now();
  answer = core.ask("answer", link.lines(state));
  pointed = null;
  $("op-error").textContent = answer.error ? caret(state.op, answer.error) : "";
  $("op").setAttribute("aria-invalid", String(Boolean(answer.error)));
  $("tile-error").textContent = answer.tile?.error ?? "";
  $("fill-error").textContent = answer.tile?.fill_error ? caret(state.fill, answer.tile.fill_error) : "";
  $("fill").setAttribute("aria-invalid", String(Boolean(answer.tile?.fill_error)));
  for (const box of document.querySelectorAll("[data-for=wmma]")) box.hidden = !answer.op?.wmma;
  $("verdict").replaceChildren(...verdictWords(answer, state.target));
  $("numbers").replaceChildren(...(answer.error ? [] : numbersWords(answer, Number(state.warps))));
  $("numbers").closest("section").hidden = Boolean(answer.error);
  show("bits", draw.bits(), `Bits of the swizzle <${state.B},${state.M},${state.S}>`);
  showPasses();
  showPictures();
  showFound();
  offer();
  window.redrawMilliseconds = performance.now() - began;
}

const CHOICES = ["target", "version", "type", "order", "unit", "arrange", "side"];

function fillForm() {
  for (const key of Object.keys(DEFAULTS)) {
    const isWrong = $(key).type === "number" && !/^-?\d{1,9}$/.test(state[key]);
    $(key).value = isWrong ? "" : state[key];
  }
}

function setLink() {
  try {
    history.replaceState(null, "", link.write(state));
  } catch { /* inside a frame without an address of its own */ }
}

function readForm() {
  let wrong = "";
  for (const key of Object.keys(DEFAULTS)) {
    [state[key], wrong] = link.value(key, $(key).value, wrong);
    if ($(key).value.length > state[key].length) $(key).value = state[key];
  }
  found = null;
  say(wrong);
  setLink();
  refresh();
}

function readLink() {
  const read = link.read(location.hash || (document.documentElement.dataset.state ?? ""));
  state = read.state;
  found = null;
  for (const key of CHOICES) {
    if ([...$(key).options].some((option) => option.value === state[key])) continue;
    read.wrong ||= `${key}: there is no ${state[key].slice(0, 40)}`;
    state[key] = DEFAULTS[key];
  }
  fillForm();
  say(read.wrong);
  refresh();
}

const say = (words) => { $("status").textContent = words; };

/* --- what is done --------------------------------------------------------------------------------- */

function choose(id, values, words = (value) => value) {
  $(id).replaceChildren(...values.map((value) => element("option", words(value), { value })));
}

function point(lane, cursor = null) {
  pointed = lane === null && cursor === null ? null : { lane: lane ?? undefined, cursor };
  showMarks();
}

/* The lane of a click or a key, which the link keeps. */
function keepLane(lane) {
  state.lane = String(lane);
  $("lane").value = state.lane;
  setLink();
  pointed = null;
  showPictures();
}

function pointInTile(place) {
  const holders = place && shown() ? places.holders(...place) : [];
  point(holders.length > 0 ? holders[0][0] : null, place);
}

function pointInFragment(event) {
  const access = shown() ?? answer, at = access.fragment && fragmentView.at(access, event.offsetX, event.offsetY);
  return at ? fragmentView.holders(access).get(at.join())?.[0] : undefined;
}

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function moveCursor(event) {
  const step = ARROWS[event.key];
  if (step === undefined || !places) return;
  event.preventDefault();
  const [row, col] = pointed?.cursor ?? [Number(state.row) || 0, Number(state.col) || 0], { rows, cols } = answer.tile;
  pointInTile([Math.min(Math.max(row + step[0], 0), rows - 1), Math.min(Math.max(col + step[1], 0), cols - 1)]);
}

function moveLane(event) {
  const step = ARROWS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  keepLane((laneShown() + step[0] + step[1] + LANES) % LANES);
}

function search() {
  const began = performance.now();
  found = core.ask("search", link.lines(state));
  window.searchMilliseconds = performance.now() - began;
  chosen = -1;
  showFound();
  $("found").closest("section").scrollIntoView({ block: "nearest" });
}

function pick(i) {
  const [pad, b, m, s] = found.best[i];
  Object.assign(state, { pad: String(pad), B: String(b), M: String(m), S: String(s), unit: TYPES[state.type][1] ? "byte" : "element" });
  chosen = i;
  fillForm();
  setLink();
  refresh();
}

async function copy(kind) {
  const text = kind === "link" ? share.link(state) : share[kind](answer, state);
  say(text === null ? "There is nothing to copy yet: the instruction or its place is wrong." : await copyText(text));
}

function save(kind) {
  const id = $("picture").value, canvases = [...$(id).querySelectorAll("canvas")];
  if (!isShown(id)) return say("There is no such picture of this instruction.");
  if (kind === "svg") {
    download(new Blob([draw[id]().svg(themeColors(), `${(shown() ?? answer).op.ptx}, ${id}`)], { type: "image/svg+xml" }), "warpsim.svg");
  } else {
    const sheet = document.createElement("canvas"), context = sheet.getContext("2d");
    [sheet.width, sheet.height] = [canvases[0].width, canvases[0].height];
    context.fillStyle = themeColors().paper;
    context.fillRect(0, 0, sheet.width, sheet.height);
    context.drawImage(canvases[0], 0, 0);
    sheet.toBlob((blob) => download(blob, "warpsim.png"), "image/png");
  }
  return say(`Saved warpsim.${kind}.`);
}

function listen() {
  $("form").addEventListener("input", (event) => (event.target.id in DEFAULTS ? readForm() : undefined));
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("search").addEventListener("click", search);
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button.dataset.copy));
  for (const button of document.querySelectorAll("[data-save]")) button.addEventListener("click", () => save(button.dataset.save));
  window.addEventListener("hashchange", readLink);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  $("found-list").addEventListener("click", (event) => {
    const button = event.target.closest("[data-row]");
    if (button) pick(Number(button.dataset.row));
  });
  $("found").addEventListener("click", (event) => {
    const near = foundView.places(found).findIndex(([x, y]) => Math.hypot(x - event.offsetX, y - event.offsetY) < 8);
    if (near >= 0) pick(near);
  });
  $("tile").addEventListener("pointermove", (event) => places && pointInTile(tileView.at(answer.tile, event.offsetX, event.offsetY)));
  $("tile").addEventListener("click", () => pointed?.lane !== undefined && keepLane(pointed.lane));
  $("tile").addEventListener("keydown", moveCursor);
  $("banks").addEventListener("pointermove", (event) => point(banksView.laneAt(event.offsetY)));
  $("banks").addEventListener("click", (event) => banksView.laneAt(event.offsetY) !== null && keepLane(banksView.laneAt(event.offsetY)));
  $("banks").addEventListener("keydown", moveLane);
  $("fragment").addEventListener("pointermove", (event) => point(pointInFragment(event)?.[0] ?? null));
  $("fragment").addEventListener("click", (event) => pointInFragment(event) && keepLane(pointInFragment(event)[0]));
  $("fragment").addEventListener("keydown", moveLane);
  for (const id of ["tile", "banks", "fragment"]) $(id).addEventListener("pointerleave", () => point(null));
}

core.start().then(() => {
  const facts = core.ask("facts", "");
  choose("target", facts.targets);
  choose("version", ["", ...facts.ptx.slice().reverse().map(ptxVersion)], (value) => value || "newest");
  choose("type", Object.keys(TYPES));
  listen();
  readLink();
  window.firstViewMilliseconds = performance.now();
  window.explorer = { answer: () => answer, found: () => found, state: () => state, share: (kind) => share[kind](answer, state), shown, drawn, facts };
});
