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

from warpsim import _core
from warpsim.explorer import DEFAULTS, VERSION
from warpsim.render.punch_card import DARK_ON, PASS_FILL
from warpsim.render.svg import BLACK, KINDS, WHITE

WEB = Path(__file__).parent
SOURCES = WEB / "page"
ROOT = WEB.parent
PAGE = ROOT / "src" / "warpsim" / "data" / "explorer.html"
CLANG = (
    "clang", "--target=wasm32", "-std=c11", "-Oz", "-ffreestanding", "-nostdlib", "-Wall",
    "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-function", "-Wl,--no-entry",
    "-Wl,--strip-all", "-Wl,-z,stack-size=262144",
)  # fmt: skip


def core() -> bytes:
    """The C core as WebAssembly."""
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "explorer.wasm"
        includes = (f"-I{ROOT / 'csrc' / 'include'}", f"-I{WEB}")
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
        "TYPES": {name: [bits, packed] for name, bits, packed, _ in _core.ELEMENT_TYPES},
        "LOADS": _core.TILE_LOADS,
        "STORES": _core.TILE_STORES,
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
