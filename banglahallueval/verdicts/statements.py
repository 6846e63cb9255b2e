"""A reply's lines and sentences, cleaned of what is no verdict."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.markup import without_emphasis, without_options, without_tags
from banglahallueval.text.yes_no import CONTENT, LETTER, any_of
from banglahallueval.verdicts.quotations import without_quotations

# Code points that are searched together. As each search is given at most so many, reading takes
# time in proportion to the reply's length, whatever a pattern costs.
LONGEST: Final = 400

_SPACES = lazy_regex(r"\s++")
_BREAK = lazy_regex(rf"(?r)(?!{LETTER})[^\n]")
_WORD = lazy_regex(rf"{LETTER}*+")
_END = lazy_regex(r"[.!?।॥。…]++[\"')\]}»]{0,6}+(?=\s|$)")
_ORDINAL = lazy_regex(
    rf"[\W_]{{0,8}}+(?:(?:step|{any_of('ধাপ')})\s{{0,4}}+)?(?:\p{{N}}{{1,3}}|[a-d])"
)
_ABBREVIATED: Final = ("e.g", "i.e", "vs")
_NUMBER = lazy_regex(r"\s{0,2}\p{N}{1,3}(?!\p{N})")
_NO_AT_END = lazy_regex(rf"(?<!{LETTER})no$")


class Statement(NamedTuple):
    """A sentence, or as much of it as stands in one line.

    Attributes:
        text: Its folded and cleaned text, with one space between words.
        spaced: The same with the blanks that stand where markup was.
        start: Where it begins in the folded reply.
        line: The number of its line.
        opens: Whether it is the first of its line that says anything.
        closes: Whether it is the last.
        continues: Whether a sentence too long to be searched at once began before it.
    """

    text: str
    spaced: str
    start: int
    line: int
    opens: bool
    closes: bool
    continues: bool

    @property
    def alone(self) -> bool:
        """Whether it has its line to itself."""
        return self.opens and self.closes

    def offset(self, at: int) -> int:
        """Map `at` in the text to its offset in the folded reply."""
        if len(self.text) == len(self.spaced):
            return self.start + at
        kept = (
            index
            for index, char in enumerate(self.spaced)
            if not (char.isspace() and index and self.spaced[index - 1].isspace())
        )
        return self.start + next(islice(kept, at, None))


def statements(text: str) -> list[Statement]:
    """Split a folded reply into the statements that say anything, in order."""
    found: list[Statement] = []
    start = 0
    for number, line in enumerate(without_tags(text).split("\n")):
        spans = [
            (start + at + begin, piece[begin:end], at > 0 and begin == 0)
            for at, piece in _pieces(line)
            for begin, end in _sentences(piece)
            if CONTENT.search(piece, begin, end)
        ]
        last = len(spans) - 1
        found += (
            Statement(
                _SPACES.sub(" ", said), said, begin, number, index == 0, index == last, continues
            )
            for index, (begin, said, continues) in enumerate(spans)
        )
        start += len(line) + 1
    return found


def _pieces(line: str) -> Iterator[tuple[int, str]]:
    """Cut a line into cleaned pieces of bounded length, and say where each begins."""
    at = 0
    while len(line) - at > LONGEST:
        end = line.rfind(" ", at + 1, at + LONGEST) + 1 or _break(line, at)
        if end:
            yield at, _cleaned(line[at:end])
            at = end
        else:  # no word of any language
            word = _WORD.match(line, at + 1)
            at = word.end() if word else at + LONGEST
    if at < len(line):
        yield at, _cleaned(line[at:])


def _break(line: str, at: int) -> int:
    found = _BREAK.search(line, at + 1, at + LONGEST)
    return found.end() if found else 0


def _cleaned(piece: str) -> str:
    if piece.isspace():
        return piece
    return without_emphasis(without_quotations(without_options(piece)))


def _sentences(piece: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for mark in _END.finditer(piece):
        if mark[0] == "." and _goes_on(piece[begin : mark.start()], piece[mark.end() :]):
            continue
        yield begin, mark.end()
        begin = mark.end()
    if begin < len(piece):
        yield begin, len(piece)


def _goes_on(head: str, rest: str) -> bool:
    """Whether a full stop is that of `1.`, `e.g.` or `no. 5`."""
    if head.endswith("no") and _NUMBER.match(rest):
        return _NO_AT_END.search(head) is not None
    return head.endswith(_ABBREVIATED) or _ORDINAL.fullmatch(head) is not None
