"""An answer without what models set around it: markup, quotes, labels, closing marks."""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

_INVISIBLE = regex.compile(r"[\p{Cf}\ufe00-\ufe0f]+")
_FENCE = regex.compile(r"^\s*```\w*\s*\n(.*?)\n?\s*```\s*$", regex.DOTALL)
_STRONG = regex.compile(r"\*\*(\S(?:[^*]*\S)?)\*\*|`([^`]+)`")
# A dash before a number is its sign.
_AT_LINE_START = regex.compile(r"^(?:(?:#{1,6}|>|[*•])\s+|[–-]\s+(?![\d.]))")
_WRAPPED = (
    regex.compile(r"\\boxed\s*\{(.+)\}", regex.DOTALL),
    regex.compile(r"\\(?:text|mathrm|mathbf|textbf)\s*\{([^{}]*)\}"),
    regex.compile(r"<(?P<tag>answer|final_answer|b|i|strong|em)>(.+)</(?P=tag)>", regex.DOTALL),
    regex.compile(r"\\\((.*)\\\)|\\\[(.*)\\\]", regex.DOTALL),
    regex.compile(r"\$\$([^$]+)\$\$|\$([^$]+)\$"),
    regex.compile(r"\*\*([^*]+)\*\*|\*([^*]+)\*|_([^_]+)_|__([^_]+)__"),
    regex.compile(r"\"([^\"]+)\"|'([^']+)'|“([^”]+)”|‘([^’]+)’|«([^»]+)»|‹([^›]+)›"),
    regex.compile(r"\(([^()]+)\)|\[([^\[\]]+)\]|\{([^{}]+)\}"),
)
_WHOSE = r"(?:(?:so|therefore|thus|hence|the|my|final|correct|right|best|short|exact)[\s_]+)*+"
_LABEL = regex.compile(
    rf"{_WHOSE}(?:answer|ans|response|result|output)(?:\s+(?:is|would be|should be)(?=\W)\s*[:：]?"
    r"|\s*(?:[:：=\n]|[–—-](?=\s)))\s*"
    r"|(?:(?:আমার|চূড়ান্ত|সঠিক|প্রশ্নটির|প্রশ্নের|সংক্ষিপ্ত|অতএব|সুতরাং)[\s,]+)*+(?:উত্তর|উত্তরটি|উত্তরটা|উঃ|জবাব)"
    r"(?:\s*(?:হলো|হল|হচ্ছে|হবে|হ'ল)(?=\W)\s*[:ঃ]?|\s*(?:[:ঃ=\n]|[–—-](?=\s))|ঃ)\s*",
    regex.IGNORECASE,
)
_SPACES = regex.compile(r"[^\S\n]++")
_LINES = regex.compile(r" ?\n[ \n]*+")
# A hyphen is none: `5-`. Neither is the mark of a factorial.
_CLOSING: Final = " \n.।৷॥,;:…|?"
_MOST_LAYERS: Final = 8


def without_frame(text: str) -> str:
    """Strip an answer of emphasis, quotes, brackets, labels (`The answer is`) and closing marks.

    What is left keeps its words, case, digits and signs; it is in NFC, without invisible marks.
    """
    text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    text = _LINES.sub("\n", _SPACES.sub(" ", text))
    for _ in range(_MOST_LAYERS):
        before = text
        text = _unwrapped(_unclosed(text.strip()))
        text = _STRONG.sub(_inside, _AT_LINE_START.sub("", text))
        text = _LABEL.sub("", text, count=1) if _LABEL.match(text) else text
        if text == before:
            break
    return text


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
