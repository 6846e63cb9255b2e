"""Reading a chat completion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banglahallueval.models.chat import finish_of, read_tokens
from banglahallueval.models.http import as_count
from banglahallueval.models.types import Reply


def read_completion(data: Mapping[str, Any]) -> Reply:
    """Read the reply in a chat completion.

    Raises:
        ValueError, LookupError, TypeError, AttributeError: If it has not the shape of one.
    """
    if not data["choices"] and any("filter" in key for key in data):
        return Reply("", finish="filtered")  # the prompt itself was withheld
    choice = data["choices"][0]
    message = choice["message"]
    text, thinking = _content(message.get("content"))
    ended = str(choice.get("finish_reason") or "").lower()
    if ended in ("error", "abort"):
        raise ValueError("the server broke off its reply")
    finish = finish_of(ended)
    if message.get("refusal"):
        text, finish = message["refusal"], "refused"
    usage = _mapping(data.get("usage"))
    return Reply(
        text=str(text),
        finish=finish,
        tokens=read_tokens(_mapping(choice.get("logprobs")).get("content")),
        thinking=str(message.get("reasoning_content") or message.get("reasoning") or thinking),
        prompt_tokens=as_count(usage.get("prompt_tokens")),
        completion_tokens=as_count(usage.get("completion_tokens")),
        served=f"{data.get('model') or ''} {data.get('system_fingerprint') or ''}".strip(),
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _content(content: Any) -> tuple[str, str]:
    """Split a message's content, null, text or parts, into text and thinking."""
    if content is None or isinstance(content, str):
        return content or "", ""
    texts: dict[str, list[str]] = {"text": [], "thinking": []}
    for part in content:
        if isinstance(part, str):
            texts["text"].append(part)
            continue
        kind = part.get("type", "text").removeprefix("output_")
        value = part.get(kind) if kind in texts else ""
        if isinstance(value, list):  # thinking is itself a list of text parts with some servers
            value = "".join(inner["text"] for inner in value)
        texts.get(kind, []).append(value or "")
    return "".join(texts["text"]), "".join(texts["thinking"])
