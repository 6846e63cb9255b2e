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
from banglahallueval.tables import replacing

FORMAT = 1
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_URL = re.compile(r"https?://\S+")


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
    text = json.dumps(
        {"format": FORMAT, "package": f"banglahallueval {__version__}", **record},
        ensure_ascii=False,
        indent=2,
        default=str,
    )
    with replacing(record_path(output)) as file:
        file.write(without_secrets(text) + "\n")


def without_secrets(text: str) -> str:
    """Take keys, tokens and passwords out of a text.

    Values of environment variables with such a name go, and what stands before the host or after
    the `?` of a URL.
    """
    for name, value in os.environ.items():
        if _SECRET_NAME.search(name) and len(value) >= 8:
            text = text.replace(value, "***")
    return _URL.sub(lambda found: _bare_url(found.group()), text)


def _bare_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        if not parts.query and host == parts.netloc:
            return url
        # The text may be JSON or a command line: keep what closes the URL there.
        tail = re.search(r"[\"'),;]*$", url)
        closing = tail.group() if tail and parts.query else ""
        return urlunsplit((parts.scheme, host, parts.path, "", "")) + closing
    except ValueError:
        return "***"


def command_line() -> list[str]:
    """The command as it was given."""
    return [Path(sys.argv[0]).name, *sys.argv[1:]]


def utc_now() -> str:
    """The time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")
