"""Reads tools/mutation/mutants.txt: what is broken on purpose, and the test that must turn red."""

from pathlib import Path
from typing import NamedTuple

from tests.support.paths import HEADERS, ROOT
from tools import places


class Mutant(NamedTuple):
    """Code that is once in a function, what replaces it, what is wrong then, and who must see."""

    wrong: str
    function: str
    before: str
    after: str
    test: str
    """`c/isa/test_X.c`, or what pytest takes, below tests; "equivalent": no test can see it."""

    @property
    def place(self) -> places.Place:
        """Where it is: there must be one place."""
        (found,) = places.find(self.function, self.before)
        return found

    @property
    def file(self) -> str:
        """A header, below warpsim/, or a file below src."""
        path = ROOT / self.place.path
        return str(path.relative_to(HEADERS if path.is_relative_to(HEADERS) else ROOT / "src"))

    def broken(self) -> tuple[Path, str]:
        """The file, from the root of the checkout, and its text with the break in it."""
        path, begin, end = self.place
        text = (ROOT / path).read_text()
        return path, text[:begin] + self.after + text[end:]


def read(text: str) -> list[Mutant]:
    """The mutants of a text like mutants.txt."""
    found, test = [], ""
    for block in text.split("\n\n"):
        if block.startswith("== "):
            test = block.removeprefix("== ").partition(": ")[0]
        elif not block.startswith("#"):
            wrong, function, before, *after = block.strip("\n").split("\n")
            code = before.removeprefix("- ")
            found.append(Mutant(wrong, function, code, "".join(after).removeprefix("+ "), test))
    return found


#: that nothing saw when they were drawn by chance
SURVIVORS = read((ROOT / "tools" / "mutation" / "survivors.txt").read_text())
EVERY = [*read((ROOT / "tools" / "mutation" / "mutants.txt").read_text()), *SURVIVORS]
MUTANTS = [mutant for mutant in EVERY if mutant.test != "equivalent"]
EQUIVALENT = [mutant for mutant in EVERY if mutant.test == "equivalent"]
