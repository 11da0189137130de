/* Which lanes touch what: the values of lanes joined to elements of the tile, and the passes of an access. */
import { elementBits } from "./core.js";

export const BANKS = 32;
export const LANES = 32;
export const BANK_BITS = 32;

/* Which values of which lanes lie in which elements of the tile. Positions are in bits from the tile's first. */
export class Places {
  /* `access`: an access of the answer, or {} for a tile alone. */
  constructor(access, tile) {
    this.tile = tile;
    this.bits = elementBits(tile.rows * tile.cols).slice();
    this.values = access.places ?? { bits: 0, at: [] };
    this.perLane = this.values.at.length / LANES;
    this.valuesIn = new Map(); // byte -> the values that lie in it
    this.elementsIn = new Map(); // byte -> the elements of the tile that begin in it
    this.values.at.forEach((bit, n) => {
      const last = Math.floor((bit + this.values.bits - 1) / 8);
      for (let byte = Math.floor(bit / 8); byte <= last; byte++) addTo(this.valuesIn, byte, n);
    });
    for (let i = 0; i < this.bits.length; i++) addTo(this.elementsIn, this.bits[i] >>> 3, i);
  }

  /* [lane, value] for each value that lies in an element of the tile. */
  holders(row, col) {
    const begin = this.bits[row * this.tile.cols + col];
    const end = begin + this.tile.element_bits;
    const found = new Set();
    for (let byte = begin >>> 3; byte <= (end - 1) >>> 3; byte++) {
      for (const n of this.valuesIn.get(byte) ?? []) {
        const bit = this.values.at[n];
        if (bit < end && bit + this.values.bits > begin) found.add(n);
      }
    }
    return [...found].map((n) => [Math.floor(n / this.perLane), n % this.perLane]);
  }

  /* The elements of the tile that a run of bits overlaps. */
  elements(bit, width) {
    const found = [];
    const before = Math.ceil(this.tile.element_bits / 8);
    for (let byte = Math.floor(bit / 8) - before; byte <= Math.floor((bit + width - 1) / 8); byte++) {
      for (const i of this.elementsIn.get(byte) ?? []) {
        if (this.bits[i] < bit + width && this.bits[i] + this.tile.element_bits > bit) found.push(i);
      }
    }
    return found;
  }

  /* The elements that a lane touches. */
  ofLane(lane) {
    const own = this.values.at.slice(lane * this.perLane, (lane + 1) * this.perLane);
    return new Set(own.flatMap((bit) => this.elements(bit, this.values.bits)));
  }

  /* 1 for each element that the warp touches; all 1 if no access is known. */
  touched() {
    const flags = new Uint8Array(this.bits.length).fill(this.perLane > 0 ? 0 : 1);
    for (const bit of this.values.at) for (const i of this.elements(bit, this.values.bits)) flags[i] = 1;
    return flags;
  }
}

function addTo(map, key, value) {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/* The passes of an access, over all its groups of lanes: [{ group, pass }]. */
export function passesOf(access) {
  const passesIn = (count, group) => Array.from({ length: count }, (_, pass) => ({ group, pass }));
  return access.banks.wavefronts.flatMap(passesIn);
}

/* The cells of an access; `number` counts passes over all its groups. */
export function cellsOf(access) {
  const { wavefronts, cells } = access.banks;
  const first = []; // the number of the first pass of each group
  wavefronts.reduce((sum, count, group) => ((first[group] = sum), sum + count), 0);
  const found = [];
  for (let i = 0; i < cells.length; i += 5) {
    const [group, lane, bank, pass, word] = cells.slice(i, i + 5);
    found.push({ group, lane, bank, pass, word, number: first[group] + pass });
  }
  return found;
}
