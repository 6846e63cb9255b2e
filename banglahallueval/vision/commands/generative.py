"""The sub-command `generative`: flags become a plan of descriptions and judgements."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

from banglahallueval.cli.flags import add_asking_flags, client_options
from banglahallueval.cli.providers import (
    add_provider_flags,
    flags_of_other_providers,
    given_flags,
)
from banglahallueval.cli.types import positive
from banglahallueval.errors import UsageError
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import ClientOptions, ProviderName
from banglahallueval.runs.options import RowRange
from banglahallueval.vision.commands.captions import (
    add_plain_flags,
    add_sampling_flags,
    add_slice_flags,
    check_only_tables,
    options_of,
    settings,
)
from banglahallueval.vision.data import HalData, read_items
from banglahallueval.vision.defects import Defects, find_defects
from banglahallueval.vision.generative.descriptions import Supplied, read_descriptions
from banglahallueval.vision.generative.metrics import EDGES
from banglahallueval.vision.generative.plan import Plan
from banglahallueval.vision.generative.prompts import WORDINGS, Describing, load_describing
from banglahallueval.vision.generative.report import remake
from banglahallueval.vision.generative.run import generate
from banglahallueval.vision.generative.types import JudgeSees
from banglahallueval.vision.pictures import PictureFolder
from banglahallueval.vision.prompts import LANGUAGES

_DEFAULT_PROMPT = "long"  # the published one


def add_generative_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `hal_eval.py generative`."""
    data = parser.add_argument_group("pictures and files")
    data.add_argument(
        "--data", type=Path, required=True, metavar="JSON", help="Hal-Eval's file, in either form"
    )
    data.add_argument(
        "--image-root", type=Path, metavar="DIR", help="folder of the pictures that the data names"
    )
    data.add_argument(
        "--descriptions",
        type=Path,
        metavar="FILE",
        help="descriptions to judge, instead of asking for some: CSV, JSON or JSONL with image (or "
        "index) and predict (or description)",
    )
    data.add_argument("--output", type=Path, required=True, metavar="CSV", help="the results")
    add_slice_flags(data)
    data.add_argument(
        "--clean",
        action="store_true",
        help="leave out repeated pictures, and those whose true caption is defective",
    )
    data.add_argument(
        "--resume", action="store_true", help="keep what is judged, and ask for the rest"
    )
    data.add_argument("--overwrite", action="store_true", help="replace results that are there")
    _add_describing_flags(parser)
    _add_judging_flags(parser)
    add_asking_flags(parser, verdicts=False)
    add_provider_flags(parser, scores=False)


def _add_describing_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say how descriptions are asked for."""
    group = parser.add_argument_group("the model under evaluation")
    group.add_argument("--provider", choices=PROVIDERS, help="(default: openai)")
    group.add_argument(
        "--prompt",
        nargs="+",
        metavar="NAME|FILE",
        help=f"{', '.join(WORDINGS)}, or your template; several give one row each (default: "
        f"{_DEFAULT_PROMPT})",
    )
    group.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="of the prompt (default: %(default)s)"
    )
    add_sampling_flags(group)
    group.add_argument(
        "--max-side", type=positive, metavar="PIXELS", help="scale longer pictures down to this"
    )


def _add_judging_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say who judges, and by what."""
    group = parser.add_argument_group("the judge")
    group.add_argument(
        "--judge",
        choices=get_args(JudgeSees),
        default="image",
        help="what the judge sees beside a description: the picture, as published; its true "
        "caption, as in the specification's recipe; or both (default: image)",
    )
    group.add_argument("--judge-model", help="(default: the model itself)")
    group.add_argument("--judge-provider", choices=PROVIDERS, help="(default: --provider)")
    tables = parser.add_argument_group("tables")
    tables.add_argument(
        "--only-tables",
        action="store_true",
        help="make the tables of results that are there anew, and ask nothing",
    )
    tables.add_argument(
        "--bins",
        type=positive,
        nargs="+",
        default=list(EDGES),
        metavar="WORDS",
        help="where bins of lengths end and begin (default: 20 80)",
    )


def run_generative(args: argparse.Namespace) -> int:
    """Carry `hal_eval.py generative` out and return its exit status.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    options = options_of(args)
    edges = _edges(args.bins)
    if args.only_tables:
        _check_only_tables(args)
        return remake(args.output, args.data, edges, quiet=args.quiet)
    is_named = args.provider is not None
    args.provider = args.provider or "openai"
    _refuse_ignored_flags(args, is_named=is_named)
    describings = () if args.descriptions else _describings(args)
    data = read_items(args.data)
    defects = find_defects(data.items)
    defective = frozenset(index for index, kind in defects.found if kind == "true")
    supplied = read_descriptions(args.descriptions, data.items) if args.descriptions else None
    if not args.quiet:
        _tell(data, defects, supplied, clean=args.clean)
    folder = _folder(args)
    plan = Plan(
        data=data,
        left_out=defective if args.clean else frozenset(),
        defective=len(defective),
        describings=describings,
        lang=args.lang,
        supplied=supplied,
        sees=args.judge,
        describer=None if supplied else _model(args, args.provider, args.model, "--model"),
        judge=_judge(args),
        settings=settings(args),
        folder=folder if _needs_pictures(args) else None,
        root=folder.root if folder else None,
        max_side=args.max_side,
        output=args.output,
        rows=RowRange(args.start, args.end, args.limit),
        options=options,
        edges=edges,
        store=args.store,
    )
    return generate(plan)


def _describings(args: argparse.Namespace) -> tuple[Describing, ...]:
    """Load the describing prompts.

    Raises:
        UsageError: If one cannot be used, or is named twice.
    """
    names = args.prompt or [_DEFAULT_PROMPT]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise UsageError(f"--prompt names {twice} twice")
    return tuple(load_describing(name, args.lang) for name in names)


def _edges(bins: list[int]) -> tuple[int, ...]:
    if sorted(set(bins)) != bins:
        raise UsageError(f"--bins {' '.join(map(str, bins))}: give ascending numbers of words")
    return tuple(bins)


def _needs_pictures(args: argparse.Namespace) -> bool:
    """Whether anybody is shown a picture."""
    return not (args.descriptions and args.judge == "captions")


def _folder(args: argparse.Namespace) -> PictureFolder | None:
    """Open the folder of pictures; where nobody is shown one, it is for the report alone.

    Raises:
        UsageError: If it is needed and not named, or --max-side has nothing to scale.
    """
    if _needs_pictures(args) and not args.image_root:
        raise UsageError("pictures are to be shown; name their folder with --image-root")
    if not _needs_pictures(args) and args.max_side:
        raise UsageError(
            "--descriptions with --judge captions shows nobody a picture; leave out --max-side"
        )
    return PictureFolder(args.image_root) if args.image_root else None


def _model(
    args: argparse.Namespace, provider: ProviderName, model: str | None, flag: str
) -> ClientOptions:
    if model is None:
        raise UsageError(f"--provider {provider} needs {flag} NAME")
    return client_options(args, provider, model)


def _judge(args: argparse.Namespace) -> ClientOptions:
    """Settle the judge: named, else the model itself.

    Raises:
        UsageError: If it lacks a model.
    """
    provider: ProviderName = args.judge_provider or args.provider
    if provider != args.provider and not args.judge_model:
        raise UsageError(f"--judge-provider {provider} needs --judge-model NAME")
    flag = "--judge-model" if args.descriptions else "--model"
    return _model(args, provider, args.judge_model or args.model, flag)


def _check_only_tables(args: argparse.Namespace) -> None:
    """Refuse flags that change nothing where tables alone are made.

    Raises:
        UsageError: If there are any.
    """
    flags = (_add_describing_flags, _add_judging_flags, add_plain_flags, add_provider_flags)
    check_only_tables(args, *flags, counting=["--bins"])
    for name in ("clean", "image_root"):
        if getattr(args, name):
            flag = "--" + name.replace("_", "-")
            raise UsageError(f"--only-tables counts all rows of the output; leave out {flag}")


def _refuse_ignored_flags(args: argparse.Namespace, *, is_named: bool) -> None:
    """Refuse flags that would change nothing.

    Args:
        args: The flags given.
        is_named: Whether --provider is among them.

    Raises:
        UsageError: If there are any.
    """
    judge_provider = args.judge_provider or args.provider
    providers = {judge_provider} if args.descriptions else {args.provider, judge_provider}
    if ignored := flags_of_other_providers(args, providers):
        raise UsageError(
            f"{' and '.join(sorted(providers))} makes no use of {', '.join(ignored)}; leave it out"
        )
    if not args.descriptions:
        return
    given = ["--max-tokens"] if args.max_tokens else []
    given += ["--model"] if args.model and args.judge_model else []
    given += ["--provider"] if is_named and args.judge_provider else []
    given += [flag for flag in given_flags(args, _add_describing_flags) if flag != "--provider"]
    if ignored := [flag for flag in given if flag != "--max-side"]:
        raise UsageError(f"--descriptions are judged as they are; leave out {', '.join(ignored)}")


def _tell(data: HalData, defects: Defects, supplied: Supplied | None, *, clean: bool) -> None:
    """Say what was read, and what in it is defective."""
    print(f"{data.path}: {len(data.items):,} items")
    for note in supplied.notes if supplied else ():
        print(f"Note: {note}")
    flawed = [kind for (_, kind) in defects.found if kind == "true"]
    if flawed:
        what = "left out" if clean else "--clean leaves them out"
        print(
            f"Note: {len(flawed):,} items repeat a picture or have a defective true caption; {what}"
        )
