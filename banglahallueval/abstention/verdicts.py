"""The risk–coverage curve of a judge: which answers should it hand to a person?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from banglahallueval.abstention.judged import read_verdicts
from banglahallueval.abstention.report import report
from banglahallueval.abstention.results import COLUMNS, KIND, cells_of, report_files
from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.assignments import Assignments
from banglahallueval.io.paths import check_not_inputs
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.session import RunSession


def evaluate_verdicts(
    files: Sequence[Path],
    thresholds: tuple[float, ...],
    assignments: Assignments,
    folder: Path,
    options: RunOptions,
) -> int:
    """Write the results of a judge that abstains where its own probability is too low.

    Args:
        files: Labelled files of one judge.
        thresholds: Probabilities of its label up to which it abstains.
        assignments: What flags say of single files.
        folder: Where the results go.
        options: What to do with results that exist.

    Returns:
        The exit status.

    Raises:
        UsageError: If the files cannot be used, or results exist and may not be replaced.
    """
    output = folder / "results.csv"
    if output.exists() and not options.overwrite:
        raise UsageError(f"{output} is there already; name another --out, or --overwrite it")
    check_not_inputs([output], files)
    judge, trials = read_verdicts(files, thresholds, assignments)
    reports = report_files(output, options)
    with RunSession(output, options, inputs=files, reports=reports) as session:
        with session.writing(COLUMNS) as writer:
            for trial in trials:
                writer.writerow(cells_of(trial))
        session.publish(
            {
                "kind": KIND,
                "judge": judge,
                "data": {str(file): file_sha256(file) for file in files},
                "thresholds": thresholds,
                "outcomes": dict(Counter(trial.outcome for trial in trials)),
            },
            {},
        )
    about = {"judge": judge, "labelled files": ", ".join(map(str, files))}
    title = f"Which verdicts {judge} leaves to a person"
    report(output, title, about, quiet=options.quiet, of_judge=True)
    return 0
