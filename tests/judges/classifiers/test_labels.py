"""What a classifier's labels mean is read from their names, or refused."""

from __future__ import annotations

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.judges.classifiers.labels import supported_label, supported_token_labels


@pytest.mark.parametrize(
    ("names", "supported"),
    [
        (("LABEL_0", "LABEL_1"), {0}),  # LettuceDetect v1, PsiloQA
        (("0", "1"), {0}),
        (("supported", "hallucinated"), {0}),
        (("HALLUCINATED", "SUPPORTED"), {1}),
        (("hallucinated", "not_hallucinated"), {1}),
        (("LABEL_0", "hallucinated"), {0}),
        (("O", "B-HAL", "I-HAL"), {0}),
        (("entity", "number", "supported"), {2}),
    ],
)
def test_token_labels_that_are_no_hallucination(
    names: tuple[str, ...], supported: set[int]
) -> None:
    assert supported_token_labels(dict(enumerate(names)), "m") == supported


@pytest.mark.parametrize(
    "names", [("LABEL_0", "LABEL_1", "LABEL_2"), ("PER", "LOC"), ("LABEL_0",), ("supported",)]
)
def test_unknown_token_labels_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match=r"--model m: its labels are .*id2label"):
        supported_token_labels(dict(enumerate(names)), "m")


@pytest.mark.parametrize(
    ("names", "supported"),
    [
        (("entailment", "neutral", "contradiction"), 0),
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), 2),
        (("contradiction", "entailment", "neutral"), 1),
        (("entailment", "not_entailment"), 0),
        (("unsupported", "supported"), 1),
        (("0", "1"), 1),  # MiniCheck
    ],
)
def test_the_label_that_says_supported(names: tuple[str, ...], supported: int) -> None:
    assert supported_label(dict(enumerate(names)), "m") == supported


@pytest.mark.parametrize(
    "names",
    [("LABEL_0", "LABEL_1"), ("LABEL_0", "LABEL_1", "LABEL_2"), ("entailment",), ("good", "bad")],
)
def test_unknown_pair_labels_are_refused(names: tuple[str, ...]) -> None:
    """A guess at the order would turn every label around."""
    with pytest.raises(UsageError, match="none is known as entailment or supported"):
        supported_label(dict(enumerate(names)), "m")
