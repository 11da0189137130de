"""Every form of real kernels runs; what is not modelled is refused by name; what is not PTX is an error."""

import base64
import hashlib
import json
import lzma

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared, rows
from tests.support.paths import TRUTH
from tests.support.statements import kernel, statement

#: the generations of GPU whose kernels run here
MODELLED = ("sm_75", "sm_80", "sm_89")


def used() -> list[str]:
    return [row["form"] for row in rows("forms") if any(int(row[f"kernels_{target}"]) for target in MODELLED)]


def test_every_form_of_real_kernels_runs() -> None:
    for opcode in used():
        memory = np.zeros(4096, np.uint8)
        report = ws.Module(kernel(statement(opcode)))["k"](1, 32, [memory], check=False)
        assert report.steps >= 4 and report.findings == (), opcode
    compared("forms of real kernels, run", len(used()), at_least=326)


def inexact(opcodes: list[str], target: str, **options: object) -> tuple[str, ...]:
    """What a kernel of these instructions names as inexact."""
    text = "\n".join(f"{opcode}{'' if opcode.endswith(';') else ';'}" for opcode in opcodes)
    report = ws.Module(kernel(text))["k"](1, 32, [np.zeros(4096, np.uint8)], target=target, **options)
    assert report.to_dict()["inexact"] == list(report.inexact)
    return report.inexact


def test_video_instructions_give_what_the_hardware_gave() -> None:
    kept = json.loads(lzma.decompress((TRUTH / "run" / "video.json.xz").read_bytes()))
    inputs = np.frombuffer(base64.b64decode(kept["inputs"]), np.uint32)
    fetch = "".join(f"ld.global.u32 r{i + 2}, [d0+{512 * i}];\n" for i in range(3))
    place = "mov.u32 r8, %tid.x;\nmad.wide.u32 d0, r8, 4, d0;\n"
    for text, digest in kept["forms"]:
        memory = np.append(inputs, np.zeros(128, np.uint32))
        ws.Module(kernel(f"{place}{fetch}{text}\nst.global.u32 [d0+1536], r1;"))["k"](1, 128, [memory], count=False)
        assert hashlib.sha256(memory[384:].tobytes()).hexdigest()[:8] == digest, text
    compared("video instructions, run", len(kept["forms"]), at_least=2853)


HALF = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
WHOLE = "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32"


@pytest.mark.parametrize("threads", [1, 3])
def test_a_report_names_what_ran_without_an_exact_rule(threads: int) -> None:
    products = [statement(HALF), statement(WHOLE)]
    assert inexact(products, "sm_90a", threads=threads) == ()
    assert inexact(products, "sm_80", threads=threads) == (HALF,)
    jumped = ["setp.ne.u32 p1, 1, 1", f"@p1 {statement('lg2.approx.f32').replace('r2', '0f40000000')}"]
    assert inexact(["bra done;", *products], "sm_80", threads=threads) == ()
    assert inexact(jumped, "sm_90a", threads=threads) == ()
    folded = ["cos.approx.ftz.f32 r1, 0f40000000", "cos.approx.ftz.f32 r1, r2", "ex2.approx.f32 r1, 0f40000000"]
    assert inexact(folded, "sm_90a", threads=threads) == ("cos.approx.ftz.f32",)
    assert inexact(folded[1:], "sm_90a", threads=threads) == ()
