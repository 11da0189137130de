"use strict";

/* The bits of an offset, and which of them the swizzle changes. */
const swizzleView = {
  picture(state) {
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
  },
};
