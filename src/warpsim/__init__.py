"""Warp-level matrix memory instructions of NVIDIA GPUs, without a GPU."""

from . import _core
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
    PtxSyntaxError,
    StrideError,
    UndefinedBehaviorError,
    UnknownHardwareBehaviorError,
    UnsupportedError,
    WarpsimError,
)
from .findings import RULES, Finding, Findings, Rule
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
from .memory import AddressSpace, GlobalMemory, SharedMemory
from .results import BankReport, FragmentMap, Legality, Result, Traffic
from .sweep import sweep

__version__ = _core.VERSION

__all__ = [
    "RULES",
    "AddressSpace",
    "BankReport",
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
    "MisalignedAddressError",
    "Movmatrix",
    "NonSharedAddressError",
    "OutOfBoundsError",
    "PtxSyntaxError",
    "Result",
    "Rule",
    "SharedMemory",
    "St",
    "Stmatrix",
    "StrideError",
    "Swizzle",
    "Traffic",
    "UndefinedBehaviorError",
    "UnknownHardwareBehaviorError",
    "UnsupportedError",
    "WarpsimError",
    "WmmaLoad",
    "WmmaStore",
    "__version__",
    "fp4_to_mma",
    "issue",
    "ldmatrix",
    "lint",
    "movmatrix",
    "parse",
    "stmatrix",
    "sweep",
    "wmma_load",
    "wmma_store",
]
