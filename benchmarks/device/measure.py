"""Builds streams.cu and loop.cu for many cases and runs them on a GPU that runs sm_90a code.

    python3 benchmarks/device/measure.py OUTPUT_FOLDER [--sass] [--random N] [--programs N] [--seed N]

Writes streams.json.gz and loops.json.gz: `what`, `source`, `fields`, then the cases, one per line.
Needs nvcc and nothing else. --programs writes
random_programs.json.gz instead, N short programs of ldmatrix; --sass also keeps the machine code of
every loop (cuobjdump); --random writes random_loops.json.gz instead, N whole loops of any shape.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cases

HERE = Path(__file__).parent
SEED = 1
LOOP = HERE.parents[1] / "src" / "warpsim" / "loop"  # of mainloop.cu
NVCC = ["nvcc", "-O3", "-arch=sm_90a", f"-I{LOOP}", "-diag-suppress", "550,177"]


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return done.stdout


def build(source: str, macros: dict[str, Any], program: Path) -> Path:
    wrapper = program.with_suffix(".cu")
    lines = [f"#define {name} {value}" for name, value in macros.items()]
    wrapper.write_text("\n".join([*lines, f'#include "{HERE / source}"', ""]))
    run([*NVCC, str(wrapper), "-o", str(program)])
    return program


def device() -> str:
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    compiler = run(["nvcc", "--version"]).split("release ")[1].split(",")[0]
    return f"one {run(query).strip().replace(', ', ', driver ')}; CUDA {compiler}, sm_90a"


def write(path: Path, head: dict[str, Any], found: list[dict[str, Any]]) -> None:
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in found)
    text = json.dumps(head, indent=1)[:-2] + f',\n "cases": [\n{lines}\n]\n}}\n'
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def time_all(name: str, head: dict[str, Any], output: Path) -> None:
    """Builds and runs `name`.cu, which prints a case a line, and writes output/`name`.json.gz."""
    with tempfile.TemporaryDirectory() as work:
        lines = run([str(build(f"{name}.cu", {}, Path(work) / name))]).splitlines()
    write(output / f"{name}.json.gz", {**head, "source": device()}, [json.loads(line) for line in lines])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--sass", action="store_true", help="keep the machine code of every loop")
    parser.add_argument("--random", type=int, metavar="N", help="only N random whole loops")
    parser.add_argument("--programs", type=int, metavar="N", help="only N random programs of ldmatrix")
    parser.add_argument("--seed", type=int, default=SEED, help="of the random loops")
    args = parser.parse_args()
    source = device() + "; clock64, median of six launches after the first"
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        work = Path(folder)
        streams, loops = list(cases.streams()), list(cases.loops())
        if args.random:
            streams, loops = [], list(cases.random_loops(args.random, args.seed))
        if args.programs:
            streams, loops = list(cases.random_programs(args.programs, args.seed)), []
        programs = list(
            pool.map(lambda item: build("streams.cu", item[1].macros(), work / f"stream{item[0]}"), enumerate(streams))
        )
        loop_programs = list(
            pool.map(lambda item: build("loop.cu", item[1].macros(), work / f"loop{item[0]}"), enumerate(loops))
        )
        found = []
        for stream, program in zip(streams, programs, strict=True):
            for line in run([str(program), *stream.arguments()]).splitlines():
                found.append({**stream.to_dict(), **json.loads(line)})
        if streams:
            name = "random_programs" if args.programs else "streams"
            write(args.output / f"{name}.json.gz", {**cases.STREAMS_HEAD, "source": source}, found)
        found = []
        for loop, program in zip(loops, loop_programs, strict=True):
            found.append({**loop.to_dict(), **json.loads(run([str(program)]))})
        if loops:
            name = "random_loops" if args.random else "loops"
            write(args.output / f"{name}.json.gz", {**cases.LOOPS_HEAD, "source": source}, found)
        if args.sass:
            texts = pool.map(lambda program: run(["cuobjdump", "-sass", str(program)]), loop_programs)
            text = "\n".join(
                f"==== {json.dumps(loop.to_dict())}\n{text}" for loop, text in zip(loops, texts, strict=True)
            )
            (args.output / "loops.sass.gz").write_bytes(gzip.compress(text.encode()))


if __name__ == "__main__":
    main()
