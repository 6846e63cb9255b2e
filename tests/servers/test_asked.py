"""What a loopback server reads in a request."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.servers.asked import SentPicture, pictures_of, prompt_of

DATA = b"\xfb\xef\xbe\x00"
TEXT = base64.b64encode(DATA).decode()
OPENAI = [
    {"type": "text", "text": "a"},
    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{TEXT}"}},
]
GEMINI = [{"inlineData": {"mimeType": "image/png", "data": "--++AA==".replace("+", "_")}}]


@pytest.mark.parametrize(
    ("body", "picture"),
    [
        ({"messages": [{"content": OPENAI}]}, SentPicture(DATA, "image/png")),
        ({"messages": [{"content": "a", "images": [TEXT]}]}, SentPicture(DATA, "")),
        (
            {"contents": [{"parts": [{"text": "a"}, *GEMINI]}]},
            SentPicture(base64.b64decode("++//AA=="), "image/png"),
        ),
    ],
)
def test_pictures_are_read_in_every_shape(body: dict[str, Any], picture: SentPicture) -> None:
    assert pictures_of(body) == [picture]
    assert prompt_of(body) == f"a\n{picture}"


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [{"content": "a", "images": [f"data:image/png;base64,{TEXT}"]}]},
        {"messages": [{"content": [{"type": "image_url", "image_url": {"url": TEXT}}]}]},
        {"messages": [{"content": [{"type": "image_url", "image_url": {"url": "http://x/a"}}]}]},
    ],
)
def test_what_the_real_servers_do_not_take_is_an_error(body: dict[str, Any]) -> None:
    """Ollama takes no data URLs, and others no bare base64."""
    with pytest.raises(ValueError, match=r"base64|padding|no data URL"):
        pictures_of(body)
