/* One packed row: its bits in memory, and the bits of registers that they become. */
import { BLACK, KINDS } from "../facts.js";
import { Picture } from "../picture.js";

const LEFT = 70;
const WIDTH = 640;
const MEMORY = 26; // top of its bar
const REGISTERS = 96;
const HEIGHT = 22; // of a bar

export function draw(row) {
  const picture = new Picture(LEFT + WIDTH + 12, 150);
  const bit = WIDTH / row.bits.length;
  picture.text(LEFT - 8, MEMORY + 11, "memory", { anchor: "end", color: "muted" });
  picture.text(LEFT - 8, REGISTERS + 11, "registers", { anchor: "end", color: "muted" });
  picture.text(LEFT - 8, 14, "byte", { size: 10, anchor: "end", color: "muted" });
  for (let byte = 0; byte < row.bytes; byte++) {
    picture.text(LEFT + (byte + 0.5) * 8 * bit, 14, byte, { size: 10, color: "muted" });
  }
  picture.rect(LEFT, MEMORY, WIDTH, HEIGHT, "line");
  picture.rect(LEFT, REGISTERS, WIDTH, HEIGHT, "line");
  for (let element = 0; element < row.elements; element++) drawElement(picture, row, element);
  const unread = row.bits.filter((landed) => landed.length === 0).length;
  const rest = unread > 0 ? `; the last ${unread} bits in memory are never read` : "";
  const words = `one element per byte of a register, low bits first${rest}`;
  picture.text(LEFT, 138, words, { anchor: "start", color: "muted" });
  return picture;
}

function drawElement(picture, row, element) {
  const bit = WIDTH / row.bits.length; // in memory
  const field = WIDTH / row.elements / 8; // a bit in a register
  const own = row.bits.flatMap((landed, n) => (landed.some((one) => one[0] === element) ? [n] : []));
  const from = LEFT + own[0] * bit;
  const to = LEFT + element * 8 * field;
  const bits = own.length;
  const color = KINDS[element % KINDS.length];
  const written = row.bits.flat().filter((one) => one[0] === element).length;
  picture.rect(from, MEMORY, bits * bit - 1, HEIGHT, color);
  // more bits are written than read if copies of the sign fill the rest
  if (written > bits) picture.rect(to, REGISTERS, written * field - 1, HEIGHT, color, { alpha: 0.5 });
  picture.rect(to, REGISTERS, bits * field - 1, HEIGHT, color);
  for (let n = 1; n < bits; n++) {
    picture.line(from + n * bit, MEMORY + 18, from + n * bit, MEMORY + HEIGHT, BLACK);
    picture.line(to + n * field, REGISTERS + 18, to + n * field, REGISTERS + HEIGHT, BLACK);
  }
  picture.line(from, MEMORY + HEIGHT, to, REGISTERS, "muted");
  picture.line(from + bits * bit - 1, MEMORY + HEIGHT, to + bits * field - 1, REGISTERS, "muted");
  picture.text(from + (bits * bit - 1) / 2, MEMORY + 10, element, { size: 10, color: BLACK });
  picture.text(to + (bits * field - 1) / 2, REGISTERS + 10, element, { size: 10, color: BLACK });
}
