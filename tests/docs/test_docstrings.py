"""Every doctest in the package's docstrings."""

import doctest
import importlib
import pkgutil

import pytest

import warpsim
from tests.support.evidence import compared


@pytest.mark.slow
def test_docstring_examples_hold() -> None:
    attempted = 0
    for info in pkgutil.walk_packages(warpsim.__path__, "warpsim."):
        if info.name.endswith(("__main__", "_core.core")):
            continue
        found = doctest.testmod(importlib.import_module(info.name))
        assert found.failed == 0, info.name
        attempted += found.attempted
    for method in (warpsim.DataMovement.execute, warpsim.DataMovement.traffic):  # made in C
        assert method.__doc__
        test = doctest.DocTestParser().get_doctest(method.__doc__, {}, method.__name__, None, 0)
        found = doctest.DocTestRunner().run(test)
        assert found.failed == 0, method.__name__
        attempted += found.attempted
    compared("docstring examples", attempted, at_least=15)
