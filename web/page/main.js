/* The page: starts the core, and listens. */
import * as core from "./core.js";
import { $, element, say, sectionOf, setOptions } from "./dom.js";
import { DEFAULTS, TYPES } from "./facts.js";
import { change, go, paste, readForm, readLink, setLink, start } from "./form.js";
import * as link from "./link.js";
import * as notation from "./notation.js";
import { themeColors } from "./picture.js";
import * as play from "./play.js";
import { listenForPointer } from "./pointer.js";
import { PRESETS } from "./presets.js";
import { accessShown, session } from "./session.js";
import { share } from "./share.js";
import { drawings, isShown, refresh, showFound, svgOf, unitOf } from "./show.js";
import { copyText, savePng, saveSvg } from "./transfer.js";
import * as undo from "./undo.js";
import { points } from "./views/found.js";
import { ptxVersion } from "./words.js";

function search() {
  const began = performance.now();
  session.found = core.ask("search", link.lines(session.state));
  window.searchMilliseconds = performance.now() - began;
  session.chosen = -1;
  showFound();
  sectionOf("found").scrollIntoView({ block: "nearest" });
}

/* Takes a layout that the search found. */
function take(i) {
  const [pad, B, M, S] = session.found.best[i].map(String);
  const unit = unitOf(session.state);
  session.chosen = i;
  change({ pad, B, M, S, unit }, { isFound: true });
}

/* While an edit is unfinished, what is shared is what is shown. */
function shared(kind) {
  return share[kind](session.answer, session.isStale ? session.shown : session.state);
}

async function copy(kind) {
  const text = shared(kind);
  const nothing = "There is nothing to copy: that needs an instruction without errors and an address for each lane.";
  const isLocal = kind === "link" && text.startsWith("file:");
  const warning = isLocal ? " It opens on this computer only: for others, put the page on a site." : "";
  say(text === null ? nothing : (await copyText(text)) + warning);
}

function save(kind) {
  const id = $("picture").value;
  if (!isShown(id)) return say("This instruction does not have that picture; choose another.");
  const { op } = accessShown() ?? session.answer;
  if (kind === "svg") saveSvg(svgOf(id, `${op.ptx}, ${id}`));
  else savePng($(id).querySelector("canvas"), themeColors().paper);
  return say(`Saved warpsim.${kind}.`);
}

const BUTTONS = {
  search,
  apply: () => change(session.action.change),
  undo: () => go(undo.back),
  redo: () => go(undo.forward),
  play: play.togglePlay,
  pin: () => change({ beside: notation.write(session.shown) }),
  swap: () => {
    if (!session.beside) return;
    change({ ...notation.layoutOf(session.beside.state), beside: notation.write(session.shown) });
  },
  edit: () => $("controls").scrollIntoView(),
};

function listenForForm() {
  $("form").addEventListener("input", (event) => {
    if (event.target.id === "pass") play.stop();
    if (event.target.id === "paste") paste(event.target.value);
    if (event.target.id in DEFAULTS) readForm(event.target.id);
    if (event.target.id === "preset") start(`#v=1&${event.target.value}`);
    else $("preset").value = "";
  });
  $("form").addEventListener("change", undo.settle);
  $("form").addEventListener("submit", (event) => event.preventDefault());
}

/* Ctrl-Z, and Ctrl-Shift-Z or Ctrl-Y. */
function undoByKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  go(key === "y" || event.shiftKey ? undo.forward : undo.back);
}

function listen() {
  listenForForm();
  for (const [id, act] of Object.entries(BUTTONS)) $(id).addEventListener("click", act);
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copy(button.dataset.copy));
  }
  for (const button of document.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => save(button.dataset.save));
  }
  window.addEventListener("hashchange", readLink);
  window.addEventListener("keydown", undoByKey);
  window.addEventListener("resize", () => refresh(true));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => refresh(true));
  $("found-list").addEventListener("click", (event) => {
    const button = event.target.closest("[data-row]");
    if (button) take(Number(button.dataset.row));
  });
  $("found").addEventListener("click", ({ offsetX, offsetY }) => {
    const near = points(session.found).findIndex(([x, y]) => Math.hypot(x - offsetX, y - offsetY) < 8);
    if (near >= 0) take(near);
  });
  listenForPointer();
}

function offerPresets() {
  const groups = PRESETS.map(([label, presets]) => {
    const group = element("optgroup", undefined, { label });
    group.append(...presets.map(([name, value]) => element("option", name, { value })));
    return group;
  });
  $("preset").append(...groups);
  $("preset").value = "";
}

/* What tests and other programs may ask of the page. */
function expose(facts) {
  window.explorer = {
    facts,
    answer: () => session.answer,
    state: () => session.state,
    shown: () => session.shown,
    bits: () => Array.from(session.places.bits),
    found: () => session.found,
    chosen: () => session.chosen,
    points: () => points(session.found),
    share: shared,
    drawn: drawings,
    colors: themeColors,
    setLink,
  };
}

async function begin() {
  await core.start();
  const facts = core.ask("facts", "");
  setOptions("target", facts.targets);
  setOptions("version", ["", ...facts.ptx.map(ptxVersion).reverse()], (value) => value || "newest");
  setOptions("type", Object.keys(TYPES));
  offerPresets();
  listen();
  readLink();
  window.firstViewMilliseconds = performance.now();
  expose(facts);
}

begin();
