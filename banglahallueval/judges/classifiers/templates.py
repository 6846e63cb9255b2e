"""How a token classifier is given evidence and question: as it was when it was trained.

The answer is the second text of the pair, whatever the template.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from banglahallueval.errors import UsageError
from banglahallueval.prompts import fill


@dataclass(frozen=True, slots=True)
class Template:
    """The first text of the pair.

    Attributes:
        name: Its name in flags, configs and records.
        asked: With a question; the slots are `{question}` and `{evidence}`.
        unasked: Without one; empty where there must be one.
    """

    name: str
    asked: str
    unasked: str = ""

    @property
    def shows_evidence(self) -> bool:
        """Whether the model sees the evidence at all."""
        return "{evidence}" in self.asked

    def fill(self, evidence: str, question: str) -> str:
        """Put evidence and question, blank for none, into the template."""
        text = self.asked if question.strip() else self.unasked
        return fill(text, {"evidence": evidence, "question": question})


# `request` is what LettuceDetect v2 was trained on, and this project's own encoders are. It is the
# only one that says nothing in English around a Bangla text but two words.
DEFAULT_TEMPLATE = "lettucedetect"
TRAINING_TEMPLATE = "request"
TEMPLATES: Mapping[str, Template] = {
    template.name: template
    for template in (
        # RAGTruth's prompts (Niu et al. 2024), which LettuceDetect v1 was trained on.
        Template(
            "lettucedetect",
            "Briefly answer the following question:\n{question}\n"
            "Bear in mind that your response should be strictly based on the following 1 passages:"
            "\npassage 1: {evidence}\n"
            "In case the passages do not contain the necessary information to answer the question, "
            'please reply with: "Unable to answer based on given passages."\noutput:\n',
            "Summarize the following text:\npassage 1: {evidence}\noutput:\n",
        ),
        Template("request", "User request: {question}\n\n{evidence}", "{evidence}"),
        # The released training script of PsiloQA feeds no passage.
        Template("question", "{question}"),
    )
}

# The attribute of a model's config in which this project's training says how it was done.
CONFIG_KEY = "span_template"


def template_of(config: object, given: str = "") -> Template:
    """Settle which template a model is given its texts in.

    Args:
        config: The model's config, which names its template if this project trained it.
        given: The name that the user gives; empty for none.

    Raises:
        UsageError: If there is no such template.
    """
    name = given or getattr(config, CONFIG_KEY, None) or DEFAULT_TEMPLATE
    if not isinstance(name, str) or name not in TEMPLATES:
        raise UsageError(f"no template {name!r}: take one of {', '.join(TEMPLATES)}")
    return TEMPLATES[name]
