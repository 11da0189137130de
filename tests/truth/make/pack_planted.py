"""Compiles the CUDA programs with planted bugs: `python -m tests.truth.make.pack_planted [NAME ...]`.

Writes truth/planted/cuda.json.xz: for each program a digest of its source and the PTX of every BUG, with no path in it;
of programs that are not named, what is there stays. Needs the extra `cuda`.
"""

import json
import lzma
import re
import sys

import warpsim as ws
from tests.support.findings.programs import PACKED, digest, numbers, packed, programs


def main() -> None:
    names, texts = set(sys.argv[1:]), dict(packed()) if PACKED.exists() else {}
    kept = [one for one in programs() if one.door == "cuda"]
    for program in kept:
        name = program.path.stem
        if (names and name not in names) or texts.get(name, {}).get("digest") == digest(program):
            continue
        print(name, flush=True)
        made = {}
        for bug in numbers(program):
            options = [f"-DBUG={bug}", *program.given.get("options", [])]
            module = ws.compile(program.path, target=program.given.get("target", "sm_90"), options=options)
            made[str(bug)] = re.sub(r'(\.file\s+\d+ ")[^"]*/', r"\1", module._made_of[0].decode())
        texts[name] = {"digest": digest(program), "ptx": made}
    there = {one.path.stem for one in kept}
    found = {name: text for name, text in sorted(texts.items()) if name in there}
    PACKED.write_bytes(lzma.compress(json.dumps(found).encode(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
