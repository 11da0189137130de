"use strict";

/* The state as something that runs elsewhere; null where there is nothing to run. */
const share = {
  link(state) {
    const home = document.documentElement.dataset.home ?? location.href.split("#")[0];
    return home + link.write(state);
  },

  number: (text) => text.trim() || "0",

  hasList: (state) => state.addresses.trim() !== "",

  /* wmma gives p alone where all lanes have the same. */
  list(answer) {
    const all = answer.addresses;
    return (answer.op.wmma && all.every((one) => one === all[0]) ? all.slice(0, 1) : all).join(", ");
  },

  hasTarget: (answer, state) => answer.legality.targets.includes(state.target),

  layout(state) {
    const [b, m, s, pad] = [state.B, state.M, state.S, state.pad].map(share.number);
    const unit = TYPES[state.type][1] ? "byte" : state.unit;
    const options = [state.order === "row" ? "" : `, order="${state.order}"`, pad === "0" ? "" : `, pad=${pad}`];
    if (b !== "0") options.push(`, swizzle=ws.Swizzle(${b}, ${m}, ${s}${unit === "byte" ? ', unit="byte"' : ""})`);
    return `ws.Layout(${share.number(state.rows)}, ${share.number(state.cols)}, "${state.type}"${options.join("")})`;
  },

  python(answer, state) {
    if (answer.error) return null;
    const { op } = answer, lines = ["import numpy as np", "import warpsim as ws", "", `op = ws.parse("${op.ptx}")`];
    lines.push(`print(op.legality("${state.target}", "${ptxVersion(answer.legality.ptx)}"))`);
    const hasTile = answer.tile.rows !== undefined;
    if (hasTile) lines.push(`layout = ${share.layout(state)}`);
    if (op.kind === "movmatrix") lines.push("print(op.fragment)");
    else if (answer.traffic) {
      const place = `${share.number(state.row)}, ${share.number(state.col)}`;
      const begin = op.wmma ? `np.array([layout(${place})])` : `layout.addresses(op, ${place}, "${state.arrange}")`;
      const origin = answer.origin > 0 ? ` + ${answer.origin.toString(16).replace(/^/, "0x")}` : "";
      lines.push(`address = ${share.hasList(state) ? `np.array([${share.list(answer)}])` : begin + origin}`);
      const options = [op.wmma ? `, stride=${answer.stride}` : "", share.hasTarget(answer, state) ? `, target="${state.target}"` : ""].join("");
      lines.push(`print(op.explain(address${options}))`);
    }
    if (answer.tile.store?.traffic && answer.tile.load?.traffic) {
      lines.push(`print(ws.tile(layout, store=${JSON.stringify(state.fill.trim())}, load=op, warps=${share.number(state.warps)}, target="${state.target}"))`);
    }
    return lines.join("\n") + "\n";
  },

  cpp(answer, state) {
    if (answer.error || !answer.addresses) return null;
    const wide = answer.addresses.some((one) => one > 0xffffffff) || answer.op.space === "" || answer.op.space === "global";
    const lines = [
      "#include <cstdint>", "#include <cstdio>", "#include <warpsim/warpsim.h>", "", "int main() {", "    ws_op op;", "    ws_error error;",
      `    if (ws_parse("${answer.op.ptx}", &op, &error) != WS_OK) return 1;`,
    ];
    if (answer.op.kind === "movmatrix") lines.push("    ws_access access = ws_access_make(nullptr, 1);");
    else if (wide && answer.op.kind !== "cp.async") lines.push(`    const std::uint64_t address[32] = {${answer.addresses.join(", ")}};`, "    ws_access access = ws_access_make_64(address, 1);");
    else lines.push(`    const std::uint32_t address[32] = {${answer.addresses.join(", ")}};`, "    ws_access access = ws_access_make(address, 1);");
    if (answer.op.wmma) lines.push(`    const std::uint32_t stride = ${answer.stride >>> 0}u;`, "    access.stride = &stride;");
    if (share.hasTarget(answer, state)) lines.push(`    access.target = ws_target_find("${state.target}");`);
    lines.push(
      "    ws_counts counts;", "    if (ws_count(&op, &access, &counts, &error) != WS_OK) return 1;",
      '    std::printf("%d wavefronts, %d bank conflicts\\n", static_cast<int>(counts.wavefronts), static_cast<int>(counts.bank_conflicts));', "}",
    );
    return lines.join("\n") + "\n";
  },

  cli(answer, state) {
    if (answer.error) return null;
    const words = [`warpsim explain "${answer.op.ptx}"`], [b, m, s, pad] = [state.B, state.M, state.S, state.pad].map(share.number);
    const inTile = !share.hasList(state) && state.arrange === "col" && answer.origin === 0 && state.stride.trim() === "";
    if (answer.op.kind !== "movmatrix" && answer.addresses && inTile) {
      const byte = state.unit === "byte" || TYPES[state.type][1] ? ",byte" : "";
      const options = [state.order === "row" ? "" : ":col", pad === "0" ? "" : `:pad=${pad}`, b === "0" ? "" : `:swizzle=${b},${m},${s}${byte}`];
      words.push(`--tile ${share.number(state.rows)}x${share.number(state.cols)}:${state.type}${options.join("")} --at ${share.number(state.row)},${share.number(state.col)}`);
    } else if (answer.op.kind !== "movmatrix" && answer.addresses) {
      words.push(`--address ${share.list(answer).replaceAll(" ", "")}`);
      if (answer.op.wmma) words.push(`--stride ${answer.stride}`);
    }
    return `${words.join(" ")} --target ${state.target} --ptx-version ${ptxVersion(answer.legality.ptx)}\n`;
  },
};

/* Into the clipboard; where there is none, into the page. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    const box = element("textarea", text, { "aria-hidden": "true" });
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done ? "Copied." : text;
  }
}

function download(blob, name) {
  const anchor = element("a", undefined, { href: URL.createObjectURL(blob), download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}
