"""The flags that describe a judge besides its model, and the judge they become."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from banglahallueval.cli.flags import add_asking_flags, client_options
from banglahallueval.cli.models import read_models, read_weights
from banglahallueval.cli.providers import (
    flags_of_other_providers,
    given_flags,
    provider_options,
)
from banglahallueval.cli.types import positive, share, temperature
from banglahallueval.errors import UsageError
from banglahallueval.judges.classifiers.templates import TEMPLATES
from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE, EVIDENCE
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.judges.ecot.policies import MISSING_SHARE, POLICIES
from banglahallueval.judges.factory import EXPLAINING, JudgeName, JudgeSpec, MemberSpec
from banglahallueval.judges.sampled import Samples
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import ClassifierOptions, NamedModel, ProviderName
from banglahallueval.prompts import Prompt

_ECOT_FLAGS = ("evidence", "policy", "missing_share")
_CLASSIFIER_FLAGS = ("--model", "--dry-run", "--quiet", "--batch-size", "--dtype", "--device")


def models_of(
    judge: JudgeName, args: argparse.Namespace, model: str | None
) -> tuple[NamedModel, ...]:
    """List the chat models that a judge asks; none where it asks none.

    Args:
        judge: Its name.
        args: The flags.
        model: The model of a judge that asks one.

    Raises:
        UsageError: If the models of a panel are not named, or a judge lacks its one.
    """
    if judge == "panel":
        return _members(args)
    if judge != "offline" and not model:
        raise UsageError(f"--judge {judge} needs --model NAME")
    return tuple(NamedModel(provider, model or "") for provider in _providers(judge, args))


def _members(args: argparse.Namespace) -> tuple[NamedModel, ...]:
    members = read_models(args.models, "--models") if args.models else ()
    if len(members) < 2:
        raise UsageError(
            "--judge panel needs --models with two or more, as in "
            "openai:gpt-4.1-mini,ollama:qwen2.5:32b"
        )
    return members


def _providers(judge: JudgeName, args: argparse.Namespace) -> tuple[ProviderName, ...]:
    """List the providers of the chat models that a judge asks; none where it asks none."""
    if judge == "panel":
        return tuple(member.provider for member in _members(args))
    if judge == "hybrid":
        return (getattr(args, "provider", None) or "openai",)
    return tuple(name for name in PROVIDERS if name == judge)


def judge_spec(
    judge: JudgeName,
    prompt: Prompt | None,
    args: argparse.Namespace,
    models: Sequence[NamedModel],
    model: str | None = None,
) -> JudgeSpec:
    """Read the judge that the flags describe.

    Args:
        judge: Its name.
        prompt: Its template; None for judges that ask no chat model.
        args: The flags.
        models: The chat models that it asks, as `models_of` lists them.
        model: The model of a trained classifier.

    Raises:
        UsageError: If a flag does not go with the prompt or the judge.
    """
    if prompt is None or not models:
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
    clients = [client_options(args, each.provider, each.model) for each in models]
    members: list[MemberSpec] = []
    if judge == "panel":
        weights = read_weights(args.weights, len(clients))
        members = [
            MemberSpec(client, weight) for client, weight in zip(clients, weights, strict=True)
        ]
    return JudgeSpec(
        judge,
        None if members else clients[0],
        prompt,
        ecot,
        force_binary=args.force_binary,
        members=tuple(members),
        samples=_samples(args),
    )


def _samples(args: argparse.Namespace) -> Samples | None:
    """Read `--samples` and `--temperature`.

    Raises:
        UsageError: If one lacks the other, or every sample would be the same.
    """
    number, temperature = args.samples, args.temperature
    if number is None and temperature is None:
        return None
    if number is None or number < 2:
        raise UsageError("--temperature is that of --samples N, with N of 2 or more")
    if not temperature:
        raise UsageError(
            f"--samples {number} needs --temperature above 0, as in --temperature 0.7: at 0 every "
            "sample would be the same"
        )
    return Samples(number, temperature)


def refuse_ignored_flags(judge: JudgeName, args: argparse.Namespace) -> None:
    """Refuse flags that would change nothing: labels are taken for those of the model named.

    Raises:
        UsageError: If there are any.
    """
    providers = _providers(judge, args)
    ignored = flags_of_other_providers(args, providers)
    if not providers:
        ignored += given_flags(args, add_asking_flags, add_sampling_flags)
        used = ("--dry-run", "--quiet") if judge == "offline" else _CLASSIFIER_FLAGS
        ignored = [flag for flag in ignored if flag not in used]
    if getattr(args, "explain", False) and judge not in EXPLAINING:
        ignored.append("--explain")
    if getattr(args, "template", None) and judge != "encoder":
        ignored.append("--template")
    if getattr(args, "workers", None) and judge != "offline":
        ignored.append("--workers")
    if getattr(args, "provider", None) and judge != "hybrid":
        ignored.append("--provider")
    ignored += ["--model"] if judge == "panel" and args.model else []
    if judge != "panel":
        ignored += given_flags(args, add_panel_flags) if hasattr(args, "weights") else []
    if ignored:
        raise UsageError(f"--judge {judge} makes no use of {', '.join(ignored)}; leave it out")


def add_panel_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that name the members of a panel."""
    parser.add_argument(
        "--models",
        metavar="PROVIDER:MODEL,…",
        help="panel: its members, as in openai:gpt-4.1-mini,ollama:qwen2.5:32b",
    )
    parser.add_argument(
        "--weights", metavar="A,B,…", help="panel: what each member's vote weighs (default: 1)"
    )


def add_sampling_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags by which a model is asked several times for each row."""
    group = parser.add_argument_group("repeated judging")
    group.add_argument(
        "--samples",
        type=positive,
        metavar="N",
        help="ask N times for each row; p_hallucinated is the share of yes",
    )
    group.add_argument(
        "--temperature", type=temperature, metavar="T", help="of the samples, above 0"
    )


def add_choice_flags(parser: argparse.ArgumentParser, what: argparse._ArgumentGroup) -> None:
    """Add the flags of a script whose judge is chosen, each of use to some of them.

    Args:
        parser: The parser.
        what: Its group of flags that say what is judged, and by whom.
    """
    what.add_argument("--provider", choices=PROVIDERS, help="of a hybrid's model (default: openai)")
    what.add_argument(
        "--explain",
        action="store_true",
        help="offline, encoder, nli: add columns with the explanation and the spans that gave it "
        "away",
    )
    parser.add_argument(
        "--workers",
        type=positive,
        metavar="N",
        help="offline: most processes that judge, used from 2,000 rows on; labels and file are the "
        "same with any number (default: all cores)",
    )
    add_template_flag(parser)
    add_panel_flags(parser)


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
