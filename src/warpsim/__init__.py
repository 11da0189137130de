"""Warp-level matrix memory instructions of NVIDIA GPUs, without a GPU."""

from . import _core, dtypes, testing
from . import explorer as _explorer  # noqa: F401 - it shows the reports
from ._core import Result, Traffic
from .capture.replay import Capture
from .compile.cuda import compile
from .compile.numba import numba
from .compile.raw import RawKernel
from .compile.triton import triton
from .dtypes import fp4_to_mma
from .errors import (
    CompileError,
    ConflictingWritesError,
    DeadlockError,
    DivergentOperandsError,
    DivergentQualifiersError,
    ExitedThreadError,
    HardwareTrap,
    InactiveLaneError,
    InvalidLaneAddressError,
    KernelAssertionError,
    MisalignedAddressError,
    NonSharedAddressError,
    OutOfBoundsError,
    OutOfMemoryError,
    PtxSyntaxError,
    RaceError,
    StepLimitError,
    StrideError,
    TrapError,
    UndefinedBehaviorError,
    UninitializedError,
    UnknownHardwareBehaviorError,
    UnsupportedError,
    WarpsimError,
)
from .instruction.banks import BankReport
from .instruction.base import DataMovement
from .instruction.explanation import Explanation
from .instruction.findings import RULES, Finding, Findings, InstructionFinding, Rule
from .instruction.fragment_map import FragmentMap
from .instruction.instruction import Instruction
from .instruction.issue import issue
from .instruction.kinds import (
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
from .instruction.legality import Legality
from .instruction.products import Mma, WmmaMma
from .kernel.arguments import Param, uninitialized
from .kernel.module import Kernel, Module
from .kernel.report import KernelReport
from .kernel.stops import KernelFinding
from .lint.lint import lint
from .lint.report import LintFinding, LintReport
from .loop.mainloop import LoopReport, mainloop
from .memory.memory import AddressSpace, GlobalMemory, SharedMemory
from .sweep.sweep import sweep
from .targets import product as product
from .targets import target_of
from .tile import tile_remedy as _tile_remedy  # noqa: F401 - it says which layout is better
from .tile.explain import explain
from .tile.layout import Layout, Swizzle
from .tile.remedy import Remedy
from .tile.report import TileFinding, TileReport, TileSide
from .tile.search import search
from .tile.search_result import SearchResult
from .tile.tiles import tile, tile_steps
from .time.architecture import Arch, arch
from .time.constant import Constant
from .time.cost import Cost, ProgramCost, cost
from .time.occupancy import Occupancy, occupancy
from .values.struct import Struct
from .values.tensor_map import TensorMap, tensor_map

__version__ = _core.VERSION

__all__ = [
    "RULES",
    "AddressSpace",
    "Arch",
    "BankReport",
    "Capture",
    "CompileError",
    "ConflictingWritesError",
    "Constant",
    "Cost",
    "CpAsync",
    "DataMovement",
    "DeadlockError",
    "DivergentOperandsError",
    "DivergentQualifiersError",
    "ExitedThreadError",
    "Explanation",
    "Finding",
    "Findings",
    "FragmentMap",
    "GlobalMemory",
    "HardwareTrap",
    "InactiveLaneError",
    "Instruction",
    "InstructionFinding",
    "InvalidLaneAddressError",
    "Kernel",
    "KernelAssertionError",
    "KernelFinding",
    "KernelReport",
    "Layout",
    "Ld",
    "Ldmatrix",
    "Legality",
    "LintFinding",
    "LintReport",
    "LoopReport",
    "MisalignedAddressError",
    "Mma",
    "Module",
    "Movmatrix",
    "NonSharedAddressError",
    "Occupancy",
    "OutOfBoundsError",
    "OutOfMemoryError",
    "Param",
    "ProgramCost",
    "PtxSyntaxError",
    "RaceError",
    "RawKernel",
    "Remedy",
    "Result",
    "Rule",
    "SearchResult",
    "SharedMemory",
    "St",
    "StepLimitError",
    "Stmatrix",
    "StrideError",
    "Struct",
    "Swizzle",
    "TensorMap",
    "TileFinding",
    "TileReport",
    "TileSide",
    "Traffic",
    "TrapError",
    "UndefinedBehaviorError",
    "UninitializedError",
    "UnknownHardwareBehaviorError",
    "UnsupportedError",
    "WarpsimError",
    "WmmaLoad",
    "WmmaMma",
    "WmmaStore",
    "__version__",
    "arch",
    "compile",
    "cost",
    "dtypes",
    "explain",
    "fp4_to_mma",
    "issue",
    "ldmatrix",
    "lint",
    "mainloop",
    "movmatrix",
    "numba",
    "occupancy",
    "parse",
    "search",
    "stmatrix",
    "sweep",
    "target_of",
    "tensor_map",
    "testing",
    "tile",
    "tile_steps",
    "triton",
    "uninitialized",
    "wmma_load",
    "wmma_store",
]


def __dir__() -> list[str]:
    """The public names, without the modules that they come from."""
    return __all__
