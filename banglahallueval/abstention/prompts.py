"""The prompts: answer only above a confidence, and grade an answer."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import Literal

from banglahallueval.abstention.thresholds import penalty
from banglahallueval.abstention.types import Question
from banglahallueval.prompts import fill, template
from banglahallueval.text.digits import TO_BENGALI

Lang = Literal["en", "bn"]

GRADING = "abstention.grade"


def answer_template(lang: Lang, *, confidence: bool) -> str:
    """Name the template of `answer_prompt`."""
    return f"abstention.{lang}{'_confidence' if confidence else ''}"


def answer_prompt(question: Question, t: float, lang: Lang, *, confidence: bool) -> str:
    """Ask for an answer, or IDK where the model is not more than t confident.

    Args:
        question: The question.
        t: Threshold in [0, 1).
        lang: The prompt's language; the question stays as it is.
        confidence: Whether to ask for a line with the probability that the answer is right.
    """
    exact = Decimal(repr(t))  # 0.999 stays 0.999, and 99.9%
    values = {
        "t": _plain(exact),
        "percent": f"{_plain(exact * 100)}%",
        "wrong": _score_of_wrong(t),
    }
    if lang == "bn":
        values = {slot: text.translate(TO_BENGALI) for slot, text in values.items()}
    text = template(answer_template(lang, confidence=confidence))
    return fill(text, {"question": question.text, **values})


def grading_prompt(question: Question, answer: str) -> str:
    """Ask whether an answer is right.

    All three texts go in as strings of one JSON object, out of which no answer can write itself.
    """
    case = {"question": question.text, "gold_answer": question.gold, "candidate_answer": answer}
    text = json.dumps(case, ensure_ascii=False, indent=1)
    return fill(template(GRADING), {"case": text})


def template_sha256(name: str) -> str:
    """Compute the SHA-256 of a template's text, in hex, for the run record."""
    return hashlib.sha256(template(name).encode()).hexdigest()


def _score_of_wrong(t: float) -> str:
    """Write what a wrong answer scores: 3 decimals, or 3 significant digits below 1."""
    cost = penalty(t)
    rounded = Decimal(f"{cost:.3f}" if cost >= 1 else f"{cost:.3g}")
    return f"-{_plain(rounded)}" if rounded else "0"


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
