"""What every picture must be: well-formed, alone, and inside its sheet."""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "g", "rect", "path", "text", "tspan", "title", "circle"}


def texts(root: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def corners(element: ET.Element) -> Iterator[tuple[float, float]]:
    """Of a rect or a circle; where a text begins."""
    at = {name: float(element.get(name, "0")) for name in ("x", "y", "width", "height")}
    if element.tag == f"{SVG}circle":
        x, y, r = (float(element.attrib[name]) for name in ("cx", "cy", "r"))
        yield from ((x - r, y - r), (x + r, y + r))
    elif element.tag in (f"{SVG}rect", f"{SVG}text"):
        yield at["x"], at["y"]
        yield at["x"] + at["width"], at["y"] + at["height"]


def drawn(picture: str) -> ET.Element:
    """The picture parsed; an AssertionError if a page could not embed it."""
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg" and root.attrib["aria-label"]
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= TAGS
    assert not {name for element in root.iter() for name in element.attrib} & {"id", "class"}
    assert "url(" not in picture and "nan" not in picture and "inf" not in picture
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for element in root.iter():
        for x, y in corners(element):
            assert left <= x <= left + width and top <= y <= top + height, ET.tostring(element)
    return root
