"""The parameters of a chat completion, and what a server's refusals teach about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import regex

from banglahallueval.models.chat import TOP_TOKENS, fold_system, reply_budget, reply_schema
from banglahallueval.models.types import Request

_SMALLER_TOP = 5  # what servers allow that do not allow 20

# Which words of a refusal speak of which parameter, the more special first.
_SPOKEN_OF = {
    "logprobs": regex.compile(r"log_?probs?\b"),
    "response_format": regex.compile(r"response.format|json.schema|structured.output|grammar"),
    "max_tokens": regex.compile(r"\bmax_tokens\b"),
    "temperature": regex.compile(r"\btemperature\b"),
    "seed": regex.compile(r"\bseed\b"),
    "system role": regex.compile(r"\bsystem\b.*\brole\b|\brole\b.*\bsystem\b"),
}
_TOO_LARGE = regex.compile(
    r"maximum|max allowed|at most|greater|exceed|less than|between|<=|≤|range"
)
_UNKNOWN = regex.compile(
    r"max_completion_tokens|unsupported|not supported|unknown|unrecogni[sz]ed|extra|unexpected"
)


class Parameters:
    """Builds the bodies of a run's requests; leaves out or renames what the server refused.

    Attributes:
        learned: What refusals have changed so far, in words for the run record.
    """

    def __init__(self, model: str) -> None:
        """Start with everything a model may take."""
        self.model = model
        self.learned: list[str] = []
        self._refused: set[str] = set()
        self._top = TOP_TOKENS

    def body(self, request: Request) -> dict[str, Any]:
        """The request as the server takes it, as far as is known."""
        system_refused = "system role" in self._refused
        messages = fold_system(request.messages) if system_refused else request.messages
        limit = "max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": m.role, "content": m.text} for m in messages],
            limit: reply_budget(request),
            "temperature": request.temperature,
        }
        if request.seed is not None:
            body["seed"] = request.seed
        if request.probabilities:
            body |= {"logprobs": True, "top_logprobs": self._top}
        schema = reply_schema(request)
        if schema is not None:
            named = {"name": "reply", "strict": True, "schema": dict(schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        for name in self._refused:
            if name != "max_tokens":
                body.pop(name, None)
        if "logprobs" not in body:
            body.pop("top_logprobs", None)
        return body

    def learn(self, sent: Mapping[str, Any], param: str, message: str) -> bool:
        """Take in a refusal.

        Each refusal takes something away for good, so asking again after it comes to an end.

        Args:
            sent: The body that was refused.
            param: The parameter that the server names; empty where it names none.
            message: The server's words.

        Returns:
            Whether something was learned, so that the request can be asked again.
        """
        message = message.lower()
        name = self._meant(sent, param.lower(), message)
        if name is None:
            return False
        if (
            name == "logprobs"
            and sent["top_logprobs"] > _SMALLER_TOP
            and _TOO_LARGE.search(message)
        ):
            self._top = _SMALLER_TOP
            self.learned.append(f"top_logprobs {_SMALLER_TOP} instead of {TOP_TOKENS}")
            return True
        self._refused.add(name)
        if name == "max_tokens":
            self.learned.append("max_completion_tokens instead of max_tokens")
        elif name == "system role":
            self.learned.append("system text in the first user turn")
        else:
            self.learned.append(f"without {name}")
        return True

    def _meant(self, sent: Mapping[str, Any], param: str, message: str) -> str | None:
        """The parameter that a refusal is about, if leaving it out may help."""
        has_system = any(turn["role"] == "system" for turn in sent["messages"])
        for words in (param, message):
            for name, spoken_of in _SPOKEN_OF.items():
                sent_so = has_system if name == "system role" else name in sent
                if not sent_so or not spoken_of.search(words):
                    continue
                if name == "max_tokens" and not _UNKNOWN.search(message):
                    return None  # a budget that is too large is the caller's to lower
                return name
        return None
