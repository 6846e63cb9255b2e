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
from banglahallueval.io.tables import replacing
from banglahallueval.secrets import without_secrets

FORMAT = 1


def record_path(output: Path) -> Path:
    """Where the record of an output lies."""
    return output.with_name(output.name + ".run.json")


def read_record(output: Path) -> dict[str, Any] | None:
    """An output's record; None where it has none, as the published scripts' outputs.

    Raises:
        UsageError: If the record is there but cannot be read.
    """
    path = record_path(output)
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path}: {error}; delete it to go on without it") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise UsageError(f"{path} is not a run record of format {FORMAT}; delete it to go on")
    return record


def write_record(output: Path, record: Mapping[str, Any]) -> None:
    """Write an output's record, without any key, token or password."""
    whole = {"format": FORMAT, "package": f"banglahallueval {__version__}", **record}
    text = json.dumps(without_secrets(whole), ensure_ascii=False, indent=2, default=str)
    with replacing(record_path(output)) as file:
        # A file name that is not UTF-8 goes in as JSON's own escapes.
        file.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def command_line() -> list[str]:
    """The command as it was given."""
    return [Path(sys.argv[0]).name, *sys.argv[1:]]


def utc_now() -> str:
    """The time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")
