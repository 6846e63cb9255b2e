"""What lm-evaluation-harness logs with `--log_samples`, per row of a task."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.harnesses.replies import label_at, p_hallucinated
from banglahallueval.harnesses.results import (
    Exported,
    HarnessRun,
    ResultRow,
    config_sha256,
    parse_json,
)
from banglahallueval.models.types import Reply
from banglahallueval.verdicts import Label, Verdict, read_verdict

_SAMPLES, _RESULTS = "samples_", "results_"
_NO_PROBABILITY, _TIE = "no probabilities", "tie"
# What the results file says of a run that determines its replies.
_CONFIG = ("model", "model_args", "gen_kwargs", "limit", "batch_size", "random_seed")


def find_runs(path: Path) -> list[Path]:
    """List the files with rows that a path stands for.

    Raises:
        UsageError: If it stands for none.
    """
    if path.is_file():
        return [path]
    found = sorted(path.rglob(f"{_SAMPLES}*.jsonl")) if path.is_dir() else []
    if not found:
        raise UsageError(
            f"no {_SAMPLES}*.jsonl at {path}; run lm_eval with --log_samples and --output_path"
        )
    return found


def read_run(path: Path) -> HarnessRun:
    """Read the rows of one task's run.

    Raises:
        UsageError: If the file is damaged, or not of an exported task.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    rows = [
        _row(parse_json(line, f"{path}, line {number}"), f"{path}, line {number}")
        for number, line in enumerate(lines, 1)
        if line
    ]
    task, results = _results_of(path)
    config = results.get("config") or {}
    name = str(results.get("model_name") or config.get("model") or path.parent.name)
    compared = any(row.verdict.raw.startswith("{") and _is_compared(row) for row in rows)
    own = (results.get("configs") or {}).get(task)
    record = {
        "name": "lm-eval",
        "version": results.get("lm_eval_version"),
        "task": task,
        "task_sha256": config_sha256(own) if own else None,
        "model": name,
        "config": {key: config[key] for key in _CONFIG if key in config},
        "system_instruction": results.get("system_instruction"),
        "shots": (results.get("n-shot") or {}).get(task),
        "chat_template_sha256": results.get("chat_template_sha"),
    }
    judge = f"{name} (lm-eval{', log-likelihood' if compared else ''})"
    return HarnessRun(path, judge, record, rows, is_finished=bool(results))


def _results_of(path: Path) -> tuple[str, Mapping[str, Any]]:
    """Find a task's name, and the results file that lm-eval wrote with its rows."""
    task, _, date = path.stem.removeprefix(_SAMPLES).rpartition("_")
    file = path.with_name(f"{_RESULTS}{date}.json")
    if not file.is_file():
        return task, {}
    results = parse_json(file.read_text(encoding="utf-8", errors="replace"), str(file))
    return task, results if isinstance(results, dict) else {}
