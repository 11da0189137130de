"use strict";

/* One packed row: its bits in memory, and where they land in registers. */
const packedView = {
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
        picture.line(begin + n * bit, 44, begin + n * bit, 48, BLACK);
        picture.line(to + n * field, 114, to + n * field, 118, BLACK);
      }
      picture.line(begin, 48, to, 96, "muted");
      picture.line(begin + width * bit - 1, 48, to + width * field - 1, 96, "muted");
      picture.text(begin + (width * bit - 1) / 2, 36, element, { size: 10, color: BLACK });
      picture.text(to + (width * field - 1) / 2, 106, element, { size: 10, color: BLACK });
    }
    const unread = row.bits.filter((landed) => landed.length === 0).length;
    picture.text(left, 138, `an element in each byte of a register, its low bits first${unread > 0 ? `; the last ${unread} bits in memory are never read` : ""}`, { anchor: "start", color: "muted" });
    return picture;
  },
};
