"""What compute-sanitizer says of the programs with planted bugs, on the GPU at hand.

    python -m tests.truth.make.ask_sanitizer OUT.json [NAME ...]

Each program is compiled as it is for every BUG, runs alone and under each tool, in a process of its own. OUT has for
each run the status, whether the arrays are right, and the different lines that the tool said. Needs nvcc and
compute-sanitizer; Triton with PyTorch and Numba for the programs of theirs.
"""

import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.support.findings.programs import Program, chosen, numbers, programs
from tests.support.paths import ROOT

TOOLS = ("", "memcheck", "racecheck", "synccheck")
SECONDS, AT_ONCE, MOST_LINES = 60, 16, 8


def compiled(program: Program, bug: int, folder: Path) -> tuple[list[str], str]:
    """The cubin as an argument of run_planted, or what the compiler said."""
    if program.door not in ("cuda", "ptx"):
        return [], ""
    out = folder / f"{program.name.replace('/', '_')}_{bug}.cubin"
    if program.door == "ptx":
        source = out.with_suffix(".ptx")
        source.write_text(chosen(program.path.read_text(), bug))
        command = ["ptxas", "-arch=sm_90a", "-lineinfo", str(source), "-o", str(out)]
    else:
        options = ["-std=c++17", "-arch=sm_90a", "-lineinfo", f"-DBUG={bug}", *program.given.get("options", [])]
        command = ["nvcc", "-cubin", *options, str(program.path), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [str(out)], "" if done.returncode == 0 else (done.stdout + done.stderr)[:600]


def said(printed: str) -> list[str]:
    """The different lines of a tool's output, without addresses, places in memory and counts of them."""
    found = []
    for line in printed.splitlines():
        if not line.startswith("=========") or "COMPUTE-SANITIZER" in line or "Host Frame" in line:
            continue
        text = re.sub(r"0x[0-9a-f]+|\(\d+,\d+,\d+\)|/\S*/", "", line.removeprefix("=========")).strip()
        if text and not text.startswith(("Saved host", "Address ", "by thread", "and is")) and text not in found:
            found.append(text[:200])
    return [*found[:MOST_LINES], *found[-1:]] if len(found) > MOST_LINES else found


def run(program: Program, bug: int, tool: str, cubin: list[str]) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.truth.make.run_planted", program.name, str(bug), *cubin]
    if tool:
        command = ["compute-sanitizer", "--tool", tool, *command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"status": "never ends"}
    ran = [json.loads(line.removeprefix("ran ")) for line in done.stdout.splitlines() if line.startswith("ran ")]
    outcome: dict[str, Any] = (
        ran[-1] if ran else {"status": f"exit status {done.returncode}", "said": [done.stderr[-300:]]}
    )
    return {**outcome, "said": said(done.stdout)} if tool else outcome


def main() -> None:
    out, names = Path(sys.argv[1]), set(sys.argv[2:])
    kept = [one for one in programs() if not names or one.name in names or one.door in names]
    variants = [(program, bug) for program in kept for bug in numbers(program)]
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as jobs:
        cubins = list(jobs.map(lambda one: compiled(*one, Path(folder)), variants))
        asked = {}
        for (program, bug), (cubin, refused) in zip(variants, cubins, strict=True):
            if refused:
                found.setdefault(program.name, {})[str(bug)] = {"refused": refused}
                continue
            for tool in TOOLS:
                asked[program.name, str(bug), tool or "alone"] = jobs.submit(run, program, bug, tool, cubin)
        for (name, bug, tool), one in asked.items():
            found.setdefault(name, {}).setdefault(bug, {})[tool] = one.result()
            out.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
