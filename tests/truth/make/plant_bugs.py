"""Compiles the planted bugs: `python -m tests.truth.make.plant_bugs NVCC` writes run/bugs/bugs.json.xz.

Each source of run/bugs is compiled twice, as it is and with -DREPAIRED. The launches of run/bugs/launches.json are
written out as those of run/kernels.json.xz are, with the lines of the PTX in place of the names of marks (`//@ name`
at the end of a source line means the accesses and barriers that .loc, through inlining, traces back to it).
"""

import json
import lzma
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.support.paths import TRUTH

BUGS = TRUTH / "run" / "bugs"
MARKED = re.compile(r"\s*(@!?%p\d+ )?\s*((ld|st)\.(volatile\.)?shared|cp\.async\.c[ag]|shfl|bar\.sync|ldmatrix)\b")
LOC = re.compile(r"\s*\.loc\s+(\d+) (\d+) (\d+)(?:.*inlined_at (\d+) (\d+) (\d+))?")


def compiled(nvcc: str, source: Path, *options: str) -> str:
    """The PTX, with no path in it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.ptx"
        command = [nvcc, "-std=c++17", "-arch=sm_90", "-lineinfo", "-ptx", *options, source.name, "-o", str(out)]
        subprocess.run(command, check=True, cwd=source.parent)
        text = out.read_text()
    return re.sub(r'(\.file\s+\d+ ")[^"]*/', r"\1", text)


def source_lines(ptx: str) -> dict[int, int]:
    """PTX line of an access or a barrier -> the line of the source that .loc gives it, outside of what was inlined."""
    found, outer, at = {}, {}, 0
    for number, line in enumerate(ptx.splitlines(), 1):
        if loc := LOC.match(line):
            here = tuple(loc.groups()[:3])
            callee = tuple(loc.groups()[3:])
            at = outer[here] = outer.get(callee, int(callee[1])) if loc[4] else int(here[1])
        elif MARKED.match(line):
            found[number] = at
    return found


def kernel_of(ptx: str) -> list[str]:
    """The name of the kernel that each line is in."""
    names, name = [], ""
    for line in ptx.splitlines():
        if entry := re.search(r"\.entry (\w+)", line):
            name = entry[1]
        names.append(name)
    return names


def buffer(name: str, type_: str, count: int) -> dict[str, Any]:
    low_high = {"f32": {"rule": "uniform", "seed": 7, "low": 0.0, "high": 1.0}}
    init = {"rule": "zeros"} if name == "out" else low_high.get(type_, {"rule": "bits", "seed": 7})
    return {"buffer": name, "dtype": type_, "count": count, "init": init, "role": name}


def packed(nvcc: str) -> dict[str, Any]:
    given = json.loads((BUGS / "launches.json").read_text())
    texts, launches = {}, []
    for name in sorted({one["file"] for one in given["launches"]}):
        source = BUGS / f"{name}.cu"
        texts[f"{name}_bug.ptx"] = compiled(nvcc, source)
        texts[f"{name}_ok.ptx"] = compiled(nvcc, source, "-DREPAIRED")
    for one in given["launches"]:
        source = (BUGS / f"{one['file']}.cu").read_text().splitlines()
        text = texts[f"{one['file']}_bug.ptx"]
        kernels = kernel_of(text)
        marks: dict[str, list[int]] = {}
        for line, at in source_lines(text).items():
            mark = source[at - 1].partition("//@ ")[2].strip() if at else ""
            if mark and kernels[line - 1] == one["kernel"]:
                marks.setdefault(mark, []).append(line)
        arguments = [buffer(way, *one[way]) for way in ("in", "out")]
        arguments += [{"scalar": "s32", "value": one["n"]}] if "n" in one else []
        launch = {
            "id": one["id"], "ptx": f"{one['file']}_bug.ptx", "twin": f"{one['file']}_ok.ptx", "kernel": one["kernel"], "grid": [1, 1, 1],
            "block": [one["block"], 1, 1], "shared": 0, "args": arguments, "may": one.get("may", []),
            "compute_sanitizer": one["compute_sanitizer"],
            "must": [{**must, "lines": [[x for m in names for x in marks[m]] for names in must["lines"]]} for must in one["must"]],
        }  # fmt: skip
        launches.append(launch)
    return {"source": "nvcc 13.0.88, -arch=sm_90 -lineinfo", "launches": launches, "ptx": texts}


if __name__ == "__main__":
    text = json.dumps(packed(sys.argv[1]))
    (BUGS / "bugs.json.xz").write_bytes(lzma.compress(text.encode(), preset=9))
