"""What one warp was asked to access: the part of a call that a report keeps."""

from __future__ import annotations

from dataclasses import dataclass

from ..pickling import Kept


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
