"""Reading takes time in proportion to a reply's length, whatever a model writes.

Work is counted in code points handed to patterns. The clock is read by bench/verdict_reading.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import regex

from banglahallueval.models.types import Reply
from banglahallueval.prompts import Style
from banglahallueval.text import markup
from banglahallueval.text import yes_no as words
from banglahallueval.verdicts import (
    announcements,
    corrections,
    phrases,
    quotations,
    read_verdict,
    reading,
    refusals,
    remarks,
    scanning,
    stances,
    statements,
    turns,
    vocabulary,
)
from bench.verdict_reading import UNITS

MODULES = (
    *(
        announcements,
        corrections,
        markup,
        phrases,
        quotations,
        reading,
        refusals,
        remarks,
        scanning,
        stances,
    ),
    *(statements, turns, vocabulary, words),
)
# What is handed a whole reply. Everything else sees a few statements of bounded length.
WHOLE = {
    markup._MAY_THINK,
    markup._THINKING,
    markup._STRUCK,
    markup._FIELD,
    markup._TAG,
    turns._TAG,
    turns._WORD,
    turns._MAY_END,
    statements._WORD,
    words._LATIN,
    words._ROMANISED,
}
SEEN_TOGETHER = 5 * statements.LONGEST  # a verdict's statement and those right behind it
STYLES: tuple[Style, ...] = ("standard", "cot")


class Counted:
    """A pattern that counts the code points it is handed."""

    def __init__(self, pattern: regex.Pattern[str], tally: list[tuple[bool, int]]) -> None:
        self._pattern = pattern
        self._tally = tally

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._pattern, name)
        if not callable(method):
            return method

        def counted(*args: Any, **kwargs: Any) -> Any:
            text = args[1] if name == "sub" else args[0]
            begin = args[1] if len(args) > 1 and name != "sub" else 0
            end = args[2] if len(args) > 2 else len(text)
            found = method(*args, **kwargs)
            # A word too long to be one is passed over at once.
            if self._pattern is statements._WORD:
                end = found.end()
            self._tally.append((self._pattern in WHOLE, end - begin))
            return found

        return counted


def patterns(owner: object) -> Iterator[tuple[str, regex.Pattern[str]]]:
    for name, value in vars(owner).items():
        if isinstance(value, regex.Pattern):
            yield name, value


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[tuple[bool, int]]]:
    """Reads a reply and tells what its patterns were handed."""
    tally: list[tuple[bool, int]] = []
    for owner in (*MODULES, vocabulary.PLAIN, vocabulary.ROMANISED):
        for name, pattern in list(patterns(owner)):
            monkeypatch.setattr(owner, name, Counted(pattern, tally))

    def read(text: str) -> list[tuple[bool, int]]:
        tally.clear()
        for style in STYLES:
            read_verdict(Reply(text), style)
        return list(tally)

    return read


@pytest.mark.parametrize("head", ["", "hallucinated no ", "Final answer: yes\n\n"])
@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_work_grows_with_the_length(
    work: Callable[[str], list[tuple[bool, int]]], unit: str, head: str
) -> None:
    """A reply twice as long is twice the work, and no pattern but a few sees much at once."""
    lengths = (2048, 4096, 8192)
    done = [work((head + unit * length)[:length]) for length in lengths]
    totals = [sum(size for _, size in each) for each in done]
    assert max((size for whole, size in done[-1] if not whole), default=0) <= SEEN_TOGETHER
    spare = 16 * SEEN_TOGETHER
    assert totals[1] <= 2.1 * totals[0] + spare
    assert totals[2] <= 2.1 * totals[1] + spare


def test_patterns_for_whole_replies_never_try_again() -> None:
    """What is handed a whole reply has no repetition that could be taken back and tried anew."""
    for pattern in WHOLE:
        plain = regex.sub(
            r"\\.|\[(?:\\.|[^\]\\])*\]|\(\*\w+\)|\(\?P?<?[!=:\w>]*", "x", pattern.pattern
        )
        assert not regex.search(r"(?<![*+?}])[*+](?!\+)|\{\d+,\}", plain), pattern.pattern
