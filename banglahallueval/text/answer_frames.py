"""An answer without what models set around it: markup, quotes, labels, closing marks."""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

from banglahallueval.text.lazy_regex import lazy_regex

_UNREADABLE = lazy_regex(r"(?!\s)[\p{Cc}\p{Cs}]")
_INVISIBLE = lazy_regex(r"[\p{Cf}\ufe00-\ufe0f]+")
_FENCE = lazy_regex(r"^\s*```\w*\s*\n(.*?)\n?\s*```\s*$", regex.DOTALL)
_STRONG = lazy_regex(r"\*\*(\S(?:[^*]*\S)?)\*\*|`([^`]+)`")
# A dash before a number is its sign.
_AT_LINE_START = lazy_regex(r"^(?:(?:#{1,6}|>|[*•])\s+|[–-]\s+(?![\d.]))")
_WRAPPED = (
    lazy_regex(r"\\boxed\s*\{(.+)\}", regex.DOTALL),
    lazy_regex(r"\\(?:text|mathrm|mathbf|textbf)\s*\{([^{}]*)\}"),
    lazy_regex(r"<(?P<tag>answer|final_answer|b|i|strong|em)>(.+)</(?P=tag)>", regex.DOTALL),
    lazy_regex(r"\\\((.*)\\\)|\\\[(.*)\\\]", regex.DOTALL),
    lazy_regex(r"\$\$([^$]+)\$\$|\$([^$]+)\$"),
    lazy_regex(r"\*\*([^*]+)\*\*|\*([^*]+)\*|_([^_]+)_|__([^_]+)__"),
    lazy_regex(r"\"([^\"]+)\"|'([^']+)'|“([^”]+)”|‘([^’]+)’|«([^»]+)»|‹([^›]+)›"),
    lazy_regex(r"\(([^()]+)\)|\[([^\[\]]+)\]|\{([^{}]+)\}"),
)
_WHOSE = r"(?:(?:so|therefore|thus|hence|the|my|final|correct|right|best|short|exact)[\s_]+)*+"
_LABEL = lazy_regex(
    rf"{_WHOSE}(?:answer|ans|response|result|output)(?:\s+(?:is|would be|should be)(?=\W)\s*[:：]?"
    r"|\s*(?:[:：=\n]|[–—-](?=\s)))\s*"
    r"|(?:(?:আমার|চূড়ান্ত|সঠিক|প্রশ্নটির|প্রশ্নের|সংক্ষিপ্ত|অতএব|সুতরাং)[\s,]+)*+(?:উত্তর|উত্তরটি|উত্তরটা|উঃ|জবাব)"
    r"(?:\s*(?:হলো|হল|হচ্ছে|হবে|হ'ল)(?=\W)\s*[:ঃ]?|\s*(?:[:ঃ=\n]|[–—-](?=\s))|ঃ)\s*",
    regex.IGNORECASE,
)
# `It Is Finished` may be a name.
_IT_IS = lazy_regex(
    r"(?:[Ii]t is|[Ii]t was|[Ii]t['’]s)\s+(?=\S)|(?:এটি|এটা|ইহা)\s+(?:(?:হলো|হল|হচ্ছে|ছিল)\s+)?"
    r"(?!(?:না|নয়|নেই|নহে)(?![\p{L}\p{M}]))(?=\S)"
)
# The ending of a day's number: ১৬ই ডিসেম্বর, 16th December, December 16th.
_MONTH: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DAY_ENDING = lazy_regex(
    r"(?<=\d)(?:ই|লা|রা|ঠা|শে)(?=\s+\p{L})"
    rf"|(?<=\d)(?:st|nd|rd|th)(?=,?\s+(?:of\s+)?(?:{_MONTH})(?!\p{{L}}))(?:,?\s+of(?=\s))?"
    rf"|(?<=(?<!\p{{L}})(?:{_MONTH})\s+\d{{1,2}})(?:st|nd|rd|th)(?!\p{{L}})",
    regex.IGNORECASE,
)
_SPACES = lazy_regex(r"[^\S\n]++")
_LINES = lazy_regex(r" ?\n[ \n]*+")
# A hyphen is none: `5-`. Neither is the mark of a factorial.
_CLOSING: Final = " \n.।৷॥,;:…|?"
_MOST_LAYERS: Final = 8


def readable(text: str) -> str:
    """Drop control characters and lone surrogates, which no one means; spaces and breaks stay."""
    return _UNREADABLE.sub("", text)


def without_frame(text: str) -> str:
    """Strip an answer of emphasis, quotes, brackets, labels (`The answer is`) and closing marks.

    What is left keeps its words, case, digits and signs; it is in NFC, without invisible marks. The
    ending of a day's number goes, too: ১৬ই ডিসেম্বর is ১৬ ডিসেম্বর.
    """
    text = unicodedata.normalize("NFC", _INVISIBLE.sub("", readable(text)))
    text = _LINES.sub("\n", _SPACES.sub(" ", text))
    for _ in range(_MOST_LAYERS):
        before = text
        text = _unwrapped(_unclosed(text.strip()))
        text = _STRONG.sub(_inside, _AT_LINE_START.sub("", text))
        for lead_in in (_LABEL, _IT_IS):
            found = lead_in.match(text)
            text = text[found.end() :] if found else text
        if text == before:
            break
    return _DAY_ENDING.sub("", text)


def _unclosed(text: str) -> str:
    """Strip the marks that close an answer."""
    text = text.rstrip(_CLOSING)
    bare = text.rstrip(_CLOSING + "!")
    return text if bare[-1:].isdecimal() and text.endswith("!") else bare


def _unwrapped(text: str) -> str:
    """Take one layer off that lies around all of a text."""
    fenced = _FENCE.fullmatch(text)
    if fenced:
        return fenced[1]
    for pattern in _WRAPPED:
        found = pattern.fullmatch(text)
        if found:
            return _inside(found)
    return text


def _inside(found: regex.Match[str]) -> str:
    """Return what the last group holds that took part."""
    return next((each for each in reversed(found.groups()) if each), "")
