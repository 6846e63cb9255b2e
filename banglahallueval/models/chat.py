"""What providers share about chats: models that think, chats without a system role, schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import regex

from banglahallueval.models.options import ClientOptions
from banglahallueval.models.types import Finish, Message, Request, TextPart, Token

VERDICT_KEY = "is_hallucinated"
TOP_TOKENS = 20  # alternatives asked for at each token: the most that the APIs give

_CUT_OFF = frozenset(("length", "max_tokens", "model_length"))
_FILTERED = frozenset(
    ("content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii")
)

# Families that think before they answer unless told otherwise. A wrong guess costs little: a
# budget that is not used up.
_THINKS = regex.compile(
    r"""(?<![a-z0-9])(?:
        o[134](?![a-z0-9]) | gpt-5(?!.*chat) | gpt-oss | deepseek-r1 | r1-distill | qwq
        | qwen3(?!.*(?:instruct|coder)) | magistral | grok-4 | gemini-(?:2\.5|[3-9])
        | (?<!non-)(?:thinking | thinker | reasoner | reasoning)(?![a-z])
    )""",
    regex.X,
)


def finish_of(ended: str) -> Finish:
    """Name how a reply ended, by the words of OpenAI, vLLM, Anthropic and Gemini servers."""
    ended = ended.lower()
    if ended in _CUT_OFF:
        return "length"
    return "filtered" if ended in _FILTERED else "stop"


def thinks_by_name(model: str) -> bool:
    """Whether a model of this name is known to think before it answers."""
    return _THINKS.search(model.lower().rpartition("/")[2]) is not None


def is_expected_to_think(options: ClientOptions) -> bool:
    """Whether a model will think before it answers, as far as is known before it is asked."""
    if options.provider == "gemini":  # it thinks as long as it is told to
        return options.providers.gemini.thinking_budget not in (None, 0)
    return thinks_by_name(options.model)


def fold_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Put the system text before the first user turn, for models without the role."""
    system = [message.text for message in messages if message.role == "system"]
    turns = [message for message in messages if message.role != "system"]
    if not system:
        return tuple(turns)
    first = next((i for i, turn in enumerate(turns) if turn.role == "user"), None)
    if first is None:
        return (Message("user", "\n\n".join(system)), *turns)
    before, turn = "\n\n".join(system) + "\n\n", turns[first]
    if isinstance(turn.content, str):
        turns[first] = Message("user", before + turn.content)
    else:
        turns[first] = Message("user", (TextPart(before), *turn.content))
    return tuple(turns)


def reply_schema(request: Request) -> Mapping[str, Any] | None:
    """Choose the JSON schema of a reply: the request's own, or an object with a choice."""
    if request.schema is not None:
        return request.schema
    if not request.choices:
        return None
    return {
        "type": "object",
        "properties": {VERDICT_KEY: {"type": "string", "enum": list(request.choices)}},
        "required": [VERDICT_KEY],
        "additionalProperties": False,
    }


def read_tokens(entries: Any) -> tuple[Token, ...]:
    """Read a reply's tokens with their alternatives; none where a server has its own shape.

    A reply that was paid for is never thrown away for what stands beside it.
    """
    try:
        return tuple(
            Token(
                "" + entry["token"],
                tuple(
                    ("" + top["token"], float(top["logprob"]))
                    for top in entry.get("top_logprobs") or ()
                ),
            )
            for entry in entries or ()
        )
    except (LookupError, TypeError, ValueError, AttributeError):
        return ()


def reply_budget(request: Request) -> int:
    """Compute the reply's budget; a choice in its JSON object needs more than a bare one."""
    return max(request.max_tokens, 48) if request.choices else request.max_tokens
