"""Judges an item of the reasoning task without a model."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal

from banglahallueval.judges.abstained import ABSTAINED
from banglahallueval.judges.arithmetic.chain import check_chain
from banglahallueval.judges.arithmetic.conclusion import contradiction, other_unit
from banglahallueval.judges.arithmetic.mentions import Mention, mentions
from banglahallueval.judges.arithmetic.report import ChainReport, Step
from banglahallueval.judges.arithmetic.sources import has_unused_number, miscopied
from banglahallueval.judges.arithmetic.suspicions import assumptions, impossible_results
from banglahallueval.judges.arithmetic.tokens import tokenise
from banglahallueval.tasks import Item
from banglahallueval.text.abstention import abstains
from banglahallueval.verdicts import NOTHING_TO_CHECK, Span, Verdict

Outcome = Literal["proven", "doubtful", "contradicts", "miscopied", "impossible", "clean", "unread"]

# P(hallucinated | outcome) where half of all chains are hallucinated, fitted by
# tools/fit_arithmetic.py: on the first halves of the published files (500 gold and 500
# hallucinated chains) and the fitting half of the contrast set (132 and 132), half a row added to
# each count, both kinds of data weighted alike. A label is `yes` from 0.5. A chain of which no
# calculation is read is `unknown`.
P_HALLUCINATED: dict[Outcome, float] = {
    "proven": 0.989,
    "doubtful": 0.646,
    "contradicts": 0.959,
    "miscopied": 0.924,
    "impossible": 0.889,
    "clean": 0.375,
    "unread": 0.508,
}
_NUMBER = re.compile(r"[৳$]?\s*-?[0-9০-৯][0-9০-৯.,/]*\s*%?")
_MAX_EXPRESSION = 100  # code points of an expression that an explanation repeats


def judge_item(item: Item) -> Verdict:
    """Judge a reasoning item without a model.

    A wrong calculation is a proven finding. A conclusion that is not the last result, a number
    copied wrong from the problem, and results that no quantity has, are findings without proof;
    they also make the label `yes`. Whether a step should have multiplied or added is not known
    here: `no` says only that nothing was found. Assumptions that the problem does not make are
    noted. A chain that abstains, and gives no final answer, is `no`. `#### …` lines are not read.

    Args:
        item: A reasoning item: its problem is `question`, its chain `output`.

    Returns:
        The verdict, its findings as code points of the raw chain; `unknown` for a blank chain, and
        for one without a calculation that can be read.
    """
    chain, problem = item.output, item.question
    if not chain.strip():
        return Verdict("unknown", reason="blank input")
    if _abstains(chain, item.final_answer.strip()):
        return ABSTAINED
    report = check_chain(chain)
    outcome, findings = classify(report, chain, problem)
    note = "".join(f"; {assumed.reason}" for assumed in assumptions(chain, problem))
    if outcome == "unread":
        raw = f"no calculation that can be read{note}"
        return Verdict("unknown", reason=NOTHING_TO_CHECK, raw=raw)
    p = P_HALLUCINATED[outcome]
    read = "1 calculation" if len(report.steps) == 1 else f"{len(report.steps)} calculations"
    raw = findings[0].reason if findings else f"{read} checked, none wrong"
    return Verdict("yes" if p >= 0.5 else "no", "", p, raw + note, findings)


def _abstains(chain: str, final: str) -> bool:
    """Whether a chain abstains and gives no final answer; nearly all give a number."""
    if _NUMBER.fullmatch(final):
        return False
    return abstains(chain) and (not final or abstains(final))


def classify(report: ChainReport, chain: str, problem: str) -> tuple[Outcome, tuple[Span, ...]]:
    """Classify a checked chain by the strongest evidence against it.

    Args:
        report: What `check_chain` found.
        chain: The raw chain.
        problem: The text of the problem.

    Returns:
        The outcome, and all findings, those behind the outcome first.
    """
    report = _without_problem(report, chain, problem.strip())
    proven: list[Span] = []
    doubtful: list[Span] = []
    for step in report.faults:
        finding = Span(step.start, step.end, describe(step), proven=step.proven)
        (proven if step.proven else doubtful).append(finding)
    found: dict[Outcome, list[Span]] = {
        "proven": proven,
        "doubtful": doubtful,
        "contradicts": _contradictions(report, chain, problem),
        "miscopied": _miscopied(report, chain, problem),
        "impossible": [Span(*each) for each in impossible_results(report, chain, problem)],
    }
    nothing: Outcome = "clean" if report.steps else "unread"
    outcome = next((name for name, findings in found.items() if findings), nothing)
    return outcome, tuple(finding for findings in found.values() for finding in findings)


def _without_problem(report: ChainReport, chain: str, problem: str) -> ChainReport:
    """Leave the numbers of a copy of the problem, with which a chain may begin, out of its own."""
    at = chain.find(problem) if problem else -1
    if at < 0:
        return report
    end = at + len(problem)

    def find(start: int) -> tuple[Mention, ...]:
        return tuple(each for each in report.numbers_from(start) if not at <= each.start < end)

    return ChainReport(report.steps, find)


def _contradictions(report: ChainReport, chain: str, problem: str) -> list[Span]:
    """Find a conclusion that is not the last result, or in a unit that nobody asked for."""
    findings = []
    if (number := contradiction(report, chain)) is not None:
        reason = f"'{chain[number.start : number.end]}' is not what the last calculation came to"
        findings.append(Span(number.start, number.end, reason))
    elif (number := other_unit(report, problem)) is not None:
        reason = f"'{chain[number.start : number.end]}' is not in the unit that is asked for"
        findings.append(Span(number.start, number.end, reason))
    return findings


def _miscopied(report: ChainReport, chain: str, problem: str) -> list[Span]:
    """Find numbers copied wrong, unless the chain has all long numbers of the problem."""
    rest = chain.replace(problem.strip() or "\n", "\n", 1)  # a copy of the problem uses nothing
    if not report.steps or not has_unused_number(problem, rest):
        return []
    given = list(mentions(tokenise(problem)[0]))
    return [
        Span(
            each.step.start,
            each.step.end,
            f"the calculation uses {format_value(each.value)}, where the problem has "
            f"{format_value(each.original)}",
        )
        for each in miscopied(report, given, report.numbers)
    ]


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


def format_value(value: Fraction | int) -> str:
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
