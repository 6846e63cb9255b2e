"""The files of an evaluation: results as CSV, Markdown and JSON, each answer as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from banglahallueval import __version__
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import PART, check_name, check_not_inputs, is_same_file
from banglahallueval.io.records import command_line, record_path, utc_now
from banglahallueval.io.tables import replacing, write_frame, writing
from banglahallueval.scoring.tables import ReportTable, as_json, markdown
from banglahallueval.secrets import without_secrets
from banglahallueval.spans.evaluation.run import Evaluation
from banglahallueval.spans.evaluation.tables import all_tables, conventions
from banglahallueval.spans.tables import COLUMNS, detection_cells, sample_cells

KIND = "span evaluation"
RESULTS = "results.json"
FORMS = (".csv", ".md", ".json")
TABLES = ("results", "thresholds", "failures", "agreement")

_ANSWER_COLUMNS = (
    *("detector", "id", "language", "model", "iou", "ap", "failure"),
    *("spans", "detected_spans", "question", "answer"),
)


@dataclass(frozen=True, slots=True)
class Written:
    """An evaluation as it was written.

    Attributes:
        path: The JSON file.
        tables: Its tables.
        sentences: What to know of them.
        answers: The answers with what each detector marked, as JSON has them.
        record: What it was made of.
    """

    path: Path
    tables: Sequence[ReportTable]
    sentences: Sequence[str]
    answers: Sequence[Mapping[str, Any]]
    record: Mapping[str, Any]


def check_output(output: Path) -> None:
    """Refuse a name that is too long, and a file of a form that there is none of.

    Raises:
        UsageError: Saying which.
    """
    check_name(output, PART, "--output")
    for folder in output.parents:
        check_name(folder, "", "--output")
    if output.suffix and output.suffix.lower() not in FORMS and not output.is_dir():
        raise UsageError(
            f"--output {output}: name a folder, or a file that ends in {', '.join(FORMS)}"
        )


def check_places(output: Path, inputs: Sequence[Path]) -> None:
    """Refuse an output that would take the place of an input, or be read as one.

    Args:
        output: A folder, or a file of one of FORMS.
        inputs: The files and folders that the evaluation reads.

    Raises:
        UsageError: Naming it.
    """
    written = _places(output)
    check_not_inputs(written, [*inputs, *map(record_path, inputs)])
    folders = filter(Path.is_dir, inputs) if written[0].suffix.lower() == ".csv" else ()
    for folder in folders:
        if any(is_same_file(written[0].parent, each) for each in (folder, folder / "data")):
            raise UsageError(
                f"--output {output}: it would be read as data of {folder}; name another folder"
            )


def _places(output: Path) -> list[Path]:
    """List the files that an evaluation may write."""
    if output.suffix.lower() in FORMS and not output.is_dir():
        return [output]
    tables = [output / f"{name}.csv" for name in (*TABLES, "answers")]
    return [*tables, output / "results.md", output / RESULTS]


def write_evaluation(made: Evaluation, output: Path) -> list[Path]:
    """Write an evaluation: into a folder, all there is; into a file, its results alone.

    Each file is whole or absent. Of an earlier evaluation in the folder, no table is left behind.

    Raises:
        UsageError: If they cannot be written.
        RunError: If writing fails on the way, as on a full disk.
    """
    tables = all_tables(made)
    suffix = "" if output.is_dir() else output.suffix.lower()
    if suffix == ".csv":
        write_frame(output, tables[0].frame)
    elif suffix == ".md":
        _write(output, _markdown(made, tables))
    elif suffix == ".json":
        _write(output, _json(made, tables))
    else:
        return _write_folder(made, tables, output)
    return [output]


def _write_folder(made: Evaluation, tables: Sequence[ReportTable], folder: Path) -> list[Path]:
    written = [folder / f"{table.name}.csv" for table in tables]
    # Tables of an earlier evaluation would be taken for this one's.
    if read_evaluation(folder / RESULTS):
        for name in TABLES:
            (folder / f"{name}.csv").unlink(missing_ok=True)
    for path, table in zip(written, tables, strict=True):
        write_frame(path, table.frame)
    written += [folder / "answers.csv", folder / "results.md", folder / RESULTS]
    with writing(written[-3], _ANSWER_COLUMNS) as rows:
        for row in _answer_rows(made):
            rows.writerow(row)
    _write(written[-2], _markdown(made, tables))
    _write(written[-1], _json(made, tables))
    return written


def _answer_rows(made: Evaluation) -> Iterator[list[str]]:
    """Yield one row per detector and answer."""
    for name, detections in made.found.items():
        scores = made.scores[name].answers
        for at, (sample, found) in enumerate(zip(made.samples, detections, strict=True)):
            cells = dict(zip(COLUMNS, sample_cells(sample), strict=True))
            marked, _, failure = detection_cells(found)
            cells |= {"detector": name, "detected_spans": marked, "failure": failure}
            cells |= {"iou": f"{scores.iou[at]:.6g}", "ap": f"{scores.ap[at]:.6g}"}
            yield [cells[column] for column in _ANSWER_COLUMNS]


def _markdown(made: Evaluation, tables: Sequence[ReportTable]) -> str:
    notes = "\n".join(f"- {note}" for note in made.notes)
    return f"# Detection of hallucinated spans\n\n{notes}\n\n{markdown(tables)}"


def _json(made: Evaluation, tables: Sequence[ReportTable]) -> str:
    # Only what this run says is masked: in an answer, masking would move its offsets.
    about = {
        "kind": KIND,
        "package": f"banglahallueval {__version__}",
        "command": without_secrets(command_line()),
        "finished": utc_now(),
        **without_secrets(made.record),
        "notes": without_secrets(made.notes),
        "conventions": conventions(made),
        "tables": as_json(tables),
    }
    head = json.dumps(about, ensure_ascii=False, indent=1, allow_nan=False)
    lines = [
        json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        for answer in _answers(made)
    ]
    listed = ",\n".join(lines)
    return f'{head[:-2]},\n "answers": [\n{listed}\n ]\n}}\n'


def _answers(made: Evaluation) -> Iterator[dict[str, Any]]:
    for at, sample in enumerate(made.samples):
        yield {
            "id": sample.id,
            "language": sample.language,
            "model": sample.model,
            "question": sample.question,
            "evidence": sample.evidence,
            "answer": sample.answer,
            "spans": sample.spans,
            "found": {
                name: {
                    "spans": detections[at].spans,
                    "iou": float(made.scores[name].answers.iou[at]),
                    "ap": float(made.scores[name].answers.ap[at]),
                    "failure": detections[at].failure,
                }
                for name, detections in made.found.items()
            },
        }


def _write(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text)


def read_evaluation(path: Path) -> Written | None:
    """Read the JSON file of an evaluation; None where it is of something else.

    Raises:
        UsageError: If it is damaged.
    """
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None  # whoever reads it as what it is says what is wrong with it
    if not isinstance(whole, dict) or whole.get("kind") != KIND:
        return None
    damaged = f"{path} is a damaged evaluation; make it anew with scripts/evaluate_spans.py"
    try:
        tables = [
            ReportTable(name, table["title"], pd.DataFrame(table["rows"]), table["note"])
            for name, table in whole.pop("tables").items()
        ]
        answers = [dict(answer) for answer in whole.pop("answers")]
        sentences = list(map(str, whole.pop("notes")))
        whole.pop("conventions")
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UsageError(damaged) from None
    if not tables:
        raise UsageError(damaged)
    return Written(path, tables, sentences, answers, whole)
