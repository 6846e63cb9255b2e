"""The flags that describe a judge besides its model, and the judge they become."""

from __future__ import annotations

import argparse

from banglahallueval.cli.flags import add_asking_flags, client_options
from banglahallueval.cli.providers import (
    flags_of_other_providers,
    given_flags,
    provider_options,
)
from banglahallueval.cli.types import share
from banglahallueval.errors import UsageError
from banglahallueval.judges.classifiers.templates import TEMPLATES
from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE, EVIDENCE
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.judges.ecot.policies import MISSING_SHARE, POLICIES
from banglahallueval.judges.factory import EXPLAINING, JudgeName, JudgeSpec
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import ClassifierOptions, ProviderName
from banglahallueval.prompts import Prompt

_ECOT_FLAGS = ("evidence", "policy", "missing_share")
_CLASSIFIER_FLAGS = ("--model", "--dry-run", "--quiet", "--batch-size", "--dtype", "--device")


def provider_of(judge: JudgeName, args: argparse.Namespace) -> ProviderName | None:
    """Find the provider of the chat model that a judge asks; None where it asks none."""
    if judge == "hybrid":
        return getattr(args, "provider", None) or "openai"
    return next((name for name in PROVIDERS if name == judge), None)


def judge_spec(
    judge: JudgeName, prompt: Prompt | None, args: argparse.Namespace, model: str | None
) -> JudgeSpec:
    """Read the judge that the flags describe.

    Args:
        judge: Its name.
        prompt: Its template; None for judges that ask no chat model.
        args: The flags.
        model: The model; None for the offline judge.

    Raises:
        UsageError: If a flag does not go with the prompt.
    """
    provider = provider_of(judge, args)
    if prompt is None or provider is None or model is None:
        refuse_ecot_flags(args)
        explain = getattr(args, "explain", False)
        classifier = None if model is None else classifier_options(args, model)
        return JudgeSpec(judge, explain=explain, classifier=classifier)
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
        ignored += given_flags(args, add_asking_flags)
        used = ("--dry-run", "--quiet") if judge == "offline" else _CLASSIFIER_FLAGS
        ignored = [flag for flag in ignored if flag not in used]
    if getattr(args, "explain", False) and judge not in EXPLAINING:
        ignored.append("--explain")
    if getattr(args, "template", None) and judge != "encoder":
        ignored.append("--template")
    if getattr(args, "provider", None) and judge != "hybrid":
        ignored.append("--provider")
    if ignored:
        raise UsageError(f"--judge {judge} makes no use of {', '.join(ignored)}; leave it out")


def add_template_flag(parser: argparse.ArgumentParser) -> None:
    """Add `--template`, which says how an encoder is given its texts."""
    parser.add_argument(
        "--template",
        choices=list(TEMPLATES),
        help="encoder: how it was trained to read evidence and question (default: what its config "
        "says, else lettucedetect)",
    )


def classifier_options(args: argparse.Namespace, model: str) -> ClassifierOptions:
    """Read which trained classifier runs, and how."""
    hf = provider_options(args).hf
    template = getattr(args, "template", None) or ""
    return ClassifierOptions(model, hf.batch_size, hf.dtype, hf.device, template)


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
