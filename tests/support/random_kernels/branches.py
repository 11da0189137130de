"""Control flow of random kernels; beside each branch goes a register that holds the mask of who took it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.random_kernels.programs import Writer


def inside(w: "Writer", mask: str, uniform: bool, most: int = 4) -> None:
    held = w.mask, w.uniform, w.depth
    w.mask, w.uniform, w.depth = mask, uniform, w.depth + 1
    w.several(most)
    w.mask, w.uniform, w.depth = held


def if_else(w: "Writer") -> None:
    r, p, other, join = w.random, w.new("pred"), w.label(), w.label()
    yes, no = "", ""
    if r.random() < 0.2:
        w.put(
            "branch",
            f"setp.{r.choice(['lt', 'ge'])}.u32 {p}, %warp0, {r.randrange(3)};"
            if not w.inside
            else f"setp.ne.b32 {p}, %n, 1;",
        )
        yes = no = w.mask
    else:
        w.put("branch", f"mov.pred {p}, {w.register(1)};")
        if w.mask:
            yes, no = w.new("b32"), w.new("b32")
            w.put("vote", f"vote.sync.ballot.b32 {yes}, {p}, {w.mask};", f"xor.b32 {no}, {yes}, {w.mask};")
    w.put("branch", f"@!{p} bra {other};")
    inside(w, yes, False)
    if r.random() < 0.7:
        w.put("branch", f"bra {join};" if r.random() < 0.8 else f"bra.uni {join};", f"{other}:")
        inside(w, no, False)
        w.put("branch", f"{join}:")
    else:
        w.put("branch", f"{other}:")


def loop(w: "Writer") -> None:
    """A count of the lane's own, or one for all."""
    r, left, more, again = w.random, w.new("b32"), w.new("pred"), w.label()
    same = r.random() < 0.5
    w.put("loop", f"mov.b32 {left}, {r.randint(1, 4)};" if same else f"and.b32 {left}, {w.register(32)}, 3;")
    mask = w.mask
    if mask and not same:
        mask = w.new("b32")
        w.put("loop", f"mov.b32 {mask}, {w.mask};")
    w.put("loop", f"{again}:")
    skip = w.label() if r.random() < 0.3 else ""
    if skip:
        leave = w.new("pred")
        w.put("loop", f"setp.eq.s32 {leave}, {left}, 2;")
        if same or not mask:
            w.put("loop", f"@{leave} bra {skip};")
        else:
            skip = ""
    inside(w, mask, w.uniform and same and not skip)
    if skip:
        w.put("loop", f"{skip}:")
    w.put("loop", f"sub.s32 {left}, {left}, 1;", f"setp.gt.s32 {more}, {left}, 0;")
    if mask and not same:
        w.put("vote", f"vote.sync.ballot.b32 {mask}, {more}, {mask};")
    w.put("loop", f"@{more} bra {again};")


def switch(w: "Writer") -> None:
    index, join, table = w.new("b32"), w.label(), w.label() + "t"
    cases = [w.label() for _ in range(w.random.randint(2, 4))]
    w.put("switch", f"rem.u32 {index}, {w.register(32)}, {len(cases)};")
    mask = ""
    if w.mask:
        mask = w.new("b32")
        w.put("switch", f"match.any.sync.b32 {mask}, {index}, {w.mask};")
    w.put("switch", f"{table}: .branchtargets {', '.join(cases)};", f"brx.idx {index}, {table};")
    for case in cases:
        w.put("switch", f"{case}:")
        inside(w, mask, False, 2)
        w.put("switch", f"bra {join};")
    w.put("switch", f"{join}:")


def call(w: "Writer") -> None:
    known = w.functions if not w.inside else w.functions[: w.functions.index(w.inside)]
    if not known:
        w.plain()
        return
    r = w.random
    target, prototype = r.choice(known), ""
    w.put("call", "{", ".param .b32 x;", ".param .b32 y;", ".param .b64 z;", ".param .b32 got;", f"st.param.b32 [x], {w.register(32)};",
          f"st.param.b32 [y], {w.register(32)};", f"st.param.b64 [z], {w.register(64)};")  # fmt: skip
    if r.random() < 0.3:
        one, two, address, p = r.choice(known), w.new("b64"), w.new("b64"), w.register(1)
        prototype = w.label().lstrip("$") + "proto"
        w.put("call", f"mov.u64 {two}, {one};", f"mov.u64 {address}, {target};", f"selp.b64 {address}, {two}, {address}, {p};",
              f"{prototype}: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _, .param .b64 _);", f"call (got), {address}, (x, y, z), {prototype};")  # fmt: skip
    else:
        w.put("call", f"call{r.choice(['', '.uni'])} (got), {target}, (x, y, z);")
    w.put("call", f"ld.param.b32 {w.register(32)}, [got];", "}")


def early_exit(w: "Writer", store: list[str]) -> None:
    """Some threads leave for good; no barrier follows."""
    stay, p = w.label(), w.register(1)
    w.put("exit", f"@!{p} bra {stay};", *store, w.random.choice(["ret;", "exit;"]), f"{stay}:")
    w.uniform = False
