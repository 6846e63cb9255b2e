"""What a document negates is known word by word."""

from __future__ import annotations

import pytest

from banglahallueval.judges.evidence.summary_check import negated_tokens
from banglahallueval.judges.evidence.tokens import tokenise


@pytest.mark.parametrize(
    ("text", "at", "negated"),
    [("জ্বর হয়নি", 1, True), ("জ্বর নেই", 0, True), ("jor nei", 0, True), ("জ্বর আছে", 0, False)],
)
def test_word_is_negated_by_itself_or_by_the_next(text: str, at: int, negated: bool) -> None:
    """A word is negated by নেই after it or by its own নি."""
    assert negated_tokens(tokenise(text))[at] is negated
