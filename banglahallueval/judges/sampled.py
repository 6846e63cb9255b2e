"""One model is asked several times for each row, and its replies vote."""

from __future__ import annotations

import asyncio
import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from banglahallueval.judges.jury import NO_VOTES, majority
from banglahallueval.judges.panel import AGREEMENT_COLUMN
from banglahallueval.judges.types import Judge
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Verdict

SAMPLE_COLUMNS = ("sample_labels", AGREEMENT_COLUMN)


@dataclass(frozen=True, slots=True)
class Samples:
    """How often a model is asked for each row.

    Attributes:
        number: Replies per row, 2 or more.
        temperature: Sampling temperature, above 0.
    """

    number: int
    temperature: float

    def __str__(self) -> str:
        """For names of judges."""
        return f"{self.number} samples at {self.temperature:g}"


class SampledJudge:
    """Takes the majority of one judge's samples; implements `judges.types.Judge`.

    Attributes:
        name: The judge's.
        columns: `sample_labels`, the samples' labels in order, and `agreement`: the share of the
            votes that is on the larger side.
    """

    columns: tuple[str, ...] = SAMPLE_COLUMNS

    def __init__(self, samples: Sequence[Judge]) -> None:
        """Take the judges that draw the first, second, … sample."""
        self.name = samples[0].name
        self._samples = samples
        self._agreements = array("d")

    async def judge(self, item: Item, again: int = 0) -> Verdict:
        """Draw all samples at once; `p_hallucinated` is the share of yes among the votes.

        Without any vote, the reason is that of the first sample.
        """
        verdicts = await asyncio.gather(*(each.judge(item, again) for each in self._samples))
        decision = majority([verdict.label for verdict in verdicts])
        details = {"sample_labels": ",".join(verdict.label for verdict in verdicts)}
        if decision.agreement is not None:
            self._agreements.append(decision.agreement)
            details[AGREEMENT_COLUMN] = f"{decision.agreement:.6g}"
        return Verdict(
            decision.label,
            verdicts[0].reason if decision.reason == NO_VOTES else decision.reason,
            p_hallucinated=decision.share,
            raw=json.dumps([verdict.raw for verdict in verdicts], ensure_ascii=False),
            details=details,
        )

    def record(self) -> dict[str, Any]:
        """Record what one sample's judge records, counts of all, and the mean agreement."""
        records = [each.record() for each in self._samples]
        counted: dict[str, Any] = {
            name: sum(record[name] for record in records)
            for name in ("forced", "asked_twice")
            if name in records[0]
        }
        agreement = fmean(self._agreements) if self._agreements else None
        return {**records[0], **counted, "mean_agreement": agreement}
