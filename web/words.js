"use strict";

const $ = (id) => document.getElementById(id);

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function number(value) {
  return Number.isInteger(value) ? value.toLocaleString("en") : String(Math.round(value * 1000) / 1000);
}

/* The text with a caret under what is meant. */
function caret(text, error) {
  const before = error.column < 0 ? "" : `${text}\n${" ".repeat(error.column)}${"^".repeat(Math.max(1, error.length))}\n`;
  return before + error.message;
}

const ptxVersion = (ptx) => `${Math.floor(ptx / 10)}.${ptx % 10}`;

/* --- is it legal, is it defined ----------------------------------------------------------------- */

function verdictWords(answer, target) {
  if (answer.error) return [element("p", answer.error.message, { class: "error" })];
  const { legality, findings } = answer, parts = [];
  parts.push(element("p", `${legality.ok ? "Legal" : "Illegal"} on ${target}, PTX ${ptxVersion(legality.ptx)}.`, { class: legality.ok ? "good" : "error", id: "legality" }));
  for (const reason of legality.reasons) parts.push(element("p", reason));
  if (findings) {
    const errors = findings.filter((one) => one.severity === "error").length;
    parts.push(element("p", errors > 0 ? "Undefined behaviour:" : findings.length > 0 ? "Defined, with warnings:" : "Defined for every lane.", { class: errors > 0 ? "error" : "good" }));
    if (findings.length > 0) parts.push(...findingsList(findings));
  }
  for (const one of answer.tile?.findings ?? []) parts.push(element("p", `${one.rule} (${one.side}): ${one.message}`, { class: "error" }));
  return parts;
}

/* The first findings; the rest are folded under a summary. */
function findingsList(findings) {
  const items = findings.map((one) => element("li", `${one.rule} ${one.message}. ${one.fix}`));
  const list = element("ul", undefined, { id: "findings" });
  list.append(...items.slice(0, 3));
  if (items.length <= 3) return [list];
  const more = element("details"), rest = element("ul");
  rest.append(...items.slice(3));
  more.append(element("summary", `and ${items.length - 3} more`), rest);
  return [list, more];
}

/* --- what it costs ------------------------------------------------------------------------------ */

const COUNTERS = { instructions: "instructions", requests: "requests", wavefronts: "wavefronts", ideal_wavefronts: "ideal", bank_conflicts: "bank conflicts", sectors: "sectors" };

function numbersWords(answer, warps) {
  const { tile, cost } = answer, rows = [];
  if (answer.traffic) rows.push(["this instruction", answer.traffic, cost?.latency]);
  if (tile.store?.costliest) rows.push([`fill, warp ${tile.store.costliest.warp}, step ${tile.store.costliest.step}`, tile.store.costliest.traffic, undefined]);
  if (tile.store?.traffic) rows.push(["whole tile, fill", tile.store.traffic, tile.store.cycles]);
  if (tile.load?.traffic) rows.push(["whole tile, reads", tile.load.traffic, tile.load.cycles]);
  const table = element("table", undefined, { id: "counters" }), head = element("tr");
  table.append(element("caption", "Nsight Compute's counters, and cycles (for one instruction: its latency)"), head);
  head.append(element("td", ""));
  for (const name of [...Object.values(COUNTERS), "cycles"]) head.append(element("th", name, { scope: "col" }));
  for (const [name, traffic, cycles] of rows) {
    const line = element("tr");
    line.append(element("th", name, { scope: "row" }));
    for (const key of Object.keys(COUNTERS)) line.append(element("td", number(traffic[key])));
    line.append(element("td", cycles === undefined ? "" : number(cycles)));
    table.append(line);
  }
  const parts = [];
  if (rows.length > 0) {
    const box = element("div", undefined, { class: "scroll", tabindex: "0", role: "region", "aria-label": "Counters" });
    box.append(table);
    parts.push(box);
  }
  if (cost) {
    const within = cost.error >= 0 ? ` (expected error: ${Math.round(cost.error * 100)} %)` : "; the error on this target is unknown";
    parts.push(element("p", `In an endless stream from ${warps === 1 ? "one warp" : `${warps} warps`}: one every ${number(cost.interval)} cycles, limited by the ${cost.bound}${within}.`));
  }
  const sides = LOADS.includes(answer.op.kind) ? [["store", "fill"], ["load", "reads"]] : [["store", "fill"]];
  for (const [side, name] of sides) if (tile[side]?.error) parts.push(element("p", `${name}: ${tile[side].error}`, { class: "error" }));
  return parts;
}
