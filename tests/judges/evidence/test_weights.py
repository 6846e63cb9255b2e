"""The shipped weights fit the features, and the judge uses the weights it is given."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from banglahallueval.judges.evidence import judge_item
from banglahallueval.judges.evidence.answer_check import ANSWER_FEATURES
from banglahallueval.judges.evidence.claim_check import CLAIM_FEATURES
from banglahallueval.judges.evidence.location_features import LOCATION_FEATURES
from banglahallueval.judges.evidence.weights import shipped_weights
from banglahallueval.tasks import Item

ITEM = Item(
    "codemix",
    "Rupsha setu kobe uddhodhon kora hoy?",
    "Rupsha setu 2003 sale shuru hoy. Setuti 2005 sale uddhodhon kora hoy.",
    "2005 sale",
)


def test_shipped_weights_name_every_feature() -> None:
    """A feature without a weight, or in another order, would be weighed wrongly."""
    weights = shipped_weights()
    assert tuple(weights.location) == LOCATION_FEATURES
    assert tuple(weights.answer) == ANSWER_FEATURES
    assert tuple(weights.summary) == CLAIM_FEATURES
    assert set(weights.intercepts) == {"codemix", "qa", "summarization"}


def test_shipped_weights_tell_their_provenance() -> None:
    """The file says which program fitted them, and on how many rows."""
    provenance = shipped_weights().provenance
    assert provenance["program"] == "python -m tools.fit_evidence --write"
    assert provenance["rows"] == {
        "codemix, published": 2500,
        "codemix, contrast set": 264,
        "qa, published": 540,
        "qa, contrast set": 264,
        "summarization, published": 2000,
        "summarization, contrast set": 264,
    }


def test_weights_cannot_be_replaced_in_place() -> None:
    """A fit makes new weights."""
    with pytest.raises(FrozenInstanceError):
        shipped_weights().intercepts = {}  # type: ignore[misc]


def test_judge_uses_the_weights_it_is_given() -> None:
    """Other weights judge alike items differently, and leave the shipped ones as they are."""
    shipped = shipped_weights()
    strict = replace(shipped, intercepts={**shipped.intercepts, "codemix": 50.0})
    astray = replace(shipped, location={name: -w for name, w in shipped.location.items()})
    before = judge_item(ITEM)
    assert before.label == "no"
    assert judge_item(ITEM, strict).label == "yes"
    assert judge_item(ITEM, astray).p_hallucinated != before.p_hallucinated
    assert judge_item(ITEM) == before
