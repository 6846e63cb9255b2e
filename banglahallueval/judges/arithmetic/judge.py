"""Judges an item of the reasoning task without a model."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from banglahallueval.judges.abstained import ABSTAINED
from banglahallueval.judges.arithmetic.chain import check_chain
from banglahallueval.judges.arithmetic.report import ChainReport, Step
from banglahallueval.judges.arithmetic.suspicions import assumptions, impossible_results
from banglahallueval.tasks import Item
from banglahallueval.text.abstention import abstains
from banglahallueval.verdicts import Span, Verdict

Outcome = Literal["proven", "assumes", "impossible", "clean"]

# P(hallucinated | outcome) where half of all chains are hallucinated, fitted by
# tools/fit_arithmetic.py on the first halves of the published files: 500 gold and 500 hallucinated
# chains, half a row added to each count. A label is `yes` from 0.5. The words behind `assumes` were
# chosen on the same rows, whose hallucinated chains tend to announce what they assume, so that
# probability is too high for chains from elsewhere.
P_HALLUCINATED: dict[Outcome, float] = {
    "proven": 0.986,
    "assumes": 0.994,
    "impossible": 0.944,
    "clean": 0.210,
}
_MAX_EXPRESSION = 100  # code points of an expression that an explanation repeats


def judge_item(item: Item) -> Verdict:
    """Judge a reasoning item without a model.

    A wrong calculation is a proven finding. Assumptions that the problem does not make, and
    results that no quantity has, are findings without proof; they also make the label `yes`.
    Whether a step should have multiplied or added is not known here: `no` says only that nothing
    was found. A chain that abstains, and gives no final answer, is `no`. `#### …` lines are not
    read.

    Args:
        item: A reasoning item: its problem is `question`, its chain `output`.

    Returns:
        The verdict, its findings as code points of the raw chain; `unknown` for a blank chain.
    """
    chain, problem = item.output, item.question
    if not chain.strip():
        return Verdict("unknown", reason="blank input")
    if abstains(chain) and (not item.final_answer.strip() or abstains(item.final_answer)):
        return ABSTAINED
    report = check_chain(chain)
    outcome, findings = classify(report, chain, problem)
    p = P_HALLUCINATED[outcome]
    if report.first_proven is not None:
        raw = describe(report.first_proven)
    elif outcome == "clean":
        raw = f"{len(report.steps)} calculations checked, none wrong"
    else:
        raw = findings[0].reason
    return Verdict("yes" if p >= 0.5 else "no", p_hallucinated=p, raw=raw, findings=findings)


def classify(report: ChainReport, chain: str, problem: str) -> tuple[Outcome, tuple[Span, ...]]:
    """Classify a checked chain by the strongest evidence against it.

    Args:
        report: What `check_chain` found.
        chain: The raw chain.
        problem: The text of the problem.

    Returns:
        The outcome, and all findings: proven ones, assumptions, impossible results and misprints.
    """
    proven: list[Span] = []
    misprints: list[Span] = []
    for step in report.faults:
        finding = Span(step.start, step.end, describe(step), proven=step.proven)
        (proven if step.proven else misprints).append(finding)
    assumed = [Span(*suspicion) for suspicion in assumptions(chain, problem)]
    impossible = [Span(*suspicion) for suspicion in impossible_results(report, problem)]
    outcome: Outcome = "clean"
    if proven:
        outcome = "proven"
    elif assumed:
        outcome = "assumes"
    elif impossible:
        outcome = "impossible"
    return outcome, (*proven, *assumed, *impossible, *misprints)


def describe(step: Step) -> str:
    """Describe a wrong step in one line: what it states, and its exact value."""
    value = format_value(step.value)
    expression, stated = _short(step.expression), _short(step.stated)
    if step.fault == "text differs":
        return f"annotated {value}, but the text says {stated}"
    if step.fault == "contradicts variable":
        return f"{expression} = {stated} does not hold for the value found: the left is {value}"
    return f"{expression} = {value}, not {stated}"


def _short(text: str) -> str:
    """Put a text on one line, cut off with an ellipsis where it is too long."""
    text = " ".join(text.split())
    return text if len(text) <= _MAX_EXPRESSION else f"{text[: _MAX_EXPRESSION - 1]}…"


def format_value(value: Fraction) -> str:
    """Write a value as a whole number, a finite decimal, or a fraction of two whole numbers.

    A fraction without a finite decimal is followed by its value to two places.
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
