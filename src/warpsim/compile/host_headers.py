"""Headers of the host that device code includes, and that NVRTC does not have: what of them a kernel can use."""

from __future__ import annotations

_INTEGERS = "".join(
    f"using cuda::std::{sign}int{kind}{bits}_t;\n"
    for bits in (8, 16, 32, 64)
    for sign in ("", "u")
    for kind in ("", "_least", "_fast")
)
_IN_STD = {
    "stdint": f"#include <cuda/std/cstdint>\n{_INTEGERS}using cuda::std::intptr_t;\nusing cuda::std::uintptr_t;\n",
    "stddef": "#include <cuda/std/cstddef>\nusing cuda::std::ptrdiff_t;\n",
    "limits": "#include <cuda/std/climits>\n",
    "float": "#include <cuda/std/cfloat>\n",
    "math": "", "stdio": "", "assert": "", "string": "", "stdlib": "",
}  # fmt: skip

#: name -> text; what NVRTC knows by itself (printf, assert, math) needs none
HOST_HEADERS = {
    **{f"{name}.h": f"#pragma once\n{text}" for name, text in _IN_STD.items()},
    **{f"c{name}": f"#pragma once\n{text}" for name, text in _IN_STD.items()},
    **{
        name: f"#pragma once\n#include <cuda/std/{name}>\nnamespace std {{ using namespace cuda::std; }}\n"
        for name in ("type_traits", "utility", "limits", "array", "tuple", "complex", "algorithm", "functional")
    },
}
