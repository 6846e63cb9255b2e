"""Whether surface features leak the track, on our sheets and on sheets drawn as published."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from banglahallueval.annotation.blinding import find_shared_orders, read_tracks
from banglahallueval.annotation.forms import FORMS
from banglahallueval.annotation.pool import read_task
from banglahallueval.annotation.sampling import Design, draw
from banglahallueval.annotation.track_leak import auroc, describe_leak, measure_leak
from banglahallueval.errors import UsageError
from banglahallueval.tasks import TASKS, TaskName
from tests.annotation.pools import as_sheet, published_way, qa_pool


@pytest.mark.parametrize("seed", [1, 2, 42])
def test_our_sheets_are_blind(seed: int) -> None:
    """The interval of the AUC covers 0.5 on a sheet drawn in matched sets."""
    pool = qa_pool()
    leak = measure_leak(*as_sheet(pool, draw(pool, Design(120, 30, seed))))
    assert leak.low <= 0.5 <= leak.high
    assert "not shown to beat chance" in describe_leak(leak)


def test_published_sheets_are_not_blind() -> None:
    """The interval lies above 0.5 where passages repeat and nothing is matched."""
    pool = qa_pool()
    leak = measure_leak(*as_sheet(pool, published_way(pool)))
    assert leak.low > 0.5
    assert not leak.is_blind
    assert "THE TRACK LEAKS" in describe_leak(leak)


@pytest.mark.parametrize(
    ("task", "sizes"),
    [("codemix", (200, 50)), ("summarization", (150, 50)), ("reasoning", (250, 50))],
)
def test_real_files_give_blind_sheets(
    shared_data: Path, task: TaskName, sizes: tuple[int, int]
) -> None:
    """On the benchmark's rows the interval covers 0.5; drawn as published, it lies above."""
    files = {t: shared_data / f"{task}_{t}.csv" for t in TASKS[task].files}
    pool = read_task(TASKS[task], files)
    drawn = draw(pool, Design(*sizes, seed=42))
    leak = measure_leak(*as_sheet(pool, drawn))
    assert leak.gold >= 15
    assert leak.low <= 0.5 <= leak.high
    assert measure_leak(*as_sheet(pool, published_way(pool))).low > 0.5


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2))
def test_the_auc_is_scikit_learns(items: list[tuple[bool, int]]) -> None:
    """Ties count half."""
    truth, scores = np.array([t for t, _ in items]), np.array([float(s) for _, s in items])
    if truth.any() and not truth.all():
        assert auroc(truth, scores) == pytest.approx(roc_auc_score(truth, scores))


def test_final_answer_lines_leak_the_track() -> None:
    """A `####` line in gold alone is found, however well the rest is matched."""
    pool = qa_pool()
    sheet, tracks, sets = as_sheet(pool, draw(pool, Design(80, 20, 42)))
    for blind_id, texts in sheet.rows:
        if tracks[blind_id] == "main":
            texts["answer"] += "\n#### ৫"  # type: ignore[index]
    leak = measure_leak(sheet, tracks, sets)
    assert leak.auc > 0.95
    assert leak.low > 0.7
    assert {"#### line", "lines"} & {name for name, _ in leak.strongest}


def test_too_few_items_give_no_number() -> None:
    """Below five items of a track there is no AUC, and the line says so."""
    pool = qa_pool()
    leak = measure_leak(*as_sheet(pool, draw(pool, Design(16, 4, 42))))
    assert leak.auc != leak.auc
    assert leak.is_blind
    assert "too few" in describe_leak(leak)


@pytest.mark.parametrize("gold_in_one_set", [True, False])
def test_tracks_that_no_split_can_hold_apart_give_no_number(gold_in_one_set: bool) -> None:
    """Where a split would train on one track alone, there is no AUC.

    Regression: a key with one matched set put all items into one fold, and nan counted as blind.
    """
    pool = qa_pool()
    sheet, tracks, _ = as_sheet(pool, draw(pool, Design(80, 20, 42)))
    gold = [blind_id for blind_id, track in tracks.items() if track == "main"]
    sets = dict.fromkeys(gold if gold_in_one_set else tracks, "0")
    assert "too few items" in describe_leak(measure_leak(sheet, tracks, sets))


def test_seeds_of_any_size_are_taken() -> None:
    """A seed beyond the 32 bits that scikit-learn takes draws and measures all the same."""
    pool = qa_pool(sources=60)
    sample = draw(pool, Design(24, 6, seed=2**40))
    assert 0 <= measure_leak(*as_sheet(pool, sample), seed=2**32 - 1).auc <= 1


def test_a_shared_shuffle_is_found() -> None:
    """Two sheets with their tracks in the same places are named; independent ones are not."""
    pools = [qa_pool(form=name) for name in ("qa", "codemix")]
    drawn = [draw(pool, Design(80, 20, 42)) for pool in pools]
    orders = {name: [e.track for e in d.entries] for name, d in zip("ab", drawn, strict=True)}
    assert find_shared_orders(orders) == []  # type: ignore[arg-type]
    (found,) = find_shared_orders({"qa": orders["a"], "codemix": orders["a"]})  # type: ignore[dict-item]
    assert found.same == 1


def test_published_keys_are_read() -> None:
    """`split` or a blank `hallucination_type` give the track as ours do."""
    key = pd.DataFrame({"hallucination_type": ["", "factualness"]}, index=["qa-0001", "qa-0002"])
    assert list(read_tracks(key, Path("key.csv")).values()) == ["main", "candidates"]
    key = pd.DataFrame({"split": ["gold", "hallucinated"]}, index=["qa-0001", "qa-0002"])
    assert list(read_tracks(key, Path("key.csv")).values()) == ["main", "candidates"]
    with pytest.raises(UsageError, match="is not a key"):
        read_tracks(pd.DataFrame({"x": ["1"]}, index=["qa-0001"]), Path("key.csv"))


def test_forms_without_tracks_have_no_task() -> None:
    """Conversion and model outputs have no tracks to hide."""
    assert [name for name, form in FORMS.items() if form.task is None] == [
        "conversion",
        "model_outputs",
    ]
