"use strict";

const BANKS = 32, LANES = 32;

/* When each lane is served: the number of the pass, over all groups of lanes; and in which group. */
function passOfLane(answer) {
  const found = new Array(LANES).fill(null);
  const { wavefronts, cells } = answer.banks;
  const begin = wavefronts.map((_, group) => wavefronts.slice(0, group).reduce((sum, one) => sum + one, 0));
  for (let i = 0; i < cells.length; i += 5) {
    const [group, lane, , pass] = cells.slice(i, i + 4);
    const late = { group, pass, number: begin[group] + pass };
    if (found[lane] === null || late.number > found[lane].number) found[lane] = late;
  }
  return found;
}

/* --- the tile ------------------------------------------------------------------------------ */

const tileView = {
  cell(answer) {
    const most = Math.max(answer.tile.rows, answer.tile.cols);
    return most <= 32 ? 18 : most <= 64 ? 12 : most <= 128 ? 6 : 3;
  },

  picture(answer) {
    const { rows, cols } = answer.tile, cell = tileView.cell(answer), margin = 34;
    const picture = new Picture(margin + cols * cell + 4, 18 + rows * cell + 4);
    const bytes = core.elements(rows * cols);
    for (let row = 0; row < rows; row++) {
      for (let col = 0, end; col < cols; col = end) {
        const bank = (bytes[row * cols + col] >> 2) % BANKS;
        for (end = col + 1; end < cols && (bytes[row * cols + end] >> 2) % BANKS === bank; end++);
        picture.rect(margin + col * cell, 18 + row * cell, (end - col) * cell, cell, `bank${bank}`);
      }
    }
    const step = Math.ceil(28 / cell / 8) * 8;
    for (let row = 0; row < rows; row += step) picture.text(margin - 4, 18 + row * cell + Math.max(cell / 2, 5), row, { size: 10, anchor: "end", color: "muted" });
    for (let col = 0; col < cols; col += step) picture.text(margin + col * cell, 9, col, { size: 10, anchor: "start", color: "muted" });
    if (answer.addresses && answer.op.kind !== "movmatrix") tileView.mark(picture, answer, bytes, cell, margin);
    return picture;
  },

  /* Outlines of what each lane reads, with the number of its pass. */
  mark(picture, answer, bytes, cell, margin) {
    const { rows, cols } = answer.tile, pass = passOfLane(answer), base = answer.op.space === "" ? 0x7fff00000000 : 0;
    const at = new Map();
    for (let i = 0; i < rows * cols; i++) if (!at.has(bytes[i])) at.set(bytes[i], i);
    for (let lane = 0; lane < (answer.op.row_lanes || (answer.op.wmma ? 0 : LANES)); lane++) {
      const first = at.get(answer.addresses[lane] - base);
      if (first === undefined) continue;
      const row = Math.floor(first / cols), col = first % cols, late = pass[lane];
      let wide = 1, high = 1;
      while (col + wide < cols && inside(bytes[first + wide])) wide++;
      while (wide === 1 && row + high < rows && inside(bytes[first + high * cols])) high++;
      function inside(byte) {
        const offset = byte - (answer.addresses[lane] - base);
        return offset >= 0 && offset < answer.op.access_bytes;
      }
      picture.rect(margin + col * cell, 18 + row * cell, wide * cell, high * cell, null, late && late.pass > 0 ? "bad" : "ink");
      if (late && cell * Math.max(wide, high) >= 16 && cell >= 9) picture.text(margin + (col + wide / 2) * cell, 18 + (row + high / 2) * cell, late.number, { size: Math.min(10, cell - 2), color: "#000" });
    }
  },

  place(answer, row, col) {
    const byte = core.elements(answer.tile.rows * answer.tile.cols)[row * answer.tile.cols + col];
    return `(${row}, ${col}): byte ${byte}, bank ${(byte >> 2) % BANKS}`;
  },
};

/* --- lanes by bank -------------------------------------------------------------------------- */

const banksView = {
  picture(answer) {
    const { cells } = answer.banks, cell = 13, margin = 46, head = 34;
    const picture = new Picture(margin + BANKS * cell + 96, head + LANES * cell + 8);
    picture.text(margin, 10, "bank", { size: 11, anchor: "start", color: "muted" });
    picture.text(margin - 6, 24, "lane", { size: 11, anchor: "end", color: "muted" });
    picture.text(margin + BANKS * cell + 6, 24, "pass", { size: 11, anchor: "start", color: "muted" });
    for (let bank = 0; bank < BANKS; bank += 4) picture.text(margin + (bank + 0.5) * cell, 24, bank, { size: 10, color: "muted" });
    for (let lane = 0; lane < LANES; lane++) {
      picture.rect(margin, head + lane * cell, BANKS * cell, cell - 1, "line");
      picture.text(margin - 6, head + (lane + 0.5) * cell, lane, { size: 10, anchor: "end" });
    }
    for (let i = 0; i < cells.length; i += 5) {
      const [, lane, bank, pass] = cells.slice(i, i + 4);
      picture.rect(margin + bank * cell, head + lane * cell, cell - 1, cell - 1, pass > 0 ? "bad" : "good");
    }
    passOfLane(answer).forEach((late, lane) => {
      if (late) picture.text(margin + BANKS * cell + 6, head + (lane + 0.5) * cell, `${late.number}  (group ${late.group})`, { size: 10, anchor: "start" });
    });
    return picture;
  },
};

/* --- the fragment --------------------------------------------------------------------------- */

const fragmentView = {
  /* Element (matrix, row, column) -> its holders (lane, register, field). */
  holders(answer) {
    const { fields, elements } = answer.fragment, found = new Map();
    for (let i = 0, n = 0; i < elements.length; i += 3, n++) {
      const key = elements.slice(i, i + 3).join();
      const lane = Math.floor(n / (answer.op.registers * fields));
      const rest = n % (answer.op.registers * fields);
      if (!found.has(key)) found.set(key, []);
      found.get(key).push([lane, Math.floor(rest / fields), rest % fields]);
    }
    return found;
  },

  size(answer) {
    const most = [0, 0, 0];
    answer.fragment.elements.forEach((value, i) => { most[i % 3] = Math.max(most[i % 3], value); });
    return { count: most[0] + 1, rows: most[1] + 1, cols: most[2] + 1 };
  },

  cell(answer) {
    return fragmentView.size(answer).cols > 64 ? 8 : 24;
  },

  origin(answer, matrix) {
    const { rows, cols } = fragmentView.size(answer), cell = fragmentView.cell(answer);
    const across = cols * cell > 320 ? 1 : 2;
    return [30 + (matrix % across) * (cols * cell + 40), 34 + Math.floor(matrix / across) * (rows * cell + 40)];
  },

  picture(answer, lane) {
    const { count, rows, cols } = fragmentView.size(answer), cell = fragmentView.cell(answer), holders = fragmentView.holders(answer);
    const [right] = fragmentView.origin(answer, Math.min(count - 1, 1)), [, low] = fragmentView.origin(answer, count - 1);
    const picture = new Picture(right + cols * cell + 8, low + rows * cell + 8);
    for (let matrix = 0; matrix < count; matrix++) {
      const [x, y] = fragmentView.origin(answer, matrix);
      picture.text(x, y - 24, `matrix ${matrix}`, { anchor: "start", color: "muted" });
      for (let col = 0; col < cols; col += cell < 12 ? 16 : cols > 16 ? 4 : 1) picture.text(x + (col + 0.5) * cell, y - 9, col, { size: 9, color: "muted" });
      for (let row = 0; row < rows; row++) {
        picture.text(x - 5, y + (row + 0.5) * cell, row, { size: 9, anchor: "end", color: "muted" });
        for (let col = 0; col < cols; col++) {
          const held = holders.get(`${matrix},${row},${col}`) ?? [], own = held.some((one) => one[0] === lane);
          picture.rect(x + col * cell, y + row * cell, cell - 1, cell - 1, own ? "accent" : "line");
          if (held.length > 0 && cell >= 12) picture.text(x + (col + 0.5) * cell, y + (row + 0.5) * cell, held[0][0], { size: 10, color: own ? "paper" : "ink" });
        }
      }
    }
    return picture;
  },

  /* The element at a point of the picture, or null. */
  at(answer, x, y) {
    const { count, rows, cols } = fragmentView.size(answer), cell = fragmentView.cell(answer);
    for (let matrix = 0; matrix < count; matrix++) {
      const [left, top] = fragmentView.origin(answer, matrix);
      const row = Math.floor((y - top) / cell), col = Math.floor((x - left) / cell);
      if (row >= 0 && row < rows && col >= 0 && col < cols) return [matrix, row, col];
    }
    return null;
  },
};

/* --- the swizzle's bits ---------------------------------------------------------------------- */

function bitsPicture(state) {
  const [b, m, s] = ["B", "M", "S"].map((key) => Number(state[key]) || 0);
  const width = 14, cell = 22, picture = new Picture(width * cell + 8, 66);
  const low = m + Math.max(-s, 0), high = m + Math.max(s, 0);
  for (let bit = 0; bit < width; bit++) {
    const x = 4 + (width - 1 - bit) * cell;
    const moved = b > 0 && bit >= low && bit < low + b, source = b > 0 && bit >= high && bit < high + b;
    picture.rect(x, 24, cell - 2, 20, moved ? "accent" : source ? "good" : "line");
    picture.text(x + cell / 2 - 1, 34, bit, { size: 10, color: moved || source ? "paper" : "ink" });
  }
  const words = b > 0 ? `bits ${low}-${low + b - 1} ^= bits ${high}-${high + b - 1}` : "no swizzle";
  picture.text(4, 10, `offset in ${state.unit}s, ${words}`, { anchor: "start", color: "muted" });
  return picture;
}

/* --- layouts that the search found ----------------------------------------------------------- */

const foundView = {
  /* Places of the rows in the picture: bytes across, cycles upwards. */
  places(found) {
    const rows = found.best, bytes = rows.map((row) => row[6]), cycles = rows.map((row) => core.double(row[7]));
    const span = (values) => [Math.min(...values), Math.max(...values)];
    const [b0, b1] = span(bytes), [c0, c1] = span(cycles);
    return rows.map((row, i) => [60 + 360 * ((bytes[i] - b0) / (b1 - b0 || 1)), 220 - 190 * ((cycles[i] - c0) / (c1 - c0 || 1))]);
  },

  picture(found, chosen) {
    const picture = new Picture(440, 260), rows = found.best;
    const bytes = rows.map((row) => row[6]), cycles = rows.map((row) => core.double(row[7]));
    picture.rect(50, 20, 380, 210, null, "line");
    picture.text(240, 250, "bytes of shared memory", { color: "muted" });
    picture.text(50, 10, "cycles to fill and read", { anchor: "start", color: "muted" });
    picture.text(46, 220, Math.min(...cycles), { size: 10, anchor: "end" });
    picture.text(46, 30, Math.max(...cycles), { size: 10, anchor: "end" });
    picture.text(60, 240, Math.min(...bytes), { size: 10, anchor: "start" });
    picture.text(420, 240, Math.max(...bytes), { size: 10, anchor: "end" });
    foundView.places(found).forEach(([x, y], i) => picture.rect(x - 4, y - 4, 8, 8, i === chosen ? "bad" : "accent"));
    return picture;
  },
};
