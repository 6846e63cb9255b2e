"""What the tests of captions share: data with pictures, what servers answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.servers.answers import Answer, Answerer, Body, Failure
from tests.servers.asked import Seen, prompt_of
from tests.servers.base import LoopbackServer
from tests.vision.calling import PictureWorkspace
from tests.vision.items import TYPES, in_domain, write

THINGS = ("boats", "trams", "cats", "lamps")
KINDS = ("true", *TYPES)


def caption(thing: str, kind: str = "true") -> str:
    """The caption of a kind for a picture of such things."""
    true = f"two {thing} stand by the river"
    return {
        "true": true,
        "relation": f"two {thing} hang above the river",
        "object": "two horses stand by the river",
        "attribute": f"two purple {thing} stand by the river",
        "event": f"{true} while a crowd, cheering and waving flags, auctions them to the mayor.",
    }[kind]


class Workspace(PictureWorkspace):
    """A data file with its pictures, and an output.

    Attributes:
        items: The content of the data file.
        data: The data file.
    """

    def __init__(self, path: Path, things: tuple[str, ...] = THINGS) -> None:
        """Draw a picture for each of the things, and write five captions for it."""
        super().__init__(path, len(things), "answers.csv")
        self.items = [
            in_domain(name, caption(thing), {kind: caption(thing, kind) for kind in TYPES})
            for name, thing in zip(self.names, things, strict=True)
        ]
        self.data = write(path / "data.json", self.items)

    def flags(self, *more: object, command: str = "discriminative") -> list[object]:
        """The arguments of a call."""
        pictures = ["--image-root", self.pictures] if command == "discriminative" else []
        return [command, "--data", self.data, *pictures, "--output", self.output, *more]

    def column(self, name: str) -> list[str]:
        """A column of the output."""
        return [row[name] for row in self.rows()]

    def table(self, name: str) -> list[dict[str, Any]]:
        """The rows of one table."""
        found: list[dict[str, Any]] = self.json()["tables"][name]["rows"]
        return found

    def score(self, type_name: str) -> dict[str, Any]:
        """A row of the table of scores."""
        return next(row for row in self.table("scores") if row["type"] == type_name)


def asking(server: LoopbackServer, *more: object) -> list[object]:
    """The flags that ask an OpenAI-compatible server."""
    return ["--model", "gpt-test", "--base-url", server.url, *more]


def kind_in(prompt: str) -> str:
    """The kind of the caption that a prompt shows; empty where it shows none."""
    shown = {caption(thing, kind): kind for thing in THINGS for kind in KINDS}
    found = [text for text in shown if text in prompt]
    return shown[max(found, key=len)] if found else ""


def answering(**by_kind: str | Answer | Failure) -> Answerer:
    """Answer by the kind of the caption; rightly where it is not said."""

    def answer(body: Body) -> Answer | Failure:
        kind = kind_in(prompt_of(body))
        said = by_kind.get(kind, "Yes." if kind == "true" else "No.")
        return Answer(said) if isinstance(said, str) else said

    return answer


def questions(server: LoopbackServer) -> list[Seen]:
    """The requests that brought a picture."""
    return [seen for seen in server.requests if seen.pictures]
