"""Which texts are legal where, against the verdicts of NVIDIA's assembler."""

from collections import Counter
from functools import cache

import pytest

import warpsim as ws
from tests.support.evidence import compared, rows

#: families whose verdict depends on declared registers, which one instruction's text does not tell
NEED_DECLARATIONS = ("operands", "regs", "mixed", "space")


@cache
def parsed(text: str) -> ws.DataMovement | ws.PtxSyntaxError | ws.UnsupportedError:
    try:
        return ws.parse(text)
    except (ws.PtxSyntaxError, ws.UnsupportedError) as error:
        return error


@cache
def is_legal(op: ws.DataMovement, target: str, version: str) -> bool:
    return op.legality(target, version).ok


def verdict(text: str, target: str, version: str) -> bool:
    op = parsed(text)
    return isinstance(op, ws.DataMovement) and is_legal(op, target, version)


@pytest.mark.slow
@pytest.mark.parametrize("opcode", ["ldmatrix", "stmatrix", "movmatrix"])
def test_matrix_instructions_agree_with_the_assembler(opcode: str) -> None:
    counts: Counter[str] = Counter()
    for row in rows("legality"):
        if opcode not in row["instruction"] or row["defined"] != "1":
            continue
        found = verdict(row["instruction"], row["target"], row["ptx_version"])
        if row["family"] in NEED_DECLARATIONS:
            assert found or row["accepted"] == "0", row
            counts["operands"] += 1
        else:
            assert found == (row["accepted"] == "1"), (row, parsed(row["instruction"]))
            counts["accepted" if found else "rejected"] += 1
    compared(f"verdicts on {opcode}, accepted", counts["accepted"], at_least=100)
    compared(f"verdicts on {opcode}, rejected", counts["rejected"], at_least=2000)
    compared(f"verdicts on {opcode} with odd operands", counts["operands"], at_least=100)


@pytest.mark.slow
def test_wmma_agrees_with_the_assembler() -> None:
    """Text with .aligned at PTX 6.3 and later; the rest is a matter of whole files."""
    counts: Counter[str] = Counter()
    for row in rows("legality_wmma"):
        text = row["instruction"]
        if row["defined"] != "1" or row["ptx_version"] < "6.3" or ".aligned" not in text:
            continue
        found = verdict(text, row["target"], row["ptx_version"])
        if row["family"] in ("operands", "wmma_regs", "extra"):
            assert found or row["accepted"] == "0", row
            counts["odd operands"] += 1
        else:
            assert found == (row["accepted"] == "1"), (row, parsed(text))
            counts["accepted" if found else "rejected"] += 1
    compared("verdicts on wmma, accepted", counts["accepted"], at_least=50_000)
    compared("verdicts on wmma, rejected", counts["rejected"], at_least=100_000)
    compared("verdicts on wmma with odd operands", counts["odd operands"], at_least=3000)


def test_quirks_of_the_assembler_are_rejected_with_a_reason() -> None:
    quirks = 0
    for row in rows("legality"):
        text = row["instruction"]
        if row["defined"] == "1" or row["family"] not in ("ldmatrix", "stmatrix", "movmatrix"):
            continue
        error = parsed(text)
        if isinstance(error, ws.DataMovement):
            assert row["target"] == "sm_88" and not verdict(text, "sm_88", row["ptx_version"]), row
        else:
            assert len(str(error)) > 20
        quirks += 1
    compared("quirks of the assembler", quirks, at_least=300)


@pytest.mark.slow
def test_plain_accesses_agree_with_the_assembler() -> None:
    counts: Counter[str] = Counter()
    for row in rows("ptxas_plain"):
        if row["defined"] != "1" or row["instruction"].startswith("@r0"):
            continue  # @r0: whether it is a predicate is a matter of declarations
        op = parsed(row["instruction"])
        found = verdict(row["instruction"], row["target"], row["ptx_version"])
        if row["family"] == "other":
            assert not found, row
            counts["other instructions"] += 1
        elif row["accepted"] == "1":
            if isinstance(op, ws.UnsupportedError) and "not modelled" in str(op):
                counts["not modelled"] += 1
                continue
            assert found, (row, op)
            counts["accepted"] += 1
        elif row["family"] in NEED_DECLARATIONS or ".weak" in row["instruction"]:
            counts["need declarations"] += 1  # .weak: sm_70 and later, the same instruction
        else:
            assert not found, row
            counts["rejected"] += 1
    compared("verdicts on ld, st and cp.async, accepted", counts["accepted"], at_least=3000)
    compared("verdicts on ld, st and cp.async, rejected", counts["rejected"], at_least=10000)
    compared("other instructions of the same names", counts["other instructions"], at_least=50)
    compared("legal forms said to be not modelled", counts["not modelled"], at_least=1000)


def test_unpacking_s4_follows_ptx_94() -> None:
    """Assembler 13.5, by hand: m8n16.s8.s4 is not among the strings of the big table."""
    op = ws.parse("ldmatrix.sync.aligned.m8n16.x2.shared.s8.s4 {r0,r1}, [a0];")
    accepted = ["90a", *(f"{n}{s}" for n in (100, 103, 107, 110, 120, 121) for s in "af")]
    for number in accepted:
        assert op.legality(f"sm_{number}", "9.4").ok, number
        assert not op.legality(f"sm_{number}", "9.3").ok, number
    for number in ["75", "80", "89", "90", "100", "110", "120"]:
        assert not op.legality(f"sm_{number}", "9.5").ok, number
    assert op.legality("sm_101a", "9.4").min_ptx_version is None
    for text in ("m8n16.x1.trans.s8.s4", "m16n16.x1.s8.s4", "m8n16.x1.s4.s8", "m8n16.x1.s8"):
        with pytest.raises(ws.UnsupportedError):
            ws.parse(f"ldmatrix.sync.aligned.{text}")
    compared("verdicts on m8n16.s8.s4", 2 * len(accepted) + 11, at_least=30)
