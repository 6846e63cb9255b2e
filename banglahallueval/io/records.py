"""The run record beside each output: everything needed to trace its labels."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from banglahallueval import __version__
from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.tables import replacing
from banglahallueval.secrets import without_secrets

FORMAT = 1

# What a value must be: of a type, an object with such fields, or a list of such values.
Shape = type | tuple[type, ...] | dict[str, "Shape"] | list["Shape"]

# The fields that more than one kind of run writes; each kind adds its own.
_SHAPE: Shape = {
    "task": str,
    "track": (str, type(None)),
    "columns": dict,
    "input": {"path": str, "sha256": str, "rows": int},
    "output": {"path": str, "sha256": str, "rows": int},
    "judge": (dict, str),
    "generator": dict,
    "labels": {"yes": int, "no": int, "unknown": int},
    "runs": [dict],
}


def record_path(output: Path) -> Path:
    """Name the record of an output."""
    return output.with_name(output.name + ".run.json")


def read_record(output: Path) -> dict[str, Any] | None:
    """Read an output's record; None where it has none, as the published scripts' outputs.

    Raises:
        UsageError: If the record exists but cannot be read.
    """
    path = record_path(output)
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {path}: {error}; delete it to go on without it") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise UsageError(f"{path} is not a run record of format {FORMAT}; delete it to go on")
    _refuse_damaged(path, record, _SHAPE)
    return record


def _refuse_damaged(path: Path, record: Mapping[str, Any], shape: Shape) -> None:
    if wrong := wrong_field(record, shape):
        raise UsageError(f"{path} is damaged at {wrong!r}; delete it to go on without it")


def wrong_field(value: object, shape: Shape, *, needed: bool = False, name: str = "") -> str:
    """Find the first field of a record that is not what it must be; empty where there is none.

    Args:
        value: The record, or a part of it.
        shape: What it must be.
        needed: Whether every field must be there.
        name: What the part is called.
    """
    if isinstance(shape, dict):
        if not isinstance(value, Mapping):
            return name
        for field, inner in shape.items():
            path = f"{name}.{field}" if name else field
            if field not in value:
                wrong = path if needed else ""
            else:
                wrong = wrong_field(value[field], inner, needed=needed, name=path)
            if wrong:
                return wrong
        return ""
    if isinstance(shape, list):
        if not isinstance(value, list):
            return name
        parts = enumerate(value)
        found = (wrong_field(v, shape[0], needed=needed, name=f"{name}[{n}]") for n, v in parts)
        return next(filter(None, found), "")
    return "" if isinstance(value, shape) else name


def fits(output: Path, record: Mapping[str, Any]) -> bool:
    """Whether an output is the very file that a record describes.

    It is not where the file was changed since, or where a run was killed after it had written the
    record and before it put the file in its place. A record without a checksum fits any file.
    """
    checksum = record.get("output", {}).get("sha256")
    return checksum is None or checksum == file_sha256(output)


def read_trusted(output: Path) -> tuple[dict[str, Any], str]:
    """Read what an output's record tells of its labels.

    Returns:
        The record, empty where there is none, and without its judge where the output is not the
        file that it describes; and a sentence that says so, empty where it is.

    Raises:
        UsageError: If the record exists but cannot be read.
    """
    record = read_record(output) or {}
    _refuse_damaged(record_path(output), record, {"judge": dict})
    if fits(output, record):
        return record, ""
    return without_judge(record), (
        f"{record_path(output).name} does not hold for it (another checksum), so not its judge"
    )


def without_judge(record: Mapping[str, Any]) -> dict[str, Any]:
    """Keep of a record what holds for labels of unknown origin: task, track and columns."""
    kept = ("task", "track", "columns")
    return {name: record[name] for name in kept if name in record}


def write_record(output: Path, record: Mapping[str, Any]) -> None:
    """Write an output's record, without any key, token or password."""
    whole = {"format": FORMAT, "package": f"banglahallueval {__version__}", **record}
    text = json.dumps(without_secrets(whole), ensure_ascii=False, indent=2, default=str)
    with replacing(record_path(output)) as file:
        # A file name that is not UTF-8 goes in as JSON's own escapes.
        file.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def command_line() -> list[str]:
    """Return the command as it was given."""
    return [Path(sys.argv[0]).name, *sys.argv[1:]]


def utc_now() -> str:
    """Return the time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def recorded_judge(record: Mapping[str, Any]) -> str | None:
    """Find the judge's name in a run record; None where it has none."""
    judge = record.get("judge") or {}
    model = judge.get("model")
    name = model.get("name") if isinstance(model, dict) else model or judge.get("name")
    if samples := judge.get("samples"):
        name = f"{name} ({samples})"
    # A hybrid combined from a file says so in its name; one that asked a model has that model's.
    asked = judge.get("kind") == "hybrid" and ("llm" in judge or "offline_first" not in judge)
    return f"hybrid {name}" if asked else name


def recorded_prompt(record: Mapping[str, Any]) -> str | None:
    """Find the prompt's name in a run record; None where it has none."""
    judge = record.get("judge") or {}
    prompt = judge.get("prompt") or (judge.get("llm") or {}).get("prompt")
    return prompt.get("name") if isinstance(prompt, dict) else prompt
