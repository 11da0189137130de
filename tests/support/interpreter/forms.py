"""One measured instruction as a kernel: its inputs, its outputs, and what the hardware answered."""

import json
import lzma
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tests.support.paths import TRUTH

INPUTS, OUTPUTS = ("ra", "rb", "rc", "re"), ("rd", "rq", "rs", "rt")
START = """
.version 9.0
.target sm_90a
.address_size 64
.shared .align 16 .b8 sh[8192];
.visible .entry k(.param .u64 po, .param .u64 pi, .param .u64 pg)
{
.reg .b64 bo, bi, bg, ad, gp, gw;
.reg .b32 lane, tid, t0, t1, t2, t3, sp, sw;
.reg .pred pm, pz;
"""
FRAME = """
ld.param.u64 bo, [po];
ld.param.u64 bi, [pi];
ld.param.u64 bg, [pg];
mov.u32 tid, %tid.x;
mov.u32 lane, %laneid;
mad.wide.u32 gp, tid, 16, bg;
shr.u32 t0, tid, 5;
mad.wide.u32 gw, t0, 512, bg;
mov.u32 sw, sh;
mad.lo.s32 sp, tid, 16, sw;
mad.lo.s32 sw, t0, 512, sw;
mad.wide.u32 bi, tid, 8, bi;
mad.wide.u32 bo, tid, 8, bo;
"""


def held(kind: str) -> str:
    return "b16" if kind == "b8" else kind


@dataclass(frozen=True)
class Measured:
    name: str
    group: str
    code: list[str]
    ins: list[str]
    outs: list[str]
    inputs: list[str]
    outputs: list[str]

    @property
    def cases(self) -> int:
        return len(self.outputs[0].split())

    def words(self, columns: list[str]) -> Any:
        return np.array([[int(x, 16) for x in c.split()] for c in columns] or [[0] * self.cases], np.uint64)

    def ptx(self) -> str:
        text = [
            START,
            *(
                f".reg .{held(k)} {n};"
                for k, n in [*zip(self.ins, INPUTS, strict=False), *zip(self.outs, OUTPUTS, strict=False)]
            ),
            FRAME,
        ]
        for i, (kind, name) in enumerate(zip(self.ins, INPUTS, strict=False)):
            at = 8 * self.cases * i
            if kind == "pred":
                text += [f"ld.global.u32 t0, [bi+{at}];", f"setp.ne.u32 {name}, t0, 0;"]
            else:
                text.append(f"ld.global.{held(kind)} {name}, [bi+{at}];")
        text += self.code
        for i, (kind, name) in enumerate(zip(self.outs, OUTPUTS, strict=False)):
            at = 8 * self.cases * i
            if kind == "pred":
                text += [f"selp.u32 t0, 1, 0, {name};", f"st.global.u32 [bo+{at}], t0;"]
            else:
                text.append(f"st.global.{held(kind)} [bo+{at}], {name};")
        return "\n".join([*text, "ret;", "}", ""])

    def arrays(self) -> list[Any]:
        return [
            np.zeros((len(self.outs), self.cases), np.uint64),
            self.words(self.inputs),
            np.zeros(16 * max(self.cases, 32), np.uint8),
        ]

    def unlike(self, out: Any) -> str:
        """The first case that the hardware answered otherwise; nothing if there is none."""
        mask = np.array([[{"b8": 0xFF}.get(kind, (1 << 64) - 1)] for kind in self.outs], np.uint64)
        wanted = self.words(self.outputs)
        for k, case in np.argwhere((out & mask) != wanted)[:1]:
            given = [hex(x) for x in self.words(self.inputs)[:, case]]
            return f"{self.name}: {OUTPUTS[k]} is {out[k, case]:#x}, {wanted[k, case]:#x} measured, for {given}"
        return ""


@cache
def measured() -> list[Measured]:
    kept = json.loads(lzma.decompress((TRUTH / "run" / "scalar_sample.json.xz").read_bytes()))
    return [Measured(**form) for form in kept["forms"]]
