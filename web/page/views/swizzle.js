/* The bits of an offset, and which of them the swizzle changes. */
import { Picture } from "../picture.js";

const WIDTH = 264;

export function draw(state) {
  const [b, m, s] = ["B", "M", "S"].map((key) => Math.min(Math.max(Number(state[key]) || 0, -16), 16));
  const low = m + Math.max(-s, 0); // the first bit that changes
  const high = m + Math.max(s, 0); // the first bit that it is combined with
  const count = Math.max(12, b > 0 ? Math.max(low, high) + b : 0);
  const picture = new Picture(WIDTH + 8, 70);
  for (let bit = 0; bit < count; bit++) {
    const isChanged = bit >= low && bit < low + b;
    const isSource = bit >= high && bit < high + b;
    drawBit(picture, bit, WIDTH / count, count, isChanged ? "accent" : isSource ? "good" : "line");
  }
  if (b > 0) {
    const middle = (first) => 4 + (count - first - b / 2) * (WIDTH / count);
    drawXor(picture, middle(high), middle(low));
  }
  const range = (first) => (b > 1 ? `bits ${first}-${first + b - 1}` : `bit ${first}`);
  const change = b > 0 ? `${range(low)} ^= ${range(high)}` : "no swizzle";
  picture.text(4, 10, `offset in ${state.unit}s: ${change}`, { anchor: "start", color: "muted" });
  return picture;
}

function drawBit(picture, bit, cell, count, fill) {
  const x = 4 + (count - 1 - bit) * cell;
  picture.rect(x, 24, cell - 1, 20, fill);
  if (cell < 14 && bit % 2 === 1) return;
  const color = fill === "line" ? "ink" : "paper";
  picture.text(x + cell / 2 - 0.5, 34, bit, { size: Math.min(10, cell - 2), color });
}

function drawXor(picture, from, to) {
  picture.line(from, 46, from, 56, "muted");
  picture.line(from, 56, to, 56, "muted");
  picture.line(to, 56, to, 46, "muted");
  picture.text((from + to) / 2, 63, "XOR", { size: 9, color: "muted" });
}
