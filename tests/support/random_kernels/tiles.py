"""Matrix statements of random kernels, where whole warps run."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.random_kernels.programs import Writer

PRODUCTS = [
    ("m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2, 4), ("m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2, 2), ("m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1, 4),
    ("m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2, 4), ("m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2, 4), ("m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1, 4),
    ("m16n8k32.row.col.s32.s8.s8.s32", 4, 4, 2, 4), ("m16n8k16.row.col.satfinite.s32.u8.s8.s32", 4, 2, 1, 4), ("m8n8k16.row.col.s32.s8.u8.s32", 2, 1, 1, 2),
    ("m16n8k64.row.col.s32.s4.u4.s32", 4, 4, 2, 4),
]  # fmt: skip


def rows_of(count: int, w: "Writer") -> str:
    names = [f"%r{w.random.randrange(8)}" for _ in range(count)]
    return "{" + ", ".join(names) + "}"


def product(w: "Writer") -> None:
    if not w.whole_warps:
        w.plain()
        return
    text, d, a, b, c = w.random.choice(PRODUCTS)
    into = "{" + ", ".join(f"%r{k}" for k in w.random.sample(range(8), d)) + "}"
    w.put("mma", f"mma.sync.aligned.{text} {into}, {rows_of(a, w)}, {rows_of(b, w)}, {rows_of(c, w)};")


def matrix_rows(w: "Writer") -> None:
    if not w.whole_warps:
        w.plain()
        return
    r = w.random
    count = r.choice([1, 2, 4])
    trans = r.choice(["", ".trans"])
    names = ", ".join(f"%r{k}" for k in r.sample(range(8), count))
    again = ", ".join(f"%r{k}" for k in r.sample(range(8), count))
    w.put("matrix", "mov.u32 %t0, room;", "mad.lo.s32 %t0, %warp0, 1024, %t0;", "mov.u32 %t1, %laneid;", "mad.lo.s32 %t0, %t1, 16, %t0;", "bar.sync 0;",
          f"stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%t0], {{{names}}};", "bar.warp.sync 0xffffffff;",
          f"ldmatrix.sync.aligned.m8n8.x{count}{r.choice(['', '.trans'])}.shared.b16 {{{again}}}, [%t0];", "bar.sync 0;",
          f"movmatrix.sync.aligned.m8n8.trans.b16 {w.register(32)}, {w.register(32)};")  # fmt: skip
