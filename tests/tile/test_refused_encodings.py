"""Attributes of Triton that say no layout: each is refused with what was expected, and what was given."""

from collections.abc import Callable

import pytest

import warpsim as ws
from tests.support.evidence import compared

NVMMA = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>"
PADDED = "#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [8, 64]}>"
SWIZZLED = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"


def read(text: str, rows: int = 8, cols: int = 64, type_: str = "f16") -> Callable[[], object]:
    return lambda: ws.Layout.from_triton(text, (rows, cols), type_)


REFUSED = {
    "no interval": (read("#ttg.padded_shared<{order = [1, 0]}>"), "expected [INTERVAL:+PADDING, ...] first"),
    "no names": (read("#ttg.swizzled_shared<{8, 1}>"), "expected NAME = VALUE, ... in braces"),
    "twice": (read(SWIZZLED.replace("perPhase", "vec")), "'vec' is given twice"),
    "a broken list": (read(SWIZZLED.replace("[1, 0]", "[1,, 0]")), "expected an integer, true, false or a list"),
    "a word": (read(SWIZZLED.replace("vec = 8", "vec = eight")), "got 'eight'"),
    "missing": (read("#ttg.swizzled_shared<{vec = 8, perPhase = 1}>"), "expected maxPhase = an integer"),
    "order": (read(SWIZZLED.replace("[1, 0]", "[1, 1]")), "expected order = [1, 0] (rows contiguous) or [0, 1]"),
    "width": (read(NVMMA.replace("128", "48")), "expected swizzlingByteWidth = 0, 32, 64 or 128, got 48"),
    "bits": (read(NVMMA, type_="f32"), "expected elementBitWidth = 32, that of the type, got 16"),
    "gaps": (read(NVMMA.replace("}>", ", fp4Padded = true}>")), "use a packed type, b4x16_p64"),
    "small": (read(NVMMA, 4, 64), "expected 8 or more lines of 64 or more elements, got 4x64"),
    "blocks": (read(PADDED.replace("}>", ", block = [[1, 0]]}>")), "expected one block, got several"),
    "shape": (read(PADDED, 16, 64), "expected that of the text, [8, 64], got 16x64"),
    "bases": (read(PADDED.replace("}>", ", offset = [[1, 1]]}>")), "bases that step along one axis each, got [1, 1]"),
    "no commas": (read(PADDED.replace("[32:+4]", "[32:+4 16:+4]")), "expected INTERVAL:+PADDING, got '32:+4 16:+4'"),
    "colons": (read(f"#ttg.padded_shared<[1:{'1111:' * 1900}x] {{order = [1, 0]}}>"), "expected NAME = VALUE"),
    "more colons": (
        read(f"#ttg.padded_shared<[1:{'1111:' * 1900}1] {{order = [1, 0]}}>"),
        "expected INTERVAL:+PADDING",
    ),
    "a power": (read(SWIZZLED.replace("vec = 8", "vec = \u00b2")), "expected an integer, true, false or a list"),
    "many digits": (read(SWIZZLED.replace("vec = 8", f"vec = {'9' * 5000}")), "expected an integer, true, false"),
    "a long interval": (read(PADDED.replace("32", "9" * 19)), "expected INTERVAL:+PADDING"),
    "a deep list": (read(SWIZZLED.replace("[1, 0]", "[" * 4000 + "]" * 4000)), "expected "),
    "few bases": (read(PADDED.replace("}>", ", offset = [[0, 1]]}>")), "expected offset bases for 8x64 elements"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_an_attribute_that_is_no_layout_is_refused(what: str) -> None:
    call, says = REFUSED[what]
    with pytest.raises(ValueError) as error:
        call()
    message = str(error.value)
    assert message.split(":", maxsplit=1)[0] in ("encoding", "shape")
    assert says in message
    compared("attributes of Triton that are refused", 1, at_least=1)
