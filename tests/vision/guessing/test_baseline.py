from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers.openai_server import OpenAIServer
from tests.vision.calling import Call
from tests.vision.discriminative.calling import KINDS, Workspace, answering, asking, caption
from tests.vision.items import in_domain, write

Serving = Callable[..., OpenAIServer]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Eight items; baselines never look at their pictures."""
    made = Workspace(tmp_path, ("boats", "trams", "cats", "lamps", "dogs", "cups", "pots", "pans"))
    for place in range(8):
        made.picture(place).unlink()
    return made


def test_rules_guess_what_can_be_told_by_the_look(workspace: Workspace, hal_eval: Call) -> None:
    """Events are longer and end with a full stop; the others look like the true ones."""
    done = hal_eval(*workspace.flags(command="baseline"))
    assert done.code == 0, done.err
    rows = {(row["type"], row["rule"]): row for row in workspace.table("guesses")}
    assert rows["event", "length"]["accuracy"] == 1
    assert rows["event", "full stop"]["accuracy"] == 1
    assert rows["event", "regression"]["accuracy"] == 1
    assert rows["event", "majority"]["accuracy"] == 0.5
    assert rows["relation", "length"]["accuracy"] == 0.5
    assert rows["macro", "majority"]["captions"] == 64
    assert rows["macro", "length"]["accuracy"] == pytest.approx(
        sum(rows[kind, "length"]["accuracy"] for kind in KINDS[1:]) / 4
    )
    (event,) = [row for row in workspace.table("thresholds") if row["type"] == "event"]
    assert (event["fewer_words_than"], event["guess"], event["accuracy"]) == (7, "true", 1)
    assert "event: `fewer than 7 words: true` is right for 100.0%" in done.out
    assert "Half of the captions are true" in workspace.output.with_suffix(".md").read_text("utf-8")


def test_guesses_stand_in_rows(workspace: Workspace, hal_eval: Call) -> None:
    assert hal_eval(*workspace.flags("--kinds", "event", command="baseline")).code == 0
    rows = workspace.rows()
    assert len(rows) == 16
    assert list(rows[1])[:7] == [
        *("pair_type", "index", "image", "key", "kind", "caption", "caption_matches"),
    ]
    assert rows[1]["caption"] == caption("boats", "event")
    assert (rows[1]["full_stop"], rows[1]["guess_full_stop"]) == ("1", "no")
    assert rows[0]["fold"] == rows[1]["fold"]
    assert workspace.record()["kind"] == "captions guessed from their text"


def test_equal_data_are_guessed_about_equally(workspace: Workspace, hal_eval: Call) -> None:
    assert hal_eval(*workspace.flags(command="baseline")).code == 0
    before = workspace.output.read_bytes(), workspace.output.with_suffix(".json").read_bytes()
    assert hal_eval(*workspace.flags("--overwrite", command="baseline")).code == 0
    after = workspace.output.read_bytes(), workspace.output.with_suffix(".json").read_bytes()
    assert before == after


def test_bangla_captions_are_guessed_about_too(tmp_path: Path, hal_eval: Call) -> None:
    items = [
        in_domain(f"{n}.jpg", f"{n}টি নৌকা", {"event": f"{n}টি নৌকা তীরে নিলামে উঠেছে, ভিড় জমেছে।"})
        for n in range(6)
    ]
    data = write(tmp_path / "data.json", items)
    output = tmp_path / "guessed.csv"
    assert hal_eval("baseline", "--data", data, "--output", output).code == 0
    with output.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["guess_full_stop"] for row in rows if row["kind"] == "event"} == {"no"}
    content = json.loads(output.with_suffix(".json").read_text(encoding="utf-8"))
    assert {row["type"] for row in content["tables"]["guesses"]["rows"]} == {"event", "macro"}


def test_a_model_is_asked_the_same_questions_without_the_pictures(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(answer=answering(event="No, it is too long."))
    flags = workspace.flags(*asking(server, "--limit", "4"), command="baseline")
    done = hal_eval(*flags)
    assert done.code == 0, done.err
    asked = [seen for seen in server.requests if "river" in seen.prompt]
    assert len(asked) == 17  # one wrong caption is that of four pictures
    assert not any(seen.pictures for seen in asked)
    assert all("match the image exactly" in seen.prompt for seen in asked)
    assert workspace.score("event")["accuracy"] == 1
    assert "match, prompt script (en), without the picture" in workspace.json()["conventions"]
    assert workspace.record()["kind"] == "captions without pictures"
    assert set(workspace.column("image_sha256")) == {""}
    again = hal_eval(*flags, "--resume")
    assert "nothing left to ask" in again.out
    for place in range(8):
        workspace.draw(place)
    mixed = hal_eval(*workspace.flags(*asking(server, "--resume")))
    assert (mixed.code, "is no record of such an evaluation" in mixed.err) == (2, True)


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--prompt", "cot"], "rules guess and nobody is asked; leave out --prompt"),
        (["--temperature", "0.2"], "leave out --temperature"),
        (["--concurrency", "2"], "leave out --concurrency"),
        (["--resume"], "leave out --resume"),
        (["--limit", "1"], "take more items"),
    ],
)
def test_flags_without_an_effect_are_refused(
    workspace: Workspace, hal_eval: Call, flags: list[str], complaint: str
) -> None:
    done = hal_eval(*workspace.flags(*flags, command="baseline"))
    assert done.code == 2
    assert complaint in done.err
    assert not workspace.output.exists()
