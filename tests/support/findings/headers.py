"""NVRTC reads the headers of many texts once."""

import ctypes
from functools import cache
from pathlib import Path

from warpsim.compile import toolkit

HEADER_BYTES = 384 << 20


@cache
def _has_room() -> bool:
    """NVRTC keeps what it has read of headers in 256 MB, or not at all: those of CUDA's C++ library need 300."""
    library = toolkit.nvrtc()
    return library is not None and library.nvrtcSetPCHHeapSize(ctypes.c_size_t(HEADER_BYTES)) == 0


def read_once(folder: Path) -> list[str]:
    """The options for that: the folder keeps what was read for texts that begin alike."""
    return ["--pch", f"--pch-dir={folder}"] if _has_room() else []
