"""The generation scripts: flags become plans, and the plans are carried out."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

from banglahallueval.cli.flags import (
    add_asking_flags,
    add_run_flags,
    client_options,
    read_columns,
    row_range,
    run_options,
)
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.providers import (
    add_provider_flags,
    flags_of_other_providers,
    given_flags,
)
from banglahallueval.cli.types import positive, ratio, seed, share, temperature
from banglahallueval.errors import UsageError
from banglahallueval.generation.checks import Limits
from banglahallueval.generation.codemix import OFFLINE
from banglahallueval.generation.conversion import ConversionPlan
from banglahallueval.generation.convert import convert
from banglahallueval.generation.generate import generate
from banglahallueval.generation.generator import Settings
from banglahallueval.generation.patterns import chosen_patterns, load_frame
from banglahallueval.generation.plan import GenerationPlan
from banglahallueval.io.paths import no_file, repository_root, slug
from banglahallueval.models import PROVIDERS
from banglahallueval.tasks import TASKS, Task


def refuse_ignored_flags(
    args: argparse.Namespace, providers: Collection[str], more: Sequence[str] = ()
) -> None:
    """Refuse flags that would change nothing of what these providers' models write.

    Args:
        args: The parsed flags.
        providers: The providers that are asked.
        more: Further flags that were given and change nothing.

    Raises:
        UsageError: If there are any.
    """
    ignored = [*flags_of_other_providers(args, providers), *more]
    if "hf" in providers and args.decode == "score":
        ignored.append("--decode score")
    if ignored:
        named = " and ".join(providers)
        raise UsageError(f"--provider {named} makes no use of {', '.join(ignored)}; leave it out")


def generate_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/generate_hallucinations.py`."""
    args = _generation_parser(doc).parse_args(argv)
    refuse_ignored_flags(args, [args.provider])
    task = TASKS[args.task]
    if args.sentence_gold and not task.has_answers:
        raise UsageError("--sentence-gold rewrites answers; qa and codemix have them")
    if args.all_types and not task.is_chain:
        raise UsageError("--all-types is for reasoning; other tasks get every pattern anyway")
    source = args.input or _gold_file(task)
    if not args.model:
        raise UsageError("--model names the model that writes the candidates; it is missing")
    return generate(
        GenerationPlan(
            task=args.task,
            input=source,
            output=args.output or _candidate_file(args, source),
            columns=read_columns(args.columns),
            patterns=chosen_patterns(args.task, args.patterns),
            in_turn=task.is_chain and not args.all_types,
            pilot=args.pilot,
            sentence_gold=args.sentence_gold,
            frame=load_frame(args.task, args.frame),
            settings=Settings(
                Limits(args.length_ratio), args.tries, args.temperature, args.seed, args.max_tokens
            ),
            client=client_options(args, args.provider, args.model),
            rows=row_range(args),
            options=run_options(args),
        )
    )


def convert_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/convert_codemix.py`."""
    parser = _conversion_parser(doc)
    args = parser.parse_args(argv)
    client = None
    if args.provider == "offline":
        _refuse_asking_flags(args, parser.parse_args([]))
    elif not args.model:
        raise UsageError("--model names the model that converts; or take --provider offline")
    else:
        refuse_ignored_flags(args, [args.provider])
        client = client_options(args, args.provider, args.model)
    source = args.input or _gold_file(TASKS["qa"])
    name = f"codemix_{source.stem}_{slug(client.model if client else OFFLINE)}.csv"
    return convert(
        ConversionPlan(
            input=source,
            output=args.output or repository_root() / "Codemix" / "Main dataset" / name,
            columns=read_columns(args.columns),
            client=client,
            spelling_variation=args.spelling_variation,
            temperature=args.temperature,
            tries=args.tries,
            seed=args.seed,
            rows=row_range(args),
            options=run_options(args),
        )
    )


def _refuse_asking_flags(args: argparse.Namespace, defaults: argparse.Namespace) -> None:
    """Refuse flags that only say how a model is asked, where none is."""
    asking = given_flags(args, partial(add_asking_flags, verdicts=False))
    asking += [f"--{n}" for n in ("temperature", "tries") if vars(args)[n] != vars(defaults)[n]]
    ignored = [flag for flag in asking if flag not in ("--dry-run", "--quiet")]
    refuse_ignored_flags(args, ["offline"], ignored)


def _gold_file(task: Task) -> Path:
    """Find a task's published main file.

    Raises:
        UsageError: If it is not there.
    """
    path = repository_root() / task.files["main"]
    if not path.exists():
        raise UsageError(no_file(path))
    return path


def _candidate_file(args: argparse.Namespace, source: Path) -> Path:
    pilot = f"_pilot_{args.pilot}" if args.pilot else ""
    name = f"{args.task}_{source.stem}_{slug(args.model)}{pilot}.csv"
    return repository_root() / "Hallucination Generated Answers" / name


def _generation_parser(doc: str | None) -> argparse.ArgumentParser:
    parser = new_parser(doc)
    what = parser.add_argument_group("what is generated, and by whom")
    what.add_argument("--task", choices=list(TASKS), required=True)
    what.add_argument("--provider", choices=PROVIDERS, default="openai")
    what.add_argument(
        "--patterns", metavar="A,B", help="these patterns only (default: the published ones)"
    )
    what.add_argument(
        "--all-types",
        action="store_true",
        help="reasoning: every type for every problem, not one in turn",
    )
    what.add_argument(
        "--pilot", type=positive, metavar="N", help="draw N source rows, decided by --seed"
    )
    what.add_argument(
        "--sentence-gold",
        action="store_true",
        help="qa, codemix: rewrite gold answers that are bare spans into full sentences first; "
        "OUTPUT_main.csv then holds the gold file that goes with the candidates",
    )
    what.add_argument("--frame", type=Path, metavar="FILE", help="your own prompt frame")
    what.add_argument("--seed", type=seed, default=42, help="(default: 42)")
    what.add_argument("--temperature", type=temperature, default=0.7, help="(default: 0.7)")
    what.add_argument(
        "--tries",
        type=positive,
        default=3,
        help="maximum number of requests for one candidate (default: 3)",
    )
    what.add_argument(
        "--length-ratio",
        type=ratio,
        default=1.5,
        metavar="R",
        help="a candidate may be R times as long as gold, or gold as it (default: 1.5)",
    )
    add_run_flags(
        parser,
        reads="the gold file (default: the task's main file)",
        writes='the candidate file (default: under "Hallucination Generated Answers")',
        keeps="its candidates",
    )
    add_asking_flags(parser, verdicts=False)
    add_provider_flags(parser)
    return parser


def _conversion_parser(doc: str | None) -> argparse.ArgumentParser:
    parser = new_parser(doc)
    what = parser.add_argument_group("what is written, and by whom")
    what.add_argument(
        "--provider",
        choices=[*PROVIDERS, "offline"],
        default="openai",
        help="offline transliterates without a model (default: openai)",
    )
    what.add_argument(
        "--spelling-variation",
        type=share,
        default=0.0,
        metavar="SHARE",
        help="share of words to spell in another common way, decided by --seed (default: 0)",
    )
    what.add_argument("--seed", type=seed, default=42, help="(default: 42)")
    what.add_argument("--temperature", type=temperature, default=0.2, help="(default: 0.2)")
    what.add_argument(
        "--tries", type=positive, default=3, help="maximum number of requests a row (default: 3)"
    )
    add_run_flags(
        parser,
        reads="the Bangla gold file (default: the qa main file)",
        writes='the code-mixed file (default: under "Codemix/Main dataset")',
        keeps="its converted rows",
        tasks=["qa"],
    )
    add_asking_flags(parser, verdicts=False)
    add_provider_flags(parser)
    return parser
