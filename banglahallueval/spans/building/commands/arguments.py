"""The flags of each step."""

from __future__ import annotations

import argparse
from pathlib import Path

from banglahallueval.cli.flags import add_asking_flags, add_run_flags
from banglahallueval.cli.providers import add_provider_flags
from banglahallueval.cli.types import count, positive, seed, temperature
from banglahallueval.models import PROVIDERS
from banglahallueval.spans.building.wikipedia import API


def add_context_step(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `contexts`."""
    _add_sources(parser)
    _add_seed(parser)
    _add_folder(parser)
    files = parser.add_argument_group("files")
    files.add_argument(
        "--output", type=Path, metavar="CSV", help="the passages (default: FOLDER/contexts.csv)"
    )
    _add_keeping(files)
    parser.add_argument("--fresh", action="store_true", help="ask again what the store holds")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be collected")
    parser.add_argument("--quiet", action="store_true", help="no progress bar, no summary")


def add_asking_step(parser: argparse.ArgumentParser) -> None:
    """Add the flags of a step that asks one model."""
    parser.add_argument("--provider", choices=PROVIDERS, default="openai")
    parser.add_argument(
        "--temperature", type=temperature, help="(default: the step's variable in .env, else 0)"
    )
    _add_tries(parser)
    _add_seed(parser)
    _add_folder(parser)
    _add_rows(parser)
    _add_asking(parser)


def add_answer_step(parser: argparse.ArgumentParser, default_temperature: float) -> None:
    """Add the flags of `answers`."""
    _add_models(parser, default_temperature)
    _add_seed(parser)
    _add_folder(parser)
    _add_rows(parser)
    _add_asking(parser, one_model=False)
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="reply store (default: OUTPUT.replies.sqlite)"
    )


def add_filter_step(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `filter`."""
    add_asking_step(parser)
    parser.add_argument(
        "--dataset",
        type=Path,
        metavar="CSV",
        help="the data set: rows that are kept (default: FOLDER/dataset.csv)",
    )
    _add_published(parser)


def add_pipeline(parser: argparse.ArgumentParser, default_temperature: float) -> None:
    """Add the flags of `pipeline`."""
    _add_sources(parser)
    _add_models(parser, default_temperature)
    asked = parser.add_argument_group("who asks, marks and filters (default: as .env says)")
    asked.add_argument("--provider", choices=PROVIDERS, default="openai")
    asked.add_argument("--qa-model", metavar="NAME", help="writes questions (QA_GENERATOR_MODEL)")
    asked.add_argument("--annotator-model", metavar="NAME", help="marks spans (ANNOTATOR_MODEL)")
    asked.add_argument("--filter-model", metavar="NAME", help="filters (FILTER_MODEL)")
    _add_tries(parser)
    _add_seed(parser)
    _add_folder(parser)
    files = parser.add_argument_group("files and rows")
    files.add_argument("--limit", type=positive, help="ask about this many passages at most")
    _add_keeping(files)
    _add_published(parser)
    _add_asking(parser, one_model=False)


def _add_sources(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where passages come from")
    source = group.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--texts",
        type=Path,
        metavar="DIR",
        help="a folder of texts, also in folders below: each .txt and .md is a passage, and each "
        "line of a .jsonl (text, and if you like id, title, url, language)",
    )
    source.add_argument(
        "--wikipedia",
        nargs="?",
        const=API,
        metavar="API",
        help=f"random pages of Wikipedia, or of another MediaWiki (default: {API})",
    )
    group.add_argument(
        "-l", "--language", action="append", metavar="CODE", help="repeatable (default: bn)"
    )
    group.add_argument(
        "-n",
        "--num-pages",
        dest="n",
        type=positive,
        metavar="N",
        help="passages to draw, of each language (default: all texts, or 100 pages)",
    )
    group.add_argument(
        "--min-len", type=count, default=100, metavar="N", help="code points (default: 100)"
    )
    group.add_argument(
        "--sleep",
        type=_seconds,
        default=0.0,
        metavar="SECONDS",
        help="wait before each request to a wiki (default: 0)",
    )


def _add_models(parser: argparse.ArgumentParser, default_temperature: float) -> None:
    group = parser.add_argument_group("who answers")
    group.add_argument(
        "-m",
        "--models",
        nargs="+",
        required=True,
        metavar="PROVIDER:MODEL",
        help=f"providers: {', '.join(PROVIDERS)}; of several, separated by commas, the seed "
        "chooses one for each question",
    )
    group.add_argument(
        "--temperature",
        type=temperature,
        default=default_temperature,
        help=f"of the answers (default: {default_temperature})",
    )


def _add_tries(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tries",
        type=positive,
        default=3,
        help="maximum number of requests for one reply that can be used (default: 3)",
    )


def _add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=seed, default=42, help="(default: 42)")


def _add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="folder of all files (default: Spans/Dataset)"
    )


def _add_rows(parser: argparse.ArgumentParser) -> None:
    add_run_flags(
        parser,
        reads="the output of the step before (default: its file in FOLDER)",
        writes="this step's output (default: its file in FOLDER)",
        keeps="its finished rows",
        tasks=(),
    )


def _add_keeping(files: argparse._ArgumentGroup) -> None:
    files.add_argument(
        "--resume", action="store_true", help="go on with what is there; ask nothing twice"
    )
    files.add_argument("--overwrite", action="store_true", help="replace what is there")


def _add_published(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jsonl", type=Path, metavar="FILE", help="the data set in PsiloQA's schema, too"
    )


def _add_asking(parser: argparse.ArgumentParser, *, one_model: bool = True) -> None:
    add_asking_flags(parser, verdicts=False, one_model=one_model)
    add_provider_flags(parser)
    # Where a flag is not given, the step's variable counts.
    parser.set_defaults(max_retries=None)


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if 0 <= number < 3600:
        return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0")
