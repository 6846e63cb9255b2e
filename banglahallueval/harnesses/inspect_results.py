"""What Inspect logs of each sample, in `.eval` archives or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.harnesses.results import (
    NO_REPLY,
    Exported,
    HarnessRun,
    ResultRow,
    config_sha256,
    parse_json,
)
from banglahallueval.models.types import Finish, Reply, Token
from banglahallueval.secrets import mask_secrets
from banglahallueval.verdicts import Verdict, read_verdict

if sys.version_info >= (3, 14):
    import zipfile
else:
    from backports.zstd import zipfile  # reads Zstandard, too, in which Inspect packs its logs

_ENDINGS = (".eval", ".json")
_FINISHES: Mapping[str, Finish] = {
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "filtered",
}
_LONGEST_REASON = 120  # code points of an error that a row's reason repeats


def find_runs(path: Path) -> list[Path]:
    """List the logs that a path stands for.

    Raises:
        UsageError: If it stands for none.
    """
    if path.is_file():
        return [path]
    below = sorted(path.rglob("*")) if path.is_dir() else []
    found = [each for each in below if each.suffix in _ENDINGS and each.is_file()]
    if not found:
        raise UsageError(f"no .eval or .json log at {path}; name what inspect eval wrote")
    return found


def read_run(path: Path) -> HarnessRun:
    """Read the samples of one log.

    Raises:
        UsageError: If the log is damaged, or not of an exported task.
    """
    try:
        header, samples = read_log(path)
        rows = [_row(sample, f"{path}, sample {sample.get('id')}") for sample in samples]
        run, plan = header["eval"], header.get("plan") or {}
        model = str(run["model"])
        record = {
            "name": "inspect_ai",
            "version": (run.get("packages") or {}).get("inspect_ai"),
            "task": run.get("task"),
            "task_sha256": config_sha256([run.get("task_args"), run.get("dataset"), plan]),
            "model": model,
            "config": {
                "task_args": run.get("task_args"),
                "generate": plan.get("config"),
                "solver": [step.get("solver") for step in plan.get("steps") or ()],
                "limit": (run.get("config") or {}).get("limit"),
            },
            "run_id": run.get("run_id"),
            "status": header.get("status"),
        }
    except (LookupError, TypeError, ValueError, AttributeError):
        raise UsageError(f"{path} is not what Inspect logs of an exported task") from None
    if not rows:
        raise UsageError(f"{path} holds no samples; was the run killed?")
    done = header.get("status") == "success"
    return HarnessRun(path, f"{model} (inspect)", record, rows, is_finished=done)


def read_log(path: Path) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]:
    """Read a log's header and samples.

    Raises:
        UsageError: If it is damaged.
    """
    try:
        if path.suffix != ".eval":
            log = parse_json(path.read_bytes(), str(path))
            return log, log.get("samples") or []
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            # A run that was killed has written no header yet, only what it began with.
            head = "header.json" if "header.json" in names else "_journal/start.json"
            header = parse_json(archive.read(head), f"{path}: {head}")
            samples = [
                parse_json(archive.read(name), f"{path}: {name}")
                for name in names
                if name.startswith("samples/")
            ]
    except (OSError, EOFError, zipfile.BadZipFile, NotImplementedError) as error:
        raise UsageError(
            f"cannot read {path}: {error}; was it copied whole? (`inspect log recover` may mend "
            "the log of a run that crashed)"
        ) from None
    return header, samples


def _row(sample: Mapping[str, Any], where: str) -> ResultRow:
    exported = Exported.read(sample["metadata"], where)
    score = (sample.get("scores") or {}).get("verdict") or {}
    shown = [turn for turn in sample.get("messages") or () if turn["role"] != "assistant"]
    altered = [exported.is_filled(_text(turn["content"])) for turn in shown] != [True]
    return ResultRow(exported, _verdict(sample, exported), str(score.get("value", "")), altered)


def _verdict(sample: Mapping[str, Any], exported: Exported) -> Verdict:
    if error := sample.get("error"):
        # The message repeats the whole request; the trace ends in what went wrong.
        said = (error.get("traceback") or error["message"]).rstrip().rpartition("\n")[2]
        return Verdict("unknown", f"{NO_REPLY}: {mask_secrets(said)[:_LONGEST_REASON]}")
    if limit := sample.get("limit"):
        return Verdict("unknown", f"{NO_REPLY}: stopped at its {limit.get('type')} limit")
    choices = (sample.get("output") or {}).get("choices") or ()
    if not choices:
        return Verdict("unknown", f"{NO_REPLY}: none was logged")
    choice = choices[0]
    content = choice["message"]["content"]
    reply = Reply(
        _text(content),
        _FINISHES.get(choice.get("stop_reason"), "stop"),
        tuple(_tokens((choice.get("logprobs") or {}).get("content") or ())),
        thinking=_thinking(content),
    )
    return read_verdict(reply, exported.style)


def _text(content: str | Sequence[Mapping[str, Any]]) -> str:
    """Join the texts of a message, without thinking."""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part.get("type") == "text")


def _thinking(content: str | Sequence[Mapping[str, Any]]) -> str:
    if isinstance(content, str):
        return ""
    return "".join(part["reasoning"] for part in content if part.get("type") == "reasoning")


def _tokens(logged: Sequence[Mapping[str, Any]]) -> Iterator[Token]:
    for each in logged:
        top = each.get("top_logprobs") or [each]
        yield Token(each["token"], tuple((one["token"], one["logprob"]) for one in top))
