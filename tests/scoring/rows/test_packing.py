"""Which rows a page holds, and how they are packed."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.scoring.load import load
from banglahallueval.scoring.report_command import report
from banglahallueval.scoring.rows.items import items_of, quotas
from banglahallueval.scoring.rows.marks import claims, findings
from banglahallueval.scoring.rows.packing import LONGEST_REPLY, PackedRows, pack


def unpack(packed: PackedRows) -> tuple[dict[str, Any], list[str]]:
    """Read rows as a page's script does: the columns, then the texts."""
    lines = gzip.decompress(base64.b64decode(packed.data)).decode("utf-8").splitlines()
    head, *texts = (json.loads(line) for line in lines)
    return head, [text for line in texts for text in line]


def labelled(
    folder: Path,
    output: str,
    rows: Sequence[Sequence[str]],
    columns: Sequence[str] = (),
    **named: str,
) -> None:
    """Write one judge's file of qa: per row output, label, and further cells."""
    frame = pd.DataFrame(rows, columns=[output, "is_hallucinated", *columns])
    frame = frame.assign(context="নদী পদ্মা", judge=named.get("judge", "alpha"))
    frame["question"] = named.get("question", "নাম?")
    frame.to_csv(folder / f"qa_{output}_{named.get('judge', 'alpha')}.csv", index=False)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8), st.integers(1, 200))
def test_places_are_divided_evenly(sizes: list[int], most: int) -> None:
    """No group gets more than it has, all places are given, and none that is cut gets less."""
    given_places = quotas(sizes, most)
    assert sum(given_places) == min(most, sum(sizes))
    assert all(place <= size for place, size in zip(given_places, sizes, strict=True))
    cut = [place for place, size in zip(given_places, sizes, strict=True) if place < size]
    assert all(place <= least + 1 for place in given_places for least in cut)


def test_a_page_that_is_too_small_holds_the_errors(tmp_path: Path) -> None:
    """Of each track the rows that most judges get wrong come in, then unknown ones."""
    labels = {"alpha": "no no yes yes unknown yes", "beta": "no yes yes yes yes yes"}
    for judge, each in labels.items():
        rows = [(f"উত্তর {n}", label) for n, label in enumerate(each.split())]
        labelled(tmp_path, "hallucinated_answer", rows, judge=judge)
        labelled(tmp_path, "correct_answer", [("পদ্মা", "no"), ("মেঘনা", "yes")], judge=judge)
    found = items_of(load([tmp_path]).rows, 5)
    kept = found.own.groupby("track")["row"].apply(list)
    assert (kept["main"], kept["candidates"]) == ([0, 1], [0, 1, 4])
    assert found.total == 8


def test_a_page_says_what_it_leaves_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How many of how many, by which rule, on the terminal and on the page."""
    labelled(tmp_path, "hallucinated_answer", [(f"উত্তর {n}", "yes") for n in range(4)])
    labelled(tmp_path, "correct_answer", [("পদ্মা", "no")])
    output = tmp_path / "report.html"
    assert report("doc", [str(tmp_path), "--output", str(output), "--rows", "3"]) == 0
    rule = "3 of 5 rows are in this page: as many of each task and track where there are as many"
    assert rule in capsys.readouterr().out
    assert rule in output.read_text(encoding="utf-8")


@pytest.mark.parametrize("given_rows", ["0", "-1", "many", "1.5", ""])
def test_numbers_that_are_none_are_refused(
    given_rows: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--rows` takes a whole number from 1, or all."""
    with pytest.raises(SystemExit) as stopped:
        report("doc", ["x.csv", "--rows", given_rows])
    assert stopped.value.code == 2
    expected = f"argument --rows: {given_rows!r} is not a whole number from 1, or all"
    assert expected in capsys.readouterr().err


def test_shared_texts_are_stored_once(tmp_path: Path) -> None:
    """A context of many rows and judges is one text of the table."""
    for judge in ("alpha", "beta"):
        rows = [(f"উত্তর {n}", "yes") for n in range(9)]
        labelled(tmp_path, "hallucinated_answer", rows, judge=judge)
    head, texts = unpack(pack(load([tmp_path])))
    assert texts.count("নদী পদ্মা") == 1
    assert {texts[place] for place in head["evidence"]} == {"নদী পদ্মা"}
    assert [judge["labels"] for judge in head["judges"]] == ["y" * 9] * 2


def test_the_right_answer_is_found(tmp_path: Path) -> None:
    """It is the file's own, else that of main's only row with the context and question."""
    labelled(tmp_path, "hallucinated_answer", [("যমুনা", "yes")])
    labelled(tmp_path, "correct_answer", [("পদ্মা", "no")])
    assert items_of(load([tmp_path]).rows).own["right"].to_list() == ["", "পদ্মা"]
    labelled(tmp_path, "correct_answer", [("পদ্মা", "no"), ("পদ্মা নদী", "no")])
    assert items_of(load([tmp_path]).rows).own["right"].to_list() == ["", "", ""]
    labelled(tmp_path, "hallucinated_answer", [("যমুনা", "yes", "মেঘনা")], ["right_answer"])
    assert "মেঘনা" in items_of(load([tmp_path]).rows).own["right"].to_list()


def test_a_judge_without_a_label_of_a_row_has_none(tmp_path: Path) -> None:
    """Rows of one judge only stay apart from its no and its unknown."""
    labelled(tmp_path, "hallucinated_answer", [("ক", "yes"), ("খ", "")])
    labelled(tmp_path, "hallucinated_answer", [("ক", "no")], judge="beta")
    head, texts = unpack(pack(load([tmp_path])))
    assert {judge["name"]: judge["labels"] for judge in head["judges"]} == {
        "alpha": "yu",
        "beta": "n-",
    }
    assert texts[head["judges"][0]["reason"][1]] == "blank label"


def test_repeated_rows_stay_apart(tmp_path: Path) -> None:
    """Rows with the same texts are matched in file order, and none is lost."""
    labelled(tmp_path, "hallucinated_answer", [("ক", "yes"), ("খ", "no"), ("ক", "no")])
    labelled(tmp_path, "hallucinated_answer", [("ক", "no"), ("ক", "yes")], judge="beta")
    head, _ = unpack(pack(load([tmp_path])))
    assert [judge["labels"] for judge in head["judges"]] == ["ynn", "n-y"]


def test_replies_are_cut_and_say_so(tmp_path: Path) -> None:
    """A reply of 5,000 characters is there with its first 2,000."""
    labelled(tmp_path, "hallucinated_answer", [("ক", "yes", "ক" * 5000)], ["raw_response"])
    head, texts = unpack(pack(load([tmp_path])))
    raw = texts[head["judges"][0]["raw"][0]]
    assert raw == "ক" * LONGEST_REPLY + "… (cut here; 5,000 characters)"


def test_half_a_surrogate_pair_is_packed(tmp_path: Path) -> None:
    """JSON in a cell may hold one; the page is still written, and holds it."""
    cell = '[{"start": 0, "end": 1, "reason": "\\ud800</script>"}]'
    labelled(tmp_path, "hallucinated_answer", [("ক", "yes", cell)], ["unsupported_spans"])
    head, texts = unpack(pack(load([tmp_path])))
    assert json.loads(texts[head["judges"][0]["findings"][0]]) == [[0, 1, "\ud800</script>"]]


@settings(max_examples=30)
@given(st.text(), st.text(min_size=1))
def test_any_cell_gives_findings_or_none(cell: str, output: str) -> None:
    """What is not a list of spans says nothing, and nothing raises."""
    for read in (findings(cell, output, output), claims(cell, "qa", output, output)):
        assert read == "" or json.loads(read)


def test_places_outside_the_shown_text_are_dropped() -> None:
    """Spans of a text in another form, or beyond its end, keep their reason only."""
    cell = '[{"start": 1, "end": 3, "field": "output", "reason": "x"}]'
    assert findings(cell, "abcd", "abcd") == '[[1,3,"x"]]'
    assert findings(cell, "ab", "ab") == '[[-1,-1,"x"]]'
    assert findings(cell, "ab  cd", "ab cd") == '[[-1,-1,"x"]]'
    claim = (
        '[{"claim": "c", "status": null, "supported_by": ["q"], "found_in": "context",'
        ' "spans": [[0, 2]]}]'
    )
    assert claims(claim, "qa", "abc", "abc") == '[["c","",["q"],[[0,2]]]]'
    assert claims(claim, "reasoning", "abc", "abc") == '[["c","",["q"],[]]]'
