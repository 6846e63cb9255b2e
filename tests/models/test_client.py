"""A client asks once where once is enough, and again where that helps."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.errors import RunError
from banglahallueval.models.client import Client
from banglahallueval.models.spending import usage_record
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import Cause, Message, ModelError, Reply, Request, Token
from tests.clock import VirtualClock
from tests.fakes import FakeModel

LOOP = VirtualClock


def ask(text: str = "q", attempt: int = 0) -> Request:
    return Request((Message("user", text),), max_tokens=16, attempt=attempt)


Make = Callable[..., Client]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a client over a fake model."""

    def build(model: FakeModel, **options: Any) -> Client:
        return Client(model, ReplyStore(tmp_path / "s.sqlite"), **options)

    return build


async def test_a_stored_reply_is_not_asked_again(make: Make) -> None:
    """The second asking costs nothing and is counted as such."""
    model = FakeModel([Reply("yes", prompt_tokens=5, completion_tokens=1)])
    client = make(model)
    assert await client.complete(ask()) == await client.complete(ask())
    assert len(model.requests) == 1
    assert (client.usage.asked, client.usage.stored, client.usage.prompt_tokens) == (1, 1, 5)


async def test_the_same_request_at_once_is_asked_once(make: Make) -> None:
    """Equal rows in flight together share one reply."""
    model = FakeModel(lambda request: Reply("yes"), delay=1)
    client = make(model)
    replies = await asyncio.gather(*(client.complete(ask()) for _ in range(10)))
    assert (len(model.requests), {reply.text for reply in replies}) == (1, {"yes"})


async def test_another_attempt_is_another_request(make: Make) -> None:
    """Asking an unknown row again really asks."""
    model = FakeModel([Reply("?"), Reply("yes")])
    client = make(model)
    await client.complete(ask())
    assert (await client.complete(ask(attempt=1))).text == "yes"


async def test_a_passing_fault_is_asked_again_and_counted(make: Make) -> None:
    """A server error, a reset and a broken reply are mended by retries."""
    causes: list[Cause] = ["server error", "connection failed", "broken reply"]
    model = FakeModel([*(ModelError(cause, "x") for cause in causes), Reply("no")])
    client = make(model)
    assert (await client.complete(ask())).text == "no"
    assert {
        cause: failed.count for cause, failed in client.usage.failures.items()
    } == dict.fromkeys(causes, 1)


async def test_a_refused_request_is_not_asked_again(make: Make) -> None:
    """A 400 that no retry can mend is asked once."""
    model = FakeModel([ModelError("request refused", "x", retry=False)])
    with pytest.raises(ModelError):
        await make(model).complete(ask())
    assert len(model.requests) == 1


async def test_retries_end(make: Make) -> None:
    """After the last retry the row has no reply."""
    model = FakeModel([ModelError("timeout", "x")] * 10)
    with pytest.raises(ModelError):
        await make(model, max_retries=2).complete(ask())
    assert len(model.requests) == 3


async def test_what_no_request_can_survive_ends_the_run(make: Make) -> None:
    """A refused key stops at once, with the server's words."""
    model = FakeModel([ModelError("access denied", "the key was refused", fatal=True)])
    with pytest.raises(RunError, match="key was refused"):
        await make(model).complete(ask())


async def test_a_server_that_is_gone_ends_the_run(make: Make) -> None:
    """Twenty rows lost in a row are enough."""

    def fail(request: Request) -> Reply:
        raise ModelError("connection failed", "refused")

    client = make(FakeModel(fail), max_retries=0)
    for n in range(19):
        with pytest.raises(ModelError):
            await client.complete(ask(str(n)))
    with pytest.raises(RunError, match="20 requests in a row"):
        await client.complete(ask("last"))


async def test_a_rate_limit_does_not_use_up_retries(make: Make) -> None:
    """A row that meets the limit many times still gets its reply."""
    limit = ModelError("rate limited", "slow down", retry_after=60.0)
    client = make(FakeModel([limit, limit, limit, Reply("yes")]), max_retries=0)
    assert (await client.complete(ask())).text == "yes"


async def test_a_rate_limit_holds_the_whole_run(make: Make) -> None:
    """After a 429 no request of the run starts before the server's time is up."""
    loop = asyncio.get_running_loop()
    started: list[float] = []

    def limited_once(request: Request) -> Reply:
        started.append(loop.time())
        if len(started) == 1:
            raise ModelError("rate limited", "slow down", retry_after=60.0)
        return Reply("no")

    client = make(FakeModel(limited_once), concurrency=4)
    await asyncio.gather(*(client.complete(ask(str(n))) for n in range(40)))
    assert started[:4] == [0] * 4  # in flight when the first met the limit
    assert len(started) == 41
    assert min(started[4:]) >= 60


async def test_a_rate_limit_that_never_ends_ends_the_run(make: Make) -> None:
    """Limits without any success between them stop the run instead of waiting for ever."""

    def limited(request: Request) -> Reply:
        raise ModelError("rate limited", "slow down", retry_after=60.0)

    with pytest.raises(RunError, match="keeps limiting"):
        await make(FakeModel(limited), max_retries=1).complete(ask())


async def test_no_more_are_in_flight_than_asked_for(make: Make) -> None:
    """Concurrency is a bound."""
    model = FakeModel(lambda request: Reply("yes"), delay=1)
    client = make(model, concurrency=3)
    await asyncio.gather(*(client.complete(ask(str(n))) for n in range(12)))
    assert model.most_in_flight == 3


async def test_an_error_reaches_all_who_wait_for_it(make: Make) -> None:
    """Equal rows in flight share a failure too, and none hangs."""
    model = FakeModel([ModelError("request refused", "x", retry=False)], delay=1)
    client = make(model)
    results = await asyncio.gather(
        *(client.complete(ask()) for _ in range(3)), return_exceptions=True
    )
    assert [type(result) for result in results] == [ModelError] * 3


async def test_retries_wait_longer_and_longer(make: Make) -> None:
    """Each wait is drawn up to twice the one before, and at least what the server asks for."""
    loop = asyncio.get_running_loop()
    times: list[float] = []

    def fail(request: Request) -> Reply:
        times.append(loop.time())
        raise ModelError("server error", "x", retry_after=100.0 if len(times) == 3 else None)

    with pytest.raises(ModelError):
        await make(FakeModel(fail), max_retries=7).complete(ask())
    waits = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert waits.pop(2) == pytest.approx(100)
    for wait, longest in zip(waits, (1, 2, 8, 16, 30, 30), strict=True):
        assert 0.25 <= wait <= longest


async def test_limits_that_many_meet_at_once_do_not_end_the_run(make: Make) -> None:
    """Sixteen in flight that met one limit without a time once counted as sixteen, and ended it."""
    loop = asyncio.get_running_loop()

    def limited(request: Request) -> Reply:
        if loop.time() < 10:
            raise ModelError("rate limited", "slow down")
        return Reply("no")

    client = make(FakeModel(limited, delay=0.1), concurrency=16, max_retries=0)
    replies = await asyncio.gather(*(client.complete(ask(str(n))) for n in range(64)))
    assert len(replies) == 64
    assert client.usage.failures["rate limited"].count >= 16


async def test_a_long_wait_is_told_once(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    """A server that asked for an hour once left a run standing still without a word."""
    limit = ModelError("rate limited", "slow down", retry_after=3600.0)
    client = make(FakeModel([limit, limit, Reply("yes"), Reply("yes")]))
    await asyncio.gather(client.complete(ask("a")), client.complete(ask("b")))
    told = capsys.readouterr().err.strip()
    assert told.startswith("waiting 3,600 s: slow down; ")
    assert "--rpm-limit" in told
    assert "\n" not in told


async def test_a_standstill_of_short_waits_is_told(
    make: Make, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Limits without a time once left a run standing still for minutes, wait after short wait."""
    loop, told = asyncio.get_running_loop(), []
    limit = ModelError("rate limited", "slow down")
    monkeypatch.setattr("tqdm.tqdm.write", lambda text, file: told.append((loop.time(), text)))
    client = make(
        FakeModel([limit, limit, limit, Reply("yes"), limit, limit, limit, limit, Reply("no")])
    )
    await client.complete(ask("a"))
    assert told == []  # seven seconds or a little more
    begun = loop.time()
    await client.complete(ask("b"))
    assert len(told) == 1
    assert told[0][0] - begun < 10


async def test_requests_that_a_server_has_no_time_for_narrow_the_window(
    make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server with two slots once lost nearly every row to time-outs that fed each other."""

    def crowded(request: Request) -> Reply:
        if model._in_flight > 2:
            raise ModelError("timeout", "no reply from http://h in 120 s")
        return Reply("yes")

    model = FakeModel(crowded, delay=1)
    client = make(model, concurrency=16)
    await asyncio.gather(*(client.complete(ask(str(n))) for n in range(100)))
    assert client.usage.asked == 100
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 3
    assert all("--concurrency" in line and "no reply from http://h" in line for line in told)
    quiet = make(FakeModel([ModelError("timeout", "x"), Reply("yes")]), quiet=True)
    await quiet.complete(ask("quiet"))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("problem", "narrows"),
    [
        (ModelError("timeout", "x"), True),
        (ModelError("proxy timeout", "x"), True),
        (ModelError("server error", "x", overloaded=True), True),
        (ModelError("server error", "x"), False),
        (ModelError("connection failed", "x"), False),
    ],
)
async def test_what_narrows_the_window(make: Make, problem: ModelError, narrows: bool) -> None:
    """What says that too many are in flight does; what says something else does not."""
    client = make(FakeModel([problem, Reply("yes")]), concurrency=16)
    await client.complete(ask())
    assert (client._rate_limit._window < 16) == narrows


async def test_the_first_lost_request_is_told_with_what_to_do(
    make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    """Why rows got no reply was once told only when twenty had got none in a row."""

    def fail(request: Request) -> Reply:
        raise ModelError("server error", f"http://h answered 500: {request.messages[0].text}")

    client = make(FakeModel(fail), max_retries=1)
    for name in ("first", "second"):
        with pytest.raises(ModelError):
            await client.complete(ask(name))
    told = capsys.readouterr().err.strip()
    assert told == (
        "no reply (server error): http://h answered 500: first; see what the server logged; "
        "--resume asks again"
    )
    failed = client.usage.failures["server error"]
    assert (failed.count, failed.example) == (4, "http://h answered 500: first")
    assert usage_record(client)["failed_attempts"] == {"server error": 4}
    assert usage_record(client)["failure_examples"]["server error"]["example"] == failed.example


async def test_a_key_in_a_reply_is_masked(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that repeats what it was sent once put the key into the output and the store."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    echo = "Authorization: Bearer sk-0123456789"
    tokens = tuple(Token(text, ((text, -0.1),)) for text in ("yes ", "sk-01", "23456789"))
    client = make(
        FakeModel([Reply(echo, thinking=echo, served="sk-0123456789"), Reply("yes", tokens=tokens)])
    )
    first, second = await client.complete(ask("a")), await client.complete(ask("b"))
    assert first == Reply(
        "Authorization: Bearer ***", thinking="Authorization: Bearer ***", served="***"
    )
    assert second == Reply("yes")
    assert await client.complete(ask("a")) == first
    assert (
        b"0123456789"
        not in Path(client.store.path).read_bytes() + Path(f"{client.store.path}-wal").read_bytes()
    )


async def test_a_key_in_a_servers_words_is_masked(
    make: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a server says is shown and recorded, but not the key or a password in it."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    said = "http://me:pa55word@h said no to sk-0123456789"
    client = make(FakeModel([ModelError("request refused", said, retry=False)]))
    with pytest.raises(ModelError) as caught:
        await client.complete(ask())
    everything = f"{caught.value} {capsys.readouterr().err} {usage_record(client)}"
    assert "http://h said no to ***" in everything
    assert "0123456789" not in everything
    assert "pa55word" not in everything


async def test_a_wait_of_years_ends_the_run(make: Make) -> None:
    """A server that asks to wait 999,999,999,999 s once let a run stand still for ever."""
    limit = ModelError("rate limited", "slow down", retry_after=999_999_999_999.0)
    with pytest.raises(RunError, match=r"asks to wait 999,999,999,999 s.*resume later"):
        await make(FakeModel([limit])).complete(ask())


async def test_an_equal_request_in_flight_counts_as_stored(make: Make) -> None:
    """Rows asked and rows from the store once did not add up to the rows judged."""
    client = make(FakeModel(lambda request: Reply("yes"), delay=1))
    await asyncio.gather(*(client.complete(ask()) for _ in range(10)))
    assert (client.usage.asked, client.usage.stored) == (1, 9)
