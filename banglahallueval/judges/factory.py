"""Which judge labels, and how it is made: offline, a classifier, a model, a hybrid or a panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import slug
from banglahallueval.judges.classifiers.encoder import EncoderScorer
from banglahallueval.judges.classifiers.judge import ClassifierJudge
from banglahallueval.judges.classifiers.nli import NliScorer
from banglahallueval.judges.ecot.judge import COLUMNS as ECOT_COLUMNS
from banglahallueval.judges.ecot.judge import EcotJudge
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.judges.hybrid import HybridJudge
from banglahallueval.judges.llm import FORCED_COLUMN, LLMJudge
from banglahallueval.judges.offline import EXPLAIN_COLUMNS, OfflineJudge, judge_offline
from banglahallueval.judges.panel import Member, PanelJudge, panel_columns
from banglahallueval.judges.sampled import SAMPLE_COLUMNS, SampledJudge, Samples
from banglahallueval.judges.types import Judge
from banglahallueval.models.client import Client
from banglahallueval.models.options import ClassifierOptions, ClientOptions, NamedModel
from banglahallueval.prompts import Prompt

JudgeName = Literal[
    "offline", "encoder", "nli", "openai", "ollama", "gemini", "hf", "hybrid", "panel"
]
JUDGES: tuple[JudgeName, ...] = get_args(JudgeName)

# Judges that look at places of an output, and so can explain their labels.
EXPLAINING: tuple[JudgeName, ...] = ("offline", "encoder", "nli")
# Inputs waiting for a classifier; it needs enough of them to form full batches.
_CLASSIFIER_ROWS = 64


@dataclass(frozen=True, slots=True)
class MemberSpec:
    """A member of a panel.

    Attributes:
        client: Its model and how it is asked.
        weight: What its vote weighs, above 0.
    """

    client: ClientOptions
    weight: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class JudgeSpec:
    """A judge before it is made: all that determines its labels, known before anything is asked.

    Attributes:
        name: One of `JUDGES`.
        client: The chat model and how it is asked; None for judges that ask none, or several.
        prompt: The template; None for judges that ask no chat model.
        ecot: How an evidence-augmented prompt judges; None for all other prompts.
        force_binary: Whether a reply without a verdict is asked again, constrained to yes or no.
        explain: Whether a judge of `EXPLAINING` adds columns with its explanation.
        classifier: The trained classifier; None for judges other than encoder and nli.
        members: The members of a panel.
        samples: How often each model is asked for a row; None for once, at temperature 0.
    """

    name: JudgeName
    client: ClientOptions | None = None
    prompt: Prompt | None = None
    ecot: EcotOptions | None = None
    force_binary: bool = False
    explain: bool = False
    classifier: ClassifierOptions | None = None
    members: tuple[MemberSpec, ...] = ()
    samples: Samples | None = None

    def __post_init__(self) -> None:
        """Refuse options that the prompt leaves no room for.

        Raises:
            UsageError: If there are any.
        """
        if self.prompt is None:
            return
        if self.prompt.takes_examples and not self.prompt.examples:
            raise UsageError(f"{self.prompt.name} shows examples, and here none can be drawn")
        if self.ecot and self.force_binary:
            raise UsageError(
                f"--force-binary: {self.prompt.name} draws its verdict from claims, so there is "
                "no word to force; leave it out"
            )
        if any(map(_compares, self.clients)):
            self._refuse_to_compare(self.prompt)

    def _refuse_to_compare(self, prompt: Prompt) -> None:
        if self.samples:
            raise UsageError("--decode score: every sample would be the same; leave --samples out")
        if self.ecot:
            raise UsageError(f"--decode score: {prompt.name} needs written claims; leave it out")
        if prompt.style not in ("standard", "json"):
            raise UsageError(f"--decode score: {prompt.name} lets the model reason; leave it out")

    @property
    def clients(self) -> tuple[ClientOptions, ...]:
        """The chat models that are asked, in order; none for judges that ask none."""
        return (self.client,) if self.client else tuple(each.client for each in self.members)

    @property
    def replies_per_row(self) -> int:
        """Number of replies that each model gives for a row."""
        return self.samples.number if self.samples else 1

    @property
    def concurrency(self) -> int:
        """Number of rows to judge at once; the offline judge waits for nothing."""
        if self.classifier:
            return _CLASSIFIER_ROWS
        return max((client.concurrency for client in self.clients), default=1)

    @property
    def columns(self) -> tuple[str, ...]:
        """The judge's further output columns."""
        if self.prompt is None:
            return EXPLAIN_COLUMNS if self.explain else ()
        if self.members:
            return panel_columns([_slug(each.client) for each in self.members])
        own: tuple[str, ...] = (FORCED_COLUMN,) if self.force_binary else ()
        if self.samples:
            own = SAMPLE_COLUMNS
        elif self.ecot:
            own = ECOT_COLUMNS
        return (*HybridJudge.columns, *own) if self.name == "hybrid" else own

    def identity(self) -> dict[str, Any]:
        """List what must be the same for labels to stand in one file."""
        identity: dict[str, Any] = {"kind": self.name, "name": self.name}
        if self.prompt is not None:
            identity["name"] = self._model_name
            identity["prompt"] = self.prompt.identity()
        if self.members:
            identity["panel"] = [
                {"model": _named(each.client), "weight": str(each.weight)} for each in self.members
            ]
        if self.samples:
            identity["samples"] = str(self.samples)
        if self.classifier:
            identity["name"] = self.classifier.model
        if self.ecot:
            identity |= asdict(self.ecot)
        return identity

    @property
    def _model_name(self) -> str:
        if self.client is not None:
            return self.client.model
        names = [
            each.client.model if each.weight == 1 else f"{each.client.model} ×{each.weight}"
            for each in self.members
        ]
        return f"panel of {', '.join(names)}"

    def build(self, clients: Sequence[Client]) -> Judge:
        """Make the judge.

        Args:
            clients: They ask the models of `self.clients`, in that order.
        """
        if self.classifier:
            kind = NliScorer if self.name == "nli" else EncoderScorer
            return ClassifierJudge(kind(self.classifier), explain=self.explain)
        if self.prompt is None or not clients:
            return OfflineJudge(explain=self.explain)
        asking = [
            self._sampled(client, options, self.prompt)
            for client, options in zip(clients, self.clients, strict=True)
        ]
        if self.members:
            return PanelJudge(
                self._model_name,
                [
                    Member(_named(each.client), _slug(each.client), judge, each.weight)
                    for each, judge in zip(self.members, asking, strict=True)
                ],
            )
        return HybridJudge(judge_offline, asking[0]) if self.name == "hybrid" else asking[0]

    def _sampled(self, client: Client, options: ClientOptions, prompt: Prompt) -> Judge:
        if self.samples is None:
            return self._asking(client, options, prompt)
        temperature = self.samples.temperature
        return SampledJudge(
            [
                self._asking(client, options, prompt, temperature, seed)
                for seed in range(1, self.samples.number + 1)
            ]
        )

    def _asking(
        self,
        client: Client,
        options: ClientOptions,
        prompt: Prompt,
        temperature: float = 0.0,
        seed: int | None = None,
    ) -> Judge:
        if self.ecot:
            return EcotJudge(
                client,
                prompt,
                self.ecot,
                max_tokens=options.max_tokens,
                temperature=temperature,
                seed=seed,
            )
        return LLMJudge(
            client,
            prompt,
            max_tokens=options.max_tokens,
            force_binary=self.force_binary,
            compare=_compares(options),
            temperature=temperature,
            seed=seed,
        )


def _compares(options: ClientOptions) -> bool:
    """Whether the model compares the probabilities of yes and no instead of writing."""
    return options.provider == "hf" and options.providers.hf.decode == "score"


def _named(options: ClientOptions) -> str:
    return str(NamedModel(options.provider, options.model))


def _slug(options: ClientOptions) -> str:
    return slug(_named(options))
