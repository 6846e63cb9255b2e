"""Words and numbers of an output are looked up in the evidence."""

from __future__ import annotations

import pytest

from banglahallueval.judges.evidence.evidence_index import index_evidence
from banglahallueval.judges.evidence.word_analysis import analyse_word


@pytest.mark.parametrize(
    ("evidence", "word", "similarity"),
    [
        ("ঢাকা বড় শহর।", "ঢাকার", 1.0),
        ("কমল এলেন।", "কামিল", 0.9),
        ("নদী বড়।", "নাড়ি", 0.0),
        ("নদী বড়।", "পাহাড়", 0.0),
    ],
)
def test_similarity_falls_with_the_kind_of_match(
    evidence: str, word: str, similarity: float
) -> None:
    """The same stem is 1, the same consonants 0.9."""
    assert index_evidence(evidence).find(analyse_word(word)).similarity == similarity


def test_misspelt_word_matches_its_closest_key() -> None:
    """A letter too many leaves a long word similar to the evidence's."""
    evidence = index_evidence("Ekti bishwobidyaloy o ekti hospital ache.")
    similarity, occurrences = evidence.find(analyse_word("bishwobidyaloynt"))
    assert 0.7 < similarity < 0.9
    assert [evidence.raw(at) for at in occurrences.indices] == ["bishwobidyaloy"]


def test_citation_marks_are_not_numbers() -> None:
    """[7] in a context does not support a seven."""
    assert 7 not in index_evidence("নদীটি দীর্ঘ।[7]").values


@pytest.mark.parametrize(
    ("text", "value"),
    [("৩ . ৫ মিটার", 3.5), ("৩ . ০৫ মিটার", 3.05), ("3 . 14159265358979 meter", 3.14159265358979)],
)
def test_decimal_point_may_stand_between_blanks(text: str, value: float) -> None:
    """Digits after a point with blanks around it are decimals, however many there are."""
    assert value in index_evidence(text).values


def test_context_that_ends_within_a_sentence_is_truncated() -> None:
    """A context without an end of sentence at its end is known to be incomplete."""
    assert index_evidence("Gramti boro. Tar por").is_truncated
    assert not index_evidence("গ্রামটি বড়।").is_truncated
