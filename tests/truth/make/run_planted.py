"""Runs a program with a planted bug on the GPU at hand: `python -m tests.truth.make.run_planted DOOR/NAME BUG [CUBIN]`.

Prints one line of JSON: the driver's status, and which arrays hold what they must. Of CUDA and PTX the cubin is needed.
"""

import ctypes
import json
import sys
from typing import Any

import numpy as np

from tests.support.findings.programs import Program, programs, python_module, values, wanted

MOST_SHARED, CLUSTER, COOPERATIVE = 8, 4, 2  # CU_FUNC_ATTRIBUTE_..., CU_LAUNCH_ATTRIBUTE_...


class Attribute(ctypes.Structure):
    """CUlaunchAttribute."""

    _fields_ = (("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint * 16))


class Config(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = (
        ("sizes", ctypes.c_uint * 6), ("shared", ctypes.c_uint), ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(Attribute)), ("count", ctypes.c_uint),
    )  # fmt: skip


def three(sizes: list[int]) -> list[int]:
    return [*sizes, 1, 1][:3]


def driver(program: Program, cubin: bytes, given: dict[str, Any]) -> int:
    """Launches it; `given` has its arrays afterwards. The first status of the driver that is not 0."""
    cuda, launch = ctypes.CDLL("libcuda.so.1"), program.given
    status = []

    def call(name: str, *arguments: Any) -> None:
        if not any(status):
            status.append(getattr(cuda, name)(*arguments))

    device, context, module, kernel = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    call("cuModuleLoadData", ctypes.byref(module), cubin)
    call("cuModuleGetFunction", ctypes.byref(kernel), module, launch["kernel"].encode())
    shared = launch.get("shared", 0)
    if shared > 48 * 1024:
        call("cuFuncSetAttribute", kernel, MOST_SHARED, shared)
    places, held = {}, []
    for name, value in given.items():
        if isinstance(value, np.ndarray):
            places[name] = at = ctypes.c_uint64()
            call("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(value.nbytes))
            call("cuMemcpyHtoD_v2", at, value.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(value.nbytes))
            held.append(at)
        else:
            held.append(ctypes.create_string_buffer(value.tobytes(), value.nbytes))
    parameters = (ctypes.c_void_p * len(held))(*(ctypes.addressof(one) for one in held))
    wanted_ways = [(CLUSTER, three(launch["cluster"]))] if "cluster" in launch else []
    wanted_ways += [(COOPERATIVE, [1])] if launch.get("cooperative") else []
    ways = (Attribute * max(1, len(wanted_ways)))()
    for way, (number, value) in zip(ways, wanted_ways, strict=False):
        way.id, way.value[: len(value)] = number, value
    sizes = (ctypes.c_uint * 6)(*three(launch["grid"]), *three(launch["block"]))
    config = Config(sizes, shared, None, ways, len(wanted_ways))
    call("cuLaunchKernelEx", ctypes.byref(config), kernel, parameters, None)
    call("cuCtxSynchronize")
    for name, at in places.items():
        call("cuMemcpyDtoH_v2", given[name].ctypes.data_as(ctypes.c_void_p), at, ctypes.c_size_t(given[name].nbytes))
    return next((one for one in status if one), 0)


def triton(program: Program, bug: int, given: dict[str, Any]) -> int:
    import torch

    arguments = [
        torch.from_numpy(value).cuda() if isinstance(value, np.ndarray) else value.item() for value in given.values()
    ]
    launch = program.given
    kernel = getattr(python_module(program.path), launch["kernel"])
    kernel[tuple(launch["grid"])](
        *arguments, BUG=bug, num_warps=launch.get("num_warps", 4), **launch.get("constants", {})
    )
    torch.cuda.synchronize()
    given.update(
        {name: held.cpu().numpy() for name, held in zip(given, arguments, strict=True) if hasattr(held, "cpu")}
    )
    return 0


def numba(program: Program, bug: int, given: dict[str, Any]) -> int:
    from numba import cuda

    held = [cuda.to_device(value) if isinstance(value, np.ndarray) else value for value in given.values()]
    launch = program.given
    python_module(program.path).make(bug)[tuple(launch["grid"]), tuple(launch["block"])](*held)
    cuda.synchronize()
    given.update(
        {name: one.copy_to_host() for name, one in zip(given, held, strict=True) if hasattr(one, "copy_to_host")}
    )
    return 0


def main() -> None:
    name, bug = sys.argv[1], int(sys.argv[2])
    program = next(one for one in programs() if one.name == name)
    given = values(program)
    try:
        if program.door in ("cuda", "ptx"):
            with open(sys.argv[3], "rb") as file:
                status: int | str = driver(program, file.read(), given)
        else:
            status = {"triton": triton, "gluon": triton, "numba": numba}[program.door](program, bug, given)
    except Exception as error:  # what a launch raises is what is measured
        status = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    right = {array: bool(np.allclose(given[array], want, rtol=1e-5)) for array, want in wanted(program).items()}
    print("ran " + json.dumps({"status": status, "right": right}), flush=True)


if __name__ == "__main__":
    main()
