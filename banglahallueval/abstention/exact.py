"""The exact judge: whether an answer is the right one, without asking a model."""

from __future__ import annotations

import regex

from banglahallueval.abstention.chosen_option import chosen_letter, letter_of
from banglahallueval.abstention.types import Question
from banglahallueval.text.answer_frames import without_frame
from banglahallueval.text.quantities import read_quantity, same_quantity
from banglahallueval.text.yes_no import fold

_ARTICLE = regex.compile(r"(?:the|an?)\s+(?=\S)")
_SPACES = regex.compile(r"\s+")
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_NO_COUNT = frozenset(map(fold, ("not", "no", "or", "and", "না", "নয়", "বা", "ও")))
_ONE_FORM = {
    **dict.fromkeys(map(ord, "‘’‚`´"), "'"),
    **dict.fromkeys(map(ord, "“”„«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—−"), "-"),
}


def is_match(answer: str, question: Question) -> bool:
    """Whether an answer that commits to something is the question's right one.

    With options, their letters are compared, in whatever shape one is given; the text of an option
    stands for its letter, and two letters for none. Else numbers are compared by value and other
    answers by text, without case, articles, markup, labels and closing marks. What cannot be
    answered, or has no right answer, matches nothing.
    """
    if question.unknown_ok or not question.gold.strip():
        return False
    if not question.options:
        return same_answer(answer, question.gold) or _same_count(answer, question)
    gold = letter_of(question.gold, len(question.options))
    if gold and _named_option(answer, question.options, gold):
        return True
    return bool(gold) and chosen_letter(answer, question.options, same_answer) == gold


def same_answer(one: str, other: str) -> bool:
    """Whether two free answers say the same: equal numbers, or equal words."""
    one, other = without_frame(one), without_frame(other)
    a, b = read_quantity(one), read_quantity(other)
    if a and b:
        return same_quantity(a, b)
    return bool(one) and _words(one) == _words(other)


def _same_count(answer: str, question: Question) -> bool:
    """Whether an answer is the right number with a word of the question: `2 Ds`."""
    asked = frozenset(_WORD.findall(fold(question.text))) - _NO_COUNT
    count = read_quantity(without_frame(answer), asked)
    gold = read_quantity(without_frame(question.gold))
    if not count or not gold or gold.unit:
        return False
    return same_quantity(count, gold)


def _words(text: str) -> str:
    text = _SPACES.sub(" ", text.translate(_ONE_FORM)).strip().casefold()
    return _ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text


def _named_option(answer: str, options: tuple[str, ...], gold: str) -> bool:
    """Whether an answer is the text of the right option, word for word."""
    text = without_frame(answer)
    return bool(text) and _words(text) == _words(without_frame(options[ord(gold) - ord("A")]))
