"""What a harness's run says of each row, whichever harness it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from banglahallueval.errors import UsageError
from banglahallueval.models.http import read_json
from banglahallueval.prompts import MAX_TOKENS, Style
from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track
from banglahallueval.verdicts import Verdict

# Begins the reason of a row that the harness brought no reply for.
NO_REPLY = "no reply"


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export says of a row, as it comes back in results.

    Attributes:
        key: What the row is matched by.
        number: Its number in the benchmark's file, from 0.
        task, track: Where it belongs.
        prompt: The prompt's name.
        prompt_sha256: Of the prompt's file, in hex.
        style: How replies to it are read.
        shows: The slots that it fills; rows without a text for one of them are not exported.
        filled_sha256: Of the filled prompt, in hex.
    """

    key: str
    number: int
    task: TaskName
    track: Track
    prompt: str
    prompt_sha256: str
    style: Style
    shows: tuple[str, ...]
    filled_sha256: str

    @classmethod
    def read(cls, fields: Mapping[str, Any], where: str) -> Exported:
        """Read it from a row of results.

        Raises:
            UsageError: If something is missing or not what it must be.
        """
        names = ("key", "row", "task", "track", "prompt_name", "prompt_sha256", "style")
        key, number, task, track, prompt, sha256, style = map(fields.get, names)
        texts = (key, prompt, sha256, fields.get("filled_sha256"))
        shows = fields.get("shows")
        known = (
            task in TASKS
            and track in TRACKS
            and style in MAX_TOKENS
            and isinstance(number, int)
            and isinstance(shows, list)
            and set(shows) <= TASKS[task].slots.keys()
        )
        if not (known and all(isinstance(each, str) for each in texts)):
            raise UsageError(f"{where} is no row that export_tasks.py has made; name other results")
        return cls(
            str(key),
            cast("int", number),
            cast("TaskName", task),
            cast("Track", track),
            str(prompt),
            str(sha256),
            cast("Style", style),
            tuple(cast("list[str]", shows)),
            str(fields["filled_sha256"]),
        )

    def is_filled(self, text: str) -> bool:
        """Whether a text is the prompt as it was filled for this row."""
        sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return sha256 == self.filled_sha256


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What a run says of one row.

    Attributes:
        row: The row.
        verdict: Its label by this project's own reading.
        harness_label: Its label by the exported task's reading; empty where it has none.
        is_altered: Whether the model was shown something else than the filled prompt alone.
    """

    row: Exported
    verdict: Verdict
    harness_label: str
    is_altered: bool


@dataclass(frozen=True, slots=True)
class HarnessRun:
    """One run of one task.

    Attributes:
        path: The file that holds it.
        judge: What scores call the judge: the model and the harness.
        record: What the run record says of the harness.
        rows: The rows that it has results of.
        is_finished: Whether the harness says that it came to its end.
    """

    path: Path
    judge: str
    record: Mapping[str, Any]
    rows: Sequence[ResultRow]
    is_finished: bool = True


def parse_json(raw: bytes, where: str) -> Any:
    """Read JSON that a harness wrote; half a surrogate pair in a reply becomes U+FFFD.

    Raises:
        UsageError: If it is none, as where the harness was killed while it wrote.
    """
    try:
        return read_json(raw)
    except ValueError:
        raise UsageError(f"{where} is no whole JSON; was the run killed while writing?") from None


def config_sha256(config: object) -> str:
    """Hash a task's configuration as the harness records it, in hex."""
    text = json.dumps(config, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
