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
  wavefronts: "wavefronts",
  ideal_wavefronts: "ideal",
  bank_conflicts: "bank conflicts",
  cycles: "cycles",
  instructions: "instructions",
  requests: "requests",
  sectors: "sectors",
};

export function numbersWords(answer, warps) {
  const { tile, cost } = answer;
  const columns = counterColumns(answer);
  const parts = columns.length > 0 ? [countersTable(columns)] : [];
  if (cost) parts.push(element("p", streamWords(cost, warps)));
  if (tile.store?.error) parts.push(errorWords(`fill: ${tile.store.error}`));
  if (tile.load?.error && LOADS.includes(answer.op.kind)) parts.push(errorWords(`read: ${tile.load.error}`));
  return parts;
}

/* [name, counters] of each column of the table. */
function counterColumns({ traffic, cost, tile }) {
  const columns = [];
  if (traffic) columns.push(["this instruction", { ...traffic, cycles: cost?.latency }]);
  const step = tile.store?.costliest;
  if (step) columns.push([`fill, warp ${step.warp}, step ${step.step}`, step.traffic]);
  for (const [name, side] of [
    ["tile, filled", tile.store],
    ["tile, read", tile.load],
  ]) {
    if (side?.traffic) columns.push([name, { ...side.traffic, cycles: side.cycles }]);
  }
  return columns;
}

function countersTable(columns) {
  const caption = "Nsight Compute's counters, and cycles (for one instruction: its latency)";
  const row = (name, key) => [name, ...columns.map(([, counters]) => counters[key])];
  const rows = Object.entries(COUNTERS).map(([key, name]) => row(name, key));
  return tableOf("counters", caption, ["", ...columns.map(([name]) => name)], rows);
}

/* The same counters of two layouts: `columns` are [name, answer]. */
export function compareWords(columns) {
  const counted = columns.map(([, { traffic, tile }]) => [
    traffic?.wavefronts,
    traffic?.bank_conflicts,
    tile.store?.traffic?.wavefronts,
    tile.load?.traffic?.wavefronts,
    tile.store?.cycles,
    tile.load?.cycles,
    tile.bytes,
  ]);
  const names = ["wavefronts", "bank conflicts", "wavefronts to fill", "wavefronts to read"];
  names.push("cycles to fill", "cycles to read", "bytes");
  const rows = names.map((name, i) => [name, ...counted.map((column) => column[i])]);
  const known = rows.filter((row) => row.slice(1).some((value) => value !== undefined));
  return tableOf("compare", "The two layouts", ["", ...columns.map(([name]) => name)], known);
}

/* A table with names above and at the left; a value that is not known leaves its cell empty. */
function tableOf(id, caption, head, rows) {
  const table = element("table", undefined, { id });
  const top = element("tr");
  top.append(...head.map((name, i) => element(i === 0 ? "td" : "th", name, i === 0 ? {} : { scope: "col" })));
  table.append(element("caption", caption), top);
  for (const [name, ...values] of rows) {
    const row = element("tr");
    const cells = values.map((value) => element("td", value === undefined ? "" : number(value)));
    row.append(element("th", name, { scope: "row" }), ...cells);
    table.append(row);
  }
  const box = element("div", undefined, { class: "scroll", tabindex: "0", role: "region", "aria-label": caption });
  box.append(table);
  return box;
}

function streamWords({ interval, bound, error }, warps) {
  const known = `within ${Math.round(error * 100)} % in 95 of 100 cases`;
  const cycles = error >= 0 ? known : "with an error that is not known here";
  const every = interval === 1 ? "cycle" : `${number(interval)} cycles`;
  const stream = `In an endless stream from ${counted(warps, "warp")}: one every ${every}, limited by the ${bound}.`;
  return `${stream} Counters are exact; cycles are estimated ${cycles}.`;
}
