/* The page: starts the core, and listens. */
import * as core from "./core.js";
import { $, say, sectionOf, setOptions } from "./dom.js";
import { DEFAULTS, TYPES } from "./facts.js";
import { fillForm, readForm, readLink, setLink } from "./form.js";
import * as link from "./link.js";
import { themeColors } from "./picture.js";
import { listenForPointer } from "./pointer.js";
import { accessShown, session } from "./session.js";
import { share } from "./share.js";
import { drawings, isShown, refresh, showFound, svgOf } from "./show.js";
import { copyText, savePng, saveSvg } from "./transfer.js";
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
  const unit = TYPES[session.state.type][1] ? "byte" : "element";
  Object.assign(session.state, { pad, B, M, S, unit });
  session.chosen = i;
  fillForm();
  setLink();
  refresh();
}

async function copy(kind) {
  const text = share[kind](session.answer, session.state);
  const nothing = "There is nothing to copy: that needs an instruction without errors and an address for each lane.";
  say(text === null ? nothing : await copyText(text));
}

function save(kind) {
  const id = $("picture").value;
  if (!isShown(id)) return say("This instruction does not have that picture; choose another.");
  const { op } = accessShown() ?? session.answer;
  if (kind === "svg") saveSvg(svgOf(id, `${op.ptx}, ${id}`));
  else savePng($(id).querySelector("canvas"), themeColors().paper);
  return say(`Saved warpsim.${kind}.`);
}

function listen() {
  $("form").addEventListener("input", (event) => {
    if (event.target.id in DEFAULTS) readForm();
  });
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("search").addEventListener("click", search);
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copy(button.dataset.copy));
  }
  for (const button of document.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => save(button.dataset.save));
  }
  window.addEventListener("hashchange", readLink);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
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

/* What tests and other programs may ask of the page. */
function expose(facts) {
  window.explorer = {
    facts,
    answer: () => session.answer,
    state: () => session.state,
    found: () => session.found,
    chosen: () => session.chosen,
    points: () => points(session.found),
    share: (kind) => share[kind](session.answer, session.state),
    shown: accessShown,
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
  listen();
  readLink();
  window.firstViewMilliseconds = performance.now();
  expose(facts);
}

begin();
