"""nvcc, for machines without NVRTC and for files that have host code: CUDA C++ to PTX by its own process."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..errors import CompileError
from .nvrtc import Built

TIMEOUT = 600  # seconds


def build(
    nvcc: str, source: bytes, name: str, headers: Mapping[str, str], options: Sequence[str], names: Sequence[str]
) -> Built:
    """Compiles a text; CompileError says what nvcc says."""
    if any("<" in one for one in names):
        raise CompileError("", "kernels that are templates need NVRTC: pip install 'warpsim[cuda]'")
    with tempfile.TemporaryDirectory() as folder:
        text, made = Path(folder, Path(name).name), Path(folder, "made.ptx")
        text.write_bytes(b'#line 1 "%s"\n' % name.encode("utf-8", "surrogateescape") + source)
        for header, content in headers.items():
            Path(folder, header).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, header).write_text(content)
        command = [nvcc, "-x", "cu", "-ptx", *options, f"-I{folder}", str(text), "-o", str(made)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CompileError("", f"nvcc: {error}") from None
        log = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
        if done.returncode != 0:
            raise CompileError(log, "nvcc failed")
        return Built(made.read_bytes(), log, {})
