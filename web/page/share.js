/* The state as something that runs elsewhere. Each function gives null if there is nothing to run. */
import { DEFAULTS, TYPES } from "./facts.js";
import * as link from "./link.js";
import { ptxVersion } from "./words.js";

export const share = { link: linkText, python: pythonText, cpp: cppText, cli: cliText };

function linkText(answer, state) {
  const home = document.documentElement.dataset.home ?? location.href.split("#")[0];
  return home + link.write(state);
}

/* A number; an empty field has what the core takes it for. */
const numberText = (text, empty = "0") => text.trim() || empty;

/* B, M, S and padding. */
const swizzleAndPad = (state) => [state.B, state.M, state.S, state.pad].map(numberText);

const swizzlesBytes = (state) => state.unit === "byte" || TYPES[state.type][1];

const hasAddresses = (state) => state.addresses.trim() !== "";

const hasTarget = (answer, state) => answer.legality.targets.includes(state.target);

/* The addresses; p alone if it is a wmma, whose lanes all have the same. */
function addressText(answer, separator) {
  const { addresses, op } = answer;
  const isOne = op.wmma && addresses.every((one) => one === addresses[0]);
  return (isOne ? addresses.slice(0, 1) : addresses).join(separator);
}

/* --- Python -------------------------------------------------------------------------------------- */

function pythonLayout(state) {
  const [b, m, s, pad] = swizzleAndPad(state);
  const options = [numberText(state.rows, DEFAULTS.rows), numberText(state.cols, DEFAULTS.cols), `"${state.type}"`];
  if (state.order !== "row") options.push(`order="${state.order}"`);
  if (pad !== "0") options.push(`pad=${pad}`);
  if (b !== "0") options.push(`swizzle=ws.Swizzle(${b}, ${m}, ${s}${swizzlesBytes(state) ? ', unit="byte"' : ""})`);
  return `ws.Layout(${options.join(", ")})`;
}

function pythonAddress(answer, state) {
  if (hasAddresses(state)) return `np.array([${addressText(answer, ", ")}])`;
  const place = `${numberText(state.row)}, ${numberText(state.col)}`;
  const begin = answer.op.wmma ? `np.array([layout(${place})])` : `layout.addresses(op, ${place}, "${state.arrange}")`;
  return answer.origin > 0 ? `${begin} + 0x${answer.origin.toString(16)}` : begin;
}

function pythonText(answer, state) {
  if (answer.error) return null;
  const { op, tile, legality, stride } = answer;
  const lines = ["import numpy as np", "import warpsim as ws", "", `op = ws.parse("${op.ptx}")`];
  lines.push(`print(op.legality("${state.target}", "${ptxVersion(legality.ptx)}"))`);
  if (tile.rows !== undefined) lines.push(`layout = ${pythonLayout(state)}`);
  if (op.kind === "movmatrix") lines.push("print(op.fragment)");
  else if (answer.traffic) {
    const options = ["address"];
    if (op.wmma) options.push(`stride=${stride}`);
    if (hasTarget(answer, state)) options.push(`target="${state.target}"`);
    lines.push(`address = ${pythonAddress(answer, state)}`, `print(op.explain(${options.join(", ")}))`);
  }
  if (tile.store?.traffic && tile.load?.traffic) {
    const store = JSON.stringify(state.fill.trim());
    const options = `store=${store}, load=op, warps=${numberText(state.warps, "1")}, target="${state.target}"`;
    lines.push(`print(ws.tile(layout, ${options}))`);
  }
  return lines.join("\n") + "\n";
}

/* --- C++ ----------------------------------------------------------------------------------------- */

function cppAccess({ op, addresses }) {
  if (op.kind === "movmatrix") return ["    ws_access access = ws_access_make(nullptr, 1);"];
  const isGlobal = op.space === "" || op.space === "global" || addresses.some((one) => one > 0xffffffff);
  const [bits, make] = isGlobal && op.kind !== "cp.async" ? [64, "ws_access_make_64"] : [32, "ws_access_make"];
  return [
    `    const std::uint${bits}_t address[32] = {${addresses.join(", ")}};`,
    `    ws_access access = ${make}(address, 1);`,
  ];
}

function cppText(answer, state) {
  if (answer.error || !answer.addresses) return null;
  const lines = [
    "#include <cstdint>",
    "#include <cstdio>",
    "#include <warpsim/warpsim.h>",
    "",
    "int main() {",
    "    ws_op op;",
    "    ws_error error;",
    `    if (ws_parse("${answer.op.ptx}", &op, &error) != WS_OK) return 1;`,
    ...cppAccess(answer),
  ];
  if (answer.op.wmma) {
    lines.push(`    const std::uint32_t stride = ${answer.stride >>> 0}u;`, "    access.stride = &stride;");
  }
  if (hasTarget(answer, state)) lines.push(`    access.target = ws_target_find("${state.target}");`);
  lines.push(
    "    ws_counts counts;",
    "    if (ws_count(&op, &access, &counts, &error) != WS_OK) return 1;",
    '    std::printf("%d wavefronts, %d bank conflicts\\n", static_cast<int>(counts.wavefronts),' +
      " static_cast<int>(counts.bank_conflicts));",
    "}",
  );
  return lines.join("\n") + "\n";
}

/* --- command line -------------------------------------------------------------------------------- */

function cliText(answer, state) {
  if (answer.error) return null;
  const words = [`warpsim explain "${answer.op.ptx}"`];
  if (answer.op.kind !== "movmatrix" && answer.addresses) words.push(...cliPlace(answer, state));
  words.push(`--target ${state.target} --ptx-version ${ptxVersion(answer.legality.ptx)}`);
  return words.join(" ") + "\n";
}

/* --tile if the command line would find the same addresses in it, otherwise the addresses. */
function cliPlace(answer, state) {
  const isPlain = state.arrange === "col" && answer.origin === 0 && state.stride.trim() === "";
  if (!hasAddresses(state) && isPlain) {
    return [`--tile ${cliTile(state)}`, `--at ${numberText(state.row)},${numberText(state.col)}`];
  }
  const words = [`--address ${addressText(answer, ",")}`];
  if (answer.op.wmma) words.push(`--stride ${answer.stride}`);
  return words;
}

function cliTile(state) {
  const [b, m, s, pad] = swizzleAndPad(state);
  const parts = [`${numberText(state.rows, DEFAULTS.rows)}x${numberText(state.cols, DEFAULTS.cols)}`, state.type];
  if (state.order !== "row") parts.push("col");
  if (pad !== "0") parts.push(`pad=${pad}`);
  if (b !== "0") parts.push(`swizzle=${b},${m},${s}${swizzlesBytes(state) ? ",byte" : ""}`);
  return parts.join(":");
}
