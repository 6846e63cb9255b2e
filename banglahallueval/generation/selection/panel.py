"""What both sample selections share: several models are asked the same, nothing is made up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from banglahallueval.generation.generator import THINKING_BUDGET
from banglahallueval.hashing import digest, file_sha256
from banglahallueval.io.layouts import Layout, find_layout
from banglahallueval.io.paths import keep_apart, short
from banglahallueval.io.tables import Cells, Table, writing
from banglahallueval.models import server_line
from banglahallueval.models.chat import is_expected_to_think
from banglahallueval.models.client import open_client
from banglahallueval.models.options import ClientOptions, NamedModel
from banglahallueval.models.prices import Estimate, estimate
from banglahallueval.models.spending import usage_record
from banglahallueval.models.types import Message, ModelError, Reply, Request, Workload
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.progress import progress_bar
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import read_as, to_ask_again
from banglahallueval.runs.workers import work_in_order
from banglahallueval.tasks import Item, TaskName


@dataclass(frozen=True, slots=True)
class SelectionPlan:
    """What is selected from, with which models, and where to.

    Attributes:
        task: The task.
        input: The pool.
        output: The pool with replies and scores.
        selected: The selected samples.
        columns: Role to column name, where they are not the published ones.
        models: The models that are asked.
        client: How they are asked; provider and model are each of `models` in turn.
        n: Number of samples to select.
        limit: Maximum number of rows of the pool; None for all of them.
        options: What to do with files that exist, and what to show.
    """

    task: TaskName
    input: Path
    output: Path
    selected: Path
    columns: Mapping[str, str]
    models: tuple[NamedModel, ...]
    client: ClientOptions
    n: int
    limit: int | None
    options: RunOptions


class Pool:
    """The rows that samples are selected from, without those that stand in the input twice.

    Attributes:
        table: The input.
        layout: Where it keeps the items.
        rows: The cells of each row.
        items: The item of each row.
    """

    def __init__(self, plan: SelectionPlan) -> None:
        """Read the pool.

        Raises:
            UsageError: If a file is not what the plan takes it for, or an output exists and may
                not be replaced.
        """
        self.table = Table(plan.input)
        where = str(plan.input)
        self.layout: Layout = find_layout(
            self.table.columns, plan.task, "main", plan.columns, where=where
        )
        keep_apart(plan.input, output=plan.output, selected=plan.selected)
        read_as(self.table)
        for path in (plan.output, plan.selected):
            plan.options.adds_to(path)
        self.rows: list[Cells] = []
        repeated = 0
        seen: set[bytes] = set()
        for number, cells in enumerate(self.table.rows()):
            if plan.limit is not None and number >= plan.limit:
                break
            key = digest(cells)
            if key in seen:
                repeated += 1
                continue
            seen.add(key)
            self.rows.append(cells)
        if repeated:
            print(f"Rows that stand in the input twice, left out: {repeated}")
        self.items: list[Item] = [self.layout.item(cells) for cells in self.rows]

    def id_of(self, row: int) -> str:
        """Return a row's own id, or its number from 1 where it has none."""
        if self.layout.id is None:
            return str(row + 1)
        return self.rows[row][self.table.columns.index(self.layout.id)]


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
    schema: Mapping[str, Any] | None = None
    attempt: int = 0


class Panel:
    """Asks models one after the other, so that a local server loads each once.

    Attributes:
        usage: What each model was asked, by model and question.
        failures: Replies that are missing or cannot be used, by model and reason.
    """

    def __init__(self, session: RunSession, client: ClientOptions) -> None:
        """Share the session's reply store.

        Args:
            session: The run.
            client: How the models are asked.
        """
        self._store = session.open_store()
        self._client = client
        self._quiet = session.options.quiet
        self.usage: dict[str, dict[str, Any]] = {}
        self.failures: Counter[str] = Counter()

    async def ask(self, model: NamedModel, what: str, asking: Asking) -> list[Reply | None]:
        """Ask one model every question; the reply is None where there is none.

        Raises:
            RunError: If no request can succeed; every reply that came is in the store.
        """
        options = options_of(self._client, model)
        if not self._quiet:
            print(server_line(options))
        client = open_client(options, self._store, quiet=self._quiet)
        todo = [(row, prompt) for row, prompt in enumerate(asking.prompts) if prompt is not None]
        replies: list[Reply | None] = [None] * len(asking.prompts)
        budget = self._client.max_tokens or asking.max_tokens

        async def work(question: tuple[int, str]) -> tuple[int, Reply | None]:
            row, prompt = question
            request = Request(
                (Message("user", prompt),),
                max_tokens=budget + (THINKING_BUDGET if client.model.thinking else 0),
                schema=asking.schema,
                attempt=asking.attempt,
            )
            try:
                return row, await client.complete(request)
            except ModelError as error:
                self.failures[f"{model}: no reply: {error.cause}"] += 1
                return row, None
            finally:
                bar.update(1)

        def take(answered: tuple[int, Reply | None]) -> None:
            replies[answered[0]] = answered[1]

        try:
            await client.model.prepare(_workload(todo, asking.max_tokens))
            with progress_bar(len(todo), f"{model}: {what}", quiet=self._quiet) as bar:
                workers = min(options.concurrency, len(todo))
                await work_in_order(todo, work, take, workers=workers)
        finally:
            await client.model.close()
            self.usage[f"{model}: {what}"] = usage_record(client)
        return replies

    def so_far(self) -> str:
        """List what has been asked of which model until now."""
        return ", ".join(self.usage)

    async def ask_each(
        self,
        models: Sequence[NamedModel],
        what: str,
        asking: Asking,
        read: Callable[[Reply], str | None],
    ) -> list[list[str | None]]:
        """Ask several models the same questions; a text is None where a reply holds none.

        A reply without a text is counted among the failures, and never stored as a text.
        """
        found: list[list[str | None]] = []
        for model in models:
            texts: list[str | None] = []
            for reply in await self.ask(model, what, asking):
                text = read(reply) if reply is not None else None
                if reply is not None and text is None:
                    why = "empty reply" if reply.finish == "stop" else reply.finish
                    self.failures[f"{model}: {why}"] += 1
                texts.append(text)
            found.append(texts)
        return found


def options_of(client: ClientOptions, model: NamedModel) -> ClientOptions:
    """Say how one of the models is asked."""
    return replace(client, provider=model.provider, model=model.model)


def estimated(
    client: ClientOptions, models: Sequence[NamedModel], prompts: Sequence[str], max_tokens: int
) -> Estimate:
    """Estimate what it takes to ask each model every prompt."""
    budget = client.max_tokens or max_tokens
    total = Estimate()
    for model in models:
        thinking = THINKING_BUDGET if is_expected_to_think(options_of(client, model)) else 0
        total += estimate(
            model.provider,
            model.model,
            requests=len(prompts),
            characters=sum(map(len, prompts)),
            reply_tokens=len(prompts) * (budget + thinking),
        )
    return total


def write_selection(
    plan: SelectionPlan,
    session: RunSession,
    panel: Panel,
    pool: tuple[Sequence[str], Sequence[Cells]],
    selected: tuple[Sequence[str], Sequence[Cells]],
    record: Mapping[str, Any],
) -> int:
    """Write pool, samples and record; say what there is.

    Args:
        plan: The plan.
        session: The run.
        panel: The models that were asked.
        pool: Columns and rows of the pool with replies and scores.
        selected: Columns and rows of the samples.
        record: What determines the selection besides the models.

    Returns:
        The exit status: 1 if a reply is missing or too few rows could be selected.
    """
    with writing(plan.selected, selected[0]) as writer:
        for cells in selected[1]:
            writer.writerow(cells)
    with session.writing(pool[0]) as writer:
        for cells in pool[1]:
            writer.writerow(cells)
    session.publish(
        {
            "selected": {"path": str(plan.selected), "sha256": file_sha256(plan.selected)},
            "models": list(map(str, plan.models)),
            "task": plan.task,
            "input": {"path": str(plan.input), "sha256": file_sha256(plan.input)},
            **record,
        },
        {"asked": panel.usage},
    )
    number = len(selected[1])
    if not plan.options.quiet:
        print(f"{short(plan.output)}: {len(pool[1])} rows with replies and scores")
        print(f"{short(plan.selected)}: {number} selected")
    for name, count in panel.failures.most_common():
        print(f"  {count} {name}; such rows are not selected")
    if panel.failures:
        to_ask_again("them")
    if number < plan.n:
        print(f"Only {number} of {plan.n} rows could be selected")
    return 1 if panel.failures or number < plan.n else 0


def _workload(todo: Sequence[tuple[int, str]], max_tokens: int) -> Workload:
    return Workload(
        requests=len(todo),
        longest_prompt=max((len(prompt) for _, prompt in todo), default=0),
        max_tokens=max_tokens,
        max_tokens_thinking=max_tokens + THINKING_BUDGET,
    )
