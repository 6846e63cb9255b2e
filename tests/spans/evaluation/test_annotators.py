"""Marks of several people become gold answers, and are compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.spans.evaluation.annotators import agreements, read_annotators
from banglahallueval.spans.types import Sample, Span
from tests.spans.making import sample, write_gold


def write(folder: Path, **files: list[Sample]) -> list[Path]:
    return [write_gold(folder / f"{name}.csv", samples) for name, samples in files.items()]


def fault(files: list[Path]) -> str:
    with pytest.raises(UsageError) as error:
        read_annotators(files)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_rows_are_matched_by_id_in_any_order(tmp_path: Path) -> None:
    files = write(
        tmp_path,
        mina=[sample("a", "abcd", (0, 2)), sample("b", "efgh")],
        rafi=[sample("b", "efgh", (1, 2)), sample("a", "abcd", (1, 3))],
    )
    read = read_annotators(files)
    assert [each.spans for each in read.gold("union")] == [(Span(0, 3),), (Span(1, 2),)]
    assert [each.spans for each in read.gold("intersection")] == [(Span(1, 2),), ()]


def test_pairs_and_others_are_compared(tmp_path: Path) -> None:
    files = write(tmp_path, mina=[sample("a", "abcd", (0, 2))], rafi=[sample("a", "abcd", (1, 3))])
    found = agreements(read_annotators(files), {"gpt": [(Span(0, 3),)]}, seed=1)
    values = {(each.one, each.other): each.iou.value for each in found}
    assert values == {
        ("mina", "rafi"): pytest.approx(1 / 3),
        ("gpt", "union"): 1,
        ("gpt", "intersection"): pytest.approx(1 / 3),
    }


def test_line_breaks_that_became_spaces_are_no_difference(tmp_path: Path) -> None:
    files = write(tmp_path, mina=[sample("a", "ab\ncd")], rafi=[sample("a", "ab cd")])
    assert len(read_annotators(files).samples) == 1


def test_what_is_missing_or_differs_is_named(tmp_path: Path) -> None:
    mina = write(tmp_path, mina=[sample("a", "abcd"), sample("b", "efgh")])
    assert "two annotators or more" in fault(mina)
    assert "has no answer 'b'" in fault([*mina, *write(tmp_path, x=[sample("a", "abcd")])])
    other = write(tmp_path, x=[sample("a", "abcd"), sample("b", "EFGH")])
    assert "its answer 'b' is another" in fault([*mina, *other])
    twice = write(tmp_path, x=[sample("a", "abcd"), sample("a", "abcd")])
    assert "the id 'a' is there twice" in fault([*mina, *twice])
    unmarked = write(tmp_path, x=[sample("a", "abcd"), Sample("b", "efgh")])
    assert "the answer 'b' has no spans" in fault([*mina, *unmarked])
    (tmp_path / "y").mkdir()
    assert "named mina, too" in fault([*mina, *write(tmp_path / "y", mina=[sample("a", "abcd")])])


def test_the_published_annotators_agree_as_published(shared_data: Path) -> None:
    """GPT against three humans on 25 of their 50 answers."""
    folder = shared_data / "psiloqa"
    if not folder.is_dir():
        pytest.skip("needs PsiloQA's annotator files below BANGLAHALLUEVAL_DATA")
    gpt, humans = folder / "gpt.csv", sorted(folder.glob("*_annotator.csv"))
    people, machine = read_annotators(humans), read_annotators([gpt, humans[0]])
    found = agreements(people, {"gpt": machine.marks["gpt"]}, seed=1)
    against = {each.other: each.iou for each in found if each.one == "gpt"}
    assert against["union"].value == pytest.approx(0.7460, abs=5e-5)
    assert against["intersection"].value == pytest.approx(0.6905, abs=5e-5)
    assert against["union"].rows == 25
    assert against["union"].low < against["union"].value < against["union"].high
