"""NVRTC, NVIDIA's compiler as a library: CUDA C++ to PTX in this process, without a GPU."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ..errors import CompileError
from ..threads.patience import interruptible
from .host_headers import HOST_HEADERS

Answer = TypeVar("Answer")
_FLOW = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)  # 1: end


@dataclass(frozen=True)
class Built:
    """What a compiler made: PTX, what it said, and the PTX name of each kernel that was asked for by its C++ name."""

    ptx: bytes
    log: str
    names: Mapping[str, str]


def _text(value: str) -> bytes:
    return value.encode("utf-8", "surrogateescape")


def _texts(values: Sequence[str]) -> Any:
    return (ctypes.c_char_p * len(values))(*map(_text, values))


class _Program:
    """One program of the library, destroyed at the end of a with block."""

    def __init__(self, library: ctypes.CDLL, source: bytes, name: str, headers: Mapping[str, str]) -> None:
        self._library = library
        self._program = ctypes.c_void_p()
        self._call(
            "CreateProgram", ctypes.byref(self._program), source, _text(name), len(headers),
            _texts([*headers.values()]), _texts([*headers]), program=False,
        )  # fmt: skip

    def __enter__(self) -> _Program:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.nvrtcDestroyProgram(ctypes.byref(self._program))

    def heed(self, cancelled: threading.Event) -> None:
        """From now on a compilation ends once this is set. NVRTC before 12.8 cannot end one."""
        if hasattr(self._library, "nvrtcSetFlowCallback"):
            self._asks = _FLOW(lambda *_: int(cancelled.is_set()))  # kept as long as the program
            self._call("SetFlowCallback", self._asks, None)

    def _call(self, name: str, *values: Any, program: bool = True) -> None:
        status = getattr(self._library, f"nvrtc{name}")(*([self._program] if program else []), *values)
        if status:
            self._library.nvrtcGetErrorString.restype = ctypes.c_char_p
            said = self._library.nvrtcGetErrorString(status).decode()
            log = self._text("ProgramLog") if name == "CompileProgram" else ""
            raise CompileError(log, "" if log.strip() else f"NVRTC: {name}: {said}")

    def _bytes(self, what: str) -> bytes:
        size = ctypes.c_size_t()
        self._call(f"Get{what}Size", ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        self._call(f"Get{what}", buffer)
        return buffer.raw

    def _text(self, what: str) -> str:
        return self._bytes(what).partition(b"\0")[0].decode("utf-8", "replace")

    def build(self, options: Sequence[str], names: Sequence[str]) -> Built:
        for name in names:
            self._call("AddNameExpression", _text(name))
        self._call("CompileProgram", len(options), _texts(options))
        lowered = {}
        for name in names:
            found = ctypes.c_char_p()
            self._call("GetLoweredName", _text(name), ctypes.byref(found))
            lowered[name] = (found.value or b"").decode()
        return Built(self._text("PTX").encode(), self._text("ProgramLog").strip(), lowered)

    def assemble(self, options: Sequence[str]) -> bytes:
        self._call("CompileProgram", len(options), _texts(options))
        return self._bytes("CUBIN")


def _compiled(work: Callable[[threading.Event], Answer]) -> Answer:
    """What `work` gives; Ctrl-C sets the event that it looks at."""
    cancelled = threading.Event()
    return interruptible(lambda: work(cancelled), cancelled.set)


def build(
    library: ctypes.CDLL, source: bytes, name: str, headers: Mapping[str, str], options: Sequence[str],
    names: Sequence[str],
) -> Built:  # fmt: skip
    """Compiles a text; CompileError says what NVRTC says."""

    def work(cancelled: threading.Event) -> Built:
        with _Program(library, source, name, {**HOST_HEADERS, **headers}) as program:
            program.heed(cancelled)
            return program.build(options, names)

    return _compiled(work)


def assembled(library: ctypes.CDLL, source: bytes, name: str, target: str, options: Sequence[str]) -> bytes:
    """The ELF file of a text for one target; CompileError says what NVRTC says."""

    def work(cancelled: threading.Event) -> bytes:
        with _Program(library, source, name, HOST_HEADERS) as program:
            program.heed(cancelled)
            return program.assemble([f"--gpu-architecture={target}", "-default-device", *options])

    return _compiled(work)


def version(library: ctypes.CDLL) -> str:
    """As in "NVRTC 13.0"."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return f"NVRTC {major.value}.{minor.value}"
