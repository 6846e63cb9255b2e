"""What a loopback model writes at each step of the pipeline, and passages to write about."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.servers.answers import Answer, Answerer, Body, Failure

__all__ = ["Answer", "Failure"]

Reply = str | Answer | Failure
Writer = Callable[[str], Reply]

PASSAGES = {
    "library.txt": "শালবনপুর গ্রামের পাঠাগারটি ১৯৬২ সালে হারুন মিয়া খোলেন। শুরুতে সেখানে ১২০টি বই ছিল।",
    "river/boats.md": "সোনাখালী নদীতে ৪০টি নৌকা চলে। ঘাটটি ১৯৮৮ সালে পাকা করা হয়, খরচ হয় দুই লাখ টাকা।",
    "school.jsonl": json.dumps(
        {
            "text": "মাধবপুর বিদ্যালয়ে ৩০০ জন শিক্ষার্থী পড়ে। প্রধান শিক্ষক রওশন আরা বেগম।",
            "title": "মাধবপুর বিদ্যালয়",
            "url": "https://example.org/madhabpur",
        },
        ensure_ascii=False,
    ),
}
KINDS = {
    "questions": "You write questions",
    "annotate": "You mark hallucinations",
    "filter": "You check rows",
}


def texts(folder: Path) -> Path:
    """A folder with the passages."""
    for name, text in PASSAGES.items():
        path = folder / "texts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    return folder / "texts"


def kind_of(prompt: str) -> str:
    """The step that a prompt is of."""
    return next((kind for kind, start in KINDS.items() if prompt.startswith(start)), "answers")


def field(prompt: str, name: str) -> str:
    """What the last row of a prompt has in a field."""
    return prompt.rpartition(f"\n{name}: ")[2]


def questions(prompt: str) -> str:
    """Three pairs about a passage, told apart by its first word."""
    word = field(prompt, "Passage").split()[0]
    pairs = [
        {"complexity": name, "question": f"{word}: {name} প্রশ্ন কী?", "answer": f"{name} উত্তর"}
        for name in ("easy", "medium", "hard")
    ]
    return json.dumps({"pairs": pairs}, ensure_ascii=False)


def answers(prompt: str) -> str:
    """An answer with emphasis and a letter that has two forms."""
    return f"**উত্তর**: {prompt.split(':')[0]}, বড় ১৯৭১ সালে।"


def annotate(prompt: str) -> str:
    """The answer with its year marked."""
    return field(prompt, "Model's answer").replace("১৯৭১", "[HAL]১৯৭১[/HAL]")


def keep(prompt: str) -> str:
    """A decision that keeps the row."""
    return '{"question": "normal", "refusal": false}'


GOOD: dict[str, Writer] = {
    "questions": questions,
    "answers": answers,
    "annotate": annotate,
    "filter": keep,
}


def writer(**others: Writer) -> Answerer:
    """A model that does every step well, but for those that are given."""

    def answer(body: Body) -> Answer | Failure:
        prompt = body["messages"][0]["content"]
        given = (GOOD | others)[kind_of(prompt)](prompt)
        return Answer(given) if isinstance(given, str) else given

    return answer


def mended(bad: str, step: str) -> Answerer:
    """A model whose first reply in a step is bad, and good once it is told."""
    fine = writer()

    def answer(body: Body) -> Answer | Failure:
        prompt = body["messages"][0]["content"]
        if kind_of(prompt) == step and len(body["messages"]) == 1:
            return Answer(bad)
        return fine(body)

    return answer
