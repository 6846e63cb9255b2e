"""The E-CoT judge: asks for claims with their evidence, verifies it, draws the verdict."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from banglahallueval.judges.ecot import citations
from banglahallueval.judges.ecot.citations import Citation
from banglahallueval.judges.ecot.claims import SCHEMA, Answer, Claim, Status, read_claims
from banglahallueval.judges.ecot.evidence import sources, with_evidence
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.judges.ecot.policies import Counts, by_rule, source_of
from banglahallueval.judges.llm import BLANK_INPUT, thinking_budget
from banglahallueval.models.client import Client
from banglahallueval.models.types import Message, ModelError, Reply, Request
from banglahallueval.prompts import Prompt
from banglahallueval.tasks import Item
from banglahallueval.verdicts import (
    CONTEXT_TRUNCATED,
    CUT_OFF,
    FILTERED,
    REFUSED,
    UNFINISHED_THINKING,
    UNPARSED,
    Label,
    Verdict,
    no_text,
)

NO_CLAIMS = "no claims"
NO_STATUS = "claims without a status"
NO_VERDICT = "no verdict beside the claims"

COLUMNS = (
    "claims_json",
    "verdict_model",
    "verdict_rule",
    "num_claims",
    "num_supported",
    "num_contradicted",
    "num_missing",
    "false_citations",
    "false_contradictions",
    "divergence",
    "verdict_source",
)
# Asking once more would end the same way.
_NOT_AGAIN = (CONTEXT_TRUNCATED, FILTERED, REFUSED, UNFINISHED_THINKING)
_RE_ASK = (
    "Your reply must be one complete JSON object as described, with every claim, its status and "
    "the verdict, and nothing before or after it."
)


class EcotJudge:
    """Fills an E-CoT prompt, asks, verifies; implements `judges.types.Judge`.

    A claim that the model calls supported or contradicted by a citation that does not stand in the
    evidence (see `citations`) counts as missing, and so does support without any citation. What is
    contradicted without one stays so: right arithmetic, or the wrong operation, has no words.
    """

    columns: tuple[str, ...] = COLUMNS

    def __init__(
        self,
        client: Client,
        prompt: Prompt,
        options: EcotOptions | None = None,
        *,
        max_tokens: int | None = None,
        temperature: float = 0.0,
        seed: int | None = None,
    ) -> None:
        """Put a prompt and a model together.

        Args:
            client: Asks the model.
            prompt: The template.
            options: Evidence and policy.
            max_tokens: Reply budget in tokens; None for the prompt's own, and 4,096 more for a
                model that thinks first.
            temperature: Sampling temperature; 0 is greedy.
            seed: Sampling seed; part of what is asked, so that each sample has a reply of its own.
        """
        self.client = client
        self.prompt = prompt
        self.name = client.model.model
        self.options = options or EcotOptions()
        self.asked_twice = 0
        self._max_tokens = max_tokens
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
        """Judge by the model's claims; unknown with its reason where there are none."""
        item = with_evidence(item, self.options.evidence)
        if self.prompt.is_blank(item):
            return Verdict("unknown", reason=BLANK_INPUT)
        text = self.prompt.fill(item)
        request = Request(
            (Message("user", text),),
            self.max_tokens,
            temperature=self._temperature,
            seed=self._seed,
            schema=SCHEMA,
            attempt=again,
        )
        try:
            reply = await self.client.complete(request)
            verdict = self._verdict(item, reply)
            if verdict.label == "unknown" and verdict.reason not in _NOT_AGAIN:
                self.asked_twice += 1
                # Not beside the failed reply, which may be long and would be followed.
                again_text = Message("user", f"{text}\n\n{_RE_ASK}")
                # A reply that broke off would break off again at the same budget.
                budget = request.max_tokens * (2 if reply.finish == "length" else 1)
                again_request = replace(request, messages=(again_text,), max_tokens=budget)
                reply = await self.client.complete(again_request)
                second = self._verdict(item, reply)
                # Of two replies without a verdict, the one with claims says more.
                if second.label != "unknown" or not verdict.details:
                    verdict = second
        except ModelError as error:
            return Verdict("unknown", reason=f"no reply: {error.cause}")
        return verdict

    def _verdict(self, item: Item, reply: Reply) -> Verdict:
        withheld = no_text(reply)
        if withheld:
            return Verdict("unknown", withheld, raw=reply.text)
        answer = read_claims(reply)
        if answer is None:
            reason = CUT_OFF if reply.finish == "length" else UNPARSED
            return Verdict("unknown", reason, raw=reply.text)
        texts = sources(item, self.options.evidence)
        cited = [citations.find(claim.supported_by, texts) for claim in answer.claims]
        statuses = [
            _verified(claim, found, checked=bool(texts))
            for claim, found in zip(answer.claims, cited, strict=True)
        ]
        number = Counter(statuses)
        counts = Counts(
            number["supported"],
            number["contradicted"],
            number["missing"],
            number[""],
            open_end=not answer.whole,
        )
        rule = by_rule(counts, self.options.missing_share)
        source = source_of(self.options.policy, item.task)
        label = rule if source == "rule" else answer.verdict
        false = Counter(
            claim.status
            for claim, status in zip(answer.claims, statuses, strict=True)
            if claim.supported_by and claim.status != status
        )
        details = {
            "claims_json": _claims_json(answer, statuses, cited),
            "verdict_model": answer.verdict,
            "verdict_rule": rule,
            "num_claims": str(counts.total),
            "num_supported": str(counts.supported),
            "num_contradicted": str(counts.contradicted),
            "num_missing": str(counts.missing),
            "false_citations": str(false["supported"]) if texts else "",
            "false_contradictions": str(false["contradicted"]) if texts else "",
            "divergence": _divergence(answer.verdict, rule),
            "verdict_source": source,
        }
        reason = ""
        if label == "unknown":
            reason = _reason(source, answer, counts)
        return Verdict(label, reason, raw=reply.text, details=details)

    def record(self) -> dict[str, Any]:
        """Record model, parameters, and how often a reply was asked for twice."""
        model = self.client.model
        return {
            "model": {"provider": model.provider, "name": model.model, **model.record()},
            "parameters": {
                "max_tokens": self.max_tokens,
                "temperature": self._temperature,
                "schema": SCHEMA,
            },
            "asked_twice": self.asked_twice,
        }


def _verified(claim: Claim, found: Citation | None, *, checked: bool) -> Status | Literal[""]:
    """Decide a claim's status once its citation was looked for."""
    if not checked or found is not None:
        return claim.status
    is_decided = claim.status == "supported" or (
        claim.status == "contradicted" and claim.supported_by
    )
    return "missing" if is_decided else claim.status


def _divergence(model: Label, rule: Label) -> str:
    """Whether the two verdicts differ; empty where one of them is missing."""
    if "unknown" in (model, rule):
        return ""
    return "no" if model == rule else "yes"


def _reason(source: str, answer: Answer, counts: Counts) -> str:
    if not answer.whole:
        return CUT_OFF
    if source == "model":
        return NO_VERDICT
    return NO_STATUS if counts.total else NO_CLAIMS


def _claims_json(answer: Answer, statuses: Sequence[str], cited: Sequence[Citation | None]) -> str:
    """Write the claims as JSON: status that counts, status given, where citations stand."""
    return json.dumps(
        [
            {
                "claim": claim.text,
                "supported_by": list(claim.supported_by),
                "status": status or None,
                "said": claim.status or None,
                "found_in": found.source if found else None,
                "spans": found.spans if found else [],
            }
            for claim, status, found in zip(answer.claims, statuses, cited, strict=True)
        ],
        ensure_ascii=False,
    )
