"""The years of a life in brackets are told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from banglahallueval.judges.evidence import judge_item
from banglahallueval.tasks import Item

LIFE = Item("codemix", "Suman Ray kobe mrittuboron koren?", "", "")


@pytest.mark.parametrize(
    "context",
    [
        "Suman Ray (1954 - 1999) ekjon gayok.",
        "Suman Ray (3 March 1954 – 21 May 1999) ekjon gayok.",
        "Suman Ray (Khulna, 1954—Dhaka, 1999) ekjon gayok.",
    ],
)
def test_second_year_in_brackets_is_the_death(context: str) -> None:
    """Asked for a death, the second year is likelier right than the first."""
    death, birth = (
        judge_item(replace(LIFE, context=context, output=year)) for year in ("1999", "1954")
    )
    assert death.p_hallucinated is not None
    assert birth.p_hallucinated is not None
    assert death.p_hallucinated < birth.p_hallucinated
