"""What a request to a loopback server says: the chat as one text, and the pictures in it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture in a request.

    Attributes:
        data: Its bytes.
        media_type: Its type as the request names it; empty with Ollama, where none is named.
    """

    data: bytes
    media_type: str

    def __str__(self) -> str:
        """What stands for it in the text of a chat."""
        start = hashlib.sha256(self.data).hexdigest()[:8]
        return f"<{self.media_type or 'image'} {start}>"


@dataclass(frozen=True, slots=True)
class Seen:
    """One request and how it ended; also one line of a journal file, as JSON.

    Attributes:
        n: Its number in the order of arrival, from 0.
        method, path, headers: As sent; header names in lower case.
        body: The parsed JSON, or None.
        status: Status of the response; None where the client left before one began.
        fault: The fault it met.
        completed: Whether the whole response was handed to an open connection.
    """

    n: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    status: int | None
    fault: str | None
    completed: bool

    @property
    def prompt(self) -> str:
        """The chat as one text."""
        return prompt_of(self.body or {})

    @property
    def pictures(self) -> list[SentPicture]:
        """The pictures that it brought, with their exact bytes."""
        return pictures_of(self.body or {})


def prompt_of(body: Body) -> str:
    """The chat as one text: what decides a hashed answer, and what faults are counted by.

    A picture stands in it as `<image/png 0123abcd>`, by its type and the start of its SHA-256.
    """
    return "\n".join(map(str, _parts(body)))


def pictures_of(body: Body) -> list[SentPicture]:
    """The pictures of a request in order.

    Raises:
        ValueError: If one is not in the shape that the real server takes.
    """
    return [part for part in _parts(body) if isinstance(part, SentPicture)]


def _parts(body: Body) -> Iterator[str | SentPicture]:
    """Texts and pictures in order, as OpenAI, Ollama and Gemini write them."""
    for message in body.get("messages", ()):
        content = message.get("content")
        if isinstance(content, list):
            yield from map(_openai_part, content)
        else:
            yield content if isinstance(content, str) else json.dumps(content)
        for data in message.get("images") or ():  # Ollama's, without their types
            yield SentPicture(_decoded(data), "")
    system = body.get("systemInstruction")
    for turn in [*([system] if system else []), *body.get("contents", ())]:
        yield from map(_gemini_part, turn["parts"])


def _openai_part(part: Body) -> str | SentPicture:
    if "text" in part:
        return str(part["text"])
    if part.get("type") != "image_url":
        return json.dumps(part)
    kind, found, data = part["image_url"]["url"].partition(";base64,")
    if not found or not kind.startswith("data:image/"):
        raise ValueError("a picture is no data URL")
    return SentPicture(_decoded(data), kind.removeprefix("data:"))


def _gemini_part(part: Body) -> str | SentPicture:
    if "text" in part:
        return str(part["text"])
    inline = part.get("inlineData") or part.get("inline_data")
    if not inline:
        return json.dumps(part)
    # Releases of the SDK differ in their spelling, and write base64 in the alphabet of URLs.
    kind = inline.get("mimeType") or inline["mime_type"]
    return SentPicture(_decoded(inline["data"].replace("-", "+").replace("_", "/")), kind)


def _decoded(data: str) -> bytes:
    return base64.b64decode(data, validate=True)
