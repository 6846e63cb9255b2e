"""What the tests of `generative` share: data, what servers answer and are asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.servers.answers import Answer, Answerer, Body, Failure
from tests.servers.asked import Seen, prompt_of
from tests.servers.base import LoopbackServer
from tests.vision.calling import PictureWorkspace
from tests.vision.items import in_domain, write

CAPTIONS = ("two boats on a bank", "a tram in the rain", "a cat on a wall")

Says = str | Answer | Failure


class Folder(PictureWorkspace):
    """Data with its pictures, and the results.

    Attributes:
        data: The data file.
    """

    def __init__(self, path: Path, captions: tuple[str, ...] = CAPTIONS) -> None:
        super().__init__(path, len(captions), "results.csv")
        rows = [in_domain(*row) for row in zip(self.names, captions, strict=True)]
        self.data = write(path / "data.json", rows)

    def flags(self, *more: object) -> list[object]:
        return ["--data", self.data, "--image-root", self.pictures, "--output", self.output, *more]


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
