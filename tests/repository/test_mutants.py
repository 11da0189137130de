"""The table of mutants: each is in its function, and no header with logic is left out."""

from collections import Counter

import pytest

from tests.support.evidence import compared
from tests.support.paths import HEADERS
from tools import mutate, places
from tools.mutation import sites
from tools.mutation.mutants import EQUIVALENT, MUTANTS

#: beside the doors, which lie above the folders
WITHOUT_LOGIC = {
    "base/apart.h",
    "base/constant.h",
    "base/public.h",
    "base/rows.h",
    "base/version.h",
    "lanes/level_block.h",
    "simd/level.h",
    "step/slots.h",
    "use/uses.h",
}


def test_mutants_are_where_the_table_says() -> None:
    assert mutate.misplaced() == []
    assert all(mutant.before != mutant.after for mutant in (*MUTANTS, *EQUIVALENT))
    assert len({mutant.wrong for mutant in MUTANTS}) == len(MUTANTS)
    compared("mutants in their places", len(MUTANTS), at_least=250)


def test_every_header_with_logic_has_two_mutants() -> None:
    count = Counter(mutant.file for mutant in MUTANTS)
    headers = {str(path.relative_to(HEADERS)) for path in HEADERS.glob("*/*.h*")} - WITHOUT_LOGIC
    assert {name for name in headers if count[name] < 2} == set()
    compared("headers with two mutants", len(headers), at_least=80)


def test_code_is_found_however_it_is_laid_out() -> None:
    pattern = places.pattern("if (a->b == c) return 2 * x;")
    assert pattern.fullmatch("if (a->b\n        == c) return 2*x ;")
    assert not pattern.search("if (a->b == c) return2 * x;")
    (place,) = places.find("ws_bank_merge_distance", "for(d=1;d<=2;d++)")
    assert place.path.suffix == ".h"


SMALL = """#define WS_TWO(x) ((x) + 2)
static int ws_small(const int *a, int n) { /* a < b + 1 */
    const char c = '<';
    if (n > 1 && c != "+"[0]) n += a[n];
    return n;
}
"""


def broken(begin: str) -> set[str]:
    """The breaks of SMALL in the line that begins so, as that line."""
    begins = SMALL.index(begin)
    ends = SMALL.index("\n", begins)
    found = [one for some in sites.breaks_of(SMALL, sites.code(SMALL), 0, len(SMALL)) for one in some]
    return {
        (SMALL[begins : one.begin] + one.after + SMALL[one.end : ends])
        for one in found
        if begins <= one.begin and one.end <= ends
    }


def test_breaks_are_of_code_alone() -> None:
    assert broken("static int") == set()
    assert broken("    const char") == set()
    assert broken("#define") == {f"#define WS_TWO(x) ((x) {end})" for end in ("- 2", "+ 3", "+ 1", "+ 0")}
    assert broken("    return") == {"    return 0;", "    return 1 + (n);"}
    line = '    if (n > 1 && c != "+"[0]) n += a[n];'
    assert broken("    if") == {
        line.replace(before, after)
        for before, after in (
            ("n > 1", "n >= 1"), ("n > 1", "n <= 1"), ("n > 1", "n > 2"), ("n > 1", "n > 0"), ("&&", "||"),
            ("!=", "=="), ("[0]", "[1]"), ("[0]", "[-1]"), ("+=", "-="), ("+=", "="), ("n += a[n];", ";"),
            ('n > 1 && c != "+"[0]', '!(n > 1 && c != "+"[0])'),
        )
    }  # fmt: skip


@pytest.mark.slow
def test_drawn_mutants_are_the_same_for_a_seed() -> None:
    drawn = sites.drawn(30, "18")
    assert drawn == sites.drawn(40, "18")[:30]
    assert drawn != sites.drawn(30, "19")
    for site in drawn:
        assert site.broken()[1] != site.text
    compared("mutants drawn by chance", len(drawn), at_least=30)
