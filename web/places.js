"use strict";

const BANKS = 32, LANES = 32, BANK_BITS = 32;

/* Which values of which lanes lie in which element of the tile. `shown`: an access of the answer; everything is in bits from the tile's first. */
class Places {
  constructor(shown, tile) {
    const bits = core.elements(tile.rows * tile.cols);
    this.tile = tile;
    this.values = shown.places ?? { bits: 0, at: [] };
    this.per = this.values.at.length / LANES;
    this.valuesIn = new Map(); // byte -> the values that lie in it
    this.elementsIn = new Map(); // byte -> the elements of the tile that begin in it
    this.values.at.forEach((bit, n) => {
      const last = Math.floor((bit + this.values.bits - 1) / 8);
      for (let byte = Math.floor(bit / 8); byte <= last; byte++) Places.#add(this.valuesIn, byte, n);
    });
    for (let i = 0; i < bits.length; i++) Places.#add(this.elementsIn, bits[i] >>> 3, i);
    this.bits = bits;
  }

  static #add(map, key, value) {
    const list = map.get(key);
    if (list === undefined) map.set(key, [value]);
    else list.push(value);
  }

  /* [lane, value] of all that lies in an element of the tile. */
  holders(row, col) {
    const begin = this.bits[row * this.tile.cols + col], end = begin + this.tile.element_bits, found = new Set();
    for (let byte = begin >>> 3; byte <= (end - 1) >>> 3; byte++) {
      for (const n of this.valuesIn.get(byte) ?? []) {
        const bit = this.values.at[n];
        if (bit < end && bit + this.values.bits > begin) found.add(n);
      }
    }
    return [...found].map((n) => [Math.floor(n / this.per), n % this.per]);
  }

  /* The elements of the tile that a run of bits lies in. */
  elements(bit, width) {
    const found = [], before = Math.ceil(this.tile.element_bits / 8);
    for (let byte = Math.floor(bit / 8) - before; byte <= Math.floor((bit + width - 1) / 8); byte++) {
      for (const i of this.elementsIn.get(byte) ?? []) {
        if (this.bits[i] < bit + width && this.bits[i] + this.tile.element_bits > bit) found.push(i);
      }
    }
    return found;
  }

  ofLane(lane) {
    const found = new Set();
    for (let n = lane * this.per; n < (lane + 1) * this.per; n++) for (const i of this.elements(this.values.at[n], this.values.bits)) found.add(i);
    return found;
  }

  /* 1 for each element that the warp touches; all of them where nothing is known of it. */
  touched() {
    const flags = new Uint8Array(this.bits.length).fill(this.per > 0 ? 0 : 1);
    for (const bit of this.values.at) for (const i of this.elements(bit, this.values.bits)) flags[i] = 1;
    return flags;
  }
}

/* The passes of an access, over all its groups of lanes: [{ group, pass }]. */
function passesOf(shown) {
  return shown.banks.wavefronts.flatMap((count, group) => Array.from({ length: count }, (_, pass) => ({ group, pass })));
}

/* Its cells with the number of their pass. */
function cellsOf(shown) {
  const { wavefronts, cells } = shown.banks, found = [];
  const begin = wavefronts.map((_, group) => wavefronts.slice(0, group).reduce((sum, one) => sum + one, 0));
  for (let i = 0; i < cells.length; i += 5) {
    const [group, lane, bank, pass, word] = cells.slice(i, i + 5);
    found.push({ group, lane, bank, pass, word, number: begin[group] + pass });
  }
  return found;
}
