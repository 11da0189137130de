"""nvcc, for machines without NVRTC and for files that have host code: CUDA C++ to PTX by its own process."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..arguments import shown
from ..errors import CompileError, bad_value
from .nvrtc import Built
from .options import words

TIMEOUT = 600  # seconds
#: what means something between double quotes, which nvcc puts around each word for a shell
SHELL = '$`"\\' if os.sep == "/" else '"'
_DEFINE = re.compile(r"(?:-D|--?define-macro=)([A-Za-z_]\w*(?:\([\w, .]*\))?)=([^\n\r]*[^\n\r\\])")


def _without_shell(options: Sequence[str]) -> tuple[list[str], str]:
    """The options, and as lines of source those macros that a shell would read otherwise."""
    told, defined = [], ""
    for word in words(options):
        macro = _DEFINE.fullmatch(word) if set(SHELL) & set(word) else None
        if macro is None:
            told.append(word)
        else:
            defined += f"#define {macro[1]} {macro[2]}\n"
    return told, defined


def build(
    nvcc: str, source: bytes, name: str, headers: Mapping[str, str], options: Sequence[str], names: Sequence[str]
) -> Built:
    """Compiles a text; CompileError says what nvcc says."""
    if any("<" in one for one in names):
        raise CompileError("", "kernels that are templates need NVRTC: pip install 'warpsim[cuda]'")
    with tempfile.TemporaryDirectory() as folder:
        text, made = Path(folder, "source.cu"), Path(folder, "made.ptx")
        quoted = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
        told, defined = _without_shell(options)
        head = f'{defined}#line 1 "{quoted}"\n'.encode("utf-8", "surrogateescape")
        text.write_bytes(head + source)
        for header, content in headers.items():
            if Path(header).is_absolute() or ".." in Path(header).parts:
                raise bad_value("headers", f"expected names as #include has them, without '..'; got {shown(header)}")
            Path(folder, header).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, header).write_bytes(content.encode("utf-8", "surrogateescape"))
        command = [nvcc, "-x", "cu", "-ptx", *told, f"-I{folder}", str(text), "-o", str(made)]
        wrong = next((word for word in command if set(SHELL) & set(word)), None)
        if wrong is not None:
            raise bad_value("options", f"nvcc runs a shell: expected no word with {SHELL}, got {shown(wrong)}")
        try:
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CompileError("", f"nvcc: {error}") from None
        log = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
        if done.returncode != 0:
            raise CompileError(log, "nvcc failed")
        return Built(made.read_bytes(), log, {})
