"""Which products are legal where, against the verdicts of NVIDIA's assembler."""

import re
from collections import Counter

import pytest

import warpsim as ws
from tests.support.evidence import compared, load

VERSIONS = [f"{major}.{minor}" for major, last in ((6, 5), (7, 8), (8, 8), (9, 5)) for minor in range(last + 1)]
#: what the assembler takes although PTX does not have it
ACCIDENTS = (
    r"\.sync\.sync|\.aligned\.aligned",
    r"^mma.*\.[su]4\.[su]4\.s32\.(xor|and)\.popc",
    r"^wmma.*(k16|k8)\..*f64\.f64\.f64\.f64",
    r"^mma\.sp.*\.m16n8k32.*\.f16\.f16.*, [23];$",  # a selector with which an H200 stops
    r"\.m16n8k16\..*e[45]m[23].*\{r16,r38\}",  # a register too many
)


def parsed(text: str) -> ws.Mma | ws.WmmaMma | ws.UnsupportedError | ws.PtxSyntaxError:
    try:
        found: ws.Mma | ws.WmmaMma = ws.parse(text)
        return found
    except (ws.UnsupportedError, ws.PtxSyntaxError) as error:
        return error


@pytest.mark.slow
def test_products_agree_with_the_assembler() -> None:
    data = load("verdicts")
    counts: Counter[str] = Counter()
    for text, index in data["texts"].items():
        op, accepted = parsed(text), data["patterns"][index]
        if isinstance(op, Exception):
            is_modelled = "not modelled" not in str(op)
            is_accident = bool(accepted) and any(re.search(one, text) for one in ACCIDENTS)
            assert not is_modelled or not accepted or is_accident, (text, str(op))
            assert is_modelled or "PTX 6.5 dropped" in str(op), text
            counts["accidents" if is_accident else "rejected everywhere" if is_modelled else "not modelled"] += 1
            continue
        for target, first, last in data["targets"]:
            asked = [version for version in VERSIONS if first <= int(version.replace(".", "")) <= last]
            verdict = op.legality(target, asked[-1])
            lowest, _, highest = accepted.get(target, "").partition("-")
            assert (verdict.min_ptx_version or "") == lowest, (text, target, verdict, accepted.get(target))
            assert not lowest or highest == asked[-1], (text, target)
            assert verdict.ok == bool(lowest) and (target in verdict.targets) == verdict.ok, (text, target)
            counts["accepted" if verdict.ok else "rejected"] += len(asked)
    compared("texts that are products nowhere", counts["rejected everywhere"], at_least=15_000)
    compared("products that the assembler takes by accident", counts["accidents"], at_least=70)
    compared("texts of products that are not modelled", counts["not modelled"], at_least=48)
    compared("verdicts on products, accepted", counts["accepted"], at_least=200_000)
    compared("verdicts on products, rejected", counts["rejected"], at_least=20_000)


def test_every_version_follows_the_lowest_one() -> None:
    count = 0
    for op in (
        ws.Mma(),
        ws.parse("mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"),
        ws.WmmaMma(),
    ):
        for target, first, last in load("verdicts")["targets"]:
            for version in VERSIONS:
                found = op.legality(target, version)
                lowest = found.min_ptx_version
                exists = first <= int(version.replace(".", "")) <= last
                assert found.ok == (exists and lowest is not None and version >= lowest), (op, target, version)
                assert found.ok == (not found.reasons)
                count += 1
    compared("verdicts on products, version by version", count, at_least=2000)


def test_reasons_are_in_words() -> None:
    e4m3 = ws.Mma("m16n8k32", d="f16", a="e4m3", b="e4m3", c="f16")
    assert e4m3.legality("sm_80", "8.4").reasons == (
        "mma.m16n8k32 of e4m3 into f16 needs sm_89 or higher; sm_80 does not have it",
        "mma.m16n8k32 of e4m3 into f16 needs PTX 8.7 or later, not 8.4",
    )
    ordered = ws.Mma(sparsity="sp::ordered_metadata")
    assert ordered.legality("sm_90", "8.4").reasons == (
        "the qualifier .sp::ordered_metadata needs PTX 8.5 or later, not 8.4",
    )
    assert "does not exist in PTX 8.0" in ws.Mma().legality("sm_120", "8.0").reasons[0]
