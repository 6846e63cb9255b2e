"""Whether a wrong reasoning chain is wrong in the way it was asked to be."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from banglahallueval.judges.arithmetic import ChainReport, Step, check_chain
from banglahallueval.tasks import Item
from banglahallueval.text import bangla


def check_reasoning(item: Item, pattern: str, chain: str, final: str) -> Iterator[tuple[str, str]]:
    """Check a chain's arithmetic and final answer.

    Args:
        item: The source; its output is the gold chain.
        pattern: How the chain was to be made wrong.
        chain: The wrong chain.
        final: Its final answer.

    Yields:
        The name of each check that it fails, and what to tell the model.
    """
    ours, gold = final_number(final), final_number(item.final_answer or item.output)
    if ours is None:
        yield "no final answer", "hallucinated_answer must be the final number"
        return
    is_in_chain = ours in bangla.numbers(chain)
    if not is_in_chain:
        yield "final answer not in chain", "the chain must come to its hallucinated_answer"
    # What is stated beside a right chain does not make it wrong.
    if ours == gold or (not is_in_chain and final_number(chain) == gold):
        yield "final answer unchanged", "its final answer is still the right one"
    if pattern == "arithmetic_slip":
        yield from _check_slip(check_chain(chain), check_chain(item.output))


def final_number(text: str) -> Fraction | None:
    """Read the number a solution ends in; None where it has none."""
    found = bangla.numbers(text)
    return found[-1] if found else None


def _check_slip(ours: ChainReport, gold: ChainReport) -> Iterator[tuple[str, str]]:
    # What the gold chain itself gets wrong is no slip of the model's.
    own = {(step.expression, step.stated) for step in gold.faults}
    faults = [step for step in ours.faults if (step.expression, step.stated) not in own]
    if not faults:
        yield "no slip", "every calculation in it is right; one must come to a wrong number"
    elif len(faults) > 1:
        yield "several slips", f"{len(faults)} calculations are wrong; exactly one may be"
    elif not _carried(faults[0], ours):
        yield "slip not carried", "the steps after the slip still use the right number"


def _carried(slip: Step, report: ChainReport) -> bool:
    """Whether no later step calculates with the right number where the wrong one is at hand."""
    stated = final_number(slip.stated)
    later = [step for step in report.steps if step.start >= slip.end]
    used = [set(bangla.numbers(step.expression)) for step in later]
    return not any(slip.value in numbers and stated not in numbers for numbers in used) or any(
        stated in numbers for numbers in used
    )
