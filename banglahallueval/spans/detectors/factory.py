"""Which detector examines answers, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, get_args, runtime_checkable

from banglahallueval.errors import UsageError
from banglahallueval.judges.factory import JudgeSpec
from banglahallueval.judges.llm import thinking_budget
from banglahallueval.models.client import Client
from banglahallueval.models.options import ClassifierOptions, ClientOptions
from banglahallueval.models.types import Workload
from banglahallueval.prompts import unseen_evidence
from banglahallueval.spans.detectors.failures import unfit
from banglahallueval.spans.types import Detector, Sample

DetectorName = Literal[
    "offline", "evidence", "arithmetic", "llm", "uncertainty", "claims", "encoder", "nli"
]
DETECTORS: tuple[DetectorName, ...] = get_args(DetectorName)

# Answers at once for a model on this machine; it needs enough of them to form full batches.
_LOCAL_ANSWERS = 64


@runtime_checkable
class LocalDetector(Detector, Protocol):
    """A detector that loads a model of its own before it examines anything."""

    async def prepare(self) -> None:
        """Load the model.

        Raises:
            UsageError: If it cannot be used.
            RunError: If it cannot be loaded.
        """
        ...

    async def close(self) -> None:
        """Give the memory back."""
        ...


class Ask(NamedTuple):
    """What a chat model is asked.

    Attributes:
        prompt: The filled prompt.
        max_tokens: Reply budget in tokens.
        max_tokens_thinking: The same for a model that thinks before it answers.
    """

    prompt: str
    max_tokens: int
    max_tokens_thinking: int


@dataclass(frozen=True, slots=True)
class DetectorSpec:
    """A detector before it is made: all that determines its scores, known before anything is asked.

    Attributes:
        name: One of `DETECTORS`.
        model: llm: the chat model and how it is asked. uncertainty: the Hugging Face model.
        judge: claims: what labels the sentences, as a judge of question answering.
        classifier: encoder, nli: the trained classifier.
        measure: uncertainty: `probability` or `entropy`.
        shows_evidence: uncertainty: whether the model reads the evidence.
    """

    name: DetectorName
    model: ClientOptions | None = None
    judge: JudgeSpec | None = None
    classifier: ClassifierOptions | None = None
    measure: Literal["probability", "entropy"] = "probability"
    shows_evidence: bool = False

    def __post_init__(self) -> None:
        """Refuse a detector that lacks what it needs.

        Raises:
            UsageError: Saying what.
        """
        if self.name in ("llm", "uncertainty") and self.model is None:
            raise UsageError(f"--detector {self.name} needs --model NAME")
        if self.name in ("encoder", "nli") and self.classifier is None:
            raise UsageError(f"--detector {self.name} needs --model NAME")
        if self.name == "uncertainty" and self.model and self.model.provider != "hf":
            raise UsageError("--detector uncertainty runs Hugging Face models alone")
        if self.name == "claims":
            if self.judge is None:
                raise UsageError("--detector claims needs a judge")
            if self.judge.prompt and unseen_evidence(self.judge.prompt, "qa"):
                raise UsageError(
                    f"--detector claims: {unseen_evidence(self.judge.prompt, 'qa')}; take that one"
                )

    @property
    def client(self) -> ClientOptions | None:
        """The chat model that is asked through a client; None where none is."""
        if self.name == "claims" and self.judge:
            return self.judge.client
        return self.model if self.name == "llm" else None

    @property
    def concurrency(self) -> int:
        """Number of answers to examine at once."""
        if self.client:
            return self.client.concurrency
        if self.classifier or self.name == "uncertainty":
            return _LOCAL_ANSWERS
        return self.judge.concurrency if self.judge else 1

    def identity(self) -> dict[str, Any]:
        """List what must be the same for detections to stand in one file."""
        identity: dict[str, Any] = {"kind": self.name, "name": self.name}
        if options := self.model or self.classifier:
            identity["name"] = options.model
        if self.name == "llm":
            from banglahallueval.spans.detectors.llm import PROMPT_IDENTITY

            identity["prompt"] = PROMPT_IDENTITY
        if self.name == "uncertainty":
            identity |= {"measure": self.measure, "shows_evidence": self.shows_evidence}
        if self.judge:
            identity |= {"name": self.judge.identity()["name"], "judge": self.judge.identity()}
        return identity

    def asks(self, sample: Sample) -> list[Ask]:
        """List what a chat model would be asked about an answer; nothing where none is asked."""
        if self.client is None:
            return []
        own = self.client.max_tokens
        if self.judge and self.judge.prompt:
            from banglahallueval.spans.detectors.claims import claims

            prompt = self.judge.prompt
            budget = own or prompt.max_tokens, own or thinking_budget(prompt)
            return [Ask(prompt.fill(item), *budget) for item in claims(sample)]
        from banglahallueval.spans.detectors import llm

        if unfit(sample):
            return []
        budget = own or llm.budget(sample), own or llm.budget(sample, thinking=True)
        return [Ask(llm.prompt_for(sample), *budget)]

    def workload(self, samples: Iterable[Sample]) -> Workload:
        """Sum up what a chat model would be asked about answers."""
        work = Workload()
        for sample in samples:
            for prompt, tokens, tokens_thinking in self.asks(sample):
                work.requests += 1
                work.longest_prompt = max(work.longest_prompt, len(prompt))
                work.max_tokens = max(work.max_tokens, tokens)
                work.max_tokens_thinking = max(work.max_tokens_thinking, tokens_thinking)
        return work

    def build(self, client: Client | None = None) -> Detector:
        """Make the detector; a `LocalDetector` is to be prepared before it detects.

        Args:
            client: Asks the chat model; None where `self.client` is None.
        """
        return _BUILDERS[self.name](self, client)


Builder = Callable[[DetectorSpec, Client | None], Detector]


def _offline(spec: DetectorSpec, client: Client | None) -> Detector:
    from banglahallueval.spans.detectors import offline

    if spec.name == "evidence":
        return offline.EvidenceDetector()
    return offline.ArithmeticDetector() if spec.name == "arithmetic" else offline.OfflineDetector()


def _llm(spec: DetectorSpec, client: Client | None) -> Detector:
    from banglahallueval.spans.detectors.llm import LLMDetector

    assert client is not None
    assert spec.client is not None
    return LLMDetector(client, max_tokens=spec.client.max_tokens)


def _uncertainty(spec: DetectorSpec, client: Client | None) -> Detector:
    from banglahallueval.spans.detectors.uncertainty import UncertaintyDetector

    assert spec.model is not None
    return UncertaintyDetector(spec.model, measure=spec.measure, shows_evidence=spec.shows_evidence)


def _claims(spec: DetectorSpec, client: Client | None) -> Detector:
    from banglahallueval.spans.detectors.claims import ClaimsDetector

    assert spec.judge is not None
    return ClaimsDetector(spec.judge.build([client] if client else []))


def _classifier(spec: DetectorSpec, client: Client | None) -> Detector:
    from banglahallueval.spans.detectors import classifier

    assert spec.classifier is not None
    if spec.name == "nli":
        return classifier.nli_detector(spec.classifier)
    return classifier.encoder_detector(spec.classifier)


# What a detector needs is imported when it is made: none should load another's libraries.
_BUILDERS: Mapping[DetectorName, Builder] = {
    "offline": _offline,
    "evidence": _offline,
    "arithmetic": _offline,
    "llm": _llm,
    "uncertainty": _uncertainty,
    "claims": _claims,
    "encoder": _classifier,
    "nli": _classifier,
}
