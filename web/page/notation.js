/* A layout in the words of other tools, as the fields of this page: CuTe, Triton, TMA, and the command line. */
import { TYPES } from "./facts.js";

const NONE = { pad: "0", B: "0", M: "0", S: "0" };
const KEYS = ["rows", "cols", "order", "pad", "B", "M", "S", "unit"];
const EXPECTED = "expected plain, pad=8, 3,3,3, 128B, Sw<3,3,3> o 0 o (8,64):(64,1) or #ttg.swizzled_shared<{...}>";

/* { fields } of a text, or { error }; `state` has what the text leaves open. */
export function read(text, state) {
  try {
    const found = READERS.map((reader) => reader(text.trim(), state)).find(Boolean);
    if (!found) return { error: EXPECTED };
    return { fields: Object.fromEntries(Object.entries(found).map(([key, value]) => [key, String(value)])) };
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return { error: error.message };
    throw error;
  }
}

/* The layout of a state, as this page and the command line write it. */
export function write(state) {
  const parts = state.order === "col" ? ["col"] : [];
  if (Number(state.pad) > 0) parts.push(`pad=${state.pad}`);
  if (Number(state.B) > 0) parts.push(`swizzle=${state.B},${state.M},${state.S}${isBytes(state) ? ",byte" : ""}`);
  return parts.join(":") || "plain";
}

/* A layout as people say it. */
export function spoken(layout) {
  const parts = [];
  if (Number(layout.pad) > 0) parts.push(`padding ${layout.pad}`);
  if (Number(layout.B) > 0) parts.push(`Swizzle<${layout.B},${layout.M},${layout.S}>`);
  return parts.join(", ") || "no padding";
}

export const layoutOf = (state) => Object.fromEntries(KEYS.map((key) => [key, state[key]]));

const isBytes = (state) => state.unit === "byte" && !TYPES[state.type][1];

function refuse(words) {
  throw new RangeError(words);
}

const bitsOf = (count) => (Number.isInteger(Math.log2(count)) ? Math.log2(count) : -1);

const READERS = [tile, cute, tma, triton, padded];

/* 64x64:f16:col:pad=8:swizzle=3,3,3,byte, or any of its parts. */
function tile(text) {
  const number = "(-?\\d+)";
  const swizzle = new RegExp(`^(?:swizzle=)?${number}, ?${number}, ?${number}(?:, ?(byte|element))?$`);
  const found = { ...NONE, unit: "element", order: "row" };
  for (const part of text.split(":")) {
    const [, B, M, S, unit] = swizzle.exec(part) ?? [];
    const [, pad] = /^pad=(\d+)$/.exec(part) ?? [];
    const [, rows, cols] = /^(\d+)x(\d+)$/.exec(part) ?? [];
    if (B !== undefined) Object.assign(found, { B, M, S, unit: unit ?? "element" });
    else if (pad !== undefined) found.pad = pad;
    else if (rows !== undefined) Object.assign(found, { rows, cols });
    else if (part === "row" || part === "col") found.order = part;
    else if (Object.hasOwn(TYPES, part)) found.type = part;
    else if (part !== "plain") return null;
  }
  return found;
}

/* --- CuTe ---------------------------------------------------------------------------------------- */

/* Sw<3,3,3>, alone or before a layout; the swizzle of an smem_ptr counts bytes. */
function cute(text, state) {
  const plain = text.replace(/_(?=\d)/g, "").replace(/\s+/g, "");
  const found = /^(?:Sw(?:izzle)?<(\d+),(\d+),(-?\d+)>)?(?:o(0|smem_ptr[^o]*)?)?o?(\(.*\):\(.*\))?$/.exec(plain);
  if (!found || plain === "") return null;
  const [, B = "0", M = "0", S = "0", pointer = "", strided] = found;
  const unit = pointer.startsWith("smem") ? "byte" : "element";
  const swizzle = { B, M, S, unit };
  if (strided === undefined) return { ...NONE, ...swizzle, order: state.order };
  return { ...matrix(strided), ...swizzle };
}

/* (8,64):(64,1), whose modes may be nested, as rows, columns, order and padding. */
function matrix(text) {
  const [shape, stride] = text.split(/:(?=\()/).map((part) => JSON.parse(part.replace(/\(/g, "[").replace(/\)/g, "]")));
  if (shape.length !== 2 || stride.length !== 2) refuse("expected a layout of two modes: rows and columns");
  const [[rows, down], [cols, right]] = [0, 1].map((mode) => coalesced(shape[mode], stride[mode]));
  const order = right === 1 || (cols === 1 && down !== 1) ? "row" : "col";
  const [run, runs, unit, pitch] = order === "row" ? [cols, rows, right, down] : [rows, cols, down, right];
  if (unit !== 1 && run > 1) refuse("neither rows nor columns are contiguous: this page has one pitch a tile");
  if (pitch < run && runs > 1) refuse(`rows of ${run} elements at a pitch of ${pitch} overlap`);
  return { rows, cols, order, pad: runs > 1 ? pitch - run : 0 };
}

/* [size, stride] of a mode; a nested one must have a single stride. */
function coalesced(shape, stride) {
  const sizes = [shape].flat(Infinity);
  const strides = [stride].flat(Infinity);
  if (sizes.length !== strides.length) refuse("shape and stride must have the same form");
  const modes = sizes.map((size, i) => [size, strides[i]]).filter(([size]) => size !== 1);
  return modes.reduce(
    (all, next) => {
      if (next[1] !== all[0] * all[1]) refuse("a mode has more than one stride: this page has one pitch a tile");
      return [all[0] * next[0], all[1]];
    },
    modes.shift() ?? [1, 0],
  );
}

/* --- TMA ----------------------------------------------------------------------------------------- */

/* 128B or CU_TENSOR_MAP_SWIZZLE_128B: a box whose inner side is as wide as the swizzle. */
function tma(text, state) {
  const [, name] = /^(?:CU_TENSOR_MAP_SWIZZLE_)?(NONE|32B|64B|128B)$/i.exec(text) ?? [];
  if (name === undefined) return null;
  return boxed(parseInt(name, 10) || 0, state, state.order);
}

function boxed(bytes, state, order) {
  if (bytes === 0) return { ...NONE, order };
  const swizzle = { ...NONE, B: bitsOf(bytes / 16), M: 4, S: 3, unit: "byte", order };
  return { ...swizzle, [order === "row" ? "cols" : "rows"]: (bytes * 8) / TYPES[state.type][0] };
}

/* --- Triton -------------------------------------------------------------------------------------- */

const numberIn = (text, key) => Number(new RegExp(`\\b${key}\\s*=\\s*(\\d+)`).exec(text)?.[1] ?? NaN);

const orderIn = (text) => (/order\s*=\s*\[\s*0\s*,\s*1\s*\]/.test(text) ? "col" : "row");

const runOf = (state, order) => Number(order === "row" ? state.cols : state.rows);

function triton(text, state) {
  const [, name] = /^#?\w+\.(swizzled_shared|shared|nvmma_shared)\s*</.exec(text) ?? [];
  if (name === undefined) return null;
  if (name === "nvmma_shared") {
    return boxed(numberIn(text, "swizzlingByteWidth"), state, /transposed\s*=\s*true/.test(text) ? "col" : "row");
  }
  const [vec, perPhase, maxPhase] = ["vec", "perPhase", "maxPhase"].map((key) => bitsOf(numberIn(text, key)));
  const order = orderIn(text);
  const run = bitsOf(runOf(state, order));
  if (Math.min(vec, perPhase, maxPhase) < 0) refuse("vec, perPhase and maxPhase: expected powers of two");
  if (maxPhase === 0) return { ...NONE, order, unit: "element" };
  if (run < vec + maxPhase) refuse(`expected a row of a power of two, of at least ${2 ** (vec + maxPhase)} elements`);
  return { ...NONE, B: maxPhase, M: vec, S: run + perPhase - vec, unit: "element", order };
}

/* #ttg.padded_shared<[64:+8] {order = [1, 0]}>: the interval must be a row. */
function padded(text, state) {
  const [, interval, pad] = /^#?\w+\.padded_shared\s*<\s*\[\s*(\d+)\s*:\s*\+\s*(\d+)\s*\]/.exec(text) ?? [];
  if (interval === undefined) return null;
  const order = orderIn(text);
  const run = runOf(state, order);
  if (Number(interval) !== run) refuse(`expected an interval of one row, ${run} elements: this page pads rows`);
  return { ...NONE, pad, order, unit: "element" };
}
