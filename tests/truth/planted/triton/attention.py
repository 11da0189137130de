"""Attention of one head, by blocks of keys with a running maximum."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, o, n, SIZE: tl.constexpr, WIDTH: tl.constexpr, BUG: tl.constexpr):
    rows = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    cols = tl.arange(0, WIDTH)
    at = rows[:, None] * WIDTH + cols[None, :]
    query = tl.load(q + at, mask=rows[:, None] < n, other=0.0)
    top = tl.full((SIZE,), -float("inf"), tl.float32)
    total = tl.zeros((SIZE,), tl.float32)
    acc = tl.zeros((SIZE, WIDTH), tl.float32)
    for start in range(0, n, SIZE):
        keys = start + tl.arange(0, SIZE)
        place = keys[:, None] * WIDTH + cols[None, :]
        known = keys[:, None] < n
        if BUG == 1:
            key = tl.load(k + place)  # @ key
        elif BUG == -1:
            key = tl.load(k + place, mask=known)
        else:
            key = tl.load(k + place, mask=known, other=0.0)
        scores = tl.dot(query, tl.trans(key), input_precision="ieee")
        scores = tl.where(keys[None, :] < n, scores, -float("inf"))
        higher = tl.maximum(top, tl.max(scores, 1))
        powers = tl.exp(scores - higher[:, None])
        shrink = tl.exp(top - higher)
        if BUG == 2:
            value = tl.load(v + place, mask=keys[:, None] <= n, other=0.0)  # @ value
        elif BUG == -2:
            table = tl.make_tensor_descriptor(v, [n, WIDTH], [WIDTH, 1], [SIZE, WIDTH])
            value = table.load([start, 0])
        else:
            value = tl.load(v + place, mask=known, other=0.0)
        acc = tl.dot(powers, value, acc * shrink[:, None], input_precision="ieee")
        total = total * shrink + tl.sum(powers, 1)
        top = higher
    if BUG == 3:
        tl.store(o + at, acc / total[:, None])  # @ out
    elif BUG == 4:
        tl.store(o + rows[:, None] + cols[None, :] * WIDTH, acc / total[:, None], mask=rows[:, None] < n)  # @ turned
    else:
        tl.store(o + at, acc / total[:, None], mask=rows[:, None] < n)
