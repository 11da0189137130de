"""docs/explain/published.md: `python3 -m docs.make.published_page` writes it anew."""

import re
import statistics
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import warpsim as ws
from docs.make.markdown import table
from docs.make.published import ADD, REASONS, SOURCES, WORDS, Claim, claims, error, ids, is_own, records, rests_on
from tests.support.paths import DOCS

PAGE = DOCS / "explain" / "published.md"

#: beginning of a record's source -> its name in the tables
NAMES: Mapping[str, str] = WORDS["names"]
#: a record -> what its row says that figures alone do not
FINDINGS: Sequence[tuple[str, str]] = WORDS["findings"]

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
    text = f"at least: {'holds' if row.holds else 'FAILS'}" if row.claim.at_least else percent(row.error)
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


def compared_table(group: Sequence[Row]) -> Iterator[str]:
    def cells(row: Row) -> Iterator[str]:
        claim, source = row.claim, NAMES[name(row.claim.record["source"])]
        yield from (claim.id, what(claim), values(claim.measured), values(row.predicted))
        yield from (verdict(row), claim.how, resting(row))
        yield f"[{source}]" if claim.record["url"] else source

    head = "id | record | measured | model | error | what the model computes | rests on | source"
    return table(head, map(cells, group))


def summary_cells(gpu: tuple[str, str], group: Sequence[Row]) -> tuple[str, ...]:
    errors = [row.error for row in group if row.counts]
    own = sum(row.own for row in group)
    bounds = [row for row in group if row.claim.at_least]
    kept = f"{sum(row.holds for row in bounds)} of {len(bounds)}" if bounds else ""
    median = percent(statistics.median(map(abs, errors))).lstrip("+") if errors else "none"
    worst = percent(max(errors, key=abs)) if errors else "none"
    return (*gpu, str(len(group)), str(own), str(len(errors)), median, worst, kept)


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
        *table(
            "architecture | GPU | compared | own constant | counted | median | worst | at least",
            (summary_cells(*item) for item in [*groups.items(), (("all", ""), rows())]),
        ), "",
        "## Records compared",
    ]  # fmt: skip
    for (arch, gpu), group in groups.items():
        lines += ["", f"### {arch}, {gpu}", "", *compared_table(group)]
    left = sum(len(ids(text)) for text in REASONS.values())
    reasons = ((len(ids(text)), why, joined(ids(text))) for why, text in REASONS.items())
    sources = (
        (target, constant, f"{known.value:g}", text, known.source)
        for (target, constant), text in SOURCES.items()
        for known in [ws.arch(target).constants[constant]]
    )
    lines += [
        "", "## Not compared", "", f"{left} records:", "", *table("count | reason | ids", reasons),
        "", "## Where the published constants come from", "",
        *table("architecture | constant | value | records | source, as in `ws.arch`", sources),
    ]  # fmt: skip
    links = {NAMES[name(r["source"])]: r["url"] for r in records().values() if r["url"]}
    used = {link for link in links if f"[{link}]" in "\n".join(lines)}
    lines += ["", *(f"[{link}]: {links[link]}" for link in sorted(used))]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
