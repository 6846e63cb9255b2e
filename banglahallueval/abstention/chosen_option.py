"""Which of lettered options an answer chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import regex

from banglahallueval.text.answer_frames import without_frame

LETTERS: Final = "ABCDEFGHIJ"
_BANGLA: Final = dict(zip("কখগঘঙচছজঝঞ", LETTERS, strict=True))
_LETTER: Final = r"(?P<letter>[A-Ja-jক-ঞ])(?![\p{L}\p{M}\p{N}])"
_OPEN: Final = r"[\s(\[{\"'*_“‘]*"
_NAMED: Final = "option|choice|letter|বিকল্প|অপশন"
_NOT_LETTER_BEFORE: Final = r"(?<![\p{L}\p{M}\p{N}'’])"
# `A. Paris`, `(A) Paris`, `A because …`; not `A city in France`.
_HEAD = regex.compile(
    rf"(?P<named>(?:the\s+)?(?:{_NAMED})\s*[:.]?)?(?P<open>{_OPEN}){_LETTER}(?P<after>[)\]}}\"'*_”’]*"
    r"(?:\s*$|\s*[.:)\]।,;/&=]|\s*\n|\s+[–—-]\s|\s+(?:because|since|as|and|or|is\s+(?:the\s+)?(?:correct"
    r"|right|answer|best)|কারণ|সঠিক|নম্বর|নং|এবং|ও|বা|অথবা|টি|হলো|হবে)(?![\p{L}\p{M}]))?)",
    regex.IGNORECASE,
)
_SAID = regex.compile(
    rf"{_NOT_LETTER_BEFORE}(?:(?:{_NAMED})(?:\s+is)?|answer(?:\s+(?:is|would be|should be))?"
    r"|choose|pick|select|go with|therefore|hence|thus|so|wait|actually|rather|mean|boxed"
    r"|উত্তর(?:\s+(?:হলো|হল|হবে))?)"
    rf"(?![\p{{L}}\p{{M}}])\s*[:,ঃ=]?{_OPEN}(?:(?:the\s+)?(?:{_NAMED})\s+)?[(\[]?{_LETTER}",
    regex.IGNORECASE,
)
_IS_RIGHT = regex.compile(
    rf"{_NOT_LETTER_BEFORE}{_LETTER}[)\]\"'*]*\s+(?:is\s+(?:the\s+)?(?:correct|right|answer|best)|সঠিক)"
)
_MORE = regex.compile(
    rf"\s*(?:(?:,|/|&|and|or|এবং|ও|অথবা|বা)\s*(?:{_NAMED})?{_OPEN}{_LETTER}"
    rf"|[.)]\s*{_LETTER}(?=\s*(?:[.)]|$)))",
    regex.IGNORECASE,
)
_LINE = regex.compile(rf"\n{_OPEN}{_LETTER}[)\].:\"'*]*\s*(?=$|\n|[A-Zঅ-ঢ়])")
_DENIED = regex.compile(
    rf"(?:(?<!\p{{L}})(?:not|isn't)\s+(?:{_NAMED}\s+)?[(\[]?{_LETTER}"
    rf"|{_NOT_LETTER_BEFORE}{_LETTER}[)\]\"'*]*\s+(?:(?:is|are|was)\s+(?:not|in|wrong"
    r"|false)|isn't|ভুল|নয়|সঠিক নয়))",
    regex.IGNORECASE,
)
_REASON = regex.compile(
    r"(?<!\p{L})(?:because|since|as|কারণ|যেহেতু)(?![\p{L}\p{M}])[^.\n।]*", regex.IGNORECASE
)

Same = Callable[[str, str], bool]


def letter_of(text: str, count: int) -> str:
    """Read a bare option letter, Latin or Bangla (ক for A); empty if it is none of so many."""
    letter = without_frame(text).strip()
    letter = _BANGLA.get(letter, letter.upper())
    return letter if len(letter) == 1 and letter in LETTERS[:count] else ""


def chosen_letter(answer: str, options: Sequence[str], same: Same) -> str:
    """Find the letter of the option that an answer chooses; empty where it is none or several.

    Args:
        answer: What the model said, without thinking.
        options: The texts of the options, in the order of their letters.
        same: Tells whether two texts say the same.
    """
    text = without_frame(answer)
    letter = letter_of(text, len(options))
    if letter:
        return letter
    named = {LETTERS[at] for at, option in enumerate(options) if same(text, option)}
    if named:
        return named.pop() if len(named) == 1 else ""
    head, rest = _at_head(text, len(options))
    if head and _is_option(rest, head, options, same):
        return head
    if head and any(same(rest, option) for option in options):
        return ""  # `A. London`, and London is B
    letters = {head, *_elsewhere(text, len(options))} - {"", *_denied(text, len(options))}
    return letters.pop() if len(letters) == 1 else ""


def _is_option(text: str, letter: str, options: Sequence[str], same: Same) -> bool:
    return bool(text) and same(text, options[LETTERS.index(letter)])


def _at_head(text: str, count: int) -> tuple[str, str]:
    """Read the letter that an answer begins with, and what stands behind it."""
    found = _HEAD.match(text)
    letter = _letter(found, count) if found else ""
    if not found or not letter:
        return "", ""
    rest = text[found.end("letter") :].lstrip(" )]}.:,;\"'*_”’–—-\n।")
    apart = found["named"] or found["open"].strip() or found["after"].strip()[:1] in tuple(").:]।")
    # A small letter that nothing sets apart may be a word: `a, as in …`.
    is_small = found["letter"].islower()
    return (letter, rest) if found["after"] and (apart or not is_small) else ("", "")


def _elsewhere(text: str, count: int) -> Iterator[str]:
    """Yield the letters that are named as the answer, or beside the first one."""
    text = _REASON.sub("", text)
    head = _HEAD.match(text)
    if head and _letter(head, count):
        more = _MORE.match(text, head.end("letter"))
        while more:
            yield _letter(more, count)
            more = _MORE.match(text, more.end("letter"))
    for pattern in (_SAID, _IS_RIGHT, _LINE):
        for found in pattern.finditer(text):
            if found["letter"] != "a":  # an article
                yield _letter(found, count)


def _denied(text: str, count: int) -> set[str]:
    return {_letter(found, count) for found in _DENIED.finditer(text)}


def _letter(found: regex.Match[str], count: int) -> str:
    return letter_of(found["letter"], count)
