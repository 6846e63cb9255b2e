"""Split a text into words and numbers with their offsets."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from banglahallueval.judges.evidence.number_run import NumberRun
from banglahallueval.judges.evidence.token_types import Token
from banglahallueval.judges.evidence.word_analysis import (
    CLOCK,
    MONTH_WORDS,
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
_new = tuple.__new__  # what a named tuple's constructor calls, at half the cost
_MONTHS = 12  # in digits; Bangla months are written in words


def tokenise(text: str) -> tuple[Token, ...]:
    """Split a raw text into words and numbers, skipping marks such as [7], links and HTML tags.

    A number in several words is one token (সাড়ে তিন হাজার, 1 koti 50 lokkho, তিন শ চার, 10টা 15
    মিনিট); a date in digits is three, as one in words is: day, month and year.
    """
    if _MAY_HAVE_NO_TEXT.search(text):
        text = _NO_TEXT.sub(_blank, text)
    tokens: list[Token] = []
    run = NumberRun(text, tokens)
    may_go_on = False  # whether the last number may
    sentence = 0
    for found in _TOKEN.finditer(text):
        group = found.lastgroup
        if group == "word":
            word = analyse_word(found[0])
            if word.is_plain:
                tokens.append(_new(Token, (*found.span(), word, None, sentence)))
                if may_go_on:
                    run.close()
                    may_go_on = False
            else:
                run.add_word(*found.span(), word, sentence)
                may_go_on = True
        elif group is None:
            sentence += 1
        elif group == "number":
            word = analyse_number(found[0])
            run.add_number(Token(*found.span(), word, word.value, sentence))
            may_go_on = True
        elif group == "month":
            tokens.append(Token(*found.span(), _SHORT_MONTHS[found[0]], None, sentence))
            run.close()
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
