"""Read the values of numbers written in digits of any script, or in words."""

from __future__ import annotations

import re
from contextlib import suppress
from unicodedata import normalize

import regex

from banglahallueval.text.phonetic import sound

_DIGIT = regex.compile(r"\p{Nd}")
_WORDS: dict[float, str] = {
    0: "শূন্য shunno shunyo zero",
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
    14: "চৌদ্দ চোদ্দ চোদ্দো চৌদ্দো chouddo choddo fourteen",
    15: "পনেরো পনের ponero fifteen",
    16: "ষোলো ষোল sholo solo sixteen",
    17: "সতেরো সতের sotero shotero seventeen",
    18: "আঠারো আঠার atharo eighteen",
    19: "উনিশ ঊনিশ unish nineteen",
    20: "বিশ কুড়ি bish kuri twenty",
}
# Bangla spellings, then one in Latin letters that stands for its variants (see `sound`).
_TENS: dict[float, str] = {
    21: "একুশ ekush", 22: "বাইশ baish", 23: "তেইশ teish", 24: "চব্বিশ chobbish",
    25: "পঁচিশ পচিশ pochish", 26: "ছাব্বিশ chabbish", 27: "সাতাশ satash", 28: "আটাশ আঠাশ atash",
    29: "উনত্রিশ ঊনত্রিশ unotrish", 30: "ত্রিশ তিরিশ trish tirish thirty", 31: "একত্রিশ ektrish",
    32: "বত্রিশ botrish", 33: "তেত্রিশ tetrish", 34: "চৌত্রিশ choutrish",
    35: "পঁয়ত্রিশ poytrish", 36: "ছত্রিশ chotrish", 37: "সাঁইত্রিশ saitrish",
    38: "আটত্রিশ attrish", 39: "উনচল্লিশ ঊনচল্লিশ unochollish", 40: "চল্লিশ chollish forty",
    41: "একচল্লিশ ekchollish", 42: "বিয়াল্লিশ বেয়াল্লিশ biyallish", 43: "তেতাল্লিশ tetallish",
    44: "চুয়াল্লিশ chuyallish", 45: "পঁয়তাল্লিশ poytallish", 46: "ছেচল্লিশ chechollish",
    47: "সাতচল্লিশ satchollish", 48: "আটচল্লিশ atchollish", 49: "উনপঞ্চাশ ঊনপঞ্চাশ unoponchash",
    50: "পঞ্চাশ ponchash fifty", 51: "একান্ন ekanno", 52: "বাহান্ন বায়ান্ন bahanno",
    53: "তিপ্পান্ন tippanno", 54: "চুয়ান্ন chuyanno", 55: "পঞ্চান্ন ponchanno",
    56: "ছাপ্পান্ন chappanno", 57: "সাতান্ন satanno", 58: "আটান্ন atanno",
    59: "উনষাট ঊনষাট unoshat", 60: "ষাট shaat sixty", 61: "একষট্টি ekshotti",
    62: "বাষট্টি bashotti", 63: "তেষট্টি teshotti", 64: "চৌষট্টি choushotti",
    65: "পঁয়ষট্টি poyshotti", 66: "ছেষট্টি cheshotti", 67: "সাতষট্টি satshotti",
    68: "আটষট্টি atshotti", 69: "উনসত্তর ঊনসত্তর unosottor", 70: "সত্তর sottor seventy",
    71: "একাত্তর ekattor", 72: "বাহাত্তর bahattor", 73: "তিয়াত্তর tiyattor",
    74: "চুয়াত্তর chuyattor", 75: "পঁচাত্তর pochattor", 76: "ছিয়াত্তর chiyattor",
    77: "সাতাত্তর satattor", 78: "আটাত্তর atattor", 79: "উনআশি ঊনআশি unashi",
    80: "আশি ashi eighty", 81: "একাশি ekashi", 82: "বিরাশি birashi", 83: "তিরাশি tirashi",
    84: "চুরাশি চৌরাশি churashi chourashi", 85: "পঁচাশি pochashi", 86: "ছিয়াশি chiyashi",
    87: "সাতাশি satashi", 88: "অষ্টাশি আটাশি oshtashi atashi", 89: "উননব্বই ঊননব্বই unonobboi",
    90: "নব্বই nobboi nobbui ninety", 91: "একানব্বই ekanobboi", 92: "বিরানব্বই biranobboi",
    93: "তিরানব্বই tiranobboi", 94: "চুরানব্বই churanobboi", 95: "পঁচানব্বই pochanobboi",
    96: "ছিয়ানব্বই chiyanobboi", 97: "সাতানব্বই satanobboi", 98: "আটানব্বই atanobboi",
    99: "নিরানব্বই niranobboi",
}  # fmt: skip
_ORDINALS: dict[float, str] = {
    2: "দ্বিতীয় ditiyo dwitiyo ditio", 3: "তৃতীয় tritiyo tritio third",
    4: "চতুর্থ choturtho fourth",
    5: "পঞ্চম ponchom fifth", 6: "ষষ্ঠ shoshtho sixth", 7: "সপ্তম soptom shoptom seventh",
    8: "অষ্টম oshtom eighth", 9: "নবম nobom ninth", 10: "দশম doshom tenth", 11: "একাদশ",
    12: "দ্বাদশ", 13: "ত্রয়োদশ", 14: "চতুর্দশ", 15: "পঞ্চদশ", 16: "ষোড়শ", 17: "সপ্তদশ",
    18: "অষ্টাদশ", 19: "ঊনবিংশ উনবিংশ", 20: "বিংশ", 21: "একবিংশ",
}  # fmt: skip
_SCALES: dict[float, str] = {
    4: "হালি hali",
    12: "ডজন dozen dojon",
    100: "শত শ শো sho shoto shato hundred",
    1_000: "হাজার hajar hazar thousand",
    100_000: "লক্ষ লাখ lokkho lakh lac lokho",
    1_000_000: "মিলিয়ন million",
    10_000_000: "কোটি koti crore",
    1_000_000_000: "বিলিয়ন billion",
}
CLASSIFIER = r"(?:টি|টা|টে|টো|জন|বার|খানা|খানি|গুণ|ti|ta|te|to|jon|bar|khana|gun)"


def _spelled(table: dict[float, str]) -> dict[str, float]:
    return {
        word: float(value)
        for value, words in table.items()
        for word in normalize("NFC", words).split()
    }


CARDINALS = _spelled(_WORDS) | _spelled(_TENS)
_BY_WORD = CARDINALS | _spelled(_ORDINALS)
_STARTS = frozenset(word[:2] for word in _BY_WORD)
_BY_SOUND = {
    sound(word): value
    for word, value in (_spelled(_TENS) | _spelled(_ORDINALS)).items()
    if word.isascii()
}
_INFLECTED = CARDINALS.keys() - _spelled(_WORDS).keys() | _spelled(_ORDINALS).keys()
_CASES = frozenset(
    (normalize("NFC", "য়"), "র", "ের", "ে", "ই", "কে", "তে", "e", "i", "r", "er", "y")
)
_COUNTED = frozenset(
    classifier + case for classifier in CLASSIFIER[3:-1].split("|") for case in ("", *_CASES)
) | {"তম", "tomo"}
_LONGEST_ENDING = max(map(len, _COUNTED))
SCALES = _spelled(_SCALES)
_BY_SCALE = {
    word + ending: value
    for ending in ("ের", "র", "টি", "ই", "er", "r", "e", "i", "")
    for word, value in SCALES.items()
}
# Words with other meanings too ("is not", "times"): numbers only with a classifier.
_AMBIGUOUS = {
    normalize("NFC", "নয়"),
    "noy",
    "noi",
    "বার",
    "ছ",
    "der",
    "at",
    "to",
    "তের",
    "pach",
    "solo",
    "ten",
    "শ",
}
# As in একশ, পাঁচশোটি, duisho and দুহাজার.
_GLUED_SCALE = re.compile(
    r"(.+?)(?:(শত|শো|শ|হাজার|লাখ|লক্ষ|কোটি)(?:ের|র|টি|টা|জন|ই|তম)?"
    r"|(shoto|sho|so|hajar|hazar|lakh|lokkho|koti)(?:ti|ta|jon)?)"
)


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


def word_value(text: str) -> float | None:
    """Return the value of a number word, inflected or not; None for any other word.

    Args:
        text: The word in lower case.
    """
    if text in _BY_WORD and text not in _AMBIGUOUS:
        return _BY_WORD[text]
    if text[:2] not in _STARTS and text[:1] not in _STARTS and not text[:1].isascii():
        return None  # and no sound of one in Latin letters
    if text.isascii() and len(text) > 3 and (value := _BY_SOUND.get(sound(text))) is not None:
        return value
    for size in range(1, min(_LONGEST_ENDING, len(text) - 1) + 1):
        stem, ending = text[:-size], text[-size:]
        if ending in _COUNTED and stem in _BY_WORD and stem != ending:
            return _BY_WORD[stem]
        if ending in _COUNTED or ending in _CASES:
            if stem in _INFLECTED:
                return _BY_WORD[stem]
            if stem.isascii() and len(stem) > 3 and (value := _BY_SOUND.get(sound(stem))):
                return value
    if (glued := _GLUED_SCALE.fullmatch(text)) and glued[1] in CARDINALS:
        return CARDINALS[glued[1]] * SCALES.get(glued[2] or glued[3], 100.0)
    return None


def scale_value(text: str) -> float | None:
    """Return the factor that a word such as হাজার or lakh stands for, suffixed or not."""
    return _BY_SCALE.get(text)
