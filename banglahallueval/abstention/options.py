"""What an option of a multiple-choice question is like on its surface, and what it refers to."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import regex

from banglahallueval.text.digits import TO_ASCII
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.normalise import for_matching, words_for_matching

_NUMBER = lazy_regex(r"\d+(?:,\d{2,3})*(?:\.\d+)?")
_ONE_VALUE = lazy_regex(
    rf"[^\d/]*?(?P<sign>[-−]?)(?P<over>{_NUMBER.pattern})(?:/(?P<under>{_NUMBER.pattern}))?[^\d/]*"
)
_WORD = lazy_regex(r"[\p{L}\p{M}]{2,}")
_MOST_WORDS_OF_A_NUMBER = 2  # its unit, as in "12 square metres"
_LONGEST_PARTICLE = 3  # letters of words such as "the", "to", "when"
_ENDINGS = ("ing", "ed", "ly")  # of first words; what follows is built alike after each
_SHORTEST_CONTENT_WORD = 4  # letters
_STEM = 6  # letters by which two words count as forms of one

# An option that says something of the others, or that leaves nothing to them: where the right one
# is taken away, such an option may become right.
_REFERS = lazy_regex(
    unicodedata.normalize(
        "NFC",
        r"\A(?:yes|no|true|false|wrong|right|correct|incorrect|always|never|all|none|both|neither"
        r"|either|others?|undefined|unknown|impossible|nothing|everything|depends)\b"
        r"|\A(?:only )?[ivx]+\b(?:\s*(?:,|and|or|&)\s*(?:and )?[ivx]+\b)*(?: only)?\.?\Z"
        r"|\b[a-e]\)? (?:and|or|&) \(?[a-e]\b"
        r"|\b(?:all|none|both|neither|either|any|each|one|two|three) of\b|\bthe (?:above|others?)\b"
        r"|\b(?:cannot|can ?not|can['’]t|not) be\b|\b(?:not enough|insufficient)\b"
        r"|\A(?:উপরের|উপরোক্ত|সব|সবাই|সবগুলো|সবগুলি|সবকটি|সবই|কোনটি|কোনোটি|কোনটিই|কোনোটিই|উভয়|উভয়ই"
        r"|দুটোই|দুটিই|হ্যাঁ|না|সত্য|মিথ্যা|অন্যান্য)(?![\p{L}\p{M}])"
        r"|(?<![\p{L}\p{M}])[ক-ঙ] (?:ও|এবং) [ক-ঙ](?![\p{L}\p{M}])|জানা (?:নেই|যায় না)",
    ),
    regex.I,
)


@dataclass(frozen=True, slots=True)
class Option:
    """An option, as another one must be like it to take its place unnoticed.

    Attributes:
        text: The option as it stands.
        normal: What tells it from others.
        kind: What is alike in options of one style: case, first word and closing mark, or, of
            numbers with at most a unit, everything but the digits.
        content: Its content words, shortened to what their forms share.
        trigrams: Its runs of three code points, edges included, in lower case.
        value: The number it denotes; None where it is not one.
    """

    text: str
    normal: str
    kind: str
    content: frozenset[str]
    trigrams: frozenset[str]
    value: float | None


@lru_cache(maxsize=100_000)
def analyse(text: str) -> Option:
    """Find out what an option is like."""
    plain = unicodedata.normalize("NFC", text).translate(TO_ASCII).strip()
    value = _value(plain)
    edged = f"  {plain.lower()} "
    trigrams = frozenset(edged[at : at + 3] for at in range(len(edged) - 2))
    normal = for_matching(text) or plain  # a text of signs alone has nothing to match by
    return Option(text, normal, _kind(plain), content_of(text), trigrams, value)


def _kind(plain: str) -> str:
    words = _WORD.findall(plain)
    if _NUMBER.search(plain) and len(words) <= _MOST_WORDS_OF_A_NUMBER:
        return _NUMBER.sub("#", plain)
    start, end = plain[:1], plain[-1:]
    case = "upper" if start.isupper() else "letter" if start.isalpha() else start
    mark = "" if end.isalnum() else end
    first = words[0].lower() if len(words) > 1 else ""
    if len(first) > _LONGEST_PARTICLE:
        first = next((ending for ending in _ENDINGS if first.endswith(ending)), "several")
    return f"{case} {first} {mark}"


def content_of(text: str) -> frozenset[str]:
    """List the content words of a text, shortened to what their forms share."""
    words = words_for_matching(text)
    return frozenset(word[:_STEM] for word in words if len(word) >= _SHORTEST_CONTENT_WORD)


def refers(text: str) -> bool:
    """Whether an option refers to the others or is one of opposites, such as yes and no."""
    return _REFERS.search(unicodedata.normalize("NFC", text).strip()) is not None


def _value(plain: str) -> float | None:
    """Read a number with at most a unit; None for any other text."""
    found = _ONE_VALUE.fullmatch(plain)
    if not found or len(_WORD.findall(plain)) > _MOST_WORDS_OF_A_NUMBER:
        return None
    under = float((found["under"] or "1").replace(",", ""))
    if not under:
        return None
    value = float(found["over"].replace(",", "")) / under
    return -value if found["sign"] else value
