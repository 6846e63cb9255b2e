"""The baseline that asks nobody: guesses, their record, their tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pandas as pd
from tabulate import tabulate

from banglahallueval.io.paths import short
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.session import RunSession
from banglahallueval.scoring.tables import ReportTable, interval_columns
from banglahallueval.vision.discriminative.plan import Asked
from banglahallueval.vision.discriminative.results import GUESSES as KIND
from banglahallueval.vision.discriminative.tables import INTERVALS, brief
from banglahallueval.vision.guessing.rules import FEATURES, FOLDS
from banglahallueval.vision.guessing.study import COLUMNS, Guessed, RuleScore, guess, measure, rows
from banglahallueval.vision.report_files import report_files, write_report

_NOTE: Final = (
    "Guesses whether a caption is the true one, from the caption alone; yes: it matches. Half of "
    f"the captions are true. What is guessed of a picture is learnt from others ({FOLDS} folds by "
    "picture). majority: what is more frequent. length: fewer words than a threshold. full stop: "
    f"whether one closes the caption. regression: logistic, on {', '.join(FEATURES)}. A model that "
    f"sees the pictures should do clearly better. {INTERVALS}"
)


def guess_all(asked: Asked, output: Path, options: RunOptions) -> int:
    """Guess, and write OUTPUT.csv with its record and tables.

    Returns:
        The exit status, 0.

    Raises:
        UsageError: If the output is there, or there is too little data.
        RunError: If writing fails on the way, as on a full disk.
    """
    asked.check(output)
    session = RunSession(
        output,
        options,
        inputs=asked.inputs,
        reports=report_files(output, options),
    )
    options.adds_to(output)  # refuses one that is there
    guessed = guess([question for question in asked.questions() if asked.selects(question)])
    with session:
        with session.writing(COLUMNS) as writer:
            for cells in rows(guessed):
                writer.writerow(cells)
        session.publish(
            {
                "kind": KIND,
                "input": asked.data.record(),
                "features": list(FEATURES),
                "folds": FOLDS,
            },
            {},
        )
        _report(asked, guessed, output, quiet=options.quiet)
    return 0


def _report(asked: Asked, guessed: Sequence[Guessed], output: Path, *, quiet: bool) -> None:
    scores = measure(guessed)
    tables = all_tables(guessed, scores)
    write_report(output, {"kind": KIND, "about": asked.about()}, tables)
    if not quiet:
        print(f"{in_words(scores)}\n")
        for each in guessed:
            print(_threshold(each))
        print(f"\nwritten: {short(output)}, and its tables beside it")


def all_tables(guessed: Sequence[Guessed], scores: Sequence[RuleScore]) -> list[ReportTable]:
    """Make the tables: what each rule comes to, and the best thresholds of length."""
    return [
        ReportTable(
            "guesses",
            "Guessed without the picture",
            pd.DataFrame(
                [
                    {
                        "type": each.type,
                        "rule": each.rule,
                        "captions": each.captions,
                        **interval_columns("accuracy", each.accuracy),
                        **interval_columns("yes", each.yes),
                    }
                    for each in scores
                ]
            ),
            _NOTE,
        ),
        ReportTable(
            "thresholds",
            "The best rule of length",
            pd.DataFrame(
                [
                    {
                        "type": each.kind,
                        "fewer_words_than": each.threshold.words,
                        "guess": "true" if each.threshold.shorter_is_true else "hallucinated",
                        "accuracy": each.threshold.accuracy,
                    }
                    for each in guessed
                ]
            ),
            "Fitted to the very captions that it is scored on, so a little better than it would be "
            "on others.",
        ),
    ]


def in_words(scores: Sequence[RuleScore]) -> str:
    """Render the scores for a terminal, at most 100 columns wide."""
    return tabulate(
        [
            (each.type, each.rule, f"{each.captions:,}", brief(each.accuracy), brief(each.yes))
            for each in scores
        ],
        headers=("type", "guessed by", "captions", "accuracy", "yes (matches)"),
        disable_numparse=True,
    )


def _threshold(guessed: Guessed) -> str:
    found = guessed.threshold
    side = "true" if found.shorter_is_true else "hallucinated"
    return (
        f"{guessed.kind}: `fewer than {found.words} words: {side}` is right for "
        f"{found.accuracy:.1%} of the captions it is fitted to"
    )
