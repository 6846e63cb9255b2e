"""What speaks against a chain whose calculations are right. Nothing here is a proof."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from banglahallueval.judges.arithmetic.report import ChainReport
from banglahallueval.judges.arithmetic.tokens import number, tokenise

# য় in both codings: one code point, or two as NFC has it.
_Y = "(?:\u09df|\u09af\u09bc)"
# "It may be taken that", "it is taken to be". Not "let it be" (ধরা যাক, ধরি), which names an
# unknown. Every form begins with the same letters, which makes looking for it ten times faster.
_TAKES = re.compile(
    rf"ধর(?:ে\s+(?:নে[ওব]|নি)|া\s+(?:যা{_Y}|যেতে|যাবে|হ|উচিত|দরকার)|লে|তে\s+হ"
    r"|(?<=হিসেবে ধর)|(?<=হিসাবে ধর))"
)
# "Usually", "naturally", "in effect", "a guess", "it is reasonable".
_USUAL = ("সাধারণত", "স্বাভাবিক", "কার্যত", "অনুমান", "যুক্তিসঙ্গত")
_USUALLY = re.compile("|".join(_USUAL))
_CATCHING = re.compile("ধরা|ধরতে|ধরেছ|ধরল|ধরছ")
_SENTENCE_ENDS = "\n।৷;"
_HOW_MANY = re.compile(rf"(?:কত|ক{_Y})\s*(?:টি|জন|গুলি|গুলো|টা(?!কা)|খানা)")
_MEAN = "গড"  # গড়, in either coding of ড়


class Suspicion(NamedTuple):
    """A place that makes a chain doubtful.

    Attributes:
        start: Its first code point in the chain.
        end: The code point after its last one.
        reason: What is doubtful there.
    """

    start: int
    end: int
    reason: str


def assumptions(chain: str, problem: str) -> Iterator[Suspicion]:
    """Sentences that say they assume something which the problem does not say.

    A sentence with a variable is left out: it may only name an unknown. So are words that the
    problem uses itself, and the verb ধরা where the problem is about catching.
    """
    places = list(_TAKES.finditer(chain))
    if places and _CATCHING.search(problem):
        places = []
    if any(word in chain for word in _USUAL):
        places = sorted((*places, *_USUALLY.finditer(chain)), key=lambda found: found.start())
    done = 0
    for found in places:
        if found.start() < done or found.group() in problem:
            continue
        start = max(chain.rfind(mark, 0, found.start()) for mark in _SENTENCE_ENDS) + 1
        ends = (chain.find(mark, found.end()) for mark in _SENTENCE_ENDS)
        done = min((end for end in ends if end >= 0), default=len(chain))
        sentence = chain[start:done]
        if any(token.kind == "variable" for token in tokenise(sentence)[0]):
            continue
        start += len(sentence) - len(sentence.lstrip())
        end = start + len(sentence.strip())
        yield Suspicion(start, end, f"assumes what the problem does not say ({found.group()})")


def impossible_results(report: ChainReport, problem: str) -> Iterator[Suspicion]:
    """Results that no quantity has: less than nothing, or a broken number of countable things."""
    for step in report.steps:
        if step.right < 0:
            yield Suspicion(step.start, step.end, "comes to less than nothing")
            break
    if not report.steps:
        return
    last = report.steps[-1]
    if "." not in last.stated or _MEAN in problem or not _HOW_MANY.search(problem):
        return
    stated = tokenise(last.stated)[0]
    read = number(last.stated) if [t.kind for t in stated] == ["number"] else None
    if read is not None and read[0] != int(read[0]):
        yield Suspicion(last.start, last.end, "the problem asks how many, and this is not whole")
