"""The parameters of a Gemini request, and what the API's refusals teach about them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import regex
from google.genai import types
from tqdm import tqdm

from banglahallueval.models.chat import TOP_TOKENS, fold_system
from banglahallueval.models.types import ImagePart, Message, Request

DYNAMIC = -1  # a thinking budget: as many tokens as the model likes
_DYNAMIC_ROOM = 4096  # tokens that a model gets for that
_LEAST_THINKING = 128  # tokens: what a model takes at least that refuses 0
_SMALLER_TOP = 5  # what models allow that do not allow 20 and do not say what they do allow

# Models from before thinking refuse a budget for it; asking them would waste a request.
_NEVER_THINKS = regex.compile(r"gemini-(?:1|2\.0)|gemma")

# Which words of a refusal speak of which parameter, the more special first.
_SPOKEN_OF = {
    "thinking": regex.compile(r"thinking|\bbudget \d+ is invalid"),
    "logprobs": regex.compile(r"log_?probs?\b"),
    "system": regex.compile(r"(?:developer|system)[ _]?instruction"),
    "enum": regex.compile(r"x\.enum|\benum\b"),
    "schema": regex.compile(r"json mode|schema|response_?mime_?type"),
    "seed": regex.compile(r"\bseed\b"),
    "temperature": regex.compile(r"\btemperature\b"),
}
# What the record says of a parameter that is left out.
_WITHOUT = {
    "logprobs": "without logprobs; p_hallucinated stays empty",
    "system": "system text in the first user turn",
    "enum": "without a list of choices",
    "schema": "without a schema",
    "seed": "without seed",
    "temperature": "without temperature",
}
_NEVER = regex.compile(
    r"(?:is|are)(?: not|n't) (?:supported|enabled|available)|do(?:es)?(?: not|n't) support"
    r"|cannot find field|unknown name"
)
_CANNOT_BE_OFF = regex.compile(r"(?<![\d.])0\b(?!\.)|disabl")
_BOUNDS = regex.compile(r"(?:between|from) (\d+)(?: \(inclusive\))? (?:and|to) (\d+)")


class Parameters:
    """Builds the requests of a run; leaves out or changes what the API refused.

    Attributes:
        thinking_budget: Tokens that the model is told to think for; None where it is told nothing.
        learned: What refusals have changed so far, in words for the run record.
    """

    def __init__(self, model: str, thinking_budget: int | None) -> None:
        """Start with everything a model may take.

        Args:
            model: The model's name.
            thinking_budget: Tokens to think for: 0 for none, -1 for as many as the model likes;
                None for none where it can think.
        """
        self.model = model
        self.learned: list[str] = []
        self.thinking_budget = thinking_budget
        if thinking_budget is None and not _NEVER_THINKS.search(model.lower()):
            self.thinking_budget = 0
        self._room = self._room_for(self.thinking_budget)
        self._refused: set[str] = set()
        self._top = TOP_TOKENS

    @staticmethod
    def _room_for(thinking_budget: int | None) -> int:
        """Compute the tokens that thinking takes of a reply's budget, which it counts against."""
        return _DYNAMIC_ROOM if thinking_budget == DYNAMIC else thinking_budget or 0

    def contents(self, request: Request) -> list[types.ContentUnionDict]:
        """Write the turns of a chat, without a system turn that goes elsewhere."""
        turns: Sequence[Message] = request.messages
        if "system" in self._refused:
            turns = fold_system(turns)
        return [
            types.Content(role="model" if turn.role == "assistant" else "user", parts=_parts(turn))
            for turn in turns
            if turn.role != "system"
        ]

    def config(self, request: Request) -> types.GenerateContentConfig:
        """Write everything but the turns, as the API takes it as far as is known."""
        config = types.GenerateContentConfig(
            # The reply as it came: the SDK's own reading of it warns of each value that it lacks.
            should_return_http_response=True,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            max_output_tokens=request.max_tokens + self._room,
        )
        if "temperature" not in self._refused:
            config.temperature = request.temperature
        if "seed" not in self._refused:
            config.seed = request.seed
        system = "\n\n".join(turn.text for turn in request.messages if turn.role == "system")
        if system and "system" not in self._refused:
            config.system_instruction = system
        if self.thinking_budget is not None:
            config.thinking_config = types.ThinkingConfig(thinking_budget=self.thinking_budget)
        if request.probabilities and "logprobs" not in self._refused:
            config.response_logprobs, config.logprobs = True, self._top
        if request.schema is not None and "schema" not in self._refused:
            config.response_mime_type = "application/json"
            config.response_json_schema = dict(request.schema)
        elif request.choices and "enum" not in self._refused:
            config.response_mime_type = "text/x.enum"
            config.response_schema = {"type": "STRING", "enum": list(request.choices)}
        return config

    def learn(self, sent: types.GenerateContentConfig, message: str) -> bool:
        """Take in a refusal.

        Each refusal takes something away for good, so asking again after it comes to an end.

        Args:
            sent: The parameters that were refused.
            message: The API's words.

        Returns:
            Whether something was learned, so that the request can be asked again.
        """
        message = message.lower()
        there = {
            "thinking": sent.thinking_config is not None,
            "logprobs": sent.logprobs is not None,
            "system": sent.system_instruction is not None,
            "enum": sent.response_schema is not None,
            "schema": sent.response_json_schema is not None,
            "seed": sent.seed is not None,
            "temperature": sent.temperature is not None,
        }
        if there["enum"] and _SPOKEN_OF["schema"].search(message):
            message += " enum"
        name = next(
            (n for n, words in _SPOKEN_OF.items() if there[n] and words.search(message)), ""
        )
        if not name:
            return False
        if name == "thinking":
            self._learn_thinking(message)
        elif name == "logprobs" and not _NEVER.search(message) and self._top > _SMALLER_TOP:
            self._top = _upper_bound(message, self._top)
            self._add(f"logprobs {self._top} instead of {TOP_TOKENS}")
        else:
            self._refused.add(name)
            self._add(_WITHOUT[name])
        return True

    def _learn_thinking(self, message: str) -> None:
        """Take in a refusal of the thinking budget: take what is allowed, else send none.

        What the model then thinks on its own counts against the reply budget as well, unless it
        does not think at all.
        """
        budget, bounds = self.thinking_budget or 0, _BOUNDS.search(message)
        if _NEVER.search(message) and not _CANNOT_BE_OFF.search(message):
            self._set_thinking(None, 0, "without a thinking budget: it does not think")
        elif bounds and not int(bounds[1]) <= budget <= int(bounds[2]):
            wanted = _DYNAMIC_ROOM if budget == DYNAMIC else budget
            fitting = min(max(wanted, int(bounds[1])), int(bounds[2]))
            self._set_thinking(fitting, fitting, f"thinking budget {fitting}: {budget} is refused")
        elif budget == 0:
            said = f"thinking budget {_LEAST_THINKING}: it always thinks"
            self._set_thinking(_LEAST_THINKING, _LEAST_THINKING, said)
        else:
            self._set_thinking(
                None, _DYNAMIC_ROOM, f"without a thinking budget: {budget} is refused"
            )

    def _set_thinking(self, budget: int | None, room: int, said: str) -> None:
        self.thinking_budget, self._room = budget, room
        self._add(said)

    def make_room(self, sent: types.GenerateContentConfig, max_tokens: int) -> bool:
        """Give the thinking more room, which has eaten a whole reply.

        Args:
            sent: The parameters of that reply.
            max_tokens: What was meant for the answer.

        Returns:
            Whether the request can be asked again with more.
        """
        if self._room < _DYNAMIC_ROOM:
            self._room = _DYNAMIC_ROOM
            self._add(f"{_DYNAMIC_ROOM:,} tokens more, since it thinks beyond its budget")
        return (sent.max_output_tokens or 0) < max_tokens + self._room

    def note(self, what: str) -> None:
        """Record something about the API, and say it once."""
        self._add(what)

    def _add(self, what: str) -> None:
        if what not in self.learned:
            self.learned.append(what)
            tqdm.write(f"note: {self.model}: {what}", file=sys.stderr)


def _upper_bound(message: str, sent: int) -> int:
    """Read how many alternatives are allowed, from words such as `the range is from 1 to 5`."""
    bounds = _BOUNDS.search(message)
    named = int(bounds[2]) if bounds else _SMALLER_TOP
    return named if 0 < named < sent else _SMALLER_TOP


def _parts(turn: Message) -> list[types.Part]:
    if isinstance(turn.content, str):
        return [types.Part(text=turn.content)]
    return [
        types.Part.from_bytes(data=part.data, mime_type=part.media_type)
        if isinstance(part, ImagePart)
        else types.Part(text=part.text)
        for part in turn.content
    ]
