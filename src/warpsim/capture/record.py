"""`warpsim capture`: runs a program on a GPU machine with a library in front of the driver, and keeps what it launched.

A capture is a ZIP file: capture.json says what was launched; everything else, PTX and memory, is a
file named by the SHA-256 of its bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from .. import _engine as engine
from ..errors import UnsupportedError, WarpsimError, bad_value, why
from ..files import path_shown, put

HERE = Path(__file__).resolve().parent
VERSION = 1
COMPILER = ("cc", "-O2", "-std=gnu11", "-fvisibility=hidden", "-shared", "-fPIC")
NO_PTX = (
    "{name} has machine code but no PTX: compile it with -gencode arch=compute_{sm},code=compute_{sm} as well,"
    " or give its PTX with --ptx"
)


def library(folder: Path) -> Path:
    """The library to preload, compiled into a folder."""
    made = folder / "warpsim_capture.so"
    compiler = os.environ.get("CC", COMPILER[0])
    if sys.platform != "linux":
        raise UnsupportedError("warpsim capture needs Linux: run the program there, and take the file here")
    if shutil.which(compiler) is None:
        raise UnsupportedError(f"warpsim capture needs a C compiler: {compiler} is not there; install gcc, or set CC")
    command = [compiler, *COMPILER[1:], str(HERE / "preload.c"), "-o", str(made), "-ldl", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UnsupportedError(f"{compiler} cannot compile the library of warpsim capture:\n{done.stderr.strip()}")
    return made


def records(path: Path) -> Iterator[tuple[str, bytes]]:
    """The records that the library wrote, in order; an incomplete last one is left out."""
    with path.open("rb") as file:
        while len(head := file.read(16)) == 16:
            tag, size = struct.unpack("<8sQ", head)
            found = file.read(size)
            if len(found) == size:
                yield tag.rstrip(b"\0").decode(), found


def _texts_of(image: bytes, folder: Path) -> list[str]:
    """The PTX texts that an image of kernels holds."""
    if image[:4] not in (b"\x50\xed\x55\xba", b"\x7fELF"):
        return [image.decode("utf-8", "replace").rstrip("\0")]
    tool = shutil.which("cuobjdump")
    if tool is None:
        raise UnsupportedError("the program's PTX is in a fat binary: put cuobjdump of the CUDA toolkit on the PATH")
    (folder / "image").write_bytes(image)
    subprocess.run([tool, "-xptx", "all", "image"], cwd=folder, capture_output=True, check=False)
    found = [path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.ptx"))]
    for path in folder.glob("*.ptx"):
        path.unlink()
    return found


def _rank(text: str, name: str, target: int) -> tuple[int, bool]:
    """How well a text with that kernel fits a GPU: the higher, the better; (-2, False) of a text without it.

    Of two for one target the one for its own features: the other may lack what they are for. A text that warpsim cannot
    read is kept if nothing else fits: a later version may read it.
    """
    try:
        module = engine.Module(text.encode())
    except WarpsimError:
        return (-1 if name in text else -2), False
    if name not in (entry[0] for entry in module.entries()):
        return -2, False
    made_for = module.targets[0].removeprefix("sm_").removeprefix("compute_")
    number = int(made_for.rstrip("af"))
    return (number, made_for[-1] in "af") if number <= target else (-1, False)


def _ptx_of(name: str, images: Sequence[bytes], target: int) -> str | None:
    """The PTX text with this kernel that fits a GPU best."""
    fitting: list[tuple[tuple[int, bool], str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for image in images:
            if image[:4] in (b"\x50\xed\x55\xba", b"\x7fELF") or name.encode() in image:
                ranked = ((_rank(text, name, target), text) for text in _texts_of(image, Path(folder)))
                fitting += [one for one in ranked if one[0] > (-2, False)]
            if fitting:
                break
    return max(fitting, key=lambda one: one[0])[1] if fitting else None


class _Writer:
    def __init__(self, path: Path | BinaryIO) -> None:
        self.file = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self.names: set[str] = set()

    def put(self, content: bytes) -> str:
        name = hashlib.sha256(content).hexdigest()
        if name not in self.names:
            self.names.add(name)
            self.file.writestr(name, content)
        return name


def pack(raw: Path, path: Path | BinaryIO) -> dict[str, Any]:
    """Turns the library's records into a capture; what capture.json says comes back."""
    images: dict[int, bytes] = {}
    said: dict[str, Any] = {"warpsim_capture": VERSION, "device": {}, "launches": []}
    before: list[tuple[int, bytes]] = []
    writer = _Writer(path)
    for tag, content in records(raw):
        if tag == "IMAGE":
            images[int.from_bytes(content[:8], "little")] = content[8:]
        elif tag == "IMAGEAT":
            file = Path(os.fsdecode(content[8:]))
            images[int.from_bytes(content[:8], "little")] = file.read_bytes() if file.exists() else b""
        elif tag == "DEVICE":
            said["device"] = json.loads(content)
        elif tag == "BEFORE":
            before.append((int.from_bytes(content[:8], "little"), content[8:]))
        elif tag == "LAUNCH":
            buffers = [{"base": base, "bytes": len(held), "before": writer.put(held)} for base, held in before]
            said["launches"].append({**json.loads(content), "buffers": buffers, "result": None})
            before = []
        elif tag == "PARAMS":
            said["launches"][-1]["parameters"] = content.hex()
        elif tag == "AFTER":
            base = int.from_bytes(content[:8], "little")
            next(b for b in said["launches"][-1]["buffers"] if b["base"] == base)["after"] = writer.put(content[8:])
        elif tag == "RESULT":
            said["launches"][-1]["result"] = int.from_bytes(content, "little")
    sm = said["device"].get("target", "sm_0").removeprefix("sm_")
    for launch in said["launches"]:
        own = images.get(launch.pop("image"))
        text = _ptx_of(launch["kernel"], [own] if own else list(images.values()), int(sm))
        launch["ptx"] = None if text is None else writer.put(text.encode())
        launch["note"] = NO_PTX.format(name=launch["kernel"], sm=sm) if text is None else ""
    writer.file.writestr("capture.json", json.dumps(said, indent=1))
    writer.file.close()
    return said


def capture(
    command: Sequence[str], path: Path, *, kernel: str = "", skip: int = 0, count: int = 1, nbytes: int = 1 << 30
) -> tuple[int, dict[str, Any]]:
    """Runs a program, and writes its launches to a file: its exit status, and what was written."""
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "raw"
        asked = {"FILE": str(raw), "KERNEL": kernel, "SKIP": str(skip), "COUNT": str(count), "BYTES": str(nbytes)}
        preloaded = [str(library(Path(folder))), *filter(None, [os.environ.get("LD_PRELOAD")])]
        environment = os.environ | {f"WARPSIM_CAPTURE_{name}": value for name, value in asked.items()}
        done = subprocess.run(command, env=environment | {"LD_PRELOAD": ":".join(preloaded)}, check=False)
        written = max(Path(folder).glob("raw.*"), key=lambda one: one.stat().st_size, default=None)
        if written is None:
            return done.returncode, {"launches": []}
        said: dict[str, Any] = {}
        try:
            put(path, lambda file: said.update(pack(written, file)))
        except OSError as error:
            raise bad_value("FILE", f"cannot write {path_shown(path)}: {why(error)}") from error
        return done.returncode, said
