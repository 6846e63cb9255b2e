"""Pairs of texts as the tokens that a classifier was trained on, with the places of the second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from banglahallueval.text.spans import Place


@dataclass(frozen=True, slots=True)
class Encoding:
    """A pair of texts in a model's tokens.

    Attributes:
        ids: The tokens.
        types: Which text each is of, where the model has an embedding for that.
        places: For each token its place in the second text, in code points; None for tokens of the
            first and for those that stand for no character. Several tokens may share a code point,
            and a code point may belong to none.
    """

    ids: Sequence[int]
    types: Sequence[int] | None
    places: Sequence[Place | None]


def features(encoding: Encoding) -> dict[str, list[int]]:
    """List an encoding's tokens under the names that models take them by."""
    named = {"input_ids": list(encoding.ids), "attention_mask": [1] * len(encoding.ids)}
    if encoding.types is not None:
        named["token_type_ids"] = list(encoding.types)
    return named


class PairTokenizer:
    """Encodes pairs as `[CLS] first [SEP] second [SEP]`, in whatever signs the model has for these.

    Nothing is cut: `limit` is for the caller to keep. Text that looks like a special token is text.

    Attributes:
        limit: Maximum number of tokens that the model reads.
    """

    def __init__(self, tokenizer: Any, limit: int, *, one_separator: bool = False) -> None:
        """Wrap a tokenizer.

        Args:
            tokenizer: A fast tokenizer of transformers.
            limit: Maximum number of tokens that the model reads.
            one_separator: Whether one sign parts the texts where the tokenizer would write two.
        """
        self._tokenizer = tokenizer
        self.limit = limit
        self._one_separator = one_separator

    def pair(self, first: str, second: str) -> Encoding:
        """Encode a pair of texts; the places are in the second, as it is, whatever is normalised.

        Args:
            first: What the model is given: evidence, with a question or instructions around it.
            second: The text under judgement.
        """
        encoded = self._tokenizer(
            first, second, return_offsets_mapping=True, split_special_tokens=True
        )
        sides = encoded.sequence_ids()
        places = [
            (start, end) if side == 1 and end > start else None
            for side, (start, end) in zip(sides, encoded["offset_mapping"], strict=True)
        ]
        kept = list(range(len(sides)))
        if self._one_separator:
            signs = [i for i in kept if sides[i] is None and 0 < i < len(sides) - 1]
            kept = [i for i in kept if i not in signs[1:]]
        types = encoded.get("token_type_ids")
        return Encoding(
            [encoded["input_ids"][i] for i in kept],
            [types[i] for i in kept] if types else None,
            [places[i] for i in kept],
        )

    def places(self, text: str) -> list[Place]:
        """List the places of a text's tokens, in order."""
        encoded = self._tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, split_special_tokens=True
        )
        return [(start, end) for start, end in encoded["offset_mapping"] if end > start]
