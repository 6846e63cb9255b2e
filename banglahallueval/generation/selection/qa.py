"""Sample selection for question answering: what every model gets wrong without the passage."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

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
from banglahallueval.models.options import NamedModel
from banglahallueval.models.prices import Estimate
from banglahallueval.models.types import Reply
from banglahallueval.prompts import fill, template
from banglahallueval.runs.session import RunSession
from banglahallueval.tasks import Item
from banglahallueval.text.bangla import answer_text
from banglahallueval.text.json_reply import read_object

SELECTED = ("id", "context", "question", "correct_answer")
_ANSWER_TOKENS, _SCORE_TOKENS = 64, 32
_SCORINGS = 3  # how often a score that cannot be read is asked for
_SCHEMA = {
    "type": "object",
    "properties": {"correct": {"type": "integer", "enum": [0, 1]}},
    "required": ["correct"],
    "additionalProperties": False,
}

# Per model a text for each row; None where there is none.
Texts = list[list[str | None]]


@dataclass(frozen=True, slots=True)
class AnswerScorer:
    """The model that scores the answers.

    Attributes:
        model: The model.
        seed: Of the draw among what every model gets wrong.
    """

    model: NamedModel
    seed: int


def select_answers(plan: SelectionPlan, scorer: AnswerScorer) -> int:
    """Select questions that every model answers wrongly without the passage.

    Returns:
        The exit status: 1 if a reply is missing or too few rows could be selected.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If no request can succeed; every reply that came is in the store.
    """
    session = RunSession(plan.output, plan.options, store=plan.client.store, inputs=[plan.input])
    pool = Pool(plan)
    if plan.options.dry_run:
        first = {"question": pool.items[0].question} if pool.items else {}
        for model in dict.fromkeys((*plan.models, scorer.model)):
            print(server_line(options_of(plan.client, model)))
        prompt = fill(template("select.answer"), first)
        print(f"---- first prompt ----\n{prompt}\n----------------------")
    if plan.options.dry_run or not plan.options.quiet:
        print(
            f"{len(pool.rows)} questions, models asked: {len(plan.models)}, each answer scored; "
            f"{_estimated(plan, scorer, pool)}"
        )
    if plan.options.dry_run:
        print("Nothing was asked.")
        return 0
    with session:
        panel = Panel(session, plan.client)
        answers, scores = session.ask(
            _ask(panel, plan, scorer, pool.items),
            panel.so_far,
        )
        columns, rows, wrong = _scored(plan, pool, answers, scores)
        drawn = sorted(random.Random(scorer.seed).sample(wrong, min(plan.n, len(wrong))))
        samples = [[pool.id_of(row), *_sample(pool.items[row])] for row in drawn]
        print(f"{len(wrong)} of {len(pool.rows)} questions are wrong with every model")
        return write_selection(
            plan,
            session,
            panel,
            (columns, rows),
            (SELECTED, samples),
            {"judge": str(scorer.model), "seed": scorer.seed, "all_wrong": len(wrong)},
        )


def _estimated(plan: SelectionPlan, scorer: AnswerScorer, pool: Pool) -> Estimate:
    """Estimate what the answers and their scores need; an answer is taken as long as gold."""
    prompts = _answer_prompts(pool.items)
    answers = estimated(plan.client, plan.models, prompts, _ANSWER_TOKENS)
    score = template("select.score")
    scored = [
        fill(score, {"question": item.question, "gold": item.output, "answer": item.output})
        for item in pool.items
    ]
    scorers = [scorer.model] * len(plan.models)
    return answers + estimated(plan.client, scorers, scored, _SCORE_TOKENS)


def _answer_prompts(items: Sequence[Item]) -> list[str]:
    prompt = template("select.answer")
    return [fill(prompt, {"question": item.question}) for item in items]


def _sample(item: Item) -> tuple[str, str, str]:
    return item.context, item.question, item.output


def _scored(
    plan: SelectionPlan, pool: Pool, answers: Texts, scores: Texts
) -> tuple[list[str], list[list[str]], list[int]]:
    """Add answers and scores to the pool; list the rows that every model gets wrong."""
    added = [f"{slug(model.model)}_answer" for model in plan.models]
    added += [f"{slug(model.model)}_score" for model in plan.models]
    rows, wrong = [], []
    for row, cells in enumerate(pool.rows):
        said = [of_model[row] or "" for of_model in answers]
        rated = [of_model[row] for of_model in scores]
        rows.append([*cells, *said, *(mark or "" for mark in rated)])
        if all(mark == "0" for mark in rated):
            wrong.append(row)
    return [*pool.table.columns, *added], rows, wrong


async def _ask(
    panel: Panel, plan: SelectionPlan, scorer: AnswerScorer, items: Sequence[Item]
) -> tuple[Texts, Texts]:
    """Ask each model for closed-book answers, and the scorer for their scores."""
    prompts = _answer_prompts(items)
    answers = await panel.ask_each(plan.models, "answers", Asking(prompts, _ANSWER_TOKENS), _answer)
    return answers, await _scores(panel, scorer, items, answers)


def _answer(reply: Reply) -> str | None:
    """Read the first line of an answer; None where the reply holds none."""
    lines = answer_text(reply.text).splitlines()
    cut = reply.finish == "length" and len(lines) < 2
    if cut or reply.finish not in ("stop", "length") or not lines:
        return None
    return lines[0].strip()


async def _scores(
    panel: Panel, scorer: AnswerScorer, items: Sequence[Item], answers: Texts
) -> Texts:
    """Score each model's answers `0` or `1`; None where there is no answer or no score."""
    prompt = template("select.score")
    flat = [(of_model, row) for of_model in range(len(answers)) for row in range(len(items))]
    prompts: list[str | None] = []
    for of_model, row in flat:
        said, item = answers[of_model][row], items[row]
        values = {"question": item.question, "gold": item.output, "answer": said or ""}
        prompts.append(fill(prompt, values) if said else None)
    scores: list[str | None] = [None] * len(flat)
    for attempt in range(_SCORINGS):
        left = [p if scores[i] is None else None for i, p in enumerate(prompts)]
        if not any(left):
            break
        asking = Asking(left, _SCORE_TOKENS, _SCHEMA, attempt)
        replies = await panel.ask(scorer.model, "scores", asking)
        for place, reply in enumerate(replies):
            if reply is not None:
                scores[place] = _score(reply)
    unread = sum(p is not None and s is None for p, s in zip(prompts, scores, strict=True))
    if unread:
        panel.failures[f"{scorer.model}: no score"] += unread
    size = len(items)
    return [scores[start : start + size] for start in range(0, len(flat), size)] if size else []


def _score(reply: Reply) -> str | None:
    mark = (read_object(reply.text) or {}).get("correct")
    return {"0": "0", "1": "1", "False": "0", "True": "1"}.get(str(mark))
