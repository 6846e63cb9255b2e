"""What lm-evaluation-harness logs with `--log_samples`, per row of a task."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from banglahallueval.errors import UsageError
from banglahallueval.harnesses.replies import UNKNOWN, label_at, p_hallucinated
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
        lines = path.read_bytes().rstrip(b"\n").split(b"\n")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    task, results = _results_of(path)
    shots = (results.get("n-shot") or {}).get(task)
    is_plain = not shots and not results.get("system_instruction")
    in_chat_form = is_plain and bool(results.get("chat_template"))
    rows, compared = [], False
    for number, line in enumerate(lines, 1):
        where = f"{path}, line {number}"
        sample = parse_json(line, where)
        try:
            row, asked = sample["doc"], _asked(sample["arguments"])
            if any(len(each) != 1 for each in sample["resps"]):
                raise UsageError(f"{where} holds several replies; run without repeats")
            said = [each[0] for each in sample["resps"]]
            exported = Exported.read(row, where)
            compared = len(asked) > 1
            verdict = _compared(asked, said) if compared else _generated(said[0], exported)
            altered = _is_altered(exported, row["prompt"], asked[0][0], in_chat_form=in_chat_form)
            rows.append(ResultRow(exported, verdict, _own_label(sample), altered))
        except (LookupError, TypeError, ValueError, AttributeError):
            raise UsageError(
                f"{where} is not what lm_eval logs of an exported task; name other results"
            ) from None
    if not rows:
        raise UsageError(f"{path} holds no rows; was the run killed?")
    config = results.get("config") or {}
    name = str(results.get("model_name") or config.get("model") or path.parent.name)
    own = (results.get("configs") or {}).get(task)
    record = {
        "name": "lm-eval",
        "version": results.get("lm_eval_version"),
        "task": task,
        "task_sha256": config_sha256(own) if own else None,
        "model": name,
        "config": {key: config[key] for key in _CONFIG if key in config},
        "system_instruction": results.get("system_instruction"),
        "shots": shots,
        "chat_template_sha256": results.get("chat_template_sha"),
    }
    judge = f"{name} (lm-eval{', log-likelihood' if compared else ''})"
    return HarnessRun(path, judge, record, rows, is_finished=bool(results))


def _results_of(path: Path) -> tuple[str, Mapping[str, Any]]:
    """Find a task's name, and what the results file says that lm-eval wrote with its rows.

    Raises:
        UsageError: If that file is damaged, or another.
    """
    task, _, date = path.stem.removeprefix(_SAMPLES).rpartition("_")
    file = path.with_name(f"{_RESULTS}{date}.json")
    if not file.is_file():
        return task, {}
    results = parse_json(file.read_bytes(), str(file))
    if not isinstance(results, dict) or not all(
        isinstance(results.get(name) or {}, dict) for name in ("n-shot", "config", "configs")
    ):
        raise UsageError(f"{file} is not what lm_eval says of a run; name other results")
    return task, results


def _asked(arguments: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """List the requests of a row: what was shown, and the continuation or the settings."""
    of_requests = [arguments[f"gen_args_{n}"] for n in range(len(arguments))]
    return [(each["arg_0"], each["arg_1"]) for each in of_requests]


def _generated(text: str, exported: Exported) -> Verdict:
    # It logs no finish reason, and an empty text where the server withheld the reply.
    if not isinstance(text, str):
        raise TypeError
    return read_verdict(Reply(text), exported.style)


def _compared(asked: Sequence[tuple[Any, str]], said: Sequence[Sequence[Any]]) -> Verdict:
    """Read a verdict off the log-likelihoods of the spellings of yes and no."""
    # The logger writes numbers as texts.
    found = {str(asks[1]): float(each[0]) for asks, each in zip(asked, said, strict=True)}
    raw = json.dumps({name: round(value, 6) for name, value in found.items()}, ensure_ascii=False)
    by_label: dict[str, list[float]] = {"yes": [], "no": []}
    for continuation, value in found.items():
        by_label[continuation.strip().lower()].append(value)
    p = p_hallucinated(by_label["yes"], by_label["no"])
    label = label_at(p)
    if label == UNKNOWN:
        return Verdict("unknown", _NO_PROBABILITY if math.isnan(p) else _TIE, raw=raw)
    leftover = 1 - sum(map(math.exp, found.values()))
    return Verdict(
        cast("Label", label), p_hallucinated=p, raw=raw, leftover=min(1.0, max(0.0, leftover))
    )


def _own_label(sample: Mapping[str, Any]) -> str:
    """Find what the exported task read, which is logged with each metric."""
    logged = sample.get("bhs")
    return str(logged[1]) if isinstance(logged, list) else ""


def _is_altered(exported: Exported, prompt: str, shown: Any, *, in_chat_form: bool) -> bool:
    """Whether the model was shown anything but the filled prompt, as with examples before it.

    Args:
        exported: The row.
        prompt: The filled prompt as the task file has it.
        shown: What the harness asked with: a text, or a chat as JSON.
        in_chat_form: Whether the harness may have put a lone prompt into a model's chat form.
    """
    if not exported.is_filled(prompt):
        return True
    if isinstance(shown, list):
        return [turn["content"] for turn in json.loads(shown[0])] != [prompt]
    return bool(shown != prompt) and not (in_chat_form and prompt in shown)
