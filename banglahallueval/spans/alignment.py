"""Where in a raw answer the words of a model's copy, or of its quotes, stand.

Texts are compared without blanks and in the form of `text.normalise.for_quotation`: composed or
not, in any case, with digits of either script and any quotation marks and dashes. Punctuation may
differ, but in a copy that marks nothing only at its ends: what stands around a word may be a mark.
Of the letters up to a twentieth, at least one, may be changed, and up to a quarter within a word;
of numbers, their signs and operators nothing. More is no copy: a model that corrects an answer does
not mark it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Final

import regex
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from banglahallueval.errors import ShownError
from banglahallueval.spans.comparable import Comparable
from banglahallueval.spans.offsets import merge
from banglahallueval.spans.types import Span
from banglahallueval.text.spans import Place

CHANGED: Final = "changed the answer"
NOT_THERE: Final = "marked what is not in the answer"

_MOST_OF_WORD = 4  # one letter of a word in so many may be changed
_LIKE = 80.0  # of 100: least similarity of a quote and the place it may be of
_LONGEST_NEAR = 1000  # code points of a quote that is looked for by similarity, which takes long

_DIGIT = regex.compile(r"\p{N}")
# What a copy that marks nothing may have before and behind it, and in each other's place.
_OPENING, _CLOSING = frozenset("'>"), frozenset("'.।॥。")
_ALIKE = ("'", ".।॥。|", ",،、;", "-*•")


class UnalignedError(ShownError):
    """A text that is no copy of an answer, or no part of it. The message is a short reason."""


def align(copy: Comparable, marks: Iterable[Place], answer: Comparable) -> tuple[Span, ...]:
    """Carry marks in a copy over to the raw answer.

    Args:
        copy: The copy, without its tags; it may be a part of a longer text.
        marks: The marked places in the raw text that it is from.
        answer: The answer.

    Returns:
        The spans of the same words in the raw answer, without blanks at their edges, merged.

    Raises:
        UnalignedError: If it is no copy, or a mark holds nothing of the answer.
    """
    marks = list(marks)
    matches = _matched(copy, answer, marks_nothing=not marks)
    spans = []
    for mark in marks:
        found = [matches[at] for at in copy.within(mark)]
        kept = [at for at in found if at is not None]
        if not kept:
            raise UnalignedError(NOT_THERE)
        spans.append(answer.raw(kept[0], kept[-1]))
    return merge(spans)


def locate(quotes: Iterable[str], answer: Comparable) -> tuple[Span, ...]:
    """Find quotes in the raw answer; one that is given again is the next occurrence, if any.

    Raises:
        UnalignedError: If one of them is not in the answer.
    """
    behind: dict[str, int] = {}
    spans = []
    for quote in quotes:
        wanted = Comparable.of(quote)
        after = behind.get(wanted.text, 0)
        found = _find(wanted, answer, after) or (_find(wanted, answer, 0) if after else None)
        if found is None:
            raise UnalignedError(NOT_THERE)
        first, end = found
        behind[wanted.text] = end
        spans.append(answer.raw(first, end - 1))
    return merge(spans)


def _find(wanted: Comparable, answer: Comparable, after: int) -> Place | None:
    """Find a quote from some code point on: as whole words, else within one, else nearly."""
    if not wanted.text:
        return None
    within: Place | None = None
    at = answer.text.find(wanted.text, after)
    while at >= 0:
        end = at + len(wanted.text)
        edges = [edge for edge in (at, end) if answer.joins(edge)]
        if not edges:
            return at, end
        if within is None and not any(_in_number(answer.text, edge) for edge in edges):
            within = at, end
        at = answer.text.find(wanted.text, at + 1)
    return within or _find_nearly(wanted, answer, after)


def _find_nearly(wanted: Comparable, answer: Comparable, after: int) -> Place | None:
    """Find the most similar place, if the quote is a copy of it or of the words around it."""
    if len(wanted.text) > min(len(answer.text) - after, _LONGEST_NEAR):
        return None
    found = fuzz.partial_ratio_alignment(wanted.text, answer.text[after:], score_cutoff=_LIKE)
    if found is None:
        return None
    first, end = after + found.dest_start, after + found.dest_end
    whole_first, whole_end = first, end
    while answer.joins(whole_first):
        whole_first -= 1
    while answer.joins(whole_end):
        whole_end += 1
    for place in ((whole_first, whole_end), (first, end)):
        if any(_in_number(answer.text, edge) for edge in place):
            continue
        try:
            _matched(wanted, answer.part(*answer.raw(place[0], place[1] - 1)))
        except UnalignedError:
            continue
        return place
    return None


def _in_number(text: str, at: int) -> bool:
    return 0 < at < len(text) and all(map(_DIGIT.match, text[at - 1 : at + 1]))


def _matched(
    copy: Comparable, answer: Comparable, *, marks_nothing: bool = False
) -> list[int | None]:
    """Find for each code point of a copy the one of the answer that it stands for, if any.

    Args:
        copy: The copy.
        answer: The answer.
        marks_nothing: Whether the copy says that all is supported, so that nothing may stand
            around its words that could be a mark.

    Raises:
        UnalignedError: If it is no copy.
    """
    if copy.text == answer.text:
        return list(range(len(copy.text)))
    most = answer.most_changed
    # Cheap, since it stops at so many; long texts that differ are not compared any further.
    distance = Levenshtein.distance(copy.letters, answer.letters, score_cutoff=most)
    if distance > most or not answer.letters:
        raise UnalignedError(CHANGED)
    matches: list[int | None] = [None] * len(copy.text)
    changed = 0
    ours: Counter[int] = Counter()
    theirs: Counter[int] = Counter()
    for edit in Levenshtein.opcodes(copy.text, answer.text, score_hint=distance):
        start, end, first, last = edit.src_start, edit.src_end, edit.dest_start, edit.dest_end
        if edit.tag in ("equal", "replace"):
            matches[start:end] = range(first, last)
        if edit.tag == "equal":
            continue
        if any(copy.signs[start:end]) or any(answer.signs[first:last]):
            raise UnalignedError(CHANGED)
        if _differ_in_number(copy.text[start:end], answer.text, (first, last)):
            raise UnalignedError(CHANGED)
        if marks_nothing and _may_mark(copy, (start, end), answer.text[first:last]):
            raise UnalignedError(CHANGED)
        copied = [word for word in copy.words[start:end] if word >= 0]
        given = [word for word in answer.words[first:last] if word >= 0]
        changed += max(len(copied), len(given))
        ours.update(copied)
        theirs.update(given)
    if changed > most or _is_other_word(ours, copy.words) or _is_other_word(theirs, answer.words):
        raise UnalignedError(CHANGED)
    return matches


def _differ_in_number(text: str, answer: str, place: Place) -> bool:
    """Whether a digit, or a sign between digits, stands in only one of text and place."""
    first, last = place
    around = answer[first - 1 : first] if first else "", answer[last : last + 1]
    return all(map(_DIGIT.match, around)) or any(map(_DIGIT.search, (text, answer[first:last])))


def _may_mark(copy: Comparable, place: Place, instead_of: str) -> bool:
    """Whether a copy has signs that the answer has not, other than right before or behind it."""
    start, end = place
    if _OPENING.issuperset(copy.text[:end]) or _CLOSING.issuperset(copy.text[start:]):
        return False
    for at, other in zip_longest(range(start, end), instead_of):
        if at is None or copy.words[at] >= 0:
            continue
        char = copy.text[at]
        if other is None or not any(char in alike and other in alike for alike in _ALIKE):
            return True
    return False


def _is_other_word(changed: Counter[int], words: Sequence[int]) -> bool:
    """Whether more than a quarter of a word is changed."""
    lengths = Counter(words)
    return any(n > lengths[word] // _MOST_OF_WORD for word, n in changed.items())
