"""Whether looks tell the track, on our sheets and on sheets made the published way."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from banglahallueval.annotation.blinding import guess_track, in_words, shared_orders, tracks_of
from banglahallueval.annotation.forms import FORMS
from banglahallueval.annotation.pool import read_task
from banglahallueval.annotation.sampling import Design, draw
from banglahallueval.errors import UsageError
from banglahallueval.tasks import TASKS, TaskName
from tests.annotation.pools import as_sheet, published_way, qa_pool


@pytest.mark.parametrize("seed", [1, 2, 42])
def test_our_sheets_are_blind(seed: int) -> None:
    """The interval of the guess covers 0.5 on a sheet drawn in look-alike sets."""
    pool = qa_pool()
    guess = guess_track(*as_sheet(pool, draw(pool, Design(120, 30, seed))))
    assert guess.low <= 0.5 <= guess.high
    assert "no better than chance" in in_words(guess)


def test_published_sheets_are_not_blind() -> None:
    """The interval lies above 0.5 where passages repeat and looks are as they come."""
    pool = qa_pool()
    guess = guess_track(*as_sheet(pool, published_way(pool)))
    assert guess.low > 0.5
    assert not guess.is_blind
    assert "THE TRACK SHOWS" in in_words(guess)


@pytest.mark.parametrize(
    ("task", "sizes"),
    [("codemix", (200, 50)), ("summarization", (150, 50)), ("reasoning", (250, 50))],
)
def test_real_files_give_blind_sheets(
    shared_data: Path, task: TaskName, sizes: tuple[int, int]
) -> None:
    """On the benchmark's own rows the interval covers 0.5; the published way it lies above."""
    files = {t: shared_data / f"{task}_{t}.csv" for t in TASKS[task].files}
    pool = read_task(TASKS[task], files)
    drawn = draw(pool, Design(*sizes, seed=42))
    guess = guess_track(*as_sheet(pool, drawn))
    assert guess.gold >= 15
    assert guess.low <= 0.5 <= guess.high
    assert guess_track(*as_sheet(pool, published_way(pool))).low > 0.5


def test_final_answer_lines_would_tell() -> None:
    """A `####` line in gold alone is found out, whatever else looks alike."""
    pool = qa_pool()
    sheet, tracks, sets = as_sheet(pool, draw(pool, Design(80, 20, 42)))
    for blind_id, texts in sheet.rows:
        if tracks[blind_id] == "main":
            texts["answer"] += "\n#### ৫"  # type: ignore[index]
    guess = guess_track(sheet, tracks, sets)
    assert guess.auc > 0.95
    assert guess.low > 0.7
    assert {"#### line", "lines"} & {name for name, _ in guess.tells}


def test_too_few_items_give_no_number() -> None:
    """Below five of a track there is nothing to learn from, and it is said."""
    pool = qa_pool()
    guess = guess_track(*as_sheet(pool, draw(pool, Design(16, 4, 42))))
    assert guess.auc != guess.auc
    assert guess.is_blind
    assert "too few" in in_words(guess)


def test_a_shared_shuffle_is_found() -> None:
    """Two sheets with their tracks in the same places are named; independent ones are not."""
    pools = [qa_pool(form=name) for name in ("qa", "codemix")]
    drawn = [draw(pool, Design(80, 20, 42)) for pool in pools]
    orders = {name: [e.track for e in d.entries] for name, d in zip("ab", drawn, strict=True)}
    assert shared_orders(orders) == []  # type: ignore[arg-type]
    (found,) = shared_orders({"qa": orders["a"], "codemix": orders["a"]})  # type: ignore[dict-item]
    assert found.same == 1


def test_published_keys_are_read() -> None:
    """`split` or a blank `hallucination_type` tell the track as ours do."""
    key = pd.DataFrame({"hallucination_type": ["", "factualness"]}, index=["qa-0001", "qa-0002"])
    assert list(tracks_of(key, Path("key.csv")).values()) == ["main", "candidates"]
    key = pd.DataFrame({"split": ["gold", "hallucinated"]}, index=["qa-0001", "qa-0002"])
    assert list(tracks_of(key, Path("key.csv")).values()) == ["main", "candidates"]
    with pytest.raises(UsageError, match="tells no tracks"):
        tracks_of(pd.DataFrame({"x": ["1"]}, index=["qa-0001"]), Path("key.csv"))


def test_forms_without_tracks_have_no_task() -> None:
    """Conversion and model outputs have no tracks to hide."""
    assert [name for name, form in FORMS.items() if form.task is None] == [
        "conversion",
        "model_outputs",
    ]
