"""Faults of benchmark files: the known values, and small files made wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

from banglahallueval.audit import Check, Side, audit, make_side, read_side
from banglahallueval.errors import UsageError


def by_name(checks: Sequence[Check], where: str) -> dict[str, Check]:
    return {check.name: check for check in checks if check.where == where}


@pytest.fixture(scope="module")
def codemix(shared_data: Path) -> list[Check]:
    return audit(
        read_side(shared_data / "codemix_main.csv"),
        read_side(shared_data / "codemix_candidates.csv"),
    )


def test_codemix_right_values(codemix: list[Check]) -> None:
    """The halves of the published code-mixed files show the known faults."""
    main, candidates = by_name(codemix, "main"), by_name(codemix, "candidates")
    assert main["contexts not closed by a final mark"].count == 225
    assert main["right answer verbatim in its context"].count == 283
    assert main["right answer verbatim in its context"].where_seen == "217 lack it"
    assert main["right answer in its context, ignoring case"].count == 330
    assert candidates["code-mixed outputs with Bengali letters"].count == 34
    assert candidates["code-mixed outputs that are not ASCII"].count == 63
    assert candidates["candidates equal to the right output"].count == 0
    assert by_name(codemix, "both")["length alone tells"].auroc == pytest.approx(0.964, abs=5e-4)


def test_duplicate_ids_of_the_halves(codemix: list[Check]) -> None:
    """One main item occurs twice, and so its four candidates' ids."""
    assert by_name(codemix, "main")["duplicate ids"].count == 1
    assert by_name(codemix, "candidates")["duplicate ids"].count == 4


def test_reasoning_right_values(shared_data: Path) -> None:
    """23 of 500 chains end in the right answer; the closing line tells the tracks apart wholly."""
    checks = audit(
        read_side(shared_data / "reasoning_main.csv"),
        read_side(shared_data / "reasoning_candidates.csv"),
    )
    found = by_name(checks, "candidates")["chains whose final answer is right"]
    assert (found.count, found.of) == (23, 500)
    assert by_name(checks, "both")["#### alone tells"].auroc < 0.01
    assert by_name(checks, "both")["#### alone tells"].warning


def test_qa_and_summarization_files_are_what_they_claim(shared_data: Path) -> None:
    """Every right answer is in its Bengali context, and no document is a question."""
    qa = by_name(audit(read_side(shared_data / "qa_main.csv")), "main")
    assert qa["right answer verbatim in its context"].count == 500
    summaries = by_name(
        audit(read_side(shared_data / "summarization_candidates.csv")), "candidates"
    )
    assert summaries["documents that are one question (wrong file?)"].count == 0


def candidates(**columns: list[str]) -> Side:
    rows: dict[str, list[str]] = {
        "id": ["1::Intrinsic", "2::Intrinsic"],
        "source_id": ["1", "2"],
        "pattern": ["Intrinsic"] * 2,
        "document": ["রোগীর জ্বর তিন দিন ধরে। কাশিও আছে।", "মাথা ব্যথা। ঘুম হয় না।"],
        "right_summary": ["জ্বর ও কাশি।", "মাথা ব্যথা।"],
        "hallucinated_summary": ["জ্বর ও বমি।", "দাঁত ব্যথা।"],
    }
    return make_side(pd.DataFrame(rows | columns, dtype=str), None, None, "file")


def test_the_wrong_file_under_a_familiar_name_is_seen() -> None:
    """Fault: summaries were made from QA questions, with blank sources and ids of pattern only."""
    side = candidates(
        id=["::Intrinsic", "::Intrinsic"],
        source_id=["", ""],
        right_summary=["", ""],
        document=["বাংলাদেশের রাজধানীর নাম কী?", "জে. কে. রাউলিং-এর মায়ের নাম কী?"],
    )
    found = by_name(audit(side), "candidates")
    for name in (
        "documents that are one question (wrong file?)",
        "blank ids",
        "blank source_id",
        "blank right_summary",
    ):
        assert (found[name].count, found[name].warning) == (2, True)


def test_candidates_equal_to_gold_and_cut_ones_are_seen() -> None:
    """Case and spaces do not make a candidate differ; an open end is a cut."""
    side = candidates(hallucinated_summary=["জ্বর  ও কাশি।", "দাঁত"])
    found = by_name(audit(side), "candidates")
    assert found["candidates equal to the right output"].rows == (0,)
    assert found["outputs not closed by a final mark"].rows == (1,)


def test_replies_that_are_no_answer_are_seen() -> None:
    """Fault: generation wrote ERROR and NA as if they were answers."""
    found = by_name(audit(candidates(hallucinated_summary=["ERROR", " na "])), "candidates")
    assert found["outputs that are no answer (ERROR, NA, …)"].count == 2


def test_two_files_that_are_no_pair_are_refused() -> None:
    """Two candidates files, or files of two tasks, are a wrong call."""
    with pytest.raises(UsageError, match="not one main and one candidates"):
        audit(candidates(), candidates())
