"""How fast a labelling run is, beside the limit and beside a bare loop over the same client.

python bench/labelling.py                 at 16, 64 and 256 in flight, 50 ms a reply
python bench/labelling.py --million       memory and pace of 1,000,000 rows, and resuming them
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openai

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from banglahallueval.hashing import file_sha256  # noqa: E402
from banglahallueval.io.layouts import find_layout  # noqa: E402
from banglahallueval.io.records import write_record  # noqa: E402
from banglahallueval.io.tables import Table, writing  # noqa: E402
from banglahallueval.judges.factory import JudgeSpec  # noqa: E402
from banglahallueval.judges.llm import LLMJudge  # noqa: E402
from banglahallueval.labelling.plan import Plan, open_input  # noqa: E402
from banglahallueval.labelling.rows import LabelRun  # noqa: E402
from banglahallueval.models.client import Client  # noqa: E402
from banglahallueval.models.options import ClientOptions  # noqa: E402
from banglahallueval.models.store import ReplyStore  # noqa: E402
from banglahallueval.models.types import Reply, Request, Workload  # noqa: E402
from banglahallueval.prompts import load  # noqa: E402
from banglahallueval.runs.options import RunOptions  # noqa: E402
from tests.servers.process import child  # noqa: E402

SENTENCE = "পদ্মা বাংলাদেশের একটি প্রধান নদী, এটি হিমালয়ে উৎপন্ন গঙ্গা নদীর প্রধান শাখা। "
COLUMNS = ("id", "context", "question", "hallucinated_answer")


def write_rows(path: Path, rows: int, context: int) -> None:
    """Distinct rows whose context has about so many code points."""
    passage = (SENTENCE * (context // len(SENTENCE) + 1))[:context]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for n in range(rows):
            writer.writerow((f"{n:07d}", passage, f"প্রশ্ন {n}?", f"উত্তর {n}"))


def cpu_seconds(who: int) -> float:
    """User and system time used so far."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


async def bare_loop(url: str, prompts: list[str], in_flight: int) -> None:
    """The same requests through the same client, and nothing else."""
    client = openai.AsyncOpenAI(
        api_key="bench", base_url=url, max_retries=0, http_client=openai.DefaultAioHttpClient()
    )
    todo = iter(prompts)

    async def work() -> None:
        for prompt in todo:
            await client.chat.completions.create(
                model="bench",
                messages=[{"role": "user", "content": prompt}],
                max_tokens=16,
                temperature=0,
                logprobs=True,
                top_logprobs=20,
            )

    await asyncio.gather(*(work() for _ in range(in_flight)))
    await client.close()


def labelling_run(url: str, source: Path, output: Path, in_flight: int) -> tuple[float, float, int]:
    """A script as a user calls it: seconds inside the run, CPU seconds, peak memory in KiB."""
    before = cpu_seconds(resource.RUSAGE_CHILDREN)
    words = ["--model", "bench", "--base-url", url, "--prompt", "qa.standard_context"]
    words += ["--input", str(source), "--output", str(output), "--concurrency", str(in_flight)]
    command = [sys.executable, str(ROOT / "scripts" / "label_hallucinations_gpt.py"), *words]
    done = subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "OPENAI_API_KEY": "x" * 9},
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    record = json.loads(Path(f"{output}.run.json").read_text(encoding="utf-8"))
    spent = cpu_seconds(resource.RUSAGE_CHILDREN) - before
    return (
        record["runs"][-1]["seconds"],
        spent,
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss,
    )


def compare(latency: float, seconds: float, context: int) -> None:
    """Print rows a second beside the limit and the bare loop."""
    print(f"{latency * 1000:.0f} ms a reply, context of {context} code points, store on")
    print("in flight    limit   bare loop   labelling   share   CPU/row bare   CPU/row labelling")
    for in_flight in (16, 64, 256):
        rows = int(min(in_flight / latency, 1200) * seconds)
        with (
            tempfile.TemporaryDirectory() as folder,
            child(
                "openai_server", "--quick", "--latency", str(latency), "--answer", "no"
            ) as server,
        ):
            source = Path(folder) / "rows.csv"
            write_rows(source, rows, context)
            table = Table(source)
            prompt = load("qa.standard_context", "qa")
            layout = find_layout(table.columns, "qa")
            prompts = [prompt.fill(layout.item(cells)) for cells in table.rows()]
            clock, spent = time.monotonic(), cpu_seconds(resource.RUSAGE_SELF)
            asyncio.run(bare_loop(server.url, prompts, in_flight))
            bare = time.monotonic() - clock
            bare_cpu = cpu_seconds(resource.RUSAGE_SELF) - spent
            took, cpu, _ = labelling_run(server.url, source, Path(folder) / "out.csv", in_flight)
        print(
            f"{in_flight:9}{in_flight / latency:9.0f}{rows / bare:12.0f}{rows / took:12.0f}"
            f"{bare / took:8.1%}{bare_cpu / rows * 1000:12.2f} ms{cpu / rows * 1000:17.2f} ms"
        )


class InstantModel:
    """Answers at once and in process, so that only the run's own work is measured."""

    provider, model, thinking = "bench", "instant", False

    async def prepare(self, workload: Workload) -> None:
        """Nothing to prepare."""

    def identity(self) -> Mapping[str, Any]:
        """A fixed identity."""
        return {"model": "instant"}

    async def complete(self, request: Request) -> Reply:
        """Yes or no by the request's text."""
        await asyncio.sleep(0)
        return Reply("yes" if hash(request.messages[0].content) % 2 else "no")

    async def close(self) -> None:
        """Nothing to close."""

    def record(self) -> dict[str, Any]:
        """Nothing to record."""
        return {}


def million(rows: int, context: int) -> None:
    """Print pace and memory of a large run whose model answers at once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "rows.csv"
        write_rows(source, rows, context)
        megabytes = source.stat().st_size / 1e6
        print(f"{rows:,} rows, {megabytes:,.0f} MB, store on, 64 in flight")
        asyncio.run(label_at_once(folder, rows))
        clock = time.monotonic()
        to_do = surveyed(folder, resume=True).rows.to_do
        print(f"  resume, read row by row {time.monotonic() - clock:.1f} s, {to_do} to ask")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"  peak memory {peak:8.0f} MB (limit 400)")
        resume_by_script(folder, rows)


def surveyed(folder: Path, *, resume: bool) -> LabelRun:
    """The large run's rows, read once."""
    client = ClientOptions("openai", "instant", max_in_flight=64)
    plan = Plan(
        "qa",
        JudgeSpec("openai", client, load("qa.standard_context", "qa")),
        folder / "rows.csv",
        folder / "out.csv",
        options=RunOptions(resume=resume),
    )
    found = LabelRun(plan, *open_input(plan))
    found.survey()
    return found


async def label_at_once(folder: Path, rows: int) -> None:
    """Label the rows by a model that answers at once; print the pace by quarters."""
    client = Client(InstantModel(), ReplyStore(folder / "replies.sqlite"), concurrency=64)
    judge = LLMJudge(client, load("qa.standard_context", "qa"))
    clock = time.monotonic()
    found = surveyed(folder, resume=False)
    print(f"  survey      {time.monotonic() - clock:8.1f} s")
    marks = []
    done = 0

    def on_verdict(verdict: object) -> None:
        nonlocal done
        done += 1
        if done % (rows // 4) == 0:
            marks.append(time.monotonic())

    clock = time.monotonic()
    with writing(folder / "out.csv", found.columns) as writer:
        await found.label(judge, writer, on_verdict=on_verdict)
    quarters = [later - earlier for earlier, later in zip([clock, *marks], marks, strict=False)]
    shown = ", ".join(f"{quarter:.1f}" for quarter in quarters)
    print(f"  labelling   {time.monotonic() - clock:8.1f} s, quarters {shown} s")
    client.store.close()


def resume_by_script(folder: Path, rows: int) -> None:
    """Resume the finished output by the script; nothing is asked, so no server is there."""
    source, output = folder / "rows.csv", folder / "out.csv"
    words = ["--model", "instant", "--prompt", "qa.standard_context", "--resume"]
    words += ["--input", str(source), "--output", str(output)]
    write_record(output, finished_record(source, output, rows))
    clock = time.monotonic()
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "label_hallucinations_gpt.py"), *words],
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    print(
        f"  resuming the finished run {time.monotonic() - clock:.1f} s: "
        + done.stdout.strip().rpartition(" is ")[2]
    )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"  peak memory of the scripts {peak:.0f} MB")


def finished_record(source: Path, output: Path, rows: int) -> dict[str, Any]:
    """The record that a run leaves beside an output without unknown rows."""
    prompt = load("qa.standard_context", "qa")
    return {
        "task": "qa",
        "columns": dict(find_layout(COLUMNS, "qa").columns),
        "input": {"sha256": file_sha256(source), "rows": rows},
        "output": {"sha256": file_sha256(output), "rows": rows},
        "judge": {
            "kind": "openai",
            "name": "instant",
            "prompt": {"name": prompt.name, "sha256": prompt.sha256},
        },
        "labels": {"unknown": 0},
        "runs": [{"rows": {"start": 0, "end": rows}}],
    }


def main() -> None:
    """Read the flags and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--latency", type=float, default=0.05, help="seconds a reply (0.05)")
    parser.add_argument("--seconds", type=float, default=8.0, help="about how long each run lasts")
    parser.add_argument("--context", type=int, default=1000, help="code points of a context")
    parser.add_argument("--million", action="store_true", help="measure a large run instead")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the large run")
    args = parser.parse_args()
    if args.million:
        million(args.rows, args.context if args.context != 1000 else 200)
    else:
        compare(args.latency, args.seconds, args.context)


if __name__ == "__main__":
    main()
