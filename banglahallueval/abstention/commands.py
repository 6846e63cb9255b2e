"""The command `gemhall`: flags become a plan, and the plan is carried out."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, get_args

from banglahallueval.abstention.asking import JudgeName, Settings
from banglahallueval.abstention.bangla import BanglaTask, main_file, read_bangla
from banglahallueval.abstention.mmlu import REPOSITORY, fetched_copy, read_mmlu
from banglahallueval.abstention.plan import Plan
from banglahallueval.abstention.prompts import Lang
from banglahallueval.abstention.questions import read_questions
from banglahallueval.abstention.run import evaluate
from banglahallueval.abstention.thresholds import check_thresholds
from banglahallueval.abstention.types import Question
from banglahallueval.cli.assignments import add_assignment_flags, assignments_of, check_assigned
from banglahallueval.cli.flags import add_asking_flags, client_options, run_options
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.providers import (
    add_provider_flags,
    flags_of_other_providers,
    given_flags,
)
from banglahallueval.cli.script import run_script
from banglahallueval.cli.types import positive, seed, share, temperature
from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import short
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import ClientOptions, ProviderName

_DOC = """Measure how well a model answers when it may say that it does not know."""
_MODEL = "gemini-2.5-flash"
_GRADER = "gemini-2.5-flash-lite"
_CONCURRENCY = 8


@dataclass(frozen=True, slots=True)
class _Data:
    """Questions, where they are from, and what decided which they are."""

    questions: Sequence[Question]
    name: str
    file: Path | None = None
    draw: Mapping[str, Any] = field(default_factory=dict)


def main() -> NoReturn:
    """Run the console command."""
    run_script(lambda: gemhall(_DOC))


def gemhall(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/gemhall.py` and return its exit status.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    args = _parser(doc).parse_args(argv)
    thresholds = check_thresholds(args.thresholds)
    if args.command == "run" and args.from_verdicts:
        return _from_verdicts(args, thresholds)
    _refuse_ignored_flags(args)
    data = _READERS[args.command](args)
    return evaluate(_plan(args, thresholds, data))


def _from_verdicts(args: argparse.Namespace, thresholds: tuple[float, ...]) -> int:
    """Draw the curve of a judge's own probabilities.

    Raises:
        UsageError: If a flag that asks a model is given, or the files cannot be used.
    """
    if ignored := given_flags(args, _add_asking_flags, add_provider_flags):
        kept = {"--overwrite", "--quiet", "--seed"}
        ignored = [flag for flag in ignored if flag not in kept]
    if ignored:
        raise UsageError(f"--from-verdicts asks no model; leave out {', '.join(ignored)}")
    from banglahallueval.abstention.verdicts import evaluate_verdicts  # what counts: two seconds

    assignments = assignments_of(args)
    check_assigned(assignments, args.from_verdicts)
    return evaluate_verdicts(
        args.from_verdicts, thresholds, assignments, args.out, run_options(args)
    )


def _refuse_ignored_flags(args: argparse.Namespace) -> None:
    """Refuse flags that would change nothing.

    Raises:
        UsageError: If there are any.
    """
    if args.concurrency and not args.is_async:
        raise UsageError("--concurrency is for --async; give both")
    if args.judge == "exact" and (args.judge_model or args.judge_provider):
        raise UsageError("--judge-model and --judge-provider are for --judge llm")
    providers = {args.provider, args.judge_provider or args.provider}
    if ignored := flags_of_other_providers(args, providers):
        raise UsageError(
            f"--provider {args.provider} makes no use of {', '.join(ignored)}; leave it out"
        )
    if args.resume and args.overwrite:
        raise UsageError("--resume keeps results and --overwrite replaces them; take one")
    if args.progress and args.quiet:
        raise UsageError("--progress shows a bar and --quiet shows nothing; take one")
    if args.command == "run" and (args.assigned or args.assign):
        raise UsageError("--as and --assign are for --from-verdicts")


def _plan(args: argparse.Namespace, thresholds: tuple[float, ...], data: _Data) -> Plan:
    """Settle the plan of a run that asks a model."""
    args.concurrency = (args.concurrency or _CONCURRENCY) if args.is_async else 1
    model = args.model or (_MODEL if args.provider == "gemini" else None)
    if model is None:
        raise UsageError(f"--provider {args.provider} needs --model NAME")
    described: dict[str, Any] = {
        "name": data.name,
        "questions": len(data.questions),
        "unanswerable": sum(question.unknown_ok for question in data.questions),
    }
    if data.file:
        described["sha256"] = file_sha256(data.file)
    return Plan(
        questions=data.questions,
        source=data.name,
        draw=data.draw,
        data={**described, **data.draw},
        inputs=[data.file] if data.file else [],
        thresholds=thresholds,
        settings=Settings(args.lang, args.confidence, args.temperature, args.seed, args.max_tokens),
        client=client_options(args, args.provider, model),
        grader=_grader(args, model),
        folder=args.out,
        options=run_options(args),
        shows_progress=args.progress,
    )


def _grader(args: argparse.Namespace, model: str) -> ClientOptions | None:
    """Settle the LLM judge: named, else Gemini's usual one, else the model itself."""
    if args.judge == "exact":
        return None
    provider: ProviderName = args.judge_provider or args.provider
    usual = _GRADER if provider == "gemini" else model
    return client_options(args, provider, args.judge_model or usual)


def _read_file(args: argparse.Namespace) -> _Data:
    return _Data(read_questions(args.data), str(args.data), args.data)


def _read_mmlu(args: argparse.Namespace) -> _Data:
    folder = args.data_dir or fetched_copy(args.split)
    mixed = read_mmlu(
        split=args.split,
        subjects=args.subjects,
        data_dir=folder,
        limit=args.limit,
        idk_frac=args.idk_frac,
        seed=args.seed,
    )
    draw = {**_drawn(args), "split": args.split, "subjects": sorted(args.subjects)}
    return _Data(mixed.questions, short(folder) if folder else REPOSITORY, draw=draw)


def _read_bangla(args: argparse.Namespace) -> _Data:
    path = args.input or main_file(args.task)
    mixed = read_bangla(args.task, path, limit=args.limit, idk_frac=args.idk_frac, seed=args.seed)
    return _Data(mixed.questions, str(path), path, {**_drawn(args), "task": args.task})


def _drawn(args: argparse.Namespace) -> dict[str, Any]:
    return {"limit": args.limit, "idk_frac": args.idk_frac}


_READERS = {"run": _read_file, "mmlu": _read_mmlu, "bangla": _read_bangla}


def _parser(doc: str | None) -> argparse.ArgumentParser:
    parser = new_parser(doc)
    commands = parser.add_subparsers(dest="command", required=True, metavar="run|mmlu|bangla")
    run = commands.add_parser("run", help="questions of a CSV, or a judge's own probabilities")
    source = run.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--data", type=Path, metavar="CSV", help="columns id, question, gold, unknown_ok"
    )
    source.add_argument(
        "--from-verdicts",
        type=Path,
        nargs="+",
        metavar="CSV",
        help="labelled files of one judge: the curve of its own p_hallucinated; asks nothing",
    )
    add_assignment_flags(run)
    mmlu = commands.add_parser("mmlu", help="MMLU, from the hub or a local copy")
    mmlu.add_argument("--split", default="test", help="test, validation, dev (default: test)")
    mmlu.add_argument(
        "--subjects", nargs="+", default=["all"], metavar="NAME", help="(default: all)"
    )
    mmlu.add_argument(
        "--data-dir",
        type=Path,
        metavar="DIR",
        help="a local copy of cais/mmlu (default: the fetched one, else the hub)",
    )
    bangla = commands.add_parser("bangla", help="this benchmark's own questions")
    bangla.add_argument("--task", choices=get_args(BanglaTask), required=True)
    bangla.add_argument(
        "--input", type=Path, metavar="CSV", help="main file of the task (default: the fetched one)"
    )
    for command in (mmlu, bangla):
        command.add_argument("--limit", type=positive, help="draw this many questions at random")
        command.add_argument(
            "--idk-frac",
            type=share,
            default=0.0,
            help="share of the questions made unanswerable (default: 0)",
        )
    for command in (run, mmlu, bangla):
        _add_evaluation_flags(command)
        _add_asking_flags(command)
        add_provider_flags(command, scores=False)
    bangla.set_defaults(lang="bn")
    return parser


def _add_evaluation_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say what is measured, and where the results go."""
    what = parser.add_argument_group("what is measured")
    what.add_argument(
        "--thresholds",
        type=float,
        nargs="+",
        required=True,
        metavar="T",
        help="confidences from 0 up to, not including, 1",
    )
    what.add_argument(
        "--out", type=Path, default=Path("outputs"), metavar="DIR", help="(default: outputs)"
    )
    what.add_argument("--resume", action="store_true", help="keep what is there, ask for the rest")
    what.add_argument("--overwrite", action="store_true", help="replace results that are there")


def _add_asking_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say who is asked, and how."""
    who = parser.add_argument_group(
        "who is asked, and how",
        f"At Gemini the model is {_MODEL} unless --model names one. --concurrency is for --async "
        f"(default: {_CONCURRENCY}), replies have 128 tokens unless --max-tokens says otherwise, "
        "and they are kept in results.csv.replies.sqlite in --out unless --store names a file.",
    )
    who.add_argument("--provider", choices=PROVIDERS, default="gemini", help="(default: gemini)")
    who.add_argument(
        "--judge", choices=get_args(JudgeName), default="exact", help="(default: exact)"
    )
    who.add_argument(
        "--judge-model",
        help=f"of --judge llm (default: {_GRADER} at Gemini, else the model)",
    )
    who.add_argument("--judge-provider", choices=PROVIDERS, help="its provider (default: the same)")
    who.add_argument(
        "--lang",
        choices=get_args(Lang),
        default="en",
        help="of the prompt (default: %(default)s)",
    )
    who.add_argument(
        "--confidence",
        action="store_true",
        help="also ask how sure the model is",
    )
    who.add_argument("--temperature", type=temperature, default=0.0, help="(default: 0)")
    who.add_argument(
        "--seed", type=seed, default=1234, help="of draws, and sent to the model (default: 1234)"
    )
    who.add_argument(
        "--async", dest="is_async", action="store_true", help="ask several questions at once"
    )
    who.add_argument("--progress", action="store_true", help="show a progress bar")
    add_asking_flags(parser, verdicts=False)
