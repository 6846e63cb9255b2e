"""A text that is nothing but a number, with its sign and its unit."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from fractions import Fraction
from typing import Final, NamedTuple

import regex

from banglahallueval.text.yes_no import fold

TOLERANCE: Final = Fraction(1, 10**9)  # relative, and for what is not whole only
_LONGEST: Final = 100  # code points; what is longer is no number

# Thousands are set apart in threes, or as লাখ and কোটি are, by one kind of mark throughout.
_GROUPED: Final = (
    r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})*,[0-9]{3}"
    r"|[0-9]{1,3}(?:(?P<gap>[ \u00a0\u2009\u202f])[0-9]{3})(?:(?P=gap)[0-9]{3})*"
)
_DECIMAL: Final = rf"(?:(?:{_GROUPED}|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)"
_POWER: Final = (
    r"(?:(?:\^|\*\*)\{?(?P<exponent>[+-]?[0-9]{1,2})\}?|e(?P<e>[+-]?[0-9]{1,2})"
    r"|\s?[×x*]\s?10\s?(?:\^|\*\*)\s?\{?(?P<power>[+-]?[0-9]{1,2})\}?)"
)
_NUMBER = regex.compile(
    r"(?P<sign>[+-]?)\s?(?P<currency>[$€£¥₹৳]|usd|tk\.?|bdt|rs\.?|us\$)?\s?(?P<late_sign>[+-]?)"
    r"(?:(?:(?P<whole>[0-9]+) )?(?P<over>[0-9]+)\s?[/⁄]\s?(?P<under>[0-9]+)"
    rf"|(?P<decimal>{_DECIMAL}){_POWER}?)"
    r"\s?(?P<unit>[%°]?[^0-9\s.,;:!?+\-=/()^*][^0-9,;:!?+\-=()^*]*|%)?"
)
_SIGNS: Final = (
    (regex.compile(r"[−–‒]|^(?:minus|negative|মাইনাস|ঋণাত্মক)\s+(?=\S)"), "-"),
    (regex.compile(r"^(?:plus|প্লাস)\s+(?=\S)"), "+"),
)
# `10³`, `½`, `2½`
_RAISED = regex.compile(r"(?<=[0-9])[⁺⁻]?[⁰¹²³⁴-⁹]+")
_FRACTION = regex.compile(r"(?<whole>[0-9])?\s?(?<sign>[¼-¾⅐-⅞↉])")
_LONGEST_DIGITS: Final = 2  # of a number that may begin with a 0 and is no code: ০৫, 007
_CURRENCIES: Final = {
    **dict.fromkeys(("৳", "tk", "bdt"), "taka"),
    **dict.fromkeys(("$", "us$", "usd"), "dollar"),
    **{"€": "euro", "£": "pound", "₹": "rupee", "rs": "rupee"},
}
_SCALES: Final = {
    10**2: "hundred শত শো",
    10**3: "thousand হাজার hajar",
    10**5: "lakh lakhs lac লাখ লক্ষ",
    10**6: "million মিলিয়ন",
    10**7: "crore crores কোটি koti",
    10**9: "billion বিলিয়ন",
    10**12: "trillion ট্রিলিয়ন",
}
# The first word of each line stands for the rest; `-` counts, and is no unit.
_UNITS: Final = """
- টি টা জন খানা খানি বার খ্রিস্টাব্দ খ্রিষ্টাব্দ সাল সালে সালের ti ta jon
% percent শতাংশ ভাগ pc
taka টাকা tk bdt
dollar dollars ডলার usd
euro euros ইউরো
pound pounds পাউন্ড
rupee rupees রুপি rs
year years yr yrs বছর bochor
month months মাস
week weeks সপ্তাহ
day days দিন din
hour hours hr hrs h ঘণ্টা ঘন্টা
minute minutes min mins মিনিট
second seconds sec secs s সেকেন্ড
km kilometre kilometres kilometer kilometers কিলোমিটার কিমি
m metre metres meter meters মিটার
cm centimetre centimetres centimeter centimeters সেন্টিমিটার সেমি
mm millimetre millimetres millimeter millimeters মিলিমিটার মিমি
kg kilogram kilograms কিলোগ্রাম কেজি
g gram grams গ্রাম
l litre litres liter liters লিটার
° degree degrees ডিগ্রি
°c celsius
person persons people মানুষ
"""
_SCALE: Final = "|".join(
    sorted((word for words in _SCALES.values() for word in words.split()), key=len, reverse=True)
)
_PART: Final = rf"(?P<count>[0-9]{{1,15}})\s?(?P<scale>{_SCALE})(?![\p{{L}}\p{{M}}])"
# `১ লাখ ২০ হাজার ৫০০`
_SUM = regex.compile(
    rf"(?<![0-9.,])(?:{_PART},?\s+(?:(?:and|ও|এবং)\s+)?)++(?:{_PART}|(?P<rest>[0-9]{{1,15}})(?![0-9.,]))"
)
_ORDINALS: Final = """
first প্রথম
second দ্বিতীয়
third তৃতীয়
fourth চতুর্থ
fifth পঞ্চম
sixth ষষ্ঠ
seventh সপ্তম
eighth অষ্টম
ninth নবম
tenth দশম
"""
_ORDINAL_OF: Final = {
    fold(word): at
    for at, line in enumerate(_ORDINALS.strip().split("\n"), 1)
    for word in line.split()
}
_ORDINAL = regex.compile(
    r"(?P<at>[0-9]+)(?:-?(?:st|nd|rd|th|"
    + "|".join(map(fold, ["ম", "য়", "র্থ", "ষ্ঠ", "তম", "ই", "লা", "রা", "ঠা", "শে"]))
    + "))"
)
_UNIT_OF: Final = {
    fold(word): line.split()[0] for line in _UNITS.strip().split("\n") for word in line.split()
}
_SCALE_OF: Final = {fold(word): scale for scale, words in _SCALES.items() for word in words.split()}


class Quantity(NamedTuple):
    """A number.

    Attributes:
        value: Its value.
        unit: The unit, or currency, in its one spelling; empty without.
        form: What else tells it from others of its value: `ordinal`, or the zeros that a code
            or a telephone number begins with.
    """

    value: Fraction
    unit: str
    form: str = ""


def read_quantity(text: str, counted: Collection[str] = ()) -> Quantity | None:
    """Read a text that is one number; None if it is anything else.

    Digits of every script, thousands separators (1,000, 1 000, 1,00,000), decimals, simple and
    mixed fractions, powers (10³), scales (১ লাখ ২০ হাজার), signs, currencies, common units and
    ordinals (১ম) are read. `5-`, `1_000`, `1,2`, `nan` and `inf` are no numbers, nor is one with a
    word that is no known unit.

    Args:
        text: The text.
        counted: Folded words that may stand behind a number as what it counts.
    """
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return None
    ordinal = _ordinal(text)
    if ordinal:
        return Quantity(Fraction(ordinal), "", "ordinal")
    found = _NUMBER.fullmatch(_plain(text))
    value = _value(found) if found else None
    if not found or value is None:
        return None
    scaled = _scaled(found["unit"] or "", counted)
    if scaled is None:
        return None
    scale, unit = scaled
    currency = (found["currency"] or "").rstrip(".")
    if currency:
        name = _CURRENCIES.get(currency, currency)
        if unit not in ("", name):
            return None
        unit = name
    sign = -1 if "-" in (found["sign"], found["late_sign"]) else 1
    return Quantity(sign * value * scale, unit, _leading_zeros(found["decimal"] or ""))


def _ordinal(text: str) -> int:
    """Read an ordinal, in words to the tenth; 0 if it is none."""
    folded = fold(_with_ascii_digits(text))
    found = _ORDINAL.fullmatch(folded)
    return int(found["at"]) if found else _ORDINAL_OF.get(folded, 0)


def _with_ascii_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(char, char)) for char in text)


def _plain(text: str) -> str:
    """Write a number's digits, signs, fractions, powers and sums of scales in one way.

    The text is not folded, which would make 10⁸ of it 108.
    """
    text = _with_ascii_digits(unicodedata.normalize("NFC", text)).lower()
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    text = _RAISED.sub(lambda found: "^" + unicodedata.normalize("NFKC", found[0]), text)
    text = _FRACTION.sub(_written_out, text).replace("−", "-")
    return _SUM.sub(_summed, text)


def _written_out(found: regex.Match[str]) -> str:
    fraction = unicodedata.normalize("NFKC", found["sign"])
    return f"{found['whole']} {fraction}" if found["whole"] else fraction


def _summed(found: regex.Match[str]) -> str:
    """Add up counts of ever smaller scales; other text stays."""
    scales = [_SCALE_OF[fold(word)] for word in found.captures("scale")]
    counts = [int(count) for count in found.captures("count")]
    if found["rest"]:
        scales.append(1)
        counts.append(int(found["rest"]))
    parts = [count * scale for count, scale in zip(counts, scales, strict=True)]
    fits = all(part < scale for part, scale in zip(parts[1:], scales[:-1], strict=True))
    return str(sum(parts)) if fits else found[0]


def _value(found: regex.Match[str]) -> Fraction | None:
    """Work out the number without its sign and scale; None for two signs or a division by 0."""
    if found["sign"] and found["late_sign"]:
        return None
    if found["over"]:
        under = int(found["under"])
        return int(found["whole"] or 0) + Fraction(int(found["over"]), under) if under else None
    value = Fraction(regex.sub(r"[^0-9.]", "", found["decimal"]))
    if found["exponent"]:
        exponent = int(found["exponent"])
        return value**exponent if value or exponent > 0 else None
    return value * Fraction(10) ** int(found["e"] or found["power"] or 0)


def _leading_zeros(digits: str) -> str:
    """Return the zeros that a code begins with; empty for a number."""
    is_code = digits.isdecimal() and len(digits) > _LONGEST_DIGITS
    return digits[: len(digits) - len(digits.lstrip("0"))] if is_code else ""


def _scaled(words: str, counted: Collection[str]) -> tuple[int, str] | None:
    """Read what follows a number: scales, then a unit; None if a word is neither."""
    scale, unit = 1, ""
    for word in words.split():
        word = fold(word.rstrip("."))
        if word in _SCALE_OF and not unit:
            scale *= _SCALE_OF[word]
        elif word in _UNIT_OF and unit in ("", "-"):
            unit = _UNIT_OF[word]
        elif word in counted and not unit:
            unit = "-"
        else:
            return None
    return scale, unit.replace("-", "")


def same_quantity(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers are equal; a unit that only one of them names is not held against it.

    Ordinals equal ordinals only, and codes with leading zeros those with as many.
    Whole numbers are compared exactly, others with a relative tolerance of 1e-9.
    """
    if one.form != other.form or (one.unit and other.unit and one.unit != other.unit):
        return False
    a, b = one.value, other.value
    if a.denominator == b.denominator == 1:
        return a == b
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b))
