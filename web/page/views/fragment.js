/* The matrices of an instruction, each element with a lane that holds it. */
import { Picture } from "../picture.js";
import { valueWords } from "../words.js";

const LABELLED = 12; // cells from this size hold texts

/* Element "matrix,row,column" -> [lane, value] of each holder. */
export function holders(access) {
  const { elements } = access.fragment;
  const perLane = access.op.registers * access.fragment.fields;
  const found = new Map();
  for (let n = 0; n < elements.length / 3; n++) {
    const key = elements.slice(3 * n, 3 * n + 3).join();
    if (!found.has(key)) found.set(key, []);
    found.get(key).push([Math.floor(n / perLane), n % perLane]);
  }
  return found;
}

function sizeOf(access) {
  const last = [0, 0, 0];
  access.fragment.elements.forEach((value, i) => {
    last[i % 3] = Math.max(last[i % 3], value);
  });
  const [count, rows, cols] = last.map((value) => value + 1);
  return { count, rows, cols, cell: cols > 64 ? 8 : 24 };
}

/* The upper left corner of a matrix; narrow ones come in pairs. */
function cornerOf({ rows, cols, cell }, matrix) {
  const across = cols * cell > 320 ? 1 : 2;
  return [30 + (matrix % across) * (cols * cell + 40), 38 + Math.floor(matrix / across) * (rows * cell + 44)];
}

export function draw(access, lane) {
  const size = sizeOf(access);
  const [right] = cornerOf(size, Math.min(size.count - 1, 1));
  const [, low] = cornerOf(size, size.count - 1);
  const picture = new Picture(Math.max(right + size.cols * size.cell + 8, 120), low + size.rows * size.cell + 8);
  const held = holders(access);
  for (let matrix = 0; matrix < size.count; matrix++) drawMatrix(picture, size, matrix, held, lane);
  return picture;
}

function drawMatrix(picture, size, matrix, held, lane) {
  const { rows, cols, cell } = size;
  const [x, y] = cornerOf(size, matrix);
  picture.text(x, y - 27, `matrix ${matrix}`, { anchor: "start", color: "muted" });
  for (let col = 0; col < cols; col += cell < LABELLED ? 16 : 1) {
    picture.text(x + (col + 0.5) * cell, y - 10, col, { size: 9, color: "muted" });
  }
  for (let row = 0; row < rows; row++) {
    picture.text(x - 5, y + (row + 0.5) * cell, row, { size: 9, anchor: "end", color: "muted" });
    for (let col = 0; col < cols; col++) {
      const lanes = (held.get(`${matrix},${row},${col}`) ?? []).map((one) => one[0]);
      const isOwn = lanes.includes(lane);
      const [left, top] = [x + col * cell, y + row * cell];
      picture.rect(left, top, cell - 1, cell - 1, isOwn ? "accent" : "line");
      if (lanes.length === 0 || cell < LABELLED) continue;
      picture.text(left + cell / 2, top + cell / 2, lanes[0], { size: 10, color: isOwn ? "paper" : "ink" });
    }
  }
}

/* [matrix, row, col] at a point of the picture, or null. */
export function elementAt(access, x, y) {
  const size = sizeOf(access);
  for (let matrix = 0; matrix < size.count; matrix++) {
    const [left, top] = cornerOf(size, matrix);
    const row = Math.floor((y - top) / size.cell);
    const col = Math.floor((x - left) / size.cell);
    if (row >= 0 && row < size.rows && col >= 0 && col < size.cols) return [matrix, row, col];
  }
  return null;
}

export function words(access, lane) {
  const { elements } = access.fragment;
  const perLane = access.op.registers * access.fragment.fields;
  const own = Array.from({ length: perLane }, (_, value) => {
    const n = lane * perLane + value;
    return `${valueWords(access, value)} (${elements.slice(3 * n, 3 * n + 3).join(", ")})`;
  });
  const more = own.length > 32 ? ` and ${own.length - 32} more` : "";
  return `Lane ${lane} holds (matrix, row, column): ${own.slice(0, 32).join(", ")}${more}`;
}
