"""Sample selection for summarization: what models summarise worst."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from banglahallueval.cli.flags import read_columns
from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import UsageError
from banglahallueval.generation.flags import refuse_ignored
from banglahallueval.generation.patterns import fill, template
from banglahallueval.generation.selection.panel import (
    Asking,
    Panel,
    add_selection_flags,
    check_outputs,
    keeping,
    model_names,
    read_rows,
    write_selection,
)
from banglahallueval.hashing import file_sha256
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.paths import ROOT, default_store, short, slug
from banglahallueval.io.tables import Table
from banglahallueval.models.types import Reply
from banglahallueval.runs.workers import locked
from banglahallueval.tasks import Item
from banglahallueval.text.bangla import answer_text

FOLDER = ROOT / "Summarization" / "Sample Selection"
SELECTED = ("id", "question", "summary")
_TOKENS = 512
METRICS = ("chrf", "bertscore")


def select_summaries_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """`scripts/select_summarization_samples.py`."""
    parser = new_parser(doc)
    add_selection_flags(parser, reads="the pool (default: the fetched BanglaCHQ-Summ train)")
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
    models = model_names(args)
    refuse_ignored(args, [args.provider])
    if args.metric == "bertscore":
        _bertscores((), None)  # tells of a missing library before anything is asked
    elif args.bertscore_model:
        raise UsageError("--bertscore-model is for --metric bertscore")
    source = args.input or FOLDER / "banglachq_summ_train.csv"
    if not source.exists():
        raise UsageError(
            f"no file {short(source)}; fetch it: python scripts/fetch_datasets.py banglachq-summ"
        )
    table = Table(source)
    layout = find_layout(
        table.columns, "summarization", "main", read_columns(args.columns), where=str(source)
    )
    output = args.output or FOLDER / f"summaries_{source.stem}.csv"
    selected = args.selected or FOLDER / f"selected_{args.n}_{source.stem}.csv"
    check_outputs(args, source, output, selected)
    rows, twice = read_rows(table, args.limit)
    items = [layout.item(cells) for cells in rows]
    if args.dry_run:
        print(fill(template("select.summary"), {"document": items[0].context} if items else {}))
        print(f"{len(rows)} texts to {len(models)} models; nothing was asked")
        return 0
    with locked(output), keeping(default_store(output, args), args) as panel:
        summaries = asyncio.run(_summaries(panel, models, items))
    references = [item.output for item in items]
    scores = [score(texts, references, args.metric, args.bertscore_model) for texts in summaries]
    means: list[float | None] = []
    pool = []
    for row, cells in enumerate(rows):
        marks = [of_model[row] for of_model in scores]
        known = [mark for mark in marks if mark is not None]
        mean = sum(known) / len(known) if len(known) == len(marks) else None
        means.append(mean)
        texts = [of_model[row] or "" for of_model in summaries]
        pool.append([*cells, *texts, *map(_written, marks), _written(mean)])
    ranked = sorted(
        (row for row, mean in enumerate(means) if mean is not None),
        key=lambda row: (means[row], row),
    )
    at = table.columns.index(layout.id) if layout.id else None
    samples = [
        [
            rows[row][at] if at is not None else str(row + 1),
            items[row].context,
            items[row].output,
        ]
        for row in sorted(ranked[: args.n])
    ]
    added = [f"{slug(model)}_summary" for model in models]
    added += [f"{slug(model)}_{args.metric}" for model in models]
    if twice:
        print(f"{twice} rows that stand in the input twice were left out")
    return write_selection(
        args,
        (output, [*table.columns, *added, f"mean_{args.metric}"], pool),
        (selected, SELECTED, samples),
        panel,
        {
            "task": "summarization",
            "input": {"path": str(source), "sha256": file_sha256(source)},
            "metric": args.metric,
        },
    )


async def _summaries(
    panel: Panel, models: Sequence[str], items: Sequence[Item]
) -> list[list[str | None]]:
    """Per model its summaries; None where there is none."""
    prompt = template("select.summary")
    prompts = [fill(prompt, {"document": item.context}) for item in items]
    return await panel.ask_each(models, "summaries", Asking(prompts, _TOKENS), _summary)


def _summary(reply: Reply) -> str | None:
    """A whole summary; None where the reply holds none."""
    return (answer_text(reply.text) or None) if reply.finish == "stop" else None


def score(
    texts: Sequence[str | None], references: Sequence[str], metric: str, model: str | None = None
) -> list[float | None]:
    """How near each text is to its reference, 0 to 1; None for a text that is missing.

    Args:
        texts: The texts.
        references: Their references.
        metric: `chrf` (Popović 2015, as in sacrebleu) or `bertscore` (F1, Zhang et al. 2020).
        model: The model behind BERTScore; None for the library's for Bangla.

    Raises:
        UsageError: If the library of the metric is not installed.
    """
    there = [i for i, text in enumerate(texts) if text is not None]
    pairs = [(str(texts[i]), references[i]) for i in there]
    scores: list[float | None] = [None] * len(texts)
    if metric == "chrf":
        from sacrebleu.metrics.chrf import CHRF

        chrf = CHRF()
        values = [chrf.sentence_score(text, [reference]).score / 100 for text, reference in pairs]
    else:
        values = _bertscores(pairs, model)
    for i, value in zip(there, values, strict=True):
        scores[i] = value
    return scores


def _bertscores(pairs: Sequence[tuple[str, str]], model: str | None) -> list[float]:
    try:
        from bert_score import score as bert_score
    except ImportError:
        raise UsageError(
            "--metric bertscore needs its library: pip install bert-score; "
            "--metric chrf needs no model"
        ) from None
    if not pairs:
        return []
    texts, references = zip(*pairs, strict=True)
    _, _, f1 = bert_score(list(texts), list(references), lang="bn", model_type=model)
    return [float(value) for value in f1]


def _written(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"
