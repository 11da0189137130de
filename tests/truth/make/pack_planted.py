"""Compiles the CUDA programs with planted bugs: `python -m tests.truth.make.pack_planted [NAME ...]`.

Writes truth/planted/cuda.json.xz: for each program a digest of its source and the PTX of every BUG, with no path in it;
of programs that are not named, what is there stays. Needs the extra `cuda`.
"""

import json
import lzma
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import warpsim as ws
from tests.support.findings.programs import PACKED, Program, digest, numbers, packed, programs


def made(program: Program) -> dict[str, str]:
    """The PTX of each variant."""
    texts = {}
    for bug in numbers(program):
        options = [f"-DBUG={bug}", *program.given.get("options", [])]
        module = ws.compile(program.path, target=program.given.get("target", "sm_90"), options=options)
        texts[str(bug)] = re.sub(r'(\.file\s+\d+ ")[^"]*/', r"\1", module._made_of[0].decode())
    return texts


def main() -> None:
    names, there = set(sys.argv[1:]), dict(packed()) if PACKED.exists() else {}
    found, asked = {}, {}
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as jobs:
        for program in programs():
            name = program.path.stem
            if program.door != "cuda":
                continue
            if (names and name not in names) or there.get(name, {}).get("digest") == digest(program):
                found[name] = there[name]
            else:
                asked[name] = (digest(program), jobs.submit(made, program))
        found |= {name: {"digest": digest_, "ptx": one.result()} for name, (digest_, one) in asked.items()}
    text = json.dumps(dict(sorted(found.items())))
    PACKED.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
