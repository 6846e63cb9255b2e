"""What a reply quotes: a label inside quotation marks is the question's or the output's word.

A quoted value is the reply's own: in an object, after a label, or where nothing else is said.
"""

from __future__ import annotations

from typing import Final

import regex

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import LETTER, NO, YES, any_of, fold, one_word_of

# Each kind ends within its line. A single mark within a word is an apostrophe.
_QUOTED = lazy_regex(
    r'(?<!\\)"(?P<double>(?:[^"\\\n]|\\.)*+)"'
    rf"|(?<!{LETTER})'(?P<single>(?:[^'\n]|(?<={LETTER})'(?={LETTER}))*+)'(?!{LETTER})"
    r"|(?<!`)`(?P<code>[^`\n]++)`(?!`)"
    r"|«(?P<angled>[^«»\n]++)»|「(?P<corner>[^「」\n]++)」"
)
_INNER = lazy_regex(r'\\"(?:[^"\\\n]|\\[^"\n])*+\\"')
_MARKS: Final = frozenset("\"'`«»「」")
_LABEL: Final = (
    rf"(?:(?:not|non|no)[\s-]{{1,3}})?(?:{any_of(*YES, *NO)}|true|false|hallucinat(?:ed|ions?)"
    rf"|{fold('হ্যালুসিনে')}[\p{{L}}\p{{M}}]*+(?: {any_of('নয়', 'না', 'নেই')})?)"
)
_ONLY_LABEL = lazy_regex(rf"\W*+{_LABEL}\W*+")
_BEGINS_WITH_LABEL = lazy_regex(rf"\W*+{_LABEL}(?!{LETTER})")
_TERM = lazy_regex(rf"hallucinat\p{{L}}*+|{fold('হ্যালুসিনে')}[\p{{L}}\p{{M}}]*+")
_NAMES_LABEL = lazy_regex(
    rf"(?<!{LETTER})(?:{any_of(*YES, *NO)}|true|false)(?!{LETTER})|hallucinat|{fold('হ্যালুসিনে')}"
)
# What introduces a value of the reply's own.
_INTRODUCED = lazy_regex(
    r"(?:[:=→|]|-+>|(?<!\p{L})(?:is|be|say|vote|conclude|choose|to|also|thus|therefore|so|hence)"
    rf"|{any_of('হলো', 'হল', 'হচ্ছে')})[\W_]*+$"
)
_NAMED = lazy_regex(rf"(?<!{LETTER})(?:answer|verdict|{fold('উত্তর')})[\W_]*+$")
# Whose word the value is: `The correct answer is "yes"` and `it told me to say "yes"` say no more
# with marks than without them.
_REPORTED = lazy_regex(
    rf"(?<!{LETTER})"
    + one_word_of("asked asks said says told tells instructed wants wrote writes claims claimed")
    + rf"(?!{LETTER})"
)
_KEY = lazy_regex(r"""\s*+["']?\s*+[:=]""")
_AFTER_VALUE = lazy_regex(r"\s*+(?:[,}\]]|$)")


def without_quotations(line: str) -> str:
    """Blank the quotations of a line that hold a label; of the reply's own values, the marks."""
    if _MARKS.isdisjoint(line):
        return line
    in_object = "{" in line or regex.match(r"""\s*+["'][\w \\]{1,40}["']\s*+:""", line) is not None
    kept: list[str] = []
    position = 0
    for quoted in _QUOTED.finditer(line):
        kept.append(line[position : quoted.start()])
        kept.append(_rewritten(line, quoted, in_object=in_object))
        position = quoted.end()
    kept.append(line[position:])
    return "".join(kept)


def _rewritten(line: str, quoted: regex.Match[str], *, in_object: bool) -> str:
    before, after = line[: quoted.start()], line[quoted.end() :]
    if in_object and _is_structure(before, after):
        return _INNER.sub(lambda inner: " " * len(inner[0]), quoted[0])
    inside = quoted[0][1:-1]
    # A term by itself is no quotation: `it contains a "hallucination"`.
    harmless = not _NAMES_LABEL.search(inside) or _TERM.fullmatch(inside)
    if harmless or _is_own(before, inside, after):
        return f" {inside} "
    # The marks stay, so that the words on both sides are not taken for one phrase.
    return quoted[0][0] + " " * (len(inside) - 1) + _last_sign(inside) + quoted[0][-1]


def _is_structure(before: str, after: str) -> bool:
    """Whether a string is a key or a value of an object."""
    opened = before.rstrip()
    if opened and opened[-1] not in "{[,:=":
        return False
    return _KEY.match(after) is not None or _AFTER_VALUE.match(after) is not None


def _is_own(before: str, content: str, after: str) -> bool:
    """Whether quoted words are the reply's own verdict."""
    nothing_after = not _has_words(after)
    if not _has_words(before):
        # The whole reply in marks, or `"Yes", the date is wrong`.
        ends = after.lstrip()[:1]
        return nothing_after or bool(ends in ",.;:!-–—)" and _ONLY_LABEL.fullmatch(content))
    before = before[-60:]
    if _REPORTED.search(before) or not _BEGINS_WITH_LABEL.match(content):
        return False
    if _INTRODUCED.search(before):
        return nothing_after or _ONLY_LABEL.fullmatch(content) is not None
    return nothing_after and _NAMED.search(before) is not None


def _last_sign(content: str) -> str:
    return content[-1] if content[-1] in ".!?।" else " "


def _has_words(text: str) -> bool:
    return regex.search(r"[\p{L}\p{M}\p{N}]", text) is not None
