"""Which layout should a tile have? The classic questions, answered by the counters.

Each line shows a tile, how it is filled and read, and the wavefronts of both sides.
"""

from __future__ import annotations

import warpsim as ws

FILL, COPY = ws.St(vec=4), ws.CpAsync()
X4, X4_TRANS = ws.Ldmatrix(num=4), ws.Ldmatrix(num=4, trans=True)


def show(what: str, layout: ws.Layout, store: ws.Instruction, load: ws.Instruction) -> None:
    report = ws.tile(layout, store=store, load=load, warps=1, target="sm_100a")
    sides = (int(side.traffic.wavefronts.sum()) for side in (report.store, report.load))
    fill, read = sides
    print(f"  {what:<34} fill {fill:>4}  read {read:>4}  {report.bytes:>6,} bytes")


def best(rows: int, cols: int, type: str, store: ws.Instruction, load: ws.Instruction) -> None:
    found = ws.search(rows, cols, type, store=store, load=load, warps=1, target="sm_100a")
    print(f"  best of {len(found) + sum(found.rejected.values()):,}: {found.best!r}")


def main() -> None:
    print("128x64 halves, filled by st.shared.v4, read by ldmatrix.x4")
    show("plain", ws.Layout(128, 64, "f16"), FILL, X4)
    show("pad 8", ws.Layout(128, 64, "f16", pad=8), FILL, X4)
    best(128, 64, "f16", FILL, X4)

    print("the same, filled by cp.async.cg: padding is not free")
    show("pad 8", ws.Layout(128, 64, "f16", pad=8), COPY, X4)
    best(128, 64, "f16", COPY, X4)

    print("64x64 halves, read by ldmatrix.x4.trans: a swizzle made for another pitch")
    for shift in (4, 3):
        swizzle = ws.Swizzle(3, 3, shift)
        show(f"Swizzle<3,3,{shift}>", ws.Layout(64, 64, "f16", swizzle=swizzle), FILL, X4_TRANS)
    wrong = ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 4))
    print("  why: rows 2k and 2k+1 are permuted in the same way and collide:")
    banks = str(X4_TRANS.explain(ws.tile_steps(X4_TRANS, wrong)[0, 0]))
    print("  " + next(line for line in banks.splitlines() if "words, for lanes" in line))

    print("16x16 halves: padding compared with a swizzle")
    show("pad 8", ws.Layout(16, 16, "f16", pad=8), FILL, X4)
    show("Swizzle<1,3,3>", ws.Layout(16, 16, "f16", swizzle=ws.Swizzle(1, 3, 3)), FILL, X4)

    print("64x64 bytes, read by ldmatrix.m16n16.x2.trans.b8")
    wide = ws.Ldmatrix(shape="m16n16", num=2, trans=True, type="b8")
    show("plain", ws.Layout(64, 64, "s8"), FILL, wide)
    best(64, 64, "s8", FILL, wide)

    print("32x64 six-bit elements, 16 in 16 bytes, read by ldmatrix.m8n16.x4")
    six = ws.Ldmatrix(shape="m8n16", num=4, type="b8x16.b6x16_p32")
    show("plain", ws.Layout(32, 64, "b6x16_p32"), COPY, six)
    best(32, 64, "b6x16_p32", COPY, six)


if __name__ == "__main__":
    main()
