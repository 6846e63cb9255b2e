"""Results as the two harnesses log them, written without running them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

Sample = dict[str, Any]
Reply = Callable[[Mapping[str, Any]], str]
DATE = "2026-01-02T03-04-05.678901"


def exported(folder: Path, task: str = "qa_standard") -> list[Sample]:
    """The rows of a task as an export holds them."""
    text = (folder / f"{task}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def lm_eval_sample(row: Sample, reply: str) -> Sample:
    """What lm-eval logs of a row with a generated reply."""
    return {
        "doc": row,
        "arguments": {"gen_args_0": {"arg_0": row["prompt"], "arg_1": {"until": []}}},
        "resps": [[reply]],
        "bhs": [row["track"], reply],
    }


def write_lm_eval(
    folder: Path, samples: Iterable[Sample], results: Mapping[str, Any] | None = None
) -> Path:
    """Write the files of a run as lm-eval names them; gives that of the rows."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_banglahallueval_qa_standard_generate_{DATE}.jsonl"
    lines = (json.dumps(sample, ensure_ascii=False) + "\n" for sample in samples)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    whole = {"model_name": "small", "lm_eval_version": "0.4", **(results or {})}
    (folder / f"results_{DATE}.json").write_text(json.dumps(whole), encoding="utf-8")
    return path


def inspect_sample(row: Sample, reply: str, **more: Any) -> Sample:
    """What Inspect logs of a sample."""
    message = {"role": "assistant", "content": reply}
    return {
        "id": row["id"],
        "epoch": 1,
        "metadata": row["metadata"],
        "messages": [{"role": "user", "content": row["input"]}, message],
        "output": {"choices": [{"message": message, "stop_reason": "stop"}]},
        "scores": {"verdict": {"value": reply}},
        **more,
    }


def write_eval(path: Path, samples: Iterable[Sample], *, status: str = "success") -> Path:
    """Write an `.eval` archive; one whose run was killed has no header."""
    head = {"status": status, "eval": {"task": "qa_standard", "model": "local/small"}, "plan": {}}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps({**head, "status": "started"}))
        for sample in samples:
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample, ensure_ascii=False))
        if status != "started":
            archive.writestr("header.json", json.dumps(head))
    return path
