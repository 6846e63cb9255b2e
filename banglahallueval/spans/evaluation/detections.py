"""The files of detectors: whose they are, and what they found in some answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import no_file, short
from banglahallueval.io.records import fits, read_record, record_path
from banglahallueval.spans.formats.predictions import Predictions, read_predictions
from banglahallueval.spans.results import MARK_ALL, MARK_NONE
from banglahallueval.spans.types import Sample


@dataclass(frozen=True, slots=True)
class Detector:
    """One detector's file.

    Attributes:
        name: What tables call it.
        path: The file.
        record: What its run record says of the detector; empty where there is none.
        found: What it says of the answers.
    """

    name: str
    path: Path
    record: Mapping[str, Any]
    found: Predictions

    def described(self) -> dict[str, Any]:
        """Describe the file for the record of an evaluation."""
        about = {"file": str(self.path), "sha256": file_sha256(self.path)}
        return {**about, "detector": dict(self.record)} if self.record else about


def read_detectors(
    given: Sequence[str], samples: Sequence[Sample], source: str
) -> tuple[dict[str, Detector], tuple[str, ...]]:
    """Read the files of detectors.

    Args:
        given: Files, as FILE or NAME=FILE. Without a name, the run record beside the file names the
            detector, else the file's own name does.
        samples: The answers that they are about.
        source: Where these are from, for messages.

    Returns:
        The detectors by name, and what a user should know of their files.

    Raises:
        UsageError: If a file is no file of detections, or two have one name.
    """
    detectors: dict[str, Detector] = {}
    notes: list[str] = []
    for text in given:
        name, path = named_file(text)
        record, note = _record(path)
        name = name or record.get("label", "") or path.stem
        if name in (MARK_ALL, MARK_NONE):
            raise UsageError(f"{short(path)}: {name} is always among the results; name it another")
        if name in detectors:
            raise UsageError(
                f"{short(detectors[name].path)} and {short(path)} are both of {name}; give one of "
                "them a name of its own as NAME=FILE"
            )
        found = read_predictions(path, samples, source)
        detectors[name] = Detector(name, path, record, found)
        notes += [*filter(None, [note]), *found.notes]
    return detectors, tuple(notes)


def same_detectors(
    test: Mapping[str, Detector], validation: Mapping[str, Detector], needed: Sequence[str]
) -> None:
    """Refuse thresholds of a detector that is another than the one they are for.

    Args:
        test: The detectors to score.
        validation: The same by name, with what they found in the validation answers.
        needed: The names of those that need thresholds.

    Raises:
        UsageError: If one is missing, is not among those to score, or has another record.
    """
    if missing := [name for name in needed if name not in validation]:
        raise UsageError(
            f"--validation-detections has no file of {missing[0]}; name one as {missing[0]}=FILE, "
            "or leave out --validation"
        )
    if strange := next((name for name in validation if name not in needed), ""):
        raise UsageError(
            f"--validation-detections {short(validation[strange].path)} is of {strange}, which "
            "needs no threshold here; leave it out, or name it after its detector as NAME=FILE"
        )
    for name in needed:
        ours, theirs = test[name], validation[name]
        if ours.record and theirs.record and ours.record != theirs.record:
            raise UsageError(
                f"{short(ours.path)} and {short(theirs.path)} are both named {name}, and their "
                "run records tell of different detectors; detect both with one"
            )


def named_file(text: str) -> tuple[str, Path]:
    """Part NAME=FILE; a file whose own name holds `=` is taken as it is."""
    path = Path(text)
    name, sign, rest = text.partition("=")
    if sign and not path.exists():
        name, path = name.strip(), Path(rest)
        if not name:
            raise UsageError(f"{text!r}: no name before the '='; write NAME=FILE")
    else:
        name = ""
    if not path.exists():
        raise UsageError(no_file(path))
    return name, path


def _record(path: Path) -> tuple[Mapping[str, Any], str]:
    """Read what a run record says of the detector of a file, and what is wrong with it."""
    record = read_record(path)
    if record is None:
        return {}, ""
    if not fits(path, record):
        beside = record_path(path).name
        return {}, f"{short(path)} is not the file that {beside} describes; it was changed since"
    detector = record.get("detector")
    return (detector if isinstance(detector, dict) else {}), ""
