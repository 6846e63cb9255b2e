"""Where a code-mixed answer stands in its context, and how it is spelled there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

import regex

from banglahallueval.text.digits import TO_ASCII
from banglahallueval.text.normalise import for_matching
from banglahallueval.text.phonetic import fold
from banglahallueval.text.romanising.loans import english_words
from banglahallueval.text.romanising.words import plain, word_in_latin

_TOKEN = regex.compile(r"(?P<number>\p{Nd}+(?:[.,]\p{Nd}+)*)|[\p{L}\p{M}]+")
_THOUSANDS = regex.compile(r"(?<=\d),(?=\d\d)")
_SENTENCE_END = regex.compile(r"[.?!।\n]")
_SHORTEST = 3  # letters of a key; words that differ often share a shorter one


@dataclass(frozen=True, slots=True)
class _Token:
    """A word or a number of a text, and where it stands.

    Attributes:
        text: A word as it stands; a number in ASCII digits without thousands separators.
        is_number: Whether it is a number.
        start, end: Its place.
    """

    text: str
    is_number: bool
    start: int
    end: int

    def is_same(self, other: _Token) -> bool:
        """Whether both are the same number, or the same word in two spellings."""
        if self.is_number or other.is_number:
            return self.text == other.text
        return _sound(self.text) == _sound(other.text)


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
    others = _sounds(_other_words(item))
    if any(not word.is_number and _sound(word.text) in others for word in words):
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
    sounds, other_sounds = _sounds(ours), _sounds(others)
    our_keys = {fold(word).key for word in ours}
    other_keys = {fold(word).key for word in others} - our_keys
    words = _tokens(mixed["answer"])
    for word, following in zip_longest(words, words[1:]):
        text, key = word.text, fold(word.text).key
        if word.is_number or len(key) < _SHORTEST or text.lower() in english_words():
            continue
        # An ending may be set off from its word: Hossain-ke.
        whole = text + following.text if following else text
        if sounds & {_sound(text), _sound(whole)}:
            continue
        if _sound(text) in other_sounds:
            return text
        if key in other_keys and fold(whole).key not in our_keys:
            return text
    return None


def _tokens(text: str) -> list[_Token]:
    return [
        _Token(
            _THOUSANDS.sub("", found[0].translate(TO_ASCII)), bool(found["number"]), *found.span()
        )
        for found in _TOKEN.finditer(text)
    ]


def _equal(one: _Token, other: _Token) -> bool:
    if one.is_number or other.is_number:
        return one.text == other.text
    return for_matching(one.text) == for_matching(other.text)


def _begins(whole: _Token, beginning: _Token) -> bool:
    if whole.is_number or beginning.is_number:
        return _equal(whole, beginning)
    return for_matching(whole.text).startswith(for_matching(beginning.text))


@lru_cache(maxsize=100_000)
def _sound(word: str) -> tuple[str, str]:
    """Make of a Latin word what its spellings share, letter for letter of its class.

    Keys drop a and o. With these written as one letter they tell Salma from Salam, and Rahima from
    Rahim.
    """
    opened = regex.sub("[ao]+", "0", word.lower().replace("oo", "u").replace("ee", "i"))
    return fold(word).key, fold(opened).key


def _words(text: str) -> list[str]:
    return [for_matching(token.text) for token in _tokens(plain(text)) if not token.is_number]


def _other_words(item: Mapping[str, str]) -> list[str]:
    """List the words of the Bangla context that are none of the Bangla answer's."""
    return sorted({*_words(item["context"])} - {*_words(item["answer"])})


def _sounds(words: list[str]) -> set[tuple[str, str]]:
    return {_sound(word_in_latin(word).replace("-", "")) for word in words}


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
    if word.is_number or spelled.is_number:
        return None
    for size in range(len(spelled.text) - 1, 1, -1):
        if _sound(word.text) == _sound(spelled.text[:size]):
            return spelled.start + size
    return None


def _gaps_agree(words: list[_Token], place: list[_Token], answer: str, context: str) -> bool:
    """Whether no sentence ends between the words of a place but where it does in the answer."""
    for i in range(len(words) - 1):
        there = context[place[i].end : place[i + 1].start]
        if _SENTENCE_END.search(there) and there != answer[words[i].end : words[i + 1].start]:
            return False
    return True
