"""Where CUDA's compilers and headers are: in NVIDIA's wheels, else in an installed toolkit."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

MISSING = (
    "compiling CUDA C++ needs NVIDIA's compiler: pip install 'warpsim[cuda]', or put nvcc of a CUDA toolkit on PATH"
)
LIBRARIES = ("lib/libnvrtc.so.*", "lib64/libnvrtc.so.*", "bin/nvrtc64_*.dll", "bin/x64/nvrtc64_*.dll")
#: beside each, what it loads: a toolkit has static libraries and .alt ones there, too
BUILTINS = ("libnvrtc-builtins.so.*", "nvrtc-builtins64_*.dll")
HEADERS = ("include", "include/cccl", "cccl/include")
#: one header of each library of CUDA
LIBRARY_HEADERS = (
    "cuda_runtime.h", "cuda_fp16.h", "crt/host_defines.h", "cooperative_groups.h", "nv/target", "cuda/std/version",
    "cub/version.cuh", "thrust/version.h", "curand_kernel.h", "cufftdx.hpp", "cuComplex.h",
)  # fmt: skip


def _wheels() -> Iterator[Path]:
    """The folders of NVIDIA's wheels: nvidia/cu13, and nvidia/cuda_nvrtc of older ones."""
    spec = importlib.util.find_spec("nvidia")
    for place in spec.submodule_search_locations or () if spec else ():
        yield from sorted((folder for folder in Path(place).glob("*") if folder.is_dir()), reverse=True)


def _toolkits() -> Iterator[Path]:
    """The folders of installed toolkits."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    found = shutil.which("nvcc")
    if found:
        yield Path(found).resolve().parents[1]
    yield Path("/usr/local/cuda")


def places() -> list[Path]:
    """Where to look, wheels first."""
    return [*_wheels(), *_toolkits()]


def includes() -> list[Path]:
    """The folders of CUDA's headers: of each of its libraries the first that there is, since versions do not mix."""
    folders = [folder for place in places() for name in HEADERS if (folder := place / name).is_dir()]
    first = (next((folder for folder in folders if (folder / header).is_file()), None) for header in LIBRARY_HEADERS)
    chosen = {folder for folder in first if folder is not None}
    return list(dict.fromkeys(folder for folder in folders if folder in chosen))


def _opened(path: Path) -> ctypes.CDLL | None:
    """A library and what it loads, or None if the system refuses it: another machine's, or cut short."""
    try:
        for builtins in (one for pattern in BUILTINS for one in sorted(path.parent.glob(pattern))):
            if ".alt." not in builtins.name:
                ctypes.CDLL(str(builtins))  # else the library looks for it in the system's folders alone
        return ctypes.CDLL(str(path))
    except OSError:
        return None


def _load() -> ctypes.CDLL | None:
    paths = (path for place in places() for pattern in LIBRARIES for path in sorted(place.glob(pattern)))
    usable = (path for path in paths if ".alt." not in path.name and "builtins" not in path.name)
    return next((library for path in usable if (library := _opened(path)) is not None), None)


_loaded = cache(_load)


def nvrtc() -> ctypes.CDLL | None:
    """The library, or None where it is not installed."""
    return _loaded()


def nvcc() -> str | None:
    """The path of nvcc, or None."""
    name = "nvcc.exe" if os.name == "nt" else "nvcc"
    found = (path for place in _wheels() if (path := place / "bin" / name).is_file())
    return next((str(path) for path in found), None) or shutil.which("nvcc")
