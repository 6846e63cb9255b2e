"""The parameters of a chat completion, and what a server's refusals teach about them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import regex
from tqdm import tqdm

from banglahallueval.models.chat import TOP_TOKENS, fold_system, reply_budget, reply_schema
from banglahallueval.models.pictures import data_url
from banglahallueval.models.types import ImagePart, Message, Request

_SMALLER_TOP = 5  # what servers allow that do not allow 20 and do not say what they do allow

# Where a model runs on after its reply, these begin what is none of it: at most four are taken.
STOP = ("<|im_end|>", "<|eot_id|>", "\nUser:", "\n### Instruction")
_LONGEST_TEXT, _MOST_ITEMS = 2000, 64  # of a reply held to a schema, so that it comes to an end

# Which words of a refusal speak of which parameter, the more special first.
_SPOKEN_OF = {
    "logprobs": regex.compile(r"log_?probs?\b"),
    "response_format": regex.compile(r"response.format|json.schema|structured.output|grammar"),
    "lengths": regex.compile(r"max_?length|max_?items"),
    "stop": regex.compile(r"\bstop\b"),
    "max_tokens": regex.compile(r"\bmax_tokens\b"),
    "temperature": regex.compile(r"\btemperature\b"),
    "seed": regex.compile(r"\bseed\b"),
    "system role": regex.compile(r"\bsystem\b.*\brole\b|\brole\b.*\bsystem\b"),
}
_NUMBER = regex.compile(r"(?<![\d.])\d+(?![\d.])")
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
        self._most_tokens: int | None = None

    def body(self, request: Request) -> dict[str, Any]:
        """Write the request as the server takes it, as far as is known."""
        system_refused = "system role" in self._refused
        messages = fold_system(request.messages) if system_refused else request.messages
        limit = "max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"
        budget = reply_budget(request)
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": m.role, "content": _content(m)} for m in messages],
            limit: budget if self._most_tokens is None else min(budget, self._most_tokens),
            "temperature": request.temperature,
            "stop": list(STOP),
        }
        if request.seed is not None:
            body["seed"] = request.seed
        if request.probabilities:
            body |= {"logprobs": True, "top_logprobs": self._top}
        schema = reply_schema(request)
        if schema is not None:
            if "lengths" not in self._refused:
                schema = _bounded(schema)
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
        if name == "logprobs" and _TOO_LARGE.search(message):
            top = _allowed_top(message, sent["top_logprobs"])
            if top:
                self._top = top
                self._add(f"top_logprobs {top} instead of {TOP_TOKENS}")
                return True
        self._refused.add(name)
        if name == "max_tokens":
            self._add("max_completion_tokens instead of max_tokens")
        elif name == "system role":
            self._add("system text in the first user turn")
        elif name == "lengths":
            self._add("no bounds on lengths in the schema")
        else:
            self._add(f"without {name}")
        return True

    def leave_out_logprobs(self) -> None:
        """Ask for no log probabilities any more: the server fails where they are asked for."""
        self._refused.add("logprobs")
        self._add("without logprobs")

    def fit_budget(self, tokens: int) -> None:
        """Ask for replies of this many tokens at most, since the server's context is small."""
        self._most_tokens = tokens
        self._add(f"replies of at most {tokens} tokens, for the server's context is small")

    def note(self, what: str) -> None:
        """Record something about the server, and say it once."""
        self._add(what)

    def _add(self, what: str) -> None:
        if what not in self.learned:
            self.learned.append(what)
            tqdm.write(f"note: {self.model}: {what}", file=sys.stderr)

    def _meant(self, sent: Mapping[str, Any], param: str, message: str) -> str | None:
        """Find the parameter that a refusal is about, if leaving it out may help."""
        has_system = any(turn["role"] == "system" for turn in sent["messages"])
        there = {**dict.fromkeys(sent, True), "system role": has_system}
        there["lengths"] = "response_format" in sent and "lengths" not in self._refused
        if there["lengths"] and _SPOKEN_OF["lengths"].search(message):
            return "lengths"  # the server names the whole format as the parameter
        for words in (param, message):
            for name, spoken_of in _SPOKEN_OF.items():
                if not there.get(name) or not spoken_of.search(words):
                    continue
                if name == "max_tokens" and not _UNKNOWN.search(message):
                    return None  # a budget that is too large is the caller's to lower
                return name
        return None


def _content(message: Message) -> str | list[dict[str, Any]]:
    """Write a message's content: one text, which every server takes, unless it holds a picture."""
    if not message.pictures:
        return message.words
    return [
        {"type": "image_url", "image_url": {"url": data_url(part)}}
        if isinstance(part, ImagePart)
        else {"type": "text", "text": part.text}
        for part in message.parts
    ]


def _allowed_top(message: str, sent: int) -> int:
    """Read how many alternatives a server allows; 0 where it allows none but the token itself."""
    named = [int(number) for number in _NUMBER.findall(message) if 0 < int(number) < sent]
    if named:
        return max(named)
    return _SMALLER_TOP if sent > _SMALLER_TOP else 0


def _bounded(schema: Any) -> Any:
    """Bound the texts and lists of a JSON schema; a model may else write on until it is cut."""
    if isinstance(schema, list):
        return [_bounded(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    bounded = {key: _bounded(value) for key, value in schema.items()}
    if schema.get("type") == "string" and "enum" not in schema:
        bounded["maxLength"] = _LONGEST_TEXT
    if schema.get("type") == "array":
        bounded["maxItems"] = _MOST_ITEMS
    return bounded
