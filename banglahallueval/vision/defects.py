"""Captions that do not ask what they should: defects of the published files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import regex

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.normalise import for_matching
from banglahallueval.vision.data import questions_of
from banglahallueval.vision.types import KINDS, Kind, PictureItem, Question

Defect = Literal["empty", "refusal", "copy", "two types", "repeated picture"]

_MEANING: Final[Mapping[Defect, str]] = {
    "empty": "empty",
    "refusal": "a refusal stored as a caption",
    "copy": "the true caption again, whole or cut off, and so not wrong",
    "two types": "one text under two types",
    "repeated picture": "of a picture that an earlier item has",
}
_WORD = lazy_regex(r"[\p{L}\p{N}]")
# The writer about itself, at the caption's start: captions that quote a sign go another way.
_REFUSAL = lazy_regex(
    r"""\W*+(?:
    (?:i['’]?m|i\ am|we['’]re|we\ are)\ (?:(?:so|very|really)\ )?(?:sorry|unable|not\ able|afraid)
    | (?:sorry|(?:my\ )?apologies|i\ apologi[sz]e)\b.*\b(?:i|can(?:not|['’]t)|as|there)\b
    | (?:i|we)\ (?:can(?:['’]t|not|\ not)|could(?:n['’]t|\ not)|do(?:n['’]t|\ not)|won['’]t)
      \ (?:see|view|have|create|make|write|provide|generate|produce|modify|change|help|assist
      |determine|access|identify|do|answer)\b
    | unfortunately,?\ (?:i|it\ is|there\ is
      |the\ (?:image|caption|sentence|description|given|provided))\b
    | please\ provide\b | no\ (?:image|picture|caption)\ (?:is\ |was\ )?(?:provided|given)\b
    | দুঃখিত | ক্ষমা\ করবেন | আমি\ [^।]*(?:পারছি|পারি|পারব|পারলাম)\ না
    )
    | .*\bas\ an\ ai(?:\ language)?(?:\ model|\ assistant|,)""",
    regex.VERBOSE | regex.IGNORECASE,
)

QuestionId = tuple[int, Kind]


@dataclass(frozen=True)
class Defects:
    """The defective captions of a file.

    Attributes:
        found: What is wrong with a caption, by its item's index and its kind.
    """

    found: Mapping[QuestionId, Defect]

    def counts(self) -> Counter[Defect]:
        """Count the captions by defect."""
        return Counter(self.found.values())

    def of(self, question: Question) -> Defect | None:
        """Tell what is wrong with a question's caption."""
        return self.found.get((question.item.index, question.kind))

    def sentences(self) -> list[str]:
        """Say how many captions have each defect; nothing where none has."""
        counts = self.counts()
        return [f"{counts[name]} captions: {_MEANING[name]}" for name in _MEANING if counts[name]]

    def asked(
        self, items: Sequence[PictureItem], kinds: Collection[Kind] = KINDS, *, clean: bool = False
    ) -> Iterator[Question]:
        """List the questions worth asking, in order.

        An empty caption asks nothing and is always left out.

        Args:
            items: The pictures.
            kinds: The kinds of captions to ask about.
            clean: Leave out every defective caption, and all of a picture whose true caption is
                defective, as a wrong caption is counted beside the true one alone.
        """
        for item in items:
            true = self.found.get((item.index, "true"))
            if clean and true is not None:
                continue
            for question in questions_of(item, kinds):
                defect = self.of(question)
                if defect is None or (not clean and defect != "empty"):
                    yield question


def is_refusal(text: str) -> bool:
    """Whether a text that should be about a picture is its writer's refusal to say anything."""
    return _REFUSAL.match(text) is not None


def has_words(text: str) -> bool:
    """Whether a text says anything: one letter or digit is enough."""
    return _WORD.search(text) is not None


def find_defects(items: Sequence[PictureItem]) -> Defects:
    """Find the defective captions; of several defects the first in the order of `Defect` counts.

    A picture is repeated where image and true caption are; its wrong captions may differ.
    """
    found: dict[QuestionId, Defect] = {}
    seen: set[tuple[str, str, str]] = set()
    for item in items:
        identity = (item.image, item.key, for_matching(item.caption))
        repeated = identity in seen
        seen.add(identity)
        texts = Counter(for_matching(text) for text in item.wrong.values())
        for question in questions_of(item):
            defect = _defect_of(question, texts) or ("repeated picture" if repeated else None)
            if defect is not None:
                found[item.index, question.kind] = defect
    return Defects(found)


def _defect_of(question: Question, texts: Mapping[str, int]) -> Defect | None:
    caption = question.caption
    if not has_words(caption):
        return "empty"
    if is_refusal(caption):
        return "refusal"
    if question.kind == "true":
        return None
    text = for_matching(caption)
    if for_matching(question.item.caption).startswith(text):
        return "copy"
    return "two types" if texts[text] > 1 else None
