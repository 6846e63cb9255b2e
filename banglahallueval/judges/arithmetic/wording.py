"""The words in which calculations are told, by what stands behind each of their numbers.

Bangla in either script, and English. A pattern has to match all that stands between two numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from banglahallueval.judges.arithmetic.tokens import LOOSE_EQUALS, MAYBE_EQUALS, spellings

_Y: Final = "(?:\u09df|\u09af\u09bc)"  # য় in both codings
_LETTER: Final = r"[A-Za-z\u0980-\u09e5\u200c\u200d]"
_WORD: Final = rf"{_LETTER}+"
_TIMES: Final = r"গু[ণন](?:ন|ে)?|gu[nv]e?"
_PLUS: Final = r"যোগে?|jo+ge?"
_MINUS: Final = rf"বি{_Y}োগে?|বাদে?|bi[yj]o+ge?|bad"
_DIVIDED: Final = r"ভাগে?|bh?age?"
_SAYS: Final = (
    rf"(?:(?:সমান|হ{_Y}|হবে|হলো?|হচ্ছে|পাই|পাব|পাও{_Y}া|যা{_Y}|যাবে|দাঁড়া{_Y}|পড়ে|থাকে|থাকল|থাকবে|রইল|আসে|মানে|অর্থাৎ|মোট"
    rf"|ঠিক|প্রা{_Y}|is|are|equals?|makes?|gives?|leaves?|about|hoy|hobe|holo|pai|pabo|thake|ase|so?maa?n|mot|mane)"
    rf"(?!{_LETTER})|[=≈])"
)
_SAID: Final = rf"\s*(?:(?:{_SAYS}|[:,])\s*)"
# `টাকা`, `টি`, `টাকা/ব্যাগ`: what a number counts; a single letter is an unknown.
_COUNTED: Final = rf"(?:-?{_LETTER}{{2,}}(?:\s*/\s*{_LETTER}{{2,}})?\s+)?"
_FINAL: Final = rf"(?:করলে|করা{_Y}|দিলে|নিলে|kor[lb]e|dile|nile)(?!{_LETTER})"
# What is followed by another operation as often as by a result.
_DOING: Final = rf"(?:করে|করি|দি{_Y}ে|kore|kori)(?!{_LETTER})"
_MAKES: Final = rf"(?:\s+(?:{_FINAL}|{_DOING}))?(?!{_LETTER})"
_BY: Final = rf"\s*(?:দি{_Y}ে|দ্বারা|di[yj]?e|dara|dwara)\s+"
_AND: Final = r"(?:ও|আর|এবং|ar|o|and|,)"
_WITH: Final = r"(?:সাথে|সঙ্গে|sathe|songe|with|to)"
_TO: Final = r"-?(?:কে|ke)"
_FROM: Final = r"(?:থেকে|হতে|theke|from)"


def _gap(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


INFIX: Final[Mapping[str, re.Pattern[str]]] = {
    sign: _gap(rf"\s*{_COUNTED}(?:{words})\s+")
    for sign, words in {
        "*": rf"{_TIMES}|times|multiplied\s+by",
        "+": rf"{_PLUS}|plus",
        "-": rf"{_MINUS}|minus",
        "/": r"divided\s+by",
    }.items()
}
RESULT: Final = _gap(rf"\s*{_COUNTED}[,:]?\s*(?:{_SAYS}\s*){{1,3}}[৳$]?")
SHARES: Final = _gap(rf"\s*{_COUNTED}(?:{_DIVIDED})\s+")  # also `৪ ভাগ`: four parts
SIGNED: Final = re.compile(r"\s*[-+*/×÷−–]\s*[৳$]?")  # a sign between two numbers, as it stands
# Between two operands they are signs; an expression does not begin behind them.
OPERATORS: Final = frozenset(
    spellings(
        "গুণ", "গুন", "যোগ", "বিয়োগ", "times", "plus", "minus", "gun", "jog", "biyog"
    )
)  # fmt: skip
LIST: Final = _gap(rf"\s*{_COUNTED}{_AND}\s*")


class Form(NamedTuple):
    """What stands behind the first and behind the second number of a calculation."""

    sign: str
    first: re.Pattern[str]
    second: re.Pattern[str]
    equals: str = LOOSE_EQUALS


_REST: Final = (
    rf"(?:(?<=ে)(?!{_LETTER})|\s+{_FINAL}|(?:\s+{_DOING})?\s*(?:[,:]\s*)?{_SAYS})"
    rf"(?!{_LETTER}){_SAID}{{0,3}}(?:\s*{_LETTER}{{2,}}\s+)?\s*[৳$]?"
)
OF: Final = _gap(
    rf"(?:\s*{_WORD})?(?:-?(?:র|এর|ের)|\s*{_LETTER}*র)?\s+"
)  # the number itself may be in the genitive
PARTS: Final = _gap(r"\s*ভাগের\s+")
OF_PARTS: Final = _gap(rf"\s*ভাগ,?\s+(?:{_SAYS}\s*){{0,2}}")
FORMS: Final = (
    Form("*", _gap(rf"\s*{_COUNTED}(?:{_TO}|{_AND})\s*"), _gap(rf"{_BY}(?:{_TIMES}){_REST}")),
    Form("/", _gap(rf"\s*{_COUNTED}{_TO}\s+"), _gap(rf"\s*{_COUNTED}{_BY}(?:{_DIVIDED}){_REST}")),
    Form(
        "+",
        _gap(rf"\s*{_COUNTED}(?:-?(?:এর|er)\s+)?(?:{_WITH}|{_AND})\s*"),
        _gap(rf"\s*{_COUNTED}(?:{_PLUS}){_REST}"),
    ),
    Form("-", _gap(rf"\s*{_COUNTED}{_FROM}\s+"), _gap(rf"\s*{_COUNTED}(?:{_MINUS}){_REST}")),
    Form("/", OF, _gap(rf"\s*ভাগের\s+এক\s+ভাগ,?\s+(?:{_SAYS}\s*){{0,2}}"), MAYBE_EQUALS),
    Form(
        "-",
        _gap(rf"\s*{_COUNTED}{_FROM}\s+"),
        _gap(rf"\s*{_COUNTED}(?:গেলে|কমলে|gele)\s*(?:{_SAYS}\s*){{1,2}}"),
        MAYBE_EQUALS,
    ),
    Form(
        "+",
        LIST,
        _gap(rf"\s*{_COUNTED}(?:(?:মিলে|মিলি{_Y}ে)(?:\s+মোট)?|মোট)(?:\s+হ{_Y})?\s+"),
        MAYBE_EQUALS,
    ),
    Form(
        "-",
        _gap(r".*\s(?:গেল|খরচ|বাদ|gelo|khoroch)\s+"),
        _gap(rf"\s*{_COUNTED}[,;]?\s*(?:বাকি\s+)?(?:রইল|থাকল|থাকে|roilo|thaklo|thake)\s+"),
        MAYBE_EQUALS,
    ),
)  # fmt: skip
# `multiplying 5 by 3 gives 15`
VERBS: Final[Mapping[str, re.Pattern[str]]] = {
    "*": _gap(r"multipl(?:y|ying)\s+"),
    "/": _gap(r"divid(?:e|ing)\s+"),
    "+": _gap(r"add(?:ing)?\s+"),
}
BETWEEN: Final = _gap(rf"\s*{_COUNTED}(?:by|and|to|with)\s+")
# `টেরিয়ার প্রতি ১৫ মিনিট হারে, ৮টি টেরিয়ার ১২০ মিনিট`, of the same things in the same unit
RATE: Final = _gap(rf"\s*{_COUNTED}(?:হারে|hare),?\s+")
AT_RATE: Final = _gap(rf"(?:টি|টা|জন|খানা|ti|ta|jon)?\s*(?P<things>{_WORD})\s+[৳$]?")
PER: Final = _gap(
    rf"(?:(?P<of>{_WORD})\s+(?:প্রতি|proti)|(?:প্রতি|proti)\s+(?P<each>{_WORD}))\s+[৳$]?$"
)
# `দেড় মিটার মানে ১৫০ সেন্টিমিটার`, `আড়াই ঘণ্টা, মিনিটে দেড় শ`
CONVERTS: Final = _gap(rf"\s*{_WORD}\s*(?:মানে|অর্থাৎ|বা|mane)\s+")
# The words of an operation that belong to the calculation, not to its result.
OPERATES: Final = _gap(
    rf"[^\d\n]*?(?:{_TIMES}|{_PLUS}|{_MINUS}|{_DIVIDED}|গেলে|মিলে|মিলি{_Y}ে|ভাগের\s+এক\s+ভাগ|ভাগ){_MAKES}"
)
# Words that may calculate; only what is near one is read, as most texts have none.
CUES: Final = frozenset(
    spellings(
        "গুণ", "গুন", "গুণন", "গুণে", "গুনে", "যোগ", "যোগে", "বিয়োগ",
        "বিয়োগে", "বাদ", "ভাগ", "ভাগে", "ভাগের", "মিলে", "মিলিয়ে", "মোট", "mot",
        "গেলে", "রইল", "থাকল", "হারে", "মানে", "times", "plus", "minus",
        "divided", "multiplied", "multiplying", "dividing", "adding",
        "multiply", "divide", "add", "gun", "gune", "gunon", "jog", "joge",
        "jogge", "biyog", "biyoge", "biyogge", "bad", "bhag", "bhage", "bag",
        "mile", "gele", "roilo", "thaklo", "hare", "mane",
    )
)  # fmt: skip
BEFORE_TOTAL: Final = 4  # tokens
TOTALS: Final = frozenset({"মোট", "mot"})
ANDS: Final = frozenset({"ও", "আর", "এবং", "and", "ar", "o"})
NO_CUE: Final = re.compile("কর(?:তে|ুন|া|ি|ব)|বেশি|বড়|দাম")  # what may follow `গুণ` otherwise
