"use strict";

/* The matrices, element by element, with the lanes that hold them. */
const fragmentView = {
  /* Element "matrix,row,column" -> its holders [lane, value]. */
  holders(shown) {
    const { elements } = shown.fragment, per = shown.op.registers * shown.fragment.fields, found = new Map();
    for (let i = 0, n = 0; i < elements.length; i += 3, n++) {
      const key = elements.slice(i, i + 3).join();
      if (!found.has(key)) found.set(key, []);
      found.get(key).push([Math.floor(n / per), n % per]);
    }
    return found;
  },

  size(shown) {
    const most = [0, 0, 0];
    shown.fragment.elements.forEach((value, i) => { most[i % 3] = Math.max(most[i % 3], value); });
    return { count: most[0] + 1, rows: most[1] + 1, cols: most[2] + 1 };
  },

  cell(size) {
    return size.cols > 64 ? 8 : 24;
  },

  origin(size, matrix) {
    const cell = fragmentView.cell(size), across = size.cols * cell > 320 ? 1 : 2;
    return [30 + (matrix % across) * (size.cols * cell + 40), 38 + Math.floor(matrix / across) * (size.rows * cell + 44)];
  },

  picture(shown, lane) {
    const size = fragmentView.size(shown), { count, rows, cols } = size, cell = fragmentView.cell(size), holders = fragmentView.holders(shown);
    const [right] = fragmentView.origin(size, Math.min(count - 1, 1)), [, low] = fragmentView.origin(size, count - 1);
    const picture = new Picture(Math.max(right + cols * cell + 8, 120), low + rows * cell + 8);
    for (let matrix = 0; matrix < count; matrix++) {
      const [x, y] = fragmentView.origin(size, matrix);
      picture.text(x, y - 27, `matrix ${matrix}`, { anchor: "start", color: "muted" });
      for (let col = 0; col < cols; col += cell < 12 ? 16 : 1) picture.text(x + (col + 0.5) * cell, y - 10, col, { size: 9, color: "muted" });
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

  /* The element [matrix, row, col] at a point of the picture, or null. */
  at(shown, x, y) {
    const size = fragmentView.size(shown), cell = fragmentView.cell(size);
    for (let matrix = 0; matrix < size.count; matrix++) {
      const [left, top] = fragmentView.origin(size, matrix);
      const row = Math.floor((y - top) / cell), col = Math.floor((x - left) / cell);
      if (row >= 0 && row < size.rows && col >= 0 && col < size.cols) return [matrix, row, col];
    }
    return null;
  },

  words(shown, lane) {
    const { elements } = shown.fragment, per = shown.op.registers * shown.fragment.fields, own = [];
    for (let n = lane * per; n < (lane + 1) * per; n++) own.push(`${valueWords(shown, n % per)} (${elements.slice(3 * n, 3 * n + 3).join(", ")})`);
    return `Lane ${lane} holds (matrix, row, column): ${own.slice(0, 32).join(", ")}${own.length > 32 ? ` and ${own.length - 32} more` : ""}`;
  },
};

/* --- one packed row, bit by bit ---------------------------------------------------------------- */

const rowView = {
  picture(row) {
    const left = 70, wide = 640, bits = row.bits.length, bit = wide / bits, slot = wide / row.elements, field = slot / 8;
    const picture = new Picture(left + wide + 12, 150);
    picture.text(left - 8, 37, "memory", { anchor: "end", color: "muted" });
    picture.text(left - 8, 107, "registers", { anchor: "end", color: "muted" });
    picture.text(left - 8, 14, "byte", { size: 10, anchor: "end", color: "muted" });
    for (let byte = 0; byte < row.bytes; byte++) picture.text(left + (byte + 0.5) * 8 * bit, 14, byte, { size: 10, color: "muted" });
    picture.rect(left, 26, wide, 22, "line");
    picture.rect(left, 96, wide, 22, "line");
    for (let element = 0; element < row.elements; element++) {
      const own = row.bits.flatMap((landed, n) => (landed.some((one) => one[0] === element) ? [n] : []));
      const begin = left + own[0] * bit, width = own.length, to = left + element * slot, color = KINDS[element % KINDS.length];
      const spread = row.bits.flat().filter((one) => one[0] === element).length; // above its own bits: copies of the sign
      picture.rect(begin, 26, width * bit - 1, 22, color);
      if (spread > width) picture.rect(to, 96, spread * field - 1, 22, color, { alpha: 0.5 });
      picture.rect(to, 96, width * field - 1, 22, color);
      for (let n = 1; n < width; n++) {
        picture.line(begin + n * bit, 44, begin + n * bit, 48, "#14171d");
        picture.line(to + n * field, 114, to + n * field, 118, "#14171d");
      }
      picture.line(begin, 48, to, 96, "muted");
      picture.line(begin + width * bit - 1, 48, to + width * field - 1, 96, "muted");
      picture.text(begin + (width * bit - 1) / 2, 36, element, { size: 10, color: "#14171d" });
      picture.text(to + (width * field - 1) / 2, 106, element, { size: 10, color: "#14171d" });
    }
    const unread = row.bits.filter((landed) => landed.length === 0).length;
    picture.text(left, 138, `an element in each byte of a register, its low bits first${unread > 0 ? `; the last ${unread} bits in memory are never read` : ""}`, { anchor: "start", color: "muted" });
    return picture;
  },
};
