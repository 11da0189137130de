from collections.abc import Callable, Sequence
from typing import Any, final

from ..statement import Row, Statement

ARGUMENT: int
VARIABLE: int
CONSTANT: int
PARAMETERS: int
HEAP: int
FIRST_GLOBAL: int
FIRST_PARAMETER: int
MOST_JUDGED: int
KERNEL_RULES: dict[str, int]
MOST_RELEASES: int
SPACES: dict[int, str]
__test__: dict[str, str]

@final
class Module:
    def __init__(self, text: bytes) -> None: ...
    @property
    def version(self) -> int: ...
    @property
    def targets(self) -> tuple[str, ...]: ...
    @property
    def statement_count(self) -> int: ...
    def entries(self) -> list[tuple[Any, ...]]: ...
    def variables(self) -> list[tuple[str, str, str, int, int, bool, bool, bool]]: ...
    def initial(self, number: int) -> tuple[list[tuple[int, bytes]], list[tuple[int, int, int, bool, int, int]]]: ...
    def function_address(self, number: int) -> int: ...
    def place(self, statement: int) -> tuple[int, int, str]: ...
    def source(self, statement: int) -> tuple[int, int]: ...
    def files(self) -> tuple[str, ...]: ...

@final
class Program:
    module: Module
    refused: tuple[int, ...]
    def __init__(self, module: Module, kernel: int, target: int, simd: int, contracts: bool) -> None: ...
    @property
    def shared_bytes(self) -> int: ...
    @property
    def local_bytes(self) -> int: ...
    @property
    def parameter_bytes(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def needs_heap(self) -> bool: ...
    def statements(self) -> list[int]: ...
    def offset(self, variable: int) -> int | None: ...

Names = tuple[Sequence[tuple[str, int, int]], Sequence[tuple[str, int, int]], Sequence[str]]

def row(opcode: str) -> Row: ...
def statement(module: Module, number: int) -> Statement: ...
def statement_at(module: Module, line: int, column: int) -> int | None: ...
def opcodes(program: Program) -> list[tuple[str, int]]: ...
def near(names: Names, space: int, address: int) -> tuple[str | None, int | None, int | None]: ...
def told(
    program: Program,
    rows: list[tuple[Any, ...]],
    grid: tuple[int, int, int],
    threads: tuple[int, int, int],
    cluster: tuple[int, int, int],
    names: Names,
) -> list[tuple[tuple[Any, ...], str, str, tuple[str | None, int | None, int | None], list[int]]]: ...

@final
class Launch:
    cancelled: bool
    steps: int
    done: int
    stop: tuple[Any, ...] | None
    sampled: bytes | None
    inexact: set[int]
    found: list[tuple[Any, ...]]
    lost: int
    def __init__(
        self,
        program: Program,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        regions: list[tuple[Any, ...]],
        parameters: bytes,
        variables: list[int],
        shared_bytes: int,
        stack_bytes: int,
        order: int,
        simd: int,
        heap: tuple[int, int],
        printed_bytes: int,
        counts: bool,
        checks: bool,
        stops_at: int,
        alone: bool,
        picked: tuple[int, int, tuple[int, int, int, int], Any],
        names: Names,
        made: bytes | None = None,
        cluster: tuple[int, int, int] | None = None,
    ) -> None: ...
    @property
    def unjudged(self) -> list[int]: ...
    @property
    def unordered(self) -> bool: ...
    @property
    def leaks(self) -> list[tuple[object, ...]]: ...
    def run(self, max_steps: int, looks: bool, look: Callable[[], object] | None = None) -> None: ...
    def lines(self) -> bytes | None: ...
    def touched(self) -> bytes | None: ...
    def printed_records(self, begin: int) -> tuple[bytes, int]: ...
