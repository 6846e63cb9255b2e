"""Split a text into words and numbers with their offsets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import regex

from banglahallueval.judges.evidence.word_analysis import (
    CLOCK,
    MONTH_WORDS,
    NINE,
    NUMBER,
    Word,
    analyse_number,
    analyse_word,
)
from banglahallueval.text.numbers import digits_value

_TOKEN = regex.compile(
    r"(?P<word>[\p{L}\p{M}\u200c\u200d]+)|(?=\p{Nd})(?:"
    r"(?<![\p{Nd}/.-])(?P<date>(\p{Nd}{1,2})([/.-])(\p{Nd}{1,2})\4(\p{Nd}{4})(?![\p{Nd}/-]))"
    # ০৭/০৩, or 7/3 where it says that it is a date
    r"|(?<![\p{Nd}/.-])(?P<day>(\p{Nd}{1,2})/(\p{Nd}{1,2})"
    r"(?=-(?:এ|e)\b|\s+(?:তারিখ|tarikh)|(?<=[0০]\p{Nd}/\p{Nd}+|/[0০]\p{Nd})(?![\p{Nd}/])))"
    r"|(?P<time>\p{Nd}{1,2}:[0-5০-৫]\p{Nd}(?!\p{Nd}))"
    # CO2, and what counts the entries of a list
    r"|(?P<mark>(?<=[A-Za-z])\p{Nd}+|(?<=^[^\S\n]*)\p{Nd}{1,2}[.)](?=[^\S\n]))"
    r"|(?P<number>\p{Nd}+(?:[.,]\p{Nd}+)*))"
    r"|[।॥?!\n]|\.(?=\s+[^\s\p{Ll}])",  # the end of a sentence
    regex.MULTILINE,
)
_NO_TEXT = regex.compile(r"\[\p{Nd}+\](?::[\p{Nd}, –-]+)?|</?[A-Za-z][^<>\n]{0,99}>")
_HYPHENS = ("-", "'", "’", "–")
_NEXT_TO = (" ", "")
_HUNDREDS = range(100, 2000, 100)


class Token(NamedTuple):
    """A word or a number of a text.

    Attributes:
        start, end: Code points in the raw text, including suffixes after a hyphen or digits.
        word: The analysed word.
        value: The number it denotes, scale words included; None for other words. A time of day is
            in hours: 11.5 for 11:30.
        sentence: 0-based number of its sentence in the text.
    """

    start: int
    end: int
    word: Word
    value: float | None
    sentence: int


def tokenise(text: str) -> tuple[Token, ...]:
    """Split a raw text into words and numbers, skipping citation marks such as [7] and HTML tags.

    A number in several words is one token (সাড়ে তিন হাজার, 1 koti 50 lokkho, তিন শ চার, 10টা 15
    মিনিট); a date in digits is three, as one in words is: day, month and year.
    """
    if "[" in text or "<" in text:
        text = _NO_TEXT.sub(lambda found: " " * len(found[0]), text)
    tokens: list[Token] = []
    run = _NumberRun(text, tokens)
    sentence = 0
    for found in _TOKEN.finditer(text):
        group = found.lastgroup
        if group is None:
            sentence += 1
        elif group == "word":
            run.add_word(*found.span(), analyse_word(found[0]), sentence)
        elif group == "number":
            word = analyse_number(found[0])
            run.add_number(Token(*found.span(), word, word.value, sentence))
        elif group != "mark":
            read = {"time": _time, "date": _date, "day": _day}[group]
            tokens.extend(read(found, sentence))
            run.close()
    return tuple(tokens)


def _time(found: regex.Match[str], sentence: int) -> Iterator[Token]:
    hours, minutes = map(digits_value, found[0].split(":"))
    yield Token(*found.span(), CLOCK, hours + minutes / 60, sentence)


def _day(found: regex.Match[str], sentence: int) -> Iterator[Token]:
    return _parts_of_date(found, sentence, 8, 9)


def _date(found: regex.Match[str], sentence: int) -> Iterator[Token]:
    return _parts_of_date(found, sentence, 3, 5, 6)


def _parts_of_date(found: regex.Match[str], sentence: int, *groups: int) -> Iterator[Token]:
    """Read day, month and perhaps year; what is no date is numbers."""
    for group in groups:
        word = analyse_number(found[group])
        value = word.value or 0.0
        if group == groups[1] and value in MONTH_WORDS:
            yield Token(*found.span(group), MONTH_WORDS[int(value)], None, sentence)
        else:
            yield Token(*found.span(group), word, value, sentence)


class _NumberRun:
    """Adds tokens, and joins those that are one number."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self._text = text
        self._tokens = tokens
        self.close()

    def close(self) -> None:
        """End the number: what comes next begins another one."""
        self._scale = 0.0  # the last scale word's
        self._after_scale = 0.0  # what was added since
        self._part: Token | None = None  # সাড়ে, before a number

    def add_word(self, start: int, end: int, word: Word, sentence: int) -> None:
        tokens = self._tokens
        if tokens and (word.is_suffix or word.scale or word.is_unit):
            before = tokens[-1]
            gap = self._text[before.end : start]
            if word.is_suffix and (gap in _HYPHENS or (gap == "" and before.word.is_digits)):
                tokens[-1] = before._replace(end=end)
                return
            if word.scale and before.value is not None and gap in _NEXT_TO:
                self._multiply(word.scale, end)
                return
            if word.is_unit and before.word.text in NINE and gap == " ":
                tokens[-1] = before._replace(value=9.0)
            if word.is_minute:
                self._join_minutes(gap)
        token = Token(start, end, word, word.value, sentence)
        if word.value is not None:
            self.add_number(token)
            return
        self.close()
        if word.part:
            self._part = token
        tokens.append(token)

    def add_number(self, token: Token) -> None:
        tokens, value = self._tokens, token.value or 0.0
        before = tokens[-1] if tokens else None
        if before and before.word.is_point and not value % 1 and self._join_decimals(token):
            return
        if before is None or self._text[before.end : token.start] not in _NEXT_TO:
            self.close()
        elif before is self._part and value >= 1:
            tokens[-1] = Token(
                before.start, token.end, NUMBER, value + before.word.part, token.sentence
            )
            self.close()
            return
        elif self._scale > value > 0 and not self._after_scale:
            tokens[-1] = before._replace(end=token.end, value=(before.value or 0.0) + value)
            if value in _HUNDREDS and self._scale > 100:  # এক হাজার আটশ পঞ্চাশ
                self._scale, self._after_scale = 100.0, 0.0
            else:
                self._after_scale = value
            return
        elif before.word.is_tens and before.end < token.start and 0 < value < 10:
            tokens[-1] = Token(
                before.start, token.end, NUMBER, (before.value or 0) + value, token.sentence
            )
            return
        else:
            self.close()
        tokens.append(token)
        if value in _HUNDREDS and not token.word.is_digits:  # দুইশ, after which a number may follow
            self._scale = 100.0

    def _multiply(self, scale: float, end: int) -> None:
        """Multiply the last number by a scale word: only its last part, if it had one before."""
        last = self._tokens[-1]
        value = last.value or 0.0
        if self._after_scale and scale < self._scale:
            value += self._after_scale * (scale - 1)
        else:
            value *= scale
        self._tokens[-1] = Token(last.start, end, NUMBER, value, last.sentence)
        self._scale, self._after_scale, self._part = scale, 0.0, None

    def _join_decimals(self, decimals: Token) -> bool:
        """Add decimals to the number before the word "point": `নয় দশমিক দুই` is 9.2."""
        whole = self._tokens[-2] if len(self._tokens) > 1 else None
        if whole is None or not (whole.value is not None or whole.word.text in NINE):
            return False
        digits = f"{decimals.value:.0f}"
        value = (9.0 if whole.value is None else whole.value) + float(f"0.{digits}")
        self._tokens[-2:] = [Token(whole.start, decimals.end, NUMBER, value, whole.sentence)]
        self.close()
        return True

    def _join_minutes(self, gap: str) -> bool:
        """Add minutes to the hour before them: `১০টা ১৫ মিনিট` is 10:15."""
        tokens = self._tokens
        if len(tokens) < 2 or gap not in _NEXT_TO:
            return False
        hour, minutes = tokens[-2:]
        if hour.value is None or minutes.value is None or not 0 < minutes.value < 60:
            return False
        if not (1 <= hour.value <= 24 and self._text[hour.start : hour.end].endswith(("টা", "ta"))):
            return False
        tokens[-2:] = [
            Token(hour.start, minutes.end, NUMBER, hour.value + minutes.value / 60, hour.sentence)
        ]
        return True


def is_number(token: Token) -> bool:
    """Return whether the token denotes a number and is not an article."""
    return token.value is not None and not token.word.is_article


def is_year(token: Token) -> bool:
    """Return whether the token's number can be a year."""
    return token.value is not None and 1000 <= token.value < 2100
