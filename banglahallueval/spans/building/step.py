"""What the steps that ask a model share: their interface, and asking until a reply can be used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from banglahallueval.generation.checks import Failure
from banglahallueval.generation.generator import THINKING_BUDGET, ask_again
from banglahallueval.hashing import digest
from banglahallueval.models.client import Client
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.types import Message, Reply, Request
from banglahallueval.runs.options import RowRange, RunOptions

T = TypeVar("T")

# A row as its cells by column.
Fields = Mapping[str, str]

OK = "ok"


class UnusableError(Exception):
    """A reply that cannot be used.

    Attributes:
        name: Why, for counts and the `status` column.
        reason: Why, as the model is told; empty where asking again does not help.
    """

    def __init__(self, name: str, reason: str = "") -> None:
        """Keep both."""
        super().__init__(name)
        self.name = name
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Made:
    """What a step made of a row.

    Attributes:
        cells: Its new cells by column; absent ones are left empty.
        status: `ok`, or why the row goes no further.
    """

    cells: Fields
    status: str = OK


@dataclass(frozen=True, slots=True)
class StepPlan:
    """What a step reads and writes, and whom it asks.

    Attributes:
        input: The output of the step before.
        output: Its own output.
        models: The models; of several, the seed chooses one for each row.
        temperature: Sampling temperature.
        seed: Of sampling and of what the step draws.
        tries: Maximum number of requests for one reply that can be used.
        rows: The rows of the input to work on.
        options: What to do with files that exist, and what to show.
    """

    input: Path
    output: Path
    models: tuple[ClientOptions, ...]
    temperature: float
    seed: int
    tries: int
    rows: RowRange
    options: RunOptions


@dataclass(slots=True)
class Tally:
    """Counts over a run.

    Attributes:
        made: Rows of this run.
        statuses: Rows of the output by status.
        unusable: Replies of this run that could not be used, by reason.
        unanswered: Rows of this run that got no reply.
        left_out: Rows of the input that an earlier step did not finish.
    """

    made: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    unusable: Counter[str] = field(default_factory=Counter)
    unanswered: int = 0
    left_out: int = 0


def reply_budget(options: ClientOptions, needed: int, *, thinking: bool) -> int:
    """Decide the reply budget in tokens, for requests, dry runs and a model's batches alike.

    Args:
        options: How the model is asked; `max_tokens` is the whole budget where it is given.
        needed: Tokens that a step's reply needs.
        thinking: Whether the model thinks before it answers.
    """
    if options.max_tokens is not None:
        return options.max_tokens
    return needed + THINKING_BUDGET if thinking else needed


class Step(ABC):
    """A step of the pipeline that asks a model.

    Attributes:
        name: What the step is called on the command line.
        needs: The columns of its input that it reads; none may be empty.
        tells_apart: The column that tells the rows made of one input row apart; empty where one row
            becomes one row.
        author: The column that names the model.
        adds: The other columns that it adds.
        prompts: The fixed prompts that it uses.
        settled: The statuses that a resumed run keeps; rows of another one are made again.
    """

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]
    tells_apart: ClassVar[str] = ""
    author: ClassVar[str]
    adds: ClassVar[tuple[str, ...]]
    prompts: ClassVar[tuple[str, ...]] = ()
    settled: ClassVar[frozenset[str]] = frozenset({OK})

    def split(self, row: Fields) -> Iterator[str]:
        """Give the values of `tells_apart` that an input row has; one empty text without any."""
        yield ""

    @abstractmethod
    def prompt(self, row: Fields) -> str:
        """Fill the prompt for a row."""

    @abstractmethod
    def budget(self, row: Fields) -> int:
        """Compute how many tokens a reply needs; see `reply_budget`."""

    def conversation(self, row: Fields) -> bytes:
        """Name the conversation that a row is made in; rows with one name share its reply."""
        return digest([cell for name, cell in row.items() if name != self.tells_apart])

    @abstractmethod
    async def make(self, asking: Asking, row: Fields) -> Made:
        """Work on a row.

        Raises:
            UnusableError: If no reply could be used.
            ModelError: If no reply came.
            RunError: If no other request can succeed either.
        """


class Asking:
    """Asks one model for replies that can be used."""

    def __init__(
        self,
        client: Client,
        options: ClientOptions,
        plan: StepPlan,
        unusable: Counter[str],
        again: int,
    ) -> None:
        """Put model and settings together.

        Args:
            client: Asks the model.
            options: How the model is asked.
            plan: Says how.
            unusable: Where replies that cannot be used are counted by reason.
            again: How often the same was asked in earlier runs.
        """
        self._client = client
        self._options = options
        self._plan = plan
        self._unusable = unusable
        self._again = again

    async def ask(
        self,
        prompt: str,
        read: Callable[[str], T],
        *,
        needed: int,
        schema: Mapping[str, Any] | None = None,
    ) -> T:
        """Ask until a reply can be read, telling the model what was wrong with the one before.

        Args:
            prompt: The filled prompt.
            read: Reads the text of a reply; raises UnusableError.
            needed: Tokens that a reply needs.
            schema: JSON schema of the reply.

        Raises:
            UnusableError: What was wrong with the last reply.
            ModelError: If no reply came.
            RunError: If no other request can succeed either.
        """
        messages: tuple[Message, ...] = (Message("user", prompt),)
        for turn in range(1, self._plan.tries + 1):
            reply = await self._client.complete(
                Request(
                    messages,
                    reply_budget(self._options, needed, thinking=self._client.model.thinking),
                    temperature=self._plan.temperature,
                    schema=schema,
                    seed=self._plan.seed,
                    attempt=self._again,
                )
            )
            try:
                refuse_unfinished(reply)
                return read(reply.text)
            except UnusableError as error:
                self._unusable[error.name] += 1
                if turn == self._plan.tries or not error.reason:
                    raise
                messages += ask_again(reply.text, [Failure(error.name, error.reason)])
        raise AssertionError("there is at least one try")


def refuse_unfinished(reply: Reply) -> None:
    """Refuse a reply that did not end by itself.

    Raises:
        UnusableError: Naming how it ended.
    """
    if reply.finish == "length":
        raise UnusableError("cut off", "it breaks off; it must be whole")
    if reply.finish != "stop":
        raise UnusableError(reply.finish)
