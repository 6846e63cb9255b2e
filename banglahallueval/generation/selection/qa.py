"""Sample selection for question answering: what every model gets wrong without the passage."""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Sequence

from banglahallueval.cli.flags import ALL_PROVIDERS, read_columns
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import count
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
from banglahallueval.text.json_reply import read_object

FOLDER = ROOT / "QA" / "Sample Selection"
SELECTED = ("id", "context", "question", "correct_answer")
_ANSWER_TOKENS, _SCORE_TOKENS = 64, 32
_SCORINGS = 3  # how often a score that cannot be read is asked for
_SCHEMA = {
    "type": "object",
    "properties": {"correct": {"type": "integer", "enum": [0, 1]}},
    "required": ["correct"],
    "additionalProperties": False,
}


def select_answers_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """`scripts/select_qa_samples.py`."""
    parser = new_parser(doc)
    add_selection_flags(parser, reads="the pool (default: the fetched Bengali part of TyDiQA)")
    parser.add_argument("--judge-model", required=True, help="the model that scores the answers")
    parser.add_argument(
        "--judge-provider", choices=ALL_PROVIDERS, help="its provider (default: --provider)"
    )
    parser.add_argument("--seed", type=count, default=42, help="of the draw (default: 42)")
    args = parser.parse_args(argv)
    models = model_names(args)
    judge = args.judge_model
    refuse_ignored(args, {args.provider, args.judge_provider or args.provider})
    source = args.input or FOLDER / "tydiqa_goldp_bengali.csv"
    if not source.exists():
        raise UsageError(
            f"no file {short(source)}; fetch it: python scripts/fetch_datasets.py tydiqa"
        )
    table = Table(source)
    columns = dict(read_columns(args.columns))
    if "answer" not in columns and "answer_text" in table.columns:
        columns["answer"] = "answer_text"
    layout = find_layout(table.columns, "qa", "main", columns, where=str(source))
    output = args.output or FOLDER / f"answers_{source.stem}.csv"
    selected = args.selected or FOLDER / f"selected_{args.n}_{source.stem}.csv"
    check_outputs(args, source, output, selected)
    rows, twice = read_rows(table, args.limit)
    items = [layout.item(cells) for cells in rows]
    if args.dry_run:
        print(fill(template("select.answer"), {"question": items[0].question} if items else {}))
        print(f"{len(rows)} questions to {len(models)} models, and as many scores; nothing asked")
        return 0
    with locked(output), keeping(default_store(output, args), args) as panel:
        answers = asyncio.run(_answers(panel, models, items))
        scores = asyncio.run(_scores(panel, judge, items, answers, args))
    added = [f"{slug(model)}_answer" for model in models]
    added += [f"{slug(model)}_score" for model in models]
    pool = []
    wrong = []
    for row, cells in enumerate(rows):
        said = [of_model[row] for of_model in answers]
        rated = [of_model[row] for of_model in scores]
        pool.append([*cells, *(text or "" for text in said), *(mark or "" for mark in rated)])
        if all(mark == "0" for mark in rated):
            wrong.append(row)
    drawn = sorted(random.Random(args.seed).sample(wrong, min(args.n, len(wrong))))
    at = table.columns.index(layout.id) if layout.id else None
    samples = [
        [
            rows[row][at] if at is not None else str(row + 1),
            items[row].context,
            items[row].question,
            items[row].output,
        ]
        for row in drawn
    ]
    print(f"{len(wrong)} of {len(rows)} questions are wrong with every model")
    if twice:
        print(f"  {twice} rows that stand in the input twice were left out")
    return write_selection(
        args,
        (output, [*table.columns, *added], pool),
        (selected, SELECTED, samples),
        panel,
        {
            "task": "qa",
            "input": {"path": str(source), "sha256": file_sha256(source)},
            "judge": judge,
            "seed": args.seed,
            "all_wrong": len(wrong),
        },
    )


async def _answers(
    panel: Panel, models: Sequence[str], items: Sequence[Item]
) -> list[list[str | None]]:
    """Per model its closed-book answers; None where there is none."""
    prompt = template("select.answer")
    prompts = [fill(prompt, {"question": item.question}) for item in items]
    return await panel.ask_each(models, "answers", Asking(prompts, _ANSWER_TOKENS), _answer)


def _answer(reply: Reply) -> str | None:
    """The first line of an answer; None where the reply holds none."""
    lines = answer_text(reply.text).splitlines()
    cut = reply.finish == "length" and len(lines) < 2
    if cut or reply.finish not in ("stop", "length") or not lines:
        return None
    return lines[0].strip()


async def _scores(
    panel: Panel,
    judge: str,
    items: Sequence[Item],
    answers: Sequence[Sequence[str | None]],
    args: argparse.Namespace,
) -> list[list[str | None]]:
    """Per model its scores, `0` or `1`; None where there is no answer or no score."""
    prompt = template("select.score")
    flat = [(of_model, row) for of_model in range(len(answers)) for row in range(len(items))]
    prompts: list[str | None] = []
    for of_model, row in flat:
        said, item = answers[of_model][row], items[row]
        values = {"question": item.question, "gold": item.output, "answer": said or ""}
        prompts.append(fill(prompt, values) if said else None)
    scores: list[str | None] = [None] * len(flat)
    provider = args.judge_provider or args.provider
    for attempt in range(_SCORINGS):
        left = [p if scores[i] is None else None for i, p in enumerate(prompts)]
        if not any(left):
            break
        asking = Asking(left, _SCORE_TOKENS, _SCHEMA, attempt)
        for place, reply in enumerate(await panel.ask(provider, judge, "scores", asking)):
            if reply is not None:
                scores[place] = _score(reply)
    unread = sum(p is not None and s is None for p, s in zip(prompts, scores, strict=True))
    if unread:
        panel.failures[f"{judge}: no score"] += unread
    size = len(items)
    return [scores[start : start + size] for start in range(0, len(flat), size)] if size else []


def _score(reply: Reply) -> str | None:
    mark = (read_object(reply.text) or {}).get("correct")
    return {"0": "0", "1": "1", "False": "0", "True": "1"}.get(str(mark))
