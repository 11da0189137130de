"""The machine code that NVIDIA's assembler makes of a PTX text, by line of the text."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..errors import UnsupportedError

TIMEOUT = 600  # seconds that either tool may take
LINE = re.compile(r'//## File ".nv_debug_ptx_txt", line (\d+)')
SECTION = re.compile(r"\.section\s+\.text\.([\w$.]+)")
INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(?:\{\s*)?(@!?\w+)?\s*([A-Z][\w.]*)\s*([^;]*);")
MISSING = "as_assembled needs NVIDIA's {name}: pip install 'warpsim[sass]', or put {name} on PATH"


@dataclass(frozen=True)
class Instruction:
    """One instruction of the machine code."""

    offset: int
    line: int
    guard: str
    opcode: str
    operands: str


class Code(NamedTuple):
    """The machine code of a text."""

    kernels: dict[str, list[Instruction]]  # `line` is 0 where the assembler names none
    binary: bytes  # its ELF file


def tool(name: str) -> str:
    """The path of ptxas or nvdisasm: from the wheels of the extra `sass`, else from PATH."""
    spec = importlib.util.find_spec("nvidia")
    for place in spec.submodule_search_locations or () if spec else ():
        for found in sorted(Path(place).glob(f"*/bin/{name}{'.exe' if os.name == 'nt' else ''}"), reverse=True):
            return str(found)
    path = shutil.which(name)
    if path is None:
        raise ImportError(MISSING.format(name=name))
    return path


def _run(*command: str) -> str:
    name = Path(command[0]).name
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        raise UnsupportedError(f"{name} took more than {TIMEOUT} s, so that as_assembled cannot count") from None
    if done.returncode != 0:
        said = (done.stderr + done.stdout).decode("utf-8", "replace").strip()
        raise UnsupportedError(f"{name} refuses the text, so that as_assembled cannot count what it becomes:\n{said}")
    return done.stdout.decode("utf-8", "replace")


def version() -> str:
    """The version of the assembler that is found."""
    found = re.search(r"V(\d+\.\d+\.\d+)", _run(tool("ptxas"), "--version"))
    return found[1] if found else "of unknown version"


def assembled(text: bytes, target: str, folder: Path, *options: str) -> Path:
    """The ELF file that ptxas makes of a PTX text, in `folder`."""
    source, binary = folder / "kernel.ptx", folder / "kernel.cubin"
    source.write_bytes(text)
    _run(tool("ptxas"), f"-arch={target}", *options, str(source), "-o", str(binary))
    return binary


def listing(binary: Path, *options: str) -> str:
    """What nvdisasm prints of the code of an ELF file."""
    return _run(tool("nvdisasm"), "-c", *options, str(binary))


def assemble(text: bytes, target: str, contracts: bool) -> Code:
    """What the assembler makes of a text."""
    with tempfile.TemporaryDirectory() as folder:
        fused = "true" if contracts else "false"
        binary = assembled(text, target, Path(folder), "-lineinfo", f"-fmad={fused}")
        return Code(read(listing(binary, "-gp")), binary.read_bytes())


def read(listing: str) -> dict[str, list[Instruction]]:
    """What `nvdisasm -c -gp` printed."""
    kernels: dict[str, list[Instruction]] = defaultdict(list)
    name, line = "", 0
    for row in listing.splitlines():
        if (section := SECTION.search(row)) is not None:
            name, line = section[1], 0
        elif (place := LINE.search(row)) is not None:
            line = int(place[1])
        elif (one := INSTRUCTION.search(row)) is not None:
            at, guard, opcode, operands = one.groups()
            kernels[name].append(Instruction(int(at, 16), line, guard or "", opcode, operands.strip()))
    return dict(kernels)
