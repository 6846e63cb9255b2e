"""Keeps what a detector that runs on this machine finds, so that a killed run goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from banglahallueval.hashing import digest
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import Reply
from banglahallueval.spans.records import Record
from banglahallueval.spans.tables import (
    DETECTION_COLUMNS,
    detection_cells,
    read_detection,
    sample_cells,
)
from banglahallueval.spans.types import Detection, Detector, Sample


class KeptDetector:
    """Looks detections up in the reply store before it makes them; implements `types.Detector`.

    Detectors that ask a model need none of this: the client keeps the model's replies.

    Attributes:
        name: The detector's own.
        from_store: How many detections the store held.
    """

    def __init__(self, detector: Detector, store: ReplyStore, identity: Mapping[str, Any]) -> None:
        """Put a detector behind a store.

        Args:
            detector: Detects what the store does not hold; its model is loaded.
            store: Where detections are kept.
            identity: What names the detector.
        """
        self.name = detector.name
        self.from_store = 0
        self._detector = detector
        self._store = store
        known = {**identity, **detector.record()}
        self._identity = json.dumps(known, sort_keys=True, ensure_ascii=False, default=str)

    async def detect(self, sample: Sample, again: int = 0) -> Detection:
        """Return what the store holds, or examine the answer; a failure is not kept."""
        key = digest([self._identity, *sample_cells(sample)])
        kept = self._store.get(key)
        if kept is not None:
            self.from_store += 1
            fields = dict(zip(DETECTION_COLUMNS, json.loads(kept.text), strict=True))
            return read_detection(Record({**fields, "answer": sample.answer}, "the store", 1))
        found = await self._detector.detect(sample, again)
        if not found.failure:
            await self._store.put(key, Reply(json.dumps(detection_cells(found))))
        return found

    def record(self) -> Mapping[str, Any]:
        """Record what the detector itself records."""
        return self._detector.record()
