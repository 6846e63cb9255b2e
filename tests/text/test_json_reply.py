"""Objects in replies, whole and broken."""

from __future__ import annotations

import pytest

from banglahallueval.text.json_reply import read_object


@pytest.mark.parametrize("opening", ['{"answer": ', '{"answer": [', "{["])
def test_endless_nesting_holds_no_object(opening: str) -> None:
    assert read_object(opening * 20_000) is None
