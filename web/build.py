"""Builds the explorer, one page that needs nothing else: `python3 web/build.py [FILE]`.

clang compiles web/explorer.c with csrc/include for wasm32, and the page takes that, its style and
its scripts in. Needs clang and lld. FILE: src/warpsim/data/explorer.html, which is committed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import bundle

from warpsim.explorer import DEFAULTS, VERSION
from warpsim.instruction.explanation import BLOCK_BYTES, MOST_GLOBAL_BYTES
from warpsim.render.punch_card import DARK_ON, PASS_FILL
from warpsim.render.svg import BLACK, KINDS, WHITE
from warpsim.tile.layout import PACKED, TYPE_BITS, run_unit
from warpsim.tile.search import MOST_PAD, SWIZZLES
from warpsim.tile.tiles import LOADS, STORES

WEB = Path(__file__).parent
SOURCES = WEB / "page"
ROOT = WEB.parent
PAGE = ROOT / "src" / "warpsim" / "data" / "explorer.html"
CLANG = (
    "clang", "--target=wasm32", "-std=c11", "-Oz", "-ffreestanding", "-nostdlib", "-Wall",
    "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-function", "-Wl,--no-entry",
    "-Wl,--strip-all", "-Wl,-z,stack-size=262144",
)  # fmt: skip


def facts() -> str:
    """facts.h: what the page has from the package's own tables."""
    swizzles = ", ".join(f"{{{b}, {m}, {s}}}" for b, m, s in SWIZZLES)
    numbers = {
        "BLOCK_BYTES": BLOCK_BYTES, "MOST_GLOBAL_BYTES": MOST_GLOBAL_BYTES, "MOST_PAD": MOST_PAD,
    }  # fmt: skip
    lines = [f"enum {{ FACT_{name} = {value} }};" for name, value in numbers.items()]
    for side, kinds in (("LOAD", LOADS), ("STORE", STORES)):
        names = [f"WS_{kind.upper().replace('.', '_')}" for kind in kinds]
        words = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
        lines.append(f"#define FACT_{side}S ({' | '.join(f'WS_BIT({name})' for name in names)})")
        lines.append(f'#define FACT_{side}_WORDS "{words}"')
    lines.append(f"static const signed char FACT_SWIZZLES[][3] = {{{swizzles}}};")
    return "\n".join(lines) + "\n"


def core() -> bytes:
    """The C core as WebAssembly."""
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "explorer.wasm"
        (Path(folder) / "facts.h").write_text(facts(), encoding="utf-8")
        includes = (f"-I{ROOT / 'csrc' / 'include'}", f"-I{WEB}", f"-I{folder}")
        command = [*CLANG, *includes, "-o", str(module), str(WEB / "explorer.c")]
        subprocess.run(command, check=True)
        return module.read_bytes()


def source_of(text: str) -> str:
    """What a Content-Security-Policy calls an inline script or style."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def page(module: bytes) -> str:
    """The page with everything in it."""
    constants = {
        "VERSION": VERSION,
        "DEFAULTS": {**DEFAULTS},
        "TYPES": {name: [bits, name in PACKED, run_unit(name)] for name, bits in TYPE_BITS.items()},
        "LOADS": LOADS,
        "STORES": STORES,
        "KINDS": KINDS,
        "BLACK": BLACK,
        "WHITE": WHITE,
        "PASS_FILL": PASS_FILL,
        "DARK_ON": [*DARK_ON],
    }
    lines = [f"export const {name} = {json.dumps(value)};\n" for name, value in constants.items()]
    script = bundle.script({**bundle.modules(SOURCES), "facts.js": "".join(lines)})
    style = (SOURCES / "style.css").read_text("utf-8")
    policy = (
        f"default-src 'none'; script-src {source_of(script)} 'wasm-unsafe-eval';"
        f" style-src {source_of(style)}; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "@CSP@": policy, "@STYLE@": style, "@CORE@": base64.b64encode(module).decode(),
        "@SCRIPT@": script,
    }  # fmt: skip
    text = (SOURCES / "index.html").read_text("utf-8")
    for mark, part in parts.items():
        before, after = text.split(mark)
        text = before.rstrip() + part + after.lstrip()  # the hashes are of the parts alone
    return text


def main() -> int:
    """The command."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    text = page(core())
    target.write_text(text, encoding="utf-8")
    print(f"{target}: {len(text.encode()):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
