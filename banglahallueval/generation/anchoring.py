"""Where a code-mixed answer stands in its context, and how it is spelled there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

import regex

from banglahallueval.text import bangla
from banglahallueval.text.normalise import for_matching
from banglahallueval.text.phonetic import fold
from banglahallueval.text.romanising.loans import english_words
from banglahallueval.text.romanising.words import word_in_latin

_TOKEN = regex.compile(r"(?P<number>\p{Nd}+(?:[.,]\p{Nd}+)*)|[\p{L}\p{M}]+")
_SENTENCE_END = regex.compile(r"[.?!।\n]")
_SHORTEST = 3  # letters of a key; words that differ often share a shorter one


@dataclass(frozen=True, slots=True)
class _Token:
    """A word or a number of a text, and where it stands."""

    text: str
    number: Fraction | None
    start: int
    end: int

    def is_same(self, other: _Token) -> bool:
        """Whether both are the same number, or the same word in two spellings."""
        if self.number is not None or other.number is not None:
            return self.number == other.number
        return _same_word(self.text, other.text)


def occurs(answer: str, context: str) -> bool:
    """Whether an answer stands in its context, word for word; an ending may follow it.

    An answer without words or numbers stands everywhere.
    """
    words, there = _tokens(answer), _tokens(context)
    if not words:
        return True
    for start in range(len(there) - len(words) + 1):
        place = there[start : start + len(words)]
        if all(map(_equal, words[:-1], place)) and _begins(place[-1], words[-1]):
            return True
    return False


def stands_in(item: Mapping[str, str]) -> bool:
    """Whether the Bangla answer stands in the Bangla context."""
    return occurs(item["answer"], item["context"])


def anchored(item: Mapping[str, str], mixed: Mapping[str, str]) -> dict[str, str]:
    """Spell a code-mixed answer as its context spells it.

    Only where the Bangla answer stands in the Bangla context, and the code-mixed context has the
    same numbers and the same words there: alike letter for letter but for the class of the letter
    (a and o, s and sh, v and bh, …), endings included. A word that sounds like another one of the
    Bangla context stays as it is: it cannot be told which of the two the place holds.

    Args:
        item: Context, question and answer in Bangla.
        mixed: The same in code-mixed Bangla.
    """
    answer, context = mixed["answer"], mixed["context"]
    words = _tokens(answer)
    if not words or not stands_in(item) or occurs(answer, context):
        return dict(mixed)
    others = _in_latin(_other_words(item))
    if any(word.number is None and _is_one_of(word.text, others) for word in words):
        return dict(mixed)
    place = next(_places(words, answer, context), None)
    if place is None:
        return dict(mixed)
    found = answer[: words[0].start] + place + answer[words[-1].end :]
    return {**mixed, "answer": found}


def borrowed_word(item: Mapping[str, str], mixed: Mapping[str, str]) -> str | None:
    """Find a word of the code-mixed answer that is another word of the Bangla context.

    It is what a model writes that takes a neighbour, or another form of the word, for the answer.
    """
    ours, others = _words(item["answer"]), _other_words(item)
    latin_ours, latin_others = _in_latin(ours), _in_latin(others)
    our_keys = {fold(word).key for word in ours}
    keys = {fold(word).key for word in others} - our_keys
    words = _tokens(mixed["answer"])
    for word, following in zip_longest(words, words[1:]):
        text, key = word.text, fold(word.text).key
        if word.number is not None or len(key) < _SHORTEST or text.lower() in english_words():
            continue
        # An ending may be set off from its word: Hossain-ke.
        ours_again = (text, text + following.text) if following else (text,)
        if any(_is_one_of(each, latin_ours) for each in ours_again):
            continue
        if _is_one_of(text, latin_others):
            return text
        if key in keys and not any(fold(each).key in our_keys for each in ours_again):
            return text
    return None


def _tokens(text: str) -> list[_Token]:
    return [
        _Token(
            found[0],
            next(iter(bangla.numbers(found[0]))) if found["number"] else None,
            *found.span(),
        )
        for found in _TOKEN.finditer(text)
    ]


def _equal(one: _Token, other: _Token) -> bool:
    return one.number == other.number and (
        one.number is not None or for_matching(one.text) == for_matching(other.text)
    )


def _begins(whole: _Token, beginning: _Token) -> bool:
    if whole.number is not None or beginning.number is not None:
        return _equal(whole, beginning)
    return for_matching(whole.text).startswith(for_matching(beginning.text))


def _same_word(one: str, other: str) -> bool:
    """Whether two Latin words are spellings of one, letter for letter of its class."""
    if fold(one).key != fold(other).key:
        return False
    return fold(_with_open_vowels(one)).key == fold(_with_open_vowels(other)).key


def _with_open_vowels(word: str) -> str:
    """Let a and o, which keys drop, be seen in a key: Salma is not Salam, nor Rahima Rahim."""
    return regex.sub("[ao]+", "0", word.lower().replace("oo", "u").replace("ee", "i"))


def _words(text: str) -> list[str]:
    return [for_matching(token.text) for token in _tokens(text) if token.number is None]


def _other_words(item: Mapping[str, str]) -> list[str]:
    """List the words of the Bangla context that are none of the Bangla answer's."""
    return sorted({*_words(item["context"])} - {*_words(item["answer"])})


def _in_latin(words: list[str]) -> list[str]:
    return [word_in_latin(word).replace("-", "") for word in words]


def _is_one_of(word: str, others: list[str]) -> bool:
    return any(_same_word(word, other) for other in others)


def _places(words: list[_Token], answer: str, context: str) -> Iterator[str]:
    """Yield the places of a context that hold the same words as an answer in another spelling."""
    there = _tokens(context)
    for start in range(len(there) - len(words) + 1):
        place = there[start : start + len(words)]
        if not all(word.is_same(spelled) for word, spelled in zip(words[:-1], place, strict=False)):
            continue
        if not _gaps_agree(words, place, answer, context):
            continue
        if end := _end(words[-1], place[-1]):
            yield context[place[0].start : end]


def _end(word: _Token, spelled: _Token) -> int | None:
    """Find where a word ends in the context: with the spelled word, or before its ending."""
    if word.is_same(spelled):
        return spelled.end
    if word.number is not None or spelled.number is not None:
        return None
    for size in range(len(spelled.text) - 1, 1, -1):
        if _same_word(word.text, spelled.text[:size]):
            return spelled.start + size
    return None


def _gaps_agree(words: list[_Token], place: list[_Token], answer: str, context: str) -> bool:
    """Whether no sentence ends between the words of a place but where it does in the answer."""
    for i in range(len(words) - 1):
        there = context[place[i].end : place[i + 1].start]
        if _SENTENCE_END.search(there) and there != answer[words[i].end : words[i + 1].start]:
            return False
    return True
