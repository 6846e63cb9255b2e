"""Finds assumptions and impossible results of a chain; none of it is proof."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from banglahallueval.judges.arithmetic.report import ChainReport, Step
from banglahallueval.judges.arithmetic.tokens import read_number, tokenise

# য় in both codings: one code point, or two as in NFC.
_Y = "(?:\u09df|\u09af\u09bc)"
# "It may be assumed that", "it is taken to be", but not "let it be" (ধরা যাক, ধরি), which names an
# unknown. The alternatives share their first letters, which makes the search ten times faster.
_ASSUMES = re.compile(
    rf"ধর(?:ে\s+(?:নে[ওব]|নি)|া\s+(?:যা{_Y}|যেতে|যাবে|হ|উচিত|দরকার)|লে|তে\s+হ"
    r"|(?<=হিসেবে ধর)|(?<=হিসাবে ধর))"
)
# "Usually", "naturally", "in effect", "a guess", "it is reasonable".
_USUAL_WORDS = ("সাধারণত", "স্বাভাবিক", "কার্যত", "অনুমান", "যুক্তিসঙ্গত")
_USUALLY = re.compile("|".join(_USUAL_WORDS))
_CATCHES = re.compile("ধরা|ধরতে|ধরেছ|ধরল|ধরছ")
_SENTENCE_ENDS = "\n।৷;"
_ASKS_HOW_MANY = re.compile(rf"(?:কত|ক{_Y})\s*(?:টি|জন|গুলি|গুলো|টা(?!কা)|খানা)")
_COUNTS = re.compile(r"\s*(?:টাকা|টি|টা|জন|খানা|কেজি|লিটার|মিটার)")
_MEAN = "গড"  # গড়, in either coding of ড়


class Suspicion(NamedTuple):
    """A place that makes a chain doubtful.

    Attributes:
        start: Its first code point in the chain.
        end: The code point after its last one.
        reason: What is doubtful there, as shown to the user.
    """

    start: int
    end: int
    reason: str


def assumptions(chain: str, problem: str) -> Iterator[Suspicion]:
    """Find sentences that announce an assumption which the problem does not make.

    Skipped are sentences with a variable, which may only name an unknown; words that the problem
    itself uses; and the verb ধরা if the problem is about catching.

    Args:
        chain: The raw chain; offsets are its code points.
        problem: The text of the problem.
    """
    last_end = 0
    for found in _assuming_words(chain, problem):
        if found.start() < last_end or found.group() in problem:
            continue
        start, last_end = _sentence_around(chain, found)
        sentence = chain[start:last_end]
        if any(token.kind == "variable" for token in tokenise(sentence)[0]):
            continue
        start += len(sentence) - len(sentence.lstrip())
        end = start + len(sentence.strip())
        yield Suspicion(start, end, f"assumes what the problem does not say ({found.group()})")


def _assuming_words(chain: str, problem: str) -> list[re.Match[str]]:
    """Find the words of a chain that announce an assumption, in text order."""
    words = list(_ASSUMES.finditer(chain))
    if words and _CATCHES.search(problem):
        words = []
    if any(word in chain for word in _USUAL_WORDS):
        words += _USUALLY.finditer(chain)
        words.sort(key=lambda found: found.start())
    return words


def _sentence_around(chain: str, found: re.Match[str]) -> tuple[int, int]:
    """Start and end of the sentence that holds a match, as code points."""
    start = max(chain.rfind(mark, 0, found.start()) for mark in _SENTENCE_ENDS) + 1
    ends = (chain.find(mark, found.end()) for mark in _SENTENCE_ENDS)
    return start, min((end for end in ends if end >= 0), default=len(chain))


def impossible_results(report: ChainReport, chain: str, problem: str) -> Iterator[Suspicion]:
    """Find results that no quantity has: a negative number of things, a fraction of a countable.

    Args:
        report: The checked chain.
        chain: The raw chain.
        problem: The text of the problem, which says whether something is counted.
    """
    if not report.steps:
        return
    for step in report.steps:
        result = step.value if step.result is None else step.result
        if result < 0 and _COUNTS.match(chain, step.end):
            yield Suspicion(step.start, step.end, "a number of things is below 0")
            break
    last = report.steps[-1]
    if _asks_how_many(problem) and _states_fraction(last):
        yield Suspicion(last.start, last.end, "the problem asks how many, and this is not whole")


def _asks_how_many(problem: str) -> bool:
    return _MEAN not in problem and _ASKS_HOW_MANY.search(problem) is not None


def _states_fraction(step: Step) -> bool:
    """Whether the stated result is one decimal number that is not whole."""
    if "." not in step.stated:
        return False
    kinds = [token.kind for token in tokenise(step.stated)[0]]
    number = read_number(step.stated) if kinds == ["number"] else None
    return number is not None and number[0] != int(number[0])
