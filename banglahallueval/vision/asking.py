"""Asking a model about a picture: loading it, one request, and why there is no reply."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from banglahallueval.models.client import Client
from banglahallueval.models.types import Message, ModelError, Reply, Request, TextPart
from banglahallueval.runs.asking import complete
from banglahallueval.verdicts import no_text
from banglahallueval.vision.images import Picture, PictureError, load_picture
from banglahallueval.vision.pictures import PictureFolder
from banglahallueval.vision.types import PictureItem

NO_REPLY: Final = "no reply: "  # before the cause
_KEPT_PICTURES: Final = 32  # the questions about a picture follow each other


@dataclass(frozen=True, slots=True)
class Settings:
    """How every question of a run is put.

    Attributes:
        temperature: Sampling temperature; 0 is greedy.
        seed: Sampling seed, where the provider takes one.
        max_tokens: Reply budget in tokens; None for the wording's own, and room to think where a
            model does.
    """

    temperature: float = 0.0
    seed: int | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one request.

    Attributes:
        reply: The model's reply; None where none came.
        reason: Why there is nothing to read in it; empty where there is.
    """

    reply: Reply | None
    reason: str = ""

    @property
    def text(self) -> str:
        """The reply's text; empty without a reply."""
        return self.reply.text if self.reply else ""

    @property
    def is_cut(self) -> bool:
        """Whether the token budget ended the reply."""
        return self.reply is not None and self.reply.finish == "length"


class Asker:
    """Puts questions to a model, with or without a picture.

    Attributes:
        client: Asks the model.
        settings: How.
    """

    def __init__(self, client: Client, settings: Settings) -> None:
        """Put a model and the settings together."""
        self.client = client
        self.settings = settings

    async def ask(
        self, text: str, picture: Picture | None, *, tokens: int, again: int = 0
    ) -> Outcome:
        """Ask once; the picture stands before the text, as in Hal-Eval's prompts.

        Args:
            text: The question.
            picture: What it is about; None to ask without it.
            tokens: Reply budget of the wording.
            again: How often the question was asked in earlier runs.

        Raises:
            RunError: If no request can succeed.
        """
        return await self.send((message(text, picture),), tokens=tokens, again=again)

    async def send(self, messages: tuple[Message, ...], *, tokens: int, again: int = 0) -> Outcome:
        """Ask once, going on with a chat; the other arguments are those of `ask`.

        Raises:
            RunError: If no request can succeed.
        """
        settings = self.settings
        request = Request(
            messages,
            max_tokens=settings.max_tokens or tokens,
            temperature=settings.temperature,
            seed=settings.seed,
            attempt=again,
        )
        try:
            reply = await complete(self.client, request, has_room=settings.max_tokens is None)
        except ModelError as error:
            return Outcome(None, f"{NO_REPLY}{error.cause}")
        return Outcome(reply, no_text(reply))


def message(text: str, picture: Picture | None) -> Message:
    """Put a text, and the picture that it is about before it, into a turn of the user's."""
    return Message("user", (picture.part, TextPart(text)) if picture else text)


def what_to_ask(reasons: Iterable[str]) -> str:
    """Say what a resumed run asks for, and what has to be done first.

    Args:
        reasons: Why things are open.
    """
    lacks = any("image missing" in each or "image unreadable" in each for each in reasons)
    return "them, when the pictures are in place" if lacks else "them"


class Pictures:
    """Loads the pictures of items, off the event loop; the latest are kept."""

    def __init__(self, folder: PictureFolder, max_side: int | None = None) -> None:
        """Name the folder, and the longest side that a picture may have."""
        self._folder = folder
        self._max_side = max_side
        self._loaded: OrderedDict[int, asyncio.Task[Picture]] = OrderedDict()

    async def load(self, item: PictureItem) -> Picture:
        """Load an item's picture.

        Raises:
            PictureError: If it is missing or unreadable.
        """
        task = self._loaded.get(item.index)
        if task is None:
            task = asyncio.create_task(asyncio.to_thread(self._load, item))
            # Without this, an error that nobody else waits for would be reported at exit.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._loaded[item.index] = task
            if len(self._loaded) > _KEPT_PICTURES:
                self._loaded.popitem(last=False)
        return await asyncio.shield(task)

    def _load(self, item: PictureItem) -> Picture:
        path = self._folder.find(item)
        if path is None:
            raise PictureError("image missing", f"{item.image}: not found")
        return load_picture(path, self._max_side)
