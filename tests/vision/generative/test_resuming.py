"""Runs that are stopped, slices, and what may be added to results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.scripting import start_script
from tests.servers.answers import Failure
from tests.servers.openai_server import OpenAIServer
from tests.vision.calling import SCRIPT, Call
from tests.vision.generative.calling import Folder, asked, case_in, kind_of, kinds, saying

OpenAI = Callable[..., OpenAIServer]
# Each request differs from every other, for of two equal ones in flight one is sent.
ANSWERS = saying({"one sentence": "A dog.", "<image": "A dog runs."}, {"A dog": "YES"}, "object")


def model(server: OpenAIServer) -> list[str]:
    return ["--model", "m", "--base-url", server.url]


def test_a_killed_run_goes_on_and_asks_nothing_twice(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    server = openai_server(answer=ANSWERS)
    flags = folder.flags("--prompt", "short", "long", "--concurrency", 2)
    assert hal_eval("generative", *flags, *model(server)).code == 0
    whole = folder.output.read_bytes()
    total = len(asked(server))
    for path in list(folder.output.parent.iterdir()):
        path.unlink()
    server = openai_server(answer=ANSWERS)
    server.hold(after=7)
    call = ["generative", *flags, *model(server)]
    process = start_script(SCRIPT, *call, env={"OPENAI_API_KEY": "sk-test"})
    server.until_held(2)
    process.kill()
    process.communicate()
    server.release()
    assert not folder.output.exists()
    assert hal_eval(*call, "--resume").code == 0
    assert len(asked(server)) == total + 2  # the two that were held
    assert folder.output.read_bytes() == whole
    done = hal_eval(*call, "--resume")
    assert "nothing left to ask" in done.out
    assert len(asked(server)) == total + 2


def test_slices_merge_in_the_order_of_the_data(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    server = openai_server(answer=ANSWERS)
    assert hal_eval("generative", *folder.flags("--start", 2), *model(server)).code == 0
    done = hal_eval("generative", *folder.flags("--end", 2, "--resume"), *model(server))
    assert done.code == 0, done.err
    assert [row["index"] for row in folder.rows()] == ["0", "1", "2"]
    assert Counter(kinds(server)) == {"description": 3, "verdict": 3, "types": 3}


def test_a_description_without_a_verdict_is_judged_again_and_not_described(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    server = openai_server(answer=saying("A dog.", "Hm."))
    assert hal_eval("generative", *folder.flags(), *model(server)).code == 0
    server = openai_server(answer=saying("Another.", "NO"))
    assert hal_eval("generative", *folder.flags("--resume"), *model(server)).code == 0
    assert kinds(server) == ["verdict"] * 3
    assert {(row["description"], row["outcome"]) for row in folder.rows()} == {("A dog.", "clean")}


def test_of_a_hallucinated_description_only_the_types_are_asked_again(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    flags = folder.flags("--max-retries", 0, "--limit", 1)
    failing = openai_server(answer=saying("A dog.", "Yes, it is.", Failure(500, "{}")))
    assert hal_eval("generative", *flags, *model(failing)).code == 1
    assert folder.rows()[0]["reason"] == "types: no reply: server error"
    server = openai_server(answer=saying(types="event"))
    assert hal_eval("generative", *flags, *model(server), "--resume").code == 0
    (seen,) = asked(server)
    assert kind_of(seen.body) == "types"
    assert seen.body["messages"][1]["content"] == "Yes, it is."
    assert (folder.rows()[0]["types"], folder.rows()[0]["reason"]) == ("event", "")


def test_another_picture_is_described_anew(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    server = openai_server(answer=saying("A dog.", "Hm."))
    flags = folder.flags("--limit", 1)
    assert hal_eval("generative", *flags, *model(server)).code == 0
    folder.picture(0).write_bytes(folder.picture(1).read_bytes())
    server = openai_server(answer=saying("A tram."))
    assert hal_eval("generative", *flags, *model(server), "--resume").code == 0
    assert folder.rows()[0]["description"] == "A tram."
    assert case_in(asked(server)[-1].prompt) == {"description": "A tram."}


def test_a_prompt_may_be_added_and_none_left_out(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    server = openai_server(answer=ANSWERS)
    assert hal_eval("generative", *folder.flags("--prompt", "long"), *model(server)).code == 0
    flags = folder.flags("--resume", "--prompt")
    assert hal_eval("generative", *flags, "short", "long", *model(server)).code == 0
    assert [row["prompt"] for row in folder.rows()] == ["short", "long"] * 3
    assert kinds(server).count("description") == 6
    done = hal_eval("generative", *flags, "short", *model(server))
    assert (done.code, "also has --prompt long" in done.err) == (2, True)


@pytest.mark.parametrize(
    "flags",
    [
        ("--judge", "both"),
        ("--judge-model", "j"),
        ("--temperature", "0.5"),
        ("--max-tokens", "99"),
        ("--max-side", "5"),
        ("--lang", "bn"),
    ],
)
def test_results_of_another_kind_are_not_added_to(
    hal_eval: Call, openai_server: OpenAI, folder: Folder, flags: tuple[str, ...]
) -> None:
    server = openai_server(answer=ANSWERS)
    assert hal_eval("generative", *folder.flags("--limit", 1), *model(server)).code == 0
    done = hal_eval("generative", *folder.flags("--resume", *flags), *model(server))
    assert (done.code, "--overwrite it" in done.err) == (2, True), done.err


def test_other_bins_cost_nothing(hal_eval: Call, openai_server: OpenAI, folder: Folder) -> None:
    server = openai_server(answer=ANSWERS)
    assert hal_eval("generative", *folder.flags(), *model(server)).code == 0
    before = len(asked(server))
    assert hal_eval("generative", *folder.flags("--resume", "--bins", 2), *model(server)).code == 0
    assert len(asked(server)) == before
    bins = folder.json()["prompts"]["long"]["lengths"]
    assert [(part["from"], part["below"], part["judged"]) for part in bins] == [
        (0, 2, 0),
        (2, None, 3),
    ]
    assert bins[0]["accuracy"] is None


def test_tables_are_made_anew_without_asking(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    server = openai_server(answer=saying("A dog runs.", "Hm."))
    assert hal_eval("generative", *folder.flags(), *model(server)).code == 0
    before, about = len(asked(server)), folder.json()["about"]
    flags = ("--data", folder.data, "--output", folder.output, "--only-tables", "--bins", 2)
    done = hal_eval("generative", *flags)
    assert (done.code, len(asked(server))) == (0, before), done.err
    assert (folder.json()["edges"], folder.json()["about"]) == ([2], about)
    folder.output.with_name(folder.output.name + ".run.json").unlink()
    done = hal_eval("generative", *flags)
    assert (done.code, "has no record" in done.err) == (2, True)


def test_while_pictures_are_missing_nothing_is_left_to_ask(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    folder.picture(0).unlink()
    server = openai_server(answer=ANSWERS)
    assert hal_eval("generative", *folder.flags(), *model(server)).code == 1
    before = folder.output.read_bytes()
    done = hal_eval("generative", *folder.flags("--resume"), *model(server))
    assert (done.code, "nothing left to ask" in done.out) == (1, True)
    assert folder.output.read_bytes() == before


def test_somebody_elses_tables_are_not_overwritten(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    folder.output.parent.mkdir()
    folder.output.with_suffix(".md").write_text("mine", encoding="utf-8")
    done = hal_eval("generative", *folder.flags("--model", "m"))
    assert (done.code, "results.md is there" in done.err) == (2, True)
