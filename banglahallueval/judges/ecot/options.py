"""How E-CoT judges: what it gives as evidence, and whose verdict counts."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from banglahallueval.cli.types import share
from banglahallueval.errors import UsageError
from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE, EVIDENCE, Evidence
from banglahallueval.judges.ecot.policies import MISSING_SHARE, POLICIES, Policy
from banglahallueval.prompts import Prompt


@dataclass(frozen=True, slots=True)
class Options:
    """What determines a verdict besides the prompt and the model.

    Attributes:
        evidence: What a reasoning judge is given.
        policy: Whose verdict counts.
        missing_share: Of the rule: largest share of missing claims that is no hallucination.
    """

    evidence: Evidence = DEFAULT_EVIDENCE
    policy: Policy = "published"
    missing_share: float = MISSING_SHARE


def add_flags(parser: argparse.ArgumentParser) -> None:
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


def options(prompt: Prompt, args: argparse.Namespace) -> Options:
    """The options that the flags describe.

    Raises:
        UsageError: If a flag does not go with such a prompt.
    """
    if args.force_binary:
        raise UsageError(
            f"--force-binary: {prompt.name} draws its verdict from claims, so there is no word to "
            "force; leave it out"
        )
    if getattr(args, "decode", "generate") == "score":
        raise UsageError(f"--decode score: {prompt.name} needs written claims; leave it out")
    if args.evidence and "evidence" not in prompt.slots:
        raise UsageError(
            f"--evidence {args.evidence}: {prompt.name} has no {{evidence}}; reasoning.ecot has"
        )
    default = Options()
    return Options(
        args.evidence or default.evidence,
        args.policy or default.policy,
        default.missing_share if args.missing_share is None else args.missing_share,
    )


def refuse(args: argparse.Namespace) -> None:
    """Refuse the flags where no such prompt is used.

    Raises:
        UsageError: If one of them was given.
    """
    for flag in ("evidence", "policy", "missing_share"):
        if getattr(args, flag, None) is not None:
            name = flag.replace("_", "-")
            raise UsageError(f"--{name} is for evidence-augmented prompts; add --prompt TASK.ecot")
