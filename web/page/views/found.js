/* The layouts that the search found: bytes across, cycles upwards. */
import { double } from "../core.js";
import { Picture } from "../picture.js";
import { number } from "../words.js";

const LEFT = 76;
const TOP = 28;
const WIDTH = 340;
const HEIGHT = 200;
const MARGIN = 12; // between the frame and the outermost points

const across = (share) => LEFT + MARGIN + (WIDTH - 2 * MARGIN) * share;
const upwards = (share) => TOP + HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * share;

const bytesOf = (found) => found.best.map((row) => row[6]);
const cyclesOf = (found) => found.best.map((row) => double(row[7]));

/* Each value as a share of the way from the least to the most. */
function shares(values) {
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  return values.map((value) => (span > 0 ? (value - least) / span : 0.5));
}

/* [x, y] of each layout in the picture. */
export function points(found) {
  const xs = shares(bytesOf(found));
  const ys = shares(cyclesOf(found));
  return found.best.map((_, i) => [across(xs[i]), upwards(ys[i])]);
}

export function draw(found, chosen) {
  const picture = new Picture(LEFT + WIDTH + 24, TOP + HEIGHT + 44);
  drawAxes(picture, found);
  const best = new Set(found.pareto.map((row) => row.join()));
  const at = points(found);
  const taken = new Set();
  at.forEach(([x, y], i) => {
    const point = `${Math.round(x)},${Math.round(y)}`;
    if (taken.has(point)) return; // many layouts cost the same: the best of them is the one drawn
    taken.add(point);
    const isBest = best.has(found.best[i].join());
    picture.rect(x - 4, y - 4, 8, 8, isBest ? "good" : "accent", { alpha: isBest ? 1 : 0.5 });
  });
  if (chosen >= 0) {
    const [x, y] = at[chosen];
    picture.rect(x - 7, y - 7, 14, 14, null, { stroke: "bad", weight: 2 });
  }
  return picture;
}

function drawAxes(picture, found) {
  picture.rect(LEFT, TOP, WIDTH, HEIGHT, null, { stroke: "line" });
  picture.text(LEFT + WIDTH / 2, TOP + HEIGHT + 34, "bytes of shared memory", { color: "muted" });
  picture.text(LEFT, 12, "cycles to fill and read", { anchor: "start", color: "muted" });
  for (const [value, share] of ends(cyclesOf(found))) {
    picture.text(LEFT - 6, upwards(share), number(value), { size: 10, anchor: "end" });
  }
  for (const [value, share] of ends(bytesOf(found))) {
    picture.text(across(share), TOP + HEIGHT + 14, number(value), { size: 10 });
  }
}

/* [value, share] of the least and the most; of the only one if they are equal. */
function ends(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most
    ? [[least, 0.5]]
    : [
        [least, 0],
        [most, 1],
      ];
}

export function words(row) {
  const [pad, b, m, s, stores, loads, bytes, cycles] = row;
  const parts = [];
  if (pad > 0) parts.push(`padding ${pad}`);
  if (b > 0) parts.push(`Swizzle<${b},${m},${s}>`);
  const layout = parts.join(", ") || "plain";
  const wavefronts = `${number(stores)} + ${number(loads)} wavefronts`;
  return `${layout}: ${number(double(cycles))} cycles, ${wavefronts}, ${number(bytes)} bytes`;
}
