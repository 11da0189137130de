/*
 * The tile, each element in the colour of its bank: bright if the warp touches it.
 * What a lane asks for at once is outlined, in red if the lane waits for a later pass.
 */
import { BLACK } from "../facts.js";
import { Picture, runsOf } from "../picture.js";
import { BANK_BITS, BANKS, cellsOf, LANES } from "../places.js";
import { valueWords } from "../words.js";

const LEFT = 38;
const TOP = 20;
const LEGEND = 40; // the height below the tile
const LABELLED = 18; // cells from this size hold texts

const NUMBERED = 12;

/* [elements on the longer side, size of a cell in pixels] */
const CELLS = [
  [16, 28],
  [32, 18],
  [64, 12],
  [128, 6],
  [512, 3],
  [Infinity, 1],
];

const MIN_CELL = 3;

/* The size of a cell, and of a bank in the legend, in a picture of `room` pixels: smaller, down to a limit, to fit. */
export function fit({ rows, cols }, room) {
  const size = CELLS.find(([most]) => Math.max(rows, cols) <= most)[1];
  const cell = Math.min(size, Math.max(Math.floor((room - LEFT - 4) / cols), MIN_CELL));
  return { cell, step: Math.min(10, Math.max(Math.floor((room - LEFT - 24) / BANKS), 6)) };
}

/* The upper left corner of an element. */
function cornerOf(tile, index) {
  const { cell } = tile;
  return [LEFT + (index % tile.cols) * cell, TOP + Math.floor(index / tile.cols) * cell];
}

export function draw(tile, access, places, onlyPass) {
  const { cell } = tile;
  const width = Math.max(LEFT + tile.cols * cell + 4, LEFT + BANKS * tile.step + 24);
  const picture = new Picture(width, TOP + tile.rows * cell + LEGEND);
  drawCells(picture, tile, places.bits, places.touched());
  drawAxes(picture, tile);
  if (access && !access.op.wmma) drawPasses(picture, tile, access, places, onlyPass);
  drawLegend(picture, TOP + tile.rows * cell, tile.step);
  return picture;
}

/* Large cells also have the number of their bank. */
function drawCells(picture, tile, bits, touched) {
  const { rows, cols, cell } = tile;
  const colours = new Uint8Array(rows * cols); // twice the bank, 1 more if touched
  for (let i = 0; i < colours.length; i++) colours[i] = 2 * (Math.floor(bits[i] / BANK_BITS) % BANKS) + touched[i];
  const palette = Array.from({ length: 2 * BANKS }, (_, i) => [`bank${i >> 1}`, i % 2 === 1 ? 1 : 0.4]);
  picture.grid(LEFT, TOP, cell, cols, colours, palette);
  if (cell < LABELLED) return;
  for (const [first, end] of runsOf(colours, cols)) {
    const [x, y] = cornerOf(tile, first);
    const width = (end - first) * cell;
    const color = colours[first] % 2 === 1 ? BLACK : "ink";
    if (width >= 20) picture.text(x + width / 2, y + cell / 2, colours[first] >> 1, { size: 10, color });
  }
}

function drawAxes(picture, { rows, cols, cell }) {
  const isLarge = cell >= LABELLED;
  const sparse = Math.max(Math.ceil(26 / cell / 8) * 8, 1);
  for (let row = 0; row < rows; row += isLarge ? 1 : sparse) {
    const y = TOP + row * cell + Math.max(cell / 2, 5);
    picture.text(LEFT - 5, y, row, { size: 10, anchor: "end", color: "muted" });
  }
  for (let col = 0; col < cols; col += isLarge ? 2 : sparse) {
    const x = LEFT + (col + (isLarge ? 0.5 : 0)) * cell;
    picture.text(x, 10, col, { size: 10, anchor: isLarge ? "middle" : "start", color: "muted" });
  }
}

function drawLegend(picture, bottom, step) {
  picture.text(LEFT - 5, bottom + 18, "bank", { size: 10, anchor: "end", color: "muted" });
  for (let bank = 0; bank < BANKS; bank++) {
    const x = LEFT + bank * step;
    picture.rect(x, bottom + 12, step - 1, 12, `bank${bank}`);
    if (bank % 4 === 0) picture.text(x + step / 2, bottom + 32, bank, { size: 10, color: "muted" });
  }
}

/* The outline of each lane, with the number of its pass if there is room. */
function drawPasses(picture, tile, access, places, onlyPass) {
  const { cell } = tile;
  const last = lastCells(access);
  const labelled = new Set();
  for (let lane = 0; lane < (access.op.row_lanes || LANES); lane++) {
    if (last[lane] === null || (onlyPass !== null && last[lane].number !== onlyPass)) continue;
    const own = places.elements((access.addresses[lane] - access.origin) * 8, access.op.access_bytes * 8);
    const box = boxOf(tile, own);
    if (box === null) continue;
    const stroke = last[lane].pass > 0 ? "bad" : "ink";
    picture.rect(box.x, box.y, box.width, box.height, null, { stroke, weight: cell >= 6 ? 1.5 : 1 });
    if (!isNumbered(tile) || box.width < 24 || labelled.has(own[0])) continue;
    labelled.add(own[0]);
    picture.text(box.x + 8, box.y + box.height / 2, last[lane].number, { size: 10, color: BLACK });
  }
}

/* Cells that are too small for the numbers of banks, and large enough for those of passes. */
export const isNumbered = ({ cell }) => cell >= NUMBERED && cell < LABELLED;

/* The cell of each lane that is served last; null for a lane that asks for nothing. */
function lastCells(access) {
  const last = new Array(LANES).fill(null);
  for (const cell of cellsOf(access)) {
    if (last[cell.lane] === null || cell.number > last[cell.lane].number) last[cell.lane] = cell;
  }
  return last;
}

/* The rectangle around elements; null if there are none, or if a swizzle has scattered them. */
function boxOf(tile, elements) {
  if (elements.length === 0) return null;
  const { cell } = tile;
  const corners = elements.map((i) => cornerOf(tile, i));
  const xs = corners.map((corner) => corner[0]);
  const ys = corners.map((corner) => corner[1]);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) + cell - x, Math.max(...ys) + cell - y];
  const isScattered = (width / cell) * (height / cell) > elements.length * 1.5;
  return isScattered ? null : { x, y, width, height };
}

/* A sheet on top of the tile: the elements of a lane, and the one under the cursor. */
export function drawMarks(tile, places, lane, cursor) {
  const { cell } = tile;
  const picture = new Picture(LEFT + tile.cols * cell + 4, TOP + tile.rows * cell + LEGEND);
  for (const i of places.ofLane(lane)) {
    const [x, y] = cornerOf(tile, i);
    picture.rect(x, y, cell, cell, "ink", { stroke: "paper", alpha: 0.85, weight: 1 });
  }
  if (cursor) {
    const [x, y] = cornerOf(tile, cursor[0] * tile.cols + cursor[1]);
    picture.rect(x, y, cell, cell, null, { stroke: "accent", weight: 3 });
  }
  return picture;
}

/* [row, col] at a point of the picture, or null. */
export function elementAt(tile, x, y) {
  const { cell } = tile;
  const row = Math.floor((y - TOP) / cell);
  const col = Math.floor((x - LEFT) / cell);
  return row >= 0 && col >= 0 && row < tile.rows && col < tile.cols ? [row, col] : null;
}

/* The byte and bank of an element, and which lanes hold it. */
export function words(tile, access, places, [row, col]) {
  const bit = places.bits[row * tile.cols + col];
  const held = access ? places.holders(row, col) : [];
  const lanes = held.slice(0, 4).map(([lane, value]) => `lane ${lane} ${valueWords(access, value)}`);
  const place = `(${row}, ${col}): byte ${Math.floor(bit / 8)}, bank ${Math.floor(bit / BANK_BITS) % BANKS}`;
  if (held.length === 0) return place;
  return `${place}; ${lanes.join(", ")}${held.length > 4 ? ` and ${held.length - 4} more` : ""}`;
}
