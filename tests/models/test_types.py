"""What is said to a model, and what comes back."""

from __future__ import annotations

import pytest

from banglahallueval.models.chat import fold_system
from banglahallueval.models.types import ImagePart, Message, ModelError, TextPart

PICTURE = ImagePart(b"\x89PNG", "image/png")
WITH_PICTURE = Message("user", (TextPart("কী দেখা যায়?"), PICTURE))


def test_text_parts_read_as_one_text() -> None:
    """A message in parts is the same text to whatever takes nothing but text."""
    parts = Message("user", (TextPart("ঢাকা "), TextPart("কোথায়?")))
    assert parts.text == Message("user", "ঢাকা কোথায়?").text == "ঢাকা কোথায়?"


def test_a_picture_has_no_text() -> None:
    """A picture is never dropped on the way to a place that takes only text."""
    with pytest.raises(ModelError, match="only text is taken") as caught:
        _ = WITH_PICTURE.text
    assert caught.value.fatal


def test_texts_and_pictures_are_told_apart() -> None:
    assert WITH_PICTURE.words == "কী দেখা যায়?"
    assert WITH_PICTURE.pictures == (PICTURE,)
    assert Message("user", "a").parts == (TextPart("a"),)
    assert Message("user", "a").pictures == ()


def test_system_text_goes_before_a_turn_with_a_picture() -> None:
    """Regression: folding read the turn as text, which a picture has not."""
    (folded,) = fold_system((Message("system", "s"), WITH_PICTURE))
    assert folded.parts == (TextPart("s\n\n"), *WITH_PICTURE.parts)
