"""The LLM judge: a prompt, a model and the verdict parser."""

from __future__ import annotations

from array import array
from dataclasses import replace
from statistics import fmean
from typing import Any

from banglahallueval.models.client import Client
from banglahallueval.models.types import Message, ModelError, Reply, Request
from banglahallueval.prompts import Prompt
from banglahallueval.tasks import Item
from banglahallueval.verdicts import (
    UNFINISHED_THINKING,
    UNPARSED,
    Verdict,
    probability_at_verdict,
    read_verdict,
)

BLANK_INPUT = "blank input"
FORCED_COLUMN = "forced"  # `yes` where the label comes from a constrained ask, whose p differs
THINKING_BUDGET = 4096  # tokens: a thinking model needs room before it can answer

_ASK_AGAIN = "Reply with one word only, yes or no: is it hallucinated?"
_LABELS = ("yes", "no")
# Says where in a JSON reply the label stands, for a model that compares instead of writing.
_JSON_VERDICT = {"type": "object", "properties": {"is_hallucinated": {"enum": list(_LABELS)}}}
_RE_ASK_TEMPERATURES = (0.3, 0.6, 0.9)  # at 0 a model would only repeat itself


def thinking_budget(prompt: Prompt) -> int:
    """Compute the reply budget in tokens of a model that thinks before it answers."""
    return THINKING_BUDGET + (prompt.max_tokens if prompt.style == "ecot" else 0)


class LLMJudge:
    """Fills a prompt, asks a model and reads its reply; implements `judges.types.Judge`."""

    def __init__(
        self,
        client: Client,
        prompt: Prompt,
        *,
        max_tokens: int | None = None,
        force_binary: bool = False,
        compare: bool = False,
        temperature: float = 0.0,
        seed: int | None = None,
    ) -> None:
        """Put a prompt and a model together.

        Args:
            client: Asks the model.
            prompt: The template.
            max_tokens: Reply budget in tokens; None for the prompt's own, or 4,096 for a model
                that thinks first.
            force_binary: Whether a reply without a verdict is asked again in ways that can only
                come out yes or no.
            compare: Whether the model compares the probabilities of yes and no, not generating.
            temperature: Sampling temperature; 0 is greedy.
            seed: Sampling seed; part of what is asked, so that each sample has a reply of its own.
        """
        self.client = client
        self.prompt = prompt
        self.name = client.model.model
        self.columns: tuple[str, ...] = (FORCED_COLUMN,) if force_binary else ()
        self.forced = 0
        self._leftover = array("d")
        self._max_tokens = max_tokens
        self._force_binary = force_binary
        self._compare = compare
        self._temperature = temperature
        self._seed = seed

    @property
    def max_tokens(self) -> int:
        """The reply budget in tokens."""
        if self._max_tokens is not None:
            return self._max_tokens
        thinking = self.client.model.thinking
        return thinking_budget(self.prompt) if thinking else self.prompt.max_tokens

    async def judge(self, item: Item, again: int = 0) -> Verdict:
        """Ask the model; unknown with its reason where it gives no verdict."""
        if self.prompt.is_blank(item):
            return Verdict("unknown", reason=BLANK_INPUT)
        request = Request(
            messages=(Message("user", self.prompt.fill(item)),),
            max_tokens=self.max_tokens,
            temperature=self._temperature,
            seed=self._seed,
            schema=_JSON_VERDICT if self._compare and self.prompt.style == "json" else None,
            choices=_LABELS if self._compare else (),
            compare=self._compare,
            probabilities=True,
            attempt=again,
        )
        try:
            reply = await self.client.complete(request)
            verdict = read_verdict(reply, self.prompt.style)
            if verdict.reason == UNFINISHED_THINKING and self._max_tokens is None:
                # Its name did not tell that it thinks: from now on it has room for that.
                self.client.model.thinking = True
                if self.max_tokens > request.max_tokens:
                    request = replace(request, max_tokens=self.max_tokens)
                    reply = await self.client.complete(request)
                    verdict = read_verdict(reply, self.prompt.style)
            if verdict.label == "unknown" and self._force_binary:
                verdict = await self._force(request, reply, verdict)
        except ModelError as error:
            return Verdict("unknown", reason=f"no reply: {error.cause}")
        if verdict.leftover is not None:
            self._leftover.append(verdict.leftover)
        return verdict

    async def _force(self, request: Request, reply: Reply, verdict: Verdict) -> Verdict:
        """Ask again until the model itself says yes or no; never decide for it."""
        said = (Message("assistant", reply.text),) if reply.text.strip() else ()
        follow_up = (*request.messages, *said, Message("user", _ASK_AGAIN))
        if not said:  # two turns of one role in a row are refused by many chat templates
            follow_up = (Message("user", f"{request.messages[0].text}\n\n{_ASK_AGAIN}"),)
        constrained = replace(
            request, messages=follow_up, choices=_LABELS, compare=True, temperature=0.0
        )
        free = replace(request, messages=follow_up, choices=(), compare=False)
        asks = [constrained, *(replace(free, temperature=t) for t in _RE_ASK_TEMPERATURES)]
        for ask in asks:
            answer = await self.client.complete(ask)
            forced = read_verdict(answer, "standard")
            # Words that contradict each other, or refuse, leave the first token no meaning.
            if forced.reason == UNPARSED:
                forced = _by_probability(answer) or forced
            if forced.label != "unknown":
                self.forced += 1
                return replace(forced, details={FORCED_COLUMN: "yes"})
        return verdict

    def record(self) -> dict[str, Any]:
        """Record model, parameters, forced rows, and the mass on neither yes nor no."""
        return {
            "model": {
                "provider": self.client.model.provider,
                "name": self.client.model.model,
                **self.client.model.record(),
            },
            "parameters": {
                "max_tokens": self.max_tokens,
                "temperature": self._temperature,
                "compare_probabilities": self._compare,
                "force_binary": self._force_binary,
            },
            "forced": self.forced,
            "mean_leftover_mass": fmean(self._leftover) if self._leftover else None,
        }


def _by_probability(reply: Reply) -> Verdict | None:
    """Read a verdict off the model's probabilities of yes and no, where its words give none."""
    found = probability_at_verdict(reply, "standard")
    if found is None or found.p == 0.5:
        return None
    return Verdict("yes" if found.p > 0.5 else "no", p_hallucinated=found.p, raw=reply.text)
