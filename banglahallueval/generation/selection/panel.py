"""What both sample selections share: several models are asked the same, nothing is made up."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from banglahallueval.cli.flags import ALL_PROVIDERS
from banglahallueval.cli.types import positive
from banglahallueval.errors import RunError, UsageError
from banglahallueval.generation.flags import add_model_flags
from banglahallueval.generation.generator import THINKING_BUDGET
from banglahallueval.hashing import digest, file_sha256
from banglahallueval.io.paths import keep_apart, short, slug
from banglahallueval.io.records import command_line, utc_now, write_record
from banglahallueval.io.tables import Cells, Table, writing
from banglahallueval.models.client import concurrency, open_client, usage_record
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import Message, ModelError, Reply, Request, Workload
from banglahallueval.runs.summary import resume_command


@dataclass(frozen=True, slots=True)
class Asking:
    """A question for each row, and how the replies are asked for.

    Attributes:
        prompts: One a row; None for a row that is not asked.
        max_tokens: Reply budget in tokens.
        schema: JSON schema of the reply.
        attempt: Which asking of the same questions this is.
    """

    prompts: Sequence[str | None]
    max_tokens: int
    schema: dict[str, Any] | None = None
    attempt: int = 0


class Panel:
    """Asks models one after the other, so that a local server loads each once."""

    def __init__(self, store: ReplyStore, args: argparse.Namespace) -> None:
        """Share one store; `usage` collects what each model was asked."""
        self._store = store
        self._args = args
        self.usage: dict[str, dict[str, Any]] = {}
        self.failures: Counter[str] = Counter()

    async def ask(self, provider: str, model: str, what: str, asking: Asking) -> list[Reply | None]:
        """One model's reply to every question; None where there is none.

        Raises:
            RunError: If no request can succeed; every reply that came is in the store.
        """
        client = open_client(provider, model, self._store, self._args)
        replies: list[Reply | None] = [None] * len(asking.prompts)
        todo = [(i, prompt) for i, prompt in enumerate(asking.prompts) if prompt is not None]
        bar = tqdm(
            total=len(todo),
            desc=f"{model}: {what}",
            unit="row",
            disable=self._args.quiet,
            dynamic_ncols=True,
            mininterval=0.2 if sys.stderr.isatty() else 10.0,
        )

        async def work(questions: Iterable[tuple[int, str]]) -> None:
            for row, prompt in questions:
                budget = self._args.max_tokens or asking.max_tokens
                spare = THINKING_BUDGET if client.model.thinking else 0
                request = Request(
                    (Message("user", prompt),),
                    max_tokens=budget + spare,
                    schema=asking.schema,
                    attempt=asking.attempt,
                )
                try:
                    replies[row] = await client.complete(request)
                except ModelError as error:
                    self.failures[f"{model}: no reply: {error.cause}"] += 1
                bar.update(1)

        try:
            await client.model.prepare(_workload(todo, asking.max_tokens))
            questions = iter(todo)
            async with asyncio.TaskGroup() as workers:
                for _ in range(max(1, min(concurrency(provider, self._args), len(todo)))):
                    workers.create_task(work(questions))
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None
        finally:
            bar.close()
            await client.model.close()
            self.usage[f"{model}: {what}"] = usage_record(client)
        return replies

    async def ask_each(
        self,
        models: Sequence[str],
        what: str,
        asking: Asking,
        read: Callable[[Reply], str | None],
    ) -> list[list[str | None]]:
        """What each model answers to the same questions, as read; None where there is nothing.

        A reply that is none is counted among the failures, and never stored as a text.
        """
        found: list[list[str | None]] = []
        for model in models:
            texts: list[str | None] = []
            for reply in await self.ask(self._args.provider, model, what, asking):
                text = read(reply) if reply is not None else None
                if reply is not None and text is None:
                    why = "empty reply" if reply.finish == "stop" else reply.finish
                    self.failures[f"{model}: {why}"] += 1
                texts.append(text)
            found.append(texts)
        return found


def add_selection_flags(parser: argparse.ArgumentParser, *, reads: str) -> None:
    """The flags of both selections."""
    what = parser.add_argument_group("what is selected, and by whom")
    what.add_argument("--models", required=True, metavar="A,B,C", help="the models that are asked")
    what.add_argument("--provider", choices=ALL_PROVIDERS, default="openai", help="their provider")
    what.add_argument("--n", type=positive, default=1000, help="samples to select (default: 1000)")
    files = parser.add_argument_group("files")
    files.add_argument("--input", type=Path, metavar="CSV", help=reads)
    files.add_argument("--columns", metavar="ROLE=NAME,…", help="columns of your own file")
    files.add_argument("--limit", type=positive, help="at most this many rows of the input")
    files.add_argument(
        "--output", type=Path, metavar="CSV", help="the pool with replies and scores"
    )
    files.add_argument("--selected", type=Path, metavar="CSV", help="the selected samples")
    files.add_argument(
        "--resume", action="store_true", help="go on: what the store holds is not asked again"
    )
    files.add_argument("--overwrite", action="store_true", help="replace outputs that are there")
    files.add_argument(
        "--store", type=Path, metavar="FILE", help="reply store (default: OUTPUT.replies.sqlite)"
    )
    add_model_flags(parser, one_model=False)


def model_names(args: argparse.Namespace) -> list[str]:
    """The models of `--models`.

    Raises:
        UsageError: If there is none, or two would share a column.
    """
    names = [name.strip() for name in args.models.split(",") if name.strip()]
    if not names:
        raise UsageError("--models names none")
    if len({slug(name) for name in names}) < len(names):
        raise UsageError(f"--models {args.models}: two of them are the same in column names")
    return names


def check_outputs(args: argparse.Namespace, source: Path, output: Path, selected: Path) -> None:
    """Refuse to replace the input or one another, and what is there unless asked to.

    Raises:
        UsageError: Naming the file.
    """
    keep_apart(source, output=output, selected=selected)
    for path in (output, selected):
        if path.exists() and not (args.resume or args.overwrite):
            raise UsageError(f"{path} is there already; --resume goes on, --overwrite replaces it")


def read_rows(table: Table, limit: int | None) -> tuple[list[Cells], int]:
    """The first rows of a table without those that stand there twice, and how many those are."""
    seen: set[bytes] = set()
    rows: list[Cells] = []
    twice = 0
    for number, cells in enumerate(table.rows()):
        if limit is not None and number >= limit:
            break
        key = digest(cells)
        if key in seen:
            twice += 1
            continue
        seen.add(key)
        rows.append(cells)
    return rows, twice


def write_selection(
    args: argparse.Namespace,
    pool: tuple[Path, Sequence[str], Sequence[Cells]],
    selected: tuple[Path, Sequence[str], Sequence[Cells]],
    panel: Panel,
    record: dict[str, Any],
) -> int:
    """Write pool, samples and record; say what there is.

    Returns:
        The exit status: 1 if a reply is missing or too few rows could be selected.
    """
    for path, columns, rows in (pool, selected):
        with writing(path, columns) as writer:
            for cells in rows:
                writer.writerow(cells)
    write_record(
        pool[0],
        {
            "output": {"path": str(pool[0]), "sha256": file_sha256(pool[0])},
            "selected": {"path": str(selected[0]), "sha256": file_sha256(selected[0])},
            "models": model_names(args),
            **record,
            "runs": [{"command": command_line(), "finished": utc_now(), "asked": panel.usage}],
        },
    )
    if not args.quiet:
        print(f"{short(pool[0])}: {len(pool[2])} rows with replies and scores")
        print(f"{short(selected[0])}: {len(selected[2])} selected")
    for name, number in panel.failures.most_common():
        print(f"  {number} {name}; such rows are not selected")
    if panel.failures:
        print(f"To ask again for them: {resume_command()}")
    if len(selected[2]) < args.n:
        print(f"Only {len(selected[2])} of {args.n} rows could be selected")
    return 1 if panel.failures or len(selected[2]) < args.n else 0


@contextmanager
def keeping(path: Path, args: argparse.Namespace) -> Iterator[Panel]:
    """A panel over a store; says that nothing is lost when a selection is broken off."""
    store = ReplyStore(path, fresh=args.fresh)
    try:
        yield Panel(store, args)
        store.finish()
    except (RunError, KeyboardInterrupt):
        print(f"\nEvery reply is kept in {short(path)}. To go on: {resume_command()}")
        raise
    finally:
        store.close()


def _workload(todo: Sequence[tuple[int, str]], max_tokens: int) -> Workload:
    return Workload(
        requests=len(todo),
        longest_prompt=max((len(prompt) for _, prompt in todo), default=0),
        max_tokens=max_tokens,
        max_tokens_thinking=max_tokens + THINKING_BUDGET,
    )
