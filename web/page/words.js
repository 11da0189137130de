/* The answer in words: whether the instruction is legal and defined, and what it costs. */
import { element } from "./dom.js";
import { LOADS } from "./facts.js";

export function number(value) {
  return Number.isInteger(value) ? value.toLocaleString("en") : String(Math.round(value * 1000) / 1000);
}

export const counted = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

/* The text with carets under the part that is wrong, and the message. */
export function caret(text, { message, column, length }) {
  if (column < 0) return message;
  return `${text}\n${" ".repeat(column)}${"^".repeat(Math.max(1, length))}\n${message}`;
}

export const ptxVersion = (ptx) => `${Math.floor(ptx / 10)}.${ptx % 10}`;

/* "r1.0" for field 0 of register 1; "" for a copy, which has no registers. */
export function valueWords(access, value) {
  if (access.op.kind === "cp.async") return "";
  const fields = access.fragment ? access.fragment.fields : 1;
  return fields > 1 ? `r${Math.floor(value / fields)}.${value % fields}` : `r${value}`;
}

const errorWords = (text) => element("p", text, { class: "error" });

/* --- legal, defined ------------------------------------------------------------------------------ */

const FIRST_FINDINGS = 3; // shown at once; the rest is folded

export function verdictWords(answer, target) {
  if (answer.error) return [errorWords(answer.error.message)];
  const { legality, findings } = answer;
  const verdict = `${legality.ok ? "Legal" : "Illegal"} on ${target}, PTX ${ptxVersion(legality.ptx)}.`;
  return [
    element("p", verdict, { class: legality.ok ? "good" : "error", id: "legality" }),
    ...legality.reasons.map((reason) => element("p", reason)),
    ...(findings ? findingsWords(findings) : []),
    ...(answer.tile?.findings ?? []).map((one) => errorWords(`${one.rule} (${one.side}): ${one.message}`)),
  ];
}

function findingsWords(findings) {
  if (findings.length === 0) return [element("p", "Defined for every lane.", { class: "good" })];
  const isUndefined = findings.some((one) => one.severity === "error");
  const heading = isUndefined
    ? errorWords("Undefined behaviour:")
    : element("p", "Defined, with warnings:", { class: "good" });
  const items = findings.map((one) => element("li", `${one.rule} ${one.message}. ${one.fix}`));
  const list = element("ul", undefined, { id: "findings" });
  list.append(...items.slice(0, FIRST_FINDINGS));
  if (items.length <= FIRST_FINDINGS) return [heading, list];
  const more = element("details");
  const rest = element("ul");
  rest.append(...items.slice(FIRST_FINDINGS));
  more.append(element("summary", `and ${items.length - FIRST_FINDINGS} more`), rest);
  return [heading, list, more];
}

/* --- costs --------------------------------------------------------------------------------------- */

const COUNTERS = {
  instructions: "instructions",
  requests: "requests",
  wavefronts: "wavefronts",
  ideal_wavefronts: "ideal",
  bank_conflicts: "bank conflicts",
  sectors: "sectors",
};

export function numbersWords(answer, warps) {
  const { tile, cost } = answer;
  const rows = counterRows(answer);
  const parts = rows.length > 0 ? [countersTable(rows)] : [];
  if (cost) parts.push(element("p", streamWords(cost, warps)));
  if (tile.store?.error) parts.push(errorWords(`fill: ${tile.store.error}`));
  if (tile.load?.error && LOADS.includes(answer.op.kind)) parts.push(errorWords(`read: ${tile.load.error}`));
  return parts;
}

/* [name, counters, cycles] of each row of the table. */
function counterRows({ traffic, cost, tile }) {
  const rows = [];
  if (traffic) rows.push(["this instruction", traffic, cost?.latency]);
  const step = tile.store?.costliest;
  if (step) rows.push([`fill, warp ${step.warp}, step ${step.step}`, step.traffic, undefined]);
  if (tile.store?.traffic) rows.push(["whole tile, fill", tile.store.traffic, tile.store.cycles]);
  if (tile.load?.traffic) rows.push(["whole tile, reads", tile.load.traffic, tile.load.cycles]);
  return rows;
}

function countersTable(rows) {
  const table = element("table", undefined, { id: "counters" });
  const head = element("tr");
  head.append(element("td", ""));
  for (const name of [...Object.values(COUNTERS), "cycles"]) head.append(element("th", name, { scope: "col" }));
  table.append(element("caption", "Nsight Compute's counters, and cycles (for one instruction: its latency)"), head);
  for (const [name, traffic, cycles] of rows) {
    const row = element("tr");
    row.append(element("th", name, { scope: "row" }));
    for (const key of Object.keys(COUNTERS)) row.append(element("td", number(traffic[key])));
    row.append(element("td", cycles === undefined ? "" : number(cycles)));
    table.append(row);
  }
  const box = element("div", undefined, { class: "scroll", tabindex: "0", role: "region", "aria-label": "Counters" });
  box.append(table);
  return box;
}

function streamWords({ interval, bound, error }, warps) {
  const expected = error >= 0 ? ` (expected error: ${Math.round(error * 100)} %)` : "; its error here is unknown";
  const every = interval === 1 ? "cycle" : `${number(interval)} cycles`;
  return `In an endless stream from ${counted(warps, "warp")}: one every ${every}, limited by the ${bound}${expected}.`;
}
