"""The real small model, and the runner of scripts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import openai
import pytest

from tests import scripting
from tests.servers.process import Child
from tests.servers.real_llm import MODEL, PATIENCE


def test_a_real_model_answers_with_log_probabilities(real_llm: Child) -> None:
    """The server gives a real reply, its usage and the likeliest first tokens."""
    client = openai.OpenAI(base_url=real_llm.url, api_key="none", max_retries=0, timeout=PATIENCE)
    reply = client.chat.completions.create(
        model=MODEL,
        messages=[{"role": "user", "content": "Is water wet? Only reply yes or no."}],
        max_tokens=2,
        temperature=0,
        logprobs=True,
        top_logprobs=20,
    )
    assert reply.usage is not None
    assert reply.usage.prompt_tokens > 10
    logprobs = reply.choices[0].logprobs
    assert logprobs is not None
    assert logprobs.content is not None
    assert len(logprobs.content[0].top_logprobs) == 20


def test_a_script_runs_in_its_folder_with_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script sees its folder, arguments and variables, but none of the caller's keys."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-private")
    monkeypatch.setenv("HF_TOKEN", "private")
    script = tmp_path / "show.py"
    script.write_text(
        "import os, sys, pathlib\n"
        "print(pathlib.Path.cwd(), sys.argv[1:], os.environ['EXTRA'], 'হ্যাঁ')\n"
        "print(os.environ['OPENAI_API_KEY'], os.environ.get('HF_TOKEN'), file=sys.stderr)\n"
        "sys.exit(2)\n",
        encoding="utf-8",
    )
    done = scripting.run_script(str(script), "--n", 3, cwd=tmp_path, env={"EXTRA": "x"})
    assert done == (2, f"{tmp_path} ['--n', '3'] x হ্যাঁ\n", "sk-test None\n")
    script.write_text("import threading; threading.Event().wait()", encoding="utf-8")
    with pytest.raises(subprocess.TimeoutExpired):
        scripting.run_script(str(script), timeout=0.5)
