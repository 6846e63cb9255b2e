"""The four tasks: their columns, tracks and folders. A row becomes an item here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import regex

TaskName = Literal["qa", "summarization", "reasoning", "codemix"]
Track = Literal["main", "candidates"]

TRACKS: tuple[Track, ...] = ("main", "candidates")

# A gold SOMADHAN solution closes with this line; generated chains never do. It is taken off, so
# that a judge sees both tracks in one shape.
_FINAL_LINE = regex.compile(r"\n?[^\S\n]*####[^\S\n]*([^\n]*?)\s*\Z")


@dataclass(frozen=True, slots=True)
class Item:
    """What a judge sees of one row. It does not carry the track, so no judge can use it.

    Attributes:
        task: The task's name.
        question: The question (qa, codemix) or the problem (reasoning); empty in summarization.
        context: The passage (qa, codemix) or the document (summarization); empty in reasoning.
        output: The text under judgement: answer, summary or reasoning chain, raw.
        final_answer: Reasoning only: the chain's final answer; empty where there is none.
        reference: Reasoning only: what a judge is given besides the problem, such as a solution
            known to be right; empty where it is given nothing.
    """

    task: TaskName
    question: str
    context: str
    output: str
    final_answer: str = ""
    reference: str = ""

    @property
    def evidence(self) -> str:
        """What the output must be carried by: the context, or the problem in reasoning."""
        return self.question if TASKS[self.task].is_chain else self.context

    def slots(self) -> dict[str, str]:
        """List the item's texts under the names that prompts use."""
        return {slot: getattr(self, name) for slot, name in TASKS[self.task].slots.items()}


@dataclass(frozen=True, slots=True)
class Task:
    """One task of the benchmark.

    Attributes:
        name: Its name in flags and columns.
        folder: Its top-level folder.
        roles: The names `--columns` takes, each with the published column names that fill it,
            the first found wins. The output role is not here: it depends on the track.
        outputs: Per track the published column names of the output; None is for columns that do
            not tell a track (a user's own outputs, files of the published TigerLLM scripts).
        slots: Per slot of a prompt the field of an item that fills it. The slot of the output has
            the name of the output's role.
        patterns: How candidates were made wrong, as published.
        files: Per track the file a script labels unless `--input` names another, below the root.
        samples: Per track the committed sample.
        optional_roles: Further names that `--columns` takes: texts that a row may lack.
        final_answers: Per output column the column of its final answer.
        is_romanised: Whether texts are code-mixed Bangla in Latin letters.
        foreign_columns: Columns that, all together, show the outputs to be another task's.
    """

    name: TaskName
    folder: str
    roles: Mapping[str, tuple[str, ...]]
    outputs: Mapping[Track | None, tuple[str, ...]]
    slots: Mapping[str, str]
    patterns: tuple[str, ...]
    files: Mapping[Track, str]
    samples: Mapping[Track, str]
    optional_roles: tuple[str, ...] = ()
    final_answers: Mapping[str, str] = field(default_factory=dict)
    is_romanised: bool = False
    foreign_columns: frozenset[str] = frozenset()

    @property
    def output_role(self) -> str:
        """The name of the output in prompts and `--columns`: answer, summary or chain."""
        return next(slot for slot, name in self.slots.items() if name == "output")

    @property
    def column_roles(self) -> tuple[str, ...]:
        """The names that `--columns` takes, those of texts that a row may lack at the end."""
        return tuple(dict.fromkeys((*self.roles, self.output_role, *self.optional_roles)))

    @property
    def is_chain(self) -> bool:
        """Whether the outputs are chains of calculation rather than texts about a context."""
        return self.output_role == "chain"

    @property
    def has_answers(self) -> bool:
        """Whether the outputs are answers to a question about a context."""
        return self.output_role == "answer"

    @property
    def optional_slots(self) -> frozenset[str]:
        """The slots of texts that a row may lack."""
        return frozenset(self.slots) & frozenset(self.optional_roles)

    def make_item(self, texts: Mapping[str, str]) -> Item:
        """Make an item of a row's texts by role."""
        fields = {name: texts[slot] for slot, name in self.slots.items() if slot in texts}
        fields = {"question": "", "context": "", **fields}
        if self.is_chain:
            fields["output"], closing = split_final_answer(fields["output"])
            fields = {"final_answer": closing, **fields, "reference": texts.get("gold", "")}
        return Item(self.name, **fields)


_QA_PATTERNS = ("factualness", "comprehension", "specificity", "inference")

TASKS: dict[TaskName, Task] = {
    "qa": Task(
        name="qa",
        folder="QA",
        foreign_columns=frozenset(("codemix_question", "hallucinated_answer")),
        roles={"context": ("context",), "question": ("question",)},
        outputs={
            "candidates": ("hallucinated_answer",),
            "main": ("correct_answer", "correct answer", "right_answer"),
            None: ("model_answer", "answer", "answer_evaluated"),
        },
        slots={"context": "context", "question": "question", "answer": "output"},
        patterns=_QA_PATTERNS,
        files={
            "main": "QA/1000 Selected Samples/banglahallueval_qa_1000.csv",
            "candidates": "Hallucination Generated Answers/qa_4000.csv",
        },
        samples={
            "main": "QA/1000 Selected Samples/qa_sample.csv",
            "candidates": "Hallucination Generated Answers/qa_sample.csv",
        },
    ),
    "summarization": Task(
        name="summarization",
        folder="Summarization",
        roles={"document": ("document", "question")},
        outputs={
            "candidates": ("hallucinated_summary",),
            "main": ("summary", "right_summary"),
            None: ("model_summary", "summary_evaluated"),
        },
        slots={"document": "context", "summary": "output"},
        patterns=("Intrinsic", "Non-factual", "Factual Contradiction"),
        files={
            "main": "Summarization/1000 Selected Samples/"
            "banglahallueval_summarization_dataset_1000.csv",
            "candidates": "Hallucination Generated Answers/summarization_3000_corrected.csv",
        },
        samples={
            "main": "Summarization/1000 Selected Samples/summarization_sample.csv",
            "candidates": "Hallucination Generated Answers/summarization_sample.csv",
        },
    ),
    "reasoning": Task(
        name="reasoning",
        folder="Reasoning",
        roles={"question": ("question",)},
        outputs={
            "candidates": ("hallucinated_chain",),
            "main": ("answer",),
            None: ("reasoning_chain_evaluated", "chain", "reasoning"),
        },
        slots={
            "question": "question",
            "chain": "output",
            "answer": "final_answer",
            "evidence": "reference",
        },
        optional_roles=("answer", "gold"),
        # The final answer belongs to the chain beside it, not to another column.
        final_answers={
            "hallucinated_chain": "hallucinated_answer",
            "reasoning_chain_evaluated": "answer_evaluated",
        },
        patterns=(
            "arithmetic_slip",
            "formula_misapplication",
            "invalid_deduction",
            "hallucinated_intermediate_fact",
            "semantic_drift",
        ),
        files={
            "main": "Reasoning/1000 Selected Samples/somadhan_1000_main.csv",
            "candidates": "Hallucination Generated Answers/reasoning_1000.csv",
        },
        samples={
            "main": "Reasoning/1000 Selected Samples/reasoning_sample.csv",
            "candidates": "Hallucination Generated Answers/reasoning_sample.csv",
        },
    ),
    "codemix": Task(
        name="codemix",
        folder="Codemix",
        is_romanised=True,
        roles={"context": ("codemix_context",), "question": ("codemix_question",)},
        outputs={
            "candidates": ("hallucinated_answer",),
            "main": ("codemix_answer",),
            None: ("model_answer", "answer_evaluated"),
        },
        slots={"context": "context", "question": "question", "answer": "output"},
        patterns=_QA_PATTERNS,
        files={
            "main": "Codemix/Main dataset/codemix_1000.csv",
            "candidates": "Hallucination Generated Answers/codemix_4000.csv",
        },
        samples={
            "main": "Codemix/Main dataset/codemix_sample.csv",
            "candidates": "Hallucination Generated Answers/codemix_sample.csv",
        },
    ),
}

# Published values that mean something else than their name says in the field.
PATTERN_GLOSS = {"Intrinsic": "what the field calls extrinsic: adds what the document lacks"}


def split_final_answer(chain: str) -> tuple[str, str]:
    """Take a closing `#### N` line off a solution.

    Returns:
        The chain before it and N; the chain as it is and an empty text where there is no such line.
    """
    found = _FINAL_LINE.search(chain)
    return (chain[: found.start()], found.group(1)) if found else (chain, "")
