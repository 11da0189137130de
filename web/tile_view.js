"use strict";

/* The tile, each element in the colour of its bank; bright what the warp touches, outlined what waits for a later pass. */
const tileView = {
  left: 38, top: 20, legend: 40,

  cell(tile) {
    const most = Math.max(tile.rows, tile.cols);
    return most <= 16 ? 28 : most <= 32 ? 18 : most <= 64 ? 12 : most <= 128 ? 6 : most <= 512 ? 3 : 1;
  },

  place(tile, index) {
    const cell = tileView.cell(tile);
    return [tileView.left + (index % tile.cols) * cell, tileView.top + Math.floor(index / tile.cols) * cell];
  },

  picture(tile, shown, places, onlyPass) {
    const { rows, cols } = tile, cell = tileView.cell(tile), { left, top } = tileView;
    const width = Math.max(left + cols * cell + 4, left + BANKS * 10 + 24), bottom = top + rows * cell;
    const picture = new Picture(width, bottom + tileView.legend), touched = places.touched();
    tileView.cells(picture, tile, places.bits, touched);
    const step = Math.max(Math.ceil(26 / cell / 8) * 8, 1);
    for (let row = 0; row < rows; row += cell >= 18 ? 1 : step) picture.text(left - 5, top + row * cell + Math.max(cell / 2, 5), row, { size: 10, anchor: "end", color: "muted" });
    for (let col = 0; col < cols; col += cell >= 18 ? 2 : step) picture.text(left + (col + (cell >= 18 ? 0.5 : 0)) * cell, 10, col, { size: 10, anchor: cell >= 18 ? "middle" : "start", color: "muted" });
    if (shown) tileView.passes(picture, tile, shown, places, onlyPass);
    picture.text(left - 5, bottom + 18, "bank", { size: 10, anchor: "end", color: "muted" });
    for (let bank = 0; bank < BANKS; bank++) {
      picture.rect(left + bank * 10, bottom + 12, 9, 12, `bank${bank}`);
      if (bank % 4 === 0) picture.text(left + bank * 10 + 5, bottom + 32, bank, { size: 10, color: "muted" });
    }
    return picture;
  },

  /* Each element in the colour of its bank, bright or pale; large ones with its number. */
  cells(picture, tile, bits, touched) {
    const { rows, cols } = tile, cell = tileView.cell(tile), colours = new Uint8Array(rows * cols);
    for (let i = 0; i < colours.length; i++) colours[i] = 2 * (Math.floor(bits[i] / BANK_BITS) % BANKS) + touched[i];
    const palette = Array.from({ length: 2 * BANKS }, (_, i) => [`bank${i >> 1}`, i % 2 === 1 ? 1 : 0.4]);
    picture.grid(tileView.left, tileView.top, cell, cols, colours, palette);
    if (cell < 18) return;
    for (const [first, end] of runsOf(colours, cols)) {
      const [x, y] = tileView.place(tile, first), wide = (end - first) * cell;
      if (wide >= 20) picture.text(x + wide / 2, y + cell / 2, colours[first] >> 1, { size: 10, color: colours[first] % 2 === 1 ? BLACK : "ink" });
    }
  },

  /* What each lane reads at once: outlined, red where it waits, with the number of its pass. */
  passes(picture, tile, shown, places, onlyPass) {
    const cell = tileView.cell(tile), lanes = shown.op.row_lanes || LANES, late = new Array(LANES).fill(null), labelled = new Set();
    if (shown.op.wmma) return;
    for (const one of cellsOf(shown)) if (late[one.lane] === null || one.number > late[one.lane].number) late[one.lane] = one;
    for (let lane = 0; lane < lanes; lane++) {
      if (late[lane] === null || (onlyPass !== null && late[lane].number !== onlyPass)) continue;
      const own = places.elements((shown.addresses[lane] - shown.origin) * 8, shown.op.access_bytes * 8);
      if (own.length === 0) continue;
      const at = own.map((i) => tileView.place(tile, i)), xs = at.map((p) => p[0]), ys = at.map((p) => p[1]);
      const [x, y] = [Math.min(...xs), Math.min(...ys)], wide = Math.max(...xs) + cell - x, high = Math.max(...ys) + cell - y;
      if ((wide / cell) * (high / cell) > own.length * 1.5) continue; // a swizzle has torn it: the cells themselves are bright
      picture.rect(x, y, wide, high, null, { stroke: late[lane].pass > 0 ? "bad" : "ink", weight: cell >= 6 ? 1.5 : 1 });
      if (cell < 12 || cell >= 18 || wide < 24 || labelled.has(own[0])) continue;
      labelled.add(own[0]);
      picture.text(x + 8, y + high / 2, late[lane].number, { size: 10, color: BLACK });
    }
  },

  /* On a sheet of its own above it: the elements of a lane, and the one under the cursor. */
  marks(tile, places, lane, cursor) {
    const cell = tileView.cell(tile), picture = new Picture(tileView.left + tile.cols * cell + 4, tileView.top + tile.rows * cell + tileView.legend);
    for (const i of places.ofLane(lane)) picture.rect(...tileView.place(tile, i), cell, cell, "ink", { stroke: "paper", alpha: 0.85, weight: 1 });
    if (cursor) picture.rect(...tileView.place(tile, cursor[0] * tile.cols + cursor[1]), cell, cell, null, { stroke: "accent", weight: 3 });
    return picture;
  },

  /* [row, col] at a point, or null. */
  at(tile, x, y) {
    const cell = tileView.cell(tile), row = Math.floor((y - tileView.top) / cell), col = Math.floor((x - tileView.left) / cell);
    return row >= 0 && col >= 0 && row < tile.rows && col < tile.cols ? [row, col] : null;
  },

  words(tile, shown, places, [row, col]) {
    const bit = places.bits[row * tile.cols + col], held = shown ? places.holders(row, col) : [];
    const who = held.slice(0, 4).map(([lane, value]) => `lane ${lane} ${valueWords(shown, value)}`).join(", ");
    return `(${row}, ${col}): byte ${Math.floor(bit / 8)}, bank ${Math.floor(bit / BANK_BITS) % BANKS}${who ? `; ${who}${held.length > 4 ? ` and ${held.length - 4} more` : ""}` : ""}`;
  },
};

/* "r1.0": field 0 of register 1; of what has no registers nothing. */
function valueWords(shown, value) {
  if (shown.op.kind === "cp.async") return "";
  const fields = shown.fragment ? shown.fragment.fields : 1;
  return fields > 1 ? `r${Math.floor(value / fields)}.${value % fields}` : `r${value}`;
}
