"""An item of the reasoning task becomes a verdict without a model."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from banglahallueval.judges.arithmetic.chain import check_chain
from banglahallueval.judges.arithmetic.report import ChainReport, Step
from banglahallueval.judges.arithmetic.suspicions import assumptions, impossible_results
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Finding, Verdict

Outcome = Literal["proven", "assumes", "impossible", "clean"]

# P(hallucinated | outcome) where half of all chains are. Fitted by tools/fit_arithmetic.py on the
# first halves of the published files, 500 gold and 500 hallucinated chains, with half a row added
# to each count. A label is `yes` from 0.5. The words that `assumes` rests on were chosen on the
# same rows, whose hallucinated chains tend to announce what they assume: for chains of another
# origin that probability is too sure.
P_HALLUCINATED: dict[Outcome, float] = {
    "proven": 0.986,
    "assumes": 0.994,
    "impossible": 0.944,
    "clean": 0.210,
}
_LONGEST = 100  # code points of an expression that an explanation repeats


def judge_item(item: Item) -> Verdict:
    """Judge a reasoning item without a model.

    A wrong calculation is a proven finding. Assumptions that the problem does not make, and
    results that no quantity has, are findings without proof; they too make the label `yes`.
    Whether a step should have multiplied or added is not known here: `no` says only that nothing
    was found. `#### …` lines are not read.

    Returns:
        The verdict; `unknown` for a blank chain.
    """
    chain, problem = item.output, item.question
    if not chain.strip():
        return Verdict("unknown", reason="blank input")
    report = check_chain(chain)
    outcome, findings = weigh(report, chain, problem)
    p = P_HALLUCINATED[outcome]
    first = report.first_proven
    if first is not None:
        raw = describe(first)
    elif outcome == "clean":
        raw = f"{len(report.steps)} calculations checked, none wrong"
    else:
        raw = findings[0].reason
    return Verdict("yes" if p >= 0.5 else "no", p_hallucinated=p, raw=raw, findings=findings)


def weigh(report: ChainReport, chain: str, problem: str) -> tuple[Outcome, tuple[Finding, ...]]:
    """What a checked chain comes to, and all places that speak against it, the weightiest first."""
    faults = [Finding(s.start, s.end, describe(s), proven=s.proven) for s in report.faults]
    assumed = [Finding(*suspicion) for suspicion in assumptions(chain, problem)]
    impossible = [Finding(*suspicion) for suspicion in impossible_results(report, problem)]
    outcome: Outcome = "clean"
    if report.first_proven is not None:
        outcome = "proven"
    elif assumed:
        outcome = "assumes"
    elif impossible:
        outcome = "impossible"
    proven = [fault for fault in faults if fault.proven]
    misprints = [fault for fault in faults if not fault.proven]
    return outcome, (*proven, *assumed, *impossible, *misprints)


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
