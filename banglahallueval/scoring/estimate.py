"""Estimate of the true hallucination rate of a user's own outputs, from a judge's labels."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from banglahallueval.errors import UsageError
from banglahallueval.scoring.bootstrap import LEVEL, RESAMPLES, SEED, Floats
from banglahallueval.scoring.shares import share_of_rows


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured share.

    Attributes:
        value: The share, 0 to 1.
        rows: Effective number of independent rows it was measured on; None if unknown.
    """

    value: float
    rows: float | None = None

    @classmethod
    def parse(cls, text: str) -> Measured:
        """Read `0.8`, or `3186/4000`, which also says on how many rows.

        Raises:
            UsageError: If it is neither, or not a share.
        """
        count, slash, rows = text.partition("/")
        try:
            read = cls(int(count) / int(rows), int(rows)) if slash else cls(float(text))
        except (ValueError, ZeroDivisionError):
            raise UsageError(f"{text!r} is no share; write it as 0.8 or as 3186/4000") from None
        if not 0 <= read.value <= 1:
            raise UsageError(f"{text!r} is no share: it is not between 0 and 1")
        return read


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated rate of hallucinations.

    Attributes:
        value: The rate, 0 to 1.
        low, high: Its 95 % interval; nan where the rows of a share are not known.
        clipped: Whether the formula gave less than 0 or more than 1. Then the judge errs otherwise
            on these outputs than where it was measured, or chance did it.
        raw, detection, false_alarms: What it was computed from.
    """

    value: float
    low: float
    high: float
    clipped: bool
    raw: Measured
    detection: Measured
    false_alarms: Measured

    def as_text(self) -> str:
        """Describe the estimate in a few lines."""
        lines = [f"estimated rate of hallucinations: {self.value:.4f}"]
        if math.isnan(self.low):
            lines.append("no interval: give the shares as counts, such as 150/500")
        else:
            lines[0] += f"  95% interval {self.low:.4f} to {self.high:.4f}"
        for name, share in (
            ("raw rate", self.raw),
            ("detection", self.detection),
            ("false alarms", self.false_alarms),
        ):
            rows = f" on rows worth {share.rows:,.0f} independent ones" if share.rows else ""
            lines.append(f"{name}: {share.value:.4f}{rows}")
        if self.clipped:
            lines.append(
                "clipped: the raw rate lies outside what these error rates allow, so the judge "
                "errs otherwise on these outputs, or chance did it"
            )
        lines.append("It holds if the judge errs on these outputs as it does on the benchmark.")
        return "\n".join(lines)

    def as_json(self) -> str:
        """Render the estimate as JSON; the interval is null where there is none."""
        return json.dumps(
            {
                "rate": self.value,
                "interval": None if math.isnan(self.low) else [self.low, self.high],
                "clipped": self.clipped,
                "raw": asdict(self.raw),
                "detection": asdict(self.detection),
                "false_alarms": asdict(self.false_alarms),
            },
            indent=2,
        )


@dataclass(frozen=True, slots=True)
class Shares:
    """What a rate is estimated from.

    Attributes:
        raw: Share of the outputs that the judge calls hallucinated.
        detection: Share of hallucinated outputs that it calls so.
        false_alarms: Share of right outputs that it calls so.
        notes: What a reader of the estimate should know.
    """

    raw: Measured
    detection: Measured
    false_alarms: Measured
    notes: tuple[str, ...] = ()


def estimate_rate(raw: Measured, detection: Measured, false_alarms: Measured) -> Estimate:
    """Correct a raw rate: (raw − false alarms) / (detection − false alarms), clipped to 0–1.

    Source: Rogan & Gladen 1978 (American Journal of Epidemiology 107). The interval carries the
    uncertainty of all three shares: percentiles of the same formula over seeded draws of each from
    its Jeffreys posterior Beta(count + ½, rows − count + ½), the Bayesian interval that Flor et al.
    2020 (BMC Public Health 20) compare. A draw whose detection is not above its false alarms fits
    any rate, and counts as 0 at the lower end and as 1 at the upper.

    Args:
        raw: Share of the outputs that the judge calls hallucinated.
        detection: Share of hallucinated outputs that it calls so.
        false_alarms: Share of right outputs that it calls so.

    Raises:
        UsageError: If detection is not above false alarms, so that the labels tell nothing.
    """
    if detection.value <= false_alarms.value:
        raise UsageError(
            f"detection {detection.value:.4g} is not above false alarms {false_alarms.value:.4g}: "
            "this judge's labels tell nothing about the rate; take another judge"
        )
    value = (raw.value - false_alarms.value) / (detection.value - false_alarms.value)
    low = high = float("nan")
    if raw.rows and detection.rows and false_alarms.rows:
        rng = np.random.default_rng(SEED)
        said, found, alarmed = (_draw(rng, share) for share in (raw, detection, false_alarms))
        tells = found > alarmed
        rates = np.clip((said - alarmed) / np.where(tells, found - alarmed, 1.0), 0, 1)
        tail = (1 - LEVEL) / 2
        low = float(np.quantile(np.where(tells, rates, 0.0), tail))
        high = float(np.quantile(np.where(tells, rates, 1.0), 1 - tail))
    clipped = not 0 <= value <= 1
    return Estimate(min(max(value, 0.0), 1.0), low, high, clipped, raw, detection, false_alarms)


def measure(rows: pd.DataFrame) -> Measured:
    """Measure the share of rows labelled `yes`, and the effective number of independent rows.

    Rows of one source resemble each other, so they count as fewer independent ones, by the design
    effect (Kish 1965; `shares.share_of`).

    Args:
        rows: Rows as `load.Labelled.rows`.

    Raises:
        UsageError: If there are none.
    """
    if rows.empty:
        raise UsageError("no rows to measure a rate on")
    _, at = np.unique(rows["source"].to_numpy(), return_inverse=True)
    share = share_of_rows(at, rows["label"].eq("yes"), np.ones(len(rows)))
    return Measured(share.value, share.effective)


def measure_shares(outputs: pd.DataFrame, benchmark: pd.DataFrame) -> Shares:
    """Measure the shares on labelled rows of one judge, with one prompt, on one task.

    Args:
        outputs: Rows of somebody's own outputs, as `load.Labelled.rows`.
        benchmark: Rows of both tracks; those of other judges and tasks are left out.

    Raises:
        UsageError: If the rows are not of one judge, prompt and task, or lack a track.
    """
    kinds = outputs[["task", "judge", "prompt"]].drop_duplicates()
    if len(kinds) > 1:
        raise UsageError("--outputs holds several tasks, judges or prompts; give one of each")
    task, judge, prompt = kinds.iloc[0]
    same = benchmark[benchmark["task"].eq(task) & benchmark["judge"].eq(judge)]
    if same.empty:
        has = ", ".join(sorted(set(benchmark["judge"] + " on " + benchmark["task"])))
        raise UsageError(
            f"--benchmark has no labels of {judge} on {task} (it has {has}); measure this judge, "
            "or say with --judge that they are one"
        )
    if set(same["prompt"]) != {prompt}:
        raise UsageError(
            f"{judge} labelled the outputs with prompt {prompt or 'not recorded'!r} and the "
            f"benchmark with {', '.join(sorted(set(same['prompt'])))!r}; rates hold for one prompt "
            "(--prompt says that they are one)"
        )
    candidate = same["track"].eq("candidates")
    if candidate.all() or not candidate.any():
        raise UsageError(f"--benchmark needs {judge}'s labels of both tracks of {task}")
    return Shares(
        measure(outputs),
        measure(same[candidate]),
        measure(same[~candidate]),
        (*_unknown_note("--outputs", outputs), *_unknown_note("--benchmark", same)),
    )


def _unknown_note(flag: str, rows: pd.DataFrame) -> Iterator[str]:
    unknown = int(rows["label"].eq("unknown").sum())
    if unknown:
        yield f"{unknown} of {len(rows)} rows of {flag} are unknown and count as not hallucinated"


def _draw(rng: np.random.Generator, share: Measured) -> Floats:
    rows = share.rows or 0.0
    count = share.value * rows
    return rng.beta(count + 0.5, rows - count + 0.5, size=RESAMPLES)
