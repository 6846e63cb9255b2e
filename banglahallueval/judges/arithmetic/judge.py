"""An item of the reasoning task becomes a verdict by exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

from banglahallueval.judges.arithmetic.chain import check_chain
from banglahallueval.judges.arithmetic.report import Step
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Finding, Verdict

# P(hallucinated | outcome) where half of all chains are, with half a row added to each count.
# Fitted by bench/fit_arithmetic.py on the first halves of the published files: 500 gold chains,
# of which 1 holds a wrong calculation, and 500 hallucinated ones, of which 106 do.
P_PROVEN = 0.986
P_CLEAN = 0.441
_LONGEST = 100


def judge_item(item: Item) -> Verdict:
    """Judge a reasoning item by its calculations alone.

    Returns:
        `yes` with a proven finding for each wrong calculation, where there is one; otherwise
        `no`, which says only that nothing written down is miscalculated. `unknown` for a chain
        of blanks.
    """
    if not item.output.strip():
        return Verdict("unknown", reason="blank input")
    report = check_chain(item.output)
    findings = tuple(
        Finding(step.start, step.end, describe(step), proven=step.proven) for step in report.faults
    )
    first = report.first_proven
    if first is None:
        raw = f"no wrong calculation among {len(report.steps)}"
        return Verdict("no", p_hallucinated=P_CLEAN, raw=raw, findings=findings)
    return Verdict("yes", p_hallucinated=P_PROVEN, raw=describe(first), findings=findings)


def describe(step: Step) -> str:
    """One line on a wrong step: what it says, and what is right."""
    right = written(step.right)
    expression, stated = _short(step.expression), _short(step.stated)
    if step.fault == "text differs":
        return f"annotated {right}, but the text says {stated}"
    if step.fault == "contradicts variable":
        return f"{expression} = {stated} does not hold for the value found: the left is {right}"
    return f"{expression} = {right}, not {stated}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def written(value: Fraction) -> str:
    """A value as a reader writes it: whole, as an ending decimal, or as a fraction of two numbers.

    A fraction without an ending decimal is followed by its value to two places.
    """
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest == 1 and value.denominator <= 10**6:
        return f"{float(value):.10g}"
    return f"{value.numerator}/{value.denominator} (about {float(value):.2f})"
