"""What one warp was asked to access: the part of a call that a report keeps."""

from __future__ import annotations

from dataclasses import dataclass

from ..pickling import Kept

SHOWN = 4


@dataclass(frozen=True, slots=True)
class Access(Kept):
    """An instruction and the addresses of one warp.

    `addresses`: 32 of them, one for wmma where the lanes pass the same, none for movmatrix.
    `stride`: in elements; None: the default. `is_plain`: all lanes run, with one stride for all of
    them, and without global addresses of cp.async.
    """

    ptx: str
    addresses: tuple[int, ...]
    stride: int | None
    target: str | None
    is_plain: bool

    def words(self) -> str:
        """The addresses in a line, the first of many."""
        shown = " ".join(f"{address:#x}" for address in self.addresses[:SHOWN])
        more = " ..." if len(self.addresses) > SHOWN else ""
        stride = "" if self.stride is None else f", stride {self.stride}"
        return f"addresses {shown}{more}{stride}" if shown else ""
