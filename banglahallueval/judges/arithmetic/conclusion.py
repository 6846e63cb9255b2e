"""Whether what a chain concludes is what it calculated last, in the unit that was asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from banglahallueval.judges.arithmetic.evaluation import Value
from banglahallueval.judges.arithmetic.mentions import Mention
from banglahallueval.judges.arithmetic.report import ChainReport, Step
from banglahallueval.judges.arithmetic.units import Unit, read_unit

_DIGIT = re.compile("[0-9০-৯]")
_SENTENCE_END = re.compile(r"[\n।৷!?;|]")
# A calculation that was not read, a ratio or a time of the day: what it comes to is not known.
_CALCULATES = re.compile(
    r"=|[0-9০-৯]:[0-9০-৯]|[0-9০-৯]\s?টা(?:য়|য়)?\s|[0-9০-৯)%]\s*[×÷+*/−–-]\s*[0-9০-৯(]|\\(?:times|div|frac|dfrac|cdot)"
    r"|অর্ধেক|দ্বিগুণ|গড়|গড়|গু[ণন]\s+(?:কর|[0-9০-৯])|ভাগ(?:শেষ)?\s|যোগ|বাদ\s|বাকি|মিলে|ordhek|\sjog\s|\sbad\s"
    r"|\sgu[nv]\s|bhag|minus|plus|times|half|twice|average|remainder"
)
_CONCLUDES = re.compile(
    "[,:-]|তাই|সুতরাং|অতএব|উত্তর|অর্থাৎ|মানে|ফলে|[Ss]o |[Aa]nswer|[Tt]hus|tai |uttor|mane "
)
_COMPARES = re.compile(r"-?(?:টি|টা|জন)?(?:এর|ের|র)ও?\s*(?:কম|বেশি)")
_ASKS = re.compile(r"কত\s+([\u0980-\u09ff]+|[A-Za-z]+)")
# What may lie between a result and the answer: a unit, a percentage, a scale word.
_FACTORS = frozenset(
    {7, 8, 10, 12, 24, 30, 60, 100, 1000, 3600, 10**4, 10**5, 10**6, 10**7, 365, Fraction(5, 18)}
)
_SMALL = 10  # number words up to here are often no quantity: "both", "one of them"
_LONGEST_TAIL = 400  # code points behind the last calculation


def contradiction(report: ChainReport, chain: str) -> Mention | None:
    """Find a conclusion that is not what the last calculation came to.

    The conclusion is the last sentence with a number behind the last calculation. It agrees if
    one of its numbers is the last result, also rounded or in another unit, another result, or a
    number that the chain has stated since then.
    """
    if not report.steps:
        return None
    last = max(report.steps, key=lambda step: step.end)
    if last.fault or len(chain) > last.end + _LONGEST_TAIL or not _DIGIT.search(chain, last.end):
        return None
    tail = report.numbers_from(last.end)
    if not tail or all(number.value in (last.result, last.value) for number in tail):
        return None
    if _CALCULATES.search(chain, last.end):
        return None
    start = last.end
    for end in _SENTENCE_END.finditer(chain, last.end, tail[-1].start):
        start = end.end()
    if start == last.end and not _CONCLUDES.search(chain, start, tail[-1].start):
        return None  # the rest of the calculation's own sentence
    concluded = [
        number
        for number in tail
        if number.start >= start and not _COMPARES.match(chain, number.end)
    ]
    if not concluded:
        return None
    stated = [number.value for number in tail if number.start < start]
    results = [*stated, last.value, *([] if last.result is None else [last.result])]
    agreed = {*stated, *_agreed(report, last)}
    if any(_follows(number.value, results, agreed) for number in concluded):
        return None
    number = concluded[-1]
    in_digits = any(char.isdecimal() for char in chain[number.start : number.end])
    return number if in_digits or number.value > _SMALL else None


def _agreed(report: ChainReport, last: Step) -> set[Value]:
    """Collect what a conclusion may say: results, and what the last one differs by from others."""
    agreed: set[Value] = set(last.operands)
    for step in report.steps:
        agreed.add(step.value)
        if step.result is not None:
            agreed.add(step.result)
    before = {number.value for number in report.numbers if number.start < last.end}
    return agreed | {abs(Fraction(last.value) - value) for value in agreed | before}


def _follows(value: Value, results: Sequence[Value], agreed: set[Value]) -> bool:
    """Whether a concluded number is a result, rounds one, or says it in another unit."""
    if value in agreed or -value in agreed:
        return True
    for result in results:
        exact = abs(Fraction(result))
        if abs(value - exact) < 1 and exact.denominator != 1:
            return True
        if exact and value:
            ratio = Fraction(value) / exact
            if ratio in _FACTORS or 1 / ratio in _FACTORS:
                return True
    return False


def other_unit(report: ChainReport, problem: str) -> Mention | None:
    """Find a last number in another unit than the problem asks for, as minutes for hours."""
    asked = _asked(problem)
    if asked is None:
        return None
    measured = [number for number in report.numbers if number.unit and number.unit.dimension]
    if not measured or measured[-1] is not report.numbers[-1]:
        return None
    last = measured[-1]
    units = [number.unit for number in measured[-2:] if number.unit]
    if any(unit == asked for unit in units) or any(u.dimension != asked.dimension for u in units):
        return None
    return last


def _asked(problem: str) -> Unit | None:
    found = _ASKS.findall(problem)
    unit = read_unit(found[-1]) if found else None
    return unit if unit and unit.dimension not in {"", "money", "count"} else None
