/* The answer in one sentence, with what to do about it. */
import { spoken } from "./notation.js";
import { counted, number, ptxVersion } from "./words.js";

/* { isGood, text, action }: an action is { words, change }, the fields to change. `search` finds the best layout. */
export function headline(answer, state, search) {
  const trouble = unusable(answer, state) ?? undefinedWords(answer);
  if (trouble) return { isGood: false, action: null, ...trouble };
  if (answer.op.kind === "movmatrix") return { isGood: true, text: MOVES, action: null };
  return conflictWords(answer) ?? sideWords(answer, search) ?? freeWords(answer);
}

function unusable({ error, legality, tile, traffic, op }, state) {
  if (error) return { text: "This is not an instruction that the page knows. See the message at the field." };
  if (!legality.ok) {
    const isOld = legality.targets.includes(state.target);
    const change = isOld ? { version: "" } : { target: legality.targets[0], version: "" };
    const words = isOld ? "Use the newest PTX version" : `Switch to ${change.target}`;
    const version = `Illegal on ${state.target}, PTX ${ptxVersion(legality.ptx)}`;
    const action = isOld || change.target ? { words, change } : null;
    return { text: `${version}: ${legality.reasons[0]}.`, action };
  }
  if (traffic || op.kind === "movmatrix") return null;
  return { text: `The instruction cannot read this tile: ${tile.error}.`, action: growing(tile) };
}

/* A tile that is too small, such as one atom of a layout, is repeated downwards or to the right. */
function growing({ error, rows, cols }) {
  const [, row, col] = /needs the place \((\d+), (\d+)\)/.exec(error) ?? [];
  if (row >= rows) return { words: `Make it ${2 * rows} rows`, change: { rows: String(2 * rows) } };
  if (col >= cols) return { words: `Make it ${2 * cols} columns`, change: { cols: String(2 * cols) } };
  return null;
}

function undefinedWords({ findings = [], tile, remedy }) {
  const wrong = findings.filter((one) => one.severity === "error");
  const action = remedy ? applies(remedy) : null;
  if (wrong.length === 0) {
    const [first] = tile.findings ?? [];
    return first ? { text: `The ${first.side} side cannot use this layout: ${first.message}.`, action } : null;
  }
  const more = wrong.length > 1 ? ` and ${wrong.length - 1} more` : "";
  return { text: `Undefined behaviour in lane ${wrong[0].lane}${more}. ${capital(wrong[0].fix)}`, action };
}

const MOVES = "movmatrix moves registers alone: it has no bank conflicts.";

const applies = (remedy) => {
  const { pad, B, M, S, unit } = remedy;
  const change = Object.fromEntries(Object.entries({ pad, B, M, S, unit }).map(([key, one]) => [key, String(one)]));
  return { words: `Apply ${spoken(remedy)}`, change };
};

const capital = (words) => words[0].toUpperCase() + words.slice(1);

const times = (traffic) => number(Math.round((10 * traffic.wavefronts) / traffic.ideal_wavefronts) / 10);

function conflictWords({ traffic, remedy, op }) {
  if (traffic.wavefronts <= traffic.ideal_wavefronts) return null;
  const cost = `${times(traffic)} times the wavefronts`;
  const conflicts = `${counted(traffic.bank_conflicts, "bank conflict")}, ${cost}.`;
  const text = traffic.bank_conflicts > 0 ? conflicts : `${op.kind} takes ${cost}, by rules of its own.`;
  if (!remedy) return { isGood: false, text, action: null };
  const least = remedy.traffic;
  const isFree = traffic.bank_conflicts > 0 && least.wavefronts === least.ideal_wavefronts;
  const layout = capital(spoken(remedy));
  const [needs, now] = [least.wavefronts, traffic.wavefronts].map(number);
  const cure = isFree ? `${layout} has none.` : `${layout} needs ${needs} instead of ${now}.`;
  return { isGood: false, text: `${text} ${cure}`, action: applies(remedy) };
}

/* The whole tile, where the instruction itself is free of conflicts. */
function sideWords({ tile: { store, load } }, search) {
  const isCostly = (side) => side?.traffic && side.traffic.wavefronts > side.traffic.ideal_wavefronts;
  const [doing, side] = isCostly(store) ? ["filling", store] : ["reading", load];
  if (!isCostly(side)) return null;
  const text = `No bank conflicts here, but ${doing} the whole tile takes ${times(side.traffic)} times the wavefronts.`;
  const best = search();
  const now = (store?.traffic?.wavefronts ?? 0) + (load?.traffic?.wavefronts ?? 0);
  if (!best) return { isGood: false, text, action: null };
  if (best.wavefronts >= now) return { isGood: false, text: `${text} No layout is better.`, action: null };
  const cure = `${capital(spoken(best))} fills and reads it in ${number(best.wavefronts)} instead of ${number(now)}.`;
  return { isGood: false, text: `${text} ${cure}`, action: applies(best) };
}

function freeWords({ traffic, banks }) {
  if (banks.cells.length === 0) return { isGood: true, text: `${counted(traffic.sectors, "sector")}.`, action: null };
  const few = traffic.wavefronts === 1 ? "one is the fewest possible" : "the fewest possible";
  return {
    isGood: true,
    text: `No bank conflicts: ${counted(traffic.wavefronts, "wavefront")}, ${few}.`,
    action: null,
  };
}
