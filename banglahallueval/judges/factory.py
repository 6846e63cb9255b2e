"""Which judge labels, and how it is made: offline, a trained classifier, a model, or a hybrid."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from banglahallueval.errors import UsageError
from banglahallueval.judges.classifiers.encoder import EncoderScorer
from banglahallueval.judges.classifiers.judge import ClassifierJudge
from banglahallueval.judges.classifiers.nli import NliScorer
from banglahallueval.judges.ecot.judge import COLUMNS as ECOT_COLUMNS
from banglahallueval.judges.ecot.judge import EcotJudge
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.judges.hybrid import HybridJudge
from banglahallueval.judges.llm import FORCED_COLUMN, LLMJudge
from banglahallueval.judges.offline import EXPLAIN_COLUMNS, OfflineJudge, judge_offline
from banglahallueval.judges.types import Judge
from banglahallueval.models.client import Client
from banglahallueval.models.options import ClassifierOptions, ClientOptions
from banglahallueval.prompts import Prompt

JudgeName = Literal["offline", "encoder", "nli", "openai", "ollama", "gemini", "hf", "hybrid"]
JUDGES: tuple[JudgeName, ...] = get_args(JudgeName)

# Judges that look at places of an output, and so can explain their labels.
EXPLAINING: tuple[JudgeName, ...] = ("offline", "encoder", "nli")
# Inputs waiting for a classifier; it needs enough of them to form full batches.
_CLASSIFIER_ROWS = 64


@dataclass(frozen=True, slots=True)
class JudgeSpec:
    """A judge before it is made: all that determines its labels, known before anything is asked.

    Attributes:
        name: One of `JUDGES`.
        client: The chat model and how it is asked; None for judges that ask none.
        prompt: The template; None for judges that ask no chat model.
        ecot: How an evidence-augmented prompt judges; None for all other prompts.
        force_binary: Whether a reply without a verdict is asked again, constrained to yes or no.
        explain: Whether a judge of `EXPLAINING` adds columns with its explanation.
        classifier: The trained classifier; None for judges other than encoder and nli.
    """

    name: JudgeName
    client: ClientOptions | None = None
    prompt: Prompt | None = None
    ecot: EcotOptions | None = None
    force_binary: bool = False
    explain: bool = False
    classifier: ClassifierOptions | None = None

    def __post_init__(self) -> None:
        """Refuse options that the prompt leaves no room for.

        Raises:
            UsageError: If there are any.
        """
        if self.prompt is None:
            return
        if self.ecot and self.force_binary:
            raise UsageError(
                f"--force-binary: {self.prompt.name} draws its verdict from claims, so there is "
                "no word to force; leave it out"
            )
        if self.ecot and self.compares:
            raise UsageError(
                f"--decode score: {self.prompt.name} needs written claims; leave it out"
            )
        if self.compares and self.prompt.style not in ("standard", "json"):
            raise UsageError(
                f"--decode score: {self.prompt.name} lets the model reason; leave it out"
            )

    @property
    def compares(self) -> bool:
        """Whether the model compares the probabilities of yes and no instead of writing."""
        return (
            self.client is not None
            and self.client.provider == "hf"
            and self.client.providers.hf.decode == "score"
        )

    @property
    def concurrency(self) -> int:
        """Number of rows to judge at once; the offline judge waits for nothing."""
        if self.classifier:
            return _CLASSIFIER_ROWS
        return self.client.concurrency if self.client else 1

    @property
    def columns(self) -> tuple[str, ...]:
        """The judge's further output columns."""
        if self.prompt is None:
            return EXPLAIN_COLUMNS if self.explain else ()
        own = ECOT_COLUMNS if self.ecot else (FORCED_COLUMN,) if self.force_binary else ()
        return (*HybridJudge.columns, *own) if self.name == "hybrid" else own

    def identity(self) -> dict[str, Any]:
        """List what must be the same for labels to stand in one file."""
        identity: dict[str, Any] = {"kind": self.name, "name": self.name}
        if self.client is not None and self.prompt is not None:
            identity["name"] = self.client.model
            identity["prompt"] = {"name": self.prompt.name, "sha256": self.prompt.sha256}
        if self.classifier:
            identity["name"] = self.classifier.model
        if self.ecot:
            identity |= asdict(self.ecot)
        return identity

    def build(self, client: Client | None) -> Judge:
        """Make the judge.

        Args:
            client: Asks the chat model; None for judges that ask none.
        """
        if self.classifier:
            kind = NliScorer if self.name == "nli" else EncoderScorer
            return ClassifierJudge(kind(self.classifier), explain=self.explain)
        if client is None or self.client is None or self.prompt is None:
            return OfflineJudge(explain=self.explain)
        llm: Judge
        if self.ecot:
            llm = EcotJudge(client, self.prompt, self.ecot, max_tokens=self.client.max_tokens)
        else:
            llm = LLMJudge(
                client,
                self.prompt,
                max_tokens=self.client.max_tokens,
                force_binary=self.force_binary,
                compare=self.compares,
            )
        return HybridJudge(judge_offline, llm) if self.name == "hybrid" else llm
