"""A softmax of rows in Triton, one program a row: `warpsim run` compiles and runs it without a GPU."""

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, columns, width: tl.constexpr):  # type: ignore[no-untyped-def]
    at = tl.arange(0, width)
    begin = tl.program_id(0) * columns
    row = tl.load(x + begin + at, mask=at < columns, other=-float("inf"))
    powers = tl.exp(row - tl.max(row, axis=0))
    tl.store(y + begin + at, powers / tl.sum(powers, axis=0), mask=at < columns)
