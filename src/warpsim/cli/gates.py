"""What fails `warpsim run` besides errors: --fail-on, --max-wavefronts, --budget."""

from __future__ import annotations

import argparse

from ..kernel import budget
from ..kernel.demands import FAILS
from ..kernel.report import KernelReport


def budgets(args: argparse.Namespace) -> list[tuple[str, budget.Budget]]:
    """Those that were asked for, read before anything runs."""
    found = []
    if args.no_check and (words := [word for word in args.fail_on or [] if word != "conflicts"]):
        raise ValueError(f"--fail-on {words[0]}: needs the checks; leave out --no-check")
    if args.max_wavefronts:
        found.append(("--max-wavefronts", budget.Budget.from_words(args.max_wavefronts)))
    return [*found, *((f"budget: {path}", budget.read(path)) for path in args.budget or [])]


def failures(args: argparse.Namespace, limits: list[tuple[str, budget.Budget]], report: KernelReport) -> str:
    """Why the launch fails, a line for each reason; empty if it does not."""
    lines = []
    for word in dict.fromkeys(args.fail_on or []):
        title, question = FAILS[word]
        found = question(report)
        if found:
            lines += [f"{title} (--fail-on {word}): {len(found):,}", *(f"  {one.splitlines()[0]}" for one in found)]
    for name, one in limits:
        over = one.exceeded(report, name)
        lines += [f"over budget ({name.removeprefix('budget: ')}):"] * bool(over) + [f"  {what}" for what in over]
    return "\n".join(lines)
