"""Costs as text for an 80-column terminal, and as the parts of an HTML page."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from ..words import plural
from . import advice, html
from .tables import number
from .text import WIDTH, subject, wrapped


def _hanging(*lines: str) -> str:
    """The lines, those of more than 80 characters continued below their second word."""
    return "\n".join(
        part
        for line in lines
        for part in textwrap.wrap(
            line, WIDTH, subsequent_indent=" " * 12, break_long_words=False, break_on_hyphens=False
        )
    )


def _parts(breakdown: Mapping[str, float], form: str = "g") -> str:
    return ", ".join(f"{name} {value:{form}}" for name, value in breakdown.items())


def _percent(error: float | None) -> str:
    return "not known" if error is None else f"{error:.0%}"


def evidence(contents: Mapping[str, Any]) -> str:
    """How far the cycles are from measurement, and what says so."""
    names = {"latency": "latency_error", "interval": "interval_error"}
    parts = {name: contents[key] for name, key in names.items() if contents.get(key) is not None}
    if contents["error"] is None and not parts:
        return f"error not known; {contents['source']}"
    told = _percent(contents["error"])
    if len(set(parts.values())) > 1 or contents["error"] is None:
        told = ", ".join(f"{name} {_percent(contents[key])}" for name, key in names.items())
    return f"expected error: {told} (95th percentile), {contents['source']}"


def cost(contents: Mapping[str, Any]) -> str:
    """Latency, interval and its parts, how sure they are."""
    lines = [wrapped(cost_headline(contents)), contents["ptx"]]
    return "\n".join([*lines, _cost_lines(contents), *advice.remedy(contents.get("remedy"))])


def cost_headline(contents: Mapping[str, Any]) -> str:
    """The cycles, the conflicts in them, and the layout without those."""
    answer = (
        f"{contents['latency']:g} cycles; in a stream one every {contents['interval']:g}, bound by the"
        f" {contents['bound']}."
    )
    traffic = contents["traffic"]
    is_crowded = bool(traffic) and traffic["wavefronts"] > traffic["ideal_wavefronts"]
    return f"{answer} {advice.headline(contents)}" if is_crowded else answer


def _cost_lines(contents: Mapping[str, Any]) -> str:
    return _hanging(
        f"  {subject(contents)}",
        f"  latency   {contents['latency']:g} cycles",
        f"  interval  {contents['interval']:g} cycles per instruction and SM,"
        f" {plural(contents['warps'], 'warp')}; bound by the {contents['bound']}",
        f"  parts     {_parts(contents['breakdown'])}",
        f"  {evidence(contents)}",
    )


def program_cycles(contents: Mapping[str, Any]) -> str:
    """Its cycles in one line."""
    return (
        f"{contents['cycles']:g} cycles, {contents['wavefronts']:g} wavefronts,"
        f" {plural(contents['warps'], 'warp')}; bound by the {contents['bound']}"
    )


def program_cost(contents: Mapping[str, Any]) -> str:
    """Cycles of a program and its parts, how sure they are."""
    parts = {name: value for name, value in contents["breakdown"].items() if value}
    return _hanging(
        program_cycles(contents), f"  parts     {_parts(parts)}", f"  {contents['target']}, {evidence(contents)}"
    )


def heading_of_loop(contents: Mapping[str, Any]) -> str:
    """What the loop does, in one line."""
    (m, n, k), (along_m, along_n) = contents["tile"], contents["warps"]
    into = "" if contents["accumulate"] == "f32" else f" into {contents['accumulate']}"
    product = f" ({contents['product']})" if contents["product"] else ""
    return (
        f"{m} x {n} x {k} {contents['type']}{into}, {along_m} x {along_n} warps,"
        f" {plural(contents['stages'], 'stage')}, {contents['target']}{product}"
    )


def loop_cycles(contents: Mapping[str, Any], *, is_picture: bool = False) -> str:
    """Its cycles in one line, and what they rest on that is only assumed: in a picture, that they do."""
    assumed = f", ASSUMED: {contents['assumed']}" if contents["assumed"] else ""
    if is_picture and assumed:
        assumed = ", ASSUMED"
    return (
        f"{contents['cycles']:.0f} cycles an iteration{assumed}, bound by {contents['bound']};"
        f" {contents['tensor_fraction']:.0%} of the tensor peak"
    )


def loop_headline(contents: Mapping[str, Any]) -> str:
    """Its cycles, and the layouts that take fewer."""
    found = contents.get("remedy")
    better = " and ".join(f"{name.upper()} in {side['name']}" for name, side in found["sides"].items()) if found else ""
    return f"{loop_cycles(contents)}; {found['cycles']:.0f} with {better}" if found else loop_cycles(contents)


def _loop_remedy(contents: Mapping[str, Any]) -> list[str]:
    """What better layouts save, and as text to paste; once for both sides where they are alike."""
    found = contents.get("remedy")
    if not found:
        return []
    saved = contents["cycles"] - found["cycles"]
    lines = [wrapped(f"fix: {saved:.0f} cycles fewer, {saved / contents['cycles']:.0%}, with")]
    sides = {name.upper(): side for name, side in found["sides"].items()}
    if len(sides) == 2 and sides["A"]["notations"] == sides["B"]["notations"]:
        sides = {"A and B": sides["A"]}
    for name, side in sides.items():
        lines += [wrapped(f"{name}: {side['words']}", "  "), *advice.pasted(side, "    ")]
    return lines


def _blocks(contents: Mapping[str, Any]) -> str:
    """How many such blocks an SM holds; empty where that is not known."""
    return "" if contents["occupancy"] is None else occupancy(contents["occupancy"])


def occupancy(contents: Mapping[str, Any]) -> str:
    """Blocks of an SM, what limits them, and its warps, in one line."""
    limits, limit = contents["limits"], contents["limit"]
    others = ", ".join(f"{blocks} by {name}" for name, blocks in limits.items() if name != limit)
    return (
        f"{plural(contents['blocks'], 'block')} an SM, limited by {limit} ({others});"
        f" {contents['warps']} of {contents['most_warps']} warps"
    )


def _registers(contents: Mapping[str, Any]) -> str:
    """The registers of a thread; of more than it can have, what the compiler does then."""
    if contents["assembled"]:
        return f"{contents['registers']} registers a thread, by {contents['assembled']}"
    words = f"about {contents['registers']} registers a thread"
    return words if contents["registers"] <= 255 else f"{words}, which has 255: some are computed again or spilled"


def mainloop(contents: Mapping[str, Any]) -> str:
    """One iteration: cycles, busy parts, shared memory, work, how sure it is."""
    wavefronts = contents["wavefronts"]
    blocks = [f"  blocks    {_blocks(contents)}"] if _blocks(contents) else []
    ideal, rate = contents["ideal_wavefronts"], contents["rate"]
    text = _hanging(
        f"  {heading_of_loop(contents)}",
        f"  A         {contents['layouts']['a']}",
        f"  B         {contents['layouts']['b']}{', read with .trans' if contents['trans_b'] else ''}",
        f"  busy      {_parts(contents['breakdown'], '.0f')}",
        f"  shared    {wavefronts['store']} wavefronts to fill ({ideal['store']} ideal),"
        f" {wavefronts['load']} to read ({ideal['load']} ideal);"
        f" {contents['shared_bytes']} bytes, of {contents['shared_bytes_per_block']}",
        f"  work      {contents['mma']} mma.sync, {contents['global_bytes']} bytes from L2; {_registers(contents)}",
        *([f"  peak      {rate['dense_fma']:g} FMA a cycle: {rate['source']}"] if rate else []),
        *blocks,
        f"  {evidence(contents)}",
    )
    return "\n".join([wrapped(loop_headline(contents)), text, *_loop_remedy(contents)])


def html_parts(contents: Mapping[str, Any], facts: Sequence[tuple[str, str]], svg: str, text: str) -> list[str]:
    """Facts, picture, the parts as a table, the text."""
    rows = [(part, number(value)) for part, value in contents["breakdown"].items()]
    return [
        html.facts([*facts, ("evidence", evidence(contents))]),
        html.figure(svg),
        html.table(("part", "cycles"), rows, "what each part needs"),
        html.details("As text", html.preformatted(text)),
    ]


def cost_facts(contents: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the page of a cost says first."""
    return [
        ("answer", cost_headline(contents)),
        ("input", contents["where"]),
        ("latency", f"{contents['latency']:g} cycles"),
        ("interval", f"{contents['interval']:g} cycles per instruction and SM"),
        ("bound by", contents["bound"]),
        ("warps", f"{contents['warps']}"),
        ("target", contents["target"]),
    ]


def program_facts(contents: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the page of a program says first."""
    return [
        ("cycles", f"{contents['cycles']:g}"),
        ("bound by", contents["bound"]),
        ("wavefronts", f"{contents['wavefronts']:g}"),
        ("warps", f"{contents['warps']}"),
        ("target", contents["target"]),
    ]


def loop_facts(contents: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the page of a main loop says first."""
    wavefronts = contents["wavefronts"]
    return [
        ("answer", loop_headline(contents)),
        ("cycles an iteration", f"{contents['cycles']:.0f}"),
        ("bound by", contents["bound"]),
        ("share of the tensor peak", f"{contents['tensor_fraction']:.0%}"),
        ("A", contents["a"]),
        ("B", contents["b"] + (", read with .trans" if contents["trans_b"] else "")),
        ("wavefronts", f"{wavefronts['store']} to fill, {wavefronts['load']} to read"),
        ("shared memory", f"{contents['shared_bytes']:,} bytes, of {contents['shared_bytes_per_block']:,}"),
        ("work", f"{contents['mma']} mma.sync, {contents['global_bytes']:,} bytes from L2"),
        (
            "registers of a thread",
            (contents["assembled"] and str(contents["registers"])) or f"about {contents['registers']}",
        ),
        *([("instructions", f"as {contents['assembled']} makes them")] if contents["assembled"] else []),
        *([("blocks", _blocks(contents))] if _blocks(contents) else []),
    ]
