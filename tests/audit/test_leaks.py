"""What gives a candidate away is found by a trained classifier and by the feature that does it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import roc_auc_score

from banglahallueval.audit import Check, audit, read_side
from banglahallueval.audit.intervals import draw_sources, separation
from tests.audit.pairs import Rewrite, qa_pair

TRAINED = "a classifier tells by"


def found(checks: list[Check], where: str = "both") -> dict[str, Check]:
    return {check.name: check for check in checks if check.where == where}


@pytest.mark.parametrize(
    ("rewrite", "feature", "gram", "by"),
    [
        (lambda n, text: f"{text}।", "closing mark alone tells", "।⟩", "character"),
        (lambda n, text: f"{text} ।", "closing mark alone tells", "␣।", "character"),
        (lambda n, text: f"**{text}**", "bold alone tells", "**", "word"),
        (lambda n, text: f"“{text}”", "quotation marks alone tell", "“", "character"),
        (lambda n, text: f"{text}\nহ্যাঁ", "line breaks alone tell", "হ্যাঁ", "word"),
    ],
)
def test_a_mark_of_candidates_is_found_and_named(
    rewrite: Rewrite, feature: str, gram: str, by: str
) -> None:
    """Whatever all candidates bear, a classifier tells them by it, and names it."""
    checks = found(audit(*qa_pair(candidate=rewrite)))
    assert checks[feature].auroc == 1.0
    assert checks[feature].warning
    assert checks[f"{TRAINED} all of these"].auroc > 0.99
    carried = checks[f"{TRAINED} {by} n-grams"]
    assert carried.warning
    assert gram in carried.detail


def test_outputs_of_one_kind_are_not_told_apart() -> None:
    """Where gold and candidates are written alike, no figure warns."""
    checks = found(audit(*qa_pair()))
    trained = [check for name, check in checks.items() if name.startswith(TRAINED)]
    assert len(trained) == 4
    for check in trained:
        assert abs(check.auroc - 0.5) < 0.1
        assert not check.warning


def test_a_mark_of_few_is_a_leak_though_its_auroc_is_low() -> None:
    """Bold in 15 % of candidates and no gold: AUROC 0.575, and each of them is given away."""
    bold: Rewrite = lambda n, text: f"**{text}**" if n % 20 < 3 else text  # noqa: E731
    check = found(audit(*qa_pair(candidate=bold)))["bold alone tells"]
    assert check.auroc == pytest.approx(0.575)
    assert check.detail == "in 15% of candidates, 0% of gold"
    assert check.warning


def test_space_before_marks_is_a_feature_of_its_own() -> None:
    """Fault: gold that was tokenised (`ঘর ।`) and candidates that were not passed the audit."""
    pair = qa_pair(candidate=lambda n, text: f"{text}।", gold=lambda n, text: f"{text} ।")
    checks = found(audit(*pair))
    assert checks["space before marks alone tells"].auroc == 0.0
    assert checks["closing mark alone tells"].auroc == 0.5


def test_what_repeats_within_a_source_does_not_help() -> None:
    """Folds keep sources whole: a word that all outputs of one source share tells nothing."""
    pair = qa_pair(
        candidate=lambda n, text: f"শব্দ{n // 4} {text}", gold=lambda n, text: f"শব্দ{n} {text}"
    )
    check = found(audit(*pair))[f"{TRAINED} word n-grams"]
    assert check.low < 0.5 < check.high


def test_candidates_alone_are_compared_with_the_gold_beside_them() -> None:
    """One candidates file holds each gold output once per candidate; each counts once."""
    main, candidates = qa_pair(candidate=lambda n, text: f"{text}।")
    pair, alone = found(audit(main, candidates)), found(audit(candidates), "candidates")
    name = "closing mark alone tells"
    assert (alone[name].auroc, alone[name].low) == (pair[name].auroc, pair[name].low)


def test_the_known_leaks_of_the_published_files(shared_data: Path) -> None:
    """Space before the danda, closing marks and bold: what the halves are known to give away."""
    by_task = {
        task: found(
            audit(*(read_side(shared_data / f"{task}_{t}.csv") for t in ("main", "candidates")))
        )
        for task in ("summarization", "codemix")
    }
    summaries, codemix = by_task["summarization"], by_task["codemix"]
    assert 1 - summaries["space before marks alone tells"].auroc > 0.98
    assert summaries[f"{TRAINED} character n-grams"].auroc > 0.98
    assert "␣।" in summaries[f"{TRAINED} character n-grams"].detail
    assert codemix["closing mark alone tells"].auroc == pytest.approx(0.97, abs=0.01)
    assert codemix["bold alone tells"].detail == "in 13% of candidates, 0% of gold"
    assert codemix["bold alone tells"].warning


@settings(deadline=None)
@given(
    arrays(np.float64, 40, elements=st.integers(0, 5).map(float)),
    arrays(np.bool_, 40).filter(lambda truth: bool(truth.any() and not truth.all())),
)
def test_auroc_is_scikit_learns_and_lies_in_its_interval(
    scores: np.ndarray, truth: np.ndarray
) -> None:
    """Ties count half; the interval holds the value and stays within 0 and 1."""
    draws = draw_sources(np.arange(40) // 2)
    made = separation(scores[None, :], truth, draws)
    assert made.auroc == pytest.approx(roc_auc_score(truth, scores))
    assert 0 <= made.low <= made.auroc + 1e-9
    assert made.auroc - 1e-9 <= made.high <= 1


def test_a_perfect_figure_has_an_interval_with_width() -> None:
    """With 12 sources, none of which disagrees, 1.0 is no more than [0.76, 1.0]."""
    truth = np.arange(24) % 2 == 1
    made = separation(truth[None, :].astype(float), truth, draw_sources(np.arange(24) // 2))
    assert made == pytest.approx((1.0, 0.758, 1.0), abs=1e-3)
