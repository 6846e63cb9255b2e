"""The exact judge: whether an answer is the right one, without asking a model."""

from __future__ import annotations

import unicodedata

import regex

from banglahallueval.abstention.chosen_option import chosen_letter, letter_of
from banglahallueval.abstention.types import Question
from banglahallueval.text import yes_no
from banglahallueval.text.abstention import abstains
from banglahallueval.text.answer_frames import without_frame
from banglahallueval.text.bangla import has_bengali, number_counts
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.normalise import words_for_matching
from banglahallueval.text.number_words import read_number_words
from banglahallueval.text.phonetic import fold
from banglahallueval.text.quantities import Quantity, read_quantity, same_quantity

_ARTICLE = lazy_regex(r"(?:the|an?)\s+(?=\S)")
_SPACES = lazy_regex(r"\s+")
_WORD = lazy_regex(r"[\p{L}\p{M}]+")
_NO_COUNT = frozenset(map(yes_no.fold, ("not", "no", "or", "and", "না", "নয়", "বা", "ও")))
_ONE_FORM = {
    **dict.fromkeys(map(ord, "‘’‚`´"), "'"),
    **dict.fromkeys(map(ord, "“”„«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—−"), "-"),
}
# Behind the symbol of an element, a variable or a bracket. In log₂8 it stays, and so do
# superscripts, which mean something else than the digit on the line.
_SUBSCRIPT = lazy_regex(r"(?<=(?:\p{Lu}\p{Ll}?|(?<!\p{L})\p{L}|[)\]])[₀-₉]*)[₀-₉]")
_WITH_GLOSS = lazy_regex(r"(?P<answer>.*\S)\s+(?:\((?P<gloss>[^()]+)\)|\[(?P<gloss>[^\[\]]+)\])")
_TAKES_BACK = lazy_regex(
    unicodedata.normalize(
        "NFC",
        r"\b(?:not|no|never|n?or|neither|isn|and|vs|versus|maybe|perhaps|probably|possibly|likely"
        r"|unlikely|wrong|incorrect|false|unsure|uncertain|instead|rather|but|although|however"
        r"|except)\b"
        r"|(?<![\p{L}\p{M}])(?:নয়|না|নি|নেই|নহে|বা|অথবা|কিংবা|নাকি|ও|এবং|আর|সম্ভবত|হয়তো|হয়ত|বোধহয়|ভুল"
        r"|মিথ্যা|অনিশ্চিত|কিন্তু|তবে|বরং)(?![\p{L}\p{M}])|\?",
    ),
    regex.IGNORECASE,
)


def is_match(answer: str, question: Question) -> bool:
    """Whether an answer that commits to something is the question's right one.

    With options, their letters are compared, in whatever shape one is given; the text of an option
    stands for its letter, and two letters for none. Else numbers are compared by value and other
    answers by text, without case, articles, markup, labels, closing marks and a bracket that
    explains the whole answer. What cannot be answered, or has no right answer, matches nothing.
    """
    if question.unknown_ok or not question.gold.strip():
        return False
    if not question.options:
        gold = question.gold
        return (
            same_answer(answer, gold)
            or _is_explained(answer, gold)
            or _same_count(answer, question)
        )
    gold = letter_of(question.gold, len(question.options))
    if gold and _named_option(answer, question.options, gold):
        return True
    return bool(gold) and chosen_letter(answer, question.options, same_answer) == gold


def same_answer(one: str, other: str) -> bool:
    """Whether two free answers say the same: equal numbers, or equal words."""
    one, other = without_frame(one), without_frame(other)
    a, b = _quantity(one), _quantity(other)
    if a and b:
        return same_quantity(a, b)
    return bool(one) and _words(one) == _words(other)


def _same_count(answer: str, question: Question) -> bool:
    """Whether an answer is the right number with a word of the question: `2 Ds`."""
    asked = frozenset(_WORD.findall(yes_no.fold(question.text))) - _NO_COUNT
    count = read_quantity(without_frame(answer), asked)
    gold = read_quantity(without_frame(question.gold))
    if not count or not gold or gold.unit:
        return False
    return same_quantity(count, gold)


def _quantity(text: str) -> Quantity | None:
    value = read_number_words(text)
    return read_quantity(text) if value is None else Quantity(value, "")


def _words(text: str) -> str:
    text = _SUBSCRIPT.sub(lambda digit: str(unicodedata.digit(digit[0])), text.translate(_ONE_FORM))
    text = _SPACES.sub(" ", text).strip().casefold()
    return _ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text


def _is_explained(answer: str, gold: str) -> bool:
    """Whether an answer is the right one with a bracket behind it that does not contradict it.

    The bracket holds the same name in the other script, and either is the right answer, or it
    explains the name before it, and has no other number than that.
    """
    found = _WITH_GLOSS.fullmatch(without_frame(answer))
    if not found:
        return False
    name, gloss = found["answer"], found["gloss"]
    if has_bengali(name) != has_bengali(gloss) and _sound(name) == _sound(gloss):
        return same_answer(name, gold) or same_answer(gloss, gold)
    return same_answer(name, gold) and not _contradicts(gloss, name, gold)


def _contradicts(gloss: str, name: str, gold: str) -> bool:
    if _quantity(name):  # behind a number, a word may be its unit
        with_unit = read_quantity(f"{name} {gloss}")
        is_unit = with_unit is not None and same_answer(f"{name} {gloss}", gold)
        return not (is_unit or same_answer(gloss, gold))
    if not words_for_matching(gloss) or abstains(gloss) or _TAKES_BACK.search(gloss):
        return True
    numbers = number_counts(name).keys()
    return bool(numbers) and not number_counts(gloss).keys() <= numbers


def _sound(text: str) -> list[str]:
    return [fold(word).key for word in words_for_matching(text)]


def _named_option(answer: str, options: tuple[str, ...], gold: str) -> bool:
    """Whether an answer is the text of the right option, word for word."""
    text = without_frame(answer)
    return bool(text) and _words(text) == _words(without_frame(options[ord(gold) - ord("A")]))
