"""The source page of a kernel: source files beside PTX, each line with its counters and a heat bar.

No script: links lead from a line to its counterpart, and the style sheet marks where they lead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, repeat
from pathlib import PurePath
from typing import Any, NamedTuple

from ...characters import attribute, escaped
from .. import html

#: heat: what a reader can choose, and the variable of a row that says how hot it is in per cent
HEATS = (("wavefronts", "w"), ("sectors", "s"), ("executed", "e"))
NAMES = {"wavefronts": "shared wavefronts", "sectors": "global sectors", "executed": "warp instructions"}
CHUNK = 200  # lines that a browser lays out together, when they come near the screen
ROW = 18  # pixels
WHOLE = 20_000  # lines of a text that is shown whole; of a longer one, what is near lines that ran
NEAR = 12
MOST_RUNS = 12  # links from a source line to PTX
LONGEST = 400  # characters of a line

STYLE = f"""
body{{max-width:none}}
main>*{{max-width:62em}}
main>.source,main>.table{{max-width:none}}
.heat{{position:absolute;opacity:0}}
.heat+label{{display:inline-block;padding:.15em .8em;margin:0 .4em .6em 0;border:1px solid var(--frame);
border-radius:1em;cursor:pointer;font-size:.9rem}}
.heat:checked+label{{background:var(--ink);color:var(--paper);border-color:var(--ink)}}
.heat:focus-visible+label{{outline:3px solid #3584e4;outline-offset:2px}}
.panes{{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,560px),1fr));gap:12px}}
.pane{{height:86vh;overflow:auto;border:1px solid var(--frame);border-radius:6px;min-width:0;overflow-wrap:normal}}
.pane h3{{position:sticky;left:0;width:max-content;margin:0;padding:.5em 10px;font-size:.9rem}}
.pane table{{table-layout:fixed;border-spacing:0;border-collapse:separate;font:12px/{ROW}px ui-monospace,
'Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace}}
.pane th,.pane td{{height:{ROW}px;padding:0 8px 0 0;border:0;white-space:pre;overflow:hidden;text-align:right}}
.pane .head{{position:sticky;top:0;z-index:2;background:var(--slot);box-shadow:0 1px var(--frame);width:max-content;
min-width:100%}}
.head th{{color:var(--faint);font-weight:400}}
.pane td:last-child,.pane th:last-child{{text-align:left;overflow:visible}}
.pane td:first-child{{position:sticky;left:0;z-index:1;background:var(--paper);text-align:right}}
.pane td{{color:var(--faint)}}
.pane .r td{{color:var(--ink)}}
.pane .x{{color:var(--alarm)!important}}
.k{{content-visibility:auto}}
.pane tr,.pane tbody{{scroll-margin:28vh 0}}
.pane tr:hover td,.pane :target td{{background:var(--slot)}}
.pane :target td:first-child{{box-shadow:inset 4px 0 #3584e4}}
.pane .runs{{display:none}}
.pane :target+.runs{{display:table-row}}
.b::before{{content:"";display:block;height:10px;margin:4px 0;border-radius:2px;background:#d9480f}}
{"".join(f"#heat-{v}:checked~.panes .b::before{{width:calc(var(--{v},0)*1%)}}" for _, v in HEATS)}
.pane .f td,.pane .runs td{{color:var(--ink);overflow:visible;text-align:left}}
.f.error b{{color:var(--alarm)}}
.f.warning b{{color:var(--caveat)}}
a{{color:#1a5fb4}}
.pane a{{text-decoration:none}}
.pane a:hover,.pane a:focus{{text-decoration:underline}}
@media (prefers-color-scheme:dark){{
a{{color:#8ab8f5}}
.b::before{{background:#ff8c42}}
}}
@media print{{.pane{{height:auto;overflow:visible}}.k{{content-visibility:visible}}}}
"""


class Line(NamedTuple):
    """A line that ran: its counters, and its counterparts."""

    counts: Mapping[str, int]
    links: Sequence[tuple[str, str]]  # (where to, what it says), the most important first


class Column(NamedTuple):
    """A column of counters: its head, what it shows, and how wide it is in characters."""

    head: str
    title: str
    name: str
    less: str = ""  # subtracted: what is excessive
    width: int = 7


COLUMNS = (
    Column("executed", "warp instructions executed", "executed", width=8),
    Column("wavefr.", "wavefronts of shared memory", "wavefronts"),
    Column("excess", "wavefronts more than the best pattern takes", "wavefronts", "ideal_wavefronts"),
    Column("sectors", "sectors of global memory", "sectors"),
    Column("excess", "sectors more than the best pattern takes", "sectors", "ideal_sectors"),
)
COUNTERS = tuple(dict.fromkeys(name for column in COLUMNS for name in (column.name, column.less) if name))


def short(count: int) -> str:
    """At most six characters: 12,345, 1.23M."""
    if count < 100_000:
        return f"{count:,}"
    value, units = count / 1000, "kMGTP"
    while value >= 999.5 and len(units) > 1:
        value, units = value / 1000, units[1:]
    return f"{value:.3g}{units[0]}"


def counters_of(lines: Mapping[str, Sequence[Any]], rows: Sequence[int]) -> dict[str, int]:
    """The sum of some rows."""
    return {name: sum(lines[name][i] for i in rows) for name in COUNTERS}


def _columns(lines: Mapping[str, Sequence[Any]]) -> list[Column]:
    """Those that say something about this kernel."""
    ideals = {column: lines[column.less] if column.less else repeat(0) for column in COLUMNS}
    return [
        column
        for column in COLUMNS
        if any(count > ideal for count, ideal in zip(lines[column.name], ideals[column], strict=False))
    ]


class Pane:
    """One text with its counters. `key` begins the names of its lines; `runs` are lines that belong together."""

    def __init__(self, key: str, name: str, text: Sequence[str], columns: Sequence[Column]) -> None:
        self._key, self.name, self._text, self._columns = key, name, text, columns
        self.lines: dict[int, Line] = {}
        self.findings: dict[int, list[Mapping[str, Any]]] = {}
        self.runs: dict[int, int] = {}  # first line -> last line

    def _numbers(self) -> list[int]:
        """Of the lines that are shown."""
        if len(self._text) <= WHOLE:
            return list(range(1, len(self._text) + 1))
        near = {number for at in (*self.lines, *self.findings) for number in range(at - NEAR, at + NEAR + 1)}
        return sorted(number for number in near if 0 < number <= len(self._text))

    def _cells(self, line: Line) -> Iterator[str]:
        for column in self._columns:
            value = line.counts[column.name] - (line.counts[column.less] if column.less else 0)
            mark = ' class="x"' if column.less and value > 0 else ""
            exact = f' title="{value:,}"' if value >= 100_000 else ""
            yield f"<td{mark}{exact}>{short(value) if value > 0 else ''}</td>"

    def _row(self, number: int, most: Mapping[str, int]) -> str:
        text = escaped(self._text[number - 1][:LONGEST])
        line = self.lines.get(number)
        if line is None:
            return (
                f'<tr id="{self._key}{number}"><td>{number}</td><td colspan="{len(self._columns) + 1}"></td>'
                f"<td>{text}</td></tr>"
            )
        heats = ((sign, line.counts[what], most[what]) for what, sign in HEATS)
        heat = ";".join(f"--{sign}:{max(1, round(100 * count / top))}" for sign, count, top in heats if count)
        shown, runs = str(number), ""
        if line.links:
            shown = f'<a href="#{line.links[0][0]}" title="{attribute(line.links[0][1])}">{number}</a>'
        if len(line.links) > 1:
            listed = " ".join(f'<a href="#{to}">{escaped(words)}</a>' for to, words in line.links[:MOST_RUNS])
            more = f" and {len(line.links) - MOST_RUNS} more" if len(line.links) > MOST_RUNS else ""
            runs = f'<tr class="runs"><td></td><td colspan="{len(self._columns) + 2}">PTX {listed}{more}</td></tr>'
        return (
            f'<tr class="r" id="{self._key}{number}" style="{heat}"><td>{shown}</td><td class="b"></td>'
            f"{''.join(self._cells(line))}<td>{text}</td></tr>{runs}"
        )

    def _found(self, number: int) -> Iterator[str]:
        for one in self.findings.get(number, ()):
            yield (
                f'<tr class="f {attribute(one["severity"])}"><td></td><td colspan="{len(self._columns) + 2}">'
                f'<b>{escaped(one["severity"])}</b> <a href="#{one["id"]}">{escaped(one["rule"])}</a>'
                f" {escaped(' '.join(one['message'].split())[:LONGEST])}</td></tr>"
            )

    def table(self, body: str, label: str) -> str:
        """A <table> whose columns are as wide as those of every other one of this text."""
        longest = max((min(len(line), LONGEST) for line in self._text), default=0) + 24
        widths = (7, 6, *(column.width + 1 for column in self._columns), longest)
        columns = "".join(f'<col style="width:{width}ch">' for width in widths)
        style = f' style="width:{sum(widths)}ch"'
        return f'<table{style} aria-label="{attribute(label)}"><colgroup>{columns}</colgroup>{body}</table>'

    def head(self) -> str:
        """The names of the columns."""
        names = "".join(f'<th title="{attribute(one.title)}">{one.head}</th>' for one in self._columns)
        return (
            f'<div class="head">{self.table(f"<tr><th>line</th><th>heat</th>{names}<th></th></tr>", "columns")}</div>'
        )

    def _bodies(self, numbers: Sequence[int], most: Mapping[str, int]) -> Iterator[str]:
        """Rows; those of a run together, for the page to mark them together."""
        run_of = {number: first for first, last in self.runs.items() for number in range(first, last + 1)}
        last = numbers[0] - 1
        for run, group in groupby(numbers, run_of.get):
            yield f'<tbody id="{self._key}r{run}">' if run in numbers else "<tbody>"
            for number in group:
                if number != last + 1:
                    yield f'<tr><td></td><td colspan="{len(self._columns) + 2}">...</td></tr>'
                last = number
                yield self._row(number, most)
                yield from self._found(number)
            yield "</tbody>"

    def html(self) -> Iterator[str]:
        """The name of the text, and its lines in chunks."""
        yield f"<h3>{escaped(self.name)}</h3>"
        most = {what: max((line.counts[what] for line in self.lines.values()), default=0) for what, _ in HEATS}
        shown = self._numbers()
        for first in range(0, len(shown), CHUNK):
            part = shown[first : first + CHUNK]
            label = f"{self.name}, lines {part[0]} to {part[-1]}"
            yield (
                f'<div class="k" style="contain-intrinsic-height:auto {ROW * len(part)}px">'
                f"{self.table(''.join(self._bodies(part, most)), label)}</div>"
            )


def _runs(lines: Mapping[str, Sequence[Any]]) -> list[list[int]]:
    """Rows of the same source line that follow each other."""
    keys = list(zip(lines["source"], lines["source_line"], strict=True))
    return [list(rows) for _, rows in groupby(range(len(keys)), lambda i: keys[i])]


def _panes(
    contents: Mapping[str, Any], ptx: Sequence[str], sources: Sequence[Sequence[str]]
) -> tuple[Pane, list[Pane]]:
    """The pane of the PTX, and those of the source files that can be shown, the costliest first."""
    lines, columns = contents["lines"], _columns(contents["lines"])
    target = Pane("p", "PTX", ptx, columns)
    names = [PurePath(name).name for name in contents["sources"]]
    files = {i: Pane(f"s{i}-", contents["sources"][i], text, columns) for i, text in enumerate(sources) if text}
    runs_of: dict[tuple[int, int], list[list[int]]] = {}
    for rows in _runs(lines):
        key = (lines["source"][rows[0]], lines["source_line"][rows[0]])
        is_shown = key[0] in files
        if is_shown:
            runs_of.setdefault(key, []).append(rows)
            target.runs[lines["line"][rows[0]]] = lines["line"][rows[-1]]
        there = [(f"s{key[0]}-{key[1]}", f"{names[key[0]]}:{key[1]}")] if is_shown else []
        for number, same in groupby(rows, lambda i: lines["line"][i]):
            target.lines[number] = Line(counters_of(lines, list(same)), there)
    cost = dict.fromkeys(files, (0, 0, 0))
    for (file, number), runs in runs_of.items():
        keys = {id(rows): tuple(counters_of(lines, rows)[what] for what, _ in HEATS) for rows in runs}
        runs.sort(key=lambda rows: keys[id(rows)], reverse=True)
        links = []
        for rows in runs:
            first, last = lines["line"][rows[0]], lines["line"][rows[-1]]
            links.append((f"pr{first}", f"{first}" if first == last else f"{first}-{last}"))
        counts = counters_of(lines, [i for rows in runs for i in rows])
        files[file].lines[number] = Line(counts, links)
        w, s, e = (counts[what] for what, _ in HEATS)
        cost[file] = (cost[file][0] + w, cost[file][1] + s, cost[file][2] + e)
    for number, one in enumerate(contents["findings"]):
        _mark(contents, {**one, "id": f"finding-{number}"}, target, files)
        if one.get("other"):
            words = {"severity": "note", "message": f"the other side: {one['other']['opcode']}, see line {one['line']}"}
            _mark(contents, {**one["other"], **words, "rule": one["rule"], "id": f"finding-{number}"}, target, files)
    return target, sorted(files.values(), key=lambda pane: cost[int(pane._key[1:-1])], reverse=True)


def _mark(contents: Mapping[str, Any], one: Mapping[str, Any], target: Pane, files: Mapping[int, Pane]) -> None:
    """Puts a finding below its lines."""
    target.findings.setdefault(one["line"], []).append(one)
    if one["source"] in contents["sources"]:
        pane = files.get(contents["sources"].index(one["source"]))
        if pane is not None:
            pane.findings.setdefault(one["source_line"], []).append(one)


def _pane(label: str, panes: Sequence[Pane]) -> str:
    body = "\n".join(part for pane in panes for part in pane.html())
    return f'<section class="pane" tabindex="0" aria-label="{label}">{panes[0].head()}{body}</section>'


def source(contents: Mapping[str, Any], ptx: Sequence[str], sources: Sequence[Sequence[str]]) -> str:
    """Source files beside PTX, or PTX alone; nothing where no text is known."""
    if not ptx or not (contents["lines"]["line"] or contents["findings"]):
        return ""
    target, files = _panes(contents, ptx, sources)
    heats = [(what, sign) for what, sign in HEATS if any(contents["lines"][what])]
    choices = "".join(
        f'<input class="heat" type="radio" name="heat" id="heat-{sign}"{" checked" if not i else ""}>'
        f'<label for="heat-{sign}">heat: {NAMES[what]}</label>'
        for i, (what, sign) in enumerate(heats)
    )
    panes = [*([_pane("source", files)] if files else []), _pane("PTX", [target])]
    how = html.paragraph("The number of a line leads to its counterpart.") if files else ""
    return f'<h2>Line by line</h2>{how}<div class="source">{choices}<div class="panes">{"".join(panes)}</div></div>'
