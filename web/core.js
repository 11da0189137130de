"use strict";

/* The C core: text in, JSON out. */
const core = (() => {
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  const DOUBLES = new Set(["latency", "interval", "error", "cycles"]);
  let exports = null;

  async function start() {
    const bytes = Uint8Array.from(atob(document.getElementById("core").textContent), (c) => c.charCodeAt(0));
    exports = (await WebAssembly.instantiate(bytes, {})).instance.exports;
  }

  /* A double from the hexadecimal digits of its bits, as json_double writes it. */
  function double(text) {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(text));
    return view.getFloat64(0);
  }

  function reviver(key, value) {
    return DOUBLES.has(key) && typeof value === "string" && value.startsWith("0x") ? double(value) : value;
  }

  function ask(name, lines) {
    const bytes = encoder.encode(lines);
    if (bytes.length > exports.input_bytes()) return { error: { message: "the state is too long", column: -1, length: 0 } };
    new Uint8Array(exports.memory.buffer, exports.input(), bytes.length).set(bytes);
    const length = exports[name](bytes.length);
    if (length === 0) return { error: { message: "the answer is too long", column: -1, length: 0 } };
    return JSON.parse(decoder.decode(new Uint8Array(exports.memory.buffer, exports.output(), length)), reviver);
  }

  /* The bit at which each element of the tile of the last answer begins, row after row. */
  function elements(count) {
    return new Uint32Array(exports.memory.buffer, exports.elements(), count);
  }

  return { start, ask, elements, double };
})();
