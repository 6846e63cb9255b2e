"""Layout that reveals a track is normalised; content is not touched."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.annotation.normalise_layout import normalise_output
from banglahallueval.tasks import split_final_answer


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("রাজধানী **ঢাকা**।", "রাজধানী ঢাকা"),
        ("ঢাকা", "ঢাকা"),
        ("“ঢাকা”", "ঢাকা"),
        ("ঘুম হয় না । কী করণীয় ?", "ঘুম হয় না। কী করণীয়?"),
        ("  দুই\t ফাঁক  ", "দুই ফাঁক"),
        ("## শিরোনাম\nকথা", "শিরোনাম\nকথা"),
        ("মূল্য ৩.৫।", "মূল্য ৩.৫"),
        ("ড. মুহম্মদ", "ড. মুহম্মদ"),
    ],
)
def test_layout_of_an_answer(raw: str, shown: str) -> None:
    """Marks, spaces and closing stops that carry no content are removed."""
    assert normalise_output(raw) == shown


@pytest.mark.parametrize("raw", ["২**৩ = ৮", "৫*৩ = <<৫*৩=১৫>>১৫", "-৫", "২ * ৩ * ৪"])
def test_signs_of_arithmetic_stay(raw: str) -> None:
    """A star between numbers is a sign, not a bold mark (it was lost once, making ৫*৩ into ৫৩)."""
    assert normalise_output(raw) == raw
    assert normalise_output(raw, steps=True) == raw


def test_gold_and_generated_chains_look_the_same() -> None:
    """A `####` line, line breaks and dandas do not set gold apart from generated solutions."""
    gold = "১২*১৫ = ১৮০ টাকা\nতাই ৫ দিনে ৯০০ টাকা\n#### ৯০০"
    generated = "১২*১৫ = ১৮০ টাকা। তাই ৫ দিনে ৯০০ টাকা।"
    assert normalise_output(gold, steps=True) == normalise_output(generated, steps=True)


def test_a_decimal_point_ends_no_step() -> None:
    """A point inside or after a number is not the end of a step."""
    assert normalise_output("মোট ৩.৫ কেজি লাগে। দাম ৭.", steps=True) == "মোট ৩.৫ কেজি লাগে\nদাম ৭"


@given(st.text(alphabet="কখগ০১২ab*<>=+-–/().,।?!#\n ", max_size=60), st.booleans())
def test_words_and_numbers_are_never_changed(text: str, steps: bool) -> None:
    """Letters and digits are unchanged, except those of a closing `####` line."""
    content = regex.compile(r"[\p{L}\p{M}\p{N}]+")
    before = content.findall(split_final_answer(text)[0])
    assert content.findall(normalise_output(text, steps=steps)) == before


@given(st.text(alphabet="কখ১২ab*।.\n ", max_size=40), st.booleans())
def test_normalising_twice_changes_nothing(text: str, steps: bool) -> None:
    """A normalised output stays as it is."""
    once = normalise_output(text, steps=steps)
    assert normalise_output(once, steps=steps) == once
