"""What the evaluations of vision-language models speak about: pictures, captions, questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

# How a caption differs from what its picture shows.
Hallucination = Literal["relation", "object", "attribute", "event"]
HALLUCINATIONS: tuple[Hallucination, ...] = get_args(Hallucination)

# What a caption is: true, or wrong in one of four ways.
Kind = Literal["true", "relation", "object", "attribute", "event"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class PictureItem:
    """A picture with its true caption and a wrong one of each type.

    Attributes:
        index: Place in the data file, from 0; pictures repeat, so this and not the picture's name
            identifies the item.
        image: The picture as the file names it: a relative path, or one of its authors' disk.
        key: The out-of-domain file's name for the picture; empty in the in-domain file.
        caption: The true caption, without white space around it.
        wrong: The wrong captions by type, without white space around them.
    """

    index: int
    image: str
    key: str
    caption: str
    wrong: Mapping[Hallucination, str]


@dataclass(frozen=True, slots=True)
class Question:
    """One caption put to a model beside its picture.

    Attributes:
        item: The picture and its captions.
        kind: Which of the captions.
    """

    item: PictureItem
    kind: Kind

    @property
    def caption(self) -> str:
        """The caption that is asked about."""
        return self.item.caption if self.kind == "true" else self.item.wrong[self.kind]

    @property
    def matches(self) -> bool:
        """Whether the caption describes the picture."""
        return self.kind == "true"
