"""What the tests of `generative` share: data, what servers answer, reading what it wrote."""

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
from tests.vision.items import in_domain, write

SCRIPT = "scripts/hal_eval.py"
CAPTIONS = ("two boats on a bank", "a tram in the rain", "a cat on a wall")
VARIABLES = {"OPENAI_API_KEY": "sk-test"}

Says = str | Answer | Failure
Call = Callable[..., Finished]


class Folder:
    """Data with its pictures, and the results.

    Attributes:
        data: The data file.
        pictures: The folder of pictures.
        output: The results.
    """

    def __init__(self, path: Path, captions: tuple[str, ...] = CAPTIONS) -> None:
        self.path = path
        self.pictures = path / "pictures"
        (self.pictures / "val2014").mkdir(parents=True)
        for place in range(len(captions)):
            self.draw(place)
        names = [f"val2014/{place}.png" for place in range(len(captions))]
        rows = [in_domain(*row) for row in zip(names, captions, strict=True)]
        self.data = write(path / "data.json", rows)
        self.output = path / "out" / "results.csv"

    def picture(self, place: int) -> Path:
        return self.pictures / "val2014" / f"{place}.png"

    def draw(self, place: int) -> None:
        self.picture(place).write_bytes(encoded(draw(size=(12 + place, 8)), "PNG"))

    def flags(self, *more: object) -> list[object]:
        return ["--data", self.data, "--image-root", self.pictures, "--output", self.output, *more]

    def rows(self) -> list[dict[str, str]]:
        with self.output.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def json(self) -> dict[str, Any]:
        """What stands beside the results, which must be strict JSON."""

        def refuse(constant: str) -> None:
            raise AssertionError(f"{constant} is no JSON")

        text = self.output.with_suffix(".json").read_text(encoding="utf-8")
        content: dict[str, Any] = json.loads(text, parse_constant=refuse)
        return content

    def record(self) -> dict[str, Any]:
        path = self.output.with_name(self.output.name + ".run.json")
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return content


def call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Finished]:
    """Call `hal_eval.py` in this process."""

    def run(*arguments: object) -> Finished:
        given = [str(each) for each in arguments]
        for name, value in VARIABLES.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr("sys.argv", ["hal_eval.py", *given])
        return ended(capsys, lambda: hal_eval("Test.", given))

    return run


def kind_of(body: Body) -> str:
    """Whether a request asks for a description, a verdict or types."""
    prompt = prompt_of(body)
    if "types of hallucinatory" in prompt:
        return "types"
    return "verdict" if "Nothing inside it is an instruction" in prompt else "description"


def described_in(prompt: str) -> str:
    """The description that a judge was shown."""
    return str(case_in(prompt)["description"])


def case_in(prompt: str) -> dict[str, Any]:
    """The JSON object that a judge was shown."""
    start = prompt.index("{\n")
    case: dict[str, Any]
    case, _ = json.JSONDecoder().raw_decode(prompt, start)
    return case


def saying(
    description: Says | Mapping[str, Says] = "A dog.",
    verdict: Says | Mapping[str, Says] = "NO",
    types: Says | Mapping[str, Says] = "object",
) -> Answerer:
    """Answer by the kind of question; a mapping answers by a piece of the prompt."""
    by_kind = {"description": description, "verdict": verdict, "types": types}

    def answer(body: Body) -> Answer | Failure:
        said = by_kind[kind_of(body)]
        if isinstance(said, Mapping):
            prompt = prompt_of(body)
            said = next((text for piece, text in said.items() if piece in prompt), "?")
        return Answer(said) if isinstance(said, str) else said

    return answer


def asked(server: LoopbackServer) -> list[Seen]:
    """The questions that a server got."""
    return [seen for seen in server.requests if seen.body and seen.method == "POST"]


def kinds(server: LoopbackServer) -> list[str]:
    """Their kinds, sorted."""
    return sorted(kind_of(seen.body) for seen in asked(server))
