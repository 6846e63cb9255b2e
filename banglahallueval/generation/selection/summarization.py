"""Sample selection for summarization: what models summarise worst."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from banglahallueval.errors import UsageError
from banglahallueval.generation.selection.panel import (
    Asking,
    Panel,
    Pool,
    SelectionPlan,
    estimated,
    options_of,
    write_selection,
)
from banglahallueval.io.paths import slug
from banglahallueval.models import server_line
from banglahallueval.models.types import Reply
from banglahallueval.prompts import fill, template
from banglahallueval.runs.session import RunSession
from banglahallueval.text.bangla import answer_text

SELECTED = ("id", "question", "summary")
_TOKENS = 512
METRICS = ("chrf", "bertscore")


@dataclass(frozen=True, slots=True)
class SummaryMetric:
    """What summaries are scored by, against the reference.

    Attributes:
        name: One of `METRICS`.
        model: The model behind BERTScore; None for the library's for Bangla.
    """

    name: str
    model: str | None = None


def select_summaries(plan: SelectionPlan, metric: SummaryMetric) -> int:
    """Select the texts whose summaries are worst on average.

    Returns:
        The exit status: 1 if a reply is missing or too few rows could be selected.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If no request can succeed; every reply that came is in the store.
    """
    if metric.name == "bertscore":
        _bertscores((), None)  # tells of a missing library before anything is asked
    session = RunSession(plan.output, plan.options, store=plan.client.store, inputs=[plan.input])
    pool = Pool(plan)
    if plan.options.dry_run:
        first = {"document": pool.items[0].context} if pool.items else {}
        for model in plan.models:
            print(server_line(options_of(plan.client, model)))
        prompt = fill(template("select.summary"), first)
        print(f"---- first prompt ----\n{prompt}\n----------------------")
    if plan.options.dry_run or not plan.options.quiet:
        needed = estimated(plan.client, plan.models, _prompts(pool), _TOKENS)
        print(f"{len(pool.rows)} texts, models asked: {len(plan.models)}; {needed}")
    if plan.options.dry_run:
        print("Nothing was asked.")
        return 0
    with session:
        panel = Panel(session, plan.client)
        asking = Asking(_prompts(pool), _TOKENS)
        summaries = session.ask(
            panel.ask_each(plan.models, "summaries", asking, _summary),
            lambda: f"{len(panel.usage)} of {len(plan.models)} models",
        )
        columns, rows, means = _scored(plan, pool, summaries, metric)
        ranked = sorted((mean, row) for row, mean in enumerate(means) if mean is not None)
        samples = [
            [pool.id_of(row), pool.items[row].context, pool.items[row].output]
            for row in sorted(row for _, row in ranked[: plan.n])
        ]
        return write_selection(
            plan, session, panel, (columns, rows), (SELECTED, samples), {"metric": metric.name}
        )


def _prompts(pool: Pool) -> list[str]:
    prompt = template("select.summary")
    return [fill(prompt, {"document": item.context}) for item in pool.items]


def _scored(
    plan: SelectionPlan,
    pool: Pool,
    summaries: Sequence[Sequence[str | None]],
    metric: SummaryMetric,
) -> tuple[list[str], list[list[str]], list[float | None]]:
    """Add summaries and scores to the pool; compute each row's mean score."""
    references = [item.output for item in pool.items]
    scores = [score(texts, references, metric.name, metric.model) for texts in summaries]
    rows: list[list[str]] = []
    means: list[float | None] = []
    for row, cells in enumerate(pool.rows):
        marks = [of_model[row] for of_model in scores]
        known = [mark for mark in marks if mark is not None]
        mean = sum(known) / len(known) if len(known) == len(marks) else None
        means.append(mean)
        texts = [of_model[row] or "" for of_model in summaries]
        rows.append([*cells, *texts, *map(_written, marks), _written(mean)])
    added = [f"{slug(model.model)}_summary" for model in plan.models]
    added += [f"{slug(model.model)}_{metric.name}" for model in plan.models]
    return [*pool.table.columns, *added, f"mean_{metric.name}"], rows, means


def _summary(reply: Reply) -> str | None:
    """Read a whole summary; None where the reply holds none."""
    return (answer_text(reply.text) or None) if reply.finish == "stop" else None


def score(
    texts: Sequence[str | None], references: Sequence[str], metric: str, model: str | None = None
) -> list[float | None]:
    """Score each text against its reference, 0 to 1; None for a text that is missing.

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
