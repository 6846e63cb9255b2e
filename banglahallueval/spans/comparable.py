"""A text in the form in which a copy is compared with its answer, with the way back."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from banglahallueval.spans.types import Span
from banglahallueval.text.normalise import for_quotation
from banglahallueval.text.spans import Place

_MOST = 20  # one letter in so many may be changed
_DIGIT = regex.compile(r"\p{N}")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
# Signs, units and operators. A hyphen is one before a number that it does not join to a word, and
# between blanks; `>`, `-` and `*` at the beginning of a line are Markdown.
_SIGN = regex.compile(
    r"""(?<!^[^\S\n]{0,3}(?:>[^\S\n]?){0,4})>|[\p{Sm}\p{Sc}%‰٪°^--~|>]
    |(?<![\p{L}\p{M}\p{N}])[-‐‑‒–—―−.](?=\p{Sc}?\p{N})
    |(?<=\S[^\S\n]{1,4})[-−*](?=[^\S\n]+\S)""",
    regex.MULTILINE | regex.VERBOSE | regex.VERSION1,
)
_UNARY = "+-±"


@dataclass(frozen=True, slots=True)
class Comparable:
    """A text as it is compared.

    Attributes:
        text: The text in its normal form, without blanks.
        places: For each of its code points the place in the raw text that it comes from.
        words: For each the number of its word; -1 for what is neither letter nor digit.
        signs: For each whether it is the sign of a number, or an operator.
        letters: The letters and digits alone.
        starts: Where in the raw text each of these begins.
    """

    text: str
    places: Sequence[Place]
    words: Sequence[int]
    signs: Sequence[bool]
    letters: str
    starts: Sequence[int]

    @classmethod
    def of(cls, raw: str) -> Comparable:
        """Bring a raw text into this form."""
        normal = for_quotation(raw)
        words = [-1] * len(normal.text)
        for number, word in enumerate(_WORD.finditer(normal.text)):
            words[word.start() : word.end()] = [number] * len(word[0])
        kept = [at for at, char in enumerate(normal.text) if char != " "]
        lettered = [at for at in kept if words[at] >= 0]
        signs = {sign.start() for sign in _SIGN.finditer(raw)}
        return cls(
            "".join(normal.text[at] for at in kept),
            [normal.places[at] for at in kept],
            [words[at] for at in kept],
            [normal.places[at][0] in signs for at in kept],
            "".join(normal.text[at] for at in lettered),
            [normal.places[at][0] for at in lettered],
        )

    @property
    def most_changed(self) -> int:
        """Maximum number of its letters that a copy may change."""
        return max(1, len(self.letters) // _MOST)

    def within(self, place: Place) -> range:
        """Find the code points that come from a place in the raw text, or from a part of it."""
        start, end = place
        first = bisect_right(self.places, start, key=lambda each: each[1])
        return range(first, bisect_left(self.places, end, key=lambda each: each[0]))

    def raw(self, first: int, last: int) -> Span:
        """Find the place in the raw text that code points come from, the last one included.

        A number has its sign with it.
        """
        before = first - 1
        if (
            before >= 0
            and _DIGIT.match(self.text[first])
            and self.text[before] in _UNARY
            and self._touches(first)
            and not (before and self.words[before - 1] >= 0 and self._touches(before))
        ):
            first = before
        return Span(self.places[first][0], self.places[last][1])

    def _touches(self, at: int) -> bool:
        """Whether no blank stands before a code point that is not the first."""
        return self.places[at - 1][1] == self.places[at][0]

    def joins(self, at: int) -> bool:
        """Whether a word goes on from the code point before a place to the one behind it."""
        return 0 < at < len(self.words) and self.words[at - 1] == self.words[at] >= 0

    def part(self, start: int, end: int) -> Comparable:
        """Take the code points that come from a place in the raw text alone."""
        kept = self.within((start, end))
        texts = slice(kept.start, kept.stop)
        letters = slice(bisect_left(self.starts, start), bisect_left(self.starts, end))
        return Comparable(
            self.text[texts],
            self.places[texts],
            self.words[texts],
            self.signs[texts],
            self.letters[letters],
            self.starts[letters],
        )
