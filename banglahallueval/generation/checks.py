"""The checks that every candidate goes through; each failure carries what the model is told.

Some failures mean that the candidate may well be right, so that its label would be wrong. Such a
candidate is never written. The others are faults of form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import regex

from banglahallueval.generation.chain_checks import check_reasoning
from banglahallueval.generation.meaning import same_as_gold, say_the_same
from banglahallueval.generation.sources import Source
from banglahallueval.judges.offline import judge_offline
from banglahallueval.tasks import TASKS, Item
from banglahallueval.text import bangla

# Code points by which an output may differ from gold whatever the ratio: a name for a name may
# well be twice as long.
_SLACK = 8
_CONTINUES = tuple(",;:–-—(«“‘<=+×/&…")
_PAIRS = (("(", ")"), ("[", "]"), ("<<", ">>"), ("“", "”"), ("«", "»"))
_MARKERS = regex.compile(
    r"####|```|\*\*|</?[a-z_]+>|\{\s*\"|#\s*(?:hallucinated|right|question|answer|summary|passage)"
    r"|\b(?:wrong|right|hallucinated|correct|incorrect|model)\s+(?:answer|summary|solution|chain)\b"
    r"|\bhallucinat\w*|\b(?:answer|summary|question|context|passage|document|note|sentence)\s*:"
    r"|\b(?:as an ai|language model|here is|here's|i cannot|i can't)\b|^\s*sure[,!]"
    r"|(?:ভুল|সঠিক|মিথ্যা|বানানো|হ্যালুসিনেটেড)\s+(?:উত্তর|সারাংশ|সমাধান)|হ্যালুসিনেশন"
    r"|(?:উত্তর|সারাংশ|সারসংক্ষেপ|প্রশ্ন|অনুচ্ছেদ|দ্রষ্টব্য|বিঃদ্রঃ)\s*[:ঃ]",
    regex.IGNORECASE | regex.MULTILINE,
)
# What a candidate fails that may be right after all.
LABEL_CHECKS = frozenset(
    (
        *("same as gold", "supported by the context"),
        *("no final answer", "final answer unchanged", "no slip"),
    )
)
SIBLING_CHECK = "same as a sibling"
_QUOTED = regex.compile(r"\A[\"'“‘«].*[\"'”’»]\s*[।.?!]?\Z", regex.DOTALL)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much longer or shorter than gold an output may be.

    Attributes:
        ratio: Longest over gold, and gold over shortest; above 1.
    """

    ratio: float = 1.5

    def bounds(self, gold: str) -> tuple[int, int]:
        """Compute the shortest and the longest output that passes, in code points."""
        size = len(gold.strip())
        shortest = max(1, min(round(size / self.ratio), size - _SLACK))
        return shortest, max(round(size * self.ratio), size + _SLACK)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a model wrote in the gold output's place.

    Attributes:
        text: The answer, summary or chain; empty where none could be read.
        finish: How the reply ended, as `models.types.Reply` says it.
        final: Reasoning only: the final answer.
        error_step, error_type: Reasoning only: as the model says it.
        readable: Whether the reply had the form that was asked for.
    """

    text: str
    finish: str = "stop"
    final: str = ""
    error_step: str = ""
    error_type: str = ""
    readable: bool = True


@dataclass(frozen=True, slots=True)
class Failure:
    """A check that a candidate does not pass.

    Attributes:
        name: The check, as columns and summaries name it.
        reason: What the model is told when it is asked again.
    """

    name: str
    reason: str

    @property
    def spoils_label(self) -> bool:
        """Whether the candidate may be right, so that the label `yes` would be wrong."""
        return self.name in LABEL_CHECKS


def check(
    source: Source,
    pattern: str,
    candidate: Candidate,
    limits: Limits,
    siblings: Sequence[str] = (),
) -> list[Failure]:
    """List the checks that a candidate fails, in a fixed order.

    Args:
        source: What it is made from.
        pattern: How it was to be made wrong.
        candidate: The candidate.
        limits: How long it may be.
        siblings: What the source's other candidates say.
    """
    if not candidate.readable:
        return [Failure("not JSON", "it was not the one JSON object that was asked for")]
    if not candidate.text.strip():
        return [Failure("empty", "it was empty")]
    return [
        *_label_failures(source, pattern, candidate),
        *_sibling_failures(source.item, candidate.text, siblings),
        *_form_failures(source, candidate, limits),
    ]


def worth(candidate: Candidate, failures: Sequence[Failure]) -> tuple[bool, bool, int]:
    """Compute what tries are sorted by, the best first.

    One that may be right, or that could not be read, is worth least: its row is left blank. Next
    come those that only repeat another candidate, then those with the most faults of form.
    """
    names = [failure.name for failure in failures]
    lost = not candidate.text.strip() or any(failure.spoils_label for failure in failures)
    return lost, SIBLING_CHECK in names, len(names)


def _label_failures(source: Source, pattern: str, candidate: Candidate) -> Iterator[Failure]:
    item, text = source.item, candidate.text
    if same_as_gold(item, text):
        yield Failure("same as gold", "it says the same as the right one")
    if TASKS[item.task].is_chain:
        for name, reason in check_reasoning(item, pattern, text, candidate.final):
            yield Failure(name, reason)
    elif not judge_offline(replace(item, output=text)).findings:
        reason = "nothing in it is shown to be wrong; it must say what the text does not support"
        yield Failure("supported by the context", reason)


def _sibling_failures(item: Item, text: str, siblings: Sequence[str]) -> Iterator[Failure]:
    if any(say_the_same(item, text, other) for other in siblings):
        reason = f"another wrong one already says the same as {text.strip()!r}; be wrong otherwise"
        yield Failure(SIBLING_CHECK, reason)


def _form_failures(source: Source, candidate: Candidate, limits: Limits) -> Iterator[Failure]:
    item, text, gold = source.item, candidate.text, source.item.output
    if candidate.finish in ("length", "context truncated") or _breaks_off(text, gold):
        yield Failure("cut off", "it breaks off; finish it, shorter if need be")
    if reason := _wrong_script(item, text):
        yield Failure("wrong script", reason)
    if _MARKERS.search(text) and not _MARKERS.search(gold):
        yield Failure("marker", "it holds labels, marks or remarks; write the bare text")
    elif _QUOTED.match(text.strip()) and not _QUOTED.match(gold.strip()):
        yield Failure("marker", "it stands in quotation marks; write the bare text")
    elif TASKS[item.task].has_answers and "\n" in text.strip() and "\n" not in gold.strip():
        yield Failure("marker", "it has several lines; write the answer only, on one line")
    shortest, longest = limits.bounds(gold)
    size = len(text.strip())
    if size > longest:
        yield Failure("too long", f"it has {size} characters; at most {longest} are allowed")
    elif size < shortest:
        yield Failure("too short", f"it has {size} characters; at least {shortest} are needed")
    if bangla.closing_mark(text) != bangla.closing_mark(gold):
        mark = gold.rstrip()[-1:] if bangla.closing_mark(gold) else ""
        told = f"must close with {mark}" if mark else "must not close with a punctuation mark"
        yield Failure("closing mark", f"it {told}, as the right one does")


def _breaks_off(text: str, gold: str) -> bool:
    text, gold = text.strip(), gold.strip()
    if text.endswith(_CONTINUES) and not gold.endswith(_CONTINUES):
        return True
    return any(
        text.count(left) > text.count(right) and gold.count(left) <= gold.count(right)
        for left, right in _PAIRS
    )


def _wrong_script(item: Item, text: str) -> str:
    """Say what is wrong with the script of a text; empty where it is the right one."""
    known = f"{item.output} {item.evidence}"
    if TASKS[item.task].is_romanised:
        if bangla.has_bengali(text) or bangla.other_letters(text):
            return "it must be in Latin letters only"
        return ""
    share, gold_share = bangla.bengali_share(text), bangla.bengali_share(item.output)
    if share is not None and share < 0.5 and (gold_share is None or gold_share >= 0.5):
        # A name or an abbreviation that the source itself writes in Latin letters may stay.
        own = {word.lower() for word in bangla.latin_words(known)}
        if any(word.lower() not in own for word in bangla.latin_words(text)):
            return "it must be in Bangla script"
    known_digits = bangla.digit_scripts(known)
    foreign = bangla.digit_scripts(text) - known_digits
    if known_digits and foreign:
        return f"it must not write numbers with {foreign.pop()} digits"
    return ""
