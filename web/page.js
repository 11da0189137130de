"use strict";

const $ = (id) => document.getElementById(id);
let state = { ...DEFAULTS }, answer = null, found = null, chosen = -1, lane = 0;

/* --- words ---------------------------------------------------------------------------------- */

/* The text with a caret under what is meant. */
function caret(text, error) {
  const before = error.column < 0 ? "" : `${text}\n${" ".repeat(error.column)}${"^".repeat(Math.max(1, error.length))}\n`;
  return before + error.message;
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function number(value) {
  return value === undefined ? "" : Number.isInteger(value) ? value.toLocaleString("en") : String(Math.round(value * 1000) / 1000);
}

/* --- views ---------------------------------------------------------------------------------- */

function showVerdict() {
  const box = $("verdict");
  box.replaceChildren();
  if (answer.error) {
    box.append(element("p", answer.error.message, { class: "error" }));
    return;
  }
  const { legality } = answer, at = `${state.target}, PTX ${(legality.ptx / 10).toFixed(1)}`;
  box.append(element("p", legality.ok ? `Legal on ${at}.` : `Illegal on ${at}.`, { class: legality.ok ? "good" : "error", id: "legality" }));
  for (const reason of legality.reasons) box.append(element("p", reason));
  if (answer.findings) {
    const errors = answer.findings.filter((one) => one.severity === "error").length;
    box.append(element("p", errors > 0 ? "Undefined behaviour:" : answer.findings.length > 0 ? "Defined, with remarks:" : "Defined.", { class: errors > 0 ? "error" : "good" }));
    if (answer.findings.length > 0) box.append(findingsList(answer.findings));
  }
  for (const one of answer.tile.findings ?? []) box.append(element("p", `${one.side}: ${one.message}`, { class: "error" }));
}

/* The first findings, and the rest behind a summary. */
function findingsList(findings) {
  const items = findings.map((one) => element("li", `${one.rule} ${one.message}. ${one.fix}`));
  const list = element("ul", undefined, { id: "findings" });
  list.append(...items.slice(0, 3));
  if (items.length > 3) {
    const more = element("details"), rest = element("ul");
    rest.append(...items.slice(3));
    more.append(element("summary", `and ${items.length - 3} more`), rest);
    list.append(more);
  }
  return list;
}

function showNumbers() {
  const rows = [["", "instructions", "requests", "wavefronts", "ideal", "bank conflicts", "sectors", "cycles"]];
  const line = (name, traffic, cycles) => rows.push([name, ...["instructions", "requests", "wavefronts", "ideal_wavefronts", "bank_conflicts", "sectors"].map((key) => traffic[key]), cycles]);
  if (answer.traffic) line("this instruction", answer.traffic, answer.cost && answer.cost.latency);
  if (answer.tile?.store?.traffic) line("tile, filled", answer.tile.store.traffic, answer.tile.store.cycles);
  if (answer.tile?.load?.traffic) line("tile, read", answer.tile.load.traffic, answer.tile.load.cycles);
  const table = element("table", undefined, { id: "counters" });
  table.append(element("caption", "Nsight Compute's counters; cycles: of one instruction its latency"));
  rows.forEach((row, i) => {
    const tr = element("tr");
    row.forEach((value, j) => {
      const cell = element(i === 0 || j === 0 ? "th" : "td", typeof value === "number" ? number(value) : value ?? "");
      if (i === 0 || j === 0) cell.setAttribute("scope", i === 0 ? "col" : "row");
      tr.append(cell);
    });
    table.append(tr);
  });
  $("numbers").replaceChildren(table);
  if (answer.cost) $("numbers").append(element("p", `An endless stream of ${state.warps} warps: one every ${number(answer.cost.interval)} cycles, limited by the ${answer.cost.bound}${answer.cost.error >= 0 ? `, within ${Math.round(answer.cost.error * 100)} %` : "; the error was never measured on this target"}.`));
  for (const side of ["store", "load"]) if (answer.tile?.[side]?.error) $("numbers").append(element("p", answer.tile[side].error, { class: "error" }));
}

/* A canvas in a box, said in words for those who do not see it. */
function show(id, picture, words) {
  const box = $(id), canvas = box.querySelector("canvas") ?? box.appendChild(element("canvas", undefined, { role: "img", tabindex: "0" }));
  picture.show(canvas, themeColors());
  canvas.setAttribute("aria-label", words);
  return canvas;
}

function showPictures() {
  show("bits", bitsPicture(state), `Bits of the swizzle <${state.B},${state.M},${state.S}>`);
  for (const id of ["tile", "banks", "fragment"]) $(id).closest("section").hidden = true;
  if (answer.error) return;
  if (answer.tile && !answer.tile.rows) return;
  $("tile").closest("section").hidden = false;
  show("tile", tileView.picture(answer), `A tile of ${answer.tile.rows} by ${answer.tile.cols} elements, each in the colour of its bank; outlined what each lane reads`);
  if (answer.banks && answer.banks.cells.length > 0) {
    $("banks").closest("section").hidden = false;
    show("banks", banksView.picture(answer), `${answer.traffic.wavefronts} passes for ${answer.banks.wavefronts.length} groups of lanes`);
  }
  if (answer.fragment) {
    $("fragment").closest("section").hidden = false;
    show("fragment", fragmentView.picture(answer, lane), `Which lane holds each element; lane ${lane} is marked`);
    $("fragment-place").textContent = ownWords(lane);
  }
}

function ownWords(which) {
  const { fields, elements } = answer.fragment, per = answer.op.registers * fields, own = [];
  for (let n = which * per; n < (which + 1) * per; n++) own.push(`(${elements.slice(3 * n, 3 * n + 3).join(", ")})`);
  return `Lane ${which} holds (matrix, row, column): ${own.join(" ")}`;
}

function showFound() {
  $("found-section").hidden = found === null;
  if (found === null) return;
  const box = $("found");
  if (found.error) {
    box.replaceChildren(element("p", found.error, { class: "error" }));
    return;
  }
  if (!box.querySelector("canvas")) box.replaceChildren();
  show("found", foundView.picture(found, chosen), `${found.counted} of ${found.candidates} layouts could be used; the best ${found.best.length} are shown`);
  box.querySelector("ol")?.remove();
  const list = element("ol");
  found.best.slice(0, 8).forEach((row, i) => {
    const item = element("li"), button = element("button", rowWords(row), { type: "button", "data-row": String(i) });
    item.append(button);
    list.append(item);
  });
  box.append(list);
}

function rowWords(row) {
  const [pad, b, m, s, stores, loads, bytes, cycles] = row;
  const layout = [pad > 0 ? `padding ${pad}` : "", b > 0 ? `Swizzle<${b},${m},${s}>` : ""].filter(Boolean).join(", ") || "plain";
  return `${layout}: ${number(core.double(cycles))} cycles, ${stores} + ${loads} wavefronts, ${number(bytes)} bytes`;
}

/* --- what comes in -------------------------------------------------------------------------- */

function compute() {
  answer = core.ask("answer", link.lines(state));
  const lines = answer.error ? caret(state.op, answer.error) : "";
  $("op-error").textContent = lines;
  $("op").setAttribute("aria-invalid", String(Boolean(answer.error)));
  $("tile-error").textContent = answer.tile?.error ?? "";
  $("fill-error").textContent = answer.tile?.fill_error ? caret(state.fill, answer.tile.fill_error) : "";
  for (const box of document.querySelectorAll("[data-for=wmma]")) box.hidden = !answer.op?.wmma;
}

function refresh() {
  const began = performance.now();
  compute();
  showVerdict();
  $("numbers").closest("section").hidden = Boolean(answer.error);
  if (!answer.error) showNumbers();
  showPictures();
  showFound();
  window.redrawMilliseconds = performance.now() - began;
}

function fillForm() {
  for (const key of Object.keys(DEFAULTS)) {
    const isWrong = $(key).type === "number" && !/^-?\d{1,9}$/.test(state[key]);
    $(key).value = isWrong ? "" : state[key];
  }
}

function readForm() {
  for (const key of Object.keys(DEFAULTS)) state[key] = $(key).value.replace(/[\r\n]+/g, " ");
  found = null;
  history.replaceState(null, "", link.write(state));
  refresh();
}

function readLink() {
  const read = link.read(location.hash);
  state = read.state;
  found = null;
  fillForm();
  for (const key of ["target", "version", "type", "order", "unit", "arrange"]) if ($(key).value !== state[key]) {
    read.wrong ||= `${key}: there is no ${state[key].slice(0, 40)}`;
    state[key] = DEFAULTS[key];
    $(key).value = state[key];
  }
  say(read.wrong);
  refresh();
}

function say(words) {
  $("status").textContent = words;
}

/* --- share ---------------------------------------------------------------------------------- */

function layoutWords() {
  const swizzle = Number(state.B) > 0 ? `, swizzle=ws.Swizzle(${state.B}, ${state.M}, ${state.S}, "${state.unit}")` : "";
  return `ws.Layout(${state.rows}, ${state.cols}, "${state.type}", "${state.order}", ${state.pad || 0}${swizzle})`;
}

const share = {
  link: () => location.href.split("#")[0] + link.write(state),
  python: () => [
    "import numpy as np", "import warpsim as ws", `op = ws.parse(${JSON.stringify(answer.op?.ptx ?? state.op)})`,
    state.addresses.trim() ? `address = np.array([${answer.addresses?.join(", ") ?? ""}])` : `layout = ${layoutWords()}\naddress = layout.addresses(op, ${state.row || 0}, ${state.col || 0}, "${state.arrange}")`,
    `print(op.legality("${state.target}", "${((answer.legality?.ptx ?? 80) / 10).toFixed(1)}"))`, "print(op.explain(address))",
  ].join("\n"),
  cpp: () => [
    "#include <cstdio>", "#include <warpsim/warpsim.h>", "int main() {", "    ws_op op;", "    ws_error error;", `    if (ws_parse(${JSON.stringify(answer.op?.ptx ?? state.op)}, &op, &error) != WS_OK) return 1;`,
    `    const uint32_t address[32] = {${(answer.addresses ?? []).join(", ")}};`, "    const ws_access access = ws_access_make(address, 1);", "    ws_counts counts;",
    "    ws_count(&op, &access, &counts, &error);", '    std::printf("%d wavefronts\\n", static_cast<int>(counts.wavefronts));', "}",
  ].join("\n"),
  cli: () => `warpsim explain '${(answer.op?.ptx ?? state.op).replaceAll("'", "")}' --target ${state.target} --address '${(answer.addresses ?? []).join(",")}'`,
};

async function copy(kind) {
  const text = share[kind]();
  try {
    await navigator.clipboard.writeText(text);
    say("Copied.");
  } catch {
    const box = element("textarea", text);
    document.body.append(box);
    box.select();
    say(document.execCommand("copy") ? "Copied." : text);
    box.remove();
  }
}

function save(kind) {
  if (answer.error) return say("There is no picture of an instruction that cannot be read.");
  const picture = tileView.picture(answer), svg = picture.svg(themeColors(), `${answer.op.ptx} in a tile of ${answer.tile.rows} x ${answer.tile.cols} ${state.type}`);
  const put = (blob) => {
    const anchor = element("a", undefined, { href: URL.createObjectURL(blob), download: `warpsim.${kind}` });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
  };
  if (kind === "svg") put(new Blob([svg], { type: "image/svg+xml" }));
  else $("tile").querySelector("canvas").toBlob(put, "image/png");
  return say(`Saved warpsim.${kind}.`);
}

/* --- begin ---------------------------------------------------------------------------------- */

function choose(id, values, words = (value) => value) {
  $(id).replaceChildren(...values.map((value) => element("option", words(value), { value })));
}

function search() {
  const began = performance.now();
  found = core.ask("search", link.lines(state));
  window.searchMilliseconds = performance.now() - began;
  chosen = -1;
  showFound();
}

function pick(i) {
  const [pad, b, m, s] = found.best[i], kept = found;
  Object.assign(state, { pad: String(pad), B: String(b), M: String(m), S: String(s), unit: TYPES[state.type][1] ? "byte" : "element" });
  fillForm();
  history.replaceState(null, "", link.write(state));
  found = kept;
  chosen = i;
  refresh();
}

function listen() {
  $("form").addEventListener("input", readForm);
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("search").addEventListener("click", search);
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button.dataset.copy));
  for (const button of document.querySelectorAll("[data-save]")) button.addEventListener("click", () => save(button.dataset.save));
  window.addEventListener("hashchange", readLink);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  $("found").addEventListener("click", (event) => {
    const button = event.target.closest("[data-row]");
    if (button) return pick(Number(button.dataset.row));
    const places = foundView.places(found), [x, y] = [event.offsetX, event.offsetY];
    const near = places.findIndex(([px, py]) => Math.hypot(px - x, py - y) < 8);
    return near >= 0 ? pick(near) : undefined;
  });
  $("fragment").addEventListener("mousemove", (event) => {
    const at = answer.fragment && fragmentView.at(answer, event.offsetX, event.offsetY);
    const held = at && fragmentView.holders(answer).get(at.join());
    if (held && held[0][0] !== lane) mark(held[0][0]);
  });
  $("fragment").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: LANES - 1, ArrowUp: LANES - 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    mark((lane + step) % LANES);
  });
  $("tile").addEventListener("mousemove", (event) => {
    const cell = tileView.cell(answer), row = Math.floor((event.offsetY - 18) / cell), col = Math.floor((event.offsetX - 34) / cell);
    const isIn = row >= 0 && col >= 0 && row < answer.tile.rows && col < answer.tile.cols;
    $("tile-place").textContent = isIn ? tileView.place(answer, row, col) : "";
  });
}

function mark(which) {
  lane = which;
  showPictures();
}

core.start().then(() => {
  const facts = core.ask("facts", "");
  choose("forms", facts.forms);
  choose("fills", facts.forms.filter((form) => /^(st\.|stmatrix|cp\.async)/.test(form) && !form.startsWith("st.global")));
  choose("target", facts.targets);
  choose("version", ["", ...facts.ptx.slice().reverse().map((ptx) => `${Math.floor(ptx / 10)}.${ptx % 10}`)], (value) => value || "newest");
  choose("type", Object.keys(TYPES));
  listen();
  readLink();
  window.explorer = { answer: () => answer, found: () => found, state: () => state, facts };
});
