"""A text that is one number has its value, whatever its digits, separators and unit."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.text.digits import TO_BENGALI
from banglahallueval.text.quantities import Quantity, read_quantity, same_quantity

SAME = [
    ("1,000", "1000"),
    ("১,০০০", "1000"),
    ("1 000", "1000"),
    ("1\u202f000\u202f000", "1000000"),
    ("1,00,000", "100000"),
    ("১২.৫", "12.5"),
    ("1.50", "1.5"),
    (".5", "0.5"),
    ("12%", "12"),
    ("১২ শতাংশ", "12%"),
    ("$5", "5"),
    ("৳৫", "৫ টাকা"),
    ("Tk. 5", "৳5"),
    ("0.30000000000000004", "0.3"),
    ("1/2", "0.5"),
    ("১/২", "0.5"),
    ("1 1/2", "1.5"),
    ("−5", "-5"),
    ("–5", "-5"),
    ("-$5", "$-5"),
    ("+5", "5"),
    ("1e3", "1000"),
    ("3 × 10^8", "300000000"),
    ("১০ লাখ", "1000000"),
    ("2 million", "2,000,000"),
    ("৫টি", "5"),
    ("5 km", "৫ কিমি"),
    ("১৯৭১ সালে", "1971"),
    ("১ লাখ ২০ হাজার", "120000"),
    ("1 lakh 20 thousand", "1,20,000"),
    ("-৳1 lakh, 20 thousand and 5", "-120005 taka"),
    ("১ কোটি ২ লাখ ৩ হাজার ৪ শত ৫ টাকা", "10203405"),
    ("2 million 5", "2000005"),
    ("½", "0.5"),
    ("2½", "2.5"),
    ("1 ¾ km", "1.75 km"),
    ("10^3", "1000"),
    ("10³", "1000"),
    ("2**10", "1024"),
    ("10⁻³", "0.001"),
    ("3 × 10⁸", "300000000"),
    ("minus 5", "-5"),
    ("Negative 5", "-5"),
    ("মাইনাস ৫", "-5"),
    ("plus 5", "5"),
    ("1st", "১ম"),
    ("প্রথম", "first"),
    ("২য়", "দ্বিতীয়"),
    ("২\u09df", "2nd"),
    ("৪র্থ", "4th"),
    ("২১শে", "21st"),
    ("११", "11"),
    ("٣", "3"),
    ("３", "3"),
    ("০১৭১১", "01711"),
    ("০৫", "5"),
    ("0.50", "0.5"),
    ("0", "০"),
]
DIFFERENT = [
    ("5-", "5"),
    ("5", "-5"),
    ("1_000", "1000"),
    ("nan", "nan"),
    ("inf", "Infinity"),
    ("1,2", "12"),
    ("1,0000", "10000"),
    ("5 km", "5 m"),
    ("$5", "৳5"),
    ("2", "2 million"),
    ("5 apples", "5"),
    ("2 of 3", "2"),
    ("12%", "0.12"),
    ("1/0", "1/0"),
    ("10⁸", "108"),
    ("5!", "5"),
    ("1234567890123", "1234567890124"),
    ("0.3000001", "0.3"),
    ("9" * 200, "9" * 200),
    ("", ""),
    ("1 thousand 2 lakh", "201000"),
    ("1 hundred 200", "300"),
    ("0^-1", "0"),
    ("0**0", "1"),
    ("10³", "103"),
    ("1st", "1"),
    ("1st", "2nd"),
    ("তৃতীয়", "৩"),
    ("০১৭১১", "1711"),
    ("007", "7"),
    ("00123", "0123"),
    ("minus", "-"),
    ("5 minus", "-5"),
]


def test_what_is_counted_may_be_named() -> None:
    """One word that is known to be counted stands behind a number; a scale stays a scale."""
    assert read_quantity("2 Ds", ("ds",)) == Quantity(Fraction(2), "")
    assert read_quantity("2 Ds", ("d",)) is None
    assert read_quantity("2 red Ds", ("red", "ds")) is None
    assert read_quantity("2 million", ("million",)) == Quantity(Fraction(2_000_000), "")


def same(one: str, other: str) -> bool:
    a, b = read_quantity(one), read_quantity(other)
    return a is not None and b is not None and same_quantity(a, b)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equal_numbers_are_the_same(one: str, other: str) -> None:
    """What is written otherwise and comes to the same is the same."""
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_numbers_and_no_numbers_are_not(one: str, other: str) -> None:
    """A sign, a unit or a scale makes a number another one, and a trick makes none."""
    assert not same(one, other)
    assert not same(other, one)


@given(st.integers(-(10**12), 10**12), st.sampled_from([lambda n: f"{n:,}", str]), st.booleans())
@settings(deadline=None)
def test_whole_numbers_come_back(n, write, in_bengali) -> None:  # type: ignore[no-untyped-def]
    """A whole number is read as itself in either script, with separators or without."""
    text = write(n)
    found = read_quantity(text.translate(TO_BENGALI) if in_bengali else text)
    assert found is not None
    assert found.value == n


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15))
@settings(deadline=None)
def test_decimals_come_back(x: float) -> None:
    """A float is read as the decimal that it is written as."""
    found = read_quantity(f"{x:.10f}")
    assert found is not None
    assert found.value == Fraction(f"{x:.10f}")


@given(st.text(alphabet="0১2,./- ٣\U00016d70e%$½³৳kmটি×^{}", max_size=30))
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    """No text makes it fail."""
    found = read_quantity(text)
    assert found is None or same_quantity(found, found)
