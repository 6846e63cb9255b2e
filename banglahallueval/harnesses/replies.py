"""What exported tasks score by: a strict reading of replies, and the benchmark's rates.

This file is copied into every export, so it imports nothing but the standard library.

A reply is read only where it is nothing but its verdict in the form that the prompt asks for, or
ends in a line that is nothing else after a chain of thought; whatever else it says is `unknown`.
`scripts/import_results.py` reads the same replies by BanglaHalluEval's own rules: these find the
verdict in more of them, and none where a chain of thought contradicts its last line.
"""

import math
import re

UNKNOWN = "unknown"
_LABELS = {"yes": "yes", "no": "no", "হ্যাঁ": "yes", "না": "no"}
_THOUGHT = re.compile(r"\s*<think>(?:(?!<think>).)*?</think>", re.DOTALL)
_OBJECT = re.compile(r'\{\s*"is_hallucinated"\s*:\s*"(yes|no)"\s*\}', re.IGNORECASE)
_FENCE = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)
# Where a model goes on to invent the next example.
_NEXT = re.compile(r"^[#\d.\s]*(?:question|instruction)\b", re.IGNORECASE | re.MULTILINE)
_ANNOUNCED = re.compile(r"final answer\s*:\s*(.*)", re.IGNORECASE)


def label_of(reply: str, style: str) -> str:
    """Read the label of a reply: `yes` (hallucinated), `no` or `unknown`.

    Args:
        reply: The whole reply; thinking in `<think>` tags before it is left out.
        style: Where the prompt asks for the verdict: `standard` is one word, `json` an object,
            `cot` the last line after a chain of thought.
    """
    said = _THOUGHT.sub("", reply, count=1).strip()
    if "think>" in said:
        return UNKNOWN
    if style != "cot":
        return _verdict(said)
    *argument, last = said.split("\n")
    label = _verdict(last)
    others = {_verdict(line) for line in argument} - {UNKNOWN, label}
    return UNKNOWN if others or _NEXT.search(said) else label


def _verdict(text: str) -> str:
    fenced = _FENCE.fullmatch(text.strip())
    text = fenced[1] if fenced else text.strip()
    found = _OBJECT.fullmatch(text)
    if found:
        return found[1].lower()
    announced = _ANNOUNCED.fullmatch(text)
    word = (announced[1] if announced else text).strip().strip("\"'*.।").lower()
    return _LABELS.get(word, UNKNOWN)


def p_hallucinated(yes: list[float], no: list[float]) -> float:
    """Compute P(yes) / (P(yes) + P(no)) from the log-likelihoods of the spellings of each.

    Returns:
        0 to 1; nan where no spelling has any probability.
    """
    highest = max(*yes, *no)
    if not math.isfinite(highest):
        return math.nan
    mass_yes = sum(math.exp(each - highest) for each in yes)
    mass_no = sum(math.exp(each - highest) for each in no)
    return mass_yes / (mass_yes + mass_no)


def label_at(p: float) -> str:
    """Read the label off a probability; one half, and none at all, are `unknown`."""
    return UNKNOWN if math.isnan(p) or p == 0.5 else "yes" if p > 0.5 else "no"


def detection_rate(rows: list[tuple[str, str]]) -> float:
    """Compute the share of candidates labelled `yes`, 0 to 1; nan without candidates.

    Args:
        rows: Track and label of each row.
    """
    return _share("yes", [label for track, label in rows if track == "candidates"])


def false_alarm_rate(rows: list[tuple[str, str]]) -> float:
    """Compute the share of main rows labelled `yes`, 0 to 1; nan without main rows."""
    return _share("yes", [label for track, label in rows if track == "main"])


def unknown_rate(rows: list[tuple[str, str]]) -> float:
    """Compute the share of all rows without a verdict, 0 to 1."""
    return _share(UNKNOWN, [label for _, label in rows])


def bhs_of(rows: list[tuple[str, str]]) -> float:
    """Compute BenHalluScore, 0 to 100, lower is better; nan unless the rows hold both tracks.

    It is half the false-alarm rate plus half the miss rate, times 100 (arXiv 2605.31483). A row
    without a verdict is a miss among candidates and no alarm on main.
    """
    return 50 * (false_alarm_rate(rows) + 1 - detection_rate(rows))


def _share(label: str, labels: list[str]) -> float:
    return labels.count(label) / len(labels) if labels else math.nan
