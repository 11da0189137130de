"""One measured instruction as a kernel: its inputs, its outputs, and what the hardware answered."""

import hashlib
import json
import lzma
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tests.support.paths import TRUTH
from tests.truth.run import scalar_inputs

INPUTS, OUTPUTS = ("ra", "rb", "rc", "re"), ("rd", "rq", "rs", "rt")
START = """
.version 9.0
.target sm_90a
.address_size 64
.shared .align 16 .b8 sh[8192];
.visible .entry k(.param .u64 po, .param .u64 pi, .param .u64 pg)
{
.reg .b64 bo, bi, bg, ad, gp, gw;
.reg .b128 x0, x1, x2;
.reg .b32 lane, tid, t0, t1, t2, t3, sp, sw;
.reg .pred pm, pz;
"""
FRAME = """
ld.param.u64 bo, [po];
ld.param.u64 bi, [pi];
ld.param.u64 bg, [pg];
mov.u32 lane, %laneid;
mov.u32 t0, %tid.x;
mov.u32 t1, %ctaid.x;
mov.u32 t2, %ntid.x;
mad.lo.u32 tid, t1, t2, t0;
mov.u32 sw, sh;
mad.lo.s32 sp, t0, 16, sw;
shr.u32 t0, t0, 5;
mad.lo.s32 sw, t0, 512, sw;
mad.wide.u32 gp, tid, 16, bg;
shr.u32 t0, tid, 5;
mad.wide.u32 gw, t0, 512, bg;
mad.wide.u32 bi, tid, 8, bi;
mad.wide.u32 bo, tid, 8, bo;
"""


def held(kind: str) -> str:
    return "b16" if kind == "b8" else kind


@dataclass(frozen=True)
class Form:
    """An instruction, or a few; `ins` and `outs` are the types of its registers."""

    name: str
    group: str
    code: list[str]
    ins: list[str]
    outs: list[str]

    @property
    def cases(self) -> int:
        raise NotImplementedError

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


@dataclass(frozen=True)
class Measured(Form):
    """A few cases, all words of which are kept."""

    inputs: list[str]
    outputs: list[str]

    @property
    def cases(self) -> int:
        return len(self.outputs[0].split())

    def words(self, columns: list[str]) -> Any:
        return np.array([[int(x, 16) for x in c.split()] for c in columns] or [[0] * self.cases], np.uint64)

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


@cache
def _inputs(classes: str) -> Any:
    return np.array(scalar_inputs.tuples(classes), np.uint64)


@dataclass(frozen=True)
class Whole(Form):
    """Every measured case: the inputs by rule, of the outputs a digest."""

    classes: str
    count: int
    digest: str

    @property
    def cases(self) -> int:
        return self.count

    def arrays(self) -> list[Any]:
        outputs = np.zeros((len(self.outs), self.cases), np.uint64)
        return [outputs, _inputs(self.classes), np.zeros(16 * self.cases, np.uint8)]

    def is_as_measured(self, out: Any) -> bool:
        digest = hashlib.sha256()
        for kind, column in zip(self.outs, out, strict=True):
            digest.update(column.astype(f"u{1 if kind == 'pred' else int(kind[1:]) // 8}").tobytes())
        return digest.hexdigest()[:16] == self.digest


@cache
def whole() -> list[Whole]:
    kept = json.loads(lzma.decompress((TRUTH / "run" / "scalar.json.xz").read_bytes()))["forms"]
    found = []
    for form in kept:
        kinds, classes = ([x.split(":")[i] for x in form["ins"]] for i in (0, 1))
        rest = {key: form[key] for key in ("name", "group", "code", "outs", "digest")}
        found.append(Whole(**rest, ins=kinds, classes=",".join(classes), count=form["cases"]))
    return found
