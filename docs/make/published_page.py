"""docs/explain/published.md: `python3 -m docs.make.published_page` writes it anew."""

from __future__ import annotations

import re
import statistics
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import warpsim as ws
from docs.make.published import (
    ADD,
    REASONS,
    SOURCES,
    Claim,
    claims,
    error,
    ids,
    is_own,
    records,
    rests_on,
)
from tests.support.paths import DOCS

PAGE = DOCS / "explain" / "published.md"

#: beginning of a record's source -> its name in the tables
NAMES: Mapping[str, str] = {
    "Sun, Li, Geng": "Sun et al. 2023",
    "Sun et al. 2023, Table 5": "Sun et al. 2023, quoted",
    "sunlex0717": "DissectingTensorCores",
    "Huerta": "Huerta et al. 2025",
    "modern-gpu-simulator": "modern-gpu-simulator",
    "QuickRunCUDA b300_clean": "QuickRunCUDA, shmem",
    "QuickRunCUDA ULTRA": "QuickRunCUDA, catalog",
    "sass-king": "sass-king",
    "Luo et al.: Benchmarking": "Luo et al. 2024",
    "Luo et al.: Dissecting": "Luo et al. 2025",
    "Abdelkhalik": "Abdelkhalik et al. 2022",
    "Raihan": "Raihan et al. 2019",
    "RRZE": "RRZE gpu-benches",
    "mt4g": "mt4g",
    "markdewing": "AI_kernels",
    "CUDA Performance Study": "CUDA Performance Study, H100",
    "GPGPU-Sim": "GPGPU-Sim configurations",
    "Accel-Sim": "Accel-Sim configurations",
    "Mesa NAK sm75": "Mesa NAK, sm_75",
    "Mesa NAK sm80": "Mesa NAK, sm_80",
    "NVIDIA developer forum: Unexpected": "forum, 77228",
    "NVIDIA developer forum: Shared": "forum, 339143",
    "NVIDIA developer forum: Underst": "forum, 278716",
    "Community write-up": "community write-up",
    "CUTLASS": "CUTLASS",
    "Jarmusch": "Jarmusch, Chandrasekaran 2026",
    "SemiAnalysis": "SemiAnalysis 2026",
}

HEAD = """# Published figures against the model

Papers, repositories and forum threads give {all} figures for the memory and matrix instructions of {architectures} architectures.
The model can express {compared} of them; those are compared below, and the rest are listed at the end with the reason.
`python -m docs.make.published_page` writes this page from `tests/truth/published.json.gz`; a test fails if it is out of date.

## How to read it

The model was measured only on an H200. For other architectures it uses published constants where they exist (`ws.arch(target).constants` names
the source of each) and assumes the rest to be the same as on sm_90: two cycles of latency per wavefront, one wavefront per cycle and SM, the ports, all of `cp.async`,
`movmatrix`, stores and barriers. Nobody has measured these there, so `Cost.error` is None on every target except sm_90.

A record cannot test a constant that was taken from it. Such rows say "constant comes from this record" and are left out of medians and worst
errors. So are rows marked "derived", which the source or its reader computed from another record. "Rests on" names the
constants that affect the prediction; a count of wavefronts, or a rate limited by the data pipe, rests on no constant.

Publications measure latency in three ways, and each row says which one it assumes for its record:

* raw: from a load to an instruction that needs its result, which is the definition of `Cost.latency`. Chases of 64-bit pointers by one thread count as raw.
* pointer chase by index: an integer add computes the next address. On an H200 that adds {add} cycles for `ld.shared`. For 64-bit addresses it adds
  more: the same chase takes 40 cycles on a GH200 and 36 on a V100 whose raw latencies are 32 and 27.9. The model adds {add} nevertheless.
* two clock readings around the load and a store of its result (mt4g): 6 to 7 cycles more than raw on an H100. The model has no clock readings, so the test only
  checks that the model stays below the record; the row says "at least", and the figure does not enter any median.

The disagreements:

{findings}
"""

#: a record -> what its row says that figures alone do not
FINDINGS = (
    ("p060", "sm_86: Huerta et al. find that the shared structures of a GA102 take one request every 2 cycles; the model has one wavefront per cycle, as on sm_90. "
     "Their table does not give the width of the access: for 8 bytes per lane, two wavefronts, both agree; for 4 bytes the model is too fast by a factor of two. No other record settles it."),
    ("p026", "sm_80: the model needs 8, 4 and 4 warps for the peak of ldmatrix x1, x2 and x4, as Sun et al. do, but the margin is small: half as many warps are 4 to 8 % slower, which is what a warp loses "
     "between loads of a stream on an H200."),
    ("p079", "sm_103: stmatrix to one address back to back takes 28 + 2 n cycles, n registers, with one warp. On an H200 the same stream takes about 2 + 2 n, at least 4, "
     "and the model assumes that. The log itself doubts its figures, and no other record shows such a hazard, so no constant was taken from them."),
    ("p076", "sm_103: ldmatrix x1, x2, x4 take 28, 27, 29 cycles, which do not lie on a straight line. x1 agrees with the chase through ld.shared (28); x4 is 5 cycles below the model's law."),
    ("p166", "sm_80: st.shared takes 19 cycles, measured by a method that the record does not state. The model's latency of a store is the time until a load can follow: 5 cycles on an H200."),
    ("p131", "sm_80: L1 gives 107 of the 128 bytes a cycle that one wavefront a cycle would be; the RTX 4090 and the H800 give 121 and 124."),
    ("p109", "sm_120: a chain of HMMA grows by 35 cycles a step, including two filler instructions; the model assumes the 24 of sm_90. The source does not say how much of the step the fillers take."),
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    claim: Claim
    predicted: tuple[float, ...]
    constants: tuple[str, ...]
    own: bool

    @property
    def error(self) -> float:
        return error(self.predicted, self.claim.measured)

    @property
    def holds(self) -> bool:
        """Of "at least": does the record leave room for the model?"""
        pairs = zip(self.predicted, self.claim.measured, strict=True)
        return all(predicted <= measured for predicted, measured in pairs)

    @property
    def counts(self) -> bool:
        derived = self.claim.record["kind"] == "derived"
        return not (self.own or derived or self.claim.at_least)

    @property
    def gpu(self) -> tuple[str, str]:
        record = self.claim.record
        gpu = record["gpu"] if record["gpu"] != "-" else "no GPU named"
        return record["arch"], re.sub(r" class \(.*", " class", gpu)


@cache
def rows() -> tuple[Row, ...]:
    found = []
    for claim in claims():
        constants = rests_on(claim)
        predicted = claim.predict(ws.arch(claim.target))
        found.append(Row(claim, predicted, constants, is_own(claim, constants)))
    return tuple(found)


def by_gpu() -> dict[tuple[str, str], list[Row]]:
    groups = defaultdict(list)
    for row in rows():
        groups[row.gpu].append(row)
    return dict(sorted(groups.items(), key=lambda item: (_number(item[0][0]), item[0])))


def _number(arch: str) -> int:
    found = re.search(r"\d+", arch)
    return int(found.group()) if found else 1000


def number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{round(value, 2):g}"


def values(found: Sequence[float]) -> str:
    if len(found) <= 4:
        return ", ".join(map(number, found))
    return f"{len(found)} values"


def percent(value: float) -> str:
    return "0" if abs(value) < 0.0005 else f"{100 * value:+.1f} %"


def verdict(row: Row) -> str:
    if row.claim.at_least:
        text = f"at least: {'holds' if row.holds else 'FAILS'}"
    else:
        text = percent(row.error)
    return f"{text}; constant comes from this record" if row.own else text


def what(claim: Claim) -> str:
    record = claim.record
    condition = ", ".join(f"{name} {value}" for name, value in record["condition"].items())
    text = f"{record['instruction']}, {record['quantity']}"
    text += " (derived)" if record["kind"] == "derived" else ""
    return (f"{text}; {condition}" if condition else text).replace("|", "/")


def resting(row: Row) -> str:
    arch = ws.arch(row.claim.target)
    words = [f"{name} ({arch.constants[name].basis.split()[0]})" for name in row.constants]
    return ", ".join(words) or "no constant"


def name(source: str) -> str:
    return max((start for start in NAMES if source.startswith(start)), key=len)


def table(group: Sequence[Row]) -> Iterator[str]:
    yield "| id | record | measured | model | error | what the model computes | rests on | source |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in group:
        claim = row.claim
        source = f"[{NAMES[name(claim.record['source'])]}]"
        cells = (
            claim.id, what(claim), values(claim.measured), values(row.predicted), verdict(row),
            claim.how, resting(row), source if claim.record["url"] else source.strip("[]"),
        )  # fmt: skip
        yield f"| {' | '.join(cells)} |"


def summary_line(gpu: tuple[str, str], group: Sequence[Row]) -> str:
    errors = [row.error for row in group if row.counts]
    own = sum(row.own for row in group)
    bounds = [row for row in group if row.claim.at_least]
    kept = f"{sum(row.holds for row in bounds)} of {len(bounds)}" if bounds else ""
    median = percent(statistics.median(map(abs, errors))).lstrip("+") if errors else "none"
    worst = percent(max(errors, key=abs)) if errors else "none"
    cells = (*gpu, str(len(group)), str(own), str(len(errors)), median, worst, kept)
    return f"| {' | '.join(cells)} |"


def joined(found: Sequence[str]) -> str:
    """Ids, runs of neighbours as ranges."""
    runs: list[list[str]] = []
    for id in sorted(found):
        if runs and int(runs[-1][-1][1:]) + 1 == int(id[1:]):
            runs[-1].append(id)
        else:
            runs.append([id])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def page() -> str:
    groups = by_gpu()
    lines = [
        HEAD.format(
            all=len(records()), compared=len(rows()), add=ADD,
            architectures=len({r["arch"] for r in records().values() if r["arch"][3:].isdigit()}),
            findings="\n".join(textwrap.fill(f"* {text} ({id})", 150, subsequent_indent="  ") for id, text in FINDINGS),
        ),
        "## Errors by GPU", "",
        "The error is (model - record) / record. Median and worst cover only records from which no constant was taken; \"at least\" counts the lower bounds that hold.", "",
        "| architecture | GPU | compared | own constant | counted | median | worst | at least |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *(summary_line(gpu, group) for gpu, group in groups.items()),
        summary_line(("all", ""), rows()), "",
        "## Records compared",
    ]  # fmt: skip
    for (arch, gpu), group in groups.items():
        lines += ["", f"### {arch}, {gpu}", "", *table(group)]
    left = sum(len(ids(text)) for text in REASONS.values())
    lines += [
        "",
        "## Not compared",
        "",
        f"{left} records:",
        "",
        "| count | reason | ids |",
        "| --- | --- | --- |",
    ]
    for reason, text in REASONS.items():
        lines.append(f"| {len(ids(text))} | {reason} | {joined(ids(text))} |")
    lines += ["", "## Where the published constants come from", ""]
    lines += [
        "| architecture | constant | value | records | source, as in `ws.arch` |",
        "| --- | --- | --- | --- | --- |",
    ]
    for (target, constant), text in SOURCES.items():
        known = ws.arch(target).constants[constant]
        lines.append(f"| {target} | {constant} | {known.value:g} | {text} | {known.source} |")
    links = {NAMES[name(r["source"])]: r["url"] for r in records().values() if r["url"]}
    used = {link for link in links if f"[{link}]" in "\n".join(lines)}
    lines += ["", *(f"[{link}]: {links[link]}" for link in sorted(used))]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
