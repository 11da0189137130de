"use strict";

/* --- the swizzle's bits ------------------------------------------------------------------------ */

function bitsPicture(state) {
  const [b, m, s] = ["B", "M", "S"].map((key) => Math.min(Math.max(Number(state[key]) || 0, -16), 16));
  const low = m + Math.max(-s, 0), high = m + Math.max(s, 0);
  const width = Math.max(12, b > 0 ? Math.max(low, high) + b : 0), cell = 264 / width, picture = new Picture(272, 70);
  for (let bit = 0; bit < width; bit++) {
    const x = 4 + (width - 1 - bit) * cell;
    const moved = b > 0 && bit >= low && bit < low + b, source = b > 0 && bit >= high && bit < high + b;
    picture.rect(x, 24, cell - 1, 20, moved ? "accent" : source ? "good" : "line");
    if (cell >= 14 || bit % 2 === 0) picture.text(x + cell / 2 - 0.5, 34, bit, { size: Math.min(10, cell - 2), color: moved || source ? "paper" : "ink" });
  }
  if (b > 0) {
    const middle = (first) => 4 + (width - first - b / 2) * cell;
    picture.line(middle(high), 46, middle(high), 56, "muted");
    picture.line(middle(high), 56, middle(low), 56, "muted");
    picture.line(middle(low), 56, middle(low), 46, "muted");
    picture.text((middle(high) + middle(low)) / 2, 63, "XOR", { size: 9, color: "muted" });
  }
  const range = (first) => (b > 1 ? `bits ${first}-${first + b - 1}` : `bit ${first}`);
  picture.text(4, 10, b > 0 ? `offset in ${state.unit}s: ${range(low)} ^= ${range(high)}` : `offset in ${state.unit}s: no swizzle`, { anchor: "start", color: "muted" });
  return picture;
}

/* --- layouts that the search found -------------------------------------------------------------- */

const foundView = {
  left: 76, wide: 340, top: 28, high: 200,

  /* Places of the rows in the picture: bytes across, cycles upwards. */
  places(found) {
    const { left, wide, top, high } = foundView;
    const bytes = found.best.map((row) => row[6]), cycles = found.best.map((row) => core.double(row[7]));
    const share = (values) => {
      const least = Math.min(...values), span = Math.max(...values) - least;
      return values.map((value) => (span > 0 ? (value - least) / span : 0.5));
    };
    const across = share(bytes), up = share(cycles);
    return found.best.map((_, i) => [left + 12 + (wide - 24) * across[i], top + high - 12 - (high - 24) * up[i]]);
  },

  picture(found, chosen) {
    const { left, wide, top, high } = foundView, picture = new Picture(left + wide + 24, top + high + 44);
    const bytes = found.best.map((row) => row[6]), cycles = found.best.map((row) => core.double(row[7]));
    picture.rect(left, top, wide, high, null, { stroke: "line" });
    picture.text(left + wide / 2, top + high + 34, "bytes of shared memory", { color: "muted" });
    picture.text(left, 12, "cycles to fill and to read", { anchor: "start", color: "muted" });
    const label = (values, place) => [...new Set([Math.min(...values), Math.max(...values)])].forEach((value, i, all) => place(value, all.length === 1 ? 0.5 : i));
    label(cycles, (value, at) => picture.text(left - 6, top + high - 12 - (high - 24) * at, number(value), { size: 10, anchor: "end" }));
    label(bytes, (value, at) => picture.text(left + 12 + (wide - 24) * at, top + high + 14, number(value), { size: 10 }));
    const best = new Set(found.pareto.map((row) => row.join()));
    const places = foundView.places(found), taken = new Set();
    places.forEach(([x, y], i) => {
      const place = `${Math.round(x)},${Math.round(y)}`, isBest = best.has(found.best[i].join());
      if (taken.has(place)) return; // many layouts cost the same: the best of them stands for all
      taken.add(place);
      picture.rect(x - 4, y - 4, 8, 8, isBest ? "good" : "accent", { alpha: isBest ? 1 : 0.5 });
    });
    if (chosen >= 0) picture.rect(places[chosen][0] - 7, places[chosen][1] - 7, 14, 14, null, { stroke: "bad", weight: 2 });
    return picture;
  },

  words(row) {
    const [pad, b, m, s, stores, loads, bytes, cycles] = row;
    const layout = [pad > 0 ? `padding ${pad}` : "", b > 0 ? `Swizzle<${b},${m},${s}>` : ""].filter(Boolean).join(", ") || "plain";
    return `${layout}: ${number(core.double(cycles))} cycles, ${number(stores)} + ${number(loads)} wavefronts, ${number(bytes)} bytes`;
  },
};
