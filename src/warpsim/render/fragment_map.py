"""The picture of a fragment map: every matrix as a grid, with who holds each element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from .packed_row import packed_row
from .svg import BLACK, FAINT, INK, KINDS, MARGIN, MONO, WIDTH, document, text, title
from .text import plural, ranges

NARROWEST = 560
BETWEEN = 28  # from one matrix to the next
NUMBERS = 46  # left of a row: its number
ADDRESS = 50  # and left of that: the lane that supplies its address
HEAD = 44  # over a matrix: its name and the column numbers
WIDE, LEAST = 36, 24  # a cell this wide has large letters; the least for the words in a cell
WIDEST = 72
FIELDS = 4  # more fields than this, and one cell shows a whole register

Holder = tuple[int, int, int]  # lane, register, field
Place = tuple[int, int, int]  # matrix, row, column


class _Grid:
    """What stands where: cells of `tall` x `wide` elements, `across` matrices to a line."""

    def __init__(self, contents: Mapping[str, Any]) -> None:
        matrices = contents["matrices"]
        self.count, self.rows, self.cols = (
            int(matrices[word]) for word in ("count", "rows", "cols")
        )
        self.fields = contents["fields"]
        self.addressed = contents["row_lanes"] == self.count * self.rows
        self.left = NUMBERS + (ADDRESS if self.addressed else 0)
        self.across = 2 if self.count == 4 else 1
        self.tall, self.wide = 1, 1
        if self.fields > FIELDS or self._room() < LEAST * self.cols:
            self.tall, self.wide = _whole_register(contents)
        if self._room() < LEAST * (self.cols // self.wide):
            self.across = 1
        columns = self.cols // self.wide
        self.pitch = min(WIDEST * (2 if self.wide > 1 else 1), self._room() // columns)
        self.large = self.pitch >= WIDE
        self.row = 34 if self.large else 28
        self.matrix_width = self.left + columns * self.pitch
        self.matrix_height = HEAD + self.rows // self.tall * self.row
        used = self.across * self.matrix_width + (self.across - 1) * BETWEEN + 2 * MARGIN
        self.width = max(NARROWEST, used)

    def _room(self) -> int:
        """For the cells of one matrix, side by side."""
        room = WIDTH - 2 * MARGIN - (self.across - 1) * BETWEEN
        return room // self.across - self.left

    def corner(self, matrix: int) -> tuple[int, int]:
        """Where a matrix begins: the next one stands below, then to the right."""
        down = self.count // self.across
        x = MARGIN + matrix // down * (self.matrix_width + BETWEEN)
        return x, matrix % down * (self.matrix_height + BETWEEN // 2)

    @property
    def height(self) -> int:
        down = self.count // self.across
        return down * (self.matrix_height + BETWEEN // 2)


def fragment(contents: Mapping[str, Any]) -> str:
    """Every matrix as a grid of rows and columns; in each cell the lane, the register, the field.

    `contents` is `FragmentMap.to_dict()`. Packed types have a row of memory above, bit by bit.
    """
    grid, holders = _Grid(contents), holders_of(contents)
    width = WIDTH if contents["row"] else grid.width
    y = 30
    body = [title(contents["ptx"], y, width)]
    if contents["row"]:
        picture, y = packed_row(contents["row"], holders, y + 30)
        body += picture
    for line in _key(contents, grid, holders):
        y += 21
        body.append(text(MARGIN, y, line, f'font-size="12" fill="{FAINT}"'))
    coloured_by_lane = len({held[0][1] for held in holders.values()}) == 1
    if not coloured_by_lane:
        y += 24
        body.append(_legend(sorted({held[0][1] for held in holders.values()}), y))
    y += 16
    for matrix in range(grid.count):
        body += _matrix(grid, matrix, holders, y, coloured_by_lane)
    return document(f"{contents['ptx']}: fragment map", y + grid.height + 6, body, width)


def holders_of(contents: Mapping[str, Any]) -> dict[Place, list[Holder]]:
    """Element -> all that hold it, lowest lane first."""
    found: dict[Place, list[Holder]] = {}
    for lane, registers in enumerate(contents["elements"]):
        for register, fields in enumerate(registers):
            for field, (matrix, row, col) in enumerate(fields):
                found.setdefault((matrix, row, col), []).append((lane, register, field))
    return found


def _whole_register(contents: Mapping[str, Any]) -> tuple[int, int]:
    """Rows and columns that a register covers, where its fields lie side by side; else 1, 1."""
    fields = contents["fields"]
    registers = [register for lane in contents["elements"] for register in lane]
    for tall, wide in ((1, fields), (fields, 1)):
        shape = [(row, col) for row in range(tall) for col in range(wide)]
        if all(
            [(row - register[0][1], col - register[0][2]) for _, row, col in register] == shape
            for register in registers
        ):
            return tall, wide
    return 1, 1


def _key(
    contents: Mapping[str, Any], grid: _Grid, holders: Mapping[Place, Sequence[Holder]]
) -> list[str]:
    """What the signs mean."""
    small = "its register" if grid.fields == 1 else "its register and field, low bits first"
    lines = [f"large: the lane that holds the element; small: {small}"]
    lanes = max(len({lane for lane, _, _ in held}) for held in holders.values())
    places = max(len(held) for held in holders.values())
    if lanes > 1:
        lines.append("5+3: lane 5 and 3 more lanes hold it")
    elif places > 1:
        more = plural(places - 1, "more register")
        lines.append(f"+{places - 1}: the same lane holds a copy in {more}")
    names = {"movmatrix": "of the source matrix", "wmma": "PTX's i and j"}
    what = names.get(contents["ptx"].split(".")[0], "as they lie in memory")
    if not grid.addressed or ".trans" in contents["ptx"]:
        lines.append(f"row and column: {what}")
    return lines


def _legend(registers: Sequence[int], y: int) -> str:
    """Which colour is which register."""
    boxes = "".join(
        f'<rect x="{MARGIN + 64 * n}" y="{y - 12}" width="16" height="16" rx="3"'
        f' fill="{KINDS[register % len(KINDS)]}"/>'
        f'<text x="{MARGIN + 64 * n + 22}" y="{y}">r{register}</text>'
        for n, register in enumerate(registers)
    )
    return f'<g font-size="12" font-family="{MONO}">{boxes}</g>'


def _matrix(
    grid: _Grid,
    matrix: int,
    holders: Mapping[Place, Sequence[Holder]],
    y: int,
    coloured_by_lane: bool,
) -> list[str]:
    """One matrix: its name, numbers around it, and its cells."""
    x, down = grid.corner(matrix)
    y += down
    cells: dict[str, list[str]] = {}
    large, small = [], []
    left, top = x + grid.left, y + HEAD
    for row, col in product(range(0, grid.rows, grid.tall), range(0, grid.cols, grid.wide)):
        held = holders[matrix, row, col]
        at = (left + col // grid.wide * grid.pitch, top + row // grid.tall * grid.row)
        kind = held[0][0 if coloured_by_lane else 1] % len(KINDS)
        box = _box(grid, (matrix, row, col), at, holders)
        cells.setdefault(KINDS[kind], []).append(box)
        middle = at[0] + grid.pitch / 2
        lane, place = _words(grid, held)
        large.append(f'<text x="{middle:g}" y="{at[1] + grid.row // 2 - 1}">{lane}</text>')
        small.append(f'<text x="{middle:g}" y="{at[1] + grid.row - 6}">{place}</text>')
    sizes = (14, 9) if grid.large else (12, 8)
    return [
        *_around(grid, matrix, (x, y), holders),
        *(f'<g fill="{fill}">\n' + "\n".join(boxes) + "\n</g>" for fill, boxes in cells.items()),
        f'<g fill="{BLACK}" text-anchor="middle" pointer-events="none">',
        f'<g font-size="{sizes[0]}" font-weight="600">{"".join(large)}</g>',
        f'<g font-size="{sizes[1]}" font-family="{MONO}">{"".join(small)}</g></g>',
    ]


def _words(grid: _Grid, held: Sequence[Holder]) -> tuple[str, str]:
    """The large and the small words of a cell."""
    lane, register, field = held[0]
    lanes = len({lane for lane, _, _ in held})
    large = f"{lane}+{lanes - 1}" if lanes > 1 else f"{lane}"
    small = f"r{register}"
    if grid.tall * grid.wide > 1:
        small += f".{field}-{field + grid.fields - 1}"
    elif grid.fields > 1:
        small += f".{field}"
    return large, small + (f" +{len(held) - 1}" if lanes == 1 and len(held) > 1 else "")


def _box(
    grid: _Grid, place: Place, at: tuple[int, int], holders: Mapping[Place, Sequence[Holder]]
) -> str:
    """One cell; a wide gap to a neighbour that another register holds, a hair to its own."""
    matrix, row, col = place
    own = holders[place][0][:2]

    def gap(row: int, col: int) -> float:
        held = holders.get((matrix, row, col))
        return 0.25 if held is not None and held[0][:2] == own else 1.5

    top, bottom = gap(row - 1, col), gap(row + grid.tall, col)
    before, after = gap(row, col - 1), gap(row, col + grid.wide)
    x, y = at[0] + before, at[1] + top
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{grid.pitch - before - after:g}"'
        f' height="{grid.row - top - bottom:g}"><title>{_tooltip(grid, place, holders[place])}'
        "</title></rect>"
    )


def _tooltip(grid: _Grid, place: Place, held: Sequence[Holder]) -> str:
    """All about one cell."""
    matrix, row, col = place

    def span(word: str, first: int, count: int) -> str:
        return f"{word} {first}" if count == 1 else f"{word}s {first}-{first + count - 1}"

    fields = grid.tall * grid.wide
    who = "; ".join(
        f"lane {lane}, register {register}, {span('field', field, fields)}"
        for lane, register, field in held
    )
    where = f"{span('row', row, grid.tall)}, {span('column', col, grid.wide)}"
    return f"matrix {matrix}, {where}: {who}"


def _around(
    grid: _Grid, matrix: int, at: tuple[int, int], holders: Mapping[Place, Sequence[Holder]]
) -> list[str]:
    """The name of a matrix, its row and column numbers, and the lanes of its row addresses."""
    x, y = at
    left, top = x + grid.left, y + HEAD
    registers = sorted({held[0][1] for place, held in holders.items() if place[0] == matrix})
    name = f"matrix {matrix}" if grid.count > 1 else f"{grid.rows}x{grid.cols}"
    about = f"{'registers' if len(registers) > 1 else 'register'} {ranges(registers)}"
    parts = [
        f'<text x="{left}" y="{y + 20}" font-size="13"><tspan font-weight="600">{name}</tspan>'
        f'<tspan dx="8" fill="{FAINT}">{about}</tspan></text>'
    ]
    numbers = "".join(
        f'<text x="{left + (col // grid.wide + 0.5) * grid.pitch:g}" y="{top - 6}">'
        f"{col if grid.wide == 1 else f'{col}-{col + grid.wide - 1}'}</text>"
        for col in range(0, grid.cols, grid.wide)
    )
    rows = "".join(
        f'<text x="{left - 8}" y="{top + (row // grid.tall + 0.5) * grid.row + 4:g}">'
        f"{row if grid.tall == 1 else f'{row}-{row + grid.tall - 1}'}</text>"
        for row in range(0, grid.rows, grid.tall)
    )
    parts.append(
        f'<g font-size="11" fill="{FAINT}"><g text-anchor="middle">{numbers}</g>'
        f'<g text-anchor="end">{rows}<text x="{left - 8}" y="{top - 6}">row</text></g></g>'
    )
    if grid.addressed:
        first = matrix * grid.rows
        lanes = "".join(
            f'<text x="{x + ADDRESS - 2}" y="{top + (row + 0.5) * grid.row + 4:g}">'
            f"lane {first + row}</text>"
            for row in range(grid.rows)
        )
        parts.append(
            f'<g font-size="11" fill="{INK}" text-anchor="end">{lanes}'
            f'<text x="{x + ADDRESS - 2}" y="{top - 6}" fill="{FAINT}">address</text></g>'
        )
    return parts
