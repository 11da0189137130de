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
