"""Time per item, and items labelled faster than they can be read."""

from __future__ import annotations

from banglahallueval.annotation.forms import FORMS, Sheet
from banglahallueval.annotation.labels import Labels
from banglahallueval.annotation.pace import pace_lines, pace_tables, too_fast


def labels(*seconds: float) -> Labels:
    """Labels of one annotator who took so long for each item."""
    items = [f"qa-00{place + 1}" for place in range(len(seconds))]
    found = Labels(FORMS["qa"], items)
    found.answers["asha"] = {"is_hallucinated": dict.fromkeys(items, "yes")}
    found.seconds["asha"] = dict(zip(items, seconds, strict=True))
    return found


def sheet(*lengths: int) -> Sheet:
    rows = [
        (f"qa-00{place + 1}", {"context": "ক" * (length - 2), "question": "খ", "answer": "গ"})
        for place, length in enumerate(lengths)
    ]
    return Sheet("p", FORMS["qa"], rows)


def test_too_fast_is_sixty_characters_a_second_or_two_seconds() -> None:
    given = labels(9.9, 10.0, 1.9, 2.0)
    assert too_fast(given, "asha", sheet(600, 600, 60, 60)) == {"qa-001": 10.0, "qa-003": 2.0}
    assert too_fast(given, "asha", None) == {"qa-003": 2.0}


def test_items_seen_but_not_labelled_are_not_too_fast() -> None:
    given = labels(1.0)
    given.answers["asha"]["is_hallucinated"].clear()
    assert too_fast(given, "asha", None) == {}


def test_items_seen_but_not_labelled_are_not_in_the_median() -> None:
    given = labels(1.0, 30.0, 60.0)
    del given.answers["asha"]["is_hallucinated"]["qa-001"]
    row = next(iter(pace_tables(given, None))).frame.iloc[0]
    assert (row["items"], row["median_seconds"], row["total_minutes"]) == (2, 45.0, 91 / 60)


def test_tables_and_lines_tell_the_median_and_the_items() -> None:
    given = labels(1.0, 30.0, 60.0)
    summary, items = pace_tables(given, None)
    assert summary.frame.to_dict("records") == [
        {
            "annotator": "asha",
            "items": 3,
            "median_seconds": 30.0,
            "total_minutes": 91 / 60,
            "too_fast": 1,
        }
    ]
    assert items.frame["blind_id"].tolist() == ["qa-001"]
    assert list(pace_lines(given, None)) == [
        "qa: asha: 1 labelled faster than they can be read: qa-001 (1.0 s of 2.0)"
    ]


def test_without_times_there_are_no_tables() -> None:
    given = labels()
    assert list(pace_tables(given, None)) == []
    assert list(pace_lines(given, None)) == []
