"""The picture of a fragment map: every matrix as a grid, with who holds each element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from ..words import plural
from .packed_row import packed_row
from .svg import BLACK, FAINT, INK, KINDS, MARGIN, MONO, WIDTH, document, text, title
from .text import named as name_of
from .text import ranges

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
    """What is where: cells of `tall` x `wide` elements, `across` matrices to a line."""

    def __init__(self, contents: Mapping[str, Any]) -> None:
        matrices = contents["matrices"]
        self.count, self.rows, self.cols = (int(matrices[word]) for word in ("count", "rows", "cols"))
        self.fields = contents["fields"]
        self.holders = holders_of(contents)
        self.registers = sorted({held[0][1] for held in self.holders.values()})
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
        """Where a matrix begins: the next one is below, then to the right."""
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
    grid = _Grid(contents)
    width = WIDTH if contents["row"] else grid.width
    y = 30
    body = [title(name_of(contents), y, width)]
    if contents["row"]:
        picture, y = packed_row(contents["row"], grid.holders, y + 30)
        body += picture
    for line in _key(contents, grid):
        y += 21
        body.append(text(MARGIN, y, line, f'font-size="12" fill="{FAINT}"'))
    if len(grid.registers) > 1:
        y += 24
        body.append(_legend(grid.registers, y))
    y += 16
    for matrix in range(grid.count):
        x, down = grid.corner(matrix)
        body += _matrix(grid, matrix, (x, y + down))
    return document(f"{name_of(contents)}: fragment map", y + grid.height + 6, body, width)


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


def _key(contents: Mapping[str, Any], grid: _Grid) -> list[str]:
    """What the signs mean."""
    small = "its register" if grid.fields == 1 else "its register and field, low bits first"
    lines = [f"large: the lane that holds the element; small: {small}"]
    lanes = max(len({lane for lane, _, _ in held}) for held in grid.holders.values())
    places = max(len(held) for held in grid.holders.values())
    if lanes > 1:
        lines.append("5+3: lane 5 and 3 more lanes hold it")
    elif places > 1:
        more = plural(places - 1, "more register")
        lines.append(f"+{places - 1}: the same lane holds a copy in {more}")
    names = {"movmatrix": "of the source matrix", "wmma": "PTX's i and j", "mma": "of the operand"}
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


def _matrix(grid: _Grid, matrix: int, at: tuple[int, int]) -> list[str]:
    """One matrix: its name, numbers around it, and its cells; registers have colours, or lanes."""
    left, top = at[0] + grid.left, at[1] + HEAD
    by = 1 if len(grid.registers) > 1 else 0
    cells: dict[str, list[str]] = {}
    large, small = [], []
    for row, col in product(range(0, grid.rows, grid.tall), range(0, grid.cols, grid.wide)):
        held = grid.holders[matrix, row, col]
        x, y = left + col // grid.wide * grid.pitch, top + row // grid.tall * grid.row
        fill = KINDS[held[0][by] % len(KINDS)]
        cells.setdefault(fill, []).append(_box(grid, (matrix, row, col), (x, y)))
        lane, place = _words(grid, held)
        middle = x + grid.pitch / 2
        large.append(f'<text x="{middle:g}" y="{y + grid.row // 2 - 1}">{lane}</text>')
        small.append(f'<text x="{middle:g}" y="{y + grid.row - 6}">{place}</text>')
    sizes = (14, 9) if grid.large else (12, 8)
    return [
        _name(grid, matrix, (left, at[1] + 20)),
        _numbers(grid, (left, top)),
        *([_addresses(grid, matrix, (at[0] + ADDRESS - 2, top))] if grid.addressed else []),
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
        small += f".{_span(field, grid.fields)}"
    elif grid.fields > 1:
        small += f".{field}"
    return large, small + (f" +{len(held) - 1}" if lanes == 1 and len(held) > 1 else "")


def _span(first: int, count: int) -> str:
    """5, or 0-31."""
    return f"{first}" if count == 1 else f"{first}-{first + count - 1}"


def _box(grid: _Grid, place: Place, at: tuple[int, int]) -> str:
    """One cell; a wide gap to a neighbour that another register holds, a hair to its own."""
    matrix, row, col = place
    own = grid.holders[place][0][:2]

    def gap(row: int, col: int) -> float:
        held = grid.holders.get((matrix, row, col))
        return 0.25 if held is not None and held[0][:2] == own else 1.5

    top, bottom = gap(row - 1, col), gap(row + grid.tall, col)
    before, after = gap(row, col - 1), gap(row, col + grid.wide)
    x, y = at[0] + before, at[1] + top
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{grid.pitch - before - after:g}"'
        f' height="{grid.row - top - bottom:g}"><title>{_tooltip(grid, place)}</title></rect>'
    )


def _tooltip(grid: _Grid, place: Place) -> str:
    """All about one cell."""
    matrix, row, col = place

    def named(word: str, first: int, count: int) -> str:
        return f"{word}{'s' if count > 1 else ''} {_span(first, count)}"

    fields = grid.tall * grid.wide
    who = "; ".join(
        f"lane {lane}, register {register}, {named('field', field, fields)}"
        for lane, register, field in grid.holders[place]
    )
    where = f"{named('row', row, grid.tall)}, {named('column', col, grid.wide)}"
    return f"matrix {matrix}, {where}: {who}"


def _name(grid: _Grid, matrix: int, at: tuple[int, int]) -> str:
    """The title of a matrix: its number or size, and the registers that hold it."""
    held = (held for place, held in grid.holders.items() if place[0] == matrix)
    registers = sorted({register for holders in held for _, register, _ in holders})
    name = f"matrix {matrix}" if grid.count > 1 else f"{grid.rows}x{grid.cols}"
    about = f"{'registers' if len(registers) > 1 else 'register'} {ranges(registers)}"
    return (
        f'<text x="{at[0]}" y="{at[1]}" font-size="13"><tspan font-weight="600">{name}</tspan>'
        f'<tspan dx="8" fill="{FAINT}">{about}</tspan></text>'
    )


def _numbers(grid: _Grid, at: tuple[int, int]) -> str:
    """The numbers of columns above the cells and of rows before them."""
    left, top = at
    columns = "".join(
        f'<text x="{left + (col // grid.wide + 0.5) * grid.pitch:g}" y="{top - 6}">{_span(col, grid.wide)}</text>'
        for col in range(0, grid.cols, grid.wide)
    )
    rows = "".join(
        f'<text x="{left - 8}" y="{top + (row // grid.tall + 0.5) * grid.row + 4:g}">{_span(row, grid.tall)}</text>'
        for row in range(0, grid.rows, grid.tall)
    )
    return (
        f'<g font-size="11" fill="{FAINT}"><g text-anchor="middle">{columns}</g>'
        f'<g text-anchor="end">{rows}<text x="{left - 8}" y="{top - 6}">row</text></g></g>'
    )


def _addresses(grid: _Grid, matrix: int, at: tuple[int, int]) -> str:
    """Before every row the lane that supplies its address."""
    x, top = at
    lanes = "".join(
        f'<text x="{x}" y="{top + (row + 0.5) * grid.row + 4:g}">lane {matrix * grid.rows + row}</text>'
        for row in range(grid.rows)
    )
    return (
        f'<g font-size="11" fill="{INK}" text-anchor="end">{lanes}'
        f'<text x="{x}" y="{top - 6}" fill="{FAINT}">address</text></g>'
    )
