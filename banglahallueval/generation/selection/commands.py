"""The selection scripts: flags become plans, and the plans are carried out."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from banglahallueval.cli.flags import (
    add_asking_flags,
    add_columns_flag,
    client_options,
    read_columns,
    run_options,
)
from banglahallueval.cli.models import read_models, refuse_alike
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.providers import add_provider_flags
from banglahallueval.cli.types import count, positive, seed
from banglahallueval.errors import UsageError
from banglahallueval.generation.commands import refuse_ignored_flags
from banglahallueval.generation.selection.panel import SelectionPlan
from banglahallueval.generation.selection.qa import AnswerScorer, select_answers
from banglahallueval.generation.selection.somadhan import (
    somadhan_folder,
    sort_by_length,
    take_extremes,
)
from banglahallueval.generation.selection.summarization import (
    METRICS,
    SummaryMetric,
    select_summaries,
)
from banglahallueval.io.paths import repository_root, short
from banglahallueval.io.tables import Table
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import NamedModel
from banglahallueval.tasks import TASKS, TaskName


def select_answers_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/select_qa_samples.py`."""
    parser = new_parser(doc)
    reads = "the pool (default: the fetched Bengali part of TyDiQA)"
    _add_selection_flags(parser, "qa", reads=reads)
    parser.add_argument("--judge-model", required=True, help="the model that scores the answers")
    parser.add_argument(
        "--judge-provider", choices=PROVIDERS, help="its provider (default: --provider)"
    )
    parser.add_argument("--seed", type=seed, default=42, help="of the draw (default: 42)")
    args = parser.parse_args(argv)
    models = _models(args)
    default = args.judge_provider or args.provider
    (scorer,) = read_models(args.judge_model, "--judge-model", provider=default, separator="\n")
    refuse_ignored_flags(args, {scorer.provider, *(model.provider for model in models)})
    source = _pool_file("qa", args.input, "tydiqa_goldp_bengali.csv", "tydiqa")
    columns = dict(read_columns(args.columns))
    if "answer" not in columns and "answer_text" in Table(source).columns:
        columns["answer"] = "answer_text"
    plan = _plan("qa", source, "answers", columns, models, args)
    return select_answers(plan, AnswerScorer(scorer, args.seed))


def select_summaries_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/select_summarization_samples.py`."""
    parser = new_parser(doc)
    reads = "the pool (default: the fetched BanglaCHQ-Summ train)"
    _add_selection_flags(parser, "summarization", reads=reads)
    parser.add_argument(
        "--metric",
        choices=METRICS,
        default="chrf",
        help="against the reference; bertscore loads a model (default: chrf)",
    )
    parser.add_argument(
        "--bertscore-model", metavar="NAME", help="(default: the library's for Bangla)"
    )
    args = parser.parse_args(argv)
    models = _models(args)
    refuse_ignored_flags(args, {model.provider for model in models})
    if args.metric != "bertscore" and args.bertscore_model:
        raise UsageError("--bertscore-model is for --metric bertscore")
    source = _pool_file("summarization", args.input, "banglachq_summ_train.csv", "banglachq-summ")
    columns = read_columns(args.columns)
    plan = _plan("summarization", source, "summaries", columns, models, args)
    return select_summaries(plan, SummaryMetric(args.metric, args.bertscore_model))


def sort_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `sort_dataset.py`."""
    parser = new_parser(doc)
    parser.add_argument("--input", type=Path, metavar="CSV", help="(default: SOMADHAN.csv)")
    parser.add_argument("--output", type=Path, metavar="CSV", help="(default: SOMADHAN_SORTED.csv)")
    parser.add_argument("--overwrite", action="store_true", help="replace an output that is there")
    args = parser.parse_args(argv)
    sort_by_length(
        args.input or somadhan_folder() / "SOMADHAN.csv",
        args.output or somadhan_folder() / "SOMADHAN_SORTED.csv",
        overwrite=args.overwrite,
    )
    return 0


def extremes_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `create_extreme_samples.py`."""
    parser = new_parser(doc)
    parser.add_argument("--input", type=Path, metavar="CSV", help="(default: SOMADHAN_SORTED.csv)")
    parser.add_argument("--output", type=Path, metavar="CSV", help="(default: by the sizes)")
    parser.add_argument("--longest", type=positive, default=500, help="(default: 500)")
    parser.add_argument("--shortest", type=count, default=500, help="(default: 500; 0 for none)")
    parser.add_argument("--overwrite", action="store_true", help="replace an output that is there")
    args = parser.parse_args(argv)
    source = args.input or somadhan_folder() / "SOMADHAN_SORTED.csv"
    take_extremes(source, args.output, args.longest, args.shortest, overwrite=args.overwrite)
    return 0


def _plan(
    task: TaskName,
    source: Path,
    what: str,
    columns: Mapping[str, str],
    models: tuple[NamedModel, ...],
    args: argparse.Namespace,
) -> SelectionPlan:
    return SelectionPlan(
        task=task,
        input=source,
        output=args.output or _folder(task) / f"{what}_{source.stem}.csv",
        selected=args.selected or _folder(task) / f"selected_{args.n}_{source.stem}.csv",
        columns=columns,
        models=models,
        client=client_options(args, models[0].provider, models[0].model),
        n=args.n,
        limit=args.limit,
        options=run_options(args),
    )


def _folder(task: TaskName) -> Path:
    return repository_root() / TASKS[task].folder / "Sample Selection"


def _pool_file(task: TaskName, given: Path | None, name: str, dataset: str) -> Path:
    """Find the pool: the one given, else the fetched one.

    Raises:
        UsageError: If it is not there.
    """
    source = given or _folder(task) / name
    if not source.exists():
        raise UsageError(
            f"no file {short(source)}; fetch it: python scripts/fetch_datasets.py {dataset}"
        )
    return source


def _models(args: argparse.Namespace) -> tuple[NamedModel, ...]:
    """Read `--models`.

    Raises:
        UsageError: If it names none, or two that would share a column.
    """
    models = read_models(args.models, "--models", provider=args.provider)
    refuse_alike([model.model for model in models], "--models")
    return models


def _add_selection_flags(parser: argparse.ArgumentParser, task: TaskName, *, reads: str) -> None:
    """Add the flags of both selections."""
    what = parser.add_argument_group("what is selected, and by whom")
    what.add_argument(
        "--models",
        required=True,
        metavar="A,B,C",
        help="the models that are asked, also as PROVIDER:MODEL, mixed",
    )
    what.add_argument(
        "--provider",
        choices=PROVIDERS,
        default="openai",
        help="of models named without one (default: openai)",
    )
    what.add_argument("--n", type=positive, default=1000, help="samples to select (default: 1000)")
    files = parser.add_argument_group("files")
    files.add_argument("--input", type=Path, metavar="CSV", help=reads)
    add_columns_flag(files, [task])
    files.add_argument("--limit", type=positive, help="maximum number of rows of the input")
    files.add_argument(
        "--output", type=Path, metavar="CSV", help="the pool with replies and scores"
    )
    files.add_argument("--selected", type=Path, metavar="CSV", help="the selected samples")
    files.add_argument(
        "--resume", action="store_true", help="go on: what the store holds is not asked again"
    )
    files.add_argument("--overwrite", action="store_true", help="replace outputs that are there")
    files.add_argument(
        "--store", type=Path, metavar="FILE", help="reply store (default: OUTPUT.replies.sqlite)"
    )
    add_asking_flags(parser, verdicts=False, one_model=False)
    add_provider_flags(parser)
