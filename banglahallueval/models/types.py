"""What is asked of a model, what comes back, and what every provider offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from banglahallueval.errors import ShownError
from banglahallueval.secrets import mask_secrets

Finish = Literal["stop", "length", "filtered", "refused", "context truncated"]

# Why a request failed; these are counted, and named in `unknown_reason`.
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


# What usually helps; a provider that knows better says so.
_ADVICE: Mapping[Cause, str] = {
    "timeout": "lower --concurrency, or raise --timeout",
    "connection failed": "see whether the server is up and its address right",
    "rate limited": "lower --concurrency, or set --rpm-limit to what the server allows",
    "server error": "see what the server logged; --resume asks again",
    "proxy timeout": "the proxy before the server gave up waiting (Cloudflare does after 100 s): "
    "lower --concurrency, or reach the server without the proxy",
    "broken reply": "see whether the address is that of the API, and what stands before it",
    "request refused": "see what the server names; asking the same again does not help",
    "access denied": "check the key",
    "not found": "check --model and the address",
}


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
    def parts(self) -> tuple[TextPart | ImagePart, ...]:
        """Texts and pictures in order, of plain text as well."""
        return (TextPart(self.content),) if isinstance(self.content, str) else self.content

    @property
    def pictures(self) -> tuple[ImagePart, ...]:
        """The pictures in order."""
        return tuple(part for part in self.parts if isinstance(part, ImagePart))

    @property
    def words(self) -> str:
        """The texts in order, without the pictures among them."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def text(self) -> str:
        """The message as plain text, for models and places that take nothing else.

        Raises:
            ModelError: If it holds a picture.
        """
        if self.pictures:
            raise ModelError(
                "request refused",
                "a picture cannot be sent here, where only text is taken",
                advice="use a model that sees pictures",
                retry=False,
                fatal=True,
            )
        return self.words


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model. Every field determines the reply, and is part of the store's key.

    A field that is added needs a default that stands for what was done before there was the field:
    where it is at its default, stored replies of earlier versions are still found.

    Attributes:
        messages: The chat so far.
        max_tokens: Maximum number of tokens of the answer.
        temperature: Sampling temperature; 0 is greedy.
        schema: JSON schema the reply must follow, where the provider can constrain it.
        choices: The only texts the reply may be, where the provider can constrain it.
        compare: Whether to compare the probabilities of `choices` instead of generating, where the
            provider can (Hugging Face); others ignore it.
        probabilities: Whether token probabilities are wanted.
        seed: Sampling seed, where the provider takes one.
        attempt: How often the same question was asked before.
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
    """One generated token with the likeliest alternatives at its position.

    Attributes:
        text: The token as it was generated.
        top: Alternatives with their natural-log probabilities, the generated one among them.
    """

    text: str
    top: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Attributes:
        text: The answer, without separately delivered thinking.
        finish: How it ended: by itself, cut by the token budget, withheld by a content filter,
            refused by the provider, or given after the prompt was cut.
        tokens: The generated tokens with their alternatives, where the provider sent them.
        thinking: Thinking that the provider sent apart from the answer.
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


class ModelError(ShownError):
    """A request that brought no reply.

    Attributes:
        cause: Why it failed.
        said: What failed, mostly in the server's words; one line, without secrets.
        advice: What the user can do about it.
        retry: Whether asking again may help.
        retry_after: Seconds that the server asked to wait; None where it did not say.
        fatal: Whether no other request can succeed either (a wrong key, a missing model).
        overloaded: Whether the server had no time for it, so that fewer should be in flight.
    """

    def __init__(
        self,
        cause: Cause,
        said: str,
        *,
        advice: str = "",  # empty for the usual one
        retry: bool = True,
        retry_after: float | None = None,
        fatal: bool = False,
        overloaded: bool = False,
    ) -> None:
        """Keep the cause beside the one-line message."""
        self.cause: Cause = cause
        self.said = mask_secrets(said)
        self.advice = advice or _ADVICE[cause]
        super().__init__(f"{self.said}; {self.advice}")
        self.retry = retry
        self.retry_after = retry_after
        self.fatal = fatal
        self.overloaded = overloaded or cause in ("timeout", "proxy timeout")


@dataclass(slots=True)
class Workload:
    """What a run is about to ask, known before its first request.

    Attributes:
        requests: Maximum number of requests.
        longest_prompt: Code points of the longest prompt.
        max_tokens: Largest reply budget, in tokens.
        max_tokens_thinking: The same for a model that thinks before it answers.
        pictures: Largest number of pictures in one prompt.
    """

    requests: int = 0
    longest_prompt: int = 0
    max_tokens: int = 0
    max_tokens_thinking: int = 0
    pictures: int = 0


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
        """Check that the model can be asked, and settle what holds for the whole run.

        Raises:
            RunError: If it cannot be asked; the message holds the command that helps.
        """
        ...

    def identity(self) -> Mapping[str, Any]:
        """Return all that determines a reply on the provider's side; part of the store's key."""
        ...

    async def complete(self, request: Request) -> Reply:
        """Ask once.

        Raises:
            ModelError: If no reply came.
        """
        ...

    async def close(self) -> None:
        """Release connections and memory."""
        ...

    def record(self) -> dict[str, Any]:
        """Return what the run record says: served model, digest, learned parameters, options."""
        ...
