"""What a generation run says: what it would ask, what failed what, what is still given away."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from banglahallueval.generation.generator import Generator, Settings, fill_prompt
from banglahallueval.generation.patterns import Frame
from banglahallueval.generation.plan import Job, Survey
from banglahallueval.generation.writing import Tally, main_file
from banglahallueval.io.paths import short
from banglahallueval.io.tables import Cells, read_frame
from banglahallueval.models.prices import cost, estimate
from banglahallueval.runs.summary import effort, resume_command

if TYPE_CHECKING:
    import pandas as pd

    from banglahallueval.audit import Check


def dry_run(frame: Frame, settings: Settings, found: Survey, args: argparse.Namespace) -> None:
    """The first filled prompt, and what the run would cost."""
    if found.first is None:
        print(f"0 candidates to make from {found.rows} rows; nothing was asked")
        return
    source, pattern = found.first
    print("---- first prompt ----")
    print(fill_prompt(frame, settings, source, pattern))
    print("----------------------")
    example = max(len(method) + len(text) for method, text in frame.methods.values())
    fixed = len(frame.text) + example
    budget = settings.max_tokens or Generator.reckoned_budget(found.longest)
    asked, answered = estimate(found.characters + found.to_make * fixed, found.to_make, budget)
    dollars = cost(args.provider, args.model or "", asked, answered)
    price = "price not known" if dollars is None else f"about ${dollars:.2f}"
    print(
        f"{found.to_make} candidates from {len(found.chosen)} of {found.rows} rows; about "
        f"{asked:,} prompt tokens and at most {answered:,} reply tokens, and more where one is "
        f"sent back: {price}. Nothing was asked."
    )


def finished(job: Job, tally: Tally, run: Mapping[str, Any], args: argparse.Namespace) -> None:
    """Counts per check, tokens, cost, and the audit before and after the checks."""
    rows = tally.rows.total()
    print(f"{short(job.output)}: {rows} candidates, {tally.rows['ok']} pass every check")
    if args.sentence_gold:
        print(f"  {short(main_file(job.output))}: the gold answers as sentences")
        if tally.unwritten:
            print(f"  {tally.unwritten} gold answers stay spans: no sentence that holds them")
    for reason, count in tally.unanswered.most_common():
        print(f"  blank: {count} {reason}")
    if tally.blank:
        print(f"  blank: {tally.blank} whose source lacks a text")
    print("  " + effort(tally.made, "made", dict(run)))
    _print_checks(tally)
    _print_audit(job, tally)
    if tally.unanswered:
        print(f"To ask again for the {tally.unanswered.total()} blank ones: {resume_command()}")


def _print_checks(tally: Tally) -> None:
    if not tally.first:
        return
    print(f"Checks of this run's candidates ({tally.mended} mended by asking again):")
    print(_aligned(["check", "first try", "kept"], _check_counts(tally.first, tally.final)))


def _check_counts(first: Counter[str], final: Counter[str]) -> list[list[str]]:
    return [[name, str(count), str(final[name])] for name, count in first.most_common()] + [
        [name, "0", str(count)] for name, count in final.items() if name not in first
    ]


def _print_audit(job: Job, tally: Tally) -> None:
    """The dataset audit: this run's first tries against what was kept, and the whole file."""
    if tally.pairs:
        before = _audit(job, _frame(job, [first for first, _ in tally.pairs]))
        after = _audit(job, _frame(job, [kept for _, kept in tally.pairs]))
        # The two list the same checks but for blank columns, which only one may have.
        figures = {check.name: [_figure(check), "-"] for check in before}
        for check in after:
            figures.setdefault(check.name, ["-", "-"])[1] = _figure(check)
        print("What gives this run's candidates away, before and after the checks:")
        body = [[name, *both] for name, both in figures.items()]
        print(_aligned(["audit", "first try", "kept"], body))
    whole = read_frame(job.output)
    whole = whole[whole[job.output_column].str.strip() != ""]
    if whole.empty:
        return
    found = _audit(job, whole)
    warnings = [check for check in found if check.warning]
    print(f"Audit of the whole file: {len(warnings)} warnings" + (":" if warnings else ""))
    for check in warnings:
        print(f"  {check.name}: {_figure(check)}")


def _audit(job: Job, frame: pd.DataFrame) -> list[Check]:
    # Loading what the audit needs takes seconds, which the start of a run need not wait for.
    from banglahallueval.audit import audit, make_side

    return audit(make_side(frame, job.layout.task.name, "candidates", str(job.output)))


def _frame(job: Job, rows: Sequence[Cells]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(job.columns), dtype=str)


def _figure(check: Check) -> str:
    return f"{check.count} of {check.of}" if check.of else f"AUROC {check.auroc:.3f}"


def _aligned(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = [header, *body]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join(
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )
