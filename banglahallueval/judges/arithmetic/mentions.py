"""The numbers that a text mentions, in digits or in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from banglahallueval.judges.arithmetic.evaluation import Value
from banglahallueval.judges.arithmetic.number_names import BEGINNINGS, read_name
from banglahallueval.judges.arithmetic.tokens import Token, read_number, spellings
from banglahallueval.judges.arithmetic.units import Unit, read_unit

# What is added to the number word behind it: সাড়ে চার is 4.5.
_ADDS = {
    **dict.fromkeys(spellings("সাড়ে"), Fraction(1, 2)),
    **dict.fromkeys(spellings("সোয়া"), Fraction(1, 4)),
    **dict.fromkeys(spellings("পৌনে"), Fraction(-1, 4)),
}
_PARTS = {
    form: value
    for value, words in {
        2: "অর্ধেক আধা আধ দ্বিগুণ দ্বিগুন জোড়া half twice double",
        3: "তৃতীয়াংশ তিনগুণ তিনগুন",
        4: "চতুর্থাংশ চারগুণ হালি",
        5: "পঞ্চমাংশ পাঁচগুণ",
        6: "ষষ্ঠাংশ",
        7: "সপ্তমাংশ",
        8: "অষ্টমাংশ",
        9: "নবমাংশ",
        10: "দশমাংশ",
        12: "ডজন",
    }.items()
    for form in spellings(*words.split())
}
_NO_NUMBER = frozenset({"এক", "একটি", "একটা", "একজন", "এ", "বার"})
_ONE = frozenset({"এক"})  # a number before a scale word: `এক শ`
_BEGINNINGS = BEGINNINGS | {word[:2] for word in _PARTS}
_INFLECTION = re.compile("(?:ের|র|ে|তে|কে|য়|য়|টির|টিতে)$")
_ENDED = re.compile("(?:কে|তে|ে|ের|(?<!হাজা)র)$")
_LONGEST_WORD = 24


class Mention(NamedTuple):
    """One number of a text.

    Attributes:
        value: Its value, scale words included.
        start: Its first code point.
        end: The code point after its last one.
        unit: The unit of measure behind it.
    """

    value: Value
    start: int
    end: int
    unit: Unit | None


@lru_cache(maxsize=8192)
def word_number(word: str) -> Value | None:
    """Read a word that is a number or names one; None for any other word."""
    is_other = word[:2] not in _BEGINNINGS and not word.isascii()
    if is_other or len(word) > _LONGEST_WORD or word in _NO_NUMBER:
        return None
    if word in _PARTS:
        return _PARTS[word]
    for form in (word, _INFLECTION.sub("", word)):
        value = read_name(form)
        if value is not None:
            return value
        if form in _PARTS:
            return _PARTS[form]
    return None


def names_part(word: str) -> bool:
    """Whether a word names a number without being one, as অর্ধেক and জোড়া do."""
    return word in _PARTS or _INFLECTION.sub("", word) in _PARTS


def mentions(tokens: Sequence[Token]) -> Iterator[Mention]:
    """Find the numbers among tokens, in order."""
    i, count = 0, len(tokens)
    while i < count:
        token = tokens[i]
        i += 1
        if token.kind == "number":
            read = read_number(token.text)
            if token.scale != 1 and (whole := _goes_on(tokens, i - 1)) is not None:
                mention, i = whole
                yield mention
            elif read is not None:
                yield Mention(read[0] * token.scale, token.start, token.end, token.unit)
        elif token.kind == "word":
            if (
                word_number(token.text) is None
                and token.text not in _ADDS
                and "-" not in token.text
                and not (token.text in _ONE and i < count and _is_scale(tokens[i].text))
            ):
                continue
            found = _in_words(tokens, i - 1)
            if found is not None:
                mention, i = found
                yield mention
            elif "-" in token.text:
                for part in token.text.split("-"):
                    value = word_number(part)
                    if value is not None:
                        yield Mention(value, token.start, token.end, None)


def _in_words(tokens: Sequence[Token], at: int) -> tuple[Mention, int] | None:
    """Read the number in words that begins at a token, and the index after it."""
    first = tokens[at]
    added = _ADDS.get(first.text)
    i = at + 1 if added is not None else at
    if i >= len(tokens):
        return None
    total: Value = 0
    pending = _plain_number(tokens[i])  # of `এক` only before a scale
    if pending is None:
        return None
    end = tokens[i].end
    pending += added or 0
    i += 1
    while i < len(tokens) and tokens[i].kind in {"word", "number", "variable"}:
        scale = read_unit(tokens[i].text)
        if scale is not None and not scale.dimension and pending:
            total, pending = total + pending * scale.factor, 0
            if _ENDED.search(tokens[i].text):  # `আঠারো শ-কে তিন শ`
                end, i = tokens[i].end, i + 1
                break
        elif pending == 0 and (more := _plain_number(tokens[i])) is not None:
            pending = more
        else:
            break
        end = tokens[i].end
        i += 1
    unit = read_unit(tokens[i].text) if i < len(tokens) and tokens[i].kind == "word" else None
    return Mention(total + pending, first.start, end, unit), i


def _goes_on(tokens: Sequence[Token], at: int) -> tuple[Mention, int] | None:
    """Read a number in digits that goes on in words, as `১৪ হাজার ছয় শ বিশ`."""
    first, read = tokens[at], read_number(tokens[at].text)
    words = at + 2  # behind the scale
    if read is None or words >= len(tokens) or tokens[words].kind != "word":
        return None
    if not _is_scale(tokens[at + 1].text) or _ENDED.search(tokens[at + 1].text):
        return None
    rest = _in_words(tokens, words)
    if rest is None or rest[0].value >= first.scale:
        return None
    return rest[0]._replace(value=read[0] * first.scale + rest[0].value, start=first.start), rest[1]


def _is_scale(word: str) -> bool:
    scale = read_unit(word)
    return scale is not None and not scale.dimension


def _plain_number(token: Token) -> Value | None:
    if token.kind == "number":
        read = read_number(token.text)
        return read[0] * token.scale if read else None
    if token.kind != "word":
        return None
    return 1 if token.text in _ONE else word_number(token.text)
