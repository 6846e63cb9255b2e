"""Several annotators: union, intersection, and the published ones."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest

from banglahallueval.spans.agreement import intersection, same_answer, union
from banglahallueval.spans.formats import read_span_data
from banglahallueval.spans.types import Sample, Span
from banglahallueval.text.spans import iou


def test_union_and_intersection_are_those_of_characters() -> None:
    marks = [[(0, 4), (6, 8)], [(2, 7)], [(2, 3), (3, 8)]]
    assert union(marks) == (Span(0, 8),)
    assert intersection(marks) == (Span(2, 4), Span(6, 7))
    assert intersection([[(0, 4)], []]) == ()


def test_no_annotator_has_no_intersection() -> None:
    assert union([]) == ()
    with pytest.raises(ValueError, match="no annotator"):
        intersection([])


def test_line_breaks_that_became_spaces_are_the_same_answer() -> None:
    assert same_answer(Sample("a", "x\ny"), Sample("a", "x y"))
    assert not same_answer(Sample("a", "x\ny"), Sample("a", "xy"))


def test_the_published_annotators_agree_as_published(shared_data: Path) -> None:
    """GPT against the union and the intersection of three humans, on 25 of their 50 answers."""
    folder = shared_data / "psiloqa"
    if not folder.is_dir():
        pytest.skip("needs PsiloQA's annotator files below BANGLAHALLUEVAL_DATA")
    gpt, *humans = (
        read_span_data(folder / f"{name}.csv").samples
        for name in ("gpt", "1_annotator", "2_annotator", "3_annotator")
    )
    for of in humans:
        assert all(map(same_answer, gpt, of))
        assert [sample.id for sample in of] == [sample.id for sample in gpt]
    assert {sample.language for sample in gpt} == {"en"}
    found = [sample.spans or () for sample in gpt]
    marks = [[sample.spans or () for sample in row] for row in zip(*humans, strict=True)]
    assert mean(map(iou, found, map(union, marks))) == pytest.approx(0.7460, abs=5e-5)
    assert mean(map(iou, found, map(intersection, marks))) == pytest.approx(0.6905, abs=5e-5)
