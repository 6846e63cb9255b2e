from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest

from tests.servers.answers import Answer
from tests.servers.base import LoopbackServer
from tests.servers.gemini_server import GeminiServer
from tests.servers.ollama_models import Model
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer
from tests.vision.calling import Call
from tests.vision.discriminative.calling import (
    KINDS,
    Workspace,
    answering,
    asking,
    caption,
    kind_in,
    questions,
)
from tests.vision.drawing import draw, encoded, turned_jpeg

Serving = Callable[..., OpenAIServer]
LLAVA = Model("llava:7b", context=32768, vision=True)


def flags_for(server: LoopbackServer) -> tuple[list[object], dict[str, str]]:
    """The flags and variables that lead to a server."""
    match server:
        case OllamaServer():
            flags = ["--provider", "ollama", "--model", LLAVA.name, "--ollama-url", server.url]
            return list(flags), {}
        case GeminiServer():
            return ["--provider", "gemini", "--model", "gemini-2.5-flash"], server.variables()
    return asking(server), {}


SERVERS = [OpenAIServer, lambda **options: OllamaServer(models=[LLAVA], **options), GeminiServer]


@pytest.mark.parametrize("serving", SERVERS, ids=["openai", "ollama", "gemini"])
def test_every_caption_is_asked_about_with_its_picture(
    workspace: Workspace, hal_eval: Call, serving: Callable[..., LoopbackServer]
) -> None:
    """Each provider sends the file's own bytes, and every row holds question, answer and hash."""
    with serving(answer=answering(event="Yes, it does.")) as server:
        flags, variables = flags_for(server)
        done = hal_eval(*workspace.flags(*flags), env=variables)
        assert done.code == 0, done.err
        asked = questions(server)
    assert len(asked) == 20
    for seen in asked:
        (picture,) = seen.pictures
        place = next(n for n in range(4) if picture.data == workspace.picture(n).read_bytes())
        assert caption(("boats", "trams", "cats", "lamps")[place], kind_in(seen.prompt)) in (
            seen.prompt
        )
    rows = workspace.rows()
    assert [(row["index"], row["kind"]) for row in rows] == [
        (str(index), kind) for index in range(4) for kind in KINDS
    ]
    assert workspace.column("caption_matches") == ["yes", "no", "no", "no", "no"] * 4
    assert workspace.column("answer_matches") == ["yes", "no", "no", "no", "yes"] * 4
    assert rows[4]["reply"] == "Yes, it does."
    assert rows[0]["finish"] == "stop"
    digest = sha256(workspace.picture(0).read_bytes()).hexdigest()
    assert {row["image_sha256"] for row in rows[:5]} == {digest}
    assert set(workspace.column("image_conversion")) == {""}


def test_the_picture_stands_before_the_published_prompt(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(answer=answering())
    assert hal_eval(*workspace.flags(*asking(server))).code == 0
    asked = next(each.body for each in questions(server) if caption("boats") in str(each.body))
    picture, text = asked["messages"][0]["content"]
    assert picture["type"] == "image_url"
    assert text["text"] == (
        f"```{caption('boats')}```. Does the caption delimited by triple backticks match the image "
        'exactly? If so, return "yes". If not, return "no".'
    )
    assert (asked["temperature"], asked.get("max_tokens")) == (0, 64)


def test_tables_say_what_they_count(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(answer=answering(event="Yes.", object="Hm."))
    done = hal_eval(*workspace.flags(*asking(server)))
    assert done.code == 0
    event = workspace.score("event")
    assert (event["accuracy"], event["precision"], event["recall"]) == (0.5, 0.5, 1.0)
    assert (event["captions"], event["yes"], event["unparsed"]) == (8, 1.0, 0)
    assert event["accuracy_low"] < 0.5 < event["accuracy_high"]
    found = workspace.score("object")
    assert (found["accuracy"], found["unparsed"], found["yes"]) == (1.0, 4, 0.5)
    assert found["yes_of_answered"] == 1.0
    shown = workspace.output.with_suffix(".md").read_text(encoding="utf-8")
    assert shown.count("match, prompt script (en), with the picture") >= 2
    assert "Positive class: the caption matches its picture (yes), as Hal-Eval publishes" in shown
    assert "Compare models by the macro average" in shown
    assert "Positive class: the caption matches" in done.out
    table = [line for line in done.out.splitlines() if line.startswith((*KINDS, "macro", "----"))]
    assert max(map(len, table)) <= 100
    assert workspace.table("unknown") == [{"reason": "unparsed", "whose": "model", "captions": 4}]
    assert [row["conflicts"] for row in workspace.table("answers")] == [0] * 5
    csv = workspace.output.with_suffix(".scores.csv").read_text(encoding="utf-8")
    assert csv.startswith("type,captions,accuracy,accuracy_low,accuracy_high,precision")
    record = workspace.record()
    assert record["identity"]["prompt"] == "script"
    assert record["prompt_text"].startswith("```{caption}```")
    assert record["model"]["name"] == "gpt-test"
    assert record["answers"] == {"yes": 8, "no": 8, "unknown": 4}


def test_undefined_figures_are_null(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(answer=answering(true="no", event="no"))
    assert hal_eval(*workspace.flags(*asking(server), "--kinds", "event")).code == 0
    event = workspace.score("event")
    assert event["precision"] is None
    assert (event["recall"], event["f1"], event["accuracy"]) == (0, 0, 0.5)


def test_conversions_are_recorded(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    workspace.picture(0).write_bytes(turned_jpeg(6))
    workspace.picture(1).write_bytes(encoded(draw(size=(40, 20)), "PNG"))
    server = openai_server(answer=answering())
    assert hal_eval(*workspace.flags(*asking(server), "--max-side", "20")).code == 0
    found = workspace.column("image_conversion")
    assert "rotated by EXIF 6" in found[0]
    assert found[5] == "40x20 to 20x10"
    assert found[10] == ""


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (Answer(""), "empty reply"),
        (Answer("I can't help with that."), "refused"),
        (Answer("Yes", finish="content_filter"), "filtered"),
        (Answer("word " * 80), "cut off"),
        (Answer("No image was provided."), "saw no picture"),
    ],
)
def test_what_is_no_answer_has_its_reason(
    workspace: Workspace, hal_eval: Call, openai_server: Serving, said: Answer, reason: str
) -> None:
    server = openai_server(answer=lambda body: said)
    hal_eval(*workspace.flags(*asking(server), "--limit", "1"))
    assert set(workspace.column("unknown_reason")) == {reason}


@pytest.mark.parametrize(
    ("flags", "shown"),
    [
        (["--prompt", "figure"], 'Caption: "two boats stand by the river"\nPrompt: Is the content'),
        (["--prompt", "paper"], "Question: Does the description in the caption accurately reflect"),
        (["--prompt", "cot"], "Let’s work this out in a step by step way"),
        (["--lang", "bn"], 'মিললে "হ্যাঁ" লিখুন'),
        (["--lang", "bn", "--prompt", "figure"], "ছবির বিষয়বস্তু কি ক্যাপশনের"),
        (
            ["--ask", "type"],
            "Reply with one word only: object, attribute, relation, event or none.",
        ),
        (["--ask", "type", "--lang", "bn"], "বৈশিষ্ট্য, সম্পর্ক, ঘটনা অথবা কোনোটিই নয়।"),
    ],
)
def test_a_prompt_may_be_chosen(
    workspace: Workspace, hal_eval: Call, flags: list[str], shown: str
) -> None:
    done = hal_eval(*workspace.flags("--model", "gpt-test", "--dry-run", *flags))
    assert done.code == 0, done.err
    assert shown in done.out
    assert "Nothing was asked." in done.out
    assert "20 of 20 questions to ask" in done.out
    assert not workspace.output.exists()


def test_a_template_of_one_s_own_is_recorded(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    template = workspace.path / "mine.txt"
    template.write_text("Is this what you see: {caption}?\n", encoding="utf-8")
    server = openai_server(answer=answering())
    assert hal_eval(*workspace.flags(*asking(server), "--prompt", template)).code == 0
    texts = [seen.body["messages"][0]["content"][1]["text"] for seen in questions(server)]
    assert "Is this what you see: two boats stand by the river?" in texts
    identity = workspace.record()["identity"]
    assert identity["text of the prompt"] == sha256(template.read_bytes()).hexdigest()


def test_a_template_without_the_caption_is_refused(workspace: Workspace, hal_eval: Call) -> None:
    template = workspace.path / "mine.txt"
    template.write_text("Is this right: {Caption}?", encoding="utf-8")
    done = hal_eval(*workspace.flags("--model", "m", "--prompt", template))
    assert (done.code, "put {caption} where it belongs" in done.err) == (2, True)
    unknown = hal_eval(*workspace.flags("--model", "m", "--prompt", "scripted"))
    assert "give one of script, figure, paper, cot, or the path" in unknown.err


def test_an_argument_gets_room_and_its_last_line_counts(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    argued = "There is no horse, but that is not claimed.\n" * 9 + "So the answer is: yes"
    server = openai_server(answer=lambda body: Answer(argued))
    hal_eval(*workspace.flags(*asking(server), "--prompt", "cot", "--limit", "1"))
    assert set(workspace.column("answer_matches")) == {"yes"}
    assert questions(server)[0].body["max_tokens"] == 1024


def test_bangla_replies_to_the_bangla_prompt_are_read(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(
        answer=answering(
            true="হ্যাঁ", relation="না।", object="মেলে না", attribute="na", event="না, মেলে না।"
        )
    )
    assert hal_eval(*workspace.flags(*asking(server), "--lang", "bn")).code == 0
    assert workspace.column("answer_matches") == ["yes", "no", "no", "no", "no"] * 4


def test_types_are_asked_for_and_scored(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    server = openai_server(
        answer=answering(
            true="none", relation="Relation.", object="object", attribute="object", event="Hm"
        )
    )
    done = hal_eval(*workspace.flags(*asking(server), "--ask", "type"))
    assert done.code == 0
    assert (
        workspace.column("caption_type") == ["none", "relation", "object", "attribute", "event"] * 4
    )
    assert (
        workspace.column("answer_type") == ["none", "relation", "object", "object", "unknown"] * 4
    )
    confusion = {row.pop("caption"): row for row in workspace.table("confusion")}
    assert confusion["attribute"]["object"] == 4
    assert confusion["event"]["unknown"] == 4
    (overall,) = workspace.table("overall")
    assert (overall["accuracy"], overall["unparsed"]) == (0.75, 4)
    assert (workspace.score("object")["precision"], workspace.score("object")["recall"]) == (0.5, 1)
    assert "macro F1" in done.out
    assert "4 unparsed, 0 left out without a reply" in " ".join(done.out.split())
    assert "share of yes" not in done.out + workspace.output.with_suffix(".md").read_text("utf-8")


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        ([], "--provider openai needs --model NAME"),
        (["--model", "m", "--num-ctx", "9"], "makes no use of --num-ctx"),
        (["--model", "m", "--resume", "--overwrite"], "take one"),
        (["--model", "m", "--ask", "type", "--positive", "matches"], "--positive is for"),
        (["--model", "m", "--ask", "type", "--prompt", "figure"], "no prompt 'figure'"),
        (["--model", "m", "--start", "3", "--end", "2"], "holds no rows"),
        (["--model", "m", "--predictions", "p.csv"], "asks no model; leave out"),
    ],
)
def test_a_call_that_makes_no_sense_is_one_line(
    workspace: Workspace, hal_eval: Call, flags: list[str], complaint: str
) -> None:
    done = hal_eval(*workspace.flags(*flags))
    assert done.code == 2
    assert complaint in done.err
    assert done.err.count("\n") == 1


def test_pictures_need_a_folder(workspace: Workspace, hal_eval: Call) -> None:
    call = ["discriminative", "--data", workspace.data, "--output", workspace.output]
    done = hal_eval(*call, "--model", "m")
    assert "--image-root names the folder" in done.err
    done = hal_eval(*call, "--model", "m", "--image-root", workspace.path / "none")
    assert "there is no such folder" in done.err


def test_tables_that_are_somebody_else_s_are_not_replaced(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    workspace.output.parent.mkdir()
    workspace.output.with_suffix(".json").write_text("mine", encoding="utf-8")
    done = hal_eval(*workspace.flags(*asking(openai_server())))
    assert (done.code, "no answers.csv that it belongs to" in done.err) == (2, True)


def test_a_model_that_thinks_gets_room_to(
    workspace: Workspace, hal_eval: Call, openai_server: Serving
) -> None:
    thinking = Answer("No.", thinking="Let me look at this. " * 40)
    server = openai_server(answer=lambda body: thinking)
    hal_eval(*workspace.flags(*asking(server, "--concurrency", "1"), "--limit", "1"))
    assert set(workspace.column("answer_matches")) == {"no"}
    assert [seen.body["max_tokens"] for seen in questions(server)][:2] == [64, 64 + 4096]
