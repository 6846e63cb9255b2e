"""What a model on this machine finds is kept, so that a killed run loses none of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from banglahallueval.models.store import ReplyStore
from banglahallueval.spans.detection.kept import KeptDetector
from banglahallueval.spans.types import Detection, Sample, Span
from tests.spans.making import REPEATED, TRICKY, sample

FOUND = Detection(tuple(n / 7 for n in range(len(TRICKY))), (REPEATED, Span(0, 1)))


class Counting:
    """Finds the same each time, and counts how often it is asked."""

    name = "counting"

    def __init__(self, found: Detection, model: str = "m") -> None:
        self.found, self.model, self.asked = found, model, 0

    async def detect(self, sample: Sample, again: int = 0) -> Detection:
        self.asked += 1
        return self.found

    def record(self) -> Mapping[str, Any]:
        return {"model": self.model}


async def test_what_is_found_is_found_once(tmp_path: Path) -> None:
    detector = Counting(FOUND)
    for _ in range(2):  # the second time as after a kill
        kept = KeptDetector(detector, ReplyStore(tmp_path / "store"), {"name": "m"})
        found = await kept.detect(sample("a"))
        assert [f"{score:.9g}" for score in found.scores] == [f"{n:.9g}" for n in FOUND.scores]
        assert set(found.spans) == set(FOUND.spans)
    assert detector.asked == 1
    assert kept.from_store == 1


async def test_failures_are_not_kept(tmp_path: Path) -> None:
    detector = Counting(Detection(failure="no reply: timeout"))
    kept = KeptDetector(detector, ReplyStore(tmp_path / "store"), {"name": "m"})
    for _ in range(2):
        assert (await kept.detect(sample("a"))).failure == "no reply: timeout"
    assert detector.asked == 2


async def test_other_models_and_answers_are_other_detections(tmp_path: Path) -> None:
    store = ReplyStore(tmp_path / "store")
    one, other = Counting(FOUND), Counting(FOUND, "other")
    await KeptDetector(one, store, {}).detect(sample("a"))
    await KeptDetector(one, store, {}).detect(sample("b"))
    await KeptDetector(other, store, {}).detect(sample("a"))
    assert (one.asked, other.asked) == (2, 1)
