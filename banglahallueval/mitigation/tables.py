"""A study as tables: per arm, pairs of arms, policies, and what a sample says of the whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from banglahallueval.mitigation.arms import PUBLISHED_STYLES, STYLES, Style
from banglahallueval.mitigation.judges import StudyJudge
from banglahallueval.mitigation.policies import Choice
from banglahallueval.mitigation.results import ArmFigures, Study
from banglahallueval.mitigation.sample_intervals import Trust
from banglahallueval.scoring.rates import Rate
from banglahallueval.scoring.tables import ReportTable, interval_columns

# Arms whose main rows are their own evidence.
_Leaky = Collection[tuple[StudyJudge, str, str]]
_NOT_MEANINGFUL = "A-err and BHS not meaningful: main rows are their own evidence"


def study_tables(
    study: Study,
    asked: Sequence[tuple[Style, str]],
    choices: Iterable[Choice],
    trusted: Iterable[Trust],
) -> list[ReportTable]:
    """Make the tables of a study; those without rows are left out.

    Args:
        study: Its figures.
        asked: Kinds of prompts and tasks the study was to have.
        choices: Policies chosen.
        trusted: What its samples say of the whole files.
    """
    leaky = {(each.judge, each.task, each.style) for each in study.figures if each.leaks}
    made = [
        ReportTable(
            "mitigation",
            "Mitigation: error rates by judge and prompt",
            pd.DataFrame([*map(_arm_row, study.figures), *_mean_rows(study)], dtype=object),
            _arm_note(study, asked),
            ("task", "judge", "prompt", "a_err", "b_err", "bhs", "unknown", "usd"),
        ),
        ReportTable(
            "mitigation_differences",
            "Mitigation: prompts compared on the same rows",
            pd.DataFrame(list(_difference_rows(study, leaky))),
            "BHS difference: with minus without, below 0 if the prompt helps. [95 % interval] and "
            "bhs p: clustered by source; mcnemar p: of the exact test, on rows; holm: corrected "
            "over all pairs here.",
            ("task", "judge", "with", "without", "rows", "bhs_difference", "bhs_holm"),
        ),
        ReportTable(
            "mitigation_policies",
            "Mitigation: whose verdict should count in E-CoT",
            pd.DataFrame([_choice_row(each, leaky) for each in choices]),
            "Chosen on half of the sources by BHS; both BHS are those of the other half. The rows "
            "above use the policy that the run was given.",
            ("task", "judge", "policy", "held_out_rows", "bhs", "bhs_published_policy"),
        ),
        ReportTable(
            "mitigation_samples",
            "Mitigation: what the sample says of the whole files",
            pd.DataFrame([_trust_row(each, leaky) for each in trusted]),
            "[95 % interval]: where the figure on the whole files lies, for samples drawn without "
            "replacement; it says nothing of other files. whole: the figure there, where it was "
            "labelled.",
            ("task", "judge", "prompt", "figure", "sample_rows", "all_rows", "value", "whole"),
        ),
    ]
    return [table for table in made if not table.frame.empty]


def _arm_row(each: ArmFigures) -> dict[str, Any]:
    scores, claims = each.scores, each.claims
    return {
        "task": each.task,
        "judge": str(each.judge),
        "prompt": each.style,
        "main_rows": scores.false_alarms.rows,
        "candidate_rows": scores.detection.rows,
        "unknown": each.unknown,
        **interval_columns("a_err", scores.false_alarms),
        **interval_columns("b_err", _complement(scores.detection)),
        **interval_columns("bhs", scores.bhs),
        "divergence": claims.divergence if claims else float("nan"),
        "false_citations": claims.false_citations if claims else float("nan"),
        "false_contradictions": claims.false_contradictions if claims else float("nan"),
        "prompt_tokens": each.spent.prompt_tokens,
        "completion_tokens": each.spent.completion_tokens,
        "usd": float("nan") if each.spent.usd is None else each.spent.usd,
        "remark": _NOT_MEANINGFUL if each.leaks else "",
    }


def _complement(rate: Rate) -> Rate:
    return Rate(1 - rate.value, 1 - rate.high, 1 - rate.low, rate.rows)


def _mean_rows(study: Study) -> Iterator[dict[str, Any]]:
    for judge, style, tasks, rate in study.means:
        leaky = [f for f in study.figures if f.leaks and (f.judge, f.style) == (judge, style)]
        yield {
            "task": f"mean of {', '.join(tasks)}",
            "judge": str(judge),
            "prompt": style,
            **interval_columns("bhs", rate),
            "remark": _NOT_MEANINGFUL if any(f.task in tasks for f in leaky) else "",
        }


def _arm_note(study: Study, asked: Sequence[tuple[Style, str]]) -> str:
    notes = [
        "A-err: main rows judged yes; B-err: candidates not judged yes; BHS = ½ · (A-err + B-err) "
        "· 100, lower is better. Unknown is no alarm on main and a miss on candidates. [95 % "
        "interval]: clustered by source.",
        "divergence: share of rows in which the rule and the model's own verdict differ; false "
        "citations, false contradictions: share of the claims called supported, contradicted, "
        "whose citation does not stand in the evidence.",
        "Tokens and US dollars at list price are those of all stored replies of the arm.",
    ]
    ours = [name for name in STYLES if name not in PUBLISHED_STYLES]
    if any(style in ours for style, _ in asked):
        notes.append(f"{', '.join(ours)}: prompts of this project, not of the published study.")
    if ("cot", "codemix") in asked:
        notes.append("Code-mixed QA has no chain-of-thought prompt, so no such arm.")
    if any(each.leaks for each in study.figures):
        notes.append(
            "With the right solution as evidence, reasoning's main rows are judged against "
            "themselves: their A-err, and BHS with it, is not meaningful."
        )
    return " ".join(notes)


def _difference_rows(study: Study, leaky: _Leaky) -> Iterator[dict[str, Any]]:
    for judge, each in study.comparisons:
        marked = any((judge, each.task, style) in leaky for style in (each.a, each.b))
        yield {
            "task": each.task,
            "judge": str(judge),
            "with": each.a,
            "without": each.b,
            "rows": each.rows,
            **interval_columns("bhs_difference", each.difference),
            "bhs_p": each.bhs_p,
            "bhs_holm": each.bhs_holm,
            "mcnemar_p": each.mcnemar_p,
            "mcnemar_holm": each.mcnemar_holm,
            "remark": _NOT_MEANINGFUL if marked else "",
        }


def _choice_row(each: Choice, leaky: _Leaky) -> dict[str, Any]:
    return {
        "task": each.task,
        "judge": str(each.judge),
        "policy": str(each.policy),
        "calibration_rows": each.calibration_rows,
        "held_out_rows": each.held_out_rows,
        **interval_columns("bhs", each.bhs),
        **interval_columns("bhs_published_policy", each.bhs_published),
        "remark": _NOT_MEANINGFUL if (each.judge, each.task, "ecot") in leaky else "",
    }


def _trust_row(each: Trust, leaky: _Leaky) -> dict[str, Any]:
    leaks = (each.judge, each.task, each.style) in leaky and each.figure != "b_err"
    known = each.inside is not None
    return {
        "task": each.task,
        "judge": str(each.judge),
        "prompt": each.style,
        "figure": each.figure,
        "sample_rows": each.sampled.rows,
        "all_rows": each.population,
        **interval_columns("value", each.sampled),
        "whole": each.whole if known else float("nan"),
        "inside": ("yes" if each.inside else "no") if known else "",
        "remark": _NOT_MEANINGFUL if leaks else "",
    }


def failures_table(failed: Sequence[tuple[StudyJudge, str, str]]) -> ReportTable:
    """List the arms that did not finish, and why; one row for a judge's that failed alike."""
    together: dict[tuple[str, str], list[str]] = {}
    for judge, arm, why in failed:
        together.setdefault((str(judge), why), []).append(arm)
    frame = pd.DataFrame(
        [
            {"judge": judge, "number": len(arms), "why": why, "arms": ", ".join(arms)}
            for (judge, why), arms in together.items()
        ]
    )
    return ReportTable(
        "mitigation_failures",
        "Mitigation: arms that did not finish",
        frame,
        printed=("judge", "number", "why"),
    )
