"""The threads of a launch in lock step: registers are arrays with one element a thread, whatever its block and warp."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.interpreter import atomics, exchange, flow, mbarriers, memory
from tests.support.interpreter.memory import FUNCTIONS, Memory, ProgramError
from tests.support.interpreter.numbers import plain
from tests.support.interpreter.numbers.operations import Array, I, U, ones, signed
from tests.support.interpreter.parse import Parser
from tests.support.interpreter.text import Function, Statement, Variable, width_of

LaneReader = Callable[[Array], Array]
LaneWriter = Callable[[Array, Array], None]
AXES = "xyz"


def three(x: Any) -> tuple[int, int, int]:
    t = (x,) if isinstance(x, int) else tuple(x)
    return (*t, 1, 1)[:3]  # type: ignore[return-value]


class Machine:
    def __init__(self, module: Parser, kernel: str, grid: Any, block: Any, shared_bytes: int = 0) -> None:
        self.module, self.kernel = module, module.functions[kernel]
        self.grid, self.block = three(grid), three(block)
        self.lanes_of_block = (int(np.prod(self.block)) + 31) // 32 * 32
        blocks = int(np.prod(self.grid))
        self.size = blocks * self.lanes_of_block
        everyone = np.arange(self.size)
        self.block_of, self.thread = everyone // self.lanes_of_block, everyone % self.lanes_of_block
        self.lane, self.warp_base = everyone % 32, everyone // 32 * 32
        self.exists = self.thread < int(np.prod(self.block))
        self.addresses: dict[str, int] = {}
        self.shared_of: dict[int, dict[str, int]] = {}
        self.memory = Memory(self.block_of, self.lay_out_shared(shared_bytes))
        self.registers: dict[str, dict[str, Array]] = {}
        self.place_variables()
        self.flow = flow.Flow(self)
        for f in module.functions.values():
            self.prepare(f)
        self.flow.compile()

    # ---------------------------------------------------------------- what lies where
    def lay_out_shared(self, dynamic: int) -> int:
        top, late = 0, []
        named = [v for v in self.module.variables.values() if v.state == ".shared"]
        reached = [f for f in self.module.functions.values() if f is self.kernel or not f.entry]
        for variable in named + [v for f in reached for v in f.shared]:
            if variable.count == 0:
                late.append(variable)
                continue
            top = -(-top // variable.align) * variable.align
            variable.offset, top = top, top + variable.nbytes
        self.shared_end = (top + 15 & ~15) + dynamic if dynamic else top
        for variable in late:
            variable.offset = top + 15 & ~15
        return self.shared_end

    def place_variables(self) -> None:
        held = [v for v in self.module.variables.values() if v.state in (".global", ".const")]
        for variable in held:
            self.addresses[variable.name] = self.memory.allocate(np.zeros(variable.nbytes, np.uint8))
        for k, name in enumerate(self.module.functions):
            self.addresses[name] = FUNCTIONS + 16 * k
        for variable in held:
            nbytes = max(width_of(variable.kind), 8) // 8
            for k, v in enumerate(variable.values):
                at = np.array([self.addresses[variable.name] + k * nbytes], U)
                word = U(self.constant(v, variable.kind) & ((1 << 8 * nbytes) - 1))
                self.memory.write("global", np.zeros(1, I), at, nbytes, np.array([word]))

    def constant(self, x: Any, kind: str) -> int:
        if x[0] == "int":
            return int(x[1])
        if x[0] == "bits":
            if x[2] == 32 and kind == "f64":
                return int(np.float64(np.uint32(x[1]).view(np.float32)).view(U))
            if x[2] == 64 and kind == "f32":
                return int(np.float32(U(x[1]).view(np.float64)).view(np.uint32))
            return int(x[1])
        if x[0] == "real":
            return int(np.float32(x[1]).view(np.uint32)) if width_of(kind) == 32 else int(np.float64(x[1]).view(U))
        if x[0] == "sum":
            return self.constant(x[1], kind) + int(x[2])
        if x[1] in ("WARP_SZ",):
            return 32
        return self.addresses[x[1]]

    def prepare(self, f: Function) -> None:
        made: dict[str, Array] = {}
        for name, kind in f.registers.items():
            made[name] = np.zeros(self.size, bool if kind == "pred" else U)
        self.registers[f.name] = made
        top = 0
        for variable in f.frame:
            top = -(-top // variable.align) * variable.align
            variable.offset, top = top, top + variable.nbytes
        f.frame_bytes = top + 15 & ~15

    # ---------------------------------------------------------------- operands
    def is_predicate(self, f: Function, x: Any) -> bool:
        return x[0] == "not" or (x[0] == "name" and f.registers.get(x[1]) == "pred")

    def frame_variable(self, f: Function, name: str) -> Variable | None:
        return next((v for v in f.frame if v.name == name), None)

    def reader(self, f: Function, x: Any, kind: str) -> LaneReader:
        """What an operand of a type reads as in some lanes."""
        if x[0] == "not":
            inner = self.reader(f, x[1], "pred")
            return lambda lanes: ~inner(lanes)
        if x[0] == "name" and x[1] in f.registers:
            register = self.registers[f.name][x[1]]
            if register.dtype == bool or width_of(kind) >= 64:
                return lambda lanes: register[lanes]
            mask = ones(width_of(kind))
            return lambda lanes: register[lanes] & mask
        if x[0] in ("name", "sum"):
            found = self.symbol(f, x, kind)
            if found is not None:
                return found
        value = self.constant(x, kind)
        if kind == "pred":
            return lambda lanes: np.full(len(lanes), bool(value))
        word = U(value & ((1 << min(width_of(kind), 64)) - 1))
        return lambda lanes: np.full(len(lanes), word)

    def symbol(self, f: Function, x: Any, kind: str) -> LaneReader | None:
        name, more = (x[1][1], x[2]) if x[0] == "sum" else (x[1], 0)
        if name in f.registers:
            register = self.registers[f.name][name]
            return lambda lanes: register[lanes] + U(more & ((1 << 64) - 1))
        if name.startswith("%"):
            special = self.special(name)
            mask = ones(min(width_of(kind), 64))
            return lambda lanes: special[lanes].astype(U) & mask
        local = self.frame_variable(f, name)
        if local is not None:
            start = self.flow.frame
            return lambda lanes: start[lanes] + U(local.offset + more)
        shared = next(
            (v for v in [*f.shared, *self.module.variables.values()] if v.name == name and v.state == ".shared"), None
        )
        if shared is not None:
            return lambda lanes: np.full(len(lanes), U(shared.offset + more))
        return None

    def special(self, name: str) -> Array:
        whole = np.ones(self.size, I)
        base, _, axis = name[1:].partition(".")
        if base in ("tid", "ctaid", "ntid", "nctaid", "clusterid", "nclusterid"):
            k = AXES.index(axis)
            sizes = self.block if "tid" in base and "cta" not in base else self.grid
            if base in ("ntid", "nctaid", "nclusterid"):
                return whole * sizes[k]
            index = self.thread if base == "tid" else self.block_of
            return index // int(np.prod(sizes[:k])) % sizes[k]
        simple = {
            "laneid": self.lane,
            "warpid": self.thread // 32,
            "nwarpid": whole * (self.lanes_of_block // 32),
            "WARP_SZ": whole * 32,
            "smid": whole * 0,
            "nsmid": whole,
            "gridid": whole * 0,
            "cluster_ctarank": whole * 0,
            "cluster_nctarank": whole,
            "lanemask_eq": 1 << self.lane,
            "lanemask_lt": (1 << self.lane) - 1,
            "lanemask_le": (2 << self.lane) - 1,
            "lanemask_gt": 0xFFFFFFFF & ~((2 << self.lane) - 1),
            "lanemask_ge": 0xFFFFFFFF & ~((1 << self.lane) - 1),
            "dynamic_smem_size": whole * 0,
            "clock": whole * 0,
            "clock64": whole * 0,
            "globaltimer": whole * 0,
            "cluster_ctaid": whole * 0,
            "cluster_nctaid": whole,
            "is_explicit_cluster": whole * 0,
        }
        if base not in simple:
            raise ProgramError(f"{name} is not known here")
        return simple[base]

    def writer(self, f: Function, x: Any, kind: str) -> LaneWriter:
        if x[0] == "none":
            return lambda _lanes, _x: None
        register = self.registers[f.name][x[1]]
        if register.dtype == bool:

            def put(lanes: Array, v: Array) -> None:
                register[lanes] = v

            return put
        n, wide = width_of(kind), width_of(f.registers[x[1]])
        mask = ones(min(n, wide))
        if kind[0] == "s" and wide > n:
            return lambda lanes, v: register.__setitem__(lanes, signed(v, n).view(U) & ones(wide))
        return lambda lanes, v: register.__setitem__(lanes, v & mask)

    def address(self, f: Function, x: Any) -> LaneReader:
        _, base, more = x
        read = self.reader(f, base, "b64")
        offset = U(more & ((1 << 64) - 1))
        narrow = base[0] == "name" and f.registers.get(base[1]) in ("b32", "u32", "s32")
        if narrow:
            return lambda lanes: (read(lanes) + offset) & ones(32)
        return lambda lanes: read(lanes) + offset

    # ---------------------------------------------------------------- statements
    def compile(self, f: Function, s: Statement) -> Callable[[Array], None]:
        op = "mbarrier" if "mbarrier" in s.parts else s.parts[0]
        for table in (memory.HANDLERS, atomics.HANDLERS, plain.HANDLERS, exchange.HANDLERS, mbarriers.HANDLERS):
            if op in table:
                return table[op](self, f, s)
        raise ProgramError(f"line {s.line}: {s.opcode} is not known here")
