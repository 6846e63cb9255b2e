"""Reading a reply of the Gemini API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from banglahallueval.models.http import as_count
from banglahallueval.models.types import Finish, Reply, Token

# Ways to end that say what became of a reply.
_FINISHED: Mapping[str, Finish] = {
    "": "stop",
    "STOP": "stop",
    "MAX_TOKENS": "length",
    **dict.fromkeys(
        (
            *("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"),
            *("MODEL_ARMOR", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"),
        ),
        "filtered",
    ),
}


class NoReplyError(Exception):
    """What came holds no reply, though the server answered; the message says what it holds."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A reply, and tokens in it that a `Reply` does not tell apart.

    Attributes:
        reply: The reply; thinking is among its completion tokens, as it is billed.
        thinking_tokens: Tokens of thinking.
        cached_tokens: Tokens of the prompt that the server had cached, which cost less.
    """

    reply: Reply
    thinking_tokens: int
    cached_tokens: int


def read_reply(data: Mapping[str, Any]) -> Counted:
    """Read the reply in the body of a `generateContent` response.

    Raises:
        NoReplyError: If it holds none, or one that broke off before its first word.
        ValueError, LookupError, TypeError, AttributeError: If it has another shape.
    """
    usage = _mapping(data.get("usageMetadata"))
    thinking_tokens = as_count(usage.get("thoughtsTokenCount"))
    text, thinking, finish, tokens = _said(data)
    reply = Reply(
        text=text,
        finish=finish,
        tokens=tokens,
        thinking=thinking,
        prompt_tokens=as_count(usage.get("promptTokenCount")),
        completion_tokens=as_count(usage.get("candidatesTokenCount")) + thinking_tokens,
        served=str(data.get("modelVersion") or ""),
    )
    return Counted(reply, thinking_tokens, as_count(usage.get("cachedContentTokenCount")))


def _said(data: Mapping[str, Any]) -> tuple[str, str, Finish, tuple[Token, ...]]:
    """Read text, thinking, how the reply ended, and its tokens."""
    candidates = data.get("candidates") or ()
    if _mapping(data.get("promptFeedback")).get("blockReason") and not candidates:
        return "", "", "filtered", ()
    if not candidates:
        raise NoReplyError("no candidate")
    candidate = candidates[0]
    texts: dict[bool, list[str]] = {False: [], True: []}
    for part in (candidate.get("content") or {}).get("parts") or ():
        texts[bool(part.get("thought"))].append("" + (part.get("text") or ""))
    text, thinking = "".join(texts[False]), "".join(texts[True])
    ended = str(candidate.get("finishReason") or "")
    if ended not in _FINISHED:
        # OTHER, MALFORMED_RESPONSE and whatever comes to be: the model did not end by itself.
        if not text.strip():
            raise NoReplyError(f"an empty reply that ended with {ended[:40]}")
        return text, thinking, "length", read_tokens(candidate.get("logprobsResult"))
    return text, thinking, _FINISHED[ended], read_tokens(candidate.get("logprobsResult"))


def read_tokens(result: Any) -> tuple[Token, ...]:
    """Read a reply's tokens with their alternatives; none where they have a shape of their own.

    A reply that was paid for is never thrown away for what stands beside it.
    """
    try:
        chosen = result["chosenCandidates"]
        tops = result.get("topCandidates") or [{}] * len(chosen)
        return tuple(_token(one, top) for one, top in zip(chosen, tops, strict=True))
    except (LookupError, TypeError, ValueError, AttributeError):
        return ()


def _token(chosen: Mapping[str, Any], top: Mapping[str, Any]) -> Token:
    listed = [chosen, *(top.get("candidates") or ())]  # it need not be among the likeliest
    alternatives = {"" + each["token"]: float(each["logProbability"]) for each in listed}
    ranked = sorted(alternatives.items(), key=lambda pair: -pair[1])
    return Token("" + chosen["token"], tuple(ranked))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
