"""Passages to ask about: from a folder of texts, or from Wikipedia."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.generation.generate import refuse_other_writer
from banglahallueval.hashing import digest
from banglahallueval.io.paths import check_name, short
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.progress import progress_bar
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import complete
from banglahallueval.spans.building.wikipedia import Wiki
from banglahallueval.spans.records import Record, records

COLUMNS = ("id", "language", "title", "url", "evidence")

_SUFFIXES = (".txt", ".md", ".jsonl")
_TEXT_FIELDS = ("text", "passage", "evidence", "context")
_LONGEST_BESIDE = ".replies.sqlite-journal"


@dataclass(frozen=True, slots=True)
class Context:
    """A passage.

    Attributes:
        id: What names it in the data set.
        language: Its code.
        title: Of the page or file.
        url: Where it can be read; empty where nobody says.
        text: The passage, without white space at its ends.
    """

    id: str
    language: str
    title: str
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class ContextPlan:
    """Which passages to take, and where to.

    Attributes:
        output: The file of passages.
        texts: The folder of texts; None for a wiki.
        wiki: The API of a wiki, with `{language}` for the language's code.
        languages: Codes: of the texts, where they do not say, or of the wikis, one after the other.
        n: Number of passages to draw, of each language of a wiki; None for all texts.
        min_length: Code points that a passage has at least.
        sleep: Seconds to wait before each request.
        seed: Of the draw.
        options: What to do with files that exist, and what to show.
    """

    output: Path
    texts: Path | None
    wiki: str
    languages: tuple[str, ...]
    n: int | None
    min_length: int
    sleep: float
    seed: int
    options: RunOptions

    def address(self, language: str) -> str:
        """Name the API of the wiki in a language."""
        return self.wiki.replace("{language}", language)


def collect(plan: ContextPlan) -> int:
    """Write the passages.

    Returns:
        The exit status, 0.

    Raises:
        UsageError: If the call or a text is wrong.
        RunError: If a wiki cannot be asked; what it answered is in the store.
    """
    if plan.output.suffix.lower() != ".csv":
        raise UsageError(f"--output {plan.output}: name a .csv file")
    check_name(plan.output, _LONGEST_BESIDE, "--output")
    if plan.options.dry_run:
        _dry_run(plan)
        return 0
    with RunSession(plan.output, plan.options) as session:
        return _carry_out(plan, session)


def _dry_run(plan: ContextPlan) -> None:
    plan.options.adds_to(plan.output)
    if plan.texts is not None:
        print(f"contexts: {len(from_texts(plan))} passages of {plan.texts}; nothing was written")
        return
    for language in plan.languages:
        print(f"contexts: {plan.n} pages of {plan.address(language)}")
    print("nothing was asked or written")


def _carry_out(plan: ContextPlan, session: RunSession) -> int:
    identity = {
        "texts": str(plan.texts or ""),
        "wiki": "" if plan.texts else plan.wiki,
        "languages": list(plan.languages),
        "n": plan.n,
        "min_length": plan.min_length,
        "seed": plan.seed,
    }
    if plan.options.adds_to(plan.output):
        refuse_other_writer(identity, session.earlier, plan.output)
        complete(plan.output)
        return 0
    with session.writing(COLUMNS) as writer:
        if plan.texts is not None:
            found = from_texts(plan)
        else:
            found = []
            session.ask(_from_wikis(plan, session, found), lambda: f"{len(found)} pages")
        for context in found:
            writer.writerow(
                [context.id, context.language, context.title, context.url, context.text]
            )
    session.publish({"step": "contexts", "generator": identity}, {"rows": len(found)})
    if not plan.options.quiet:
        print(f"{short(plan.output)}: {len(found)} passages")
    return 0


async def _from_wikis(plan: ContextPlan, session: RunSession, found: list[Context]) -> None:
    wanted = plan.n or 0
    for language in plan.languages:
        wiki = Wiki(plan.address(language), session.open_store(), plan.sleep)
        with progress_bar(wanted, language, "page", quiet=plan.options.quiet) as bar:
            taken = 0
            async for page in wiki.pages(plan.seed, plan.min_length):
                name = f"{language}-{page.number}"
                found.append(Context(name, language, page.title, page.url, page.text))
                bar.update(1)
                taken += 1
                if taken == wanted:
                    break


def from_texts(plan: ContextPlan) -> list[Context]:
    """Draw the passages of a folder of texts, in the order of their files.

    Raises:
        UsageError: If the folder or a file cannot be read, or none is long enough.
    """
    assert plan.texts is not None
    if not plan.texts.is_dir():
        raise UsageError(f"--texts {plan.texts}: no such folder")
    left_out: Counter[str] = Counter()
    kept: list[Context] = []
    seen: set[bytes] = set()
    names: Counter[str] = Counter()
    for context in _read(plan.texts, plan.languages[0], left_out):
        key = digest([context.text])
        if len(context.text) < plan.min_length:
            left_out[f"passages of less than {plan.min_length} code points"] += 1
        elif key in seen:
            left_out["passages that stand there before"] += 1
        else:
            seen.add(key)
            names[context.id] += 1
            again = names[context.id]
            name = context.id if again == 1 else f"{context.id}#{again}"
            kept.append(replace(context, id=name))
    for what, number in left_out.items():
        print(f"Note: {plan.texts}: {number} {what} are left out")
    if not kept:
        raise UsageError(
            f"--texts {plan.texts} holds no passage of {plan.min_length} code points or more in "
            f"{', '.join(_SUFFIXES)}; lower --min-len, or name another folder"
        )
    if plan.n is None or plan.n >= len(kept):
        return kept
    places = sorted(random.Random(plan.seed).sample(range(len(kept)), plan.n))
    return [kept[place] for place in places]


def _read(folder: Path, language: str, left_out: Counter[str]) -> Iterator[Context]:
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        if not path.is_file() or any(part.startswith(".") for part in place.parts):
            continue
        suffix = path.suffix.lower()
        name = place.with_suffix("").as_posix()
        if suffix == ".jsonl":
            for record in records(path):
                yield _of_record(record, name, language)
        elif suffix in _SUFFIXES:
            yield Context(name, language, path.stem, "", _text(path))
        else:
            left_out[f"files other than {', '.join(_SUFFIXES)}"] += 1


def _of_record(record: Record, name: str, language: str) -> Context:
    field = next((field for field in _TEXT_FIELDS if field in record.fields), None)
    if field is None:
        raise UsageError(f"{record.where}: has no text; it is read from {', '.join(_TEXT_FIELDS)}")
    return Context(
        record.text("id", "") or f"{name}-{record.number}",
        record.text("language", "") or record.text("lang", "") or language,
        record.text("title", "") or name,
        record.text("url", ""),
        record.text(field, "").strip(),
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig").strip()
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
