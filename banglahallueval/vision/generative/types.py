"""What is described, and what the judge says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from banglahallueval.vision.types import PictureItem

# How a description differs from its picture. `multiple`: the judge names several types at once and
# no single one; `other`: none of those known.
HallucinationType = Literal["object", "relation", "attribute", "event", "multiple", "other"]
TYPES: tuple[HallucinationType, ...] = get_args(HallucinationType)

# `undescribed`: there is no description. `unjudged`: the judge came to no verdict on one. Both have
# their reason, count in no figure but coverage, and are asked again by --resume.
Outcome = Literal["clean", "hallucinated", "undescribed", "unjudged"]
JUDGED: frozenset[Outcome] = frozenset(("clean", "hallucinated"))

# What the judge sees beside the description.
JudgeSees = Literal["image", "captions", "both"]

SUPPLIED = "supplied"  # stands where the prompt's name does if nothing was asked
UNTYPED = "types: "  # before the reason why the types of a hallucinated description are not known


@dataclass(frozen=True, slots=True)
class Unit:
    """One description to obtain and to judge.

    Attributes:
        item: The picture and its captions.
        prompt: What the describing prompt is called; `supplied` for a supplied description.
        supplied: That description; None where a model is asked.
    """

    item: PictureItem
    prompt: str
    supplied: str | None = None


@dataclass(frozen=True, slots=True)
class Description:
    """What a model says of a picture.

    Attributes:
        text: The description; empty where there is none.
        reason: Why there is none.
        is_cut: Whether its budget ended it.
        reply: The whole reply, where it is more than the description.
    """

    text: str
    reason: str = ""
    is_cut: bool = False
    reply: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge says of a description.

    Attributes:
        outcome: `clean`, `hallucinated` or `unjudged`.
        reason: Why there is no verdict, or why the types are not known; empty otherwise.
        types: The types named; empty where they are not known, or the description is clean.
        first, second: What it replied to either question.
    """

    outcome: Outcome
    reason: str = ""
    types: frozenset[HallucinationType] = frozenset()
    first: str = ""
    second: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """A description and its judgement: one row of the results.

    Attributes:
        item: The picture and its captions.
        prompt: What the describing prompt is called.
        description: The description.
        judgement: What the judge says of it.
        image_sha256: Of the picture's file; empty where none was shown to anyone.
        image_conversion: How what was sent differs from the file.
    """

    item: PictureItem
    prompt: str
    description: Description
    judgement: Judgement
    image_sha256: str = ""
    image_conversion: str = ""

    @property
    def words(self) -> int:
        """Words of the description, as white space parts them."""
        return len(self.description.text.split())

    @property
    def is_typed(self) -> bool:
        """Whether it is known which types the description has; a clean one has none."""
        outcome = self.judgement.outcome
        return outcome == "clean" or (outcome == "hallucinated" and bool(self.judgement.types))
