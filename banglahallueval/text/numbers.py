"""Read the values of numbers written in digits of any script, or in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

import regex

from banglahallueval.text.phonetic import fold

_DIGIT = regex.compile(r"\p{Nd}")
_WORDS: dict[float, str] = {
    0: "শূন্য zero",
    1: "এক ek one",
    1.5: "দেড় der deyr",
    2: "দুই দু দুটো dui du duto two",
    2.5: "আড়াই arai",
    3: "তিন tin three",
    4: "চার char chaar four",
    5: "পাঁচ পাচ panch pach paach five",
    6: "ছয় ছ choy chhoy choi chhoi six",
    7: "সাত sat shat saat seven",
    8: "আট at aat eight",
    9: "নয় noy noi nine",
    10: "দশ dosh dos ten",
    11: "এগারো এগার egaro egharo eleven",
    12: "বারো বার baro twelve",
    13: "তেরো তের tero thirteen",
    14: "চৌদ্দ চোদ্দ chouddo choddo fourteen",
    15: "পনেরো পনের ponero fifteen",
    16: "ষোলো ষোল sholo solo sixteen",
    17: "সতেরো সতের sotero shotero seventeen",
    18: "আঠারো আঠার atharo eighteen",
    19: "উনিশ ঊনিশ unish nineteen",
    20: "বিশ কুড়ি bish kuri twenty",
}
# Also matched by phonetic key, so in every spelling, where the key is long enough.
_KEYED: dict[float, str] = {
    21: "একুশ", 22: "বাইশ", 23: "তেইশ", 24: "চব্বিশ", 25: "পঁচিশ পচিশ", 26: "ছাব্বিশ",
    27: "সাতাশ", 28: "আটাশ", 29: "উনত্রিশ", 30: "ত্রিশ তিরিশ thirty", 31: "একত্রিশ", 32: "বত্রিশ",
    33: "তেত্রিশ", 34: "চৌত্রিশ", 35: "পঁয়ত্রিশ", 36: "ছত্রিশ", 37: "সাঁইত্রিশ", 38: "আটত্রিশ",
    39: "উনচল্লিশ", 40: "চল্লিশ forty", 45: "পঁয়তাল্লিশ", 50: "পঞ্চাশ fifty", 55: "পঞ্চান্ন",
    60: "ষাট shaat sixty", 64: "চৌষট্টি", 65: "পঁয়ষট্টি", 70: "সত্তর sottor shottor seventy",
    75: "পঁচাত্তর",
    80: "আশি ashi aashi eighty", 90: "নব্বই ninety", 99: "নিরানব্বই",
}  # fmt: skip
_ORDINALS: dict[float, str] = {
    2: "দ্বিতীয় ditiyo dwitiyo ditio", 3: "তৃতীয় tritiyo third",
    4: "চতুর্থ choturtho fourth",
    5: "পঞ্চম ponchom fifth", 6: "ষষ্ঠ shoshtho sixth", 7: "সপ্তম soptom shoptom seventh",
    8: "অষ্টম oshtom eighth", 9: "নবম nobom ninth", 10: "দশম doshom tenth", 11: "একাদশ",
    12: "দ্বাদশ", 13: "ত্রয়োদশ", 14: "চতুর্দশ", 15: "পঞ্চদশ", 16: "ষোড়শ", 17: "সপ্তদশ",
    18: "অষ্টাদশ", 19: "ঊনবিংশ উনবিংশ", 20: "বিংশ", 21: "একবিংশ",
}  # fmt: skip
_SCALES: dict[float, str] = {
    100: "শত শ শো sho shoto shato hundred",
    1_000: "হাজার hajar hazar thousand",
    100_000: "লক্ষ লাখ lokkho lakh lac lokho",
    1_000_000: "মিলিয়ন million",
    10_000_000: "কোটি koti crore",
    1_000_000_000: "বিলিয়ন billion",
}
CLASSIFIER = r"(?:টি|টা|টে|টো|জন|বার|খানা|খানি|গুণ|ti|ta|te|to|jon|bar|khana|gun)"
_CASE = r"(?:র|ের|ই|কে|তে|e|i|r|er)"


def _spelled(table: dict[float, str]) -> dict[str, float]:
    return {word: float(value) for value, words in table.items() for word in words.split()}


def _keyed(table: dict[float, str]) -> dict[str, float]:
    return {fold(word).key: value for word, value in _spelled(table).items()}


CARDINALS = _spelled(_WORDS) | _spelled(_KEYED)
_BY_WORD = CARDINALS | _spelled(_ORDINALS)
_BY_KEY = _keyed(_KEYED) | _keyed(_ORDINALS)
_WITH_CLASSIFIER = re.compile(f"({'|'.join(_BY_WORD)}){CLASSIFIER}{_CASE}?")
SCALES = _spelled(_SCALES)
_BY_SCALE = {
    word + ending: value
    for ending in ("ের", "র", "টি", "ই", "er", "r", "e", "i", "")
    for word, value in SCALES.items()
}
# Words with other meanings too ("is not", "times"): numbers only with a classifier.
_AMBIGUOUS = {"নয়", "noy", "noi", "বার", "ছ", "der", "at", "to", "তের", "pach", "solo", "ten", "শ"}


def digits_value(text: str) -> float:
    """Return the value of a run of digits, of any script, with its separators.

    Commas separate thousands if the digits after them are grouped in threes or the Indian way;
    otherwise the first is a decimal comma, and points before it separate thousands.
    """
    head, *groups = text.split(",")
    last = groups[-1].partition(".")[0] if groups else ""
    if groups and (len(last) != 3 or any(len(group) not in (2, 3) for group in groups[:-1])):
        return _float(head.replace(".", "") + "." + groups[0].replace(".", ""))
    whole, *decimals = (head + "".join(groups)).split(".")
    return _float(f"{whole}.{decimals[0]}") if len(decimals) == 1 else _float(whole)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # digits of a script that is newer than this Python
        return float(_DIGIT.sub(lambda digit: str(_digit(digit[0])), text))


def _digit(character: str) -> int:
    """Return the value of a decimal digit: the digits of a script stand in a row, 0 first."""
    with suppress(ValueError):
        return int(character)
    code = ord(character)
    return next(value for value in range(10) if not _DIGIT.match(chr(code - value - 1)))


def word_value(text: str, stems: Sequence[str]) -> float | None:
    """Return the value of a number word, with or without classifier; None for any other word.

    Args:
        text: The word in lower case.
        stems: Its phonetic stems.
    """
    if text in _BY_WORD and text not in _AMBIGUOUS:
        return _BY_WORD[text]
    if found := _WITH_CLASSIFIER.fullmatch(text):
        return _BY_WORD[found[1]]
    for stem in stems:
        if len(stem) >= 4 and stem in _BY_KEY:
            return _BY_KEY[stem]
    return None


def scale_value(text: str) -> float | None:
    """Return the factor that a word such as হাজার or lakh stands for, suffixed or not."""
    return _BY_SCALE.get(text)
