"""What every model provider offers, and what is asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Finish = Literal["stop", "length", "filtered", "refused", "context truncated"]

# Why a request brought no reply; these are counted and named in `unknown_reason`.
Cause = Literal[
    "timeout",
    "connection failed",
    "rate limited",
    "server error",
    "proxy timeout",
    "broken reply",
    "request refused",
    "access denied",
    "not found",
]


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text within a message."""

    text: str


@dataclass(frozen=True, slots=True)
class ImagePart:
    """A picture within a message.

    Attributes:
        data: The file's bytes.
        media_type: Its type, such as `image/png`.
    """

    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat.

    Attributes:
        role: Who speaks.
        content: What is said: plain text, or texts and pictures in order.
    """

    role: Literal["system", "user", "assistant"]
    content: str | tuple[TextPart | ImagePart, ...]

    @property
    def text(self) -> str:
        """The message as plain text, for providers and places that take nothing else.

        Raises:
            ModelError: If it holds a picture.
        """
        if isinstance(self.content, str):
            return self.content
        texts = [part.text for part in self.content if isinstance(part, TextPart)]
        if len(texts) < len(self.content):
            raise ModelError(
                "request refused", "this provider cannot send pictures", retry=False, fatal=True
            )
        return "".join(texts)


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model. Everything here determines the reply, and so the store's key.

    Attributes:
        messages: The chat so far.
        max_tokens: Most tokens of the reply's answer.
        temperature: Sampling temperature; 0 is greedy.
        schema: JSON schema the reply must follow, where the provider can constrain it.
        choices: The only texts the reply may be, where the provider can constrain it.
        compare: The provider compares the probabilities of `choices` instead of generating, where
            it can (Hugging Face); others ignore it.
        probabilities: Whether token probabilities are wanted.
        seed: Sampling seed, where the provider takes one.
        attempt: Which asking of the same question this is; 0 is the first.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float = 0.0
    schema: Mapping[str, Any] | None = None
    choices: tuple[str, ...] = ()
    compare: bool = False
    probabilities: bool = False
    seed: int | None = None
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Token:
    """One generated token with the likeliest tokens at its place.

    Attributes:
        text: The token as it was generated.
        top: Token texts with their natural-log probabilities, the generated one among them.
    """

    text: str
    top: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Attributes:
        text: The answer, without separately delivered thinking.
        finish: How it ended: by itself, cut by the token budget, withheld by a content filter,
            refused in so many words by the provider, or given after a cut prompt.
        tokens: The generated tokens with their alternatives where the provider gave any.
        thinking: Thinking that the provider delivered apart from the answer.
        prompt_tokens, completion_tokens: Usage as the provider counts it; 0 where it does not say.
        served: What the server says it is: served model name, fingerprint.
    """

    text: str
    finish: Finish = "stop"
    tokens: tuple[Token, ...] = ()
    thinking: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    served: str = ""


class ModelError(Exception):
    """A request that brought no reply.

    Attributes:
        cause: What kept it from it.
        retry: Whether asking again may help.
        retry_after: Seconds the server asked to wait; None where it did not say.
        fatal: Whether no other request can succeed either (a wrong key, a missing model).
    """

    def __init__(
        self,
        cause: Cause,
        message: str,
        *,
        retry: bool = True,
        retry_after: float | None = None,
        fatal: bool = False,
    ) -> None:
        """Keep the cause beside the one-line message."""
        super().__init__(message)
        self.cause: Cause = cause
        self.retry = retry
        self.retry_after = retry_after
        self.fatal = fatal


@dataclass(slots=True)
class Workload:
    """What a run is about to ask, known before its first request.

    Attributes:
        requests: How many requests at most.
        longest_prompt: Code points of the longest prompt.
        max_tokens: Largest reply budget, in tokens.
        max_tokens_thinking: The same for a model that turns out to think first.
    """

    requests: int = 0
    longest_prompt: int = 0
    max_tokens: int = 0
    max_tokens_thinking: int = 0


class ChatModel(Protocol):
    """A chat model behind a provider.

    Attributes:
        provider: `openai`, `ollama`, `hf`, ….
        model: The model's name as the provider knows it.
        thinking: Whether it thinks before it answers, and so needs a larger reply budget.
    """

    provider: str
    model: str
    thinking: bool

    async def prepare(self, workload: Workload) -> None:
        """Check that the model can be asked and fix what holds for the whole run.

        Raises:
            RunError: With the command that helps, if it cannot be asked.
        """
        ...

    def identity(self) -> Mapping[str, Any]:
        """Everything on the provider's side that determines a reply; part of the store's key."""
        ...

    async def complete(self, request: Request) -> Reply:
        """Ask once; raises ModelError where no reply came."""
        ...

    async def close(self) -> None:
        """Give back connections and memory."""
        ...

    def record(self) -> dict[str, Any]:
        """What the run record says: served model, digest, learned parameters, options."""
        ...
