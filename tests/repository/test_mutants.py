"""The table of mutants: each is in its function, and no header with logic is left out."""

from collections import Counter

from tests.support.evidence import compared
from tests.support.paths import HEADERS
from tools import mutate, places
from tools.mutants import EQUIVALENT, MUTANTS

#: beside the doors, which lie above the folders
WITHOUT_LOGIC = {"base/public.h", "base/rows.h", "base/version.h", "simd/level.h"}


def test_mutants_are_where_the_table_says() -> None:
    assert mutate.misplaced() == []
    assert all(mutant.before != mutant.after for mutant in (*MUTANTS, *EQUIVALENT))
    assert len({mutant.wrong for mutant in MUTANTS}) == len(MUTANTS)
    compared("mutants in their places", len(MUTANTS), at_least=250)


def test_every_header_with_logic_has_two_mutants() -> None:
    count = Counter(mutant.file for mutant in MUTANTS)
    headers = {str(path.relative_to(HEADERS)) for path in HEADERS.glob("*/*.h")} - WITHOUT_LOGIC
    assert {name for name in headers if count[name] < 2} == set()
    compared("headers with two mutants", len(headers), at_least=80)


def test_code_is_found_however_it_is_laid_out() -> None:
    pattern = places.pattern("if (a->b == c) return 2 * x;")
    assert pattern.fullmatch("if (a->b\n        == c) return 2*x ;")
    assert not pattern.search("if (a->b == c) return2 * x;")
    (place,) = places.find("ws_bank_merge_distance", "for(d=1;d<=2;d++)")
    assert place.path.suffix == ".h"
