"""What the tests of the vision commands share: pictures, and reading what was written."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.scripting import Finished
from tests.vision.drawing import draw, encoded

SCRIPT = "scripts/hal_eval.py"

Call = Callable[..., Finished]


class PictureWorkspace:
    """A folder of pictures, and an output.

    Attributes:
        path: Where all of it is.
        pictures: The folder of pictures.
        names: Their paths below it, in order.
        output: The rows.
    """

    def __init__(self, path: Path, pictures: int, output: str) -> None:
        """Draw the pictures, and name the output."""
        self.path = path
        self.pictures = path / "pictures"
        (self.pictures / "val2014").mkdir(parents=True)
        self.names = [f"val2014/{place}.png" for place in range(pictures)]
        for place in range(pictures):
            self.draw(place)
        self.output = path / "out" / output

    def picture(self, place: int) -> Path:
        """The file of an item's picture."""
        return self.pictures / self.names[place]

    def draw(self, place: int) -> None:
        """Draw an item's picture; no two are alike."""
        self.picture(place).write_bytes(encoded(draw(size=(12 + place, 8)), "PNG"))

    def rows(self) -> list[dict[str, str]]:
        """The rows of the output."""
        with self.output.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def json(self) -> dict[str, Any]:
        """What stands beside the output, which must be strict JSON."""

        def refuse(constant: str) -> None:
            raise AssertionError(f"{constant} is no JSON")

        text = self.output.with_suffix(".json").read_text(encoding="utf-8")
        content: dict[str, Any] = json.loads(text, parse_constant=refuse)
        return content

    def record(self) -> dict[str, Any]:
        """The run record."""
        path = self.output.with_name(self.output.name + ".run.json")
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return content
