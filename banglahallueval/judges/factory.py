"""From flags to a judge: offline, a model behind any provider, or both together."""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from banglahallueval.cli.flags import add_asking_flags, given, of_other_providers
from banglahallueval.errors import UsageError
from banglahallueval.judges.ecot import options as ecot
from banglahallueval.judges.ecot.judge import COLUMNS as ECOT_COLUMNS
from banglahallueval.judges.ecot.judge import EcotJudge
from banglahallueval.judges.hybrid import HybridJudge
from banglahallueval.judges.llm import LLMJudge
from banglahallueval.judges.offline import EXPLAIN_COLUMNS, OfflineJudge, judge_offline
from banglahallueval.judges.types import Judge
from banglahallueval.models import PROVIDERS
from banglahallueval.models.client import Client, open_client
from banglahallueval.models.client import concurrency as client_concurrency
from banglahallueval.models.store import ReplyStore
from banglahallueval.prompts import Prompt

JUDGES = ("offline", *PROVIDERS, "hybrid")


@dataclass(frozen=True, slots=True)
class Judging:
    """A judge, and the client it asks through if it asks a model."""

    judge: Judge
    client: Client | None = None


def needs_model(judge: str) -> bool:
    """Whether a judge of this kind asks a model."""
    return judge != "offline"


def provider_of(judge: str, args: argparse.Namespace) -> str:
    """The provider that a judge of this kind asks."""
    return str(args.provider) if judge == "hybrid" else judge


def refuse_ignored(judge: str, args: argparse.Namespace) -> None:
    """Refuse flags that would change nothing: labels are taken for those of the model named.

    Raises:
        UsageError: If there are any.
    """
    asked = ""
    if needs_model(judge):
        asked = getattr(args, "provider", None) or "openai" if judge == "hybrid" else judge
    ignored = of_other_providers(args, [asked])
    ignored += given(args, *([] if asked else [add_asking_flags]))
    ignored = [flag for flag in ignored if flag not in ("--dry-run", "--quiet")]
    if args.explain and judge != "offline":
        ignored.append("--explain")
    if getattr(args, "provider", None) and judge != "hybrid":
        ignored.append("--provider")
    if ignored:
        raise UsageError(f"--judge {judge} makes no use of {', '.join(ignored)}; leave it out")


def concurrency(judge: str, args: argparse.Namespace) -> int:
    """How many rows to judge at once."""
    if not needs_model(judge):
        return 1  # it waits for nothing
    return client_concurrency(provider_of(judge, args), args)


def judge_columns(judge: str, prompt: Prompt | None, args: argparse.Namespace) -> tuple[str, ...]:
    """The further output columns of a judge of this kind."""
    if prompt is not None:
        own = ECOT_COLUMNS if prompt.style == "ecot" else LLMJudge.columns
        return (*HybridJudge.columns, *own) if judge == "hybrid" else own
    return EXPLAIN_COLUMNS if judge == "offline" and args.explain else ()


def judge_identity(judge: str, prompt: Prompt | None, args: argparse.Namespace) -> dict[str, Any]:
    """What must be the same for labels to stand in one file; known before anything is asked."""
    identity: dict[str, Any] = {"kind": judge, "name": judge}
    if prompt is not None:
        identity["name"] = args.model
        identity["prompt"] = {"name": prompt.name, "sha256": prompt.sha256}
        if prompt.style == "ecot":
            identity |= asdict(ecot.options(prompt, args))
    return identity


def build(judge: str, prompt: Prompt | None, args: argparse.Namespace, store: Path) -> Judging:
    """Make a judge.

    Args:
        judge: One of `JUDGES`.
        prompt: The template; None for a judge without a model.
        args: The flags.
        store: Where replies are kept.

    Raises:
        UsageError: If the flags do not make one.
    """
    if not needs_model(judge):
        return Judging(OfflineJudge(explain=args.explain))
    assert prompt is not None
    compare = getattr(args, "decode", "generate") == "score"
    if compare and prompt.style not in ("standard", "json"):
        raise UsageError(f"--decode score: {prompt.name} lets the model reason; leave it out")
    kept = ReplyStore(store, fresh=args.fresh)
    client = open_client(provider_of(judge, args), args.model, kept, args)
    llm: Judge
    if prompt.style == "ecot":
        chosen = ecot.options(prompt, args)
        llm = EcotJudge(client, prompt, chosen, max_tokens=args.max_tokens)
    else:
        llm = LLMJudge(
            client,
            prompt,
            max_tokens=args.max_tokens,
            force_binary=args.force_binary,
            compare=compare,
        )
    return Judging(HybridJudge(judge_offline, llm) if judge == "hybrid" else llm, client)
