"""The table of docs/explain/evidence.md says what the tests print."""

from __future__ import annotations

import pytest

from docs.make import counted


def test_rows_add_up_what_is_printed() -> None:
    found = {
        "loads on silicon, one call each (execute_ldst)": 5, "loads on silicon, batched": 9, "movmatrix on silicon": 2,
        "stores on silicon, one call each": 4, "cp.async.cg counters on silicon (4 differ)": 10,
    }  # fmt: skip
    rows = dict(counted.ROWS)
    try:
        counted.ROWS.clear()
        counted.ROWS.update({name: rows[name] for name in rows if "stmatrix" in name or name.endswith("cg")})
        assert [row[1:] for row in counted.rows(found)] == [("11", "all"), ("10", "6")]
        with pytest.raises(AssertionError, match="the tests print nothing of it"):
            list(counted.rows({}))
    finally:
        counted.ROWS.clear()
        counted.ROWS.update(rows)


@pytest.mark.slow
def test_the_table_is_what_the_tests_print() -> None:
    assert counted.PAGE.read_text("utf-8") == counted.page(counted.printed())
