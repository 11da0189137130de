"""Where the headers, the build-system files and the explorer of the installed package are."""

from __future__ import annotations

from pathlib import Path


def _inside(*parts: str) -> Path:
    from importlib.resources import files  # noqa: PLC0415 - milliseconds of every import

    return Path(str(files("warpsim").joinpath(*parts)))


def includes() -> Path:
    """The directory for -I: `#include <warpsim/warpsim.h>`."""
    return _inside("include")


def cmake_dir() -> Path:
    """For -Dwarpsim_DIR=: where warpsimConfig.cmake is."""
    return _inside("lib", "cmake", "warpsim")


def pkgconfig_dir() -> Path:
    """For PKG_CONFIG_PATH: where warpsim.pc is."""
    return _inside("lib", "pkgconfig")


def explorer() -> Path:
    """The explorer: one page, which can be copied to any static host."""
    return _inside("data", "explorer.html")
