from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, Self, TypeVar, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from ..instruction.findings import Findings as _PublicFindings

KINDS: tuple[str, ...]
REGISTER_READERS: tuple[str, ...]
SHAPES: tuple[str, ...]
TYPES: tuple[str, ...]
SPACES: tuple[str, ...]
CACHES: tuple[str, ...]
OPERANDS: tuple[str, ...]
LAYOUTS: tuple[str, ...]
COUNTERS: tuple[str, ...]
CONSTANTS: tuple[tuple[str, str, str], ...]
BASES: tuple[str, ...]
MANY_WARPS: int
COPY_WAVEFRONTS: int
BOUNDS: tuple[str, ...]
PROGRAM_PARTS: tuple[str, ...]
MAINLOOP_LIMITS: tuple[int, int, int]
SCHEDULE_KINDS: dict[str, int]
SCHEDULE_NOTHING: int
TARGETS: tuple[str, ...]
LIMITS: tuple[tuple[int, int, int, int, int] | None, ...]
STATIC_SHARED_BYTES: int
CONST_BYTES: int
PARAMETER_BYTES: int
EARLY_PARAMETER_BYTES: int
BLOCK_REGISTERS: int
BLOCK_THREADS: int
THREAD_REGISTERS: int
GRID_MOST: tuple[int, int, int]
BLOCK_MOST: tuple[int, int, int]
PRODUCTS: tuple[str, ...]
ROUNDINGS: tuple[str, ...]
NARROW_KINDS: tuple[str, ...]
BIT_OPERATIONS: tuple[str, ...]
MOST_THREADS: int
RULES: tuple[tuple[str, str, str, str | None, str | None, str, str, str | None], ...]
SEVERITIES: tuple[str, ...]
BANKS: int
NO_TARGET: int
SHARED_WINDOW: int
SHARED_WINDOW_BYTES: int
ELEMENT_TYPES: tuple[tuple[str, int, bool, int], ...]
TILE_STORES: tuple[str, ...]
TILE_LOADS: tuple[str, ...]
TILE_MOST_WARPS: int
SEARCH_SWIZZLES: tuple[tuple[int, int, int], ...]
SEARCH_MOST_PAD: int
SEARCH_MOST_OPS: int
SEARCH_REASONS: tuple[str, ...]
SEARCH_ROW: np.dtype[np.void]
NEWEST_PTX: int
VERSION: str
EXECUTE: Any
TRAFFIC: Any
__test__: dict[str, str]

_Finding = TypeVar("_Finding")
_U32 = NDArray[Any]
_Extent = tuple[NDArray[Any] | None, int, NDArray[Any] | None, int, int]

def register_class(kind: str, cls: type[Any]) -> None: ...
def register_room(make_sure: Callable[[int, int], None], refusal: Callable[[str, int, int], Exception]) -> None: ...
def simd_levels() -> tuple[str, ...]: ...
def get_simd() -> str: ...
def set_simd(level: str) -> None: ...
def new_array(make: Callable[..., NDArray[Any]], shape: tuple[int, ...], dtype: Any) -> NDArray[Any]: ...
def kept_bytes() -> int: ...
def free_kept() -> None: ...
def parsed(text: str, tell: Callable[..., str] = ...) -> Any: ...
def parse(text: str) -> Any: ...
def count_forms(op: Op) -> int: ...
def ptx_index(version: str) -> int: ...
def min_ptx_at(op: Op, target: int) -> int: ...
def legality(op: Op, target: int, ptx: int) -> tuple[bool, tuple[str, ...], int, tuple[str, ...]]: ...
def lint(
    text: str, target: int, ptx: int, cls: type[_Finding]
) -> tuple[list[tuple[int, Any]], dict[str, int], list[_Finding], str | None, str | None]: ...
def cost(
    op: Op, counters: NDArray[np.int64], passes: NDArray[np.float64], profile: Profile, warps: int
) -> tuple[float, float, str, dict[str, float], tuple[float | None, str], tuple[float | None, str]]: ...
def program_cost(
    ops: list[Any], counters: NDArray[np.int64], passes: NDArray[np.float64], profile: Profile
) -> tuple[float, float, str, dict[str, float], float | None, str]: ...
def mainloop_cost(
    tile: tuple[int, ...],
    warps: tuple[int, int],
    stages: int,
    trans_b: bool,
    a: LayoutCore,
    b: LayoutCore,
    profile: Profile,
    narrow_sums: bool,
    unpacked: bool,
    rows: NDArray[np.uint8] | None,
    registers: int,
) -> dict[str, Any]: ...
def newest_ptx(target: int) -> int: ...
def report_form(op: Op) -> tuple[str, int, str, list[str]]: ...
def report_findings(
    op: Op, address: NDArray[np.uint64], stride: int | None, target: int, layout: LayoutCore | None
) -> list[tuple[str, int | None, int | None, str, str]]: ...
def tile_cover(op: Op, layout: LayoutCore, warps: int, name: str) -> int: ...
def tile_steps(op: Op, layout: LayoutCore, warps: int) -> NDArray[np.int64]: ...
def tile_count(op: Op, layout: LayoutCore, warps: int, profile: Profile) -> tuple[Traffic, float, float | None]: ...
def tile_cycles(op: Op, wavefronts: NDArray[np.int64], profile: Profile) -> float: ...
def tile_findings(layout: LayoutCore, op: Op | None, profile: Profile) -> list[tuple[str, str]]: ...
def search(
    tile: LayoutCore,
    columns: NDArray[np.int64],
    unit_is_byte: bool,
    ops: tuple[Op, ...],
    weights: tuple[float, ...],
    warps: int,
    profile: Profile,
    max_bytes: int,
) -> NDArray[np.void]: ...
def search_rank(
    tile: LayoutCore, columns: NDArray[np.int64], rows: NDArray[np.void]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def wmma_map(target: int) -> tuple[bool, bool]: ...
def fragment(op: Op, int32_out: NDArray[Any], sm_75: bool = False) -> None: ...
def element_bits(op: Product, operand: str) -> int: ...
def product_min_ptx_at(op: Product, target: int) -> int: ...
def product_legality(op: Product, target: int, ptx: int) -> tuple[bool, tuple[str, ...], int, tuple[str, ...]]: ...
def product_fragment(op: Product, operand: str, int32_out: NDArray[Any]) -> None: ...
def multiply(
    op: Product,
    a: _U32,
    b: _U32,
    c: _U32,
    metadata: _U32 | None,
    scales: tuple[_U32 | None, _U32 | None],
    ids: tuple[tuple[int, int], tuple[int, int]],
    d: _U32,
    selector: int,
    target: int,
    threads: int,
) -> None: ...

@disjoint_base
class Product:
    def __new__(cls, text: str | None = None) -> Self: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    ptx: Final[str]
    kind: Final[str]
    shape: Final[str]
    a_layout: Final[str]
    b_layout: Final[str]
    d: Final[str]
    a: Final[str]
    b: Final[str]
    c: Final[str]
    bits: Final[str]
    rounding: Final[str]
    narrow: Final[str]
    scale_vec: Final[int]
    scale_type: Final[str]
    satfinite: Final[bool]
    is_sparse: Final[bool]
    selectors: Final[int]
    num_registers: Final[dict[str, int]]

@disjoint_base
class Op:
    execute: Callable[..., Result]
    traffic: Callable[..., Traffic]
    def __new__(cls, fields: dict[str, Any] | None = None) -> Self: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    kind: Final[str]
    shape: Final[str]
    type: Final[str]
    space: Final[str]
    cache: Final[str]
    operand: Final[str]
    layout: Final[str]
    is_wmma: Final[bool]
    default_stride: Final[int | None]
    matrix_shape: Final[tuple[int, int] | None]
    num: Final[int]
    trans: Final[bool]
    vec: Final[int]
    size: Final[int]
    ptx: Final[str]
    num_registers: Final[int]
    register_bits: Final[int]
    row_lanes: Final[int]
    access_bytes: Final[int]
    group_lanes: Final[int]
    fields: Final[int]
    is_collective: Final[bool]
    is_load: Final[bool]
    writes_memory: Final[bool]

@disjoint_base
class Image:
    @property
    def _bytes(self) -> NDArray[np.uint8]: ...
    @property
    def _base(self) -> int: ...
    def _hold(self, bytes_: NDArray[np.uint8], base: int, shared: bool) -> None: ...
    def _held(self) -> NDArray[np.uint8]: ...

@final
class Traffic:
    def __new__(
        cls, counts: NDArray[np.int64] | None = None, inexact: tuple[str, ...] = (), unknown: tuple[str, ...] = ()
    ) -> Self: ...
    @property
    def inexact(self) -> tuple[str, ...]: ...
    @property
    def unknown(self) -> tuple[str, ...]: ...
    @property
    def instructions(self) -> NDArray[np.int64]: ...
    @property
    def requests(self) -> NDArray[np.int64]: ...
    @property
    def wavefronts(self) -> NDArray[np.int64]: ...
    @property
    def ideal_wavefronts(self) -> NDArray[np.int64]: ...
    @property
    def bank_conflicts(self) -> NDArray[np.int64]: ...
    @property
    def sectors(self) -> NDArray[np.int64]: ...
    def sum(self) -> Traffic: ...
    def where(self, counted: NDArray[np.bool_]) -> Traffic: ...
    def to_dict(self) -> dict[str, Any]: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, value: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Result:
    __match_args__ = ("registers", "traffic", "findings", "ok")
    def __new__(
        cls,
        registers: NDArray[Any] | None = None,
        traffic: Traffic | None = None,
        findings: Sequence[Any] | None = None,
        ok: NDArray[np.bool_] | None = None,
    ) -> Self: ...
    @property
    def registers(self) -> NDArray[Any] | None: ...
    @property
    def traffic(self) -> Traffic | None: ...
    @property
    def findings(self) -> _PublicFindings: ...
    @property
    def ok(self) -> NDArray[np.bool_]: ...

@final
class Findings:
    def __len__(self) -> int: ...
    def get(self, index: int) -> tuple[str, int, int | None, int | None, str]: ...

@final
class Issue:
    def __new__(
        cls,
        op: Op,
        memory: _Extent,
        address: NDArray[Any] | None,
        source: NDArray[Any] | None,
        stride: NDArray[Any] | None,
        active: NDArray[Any] | None,
        exited: NDArray[Any] | None,
        n: int,
        target: int,
        policy: int,
    ) -> Issue: ...
    def check(self, ok: NDArray[Any]) -> tuple[Findings | None, bool]: ...
    def check_qualifiers(self, ops: Sequence[Op], ok: NDArray[Any]) -> Findings | None: ...
    def run(self, source_registers: NDArray[Any] | None, registers: NDArray[Any] | None, threads: int) -> None: ...
    def count(self, counts: NDArray[Any], threads: int) -> None: ...
    def passes(self, found: NDArray[np.float64]) -> None: ...
    def inexact(self) -> tuple[str, ...]: ...
    def bank_cells(self) -> tuple[list[int], list[tuple[int, int, int, int, int]]]: ...

@final
class Profile:
    def __new__(cls, target: int) -> Profile: ...
    @property
    def target(self) -> str: ...
    @property
    def target_row(self) -> int: ...
    def constant(self, index: int) -> tuple[float, str, str, float | None]: ...
    def put(self, index: int, value: float) -> None: ...

@final
class LayoutCore:
    def __new__(
        cls,
        rows: int,
        cols: int,
        pad: int,
        element_bits: int,
        packed: bool,
        col_major: bool,
        bits: int,
        base: int,
        shift: int,
        unit_is_byte: bool,
    ) -> LayoutCore: ...
    def place(self, rows: NDArray[Any], cols: NDArray[Any]) -> None: ...
    @property
    def pitch(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def element_bytes(self) -> int: ...
    def offsets(self, rows: NDArray[Any], cols: NDArray[Any], out: NDArray[Any]) -> None: ...
    def addresses(
        self, op: Op, rows: NDArray[Any], cols: NDArray[Any], by_row: bool, out: NDArray[Any]
    ) -> tuple[int, int, int] | None: ...

@final
class LintRun: ...
