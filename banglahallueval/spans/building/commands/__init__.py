"""The script that builds a span data set: flags become plans, and the plans are carried out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from banglahallueval.cli.flags import row_range, run_options
from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import UsageError
from banglahallueval.generation.commands import refuse_ignored_flags
from banglahallueval.io.paths import repository_root
from banglahallueval.models.options import ClientOptions
from banglahallueval.runs.options import RowRange
from banglahallueval.spans.building.annotating import Annotating
from banglahallueval.spans.building.answers import Answers, read_models
from banglahallueval.spans.building.commands import arguments
from banglahallueval.spans.building.commands.settings import (
    plain_client,
    step_client,
    step_temperature,
)
from banglahallueval.spans.building.contexts import ContextPlan, collect
from banglahallueval.spans.building.dataset import check_places, write_dataset
from banglahallueval.spans.building.filtering import Filtering
from banglahallueval.spans.building.languages import DEFAULT, check_code
from banglahallueval.spans.building.pipeline import Pipeline, run_pipeline
from banglahallueval.spans.building.questions import Questions
from banglahallueval.spans.building.run import run_step
from banglahallueval.spans.building.step import Step, StepPlan
from banglahallueval.spans.building.wikipedia import API

# What each step writes; the next one reads it.
FILES: Mapping[str, str] = {
    "contexts": "contexts.csv",
    "questions": "questions.csv",
    "answers": "answers.csv",
    "annotate": "annotated.csv",
    "filter": "filtered.csv",
}
DATASET = "dataset.csv"

_ANSWER_TEMPERATURE = 0.7
_PAGES = 100  # of each language


def build_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/build_span_dataset.py`."""
    parser = new_parser(doc)
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    for name, (about, aliases, add_flags, carry_out) in _STEPS.items():
        step = steps.add_parser(name, help=about, description=about, aliases=aliases)
        add_flags(step)
        step.set_defaults(run=carry_out, step_name=name)
    args = parser.parse_args(argv)
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def _contexts(args: argparse.Namespace) -> int:
    return collect(_context_plan(args, args.output or _file(args, "contexts")))


def _questions(args: argparse.Namespace) -> int:
    return run_step(_asking_plan(args), Questions(args.seed))


def _answers(args: argparse.Namespace) -> int:
    return run_step(_answer_plan(args), Answers())


def _annotate(args: argparse.Namespace) -> int:
    return run_step(_asking_plan(args), Annotating())


def _filter(args: argparse.Namespace) -> int:
    plan = _asking_plan(args)
    dataset = args.dataset or _folder(args) / DATASET
    files = [dataset, *filter(None, (args.jsonl,))]
    check_places(plan.output, files, plan.options)
    status = run_step(plan, Filtering())
    if not plan.options.dry_run:
        write_dataset(plan.output, dataset, args.jsonl, quiet=plan.options.quiet)
    return status


def _pipeline(args: argparse.Namespace) -> int:
    models = read_models(args.models)
    refuse_ignored_flags(args, {args.provider, *(provider for provider, _ in models)})
    given = {
        "questions": (args.qa_model, "--qa-model"),
        "annotate": (args.annotator_model, "--annotator-model"),
        "filter": (args.filter_model, "--filter-model"),
    }
    steps: list[Step] = [Questions(args.seed), Answers(), Annotating(), Filtering()]
    plans = []
    for before, step in zip(FILES, steps, strict=False):
        clients: tuple[ClientOptions, ...]
        if step.name in given:
            clients = (step_client(args, step.name, args.provider, *given[step.name]),)
            temperature = step_temperature(None, step.name)
        else:
            clients = tuple(plain_client(args, *model) for model in models)
            temperature = args.temperature
        # The passages are the first rows; those of later steps hang on them.
        rows = RowRange(limit=args.limit) if step.name == "questions" else RowRange()
        tries = 1 if step.name == "answers" else args.tries
        source, output = _file(args, before), _file(args, step.name)
        options = run_options(args)
        plan = StepPlan(source, output, clients, temperature, args.seed, tries, rows, options)
        plans.append((plan, step))
    return run_pipeline(
        Pipeline(
            _context_plan(args, _file(args, "contexts")),
            tuple(plans),
            _folder(args) / DATASET,
            args.jsonl,
            run_options(args),
        )
    )


def _context_plan(args: argparse.Namespace, output: Path) -> ContextPlan:
    """Settle where passages come from.

    Raises:
        UsageError: If flags do not go together.
    """
    languages = tuple(check_code(code, "--language") for code in args.language or [DEFAULT])
    if len(set(languages)) < len(languages):
        raise UsageError("--language names one twice")
    if args.texts is not None:
        if args.sleep:
            raise UsageError("--texts makes no use of --sleep; leave it out")
        if len(languages) > 1:
            raise UsageError(
                "--texts takes one --language; texts of several are told apart by the field "
                "'language' of JSON lines"
            )
    return ContextPlan(
        output=output,
        texts=args.texts,
        wiki=args.wikipedia or API,
        languages=languages,
        n=args.n or (None if args.texts else _PAGES),
        min_length=args.min_len,
        sleep=args.sleep,
        seed=args.seed,
        options=run_options(args),
    )


def _asking_plan(args: argparse.Namespace) -> StepPlan:
    """Settle a step that asks one model."""
    step: str = args.step_name
    refuse_ignored_flags(args, [args.provider])
    client = step_client(args, step, args.provider, args.model, "--model")
    return _plan(args, (client,), step_temperature(args.temperature, step), args.tries)


def _answer_plan(args: argparse.Namespace) -> StepPlan:
    models = read_models(args.models)
    refuse_ignored_flags(args, {provider for provider, _ in models})
    clients = tuple(plain_client(args, *model) for model in models)
    return _plan(args, clients, args.temperature, 1)


def _plan(
    args: argparse.Namespace, clients: tuple[ClientOptions, ...], temperature: float, tries: int
) -> StepPlan:
    names = list(FILES)
    before = names[names.index(args.step_name) - 1]
    return StepPlan(
        input=args.input or _file(args, before),
        output=args.output or _file(args, args.step_name),
        models=clients,
        temperature=temperature,
        seed=args.seed,
        tries=tries,
        rows=row_range(args),
        options=run_options(args),
    )


def _folder(args: argparse.Namespace) -> Path:
    folder: Path = args.folder or repository_root() / "Spans" / "Dataset"
    return folder


def _file(args: argparse.Namespace, step: str) -> Path:
    return _folder(args) / FILES[step]


# What a step does, PsiloQA's name for it, its flags, and what carries it out.
_STEPS: Mapping[
    str,
    tuple[
        str,
        Sequence[str],
        Callable[[argparse.ArgumentParser], None],
        Callable[[argparse.Namespace], int],
    ],
] = {
    "contexts": (
        "collect passages from a folder of texts, or from Wikipedia",
        ["get_contexts"],
        arguments.add_context_step,
        _contexts,
    ),
    "questions": (
        "ask a model for an easy, a medium and a hard question about each passage",
        ["generate_qa"],
        arguments.add_asking_step,
        _questions,
    ),
    "answers": (
        "ask models these questions, without the passage",
        ["generate_hypotheses"],
        lambda parser: arguments.add_answer_step(parser, _ANSWER_TEMPERATURE),
        _answers,
    ),
    "annotate": (
        "have a model mark what is wrong in each answer",
        ["annotate_hypotheses"],
        arguments.add_asking_step,
        _annotate,
    ),
    "filter": (
        "drop rows with bad tags, incomplete or subjective questions, and refusals; write the "
        "data set",
        [],
        arguments.add_filter_step,
        _filter,
    ),
    "pipeline": (
        "all steps in turn",
        [],
        lambda parser: arguments.add_pipeline(parser, _ANSWER_TEMPERATURE),
        _pipeline,
    ),
}
