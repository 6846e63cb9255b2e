"""Data files in both of Hal-Eval's forms, with captions written for the tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.vision.types import Hallucination, PictureItem

TYPES: Mapping[Hallucination, str] = {
    "relation": "Spatial Relationship Hallucination",
    "object": "Objective Hallucination",
    "attribute": "Attributive Hallucination",
    "event": "Event Hallucination",
}
BOATS: Mapping[Hallucination, str] = {
    "relation": "two boats hang above the river bank",
    "object": "two trams lie on the river bank",
    "attribute": "two purple boats lie on the river bank",
    "event": "two boats lie on the river bank while their owners auction them to a cheering crowd.",
}
CAPTION = "two boats lie on the river bank"


def wrong_captions(texts: Mapping[Hallucination, str]) -> list[dict[str, str]]:
    """Write the wrong captions as the files do."""
    return [{"type": TYPES[kind], "caption": text, "from": "gpt-4"} for kind, text in texts.items()]


def in_domain(
    image: str = "val2014/boats.jpg",
    caption: str = CAPTION,
    wrong: Mapping[Hallucination, str] = BOATS,
) -> dict[str, Any]:
    """Write an item as the in-domain file does."""
    return {"image": image, "caption": caption, "hal_caption": wrong_captions(wrong)}


def out_of_domain(
    key: str = "000123456",
    caption: str = CAPTION,
    wrong: Mapping[Hallucination, str] = BOATS,
) -> dict[str, Any]:
    """Write an item as the out-of-domain file does."""
    path = f"/disk/of/authors/CC_SBU/image/{key}.jpg"
    return {
        "image_path": path,
        "key": key,
        "caption": caption,
        "hal_caption": wrong_captions(wrong),
    }


def write(path: Path, rows: Sequence[object]) -> Path:
    """Write a data file."""
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


def picture_item(
    index: int = 0,
    caption: str = CAPTION,
    wrong: Mapping[Hallucination, str] = BOATS,
    *,
    image: str | None = None,
    key: str = "",
) -> PictureItem:
    """Make an item as if a file had been read."""
    return PictureItem(
        index, f"val2014/{index}.jpg" if image is None else image, key, caption, wrong
    )


def published(shared_data: Path, name: str) -> Path:
    """Find one of Hal-Eval's own files; skips where it is absent."""
    path = shared_data / "hal-eval" / name
    if not path.is_file():
        pytest.skip("needs hal-eval/ below BANGLAHALLUEVAL_DATA")
    return path
