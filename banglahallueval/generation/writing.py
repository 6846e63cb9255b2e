"""Making the candidates of a run and writing them in order, whole or not at all."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tqdm import tqdm

from banglahallueval.generation.generator import THINKING_BUDGET, Generator, Made
from banglahallueval.generation.plan import Job, Place, Survey, places
from banglahallueval.generation.sources import Source, sources
from banglahallueval.io.tables import Cells, writing
from banglahallueval.models.client import concurrency
from banglahallueval.models.types import ModelError, Workload
from banglahallueval.runs.workers import write_in_order
from banglahallueval.text.bangla import closing_mark


@dataclass(slots=True)
class Tally:
    """Counts over a run.

    Attributes:
        made: Candidates asked for in this run.
        rows: Rows of the output by their `checks` cell.
        first, final: How many candidates of this run failed each check at first, and in the end.
        mended: Candidates that failed at first and pass in the end.
        unanswered: Candidates of this run that got no reply, by reason.
        blank: Sources that lack a text.
        unwritten: Gold spans for which no sentence could be had.
        pairs: Per candidate of this run its cells with the first and with the kept output.
    """

    made: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    first: Counter[str] = field(default_factory=Counter)
    final: Counter[str] = field(default_factory=Counter)
    mended: int = 0
    unanswered: Counter[str] = field(default_factory=Counter)
    blank: int = 0
    unwritten: int = 0
    pairs: list[tuple[Cells, Cells]] = field(default_factory=list)


def main_file(output: Path) -> Path:
    """Where `--sentence-gold` puts the gold file whose answers are sentences."""
    return output.with_name(f"{output.stem}_main.csv")


async def write_candidates(
    job: Job, generator: Generator, found: Survey, tally: Tally, args: argparse.Namespace
) -> None:
    """Make the candidates and write the output: the union of what was there and these.

    Args:
        job: What to make.
        generator: Who makes it.
        found: The survey of this job.
        tally: Where to count, so that a caller sees the counts of a run that is broken off.
        args: The flags.

    Raises:
        RunError: If the run cannot go on; the output is as it was before.
    """
    client = generator.client
    bar = tqdm(
        total=found.to_make,
        desc=job.output.stem,
        unit="candidate",
        disable=args.quiet or found.to_make == 0,
        dynamic_ncols=True,
        mininterval=0.2 if sys.stderr.isatty() else 10.0,
    )

    async def work(place: Place) -> Cells:
        source, pattern, kept = place
        if kept is not None:
            tally.rows[kept[-1]] += 1
            return kept
        if args.sentence_gold and not source.blank:
            source = await _with_sentence(generator, source)
        cells = await _candidate(job, generator, source, pattern, tally)
        bar.update(1)
        return cells

    try:
        await client.model.prepare(_workload(generator, found))
        workers = min(concurrency(args.provider, args), found.to_make)
        with writing(job.output, job.columns) as writer:
            await write_in_order(writer, places(job, found), work, workers)
        if args.sentence_gold:
            await _write_main(job, generator, found, tally)
    finally:
        bar.close()
        await client.model.close()


async def _candidate(
    job: Job, generator: Generator, source: Source, pattern: str, tally: Tally
) -> Cells:
    tally.made += 1
    if source.blank:
        tally.blank += 1
        tally.rows["blank source"] += 1
        return _cells(job, source, pattern, {"checks": "blank source"})
    made = await generator.make(source, pattern)
    checks = made.unanswered or "; ".join(made.failed) or "ok"
    tally.rows[checks] += 1
    tally.first.update(made.first_failed)
    tally.final.update(made.failed)
    tally.mended += bool(made.first_failed and not made.failed)
    if made.unanswered:
        tally.unanswered[made.unanswered] += 1
    named = {"generator": generator.client.model.model, "checks": checks}
    kept = _cells(job, source, pattern, {**_written(job, source, made, first=False), **named})
    if not made.unanswered:
        first = _cells(job, source, pattern, {**_written(job, source, made, first=True), **named})
        tally.pairs.append((first, kept))
    return kept


def _written(job: Job, source: Source, made: Made, *, first: bool) -> dict[str, str]:
    candidate = made.first if first else made.kept
    text = candidate.text
    if source.item.task != "reasoning":
        return {job.output_column: text}
    # A gold solution closes with its final answer; a chain that does not is told by that alone.
    line = source.closing_line.format(candidate.final) if text and candidate.final else ""
    return {
        "hallucinated_chain": text + line,
        "error_step": candidate.error_step,
        "error_type": candidate.error_type,
        "hallucinated_answer": candidate.final,
    }


def _cells(job: Job, source: Source, pattern: str, written: Mapping[str, str]) -> Cells:
    cells = {**source.known_cells(pattern), **written}
    return [cells.get(name, "") for name in job.columns]


async def _with_sentence(generator: Generator, source: Source) -> Source:
    """The source with its gold answer as a sentence, where the model writes one."""
    try:
        sentence = await generator.sentence(source)
    except ModelError:
        sentence = None
    return source.with_gold(sentence) if sentence else source


async def _write_main(job: Job, generator: Generator, found: Survey, tally: Tally) -> None:
    """The gold file that goes with the candidates: their sources, with sentences for spans."""
    gold = job.layout.positions[job.layout.task.output_role]
    columns = (*job.table.columns, "gold_span")
    with writing(main_file(job.output), columns) as writer:
        for source, cells in zip(sources(job.table, job.layout), job.table.rows(), strict=True):
            if source.row not in found.chosen:
                continue
            # Every sentence is in the store by now, so nothing is asked a second time.
            whole = source if source.blank else await _with_sentence(generator, source)
            tally.unwritten += not closing_mark(whole.item.output) and not source.blank
            row = [*cells, cells[gold]]
            row[gold] = whole.gold_cell
            writer.writerow(row)


def _workload(generator: Generator, found: Survey) -> Workload:
    frame, settings = generator.frame, generator.settings
    example = max(len(method) + len(text) for method, text in frame.methods.values())
    _, longest = settings.limits.bounds("x" * found.longest)
    tokens = generator.budget(longest)
    return Workload(
        requests=found.to_make,
        # A candidate that is sent back stands in the prompt with the reason, once per further try.
        longest_prompt=len(frame.text) + example + found.longest + settings.tries * (longest + 300),
        max_tokens=tokens,
        max_tokens_thinking=max(tokens, THINKING_BUDGET),
    )
