"""The run record beside each output: everything needed to trace its labels."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from banglahallueval import __version__
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import replacing

FORMAT = 1
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_URL = re.compile(r"""https?://[^\s"'<>]+""")


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


def without_secrets(value: Any) -> Any:
    """A copy of a JSON value without keys, tokens and passwords.

    Out of every text go the values of environment variables with such a name, and of every URL
    what stands before its host or after its `?`.
    """
    if isinstance(value, Mapping):
        return {key: without_secrets(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_secrets(each) for each in value]
    if not isinstance(value, str):
        return value
    for name, secret in os.environ.items():
        if _SECRET_NAME.search(name) and len(secret) >= 8:
            value = value.replace(secret, "***")
    return _URL.sub(lambda found: _bare_url(found.group()), value)


def _bare_url(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "***"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def command_line() -> list[str]:
    """The command as it was given."""
    return [Path(sys.argv[0]).name, *sys.argv[1:]]


def utc_now() -> str:
    """The time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")
