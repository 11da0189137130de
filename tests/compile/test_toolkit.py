"""Installed toolkits: which headers belong together, and which files are the libraries of the compiler."""

import ctypes
import sys
from pathlib import Path

import pytest

from warpsim.compile import toolkit


def test_headers_of_two_versions_do_not_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    headers = {new: ["include/cccl/cuda/std/version", "include/cuda_runtime.h"],
               old: ["include/cccl/cuda/std/version", "include/cuda_runtime.h", "include/curand_kernel.h"]}  # fmt: skip
    for place, names in headers.items():
        for name in names:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).touch()
    monkeypatch.setattr(toolkit, "places", lambda: [new, old])
    assert toolkit.includes() == [new / "include", new / "include" / "cccl", old / "include"]


def installed(folder: Path) -> Path:
    """A toolkit with the compiler of this machine and what stands beside it in NVIDIA's own."""
    patterns = ("lib*/libnvrtc.so.*", "lib*/libnvrtc-builtins.so.*")
    found = {path.name: path for place in toolkit.places() for pattern in patterns for path in place.glob(pattern)}
    if sys.platform != "linux" or not found:
        pytest.skip("NVRTC is not installed: pip install 'warpsim[cuda]'")
    (folder / "lib64").mkdir(parents=True)
    for name, path in found.items():
        (folder / "lib64" / name).symlink_to(path)
    for other in ("libnvrtc-builtins_static.a", "libnvrtc_static.a", "libnvrtc-builtins.alt.so.14.0"):
        (folder / "lib64" / other).write_bytes(b"!<arch>\n")
    return folder


def test_a_toolkit_with_static_libraries_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = installed(tmp_path / "cuda")
    monkeypatch.setattr(toolkit, "places", lambda: [folder])
    library, major, minor = toolkit._load(), ctypes.c_int(), ctypes.c_int()
    assert library is not None
    assert library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)) == 0 and major.value >= 11


def test_a_library_that_does_not_load_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, damaged = installed(tmp_path / "cuda"), tmp_path / "damaged"
    (damaged / "lib64").mkdir(parents=True)
    (damaged / "lib64" / "libnvrtc.so.13").write_bytes(b"\x7fELF")
    monkeypatch.setattr(toolkit, "places", lambda: [damaged])
    assert toolkit._load() is None
    monkeypatch.setattr(toolkit, "places", lambda: [damaged, folder])
    assert toolkit._load() is not None
