"""Pieces of random kernels that read and write memory which no other thread touches, and atomics."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.random_kernels.programs import Writer

#: of shared memory: bytes of each thread from the start of `room`
SLOT = 64


def vector(w: "Writer") -> tuple[int, str, str]:
    """Bytes, the type words and operands of a load or store of the pools."""
    n = w.random.choice([16, 32, 64])
    count = w.random.choice([1, 1, 2, 4] if n < 64 else [1, 1, 2])
    prefix, most = {16: ("h", 5), 32: ("r", 8), 64: ("d", 6)}[n]
    names = [f"%{prefix}{k}" for k in w.random.sample(range(most), count)]
    if count == 1:
        return n // 8, f"{w.random.choice('bus')}{n}", names[0]
    return n // 8 * count, f"v{count}.b{n}", "{" + ", ".join(names) + "}"


def own_global(w: "Writer") -> None:
    n, words, names = vector(w)
    at = 192 + w.random.randrange(0, 64, n)
    again = vector_like(w, words)
    w.put("global", f"st.global.{words} [%out+{at}], {names};", f"{w.guard()}ld.global.{words} {again}, [%out+{at}];")


def vector_like(w: "Writer", words: str) -> str:
    n = int("".join(c for c in words.rsplit(".", maxsplit=1)[-1] if c.isdigit()))
    prefix, most = {16: ("h", 5), 32: ("r", 8), 64: ("d", 6)}[n]
    count = int(words[1]) if words[0] == "v" else 1
    names = [f"%{prefix}{k}" for k in w.random.sample(range(most), count)]
    return names[0] if count == 1 else "{" + ", ".join(names) + "}"


def read_input(w: "Writer") -> None:
    n, words, names = vector(w)
    how = w.random.choice(["", ".nc", ".ca", ".cg", ".volatile"])
    text = f"ld.volatile.global.{words}" if how == ".volatile" else f"ld.global{how}.{words}"
    w.put("global", f"{w.guard()}{text} {names}, [%in+{w.random.randrange(0, 128, n)}];")


def narrow_load(w: "Writer") -> None:
    kind, at = w.random.choice([("u8", 1), ("s8", 1), ("u16", 2), ("s16", 2)]), w.random.randrange(0, 64)
    w.put("global", f"ld.global.{kind[0]} {w.register(32)}, [%in+{at * kind[1]}];")


def read_table(w: "Writer") -> None:
    i, name, space = w.register(32), w.random.choice(["table", "words"]), ""
    space = "const" if name == "table" else "global"
    w.put(
        space,
        f"and.b32 %t0, {i}, 15;",
        f"mov.u64 %a0, {name};",
        "mad.wide.u32 %a0, %t0, 4, %a0;",
        f"ld.{space}.u32 {w.register(32)}, [%a0];",
    )


def local_memory(w: "Writer") -> None:
    _, words, names = vector(w)
    generic = w.random.random() < 0.5
    where = ["mov.u64 %a0, own;", f"and.b32 %t0, {w.register(32)}, 7;", "mad.wide.u32 %a0, %t0, 16, %a0;"]
    if generic:
        where.append("cvta.local.u64 %a0, %a0;")
    space = "" if generic else ".local"
    w.put("local", *where, f"st{space}.{words} [%a0], {names};", f"ld{space}.{words} {vector_like(w, words)}, [%a0];")


def own_shared(w: "Writer") -> None:
    n, words, names = vector(w)
    at = w.random.randrange(0, SLOT, n)
    w.put("shared", "mov.u32 %t0, room;", f"mad.lo.s32 %t0, %tid0, {SLOT}, %t0;", f"st.shared.{words} [%t0+{at}], {names};",
          f"ld.shared.{words} {vector_like(w, words)}, [%t0+{at}];")  # fmt: skip


def atomics(w: "Writer") -> None:
    """Cells that many threads hit take one commutative operation each; the old value counts only in a cell of one's own."""
    r = w.random
    op = r.choice(["add", "min", "max", "and", "or", "xor"])
    kind = r.choice(
        ["u32", "s32", "u64"]
        if op in ("add",)
        else ["u32", "s32", "u64", "s64"]
        if op in ("min", "max")
        else ["b32", "b64"]
    )
    index = ["add", "min", "max", "and", "or", "xor"].index(op) * 8 + {
        "u32": 0,
        "s32": 1,
        "u64": 2,
        "s64": 3,
        "b32": 4,
        "b64": 5,
    }[kind]
    n = int(kind[1:])
    value, cell = w.register(n), f"and.b32 %t0, {w.register(32)}, 7;"
    scope = r.choice(["", ".relaxed", ".relaxed.gpu", ".release", ".relaxed.sys"])
    if r.random() < 0.5:
        w.put(
            "atomic",
            cell,
            "mad.wide.u32 %a0, %t0, 8, %cells;",
            f"{w.guard()}red{scope}.global.{op}.{kind} [%a0+{index * 64}], {value};",
        )
    elif r.random() < 0.5:
        ignored = w.new(f"b{n}")
        w.put(
            "atomic",
            cell,
            "mad.wide.u32 %a0, %t0, 8, %cells;",
            f"atom{scope}.global.{op}.{kind} {ignored}, [%a0+{index * 64}], {value};",
        )
    else:
        own_atomic(w)


def own_atomic(w: "Writer") -> None:
    r, at = w.random, 192 + w.random.randrange(0, 64, 8)
    text, n = r.choice([("inc.u32", 32), ("dec.u32", 32), ("exch.b32", 32), ("exch.b64", 64), ("cas.b32", 32), ("cas.b64", 64), ("add.f32", 32),
                        ("add.f64", 64), ("add.noftz.f16x2", 32), ("add.noftz.bf16x2", 32), ("cas.b16", 16), ("add.noftz.f16", 16), ("min.s64", 64)])  # fmt: skip
    more = f", {w.register(n)}" if text.startswith("cas") else ""
    w.put("atomic", f"st.global.b{n} [%out+{at}], {w.register(n)};", f"atom.global.{text} {w.register(n)}, [%out+{at}], {w.register(n)}{more};",
          f"ld.global.b{n} {w.register(n)}, [%out+{at}];")  # fmt: skip


def pointers(w: "Writer") -> None:
    w.put(
        "global",
        f"mov.u64 %a0, places+{w.random.choice([0, 8])};",
        "ld.global.u64 %a0, [%a0];",
        f"ld.global.b32 {w.register(32)}, [%a0+{w.random.randrange(0, 48, 4)}];",
    )


def narrow_store(w: "Writer") -> None:
    at = 192 + w.random.randrange(0, 64, 4)
    w.put("global", f"st.global.b8 [%out+{at + w.random.randrange(4)}], {w.register(w.random.choice([16, 32, 64]))};",
          f"ld.global.v4.u8 {{%r0, %r1, %r2, %r3}}, [%out+{at}];", f"st.global.v2.u16 [%out+{at}], {{%h0, %h1}};")  # fmt: skip


def copies(w: "Writer") -> None:
    n = w.random.choice([4, 8, 16])
    how = "cg" if n == 16 and w.random.random() < 0.5 else "ca"
    size = f", {w.random.choice([0, 1, n // 2, n])}" if w.random.random() < 0.4 else ""
    wait = w.random.choice(["cp.async.wait_all;", "cp.async.commit_group;\n    cp.async.wait_group 0;"])
    w.put("copy", "mov.u32 %t0, room;", f"mad.lo.s32 %t1, %tid0, {SLOT}, %t0;", f"cp.async.{how}.shared.global [%t1], [%in+{w.random.randrange(0, 128, n)}], {n}{size};",
          *wait.split("\n    "), f"ld.shared.b32 {w.register(32)}, [%t1];")  # fmt: skip
