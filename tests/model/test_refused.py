"""Errors about PTX texts: what they say is made when somebody reads it."""

import copy
import pickle
import time

import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim.instruction import suggest

TEXTS = {
    "ldmatrix.sync.aligned.m8n8.x3.shared.b16": "in full: ldmatrix.sync.aligned.m8n8.x1.shared.b16",
    "ldmatrx.sync.aligned.m8n8.x1.shared.b16": "did you mean ldmatrix?",
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 [%r0": "",
    "LDSM.16.M88.4": "LDSM is ldmatrix in SASS",
}


def refused(text: str) -> ws.WarpsimError:
    with pytest.raises((ws.PtxSyntaxError, ws.UnsupportedError)) as caught:
        ws.parse(text)
    return caught.value


def test_a_suggestion_is_made_once_and_when_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(suggest, "whole", lambda text: asked.append(text) or "movmatrix")
    text, *_ = TEXTS
    error = refused(text)
    assert asked == []
    assert ["in full: movmatrix\n" in str(error) for _ in range(2)] == [True, True]
    assert asked == [text]


@pytest.mark.parametrize("text", TEXTS)
def test_every_way_to_read_an_error_has_the_whole_message(text: str) -> None:
    ways = {
        "str": str,
        "args": lambda error: error.args[0],
        "pickle": lambda error: str(pickle.loads(pickle.dumps(error))),
        "copy": lambda error: str(copy.copy(error)),
        "repr": lambda error: repr(error).removesuffix("')").replace("\\n", "\n").partition("(")[2][1:],
    }
    messages = {way: read(refused(text)).rstrip("\")'") for way, read in ways.items()}
    assert len(set(messages.values())) == 1, messages
    assert TEXTS[text] in messages["str"]
    assert "^" in messages["str"]
    compared("ways to read an error", len(ways), at_least=5)


def test_a_copy_of_an_error_has_its_column_and_notes() -> None:
    error = refused(next(iter(TEXTS)))
    error.add_note("of a kernel")
    other = pickle.loads(pickle.dumps(error))
    assert (other.column, other.__notes__) == (error.column, ["of a kernel"])


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("ldmatrix" + ".x4" * 1000, True),
        ("ldmatrix" + ".x4" * 200_000, False),
        ("ldmatrix.x4.x4".ljust(suggest.MOST_LETTERS), True),
        ("ldmatrix.x4.x4".ljust(suggest.MOST_LETTERS + 1), False),
        ("ldmatrix.x4" + "".join(f".x4{i}" for i in range(1, suggest.MOST_WORDS)), True),
        ("ldmatrix.x4" + "".join(f".x4{i}" for i in range(1, suggest.MOST_WORDS + 1)), False),
    ],
)
def test_a_hint_is_for_a_text_that_somebody_may_have_meant(text: str, is_told: bool) -> None:
    """Each qualifier of 200,000 was looked up in all that there are, which took half a minute."""
    error = refused(text)
    begun = time.monotonic()
    assert ("in full: ldmatrix.sync" in str(error)) == is_told
    assert time.monotonic() - begun < 1 and len(str(error)) < 1000
