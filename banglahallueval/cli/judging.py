"""The flags that describe a judge besides its model, and the judge they become."""

from __future__ import annotations

import argparse

from banglahallueval.cli.flags import add_asking_flags, client_options
from banglahallueval.cli.providers import flags_of_other_providers, given_flags
from banglahallueval.cli.types import share
from banglahallueval.errors import UsageError
from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE, EVIDENCE
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.judges.ecot.policies import MISSING_SHARE, POLICIES
from banglahallueval.judges.factory import JudgeName, JudgeSpec
from banglahallueval.models.options import ProviderName
from banglahallueval.prompts import Prompt

_ECOT_FLAGS = ("evidence", "policy", "missing_share")


def provider_of(judge: JudgeName, args: argparse.Namespace) -> ProviderName | None:
    """Find the provider that a judge of this name asks; None where it asks no model."""
    if judge == "offline":
        return None
    if judge == "hybrid":
        return getattr(args, "provider", None) or "openai"
    return judge


def judge_spec(
    judge: JudgeName, prompt: Prompt | None, args: argparse.Namespace, model: str | None
) -> JudgeSpec:
    """Read the judge that the flags describe.

    Args:
        judge: Its name.
        prompt: Its template; None for the offline judge.
        args: The flags.
        model: The model that it asks; None for the offline judge.

    Raises:
        UsageError: If a flag does not go with the prompt.
    """
    provider = provider_of(judge, args)
    if prompt is None or provider is None or model is None:
        refuse_ecot_flags(args)
        return JudgeSpec(judge, explain=getattr(args, "explain", False))
    ecot = None
    if prompt.style == "ecot":
        ecot = ecot_options(args)
        if args.evidence and "evidence" not in prompt.slots:
            raise UsageError(
                f"--evidence {args.evidence}: {prompt.name} has no {{evidence}}; reasoning.ecot has"
            )
    else:
        refuse_ecot_flags(args)
    return JudgeSpec(
        judge,
        client_options(args, provider, model),
        prompt,
        ecot,
        force_binary=args.force_binary,
    )


def refuse_ignored_flags(judge: JudgeName, args: argparse.Namespace) -> None:
    """Refuse flags that would change nothing: labels are taken for those of the model named.

    Raises:
        UsageError: If there are any.
    """
    provider = provider_of(judge, args)
    ignored = flags_of_other_providers(args, [provider] if provider else [])
    if provider is None:
        asking = given_flags(args, add_asking_flags)
        ignored += [flag for flag in asking if flag not in ("--dry-run", "--quiet")]
    if getattr(args, "explain", False) and judge != "offline":
        ignored.append("--explain")
    if getattr(args, "provider", None) and judge != "hybrid":
        ignored.append("--provider")
    if ignored:
        raise UsageError(f"--judge {judge} makes no use of {', '.join(ignored)}; leave it out")


def add_ecot_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of evidence-augmented prompts; None stands for the default of each."""
    group = parser.add_argument_group("evidence-augmented prompts (TASK.ecot)")
    group.add_argument(
        "--evidence",
        choices=EVIDENCE,
        help="reasoning: checked calculations, the right solution, or nothing "
        f"(default: {DEFAULT_EVIDENCE})",
    )
    group.add_argument(
        "--policy",
        choices=POLICIES,
        help="whose verdict counts; published: the model's in summarization, else the rule's "
        "(default: published)",
    )
    group.add_argument(
        "--missing-share",
        type=share,
        metavar="SHARE",
        help=f"rule: share of missing claims above which it says yes (default: {MISSING_SHARE})",
    )


def ecot_options(args: argparse.Namespace) -> EcotOptions:
    """Read the options of evidence-augmented prompts."""
    default = EcotOptions()
    return EcotOptions(
        args.evidence or default.evidence,
        args.policy or default.policy,
        default.missing_share if args.missing_share is None else args.missing_share,
    )


def refuse_ecot_flags(args: argparse.Namespace) -> None:
    """Refuse the flags of evidence-augmented prompts where no such prompt is used.

    Raises:
        UsageError: If one of them was given.
    """
    for flag in _ECOT_FLAGS:
        if getattr(args, flag, None) is not None:
            name = flag.replace("_", "-")
            raise UsageError(f"--{name} is for evidence-augmented prompts; add --prompt TASK.ecot")
