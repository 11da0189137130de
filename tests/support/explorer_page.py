"""The explorer in a browser, and the same states for the package."""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from importlib.resources import files
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic, sleep
from typing import Any
from urllib.parse import parse_qsl, urlencode

import numpy as np

import warpsim as ws
from warpsim import _core, paths
from warpsim.cli import options
from warpsim.cli.server import ExplorerServer
from warpsim.explorer import DEFAULTS, VERSION
from warpsim.memory.memory import SHARED_WINDOW
from warpsim.tile.layout import PACKED, TYPE_BITS

X4 = ws.Ldmatrix(num=4)
WMMA = "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16"
ROWS = np.arange(32) % 8 * 256 + np.arange(32) // 8 * 16
PAGE = Path(str(files("warpsim") / "data" / "explorer.html"))
FILLS = (
    "st.shared.b32", "st.shared.v4.b32", "cp.async.cg.shared.global [a], [b], 16;",
    "cp.async.ca.shared.global [a], [b], 4;", "stmatrix.sync.aligned.m8n8.x4.shared.b16",
)  # fmt: skip


def wait_for(page: Any, expression: str) -> None:
    """Until it is true. Playwright's own waiting evaluates a string in the page, which its policy forbids."""
    end = monotonic() + 30
    while not page.evaluate(f"!!({expression})"):
        assert monotonic() < end, f"{expression} is not true after 30 s"
        sleep(0.02)


class Tab:
    """A tab with the explorer; what went to its console or out of it is kept."""

    def __init__(self, browser: Any, fragment: str = "", **options: Any) -> None:
        self.page = browser.new_page(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.noise: list[str] = []
        self.page.on("console", lambda message: self.noise.append(message.text))
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("request", lambda request: self.noise.append(request.url))
        self.page.goto(PAGE.as_uri() + fragment)
        wait_for(self.page, "window.explorer")
        self.noise = [one for one in self.noise if not one.startswith(PAGE.as_uri())]

    def show(self, fragment: str) -> Any:
        """The answer to a link, as the page has it."""
        self.page.evaluate("words => { location.hash = words; }", fragment)
        return self.told("new Promise(done => setTimeout(done, 0)).then(() => explorer.answer())")

    def told(self, expression: str) -> Any:
        """Its value, as a text: Playwright takes far longer over many numbers than JSON does."""
        return json.loads(self.page.evaluate(f"(async () => JSON.stringify((await {expression}) ?? null))()"))

    def state(self, words: Mapping[str, str]) -> Any:
        """The answer to a state."""
        return self.show(f"#{urlencode({'v': VERSION, **words})}")

    def search(self) -> Any:
        """What the button finds: the first 500 layouts, the last one, and how many there are."""
        self.page.evaluate("document.getElementById('search').click()")
        return self.told(
            "(() => { const found = explorer.found(), row = (one) => one.slice(0, 7);"
            " return found.best ? { ...found, pareto: found.pareto.length,"
            " best: found.best.slice(0, 500).map(row), last: found.best.slice(-1).map(row)[0] }"
            " : found; })()"
        )


def random_state(random: Random, forms: list[str]) -> dict[str, str]:
    """A link's words; most of them fit together."""
    type = random.choice(list(TYPE_BITS))
    sizes = (8, 16, 32, 48, 64, 128)
    b = random.choice((0, 0, 1, 2, 3))
    readers = [form for form in forms if form.startswith(("ldmatrix", "ld."))]
    state = {
        "op": random.choice(random.choice((forms, readers))), "type": type, "target": random.choice(_core.TARGETS),
        "rows": str(random.choice(sizes)), "cols": str(random.choice(sizes)),
        "order": random.choice(("row", "row", "col")), "warps": str(random.choice((1, 2, 4, 8))),
        "pad": str(random.choice((0, 0, 8, 16, 4))), "B": str(b), "M": str(random.choice((0, 3, 4))),
        "S": str(random.choice((3, -3, 4))), "unit": "byte" if type in PACKED else random.choice(("element", "byte")),
        "row": str(random.choice((0, 0, 8))), "col": str(random.choice((0, 0, 8))),
        "arrange": random.choice(("col", "row")), "fill": random.choice(FILLS), "side": random.choice(("read", "fill")),
    }  # fmt: skip
    if random.random() < 0.3:
        unit = random.choice((16, 16, 4, 1))
        state["addresses"] = " ".join(str(random.randrange(4096) * unit) for _ in range(32))
    if random.random() < 0.3:
        state["stride"] = str(random.choice((8, 16, 24, 32, 40, 256)))
    return state


def layout_of(state: Mapping[str, str]) -> ws.Layout:
    """The tile of a state."""
    state = {**DEFAULTS, **state}
    b, m, s = (int(state[key]) for key in "BMS")
    unit = "byte" if state["type"] in PACKED else state["unit"]
    swizzle = ws.Swizzle(b, m, s, unit) if b else None
    size = int(state["rows"]), int(state["cols"])
    return ws.Layout(*size, state["type"], state["order"], int(state["pad"]), swizzle)


def origin_of(op: ws.DataMovement) -> int:
    """Where shared memory begins for the instruction's addresses."""
    return SHARED_WINDOW if op.space == "" and op.kind != "cp.async" else 0


def address_of(state: Mapping[str, str], op: ws.DataMovement) -> Any:
    """Addresses and stride: of the lists, or of the tile; ValueError where it has none."""
    state = {**DEFAULTS, **state}
    stride = int(state["stride"]) if state["stride"] and op.is_wmma else None
    if state["addresses"]:
        return np.array([int(word) for word in state["addresses"].split()]), stride
    place = int(state["row"]), int(state["col"])
    layout = layout_of(state)
    if not op.is_wmma:
        return layout.addresses(op, *place, state["arrange"]) + origin_of(op), None
    if stride is None:
        bits = op.register_bits // op.fields
        fits = layout.order == op.layout and TYPE_BITS[layout.type] == bits
        if layout.swizzle is not None or layout.type in PACKED or not fits:
            raise ValueError("no tile that wmma can read")
        stride = layout.pitch * 8 // bits
    return np.full(32, layout(*place)) + origin_of(op), stride


def read(url: str, home: str | None = None) -> dict[str, str]:
    """The state of a link, with its defaults; the link has nothing that it could leave out."""
    base, _, words = url.partition("#")
    assert base == (paths.explorer().as_uri() if home is None else home)
    found = parse_qsl(words, keep_blank_values=True, strict_parsing=True)
    assert found[0] == ("v", "1") and len(dict(found)) == len(found)
    state = dict(found[1:])
    assert state.keys() <= DEFAULTS.keys()
    assert all(value != DEFAULTS[key] for key, value in state.items()), state
    return {**DEFAULTS, **state}


#: instructions, and where the command line puts them
PLACES = [
    (X4.ptx, ["--tile", "64x64:f16:swizzle=3,3,3", "--at", "16,32"]), (X4.ptx, ["--tile", "64x64:f16:pad=8"]),
    ("ldmatrix.sync.aligned.m8n8.x2.b16", ["--tile", "64x64:f16", "--at", "8,8"]),
    ("ld.shared.v4.b32", ["--tile", "64x64:b6x16_p32:swizzle=2,4,3,byte"]),
    ("cp.async.cg.shared.global [d], [s], 16;", ["--tile", "8x64:f16:pad=8"]),
    (WMMA, ["--tile", "64x64:f16:pad=8", "--at", "16,32"]),
    ("wmma.load.a.sync.aligned.col.m8n32k16.f16", ["--tile", "64x64:f16:col", "--at", "8,0"]),
    (WMMA, ["--address", "64", "--stride", "24"]), (WMMA, ["--address", "64"]), (WMMA, ["--address", "lane"]),
    (X4.ptx, ["--address", "lane % 8 * 256 + lane // 8 * 16"]), ("movmatrix.sync.aligned.m8n8.trans.b16", []),
    ("stmatrix.sync.aligned.m8n8.x4.shared.b16", []),
]  # fmt: skip


def resolved(ptx: str, words: list[str]) -> tuple[ws.DataMovement, options.Place]:
    """The instruction, and where the command line puts it."""
    given = dict(zip(words[::2], words[1::2], strict=True))
    op = ws.parse(ptx)
    stride = int(given["--stride"]) if "--stride" in given else None
    return op, options.resolve(op, given.get("--address"), given.get("--tile"), given.get("--at", "0,0"), stride)


@contextmanager
def serving() -> Iterator[ExplorerServer]:
    """The server of the command, in a thread."""
    with ExplorerServer() as made:
        thread = Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield made
        finally:
            made.shutdown()
            thread.join()


def ask(server: ExplorerServer, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an answer."""
    own = {"Host": f"127.0.0.1:{server.server_port}"}
    with closing(HTTPConnection("127.0.0.1", server.server_port, timeout=10)) as connection:
        connection.request(method, path, headers={**own, **headers})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
