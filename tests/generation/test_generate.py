"""Candidates are generated for every task, checked, sent back, counted, and never lost."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import regex

from banglahallueval.generation.commands import generate_main
from banglahallueval.generation.patterns import PATTERNS
from banglahallueval.tasks import TASKS, TaskName
from tests.generation import writers
from tests.generation.writers import gold_of, good, stubborn, writer
from tests.in_process import ended, run_script
from tests.scripting import ROOT, Finished, start_script
from tests.servers.answers import Answer, Body, Failure
from tests.servers.base import Seen
from tests.servers.openai_server import OpenAIServer

Servers = Callable[..., OpenAIServer]
Generate = Callable[..., Finished]
Row = dict[str, str]


@pytest.fixture
def generate(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Generate:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.chdir(tmp_path)

    def run(task: TaskName, server: OpenAIServer, *flags: object) -> Finished:
        argv = ["--task", task, "--model", "writer-1", "--base-url", server.url]
        argv += ["--output", "out.csv", *map(str, flags)]
        if "--input" not in argv:
            argv += ["--input", str(ROOT / TASKS[task].samples["main"])]
        return ended(capsys, lambda: generate_main("Generate.", argv))

    return run


def asked(server: OpenAIServer) -> list[Seen]:
    """The chats that a server was asked for; a run also looks at its list of models."""
    return [seen for seen in server.requests if seen.body]


def rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def gold_file(path: Path, *items: tuple[str, str, str, str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["id", "context", "question", "correct_answer"])
        out.writerows(items)
    return path


@pytest.mark.parametrize("task", list(TASKS))
def test_every_task_is_generated(
    task: TaskName, generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """A model that writes well fills each task's published columns, in order, all passing."""
    done = generate(task, openai_server(answer=writer()))
    assert done.code == 0, done.err
    made = rows(tmp_path / "out.csv")
    published = (ROOT / TASKS[task].samples["candidates"]).open(encoding="utf-8-sig")
    with published:
        columns = next(csv.reader(published))
    assert [name for name in made[0] if name in columns] == columns
    assert {row["checks"] for row in made} == {"ok"}
    assert {row["generator"] for row in made} == {"writer-1"}
    gold = rows(ROOT / TASKS[task].samples["main"])
    each = 1 if task == "reasoning" else len(TASKS[task].patterns)
    assert len(made) == len(gold) * each
    if task == "reasoning":
        turns = [row["hallucination_type"] for row in made]
        assert turns == [PATTERNS[task][i % 5] for i in range(len(made))]
        assert all(row["answer"].rpartition("####")[1] for row in made)
        closing = [row["hallucinated_chain"].rpartition("#### ")[2] for row in made]
        assert closing == [row["hallucinated_answer"] for row in made]


def test_all_types_and_the_pilots_type_can_be_asked_for(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """Every problem gets every type that is named, the sixth of the pilot among them."""
    flags = ("--all-types", "--patterns", "variable_confusion,arithmetic_slip", "--limit", "3")
    assert generate("reasoning", openai_server(answer=writer()), *flags).code == 0
    ids = [row["id"] for row in rows(tmp_path / "out.csv")]
    assert ids[:2] == ["1::arithmetic_slip", "1::variable_confusion"]
    assert len(ids) == 6


def test_a_pilot_is_drawn_by_its_seed(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """The same seed draws the same sources, another one others."""
    server = openai_server(answer=writer())

    def drawn(seed: int) -> list[str]:
        done = generate("qa", server, "--pilot", 4, "--seed", seed, "--overwrite")
        assert done.code == 0, done.err
        return list(dict.fromkeys(row["source_id"] for row in rows(tmp_path / "out.csv")))

    assert drawn(1) == drawn(1)
    assert len(drawn(1)) == 4
    assert drawn(1) != drawn(2)


FAULTS: dict[str, Callable[[str], str | Answer]] = {
    "same as gold": gold_of,
    "cut off": lambda prompt: Answer(good(prompt), finish="length"),
    "wrong script": lambda prompt: "The capital city"[: max(4, len(gold_of(prompt)))],
    "marker": lambda prompt: f"ভুল উত্তর: {good(prompt)}",
    "too long": lambda prompt: " ".join([good(prompt)] * 6),
    "too short": lambda prompt: "ক",
    "closing mark": lambda prompt: f"{good(prompt)}।",
    "empty": lambda prompt: "",
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_failing_candidate_is_caught_counted_and_sent_back(
    name: str, generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """A fault is found at the first try, the model is told, and its second try is kept."""
    source = gold_file(
        tmp_path / "gold.csv",
        ("a", "ঢাকা বাংলাদেশের রাজধানী। সংসদ ভবন আগারগাঁওয়ে।", "সংসদ ভবন কোথায়?", "শেরেবাংলা নগর আগারগাঁও"),
    )
    server = openai_server(answer=writer(FAULTS[name]))
    done = generate("qa", server, "--input", source)
    assert done.code == 0, done.err
    assert {row["checks"] for row in rows(tmp_path / "out.csv")} == {"ok"}
    counted = {
        line.split("  ")[1]: line.split()[-2:] for line in done.out.splitlines() if "  " in line
    }
    assert counted[name] == ["4", "0"]
    told = [seen.body["messages"][-1]["content"] for seen in asked(server)]
    assert sum("That cannot be used" in text for text in told) == 4


def test_what_fails_to_the_end_is_kept_and_marked(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """A model that cannot be mended has its candidates kept, each marked with what is wrong."""
    server = openai_server(answer=stubborn(lambda prompt: f"ভুল উত্তর: {good(prompt)}"))
    done = generate("summarization", server, "--tries", 2, "--limit", 2)
    assert done.code == 0
    made = rows(tmp_path / "out.csv")
    assert all("marker" in row["checks"] for row in made)
    assert all(row["hallucinated_summary"].startswith("ভুল উত্তর") for row in made)
    assert len(asked(server)) == 2 * len(made)
    record = json.loads((tmp_path / "out.csv.run.json").read_text(encoding="utf-8"))
    assert record["runs"][0]["failed_finally"]["marker"] == len(made)


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        (lambda prompt: "এই সমাধানটি ভুল।", "not JSON"),
        (lambda prompt: json.dumps({"hallucinated_chain": gold_of(prompt)}), "no final answer"),
        (
            lambda prompt: json.dumps(
                {
                    "hallucinated_chain": gold_of(prompt),
                    "hallucinated_answer": gold_of(prompt).rpartition("=")[2].partition(">")[0],
                }
            ),
            "final answer unchanged",
        ),
        (lambda prompt: writers.wrong_chain(gold_of(prompt), "semantic_drift"), "no slip"),
    ],
)
def test_a_chain_that_is_not_wrong_as_asked_is_sent_back(
    fault: Callable[[str], str], name: str, generate: Generate, openai_server: Servers
) -> None:
    """Prose, a chain without an answer, the right chain, a chain without a slip: all are caught."""
    flags = ("--patterns", "arithmetic_slip", "--limit", "3")
    done = generate("reasoning", openai_server(answer=writer(fault)), *flags)
    assert done.code == 0, done.err
    line = next(line for line in done.out.splitlines() if line.strip().startswith(name))
    assert line.split()[-2:] == ["3", "0"]


def test_broken_json_is_mended_without_asking_again(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """Fences and unquoted Bengali numerals cost no second request."""

    def broken(prompt: str) -> str:
        whole = json.loads(good(prompt))
        number = whole["hallucinated_answer"]
        text = json.dumps(whole, ensure_ascii=False, indent=1)
        return f"```json\n{text.replace(json.dumps(number, ensure_ascii=False), number)}\n```"

    server = openai_server(answer=stubborn(broken))
    assert generate("reasoning", server, "--limit", 5).code == 0
    made = rows(tmp_path / "out.csv")
    assert {row["checks"] for row in made} == {"ok"}
    assert len(asked(server)) == len(made) == 5


def test_the_audit_is_printed_before_and_after_the_checks(
    generate: Generate, openai_server: Servers
) -> None:
    """Over-long first tries give themselves away by length; what is kept does not."""
    server = openai_server(answer=writer(FAULTS["too long"]))
    done = generate("qa", server)
    line = next(line for line in done.out.splitlines() if "length alone tells" in line)
    before, after = map(float, regex.findall(r"AUROC ([\d.]+)", line))
    assert before > 0.9
    assert abs(after - 0.5) < 0.15


def test_repeated_source_ids_get_ids_and_candidates_of_their_own(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """A source that stands there again has an id of its own, and its candidate is asked anew."""
    item = ("x", "রবি কলকাতায় জন্মান।", "রবি কোথায় জন্মান?", "কলকাতায়")
    source = gold_file(tmp_path / "gold.csv", item, item, ("", *item[1:]))
    server = openai_server(answer=writer())
    done = generate("qa", server, "--input", source, "--patterns", "factualness")
    assert done.code == 0, done.err
    ids = [row["id"] for row in rows(tmp_path / "out.csv")]
    assert ids == ["x::factualness", "x::factualness#2", "3::factualness"]
    assert len(asked(server)) == 3


def test_gold_spans_become_sentences_on_both_sides(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """`--sentence-gold` writes a main file whose sentences the candidates are checked against."""

    def answer(body: dict[str, object]) -> Answer:
        prompt = writers.asked_in(body)
        if "Write the answer as one full sentence" in prompt:
            gold = prompt.rpartition("Answer: ")[2].partition("\n")[0]
            return Answer(f"তিনি {gold} জন্মগ্রহণ করেছিলেন।")
        return Answer(good(prompt))

    source = gold_file(
        tmp_path / "gold.csv",
        ("a", "রবি কলকাতায় জন্মান।", "রবি কোথায় জন্মান?", "কলকাতায়"),
        ("b", "মধু যশোরে জন্মান।", "মধু কোথায় জন্মান?", "তিনি যশোরে জন্মান।"),
    )
    server = openai_server(answer=answer)
    done = generate("qa", server, "--input", source, "--sentence-gold")
    assert done.code == 0, done.err
    gold = rows(tmp_path / "out_main.csv")
    assert [row["correct_answer"] for row in gold] == [
        "তিনি কলকাতায় জন্মগ্রহণ করেছিলেন।",
        "তিনি যশোরে জন্মান।",
    ]
    assert [row["gold_span"] for row in gold] == ["কলকাতায়", "তিনি যশোরে জন্মান।"]
    made = rows(tmp_path / "out.csv")
    assert {row["right_answer"] for row in made} == {row["correct_answer"] for row in gold}
    assert all(row["hallucinated_answer"].endswith("।") for row in made)
    assert len(asked(server)) == len(made) + 1  # the span's sentence once, not once a pattern


def test_sentences_are_not_written_over_the_input(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """Regression: an input called OUTPUT_main.csv is where `--sentence-gold` puts its gold file."""
    source = gold_file(tmp_path / "out_main.csv", ("z", "ক খ।", "কে?", "খ"))
    before = source.read_bytes()
    server = openai_server(answer=writer())
    done = generate("qa", server, "--input", source, "--sentence-gold")
    assert done.code == 2
    assert "name another --output" in done.err
    assert source.read_bytes() == before


def test_a_lost_reply_is_blank_marked_and_asked_for_by_resume(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """No reply is no candidate: the row is blank, the exit status 1, and `--resume` fills it."""
    server = openai_server()
    fine = writer()

    def answer(body: Body) -> Answer | Failure:
        if "misunderstands" in writers.asked_in(body).split("Rules")[0]:
            return Failure(400, '{"error": {"message": "not this one"}}')
        return fine(body)

    server.answer = answer
    done = generate("qa", server, "--limit", 3)
    assert done.code == 1
    blank = [row for row in rows(tmp_path / "out.csv") if not row["hallucinated_answer"]]
    assert {row["checks"] for row in blank} == {"no reply: request refused"}
    assert len(blank) == 3
    server.answer = fine
    before = len(asked(server))
    assert generate("qa", server, "--limit", 3, "--resume").code == 0
    assert {row["checks"] for row in rows(tmp_path / "out.csv")} == {"ok"}
    assert len(asked(server)) == before + 3


def test_slices_merge_into_one_file(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """Slices resumed into one output give the same rows as one run."""
    server = openai_server(answer=writer())
    assert generate("codemix", server).code == 0
    whole = (tmp_path / "out.csv").read_bytes()
    (tmp_path / "out.csv").unlink()
    assert generate("codemix", server, "--start", 5).code == 0
    assert generate("codemix", server, "--end", 5, "--resume").code == 0
    assert (tmp_path / "out.csv").read_bytes() == whole
    again = generate("codemix", server, "--resume")
    assert "nothing left to ask" in again.out


def test_a_killed_run_loses_nothing_and_asks_nothing_twice(
    openai_server: Servers, tmp_path: Path
) -> None:
    """SIGKILL in the middle, then `--resume`: the same file, and each question asked once."""
    faults = [FAULTS["marker"], FAULTS["same as gold"]]
    server = openai_server(answer=writer(*faults))
    server.hold(after=20)
    sample = ROOT / TASKS["qa"].samples["main"]
    flags = ["--task", "qa", "--model", "writer-1", "--base-url", server.url, "--input", sample]
    flags += ["--patterns", "factualness"]  # a candidate may wait for its siblings
    script = "scripts/generate_hallucinations.py"
    killed = start_script(script, *flags, "--concurrency", 2, "--output", tmp_path / "a.csv")
    server.until_held(2)
    killed.kill()
    killed.communicate()
    server.until_held(0)
    server.release()
    assert not (tmp_path / "a.csv").exists()
    done = run_script(script, *flags, "--output", tmp_path / "a.csv", "--resume")
    assert done.code == 0, done.err
    times = Counter(json.dumps(seen.body) for seen in asked(server) if seen.completed)
    assert set(times.values()) == {1}
    once = run_script(script, *flags, "--output", tmp_path / "b.csv")
    assert once.code == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_an_output_of_another_kind_is_not_added_to(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """Another model, another source, an output without `--resume`: each is refused in one line."""
    server = openai_server(answer=writer())
    assert generate("qa", server, "--limit", 2).code == 0
    other = gold_file(tmp_path / "other.csv", ("z", "ক খ।", "কে?", "খ"))
    for flags in (
        (),
        ("--resume", "--model", "writer-2"),
        ("--resume", "--input", other),
        ("--patterns", "truth"),
        ("--task", "summarization", "--resume"),
        ("--all-types", "--overwrite"),
        ("--num-ctx", 4096, "--overwrite"),
        ("--provider", "hf", "--decode", "score", "--overwrite"),
    ):
        done = generate("qa", server, *flags)
        assert done.code == 2, flags
        assert len(done.err.strip().splitlines()) == 1


def test_a_dry_run_shows_the_prompt_and_asks_nothing(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """The first filled prompt and the cost are printed; no file, no request."""
    server = openai_server(answer=writer())
    done = generate("qa", server, "--dry-run")
    assert done.code == 0
    first = rows(ROOT / TASKS["qa"].samples["main"])[0]
    assert f"Right answer: {first['correct_answer']}\nWrong answer:" in done.out
    assert "56 candidates from 14 of 14 rows" in done.out
    assert not asked(server)
    assert not (tmp_path / "out.csv").exists()


def sentence(prompt: str, words: str) -> str:
    """A wrong answer that is too long and closes with a mark: true, with two faults of form."""
    return f"{words} {good(prompt)} {good(prompt)} {words} বহু দিন আগে থেকেই জানা ছিল।"


def in_turn(*tries: Callable[[str], str]) -> Callable[[Body], Answer]:
    """A model whose first try is the first of these, whose second the second, and so on."""

    def answer(body: Body) -> Answer:
        turn = len(body["messages"]) // 2
        return Answer(tries[min(turn, len(tries) - 1)](writers.asked_in(body)))

    return answer


@pytest.mark.parametrize("task", ["qa", "codemix"])
def test_a_true_hallucination_with_faults_of_form_beats_a_copy_of_gold(
    task: TaskName, generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """Fault: "same as gold", one failure, beat "too long" and "closing mark", two."""
    words = "Hothat" if task == "codemix" else "হঠাৎ"
    tries = [gold_of, lambda prompt: f"{words} {good(prompt)} {good(prompt)} {words} zhopjhar!"]
    if task == "qa":
        tries[1] = lambda prompt: sentence(prompt, words)
    server = openai_server(answer=in_turn(*tries, gold_of))
    done = generate(task, server, "--limit", 3, "--patterns", "factualness")
    assert done.code == 0, done.err
    made = rows(tmp_path / "out.csv")
    assert all(row["hallucinated_answer"].startswith(words) for row in made)
    assert {row["checks"] for row in made} == {"too long; closing mark"}


@pytest.mark.parametrize(
    ("task", "reply", "reason"),
    [
        ("qa", gold_of, "same as gold"),
        ("summarization", gold_of, "same as gold"),
        (
            "reasoning",
            lambda prompt: json.dumps(
                {
                    "hallucinated_chain": f"প্রথমে।\n{gold_of(prompt)}",
                    "hallucinated_answer": regex.findall(r">>([০-৯0-9.]+)", gold_of(prompt))[-1],
                }
            ),
            "final answer unchanged",
        ),
    ],
)
def test_what_may_be_right_is_never_written(
    task: TaskName,
    reply: Callable[[str], str],
    reason: str,
    generate: Generate,
    openai_server: Servers,
    tmp_path: Path,
) -> None:
    """A row whose every try may be right is blank with its reason, in the file and the summary."""
    done = generate(task, openai_server(answer=stubborn(reply)), "--limit", 2)
    assert done.code == 0, done.err
    made = rows(tmp_path / "out.csv")
    assert not any(row[TASKS[task].outputs["candidates"][0]] for row in made)
    assert all(reason in row["checks"] for row in made)
    if task == "reasoning":
        assert not any(row["hallucinated_answer"] + row["error_step"] for row in made)
    record = json.loads((tmp_path / "out.csv.run.json").read_text(encoding="utf-8"))
    assert sum(record["runs"][0]["left_blank"].values()) == len(made)
    assert f"{len(made)} are flagged in 'checks'" in done.out


def test_what_the_writers_own_judge_calls_right_is_sent_back(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """An answer that the passage supports in other words than gold's is no candidate."""
    item = ("a", "রবি কলকাতায় জন্মান। কলকাতা ভারতের একটি শহর।", "রবি কোথায় জন্মান?", "কলকাতায়")
    source = gold_file(tmp_path / "gold.csv", item)
    tries = (lambda prompt: "ভারতের শহর কলকাতায়", lambda prompt: "খুলনায়")
    server = openai_server(answer=in_turn(*tries))
    flags = ("--input", source, "--patterns", "factualness", "--length-ratio", 3)
    done = generate("qa", server, *flags)
    assert done.code == 0, done.err
    assert [row["hallucinated_answer"] for row in rows(tmp_path / "out.csv")] == ["খুলনায়"]
    line = next(line for line in done.out.splitlines() if "supported by the context" in line)
    assert line.split()[-2:] == ["1", "0"]


def test_siblings_that_say_the_same_are_sent_back(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """Four patterns, one wrong answer: the first keeps it, the others must find another."""
    item = ("a", "রবি কলকাতায় জন্মান।", "রবি কোথায় জন্মান?", "কলকাতায়")
    source = gold_file(tmp_path / "gold.csv", item)
    others = iter(["খুলনা।", "যশোরে", "বরিশালে", "রংপুরে"])

    def answer(body: Body) -> Answer:
        return Answer("খুলনায়" if len(body["messages"]) == 1 else next(others))

    server = openai_server(answer=answer)
    done = generate("qa", server, "--input", source, "--concurrency", 4)
    assert done.code == 0, done.err
    answers = [row["hallucinated_answer"] for row in rows(tmp_path / "out.csv")]
    assert answers[0] == "খুলনায়"
    assert len({text[:3] for text in answers}) == 4
    assert {row["checks"] for row in rows(tmp_path / "out.csv")} == {"ok"}


def test_siblings_are_compared_in_the_files_order_whatever_comes_first(
    generate: Generate, openai_server: Servers, tmp_path: Path
) -> None:
    """The same file for any number of workers, and for patterns that are added later."""
    server = openai_server(answer=stubborn(lambda prompt: "খুলনায়"))
    item = ("a", "রবি কলকাতায় জন্মান।", "রবি কোথায় জন্মান?", "কলকাতায়")
    source = gold_file(tmp_path / "gold.csv", item)
    files = set()
    for workers in (1, 8):
        done = generate("qa", server, "--input", source, "--concurrency", workers, "--overwrite")
        assert done.code == 0, done.err
        files.add((tmp_path / "out.csv").read_bytes())
    flags = ("--input", source, "--resume", "--patterns")
    (tmp_path / "out.csv").unlink()
    assert generate("qa", server, *flags, "factualness,comprehension").code == 0
    assert generate("qa", server, *flags, "specificity,inference").code == 0
    files.add((tmp_path / "out.csv").read_bytes())
    assert len(files) == 1
    checks = [row["checks"] for row in rows(tmp_path / "out.csv")]
    assert checks == ["ok", *["same as a sibling"] * 3]
