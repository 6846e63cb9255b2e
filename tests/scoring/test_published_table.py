"""Who has a rank among the published judges: those that labelled the published rows."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from banglahallueval.scoring import published_table as module
from banglahallueval.scoring.load import Labelled
from banglahallueval.scoring.published import published
from banglahallueval.scoring.published_rows import (
    PublishedFile,
    fingerprints,
    probes,
    published_files,
    why_not_published,
)
from banglahallueval.scoring.results import results
from banglahallueval.tasks import TASKS, TRACKS
from tools.fingerprint_published import fingerprint

ROWS = 100


def rows_of(track: str, count: int = ROWS) -> pd.DataFrame:
    """Labelled rows of a judge on qa."""
    texts = [f"{track} {n}" for n in range(count)]
    frame = pd.DataFrame({"evidence": texts, "question": "কী?", "output": texts})
    label = ["no" if n % 10 else "yes" for n in range(count)]
    return frame.assign(
        task="qa", track=track, judge="mine", system="mine", prompt="", label=label, reason=""
    ).assign(p=float("nan"), pattern="", source=range(count), key=texts, file=0)


def texts_of(rows: pd.DataFrame) -> list[str]:
    """The fingerprints of rows."""
    columns = rows[["evidence", "question", "output"]]
    return fingerprints(columns.itertuples(index=False, name=None))


WHOLE = pd.concat([rows_of(track) for track in TRACKS], ignore_index=True)
KNOWN: dict[tuple[str, str], PublishedFile] = {
    ("qa", track): PublishedFile(
        ROWS, frozenset(probes(texts_of(rows_of(track, ROWS // 2)))), has_outputs=True
    )
    for track in TRACKS
}


def test_the_published_rows_are_recognised_in_any_order() -> None:
    """Spaces and normal forms do not matter either."""
    mixed = WHOLE.sample(frac=1, random_state=1)
    mixed["output"] = " " + mixed["output"] + "\n"
    assert why_not_published(mixed, KNOWN) == ""


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (WHOLE[WHOLE["track"].eq("main")], "it has no candidates rows"),
        (WHOLE.drop(index=3), "it has 99 main rows, the published file 100"),
        (WHOLE.assign(output="অন্য"), "its 100 main rows are not the published ones"),
        (
            pd.concat([rows_of("main", ROWS // 2)] * 2 + [rows_of("candidates")]),
            "its 100 main rows are not the published ones",
        ),
    ],
    ids=["one track", "a subset", "other texts", "a half twice"],
)
def test_other_rows_are_not(rows: pd.DataFrame, why: str) -> None:
    """A part of the files, other texts, and a half that fills up the number."""
    assert why_not_published(rows, KNOWN) == why


def test_candidates_are_recognised_by_their_questions_where_no_output_is_known() -> None:
    """As those of QA: other outputs for the same questions pass, other questions do not."""
    questions = rows_of("candidates", ROWS // 2).assign(output="")
    file = PublishedFile(ROWS, frozenset(probes(texts_of(questions))), has_outputs=False)
    known = {**KNOWN, ("qa", "candidates"): file}
    assert why_not_published(WHOLE, known) == ""
    other = WHOLE.assign(question=WHOLE["question"].where(WHOLE["track"].eq("main"), "কে?"))
    assert "are not the published ones" in why_not_published(other, known)
    assert not published_files()["qa", "candidates"].has_outputs


def test_a_judge_of_the_published_rows_has_its_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands among the others by BHS; with one row fewer it is only named, with the reason."""
    monkeypatch.setattr(module, "published_files", lambda: KNOWN)
    ranked = module.published_table(results(Labelled(WHOLE, ())))
    mine = ranked.frame[ranked.frame["judge"].eq("mine (this run)")].iloc[0]
    assert mine["bhs"] == 50
    others = [each.bhs for each in published() if each.task == "qa"]
    assert mine["rank"] == 1 + sum(bhs < 50 for bhs in others) == 7
    assert "Not ranked" not in ranked.note
    less = module.published_table(results(Labelled(WHOLE.drop(index=3), ())))
    assert not less.frame["judge"].str.contains("mine").any()
    assert "Not ranked on qa: mine, because it has 99 main rows" in less.note


def test_the_halves_at_hand_are_recognised_as_far_as_they_go(published_rows: Labelled) -> None:
    """Were the halves the files, their judges would rank, whatever columns their files have."""
    rows = published_rows.rows
    halves = {
        ("reasoning", "main"): 500,
        ("reasoning", "candidates"): 500,
        ("summarization", "main"): 500,
        ("summarization", "candidates"): 1500,
    }
    known = published_files()
    shorter = known | {at: replace(known[at], rows=count) for at, count in halves.items()}
    for task, judge in (("reasoning", "gemma2:27b"), ("summarization", "tigerllm-9b")):
        own = rows[rows["task"].eq(task) & rows["judge"].str.startswith(judge[:6])]
        own = own[own["judge"].eq(own["judge"].iloc[0])]
        assert why_not_published(own, shorter) == ""
        assert why_not_published(own, known).startswith("it has 500 main rows")


def test_the_fingerprints_are_those_of_the_files(shared_data: object) -> None:
    """`tools.fingerprint_published` makes the committed file."""
    known = published_files()
    for task in TASKS:
        for line in fingerprint(task):
            file = known[task, str(line["track"])]
            assert (file.rows, file.probes) == (
                line["rows"],
                frozenset(str(line["probes"]).split()),
            )
