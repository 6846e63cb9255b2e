"""Split a text into words and numbers with their offsets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import regex

from banglahallueval.judges.evidence.word_analysis import (
    CLOCK,
    MONTH_WORDS,
    NUMBER,
    UNCLEAR_NUMBERS,
    Word,
    analyse_number,
    analyse_word,
)
from banglahallueval.text.numbers import digits_value

_TOKEN = regex.compile(
    # what counts the entries of a list: **1.**, (২), ৩।, | 4 |, ক)
    r"(?P<mark>(?=[\p{Nd}\p{L}])(?<=^(?:[^\S\n]|[>*_#(|])*)"
    r"(?:\p{Nd}{1,2}(?:[.)।:]|-|\s*\|)|(?:\p{L}|[ivx]{2,4})[.)])(?=[\s*_]))"
    r"|(?P<mark>\p{Nd}\ufe0f?\u20e3)"
    # words of romanised Bangla, unless beside a number
    r"|(?P<month>(?:Jan|Mar)\b(?=\.? \p{Nd}|(?<=\p{Nd}(?:st|nd|rd|th)? (?:Jan|Mar))))"
    r"|(?P<word>\p{L}[\p{L}\p{M}\u200c\u200d]*)|(?=\p{Nd})(?:"
    r"(?<![\p{Nd}/.-])(?P<date>"
    r"(?:(?P<d>\p{Nd}{1,2})(?P<sep>[/.-])(?P<m>\p{Nd}{1,2})(?P=sep)(?P<y>\p{Nd}{4})"
    r"|(?P<y>\p{Nd}{4})(?P<sep>[/-])(?P<m>\p{Nd}{1,2})(?P=sep)(?P<d>\p{Nd}{1,2}))(?![\p{Nd}/-])"
    # ০৭/০৩, or 7/3 where it says that it is a date
    r"|(?P<d>\p{Nd}{1,2})/(?P<m>\p{Nd}{1,2})"
    r"(?=-(?:এ|e)\b|\s+(?:তারিখ|tarikh)|(?<=[0০]\p{Nd}/\p{Nd}+|/[0০]\p{Nd})(?![\p{Nd}/])))"
    # 10:30, with a visarga for the colon too; 10.30 only where it says that it is a time
    r"|(?P<time>\p{Nd}{1,2}[:ঃ][0-5০-৫]\p{Nd}(?::[0-5০-৫]\p{Nd})?(?!\p{Nd})"
    r"|(?<![\p{Nd}.,])\p{Nd}{1,2}\.[0-5০-৫]\p{Nd}"
    r"(?=\s?(?:টা(?:য\u09bc|\u09df)?|মিনিটে|tay?|[AaPp]\.?[Mm])(?![\p{L}\p{M}])))"
    r"|(?P<mark>(?<=[A-Za-z])\p{Nd}+)"  # CO2
    r"|(?P<number>\p{Nd}+(?:[.,]\p{Nd}+)*))"
    r"|[।॥৷?!\n]|\.(?=\s+[^\s\p{Ll}])",  # the end of a sentence
    regex.MULTILINE,
)
_NO_TEXT = regex.compile(
    r"\[\p{Nd}+\](?::[\p{Nd}, –-]+)?|</?(?P<block>li|p|br|div|t[drh]|h[1-6]|ul|ol)\b[^<>\n]{0,99}>"
    r"|</?[A-Za-z!][^<>\n]{0,99}>|&(?:[a-z]+|#\d+);|https?://[^\s<>()\]]+"
)
_MAY_HAVE_NO_TEXT = regex.compile(r"[\[<&]|://")
_SHORT_MONTHS = {"Jan": MONTH_WORDS[1], "Mar": MONTH_WORDS[3]}
_IN_TIME = regex.compile(r"[:ঃ.]")
_HYPHENS = ("-", "'", "’", "–")
_NEXT_TO = (" ", "")
_HUNDREDS = range(100, 2000, 100)
_SCALES = (10_000_000.0, 100_000.0, 1_000.0, 100.0)
_MOST_EXACT = 1e15  # a whole number to which decimals can be added
_MONTHS = 12  # in digits; Bangla months are written in words


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
    """Split a raw text into words and numbers, skipping marks such as [7], links and HTML tags.

    A number in several words is one token (সাড়ে তিন হাজার, 1 koti 50 lokkho, তিন শ চার, 10টা 15
    মিনিট); a date in digits is three, as one in words is: day, month and year.
    """
    if _MAY_HAVE_NO_TEXT.search(text):
        text = _NO_TEXT.sub(_blank, text)
    tokens: list[Token] = []
    run = _NumberRun(text, tokens)
    sentence = 0
    for found in _TOKEN.finditer(text):
        group = found.lastgroup
        if group is None:
            sentence += 1
        elif group == "month":
            tokens.append(Token(*found.span(), _SHORT_MONTHS[found[0]], None, sentence))
            run.close()
        elif group == "word":
            word = analyse_word(found[0])
            if word.is_plain:
                tokens.append(Token(*found.span(), word, None, sentence))
                run.close()
            else:
                run.add_word(*found.span(), word, sentence)
        elif group == "number":
            word = analyse_number(found[0])
            run.add_number(Token(*found.span(), word, word.value, sentence))
        elif group != "mark":
            tokens.extend((_time if group == "time" else _date)(found, sentence))
            run.close()
    return tuple(tokens)


def _time(found: regex.Match[str], sentence: int) -> Iterator[Token]:
    hours, minutes = map(digits_value, _IN_TIME.split(found[0])[:2])
    yield Token(*found.span(), CLOCK, hours + minutes / 60, sentence)


def _date(found: regex.Match[str], sentence: int) -> Iterator[Token]:
    """Read day, month and perhaps year, in the order written; what is no date is numbers."""
    parts = sorted((part for part in "dmy" if found[part]), key=found.start)
    month = "d" if digits_value(found["m"]) > _MONTHS else "m"  # 02/21/2005
    for part in parts:
        word = analyse_number(found[part])
        value = word.value or 0.0
        if part == month and 1 <= value <= _MONTHS:
            yield Token(*found.span(part), MONTH_WORDS[int(value)], None, sentence)
        else:
            yield Token(*found.span(part), word, value, sentence)


def _blank(found: regex.Match[str]) -> str:
    """Return blanks of the same length; what parts blocks of HTML ends a line."""
    return ("\n" if found["block"] else " ").ljust(len(found[0]))


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
        self._decimals = ""  # in words, after the word "point"
        self._is_tens = False  # "twenty", before a digit in words

    def add_word(self, start: int, end: int, word: Word, sentence: int) -> None:
        tokens = self._tokens
        if tokens and self._ends_number(start, end, word):
            return
        token = Token(start, end, word, word.value, sentence)
        if word.value is not None:
            self.add_number(token)
            return
        if word.text != "and":  # two hundred and three
            self.close()
        if word.part:
            self._part = token
        tokens.append(token)

    def _ends_number(self, start: int, end: int, word: Word) -> bool:
        """Add a suffix, scale word or unit to the number before it; return whether it is part."""
        tokens, before = self._tokens, self._tokens[-1]
        gap = self._text[before.end : start]
        if word.is_suffix and (gap in _HYPHENS or (gap == "" and before.word.is_digits)):
            tokens[-1] = before._replace(end=end)
            return True
        if (word.is_unit or word.scale) and gap == " " and before.word.text in UNCLEAR_NUMBERS:
            self._read_unclear()
            before = tokens[-1]
        scale = 1000.0 if word.text == "k" and gap == "" else word.scale
        if scale and gap in (*_NEXT_TO, "'", "’"):
            if before.value is not None:
                self._multiply(scale, end)
                return True
            if before is self._part and before.word.part != 0.5:  # সোয়া লাখ
                value = (1 + before.word.part) * scale
                tokens[-1] = Token(before.start, end, NUMBER, value, before.sentence)
                self.close()
                return True
        if word.is_minute:
            self._join_minutes(gap)
        return False

    def _read_unclear(self) -> None:
        """Read the last word as a number, as it stands before what it counts."""
        token = self._tokens.pop()
        if self._tokens and not self._text[self._tokens[-1].end - 1].isdecimal():
            self._scale = _scale_of(self._tokens[-1].value or 0.0)
        self.add_number(token._replace(word=NUMBER, value=UNCLEAR_NUMBERS[token.word.text]))

    def add_number(self, token: Token) -> None:
        tokens, value = self._tokens, token.value or 0.0
        before = tokens[-1] if tokens else None
        if before and before.word.is_point and not value % 1 and self._join_decimals(token):
            return
        gap = self._text[before.end : token.start] if before else ""
        if before and before.word.text == "and" and self._joins_after_and(token):
            tokens.pop()
            before = tokens[-1]
        if before and self._is_tens and gap in (" ", "-") and 0 < value < 10:
            self._is_tens = False
            tokens[-1] = before._replace(
                end=token.end, word=NUMBER, value=(before.value or 0.0) + value
            )
            return
        if before is None or gap not in _NEXT_TO:
            self.close()
        elif before is self._part and value >= 1:
            is_hundred = value in _HUNDREDS and not token.word.is_digits
            value += before.word.part * (100 if is_hundred else 1)  # সাড়ে তিনশ
            tokens[-1] = Token(before.start, token.end, NUMBER, value, token.sentence)
            self.close()
            return
        elif self._decimals and not token.word.is_digits and value in range(10):
            self._decimals += f"{value:.0f}"
            tokens[-1] = before._replace(end=token.end, value=float(self._decimals))
            return
        elif self._scale > value > 0 and not self._after_scale:
            tokens[-1] = before._replace(
                end=token.end, word=NUMBER, value=(before.value or 0.0) + value
            )
            if value in _HUNDREDS and self._scale > 100:  # এক হাজার আটশ পঞ্চাশ
                self._scale, self._after_scale = 100.0, 0.0
            else:
                self._after_scale = value
            self._is_tens = token.word.is_tens
            return
        else:
            self.close()
        tokens.append(token)
        self._is_tens = token.word.is_tens
        if not token.word.is_digits:  # দুইশ, পাঁচহাজার, after which a number may follow
            self._scale = _scale_of(value)

    def _joins_after_and(self, token: Token) -> bool:
        """Return whether a number in words goes on after the word "and"."""
        number, joint = self._tokens[-2:] if len(self._tokens) > 1 else (token, token)
        gaps = (self._text[number.end : joint.start], self._text[joint.end : token.start])
        is_less = self._scale > (token.value or 0.0) > 0 and not self._after_scale
        return is_less and gaps == (" ", " ") and not token.word.is_digits

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
        if whole is None or not (whole.value is not None or whole.word.text in UNCLEAR_NUMBERS):
            return False
        width = sum(map(str.isdecimal, decimals.word.text))  # the 0 of ০৫ counts
        digits = f"{decimals.value:.0f}".zfill(width)
        first = UNCLEAR_NUMBERS[whole.word.text] if whole.value is None else whole.value
        if first > _MOST_EXACT:
            return False
        text = f"{first:.0f}.{digits}"
        self._tokens[-2:] = [Token(whole.start, decimals.end, NUMBER, float(text), whole.sentence)]
        self.close()
        if not width:
            self._decimals = text
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
            Token(hour.start, minutes.end, CLOCK, hour.value + minutes.value / 60, hour.sentence)
        ]
        return True


def _scale_of(value: float) -> float:
    """Return the greatest scale that a round number is a multiple of; 0 for none."""
    return next((scale for scale in _SCALES if value and not value % scale), 0.0)


def is_number(token: Token) -> bool:
    """Return whether the token denotes a number and is not an article."""
    return token.value is not None and not token.word.is_article


def is_year(token: Token) -> bool:
    """Return whether the token's number can be a year."""
    return token.value is not None and 1000 <= token.value < 2100
