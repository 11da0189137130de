"""Stands in for libcuda and NVML: a GPU whose programs take the times that somebody measured on a real one.

The functions have the driver's names and fill in what ctypes passes by reference. A launch is looked up by the text of
its program, so that a text that changes has no time any more.
"""

import ctypes
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

OUT_OF_MEMORY, NO_DEVICE, UNSUPPORTED_PTX, LOST = 2, 100, 222, 719
NAMES = {
    NO_DEVICE: b"CUDA_ERROR_NO_DEVICE",
    UNSUPPORTED_PTX: b"CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
    LOST: b"CUDA_ERROR_LAUNCH_FAILED",
}
H200 = {16: 132, 75: 9, 76: 0, 97: 232448}
MEMORY = 0x7F00_0000_0000


@dataclass
class FakeCuda:
    """A driver with one GPU; `cycles(text, warps, passes, running)` is how long a launch takes.

    `lost_after` launches every call fails. `devices` 0: none there. `mhz`: the SM's clock at each launch of the program
    that waits, the last one again and again.
    """

    cycles: Callable[[str, int, int, int], int]
    name: str = "NVIDIA H200"
    attributes: Mapping[int, int] = field(default_factory=lambda: dict(H200))
    devices: int = 1
    lost_after: int = 1 << 60
    mhz: tuple[float, ...] = (1980,)
    refused: str = "nothing is"
    texts: list[str] = field(default_factory=list)
    memory: dict[int, int] = field(default_factory=dict)
    launches: int = 0
    waits: int = 0
    written: tuple[int, ...] = ()
    next: int = MEMORY

    @property
    def left(self) -> int:
        """Launches before the GPU is lost."""
        return self.lost_after - self.launches

    def cuInit(self, flags: int) -> int:  # noqa: N802
        return 0 if self.devices else NO_DEVICE

    def cuDeviceGetCount(self, count: Any) -> int:  # noqa: N802
        count._obj.value = self.devices
        return 0

    def cuDeviceGet(self, device: Any, number: int) -> int:  # noqa: N802
        device._obj.value = number
        return 0

    def cuDevicePrimaryCtxRetain(self, context: Any, device: Any) -> int:  # noqa: N802
        context._obj.value = 1
        return 0

    def cuCtxSetCurrent(self, context: Any) -> int:  # noqa: N802
        return 0

    def cuDeviceGetName(self, into: Any, size: int, device: Any) -> int:  # noqa: N802
        into.value = self.name.encode()
        return 0

    def cuDeviceGetPCIBusId(self, into: Any, size: int, device: Any) -> int:  # noqa: N802
        into.value = b"00000000:01:00.0"
        return 0

    def cuDriverGetVersion(self, version: Any) -> int:  # noqa: N802
        version._obj.value = 13000
        return 0

    def cuDeviceGetAttribute(self, into: Any, attribute: int, device: Any) -> int:  # noqa: N802
        into._obj.value = self.attributes[attribute]
        return 0

    def cuGetErrorName(self, status: int, into: Any) -> int:  # noqa: N802
        into._obj.value = NAMES.get(status)
        return 0 if status in NAMES else 1

    def cuMemAlloc_v2(self, pointer: Any, size: Any) -> int:  # noqa: N802
        pointer._obj.value = self.next
        self.next += (size.value + 511) // 512 * 512
        return 0

    def cuMemsetD8_v2(self, place: Any, value: Any, size: Any) -> int:  # noqa: N802
        return 0

    def cuMemcpyHtoD_v2(self, place: Any, data: Any, size: Any) -> int:  # noqa: N802
        self.written = tuple(data)
        return LOST if self.left <= 0 else 0

    def cuMemcpyDtoH_v2(self, data: Any, place: Any, size: Any) -> int:  # noqa: N802
        if self.left <= 0:
            return LOST
        for i in range(size.value // 8):
            data[i] = self.memory.get(place.value + 8 * i, 0)
        return 0

    def cuModuleLoadData(self, module: Any, text: bytes) -> int:  # noqa: N802
        found = text.rstrip(b"\0").decode()
        if re.search(self.refused, found):
            return UNSUPPORTED_PTX
        self.texts.append(found)
        module._obj.value = len(self.texts)
        return 0

    def cuModuleGetFunction(self, function: Any, module: Any, name: bytes) -> int:  # noqa: N802
        function._obj.value = module.value
        return 0

    def cuFuncSetAttribute(self, function: Any, attribute: int, value: int) -> int:  # noqa: N802
        return 0

    def cuFuncGetAttribute(self, into: Any, attribute: int, function: Any) -> int:  # noqa: N802
        into._obj.value = {4: 32, 3: 0}[attribute]
        return 0

    def cuLaunchKernel(self, function: Any, *rest: Any) -> int:  # noqa: N802
        threads, values = rest[3], rest[8]
        self.launches += 1
        places = [ctypes.cast(values[i], ctypes.POINTER(ctypes.c_uint64)).contents.value for i in range(3)]
        passes, _, running = (
            ctypes.cast(values[3 + i], ctypes.POINTER(ctypes.c_uint32)).contents.value for i in range(3)
        )
        text, warps = self.texts[function.value - 1], threads // 32
        for warp in range(warps):
            self.memory[places[2] + 16 * warp] = 1000
            self.memory[places[2] + 16 * warp + 8] = 1000
        if "globaltimer" in text:
            mhz = self.mhz[min(self.waits, len(self.mhz) - 1)]
            self.waits += 1
            span = 1024 * passes
            self.memory[places[2] + 16], self.memory[places[2] + 24] = 0, round(1e3 * span / mhz)
        else:
            span = self.cycles(text, warps, passes, running)
        first = next(warp for warp in range(warps) if running >> warp & 1)
        self.memory[places[2] + 16 * first + 8] = 1000 + span
        return 0

    def cuCtxSynchronize(self) -> int:  # noqa: N802
        return LOST if self.left <= 0 else 0


class FakeNvml:
    """NVML's word on a GPU: how busy it is, what slows it down."""

    def __init__(self, busy: int = 0, reasons: int = 0) -> None:
        self.busy, self.reasons = busy, reasons

    def nvmlInit_v2(self) -> int:  # noqa: N802
        return 0

    def nvmlDeviceGetHandleByPciBusId_v2(self, bus: bytes, handle: Any) -> int:  # noqa: N802
        handle._obj.value = 1
        return 0

    def nvmlDeviceGetUtilizationRates(self, handle: Any, into: Any) -> int:  # noqa: N802
        into._obj[0] = self.busy
        return 0

    def nvmlDeviceGetClockInfo(self, handle: Any, kind: int, into: Any) -> int:  # noqa: N802
        into._obj.value = 1980
        return 0

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, handle: Any, into: Any) -> int:  # noqa: N802
        into._obj.value = self.reasons
        return 0
