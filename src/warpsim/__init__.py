"""Warp-level matrix memory instructions of NVIDIA GPUs, without a GPU."""

from . import _core, testing
from .architecture import Arch, Constant, arch
from .cost import Cost, ProgramCost, cost
from .dtypes import fp4_to_mma
from .errors import (
    DivergentOperandsError,
    DivergentQualifiersError,
    ExitedThreadError,
    HardwareTrap,
    InactiveLaneError,
    InvalidLaneAddressError,
    MisalignedAddressError,
    NonSharedAddressError,
    OutOfBoundsError,
    OutOfMemoryError,
    PtxSyntaxError,
    StrideError,
    UndefinedBehaviorError,
    UnknownHardwareBehaviorError,
    UnsupportedError,
    WarpsimError,
)
from .findings import RULES, Finding, Findings, Rule
from .fragment_map import FragmentMap
from .instruction import Instruction
from .instructions import (
    CpAsync,
    Ld,
    Ldmatrix,
    Movmatrix,
    St,
    Stmatrix,
    WmmaLoad,
    WmmaStore,
    ldmatrix,
    movmatrix,
    parse,
    stmatrix,
    wmma_load,
    wmma_store,
)
from .issue import issue
from .layout import Layout, Swizzle
from .lint import lint
from .lint_report import LintReport
from .mainloop import LoopReport, mainloop
from .memory import AddressSpace, GlobalMemory, SharedMemory
from .results import BankReport, Legality, Result, Traffic
from .search import search
from .search_result import SearchResult
from .sweep import sweep
from .tile_report import TileFinding, TileReport, TileSide
from .tiles import tile, tile_steps

__version__ = _core.VERSION

__all__ = [
    "RULES",
    "AddressSpace",
    "Arch",
    "BankReport",
    "Constant",
    "Cost",
    "CpAsync",
    "DivergentOperandsError",
    "DivergentQualifiersError",
    "ExitedThreadError",
    "Finding",
    "Findings",
    "FragmentMap",
    "GlobalMemory",
    "HardwareTrap",
    "InactiveLaneError",
    "Instruction",
    "InvalidLaneAddressError",
    "Layout",
    "Ld",
    "Ldmatrix",
    "Legality",
    "LintReport",
    "LoopReport",
    "MisalignedAddressError",
    "Movmatrix",
    "NonSharedAddressError",
    "OutOfBoundsError",
    "OutOfMemoryError",
    "ProgramCost",
    "PtxSyntaxError",
    "Result",
    "Rule",
    "SearchResult",
    "SharedMemory",
    "St",
    "Stmatrix",
    "StrideError",
    "Swizzle",
    "TileFinding",
    "TileReport",
    "TileSide",
    "Traffic",
    "UndefinedBehaviorError",
    "UnknownHardwareBehaviorError",
    "UnsupportedError",
    "WarpsimError",
    "WmmaLoad",
    "WmmaStore",
    "__version__",
    "arch",
    "cost",
    "fp4_to_mma",
    "issue",
    "ldmatrix",
    "lint",
    "mainloop",
    "movmatrix",
    "parse",
    "search",
    "stmatrix",
    "sweep",
    "testing",
    "tile",
    "tile_steps",
    "wmma_load",
    "wmma_store",
]
