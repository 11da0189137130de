"""Many mutants in one build: each place holds what is right and what is broken, and a number picks one.

A break of an expression, `a < b`, becomes `(WS_M(7) ? (a <= b) : (a < b))`; one of a statement becomes
an `if`; a table is there twice, and its name picks one of both. WS_MUTANT=7 in the environment breaks
the seventh place, and what has been asked by WS_M is kept, so that a run of what is whole says which
places it reaches. Constants of enumerations and sizes of arrays cannot be held twice: `alone` has these.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import ROOT
from tools import places
from tools.mutation.sites import CONTROLS, TOKEN, Site, code

#: included before everything else that is compiled
PRELUDE = """#include <stdio.h>
#include <stdlib.h>
__attribute__((visibility("default"))) unsigned char ws_reached[%(count)d];
__attribute__((visibility("default"))) int ws_mutant = -1, ws_sites = %(count)d;
#define WS_M(k) (ws_reached[k] = 1, ws_mutant == (k))
__attribute__((constructor)) static void ws_mutant_from_environment(void) {
    const char *number = getenv("WS_MUTANT");
    if (number) ws_mutant = atoi(number);
}
__attribute__((destructor)) static void ws_reached_to_file(void) {
    const char *name = getenv("WS_SEEN");
    FILE *file = name ? fopen(name, "wb") : NULL;
    if (file) fwrite(ws_reached, 1, sizeof ws_reached, file), fclose(file);
}
"""
ASSIGNS = {"=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="}
PASTES = {"UINT32_C", "UINT64_C", "INT32_C", "INT64_C"}  # macros that take no expression
QUOTE = set("'\"")  # texts are no tokens
OPEN, CLOSE = set("([{"), set(")]}")
TABLE = re.compile(
    r"(?P<type>static const (?:struct \{[^}]*\}|[\w ]+?)) *(?P<stars>(?:\* *(?:const )?)*)(?P<name>\b\w+)"
    r"(?P<sizes>(?:\[[^]]*\])+) = \{"
)
DECLARED = re.compile(r"(?:const\s+)?\w+\s*\*+\s*(?:const\s+)?\w+\s*[=;,[]")


@dataclass(frozen=True)
class Held:
    """Characters of a header that are there twice: with the break, and without it."""

    number: int
    kind: str
    """`expression`, `statement` or `table`."""
    begin: int
    end: int


def partner(tokens: Sequence[re.Match[str]], at: int, step: int) -> int:
    """The bracket that belongs to the one at this place."""
    opens, closes = (OPEN, CLOSE) if step > 0 else (CLOSE, OPEN)
    depth = 0
    for i in range(at, len(tokens) if step > 0 else -1, step):
        depth += (tokens[i][0] in opens) - (tokens[i][0] in closes)
        if depth == 0:
            return i
    return at


def left_end(tokens: Sequence[re.Match[str]], first: int, stops: set[str]) -> int:
    """The first token of the expression that the token at `first` is in."""
    i = first - 1
    while i >= 0:
        word = tokens[i][0]
        if word in ")]":
            opening = partner(tokens, i, -1)
            if opening > 0 and tokens[opening - 1][0] in CONTROLS:
                return i + 1
            i = opening - 1
        elif word in OPEN or word in stops or word in ("}", "return", "else", "do", "goto"):
            return i + 1
        else:
            i -= 1
    return 0


def right_end(tokens: Sequence[re.Match[str]], last: int, stops: set[str]) -> int:
    """The last token of it."""
    j = last + 1
    while j < len(tokens):
        word = tokens[j][0]
        if word in OPEN:
            j = partner(tokens, j, 1) + 1
        elif word in CLOSE or word in stops:
            return j - 1
        else:
            j += 1
    return len(tokens) - 1


def table_around(text: str, begin: int, end: int, at: int) -> re.Match[str] | None:
    """The table of constants that this place is in."""
    for found in TABLE.finditer(text, begin, end):
        closes = text.find("};", found.end())
        if found.end() <= at < closes and "#" not in text[found.end() : closes]:
            return found
    return None


def held(number: int, site: Site) -> Held | None:
    """How a site can be held twice; None: it needs a build of its own, or none of it compiles."""
    begin, end, after = site.found
    text, bare = site.text, code(site.text)
    item = next((one for one in places.items_of_c(text) if one[1] <= begin < one[2]), None)
    if item is None or re.match(r"(?:typedef |static )?(?:struct|union|enum)\b", text[item[1] : item[2]]):
        return None
    if (table := table_around(text, item[1], item[2], begin)) is not None:
        return Held(number, "table", table.start(), text.find("};", table.end()) + 2)
    if after.endswith(";"):
        is_declared = after == ";" and DECLARED.match(text[begin:end])
        return None if is_declared else Held(number, "statement", begin, end)
    if (
        not text.startswith("#define", item[1])
        and ") {" not in text[item[1] : item[2]]
        and "WS_" not in text[item[1] : item[1] + 3]
    ):
        return None
    tokens = list(TOKEN.finditer(bare, item[1], item[2]))
    inside = [i for i, token in enumerate(tokens) if token.start() < end and token.end() > begin]
    if inside[0] > 1 and tokens[inside[0] - 2][0] in PASTES:
        inside = [inside[0] - 2, partner(tokens, inside[0] - 1, 1)]
    stops = {",", ";"} if text[begin:end] in ASSIGNS else {",", ";", "?", ":", *ASSIGNS}
    first, last = left_end(tokens, inside[0], stops), right_end(tokens, inside[-1], stops)
    words = {token[0] for token in tokens[first : last + 1]}
    if words & {"case", "#", "##", "__VA_ARGS__"}:
        return None
    before = tokens[first - 1].end() if first else item[1]
    behind = tokens[last + 1].start() if last + 1 < len(tokens) else item[2]
    left, right = text[before : tokens[first].start()], text[tokens[last].end() : behind]
    wider = (len(left) if QUOTE & set(left) and first else 0, len(right.rstrip()) if QUOTE & set(right) else 0)
    return Held(number, "expression", tokens[first].start() - wider[0], tokens[last].end() + wider[1])


def flat(text: str) -> str:
    """In one line, without comments."""
    return " ".join(re.sub(r"/\*.*?\*/|//[^\n]*|\\\n", " ", text, flags=re.DOTALL).split())


def around(whole: str, kind: str, begin: int, end: int, sites: Sequence[tuple[int, Site]]) -> str:
    """What stands between `begin` and `end` with all of its breaks."""
    right = whole[begin:end]
    broken = [
        (number, flat(whole[begin : site.found.begin] + site.found.after + whole[site.found.end : end]))
        for number, site in sites
    ]
    if kind == "statement":
        return (
            "{ " + "".join(f"if (WS_M({number})) {{ {wrong} }} else " for number, wrong in broken) + f"{{ {right} }} }}"
        )
    if kind == "expression":
        return "(" + "".join(f"WS_M({number}) ? ({wrong}) : " for number, wrong in broken) + f"({right}))"
    found = TABLE.match(right)
    assert found is not None
    name, sizes, stars = found["name"], found["sizes"], found["stars"]
    both = f"{right[: found.start('name')]}{name}__{right[found.end('name') : -1]}"
    pick = f"&{name}__"
    for number, wrong in broken:
        both += f", {stars}{name}__{number}{sizes} = {{{wrong.partition('= {')[2][:-1]}"
        pick = f"(WS_M({number}) ? &{name}__{number} : {pick})"
    return f"{both};\n#define {name} (*{pick})\n{line_of(whole, end)}"


def line_of(whole: str, at: int) -> str:
    """So that the compiler goes on to count the lines of the header."""
    return f"#line {whole.count(chr(10), 0, at) + 1}\n"


def merged(all_held: Iterable[Held]) -> list[tuple[str, int, int, list[int]]]:
    """Kind, begin, end and numbers; what lies within another is part of that."""
    groups: list[tuple[str, int, int, list[int]]] = []
    for one in sorted(all_held, key=lambda one: (one.begin, -one.end)):
        if groups and one.begin < groups[-1][2]:
            groups[-1][3].append(one.number)
        else:
            groups.append((one.kind, one.begin, one.end, [one.number]))
    return groups


def texts(sites: Sequence[Site], leave: set[int]) -> tuple[dict[Path, str], list[int]]:
    """The headers with all sites but those to leave, and the numbers of what is in none."""
    files: dict[Path, list[Held]] = defaultdict(list)
    alone = []
    for number, site in enumerate(sites):
        one = None if number in leave else held(number, site)
        if one is None:
            alone.append(number)
        else:
            files[site.path].append(one)
    found = {}
    for path, some in files.items():
        whole = text = (ROOT / path).read_text()
        edits = []
        for kind, begin, end, numbers in merged(some):
            edits.append((begin, end, around(whole, kind, begin, end, [(number, sites[number]) for number in numbers])))
            if kind == "table":
                edits.append(no_longer(whole, begin, end))
        for begin, end, new in sorted(edits, reverse=True):
            text = text[:begin] + new + text[end:]
        found[path] = text
    return found, alone


def no_longer(whole: str, begin: int, end: int) -> tuple[int, int, str]:
    """At the end of the function of a table its name is no macro any more; one of the file keeps it."""
    table = TABLE.match(whole[begin:end])
    last = max((b for _, a, b in places.items_of_c(whole) if a < begin < b), default=0)
    assert table is not None
    return (last, last, f"\n#undef {table['name']}\n{line_of(whole, last)}") if last else (end, end, "")


def lines_of(number: int, site: Site) -> set[tuple[str, int]]:
    """Where the compiler would find fault with it: (file, line)."""
    one = held(number, site)
    if one is None:
        return set()
    first, last = (site.text.count("\n", 0, at) + 1 for at in (one.begin, one.end))
    return {(site.file, line) for line in range(first, last + 1)}
