"""Sentences of a raw text, as places in it."""

from __future__ import annotations

import regex

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.spans import Place

# A dot ends a sentence only before a blank and something that is not a small letter, and not
# behind a number or word of up to two signs: `ড. ইউনূস`, `মো. রহিম`, `Mr. Khan`, `2. Clannad`.
_SIGN = r"(?:[\p{L}\p{N}]\p{M}*)"
_END = lazy_regex(
    rf"""(?:[।॥?!]+ | (?<!(?<![\p{{L}}\p{{M}}\p{{N}}]){_SIGN}{{1,2}})\.+(?=\s+[^\s\p{{Ll}}]))
    ["'”’»)\]]* | \n""",
    regex.VERBOSE,
)


_SPOKEN = lazy_regex(r"[\p{L}\p{N}]")


def sentences(text: str) -> list[Place]:
    """List the sentences of a text in order, with their closing marks and without edge blanks.

    Each character that is not a blank lies in exactly one of them. Signs without a word between
    them belong to the sentence before, or after where they come first.
    """
    places: list[Place] = []
    start = 0
    for end in (*(found.end() for found in _END.finditer(text)), len(text)):
        sentence = text[start:end]
        first = start + len(sentence) - len(sentence.lstrip())
        last = start + len(sentence.rstrip())
        if _SPOKEN.search(sentence):
            places.append((first, last))
        elif not places and end < len(text):
            continue
        elif first < last:
            places[-1:] = [(places[-1][0] if places else first, last)]
        start = end
    return places
