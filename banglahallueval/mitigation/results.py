"""Labelled arms become figures: error rates, paired differences, costs, what E-CoT's claims say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from banglahallueval.io.records import read_record
from banglahallueval.io.tables import read_frame
from banglahallueval.mitigation.arms import STYLES, Arm, Style
from banglahallueval.mitigation.judges import StudyJudge
from banglahallueval.models.prices import cost
from banglahallueval.models.store import stored_tokens
from banglahallueval.scoring.compare import Comparison, compare, holm
from banglahallueval.scoring.load import load
from banglahallueval.scoring.rates import Rate, Scores, mean_bhs, score
from banglahallueval.tasks import TASKS, TaskName


@dataclass(frozen=True, slots=True)
class Spent:
    """What replies took; of every run that has asked for them.

    Attributes:
        prompt_tokens, completion_tokens: As the servers counted them.
        usd: At list price; None where no price is known.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = 0.0

    def __add__(self, other: Spent) -> Spent:
        """Add two of them up."""
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Spent(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            usd,
        )


@dataclass(frozen=True, slots=True)
class Claims:
    """What the claims of an E-CoT arm come to.

    Attributes:
        divergence: Share of rows with both verdicts in which rule and model differ.
        false_citations: Share of claims called supported, and cited, whose words are not there.
        false_contradictions: The same of claims called contradicted, cited or not.
    """

    divergence: float
    false_citations: float
    false_contradictions: float


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """A judge with one kind of prompt on one task, both tracks together.

    Attributes:
        judge, style, task: Which.
        rows: Rows labelled.
        unknown: Of these without a label; no alarm on main, a miss on candidates.
        scores: Rates and BHS.
        spent: Tokens and cost.
        claims: Of E-CoT.
        leaks: Whether main rows were judged against themselves, so that alarms mean nothing.
    """

    judge: StudyJudge
    style: Style
    task: TaskName
    rows: int
    unknown: int
    scores: Scores
    spent: Spent
    claims: Claims | None
    leaks: bool


@dataclass(frozen=True, slots=True)
class Study:
    """Everything computed from a study's labelled files.

    Attributes:
        rows: One row per labelled row, as `scoring.load.Labelled.rows`, with its `arm`.
        frames: Per arm its file's cells.
        figures: Per judge, task and style.
        means: Per judge and style the mean BHS over the tasks that all its styles have.
        comparisons: Per judge the styles of a task compared on the same rows; a later style comes
            first, so that a difference below 0 is an improvement.
    """

    rows: pd.DataFrame
    frames: dict[Arm, pd.DataFrame]
    figures: list[ArmFigures]
    means: list[tuple[StudyJudge, Style, tuple[TaskName, ...], Rate]]
    comparisons: list[tuple[StudyJudge, Comparison]]


def study(arms: Sequence[Arm]) -> Study:
    """Compute the figures of the arms that have an output.

    Raises:
        UsageError: If an output cannot be read.
    """
    done = sorted(
        (arm for arm in arms if arm.output.exists()), key=lambda arm: -STYLES.index(arm.style)
    )
    rows = load([arm.output for arm in done]).rows
    rows["arm"] = rows["file"]
    rows["judge"] = [str(done[number].judge) for number in rows["file"]]
    rows["system"] = [done[number].style for number in rows["file"]]
    frames = {arm: read_frame(arm.output) for arm in done}
    figures = list(_figures(done, rows, frames))
    return Study(rows, frames, figures, list(_means(figures)), _comparisons(done, rows))


def spent(arm: Arm) -> Spent:
    """Sum up what an arm's replies took: by its store, else by its record.

    The store knows the replies of killed runs too, which have written no record; but not which of
    several models gave them, so a panel goes by the record, which counts what the store gave.
    """
    store = arm.output.with_name(arm.output.name + ".replies.sqlite")
    runs = (read_record(arm.output) or {}).get("runs", [])
    if len(arm.judge.models) > 1:
        replies = [run["replies"] for run in runs if "replies" in run]
        return sum((Spent(**_renamed(each)) for each in replies), Spent())
    if store.exists():
        prompt, completion = stored_tokens(store)
    else:
        prompt = sum(run.get("prompt_tokens", 0) for run in runs)
        completion = sum(run.get("completion_tokens", 0) for run in runs)
    (model,) = arm.judge.models
    return Spent(prompt, completion, cost(model.provider, model.model, prompt, completion))


def _renamed(replies: Mapping[str, Any]) -> dict[str, Any]:
    return {"usd" if name == "cost_usd" else name: value for name, value in replies.items()}


def leaks(path: Path) -> bool:
    """Whether a file's rows were judged with themselves as evidence: reasoning main with gold."""
    record = read_record(path) or {}
    return bool(
        record.get("task") == "reasoning"
        and record.get("track") == "main"
        and record.get("judge", {}).get("evidence") == "gold"
    )


def _figures(
    arms: Sequence[Arm],
    rows: pd.DataFrame,
    frames: dict[Arm, pd.DataFrame],
) -> Iterator[ArmFigures]:
    together: dict[tuple[StudyJudge, TaskName, Style], list[int]] = {}
    for number, arm in enumerate(arms):
        together.setdefault((arm.judge, arm.task, arm.style), []).append(number)
    order = {judge: place for place, judge in enumerate(dict.fromkeys(a.judge for a in arms))}
    for (judge, task, style), numbers in sorted(
        together.items(),
        key=lambda each: (order[each[0][0]], [*TASKS].index(each[0][1]), STYLES.index(each[0][2])),
    ):
        of = rows[rows["arm"].isin(numbers)]
        yes = of["label"].eq("yes").to_numpy()
        candidate = of["track"].eq("candidates").to_numpy()
        total = Spent()
        for number in numbers:
            total += spent(arms[number])
        yield ArmFigures(
            judge,
            style,
            task,
            rows=len(of),
            unknown=int(of["label"].eq("unknown").sum()),
            scores=score(candidate, yes, of["source"].to_numpy()),
            spent=total,
            claims=_claims([frames[arms[n]] for n in numbers]),
            leaks=any(leaks(arms[number].output) for number in numbers),
        )


def _claims(frames: Sequence[pd.DataFrame]) -> Claims | None:
    """Sum up the claims of E-CoT; None of other prompts, and of panels, which keep labels only."""
    frame = pd.concat(frames, ignore_index=True)
    if "divergence" not in frame.columns:
        return None
    both = frame["divergence"][frame["divergence"].ne("")]
    return Claims(
        float(both.eq("yes").mean()) if len(both) else float("nan"),
        _false_share(frame, "num_supported", "false_citations"),
        _false_share(frame, "num_contradicted", "false_contradictions"),
    )


def _false_share(frame: pd.DataFrame, stands: str, false: str) -> float:
    if false not in frame.columns:  # labelled before there was the column
        return float("nan")
    checked = frame[frame[false].ne("") & frame[false].notna()]
    standing, failed = (float(pd.to_numeric(checked[name]).sum()) for name in (stands, false))
    return failed / (standing + failed) if standing + failed else float("nan")


def _means(
    figures: Sequence[ArmFigures],
) -> Iterator[tuple[StudyJudge, Style, tuple[TaskName, ...], Rate]]:
    for judge in dict.fromkeys(each.judge for each in figures):
        own = [each for each in figures if each.judge == judge and each.scores.bhs.rows]
        by_style = {
            style: {each.task: each.scores for each in own if each.style == style}
            for style in dict.fromkeys(each.style for each in own)
        }
        shared = tuple(t for t in TASKS if all(t in of for of in by_style.values()))
        if len(shared) > 1:
            for style, of in by_style.items():
                yield judge, style, shared, mean_bhs([of[task] for task in shared])


def _comparisons(arms: Sequence[Arm], rows: pd.DataFrame) -> list[tuple[StudyJudge, Comparison]]:
    found = [
        (judge, comparison)
        for judge in dict.fromkeys(arm.judge for arm in arms)
        for comparison in compare(rows[rows["judge"] == str(judge)])
    ]
    # Corrected over all pairs of the study, not of one judge.
    by_mcnemar = holm([each.mcnemar_p for _, each in found])
    by_bhs = holm([each.bhs_p for _, each in found])
    return [
        (judge, replace(each, mcnemar_holm=m, bhs_holm=b))
        for (judge, each), m, b in zip(found, by_mcnemar, by_bhs, strict=True)
    ]
