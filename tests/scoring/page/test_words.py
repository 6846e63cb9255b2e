"""What the page says of its figures."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd

from banglahallueval.scoring.backwards import backwards
from banglahallueval.scoring.page.error_words import pattern_words
from banglahallueval.scoring.page.words import plain_words
from banglahallueval.scoring.rates import Rate
from banglahallueval.scoring.results import Results
from tests.scoring.page.conftest import JUDGES


def test_every_figure_has_a_sentence(found: Results) -> None:
    """Those of scores, errors, probabilities and agreement alike."""
    words = plain_words(found)
    assert all(words.values())
    assert all(sentence.endswith(".") for said in words.values() for sentence in said)


def test_the_best_judge_is_told_and_from_whom_it_cannot_be_told(found: Results) -> None:
    """The lowest BHS leads; close judges are not ranked by chance, and a coin is called one."""
    said = plain_words(found)["bhs"][0]
    assert said.startswith("qa: good has the lowest BHS (12.5 [")
    assert f"do not show that it beats {JUDGES[2]}" in said
    assert f"{JUDGES[1]} may be no better than guessing" in said


def test_a_wide_interval_is_called_too_little_data(found: Results) -> None:
    """From ten points on."""
    assert "too little data" in plain_words(found)["bhs"][0]
    at = ("qa", "good")
    narrow = dataclasses.replace(found.scores[at], bhs=Rate(12.5, 12.0, 13.0, 9000))
    said = plain_words(dataclasses.replace(found, scores={at: narrow}))["bhs"]
    assert said == ["qa: good has BHS 12.5 [12.0, 13.0]; better than guessing (50)."]


def test_auroc_below_a_half_is_said_as_what_it_means(found: Results) -> None:
    """The judge's ranking is turned round, with what it would then be."""
    meaning, judges = backwards(found)
    assert meaning.endswith("rank hallucinated outputs below right ones.")
    assert f"{JUDGES[1]} on qa 0.000, turned round 1.000" in judges
    assert "good on" not in judges


def test_a_few_rows_below_a_half_may_be_chance(found: Results) -> None:
    """Three rows of each track prove nothing."""
    rows = found.labelled.rows
    some = rows[rows["system"].eq(JUDGES[1]) & rows["row"].isin([3, 4])]
    few = dataclasses.replace(found, labelled=dataclasses.replace(found.labelled, rows=some))
    assert "may be chance" in backwards(few)[1]


def test_the_lean_of_errors_is_told_only_where_intervals_part(found: Results) -> None:
    """Good errs as often either way; who leaves rows unknown misses no more for sure."""
    said = plain_words(found)["errors"]
    assert said[0].startswith("qa: ")
    assert "neither error is clearly the more frequent" in said[0]


def test_unknown_rows_are_told_with_their_reason(found: Results) -> None:
    """Whose most, and why."""
    (said,) = plain_words(found)["unknown"]
    assert said.startswith(f"{JUDGES[2]} leaves 16.7 % of its rows without a verdict")
    assert "“timeout”" in said


def test_kappa_below_zero_is_not_called_chance(found: Results) -> None:
    """Fault: an interval wholly below 0 was said to reach it."""
    task, of_task = next(iter(found.agreements.items()))
    kappas = (Rate(-0.1, -0.14, -0.06, 100), Rate(0.1, -0.1, 0.3, 100), Rate(0.5, 0.4, 0.6, 100))
    pairs = dict(zip(of_task.pairs, kappas, strict=True))
    told = {task: dataclasses.replace(of_task, pairs=pairs)}
    *_, chance, below = plain_words(dataclasses.replace(found, agreements=told))["agreement"]
    named = [" and ".join(pair) for pair in pairs]
    assert chance == (
        f"The interval of κ reaches 0, so it may be chance, for {named[1]} on {task}."
    )
    assert (
        below == f"κ lies below 0, so they agree less often than by chance: {named[0]} on {task}."
    )


def test_patterns_differ_where_their_rows_of_one_source_do(found: Results) -> None:
    """Fault: intervals that overlap were taken for chance, whatever one source's rows say.

    Of 200 sources a judge finds 65 % by one pattern and 75 % by the other, of nested sources.
    """
    sources = np.repeat(np.arange(200), 2)
    rows = pd.DataFrame(
        {
            "task": "qa",
            "track": "candidates",
            "system": "good",
            "pattern": ["inference", "factualness"] * 200,
            "source": sources.astype(str),
            "label": np.where(sources < np.where(np.arange(400) % 2, 150, 130), "yes", "no"),
        }
    )
    labelled = dataclasses.replace(found.labelled, rows=rows)
    (said,) = pattern_words(dataclasses.replace(found, labelled=labelled))
    assert said == "qa: inference is found least (65 %), factualness most (75 %)."
    few = dataclasses.replace(labelled, rows=rows[rows["source"].astype(int).isin([0, 140, 199])])
    (said,) = pattern_words(dataclasses.replace(found, labelled=few))
    assert said.endswith("with 3 rows of a pattern that may be chance.")
