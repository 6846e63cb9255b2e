"""Evaluations become sections of the page of all results."""

from __future__ import annotations

from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.spans.evaluation.files import write_evaluation
from banglahallueval.spans.evaluation.section import find_sections
from tests.in_process import run_script
from tests.spans.evaluation.test_files import made

TABLE = '{"results": {"title": "x", "note": "", "rows": [{"a": 1}]}}'


def test_a_folder_and_its_file_are_recognised(tmp_path: Path) -> None:
    write_evaluation(made(tmp_path), tmp_path / "deep" / "out")
    write_evaluation(made(tmp_path), tmp_path / "alone.json")
    for given in (tmp_path / "deep", tmp_path / "deep" / "out" / "results.json"):
        (section,) = find_sections(given)
        assert section.title.endswith("out")
        assert [table.name for table in section.tables] == ["results"]
        assert "<mark" in section.markup
        assert section.record["gold"]["answers"] == 3
    (section,) = find_sections(tmp_path / "alone.json")
    assert section.title.endswith("alone.json")


def test_other_things_are_no_sections(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text('{"kind": "abstention"}', encoding="utf-8")
    (tmp_path / "labelled.csv").write_text("is_hallucinated\nyes\n", encoding="utf-8")
    for given in (tmp_path, tmp_path / "results.json", tmp_path / "labelled.csv", tmp_path / "x"):
        assert find_sections(given) == []


@pytest.mark.parametrize(
    "answers",
    ['[{"found": {"it": {}}}]', '[{"id": "a"}]', "[1]", '[{"answer": 1, "found": {"it": 1}}]'],
)
def test_a_damaged_file_is_named(tmp_path: Path, answers: str) -> None:
    path = tmp_path / "results.json"
    path.write_text(
        f'{{"kind": "span evaluation", "tables": {TABLE}, "notes": [], "conventions": [],'
        f' "answers": {answers}}}',
        encoding="utf-8",
    )
    with pytest.raises(UsageError, match="damaged evaluation"):
        find_sections(path)


def test_a_page_names_what_is_damaged(tmp_path: Path) -> None:
    """The rest of the page is written, and the exit status is 1."""
    write_evaluation(made(tmp_path), tmp_path / "out")
    (tmp_path / "x.json").write_text('{"kind": "span evaluation"}', encoding="utf-8")
    page = tmp_path / "report.html"
    done = run_script("scripts/report.py", tmp_path / "out", tmp_path / "x.json", "--output", page)
    assert done.code == 1
    assert "left out: " in done.err
    assert "damaged evaluation" in done.err
    assert "span-gold" in page.read_text(encoding="utf-8")
