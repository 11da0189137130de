/* The C core, compiled to WebAssembly: text in, JSON out. */

const DOUBLES = new Set(["latency", "interval", "error", "latency_error", "interval_error", "cycles"]);

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let wasm = null;

export async function start() {
  const base64 = document.getElementById("core").textContent;
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  wasm = (await WebAssembly.instantiate(bytes, {})).instance.exports;
}

/* A double from the hexadecimal digits of its bits, as json_double in json.h writes it. */
export function double(text) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(text));
  return view.getFloat64(0);
}

function revive(key, value) {
  const isDouble = DOUBLES.has(key) && typeof value === "string" && value.startsWith("0x");
  return isDouble ? double(value) : value;
}

const refusal = (message) => ({ error: { message, column: -1, length: 0 } });

/* What the exported function `name` answers to lines of "key=value". */
export function ask(name, lines) {
  const bytes = encoder.encode(lines);
  if (bytes.length > wasm.input_bytes()) return refusal("the state is too long: shorten it");
  new Uint8Array(wasm.memory.buffer, wasm.input(), bytes.length).set(bytes);
  const length = wasm[name](bytes.length);
  if (length === 0) return refusal("the answer is too long: choose a smaller tile");
  return JSON.parse(decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.output(), length)), revive);
}

/* The bit at which each element of the last answer's tile begins, row by row. Valid until the next answer. */
export function elementBits(count) {
  return new Uint32Array(wasm.memory.buffer, wasm.elements(), count);
}
