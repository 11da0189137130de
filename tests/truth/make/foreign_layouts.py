"""Random layouts of CuTe and Triton with digests of their offsets: writes tests/truth/foreign_layouts.json.gz.

Needs Triton 3.9 and `pycute` of CUTLASS (python/pycute): PYTHONPATH=cutlass/python python foreign_layouts.py.
"""

import gzip
import hashlib
import json
import re
from pathlib import Path
from random import Random

import numpy as np
from pycute import ComposedLayout, Layout, Swizzle
from triton._C.libtriton import gluon_ir, ir
from triton.experimental.gluon.language import NVMMASharedLayout, PaddedSharedLayout, SwizzledSharedLayout

OUT = Path(__file__).parents[1] / "foreign_layouts.json.gz"
context = ir.context()
ir.load_dialects(context)
builder = gluon_ir.GluonOpBuilder(context)


def digest(offsets):
    """Of the byte offset of every element, rows after rows."""
    return hashlib.sha256(np.ascontiguousarray(offsets, "<i8").tobytes()).hexdigest()[:16]


def written(value):
    return f"({','.join(written(one) for one in value)})" if isinstance(value, tuple) else str(value)


def nested(random, sizes, strides):
    """Leaves in brackets, some of them in deeper ones."""
    if len(sizes) == 1:
        return sizes[0], strides[0]
    if len(sizes) > 2 and random.random() < 0.5:
        cut = random.randrange(1, len(sizes) - 1)
        inner = nested(random, sizes[:cut], strides[:cut])
        return (inner[0], *sizes[cut:]), (inner[1], *strides[cut:])
    return tuple(sizes), tuple(strides)


def cute(random):
    """A layout of two modes: a permutation of compact leaves, blocks with gaps, or any strides at all."""
    leaves = [random.choice((1, 2, 2, 3, 4, 5, 8, 8, 16)) for _ in range(random.randrange(2, 6))]
    order = random.sample(range(len(leaves)), len(leaves))
    strides, next_stride = [0] * len(leaves), 1
    for leaf in order:
        strides[leaf] = next_stride if random.random() < 0.8 else random.randrange(600)
        next_stride *= leaves[leaf]
        next_stride += random.choice((0, 0, 0, 8))
    cut = random.randrange(1, len(leaves))
    modes = [nested(random, leaves[a:b], strides[a:b]) for a, b in ((0, cut), (cut, len(leaves)))]
    layout = Layout(tuple(mode[0] for mode in modes), tuple(mode[1] for mode in modes))
    text = f"{written(layout.shape)}:{written(layout.stride)}"
    rows, cols = (Layout(*mode).size() for mode in modes)
    bits, of = random.choice((8, 16, 32)), layout
    kind = random.randrange(3)
    if kind:
        b, m, s = random.randrange(4), random.randrange(6), random.choice((-5, -4, -3, 3, 4, 5))
        begin = random.choice((0, 0, 0, 64, 12))
        if kind == 1:
            of, text = ComposedLayout(Swizzle(b, m, s), begin, layout), f"Sw<{b},{m},{s}> o {begin} o {text}"
        else:
            text = f"Sw<{b},{m},{s}> o smem_ptr[{bits}b](unset) o {text}"
            swizzle = Swizzle(b, m, s)
            return text, bits, digest([[swizzle(of(i, j) * bits // 8) for j in range(cols)] for i in range(rows)])
    return text, bits, digest([[of(i, j) * bits // 8 for j in range(cols)] for i in range(rows)])


def placed(bases, shape):
    """The offset of each element, from what the bits of an offset stand for."""
    where = np.zeros((1, 2), np.int64)
    for basis in bases:
        where = np.concatenate([where, where ^ np.array(basis)])
    offsets = np.empty(shape, np.int64)
    offsets[where[:, 0], where[:, 1]] = np.arange(len(where))
    return offsets


def triton(random):
    bits = random.choice((8, 16, 32))
    shape = [1 << random.randrange(3, 9), 1 << random.randrange(4, 9)]
    kind = random.randrange(3)
    if kind == 0:
        vec, per, most = (1 << random.randrange(5) for _ in range(3))
        layout = SwizzledSharedLayout(vec, per, most, random.choice(([1, 0], [0, 1])))
    elif kind == 1:
        width, transposed = random.choice((0, 32, 64, 128)), random.random() < 0.5
        lines, run = shape[::-1] if transposed else shape
        if lines < 8 or run * bits < 8 * max(width, 16):
            return triton(random)
        layout = NVMMASharedLayout(width, bits, 2, transposed)
    else:
        count = random.randrange(1, 4)
        intervals = sorted(random.sample([1 << i for i in range(2, 12)], count))
        pairs = [[interval, 1 << random.randrange(1, 6)] for interval in intervals]
        layout = PaddedSharedLayout.with_identity_for(pairs, shape, random.choice(([1, 0], [0, 1])))
        if random.random() < 0.4:
            bases = random.sample(layout.offset_bases, len(layout.offset_bases))
            layout = PaddedSharedLayout(pairs, bases, [], shape)
    encoding = layout._to_ir(builder)
    type_ = builder.get_shared_mem_desc_ty(builder.get_half_ty(), shape, encoding, shape)
    text = re.search(r"#ttg\.\w+<(?:\{[^}]*\}|\[[^]]*\] \{[^}]*\})>", str(type_))[0]
    if kind == 2:  # Triton has no linear layout of padding: its documented sum over the intervals
        offsets = placed(layout.offset_bases, shape)
        offsets = offsets + sum(offsets // interval * padding for interval, padding in pairs)
    else:
        offsets = placed(builder.to_linear_layout(encoding, shape).offset_bases, shape)
    return text, shape, bits, digest(offsets * bits // 8)


def main():
    random = Random(21)
    contents = {
        "what": "layouts in CuTe's and Triton's notation, with digests of the byte offsets of their elements",
        "source": "pycute of NVIDIA/cutlass at 7107b05; to_linear_layout of Triton 3.9.0 (padding: the formula of"
        " PaddedSharedLayout)",
        "fields": {"cute": "text, bits, digest", "triton": "text, shape, bits, digest",
                   "digest": "SHA-256, 16 digits, of the offsets as little-endian int64, rows after rows"},
        "cute": [cute(random) for _ in range(2400)],
        "triton": [triton(random) for _ in range(700)],
    }  # fmt: skip
    OUT.write_bytes(gzip.compress(json.dumps(contents, separators=(",", ":")).encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
