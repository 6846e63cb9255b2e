"""Tests of reading the expressions on both sides of an `=`."""

from __future__ import annotations

import pytest

from banglahallueval.judges.arithmetic.expressions import Expression
from banglahallueval.judges.arithmetic.left_side import expression_left_of
from banglahallueval.judges.arithmetic.right_side import expression_right_of
from banglahallueval.judges.arithmetic.tokens import tokenise


def left(text: str) -> Expression | None:
    """Read what stands left of the `=` at the end of a text."""
    tokens, _ = tokenise(f"{text} =")
    return expression_left_of(tokens, len(tokens) - 1)


def right(text: str) -> Expression | None:
    """Read what stands right of the `=` at the start of a text."""
    return expression_right_of(tokenise(f"= {text}")[0], 0)


def plain(side: Expression | None) -> str:
    """The tokens that were taken, and a question mark if they do not say the value."""
    assert side is not None
    return " ".join(token.text for token in side.tokens) + ("" if side.understood else " ?")


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("তাই মোট ১২ + ৭", "১২ + ৭"),
        ("১৫০ টাকা + ৳২০ টাকা", "১৫০ + ২০"),
        ("৪০ কেজি / ৮ কেজি/বস্তা", "৪০ / ৮"),
        ("শনিবার ১০ + রবিবার ১২", "১০ + ১২"),
        ("(শনিবার ১০ + ২)", "( ১০ + ২ )"),
        ("২(৩ + ৪)", "২ ( ৩ + ৪ )"),
        ("২ক + ৬", "২ ক + ৬"),
        ("১৪০ এর ৪০%", "১৪০ of ৪০ %"),
        ("তার দাম এর ৫", "৫"),
        ("৩ + <<২+২=৪>>৪", "৩ + ৪"),
        ("- ৫ + ৩", "৫ + ৩"),
        ("তাপমাত্রা -৫ + ৩", "৫ + ৩"),
        ("৫ + ৩ = ৮ - ২", "৮ - ২"),
        # Something beside the expression is part of the calculation.
        ("আয় + ৩০", "৩০ ?"),
        ("আয় - খরচ ৩০", "৩০ ?"),
        ("√৯ + ৩", "৯ + ৩ ?"),
        ("পার্থক্যের ২/৩", "২ / ৩ ?"),
        ("৫ + \n৩", "৩ ?"),
        ("কমে।২৫*৮", "২৫ * ৮ ?"),
        ("৩ গুণ + ৫", "৩ + ৫ ?"),
        ("৩ ৪ + ৫", "৪ + ৫ ?"),
        ("৩ + ৪)", "৩ + ৪ ) ?"),
    ],
)
def test_left_sides(text: str, taken: str) -> None:
    """Units, labels, bullets and currency are passed over; what hides the value is noted."""
    assert plain(left(text)) == taken


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("১৯টি আম", "১৯"),
        ("প্রায় ৳১৯", "১৯"),
        ("-৫ ডিগ্রি", "- ৫"),
        ("২ × (৩ + ৪)। পরে", "২ * ( ৩ + ৪ )"),
        ("১০ টাকা + ৫ টাকা", "১০ + ৫"),
        ("২ক", "২ ক"),
        ("৩ + <<২+২=৪>>৪", "৩ + ৪"),
        ("৭৫%", "৭৫ %"),
        ("১৯ - এবং", "১৯"),
        ("১৯ = ২০", "১৯"),
        # The value is not what the tokens say.
        ("৫ গুণ ৩", "৫ ?"),
        ("৫ ৬", "৫ ?"),
        ("৫√৯", "৫ ?"),
        ("(৩ + ৪", "( ৩ + ৪ ?"),
    ],
)
def test_right_sides(text: str, taken: str) -> None:
    """A right side reaches as far as the expression goes on; what hides the value is noted."""
    assert plain(right(text)) == taken


@pytest.mark.parametrize("text", ["", "আম", "(", "+", "%", "৳", "আম ৫ + ৬"])
def test_no_expression_without_an_operand(text: str) -> None:
    """Where no operand stands right of the `=`, there is no right side."""
    assert right(text) is None


def test_sides_keep_unit_sign_and_variables() -> None:
    """An expression knows its unit, whether a dash may be its minus, and its variables."""
    side = left("-৫ + ২ক ঘন্টা")
    assert side is not None
    assert (side.unit, side.maybe_minus, side.variables) == ("ঘন্টা", True, frozenset("ক"))
    assert not side.is_single_number
    stated = right("-৫% মিনিট")
    assert stated is not None
    assert (stated.unit, stated.is_single_number) == ("মিনিট", True)
