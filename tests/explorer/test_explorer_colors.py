"""The colours of the banks, for eyes that see all colours and for three kinds of colour blindness."""

import re
from math import atan2, cos, degrees, exp, hypot, pi, radians, sin, sqrt

import pytest

from tests.support.evidence import compared, figure
from tests.support.paths import ROOT

Triple = tuple[float, float, float]

#: L, a, b of two colours and their distance: Sharma, Wu, Dalal, "The CIEDE2000 Color-Difference Formula", table 1
SHARMA = """
50 2.6772 -79.7751 50 0 -82.7485 2.0425
50 3.1571 -77.2803 50 0 -82.7485 2.8615
50 2.8361 -74.0200 50 0 -82.7485 3.4412
50 -1.3802 -84.2814 50 0 -82.7485 1.0000
50 -1.1848 -84.8006 50 0 -82.7485 1.0000
50 -0.9009 -85.5211 50 0 -82.7485 1.0000
50 0 0 50 -1 2 2.3669
50 -1 2 50 0 0 2.3669
50 2.4900 -0.0010 50 -2.4900 0.0009 7.1792
50 2.4900 -0.0010 50 -2.4900 0.0010 7.1792
50 2.4900 -0.0010 50 -2.4900 0.0011 7.2195
50 2.4900 -0.0010 50 -2.4900 0.0012 7.2195
50 -0.0010 2.4900 50 0.0009 -2.4900 4.8045
50 -0.0010 2.4900 50 0.0010 -2.4900 4.8045
50 -0.0010 2.4900 50 0.0011 -2.4900 4.7461
50 2.5 0 50 0 -2.5 4.3065
50 2.5 0 73 25 -18 27.1492
50 2.5 0 61 -5 29 22.8977
50 2.5 0 56 -27 -3 31.9030
50 2.5 0 58 24 15 19.4535
50 2.5 0 50 3.1736 0.5854 1.0000
50 2.5 0 50 3.2972 0 1.0000
50 2.5 0 50 1.8634 0.5757 1.0000
50 2.5 0 50 3.2592 0.3350 1.0000
60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
"""

#: what is left of linear red, green and blue: Machado, Oliveira, Fernandes 2009, severity 1
EYES = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
LEAST = 10.0


def ciede2000(one: Triple, other: Triple) -> float:
    """The distance of two colours in CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - sqrt(mean**7 / (mean**7 + 25**7)))
    c1, c2 = hypot(a1 * stretch, b1), hypot(a2 * stretch, b2)
    h1, h2 = degrees(atan2(b1, a1 * stretch)) % 360, degrees(atan2(b2, a2 * stretch)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = h1 + h2 if not c1 * c2 else (h1 + h2 + (360 if abs(h1 - h2) > 180 else 0)) / 2
    light, chroma = (l1 + l2) / 2 - 50, (c1 + c2) / 2
    weight = 1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue))
    weight += 0.32 * cos(radians(3 * hue + 6)) - 0.2 * cos(radians(4 * hue - 63))
    rotation = -sin(radians(60 * exp(-(((hue % 360 - 275) / 25) ** 2)))) * 2 * sqrt(chroma**7 / (chroma**7 + 25**7))
    dl = (l2 - l1) / (1 + 0.015 * light**2 / sqrt(20 + light**2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * sqrt(c1 * c2) * sin(turn * pi / 360) / (1 + 0.015 * chroma * weight)
    return sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh)


def times(matrix: tuple[Triple, ...], vector: Triple) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def seen(color: str, eye: tuple[Triple, ...]) -> Triple:
    """A colour "#rrggbb" as an eye has it, in CIELAB under D65."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    left = times(eye, (r, g, b))
    xyz = times(XYZ, tuple(min(1.0, max(0.0, part)) for part in left))  # type: ignore[arg-type]
    shares = [part / sum(row) for part, row in zip(xyz, XYZ, strict=True)]
    x, y, z = (share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116 for share in shares)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def banks() -> list[str]:
    """The palette of the page."""
    text = (ROOT / "web" / "page" / "picture.js").read_text("utf-8")
    return re.findall(r"#[0-9a-f]{6}", text.partition("BANK_COLORS = [")[2].partition("]")[0])


def test_distance_is_that_of_the_published_pairs() -> None:
    rows = [[float(word) for word in line.split()] for line in SHARMA.split("\n") if line]
    for l1, a1, b1, l2, a2, b2, distance in rows:
        one, other = (l1, a1, b1), (l2, a2, b2)
        assert ciede2000(one, other) == pytest.approx(distance, abs=1e-4)
        assert ciede2000(other, one) == pytest.approx(distance, abs=1e-4)
    compared("colour distances published by Sharma", len(rows), at_least=34)


@pytest.mark.parametrize("eye", EYES)
def test_neighbouring_banks_are_told_apart(eye: str) -> None:
    palette = [seen(color, EYES[eye]) for color in banks()]
    assert len(palette) == 32
    neighbours = [ciede2000(palette[i - 1], color) for i, color in enumerate(palette)]  # bank 0 is next to bank 31
    assert min(neighbours) >= LEAST, eye
    others = [ciede2000(one, other) for i, one in enumerate(palette) for other in palette[:i]]
    assert min(others) >= 4.0, eye
    figure(f"explorer: least colour distance of neighbouring banks, {eye}", min(neighbours), "CIEDE2000")


def test_numbers_on_banks_are_legible() -> None:
    for color in banks():
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        assert (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) / 0.05 >= 4.5, color
