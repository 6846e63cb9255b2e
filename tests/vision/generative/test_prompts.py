"""What describing models and judges are asked."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.vision.generative.prompts import (
    WORDINGS,
    judging_prompt,
    load_describing,
    types_prompt,
)
from banglahallueval.vision.generative.types import JudgeSees
from banglahallueval.vision.prompts import LANGUAGES, Lang


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", WORDINGS)
def test_only_reasoning_prompts_ask_for_a_label(name: str, lang: Lang) -> None:
    assert load_describing(name, lang).is_labelled == (name == "cot")


def test_the_types_asked_for_are_those_read() -> None:
    for name in ("object", "relation", "attribute", "event", "other"):
        assert f"\n{name}: " in types_prompt()


@given(st.text(), st.text(), st.sampled_from(["image", "captions", "both"]))
def test_texts_stay_strings_of_one_object(description: str, caption: str, sees: JudgeSees) -> None:
    prompt = judging_prompt(sees, description, caption)
    start = prompt.index("{\n")
    case, end = json.JSONDecoder().raw_decode(prompt, start)
    assert case["description"] == description
    assert case.get("captions", [caption]) == [caption]
    assert ("captions" in case) == (sees != "image")
    assert prompt[end:] == judging_prompt(sees, "", "").rpartition("}")[2]
    assert "<" not in prompt
