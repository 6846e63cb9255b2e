"""A client asks once where once is enough, and again where that helps."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from banglahallueval.errors import RunError
from banglahallueval.models import client as client_module
from banglahallueval.models.client import Client
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import Message, ModelError, Reply, Request
from tests.fakes import FakeModel


def ask(text: str = "q", attempt: int = 0) -> Request:
    return Request((Message("user", text),), max_tokens=16, attempt=attempt)


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A client over a fake model; waits between tries are cut short."""
    monkeypatch.setattr(client_module, "_wait", lambda state: 0.0)

    def build(model: FakeModel, **options) -> Client:
        return Client(model, ReplyStore(tmp_path / "s.sqlite"), **options)

    return build


async def test_a_stored_reply_is_not_asked_again(make) -> None:
    """The second asking costs nothing and is counted as such."""
    model = FakeModel([Reply("yes", prompt_tokens=5, completion_tokens=1)])
    client = make(model)
    assert await client.complete(ask()) == await client.complete(ask())
    assert len(model.requests) == 1
    assert (client.usage.asked, client.usage.stored, client.usage.prompt_tokens) == (1, 1, 5)


async def test_the_same_request_at_once_is_asked_once(make) -> None:
    """Equal rows in flight together share one reply."""
    model = FakeModel(lambda request: Reply("yes"), delay=0.01)
    client = make(model)
    replies = await asyncio.gather(*(client.complete(ask()) for _ in range(10)))
    assert (len(model.requests), {reply.text for reply in replies}) == (1, {"yes"})


async def test_another_attempt_is_another_request(make) -> None:
    """Asking an unknown row again really asks."""
    model = FakeModel([Reply("?"), Reply("yes")])
    client = make(model)
    await client.complete(ask())
    assert (await client.complete(ask(attempt=1))).text == "yes"


async def test_a_passing_fault_is_asked_again_and_counted(make) -> None:
    """A server error, a reset and a broken reply are mended by retries."""
    causes = ["server error", "connection failed", "broken reply"]
    model = FakeModel([*(ModelError(cause, "x") for cause in causes), Reply("no")])
    client = make(model)
    assert (await client.complete(ask())).text == "no"
    assert client.usage.failures == dict.fromkeys(causes, 1)


async def test_a_refused_request_is_not_asked_again(make) -> None:
    """A 400 that no retry can mend is asked once."""
    model = FakeModel([ModelError("request refused", "x", retry=False)])
    with pytest.raises(ModelError):
        await make(model).complete(ask())
    assert len(model.requests) == 1


async def test_retries_end(make) -> None:
    """After the last retry the row has no reply."""
    model = FakeModel([ModelError("timeout", "x")] * 10)
    with pytest.raises(ModelError):
        await make(model, max_retries=2).complete(ask())
    assert len(model.requests) == 3


async def test_what_no_request_can_survive_ends_the_run(make) -> None:
    """A refused key stops at once, with the server's words."""
    model = FakeModel([ModelError("access denied", "the key was refused", fatal=True)])
    with pytest.raises(RunError, match="key was refused"):
        await make(model).complete(ask())


async def test_a_server_that_is_gone_ends_the_run(make) -> None:
    """Twenty rows lost in a row are enough."""

    def fail(request: Request) -> Reply:
        raise ModelError("connection failed", "refused")

    client = make(FakeModel(fail), max_retries=0)
    for n in range(19):
        with pytest.raises(ModelError):
            await client.complete(ask(str(n)))
    with pytest.raises(RunError, match="20 requests in a row"):
        await client.complete(ask("last"))


async def test_a_rate_limit_does_not_use_up_retries(make) -> None:
    """A row that meets the limit many times still gets its reply."""
    limit = ModelError("rate limited", "slow down", retry_after=0.001)
    client = make(FakeModel([limit, limit, limit, Reply("yes")]), max_retries=0)
    assert (await client.complete(ask())).text == "yes"


async def test_a_rate_limit_that_never_ends_ends_the_run(make) -> None:
    """Limits without any success between them stop the run instead of waiting for ever."""

    def limited(request: Request) -> Reply:
        raise ModelError("rate limited", "slow down", retry_after=0.001)

    with pytest.raises(RunError, match="keeps limiting"):
        await make(FakeModel(limited), max_retries=1).complete(ask())


async def test_no_more_are_in_flight_than_asked_for(make) -> None:
    """Concurrency is a bound."""
    model = FakeModel(lambda request: Reply("yes"), delay=0.005)
    client = make(model, concurrency=3)
    await asyncio.gather(*(client.complete(ask(str(n))) for n in range(12)))
    assert model.most_in_flight == 3


async def test_an_error_reaches_all_who_wait_for_it(make) -> None:
    """Equal rows in flight share a failure too, and none hangs."""
    model = FakeModel([ModelError("request refused", "x", retry=False)], delay=0.01)
    client = make(model)
    results = await asyncio.gather(
        *(client.complete(ask()) for _ in range(3)), return_exceptions=True
    )
    assert [type(result) for result in results] == [ModelError] * 3


async def test_a_long_wait_is_told_once(make, capsys: pytest.CaptureFixture[str]) -> None:
    """A server that asked for an hour once left a run standing still without a word."""
    limit = ModelError("rate limited", "slow down", retry_after=3600.0)
    client = make(FakeModel([limit, limit]))
    asking = asyncio.gather(client.complete(ask("a")), client.complete(ask("b")))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asking, 0.1)
    assert capsys.readouterr().err.strip() == "waiting 3,600 s: slow down"
