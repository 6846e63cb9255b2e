"""A text that is nothing but a number, with its sign and its unit."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

import regex

from banglahallueval.text.digits import TO_ASCII
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
    r"(?:e(?P<e>[+-]?[0-9]{1,2})"
    r"|\s?[×x*]\s?10\s?(?:\^|\*\*)\s?\{?(?P<power>[+-]?[0-9]{1,2})\}?)"
)
_NUMBER = regex.compile(
    r"(?P<sign>[+-]?)\s?(?P<currency>[$€£¥₹৳]|usd|tk\.?|bdt|rs\.?|us\$)?\s?(?P<late_sign>[+-]?)"
    r"(?:(?:(?P<whole>[0-9]+) )?(?P<over>[0-9]+)\s?[/⁄]\s?(?P<under>[0-9]+)"
    rf"|(?P<decimal>{_DECIMAL}){_POWER}?)"
    r"\s?(?P<unit>[%°]?[^0-9\s.,;:!?+\-=/()^*][^0-9,;:!?+\-=()^*]*|%)?"
)
_MINUS = regex.compile(r"[−–‒]")
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
_UNIT_OF: Final = {
    fold(word): line.split()[0] for line in _UNITS.strip().split("\n") for word in line.split()
}
_SCALE_OF: Final = {fold(word): scale for scale, words in _SCALES.items() for word in words.split()}


class Quantity(NamedTuple):
    """A number.

    Attributes:
        value: Its value.
        unit: The unit, or currency, in its one spelling; empty without.
    """

    value: Fraction
    unit: str


def read_quantity(text: str) -> Quantity | None:
    """Read a text that is one number; None if it is anything else.

    Bengali digits, thousands separators (1,000, 1 000, 1,00,000), decimals, simple and mixed
    fractions, powers of ten, scales (১০ লাখ), signs, currencies and common units are read. `5-`,
    `1_000`, `1,2`, `nan` and `inf` are no numbers, nor is one with a word that is no known unit.
    """
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return None
    # Not folded, which would make 10⁸ of it 108.
    found = _NUMBER.fullmatch(_MINUS.sub("-", text.translate(TO_ASCII).lower()))
    if not found or (found["sign"] and found["late_sign"]):
        return None
    if found["over"]:
        if not int(found["under"]):
            return None
        value = int(found["whole"] or 0) + Fraction(int(found["over"]), int(found["under"]))
    else:
        value = Fraction(regex.sub(r"[^0-9.]", "", found["decimal"]))
        value *= Fraction(10) ** int(found["e"] or found["power"] or 0)
    scaled = _scaled(found["unit"] or "")
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
    return Quantity(sign * value * scale, unit)


def _scaled(words: str) -> tuple[int, str] | None:
    """Read what follows a number: scales, then a unit; None if a word is neither."""
    scale, unit = 1, ""
    for word in words.split():
        word = fold(word.rstrip("."))
        if word in _SCALE_OF and not unit:
            scale *= _SCALE_OF[word]
        elif word in _UNIT_OF and unit in ("", "-"):
            unit = _UNIT_OF[word]
        else:
            return None
    return scale, unit.replace("-", "")


def same_quantity(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers are equal; a unit that only one of them names is not held against it.

    Whole numbers are compared exactly, others with a relative tolerance of 1e-9.
    """
    if one.unit and other.unit and one.unit != other.unit:
        return False
    a, b = one.value, other.value
    if a.denominator == b.denominator == 1:
        return a == b
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b))
