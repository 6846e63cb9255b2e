"""What the tests of captions share: data with pictures, calling the command, what it wrote."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.vision.commands import hal_eval
from tests.in_process import ended
from tests.scripting import Finished
from tests.servers.answers import Answer, Answerer, Body, Failure
from tests.servers.asked import Seen, prompt_of
from tests.servers.base import LoopbackServer
from tests.vision.drawing import draw, encoded
from tests.vision.items import TYPES, in_domain, write

SCRIPT = "scripts/hal_eval.py"
THINGS = ("boats", "trams", "cats", "lamps")
KINDS = ("true", *TYPES)

Call = Callable[..., Finished]


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


class Workspace:
    """A data file, its pictures, and an output.

    Attributes:
        data: The data file.
        pictures: The folder of pictures.
        output: The rows.
    """

    def __init__(self, path: Path, things: tuple[str, ...] = THINGS) -> None:
        """Draw a picture for each of the things, and write five captions for it."""
        self.path = path
        self.pictures = path / "pictures"
        (self.pictures / "val2014").mkdir(parents=True)
        for place in range(len(things)):
            self.draw(place)
        self.items = [
            in_domain(
                f"val2014/{place}.png",
                caption(thing),
                {kind: caption(thing, kind) for kind in TYPES},
            )
            for place, thing in enumerate(things)
        ]
        self.data = write(path / "data.json", self.items)
        self.output = path / "out" / "answers.csv"

    def picture(self, place: int) -> Path:
        """The file of an item's picture."""
        return self.pictures / "val2014" / f"{place}.png"

    def draw(self, place: int) -> None:
        """Draw an item's picture; no two are alike."""
        self.picture(place).write_bytes(encoded(draw(size=(12 + place, 8)), "PNG"))

    def flags(self, *more: object, command: str = "discriminative") -> list[object]:
        """The arguments of a call."""
        pictures = ["--image-root", self.pictures] if command == "discriminative" else []
        return [command, "--data", self.data, *pictures, "--output", self.output, *more]

    def rows(self) -> list[dict[str, str]]:
        """The rows of the output."""
        with self.output.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def column(self, name: str) -> list[str]:
        """A column of the output."""
        return [row[name] for row in self.rows()]

    def json(self) -> dict[str, Any]:
        """What stands beside the output, which must be strict JSON."""

        def refuse(constant: str) -> None:
            raise AssertionError(f"{constant} is no JSON")

        text = self.output.with_suffix(".json").read_text(encoding="utf-8")
        content: dict[str, Any] = json.loads(text, parse_constant=refuse)
        return content

    def table(self, name: str) -> list[dict[str, Any]]:
        """The rows of one table."""
        found: list[dict[str, Any]] = self.json()["tables"][name]["rows"]
        return found

    def score(self, type_name: str) -> dict[str, Any]:
        """A row of the table of scores."""
        return next(row for row in self.table("scores") if row["type"] == type_name)

    def record(self) -> dict[str, Any]:
        """The run record."""
        path = self.output.with_name(self.output.name + ".run.json")
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return content


def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Call `hal_eval.py` in this process."""

    def run(*arguments: object, env: Mapping[str, str] | None = None) -> Finished:
        given = [str(each) for each in arguments]
        for name, value in {"OPENAI_API_KEY": "sk-test", **(env or {})}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr("sys.argv", [SCRIPT, *given])
        return ended(capsys, lambda: hal_eval("Test.", given))

    return run


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
