"""Products of a warp: mma, mma.sp and wmma.mma as values, and what they compute."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core, arguments, errors, targets
from ..errors import bad_type, bad_value
from ..memory import memory_limit
from ..targets import USUAL_TARGET
from .fragment_map import FragmentMap
from .instruction import Instruction
from .legality import Legality, verdict
from .product_report import ProductReport, report
from .product_text import product_text, scaling_words

OPERANDS = ("a", "b", "c", "d")
SCALES = ("scale_a", "scale_b")
ONLY_MMA = frozenset(("is_sparse", "selectors", "narrow", "scale_vec", "scale_type"))
Scales = NDArray[Any] | None


class Product(_core.Product, Instruction):
    """What Mma and WmmaMma share: D = A x B + C, by the 32 lanes of a warp together.

    `num_registers`: 32-bit registers of a lane, for each operand; an f64 value takes two. `selectors`:
    how many selectors there are, 0 if A is not sparse. `narrow`, `scale_vec`, `scale_type`: .kind, how
    many factors a row of A has (0 without .block_scale), and their type.

    >>> import warpsim as ws
    >>> op = ws.Mma(shape="m16n8k16", d="f32", a="bf16", b="bf16", c="f32")
    >>> op.num_registers
    {'d': 4, 'a': 4, 'b': 2, 'c': 4}
    """

    __slots__ = ()

    def _hidden(self) -> frozenset[str]:
        return frozenset() if isinstance(self, Mma) else ONLY_MMA

    @property
    def fragments(self) -> dict[str, FragmentMap]:
        """Which element each field of each register holds: "a", "b", "c", "d", "metadata", "scale_a", "scale_b".

        An f64 value counts as one register. "matrix" is 0, or which of the four products of f16
        m8n8k4. A of mma.sp: columns count its stored elements. "metadata": row of A, and which of
        the 2-bit indices of that row; matrix is the selector for which the field is read. "scale_a",
        "scale_b": row of A and chunk of its columns, chunk of its rows and column of B; matrix is
        thread-id times the byte-ids that there are, plus which of them: the field is read with these.
        """
        extra = ("metadata",) * self.is_sparse + SCALES * (self.scale_vec > 0)
        return {name: self.fragment(name) for name in (*OPERANDS, *extra)}

    def fragment(self, operand: str) -> FragmentMap:
        """One of `fragments`."""
        return FragmentMap(self, operand=operand)

    def legality(self, target: str, ptx_version: str | None = None) -> Legality:
        row, number = targets.named_row(target), targets.ptx_number_or_newest(ptx_version)
        return verdict(*_core.product_legality(self, row, number))

    def explain(self, *, target: str | None = None, ptx_version: str | None = None) -> ProductReport:
        """What `warpsim explain` prints: legality, how it is computed, and who holds what.

        `target` alone is judged at the newest PTX version.
        """
        target = None if target is None else targets.known_target(target)
        number = targets.ptx_number_or_newest(ptx_version)
        version = f"{number // 10}.{number % 10}"
        found = None if target is None else self.legality(target, version)
        return report(self, found, target, version)

    def multiply(
        self,
        a: ArrayLike,
        b: ArrayLike,
        c: ArrayLike,
        *,
        metadata: ArrayLike | None = None,
        selector: int = 0,
        scale_a: ArrayLike | None = None,
        scale_b: ArrayLike | None = None,
        scale_a_id: tuple[int, int] = (0, 0),
        scale_b_id: tuple[int, int] = (0, 0),
        target: str = USUAL_TARGET,
        threads: int = 1,
    ) -> NDArray[np.uint32]:
        """D of any number of products, bit for bit as `target` computes it: uint32 (..., 32, registers).

        `a`, `b`, `c`: uint32 (..., 32, registers); an f64 value is two words, the low one first.
        `metadata` (mma.sp): uint32 (..., 32), with `selector`, of which there are `selectors`.
        `scale_a`, `scale_b` (.block_scale): uint32 (..., 32), the factors as PTX's scale-a-data and
        scale-b-data; `scale_a_id`, `scale_b_id`: (byte-id, thread-id) of each.
        Measured on sm_90; other targets follow published models where they differ.

        >>> import numpy as np, warpsim as ws
        >>> op = ws.parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> ones = np.full((32, 4), 0x3C003C00, np.uint32)  # pairs of 1.0
        >>> d = op.multiply(ones, ones[:, :2], np.zeros((32, 4), np.uint32))
        >>> d.view(np.float32)[0]
        array([16., 16., 16., 16.], dtype=float32)
        """
        row = self._target_row(target)
        selector = arguments.whole("selector", selector)
        if not 0 <= selector < max(1, self.selectors):
            expected = f"0 to {self.selectors - 1}" if self.selectors > 1 else "0"
            raise bad_value("selector", f"expected {expected}, got {arguments.shown(selector)}")
        threads = arguments.positive_int("threads", threads)
        first = arguments.integers("a", a)
        batch = first.shape[:-2]
        n, counts = arguments.count_of(batch), self.num_registers
        with memory_limit.making_sure(n, n * 128 * counts["d"]):
            values = {"a": first, "b": b, "c": c}
            taken = {
                name: arguments.registers(name, value, (*batch, arguments.LANES, counts[name]), 32, "batch of a")
                for name, value in values.items()
            }
            words = self._metadata(metadata, batch)
            scales = self._scales((scale_a, scale_b), batch)
            ids = self._scale_ids((scale_a_id, scale_b_id))
            d = _core.new_array(np.empty, (*batch, arguments.LANES, counts["d"]), np.uint32)
        if n:
            _core.multiply(self, **taken, metadata=words, scales=scales, ids=ids, d=d, selector=selector, target=row,
                           threads=min(threads, _core.MOST_THREADS))  # fmt: skip
        return d

    def _metadata(self, metadata: ArrayLike | None, batch: tuple[int, ...]) -> NDArray[Any] | None:
        if not self.is_sparse:
            if metadata is not None:
                raise bad_value("metadata", f"{self.kind} does not take metadata, only mma.sp does; expected None")
            return None
        shape = (*batch, arguments.LANES)
        if metadata is None:
            raise bad_type("metadata", f"{self.kind} needs a word of each lane: expected shape {shape}, got None")
        return arguments.registers("metadata", metadata, shape, 32, "batch of a")

    def _scales(
        self, given: tuple[ArrayLike | None, ...], batch: tuple[int, ...]
    ) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
        shape = (*batch, arguments.LANES)
        for name, one in zip(SCALES, given, strict=True):
            if self.scale_vec == 0 and one is not None:
                raise bad_value(name, f"{self.ptx} does not take factors, only .block_scale does; expected None")
            if self.scale_vec and one is None:
                raise bad_type(name, f"block scaling needs a word of each lane: expected shape {shape}, got None")
        if self.scale_vec == 0:
            return None, None
        found = [
            arguments.registers(name, one, shape, 32, "batch of a") for name, one in zip(SCALES, given, strict=True)
        ]
        return found[0], found[1]

    def _scale_ids(self, given: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for name, one, threads in zip(SCALES, given, (2, 4), strict=True):
            if not isinstance(one, tuple) or len(one) != 2:
                raise bad_type(f"{name}_id", f"expected (byte-id, thread-id), got {arguments.shown(one)}")
            byte, thread = (arguments.whole(f"{name}_id", number) for number in one)
            bytes_ = range(0, 4, self.scale_vec) if self.scale_vec else range(1)
            if byte not in bytes_ or thread not in range(threads if self.scale_vec else 1):
                expected = f"a byte of {list(bytes_)} and a thread below {threads if self.scale_vec else 1}"
                raise bad_value(f"{name}_id", f"expected {expected}, got {arguments.shown(one)}")
            found.append((byte, thread))
        return found[0], found[1]

    def _target_row(self, target: str) -> int:
        """The core's row of the target; an error where it does not have the product or nobody knows how."""
        row = targets.named_row(target)
        if _core.product_min_ptx_at(self, row) == 0:
            reasons = _core.product_legality(self, row, _core.NEWEST_PTX)[1]
            raise errors.UnsupportedError(f"{self.ptx}: {'; '.join(reasons)}")
        if self.kind == "wmma.mma":
            is_known, is_sm_75 = _core.wmma_map(row)
            if not is_known or (is_sm_75 and self.d == "s32" and self.shape == "m8n32k16"):
                raise errors.UnknownHardwareBehaviorError(
                    f"{self.ptx}: which lane holds which element on {target} is not known; name sm_80 or later"
                )
        return row


class Mma(Product):
    """mma.sync, and with `sparsity` mma.sp: the product of a warp, operands in registers by fixed fragments.

    `shape`: "m16n8k16", ...; `a_layout`, `b_layout`: "row", "col" (only f16 m8n8k4 has others);
    `d`, `a`, `b`, `c`: element types; `sparsity`: "", "sp" or "sp::ordered_metadata"; `satfinite`:
    integers; `bits`: "xor" or "and", b1; `rounding`: "", "rn", "rz", "rm", "rp", f64; `narrow`:
    .kind, "f8f6f4", "mxf8f6f4", "mxf4" or "mxf4nvf4" (sm_120a, sm_121a); the last three with
    `scale_vec`, the factors of a row of A (1, 2 or 4), and `scale_type`, "ue8m0" or "ue4m3".
    Combinations that do not exist are UnsupportedError. Source: "Multiply-and-Accumulate
    Instruction: mma" of the PTX ISA.

    >>> import warpsim as ws
    >>> ws.Mma("m16n8k32", d="s32", a="s8", b="u8", c="s32", satfinite=True).ptx
    'mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32'
    """

    __slots__ = ()
    _fields = ("shape", "a_layout", "b_layout", "d", "a", "b", "c", "sparsity", "satfinite", "bits", "rounding",
               "narrow", "scale_vec", "scale_type")  # fmt: skip

    def __new__(
        cls,
        shape: str = "m16n8k16",
        a_layout: str = "row",
        b_layout: str = "col",
        d: str = "f32",
        a: str = "f16",
        b: str = "f16",
        c: str = "f32",
        sparsity: str = "",
        satfinite: bool = False,
        bits: str = "",
        rounding: str = "",
        narrow: str = "",
        scale_vec: int = 0,
        scale_type: str = "",
    ) -> Self:
        sparsity = arguments.word("sparsity", sparsity, ("", "sp", "sp::ordered_metadata"))
        scaling = scaling_words(narrow, scale_vec, scale_type)
        kind, layouts, types = f"mma.{sparsity}".rstrip("."), (a_layout, b_layout), (d, a, b, c)
        text = product_text(kind, shape, layouts, types, satfinite, bits, rounding, scaling)
        return _core.Product.__new__(cls, text)

    @property
    def sparsity(self) -> str:
        """Where A is compressed "sp" or "sp::ordered_metadata", else empty."""
        return self.kind.removeprefix("mma").lstrip(".")


class WmmaMma(Product):
    """wmma.mma: the product of a warp, operands as wmma.load leaves them in registers.

    The fields are those of Mma, without sparsity. f16 has D and C of f16 or f32 each. The
    fragments are those observed on sm_80 and later (PTX leaves them open). Source: "Warp-level
    Matrix Multiply-and-Accumulate Instruction: wmma.mma" of the PTX ISA.

    >>> import warpsim as ws
    >>> ws.WmmaMma(d="f32", c="f16").ptx
    'wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16'
    """

    __slots__ = ()
    _fields = ("shape", "a_layout", "b_layout", "d", "a", "b", "c", "satfinite", "bits", "rounding")

    def __new__(
        cls,
        shape: str = "m16n16k16",
        a_layout: str = "row",
        b_layout: str = "col",
        d: str = "f32",
        a: str = "f16",
        b: str = "f16",
        c: str = "f32",
        satfinite: bool = False,
        bits: str = "",
        rounding: str = "",
    ) -> Self:
        text = product_text("wmma.mma", shape, (a_layout, b_layout), (d, a, b, c), satfinite, bits, rounding)
        return _core.Product.__new__(cls, text)


for _kind in _core.PRODUCTS:
    _core.register_class(_kind, WmmaMma if _kind == "wmma.mma" else Mma)
_core.register_class("product", Product)
