"use strict";

/* The layouts that the search found: bytes across, cycles upwards. */
const foundView = {
  left: 76, wide: 340, top: 28, high: 200,

  /* Places of the rows in the picture. */
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
