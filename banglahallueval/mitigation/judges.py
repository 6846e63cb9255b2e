"""The judges of a study, as `--judges` names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from banglahallueval.cli.models import read_models
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import slug
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.judges.factory import JudgeSpec, MemberSpec
from banglahallueval.models.options import ClientOptions, NamedModel
from banglahallueval.prompts import Prompt

Kind = Literal["model", "hybrid", "panel"]
_HYBRID, _PANEL, _AND = "hybrid:", "panel:", "+"


@dataclass(frozen=True, slots=True)
class StudyJudge:
    """A judge of a study.

    Attributes:
        models: The models that it asks: one, or the members of a panel.
        kind: A model alone, the offline judge's proofs before it, or a panel of several.
    """

    models: tuple[NamedModel, ...]
    kind: Kind = "model"

    def __str__(self) -> str:
        """As `--judges` takes it."""
        kind = "" if self.kind == "model" else f"{self.kind}:"
        return kind + _AND.join(map(str, self.models))

    @property
    def name(self) -> str:
        """As scores of its files name it."""
        if self.kind == "panel":
            return f"panel of {', '.join(each.model for each in self.models)}"
        return f"hybrid {self.models[0].model}" if self.kind == "hybrid" else self.models[0].model

    def spec(self, client: ClientOptions, prompt: Prompt, ecot: EcotOptions | None) -> JudgeSpec:
        """Describe the judge with a prompt.

        Args:
            client: How its models are asked; provider and model are those of each.
            prompt: The prompt.
            ecot: How an evidence-augmented prompt judges; None for all others.
        """
        clients = [
            replace(client, provider=each.provider, model=each.model) for each in self.models
        ]
        if self.kind == "panel":
            members = tuple(map(MemberSpec, clients))
            return JudgeSpec("panel", prompt=prompt, ecot=ecot, members=members)
        name = "hybrid" if self.kind == "hybrid" else clients[0].provider
        return JudgeSpec(name, clients[0], prompt, ecot)


def read_judges(texts: Sequence[str]) -> list[StudyJudge]:
    """Read judges, any number of them separated by commas.

    Each is `PROVIDER:MODEL`, `hybrid:PROVIDER:MODEL` or `panel:PROVIDER:MODEL+PROVIDER:MODEL+…`.

    Raises:
        UsageError: If one has no known provider, or two would share their files.
    """
    given = [part.strip() for text in texts for part in text.split(",") if part.strip()]
    judges = [_read(text) for text in given]
    slugs = [slug(judge.name) for judge in judges]
    for judge in judges:
        # Files, tables and the scores of single files name a judge by its model.
        if slugs.count(slug(judge.name)) > 1:
            raise UsageError(
                f"--judges: two judges are called like {judge} in files and tables; leave one out, "
                "or give the other a study of its own"
            )
    if not judges:
        raise UsageError("--judges: name at least one judge, as in openai:gpt-4.1-mini")
    return judges


def _read(text: str) -> StudyJudge:
    if text.startswith(_PANEL):
        members = read_models(text.removeprefix(_PANEL), "--judges", separator=_AND)
        if len(members) < 2:
            raise UsageError(
                f"--judges {text}: a panel has two members or more, as in "
                "panel:openai:gpt-4.1-mini+ollama:qwen2.5:32b"
            )
        return StudyJudge(members, "panel")
    kind: Kind = "hybrid" if text.startswith(_HYBRID) else "model"
    name = text.removeprefix(_HYBRID)
    return StudyJudge(read_models(name, "--judges", separator="\n"), kind)
