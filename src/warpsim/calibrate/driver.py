"""The GPU at hand through NVIDIA's driver alone, by ctypes: no toolkit, no compiler, no root.

Knows nothing of what is measured. The two libraries are arguments, so that tests can stand in for them.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

CUDA, NVML = ("nvcuda.dll", "nvml.dll") if sys.platform == "win32" else ("libcuda.so.1", "libnvidia-ml.so.1")
#: attributes of a device, of a function (cuda.h)
MULTIPROCESSORS, MAJOR, MINOR, SHARED_OPTIN, SM_CLOCK_KHZ = 16, 75, 76, 97, 13
FUNCTION_REGISTERS, FUNCTION_LOCAL_BYTES, FUNCTION_DYNAMIC_SHARED = 4, 3, 8
#: results of a PTX text that this driver or GPU cannot take: unsupported, invalid, no binary, JIT, PTX version
REFUSED = (209, 218, 221, 222, 223, 801)
NO_DEVICE = (100, 101)
#: why NVML says that clocks are low: slowdown and heat, not the owner's settings or an idle GPU
THROTTLING = {0x8: "hardware slowdown", 0x20: "heat", 0x40: "heat", 0x80: "power brake"}


class NoGpuError(Exception):
    """No GPU can be measured here and now: one sentence says why."""


class RefusedError(Exception):
    """The driver or the GPU does not take a PTX text: what the driver calls that."""


def library(name: str) -> Any:
    """A shared library; None if this machine lacks it."""
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


@dataclass(frozen=True, slots=True)
class Function:
    """A kernel that is loaded, and what the driver's assembler made of it."""

    handle: Any
    registers: int
    local_bytes: int


class Gpu:
    """One GPU: memory, kernels, launches. Every failure of the driver is a NoGpuError with the driver's own word."""

    def __init__(self, cuda: Any, device: int = 0) -> None:
        if cuda is None:
            raise NoGpuError(f"no GPU to measure: {CUDA}, NVIDIA's driver, is not on this machine")
        self._cuda = cuda
        status = cuda.cuInit(0)
        count = ctypes.c_int()
        if status in NO_DEVICE or (not status and not self._asked("cuDeviceGetCount", count)):
            raise NoGpuError("no GPU to measure: the driver finds none")
        self._check("cuInit", status)
        if not 0 <= device < count.value:
            raise NoGpuError(f"no GPU to measure: expected device 0 to {count.value - 1}, got {device}")
        handle, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(handle), device)
        self._device = handle
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), handle)
        self.call("cuCtxSetCurrent", context)
        name, bus, version = (ctypes.create_string_buffer(size) for size in (256, 32, 4))
        self.call("cuDeviceGetName", name, 256, handle)
        self.call("cuDeviceGetPCIBusId", bus, 32, handle)
        number = ctypes.c_int.from_buffer(version)
        self.call("cuDriverGetVersion", ctypes.byref(number))
        self.name, self.bus = name.value.decode("utf-8", "replace"), bus.value.decode()
        self.sm = 10 * self.attribute(MAJOR) + self.attribute(MINOR)
        self.cuda_version = f"{number.value // 1000}.{number.value % 1000 // 10}"

    def _asked(self, name: str, into: Any) -> int:
        self.call(name, ctypes.byref(into))
        return int(into.value)

    def _check(self, name: str, status: int) -> None:
        if status:
            said = ctypes.c_char_p()
            known = not self._cuda.cuGetErrorName(status, ctypes.byref(said)) and said.value
            word = said.value.decode() if known and said.value else f"error {status}"
            refused = name.startswith("cuModule") and status in REFUSED
            error = RefusedError if refused else NoGpuError
            raise error(word if refused else f"the GPU stopped answering: {name} says {word}")

    def call(self, name: str, *arguments: Any) -> None:
        """A function of the driver."""
        self._check(name, getattr(self._cuda, name)(*arguments))

    def attribute(self, number: int) -> int:
        """An attribute of the device, by its number in cuda.h."""
        found = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(found), number, self._device)
        return int(found.value)

    def memory(self, size: int) -> int:
        """The address of `size` bytes of device memory, all zero."""
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        self.call("cuMemsetD8_v2", pointer, ctypes.c_ubyte(0), ctypes.c_size_t(size))
        return int(pointer.value)

    def put(self, place: int, values: Sequence[int]) -> None:
        """Writes 32-bit words."""
        data = (ctypes.c_uint32 * len(values))(*values)
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(place), data, ctypes.c_size_t(4 * len(values)))

    def get(self, place: int, count: int) -> list[int]:
        """Reads 64-bit words."""
        data = (ctypes.c_uint64 * count)()
        self.call("cuMemcpyDtoH_v2", data, ctypes.c_uint64(place), ctypes.c_size_t(8 * count))
        return list(data)

    def load(self, text: str, name: str, shared: int) -> Function:
        """A kernel of a PTX text; RefusedError where the driver's assembler does not take it."""
        module, handle = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), text.encode() + b"\0")
        self.call("cuModuleGetFunction", ctypes.byref(handle), module, name.encode())
        self.call("cuFuncSetAttribute", handle, FUNCTION_DYNAMIC_SHARED, shared)
        found = []
        for attribute in (FUNCTION_REGISTERS, FUNCTION_LOCAL_BYTES):
            value = ctypes.c_int()
            self.call("cuFuncGetAttribute", ctypes.byref(value), attribute, handle)
            found.append(int(value.value))
        return Function(handle, *found)

    def launch(self, function: Function, warps: int, shared: int, values: Sequence[Any], blocks: int = 1) -> None:
        """Some thread blocks, until they have ended; `values`: their parameters as ctypes."""
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        self.call("cuLaunchKernel", function.handle, blocks, 1, 1, 32 * warps, 1, 1, shared, None, pointers, None)
        self.call("cuCtxSynchronize")


class Watch:
    """What NVML says of a GPU; None for everything on a machine without NVML."""

    def __init__(self, nvml: Any, bus: str) -> None:
        self._nvml, self._handle = nvml, ctypes.c_void_p()
        if nvml is not None and not nvml.nvmlInit_v2():
            if nvml.nvmlDeviceGetHandleByPciBusId_v2(bus.encode(), ctypes.byref(self._handle)):
                self._nvml = None
        else:
            self._nvml = None

    def _read(self, name: str, into: Any, *arguments: Any) -> Any:
        if self._nvml is None or getattr(self._nvml, name)(self._handle, *arguments, ctypes.byref(into)):
            return None
        return into

    def busy(self) -> int | None:
        """Percent of the last moments in which a kernel ran."""
        found = self._read("nvmlDeviceGetUtilizationRates", (ctypes.c_uint * 2)())
        return None if found is None else int(found[0])

    def clock(self) -> int | None:
        """MHz of the SMs."""
        found = self._read("nvmlDeviceGetClockInfo", ctypes.c_uint(), 1)
        return None if found is None else int(found.value)

    def throttling(self) -> str | None:
        """Why the GPU slows itself down; empty where it does not."""
        found = self._read("nvmlDeviceGetCurrentClocksThrottleReasons", ctypes.c_ulonglong())
        if found is None:
            return None
        words = dict.fromkeys(word for bit, word in THROTTLING.items() if found.value & bit)
        return " and ".join(words)
