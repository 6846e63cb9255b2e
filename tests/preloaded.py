"""A process that has loaded the libraries, and forks one that runs a script for each request.

Loading them, and compiling the project's patterns, takes far longer than most scripts run. A script
that is forked from here has arguments, variables, a folder and streams of its own, and loads the
project's code itself; the libraries alone, with the patterns that `regex` has compiled, and the
seed of string hashes, are those of every other such script.

Each request is one byte and four descriptors: of a JSON file that says what to run, of the script's
standard output and error, and of a pipe to which its process id and its exit status are written.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

# What scripts of every kind import as they start: their patterns stay compiled.
COMMANDS = (
    *("labelling", "abstention", "spans.building", "spans.evaluation", "mitigation", "scoring"),
    *("annotation", "generation"),
)
# What they import as they run, too.
LIBRARIES = (
    *("numpy", "pandas", "scipy.stats", "scipy.special", "sklearn.linear_model"),
    *("sklearn.feature_extraction.text", "sklearn.metrics", "sklearn.model_selection"),
    *("sklearn.pipeline", "sklearn.preprocessing", "statsmodels.stats.contingency_tables"),
    *("statsmodels.stats.inter_rater", "statsmodels.stats.multitest", "matplotlib.figure"),
    *("statsmodels.stats.proportion", "matplotlib.backends.backend_agg", "krippendorff"),
    *("openai.resources.chat", "aiohttp", "httpx2", "requests", "pooch", "genai_prices"),
    *("anyascii", "dotenv", "filelock", "jinja2", "json_repair", "markdown_it", "rapidfuzz"),
    *("regex", "sqlite3", "tabulate", "tenacity", "tqdm", "PIL.Image"),
)
DESCRIPTORS = 4


def serve(requests: socket.socket) -> dict[str, Any]:
    """Fork for each request until the other end is closed; gives the request back in a fork."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, 1, DESCRIPTORS)
        if not message:
            sys.exit()
        if os.fork() == 0:
            requests.close()
            return _forked(*descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        with suppress(ChildProcessError):  # whoever waited for an earlier script
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _forked(request: int, out: int, err: int, reply: int) -> dict[str, Any]:
    """Fork once more: one process becomes the script, the other says how that ended."""
    if process := os.fork():
        os.close(out)
        os.close(err)
        os.write(reply, f"{process}\n".encode())
        _, status = os.waitpid(process, 0)
        with suppress(BrokenPipeError):  # nobody wanted to know
            os.write(reply, f"{os.waitstatus_to_exitcode(status)}\n".encode())
        os._exit(0)
    os.close(reply)
    os.dup2(out, 1)
    os.dup2(err, 2)
    for descriptor in (out, err):
        os.close(descriptor)
    with os.fdopen(request, encoding="utf-8") as file:
        wanted: dict[str, Any] = json.load(file)
    return wanted


def load() -> None:
    """Load the libraries, and the project once, which is forgotten again."""
    sys.path[0] = str(Path(__file__).parents[1])
    for name in (*LIBRARIES, *(f"banglahallueval.{name}.commands" for name in COMMANDS)):
        with suppress(ImportError):  # as the script itself will say
            importlib.import_module(name)
    for name in [name for name in sys.modules if name.partition(".")[0] == "banglahallueval"]:
        del sys.modules[name]


def main() -> None:
    """Serve; what comes after that happens in a fork."""
    load()
    gc.freeze()  # else a fork's first collection copies all that has been loaded
    script, *args = (wanted := serve(socket.socket(fileno=int(sys.argv[1]))))["command"]
    os.chdir(wanted["folder"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    folders = [Path(script).parent, *(Path(folder) for folder in named if folder)]
    sys.path[:1] = [str(folder.resolve()) for folder in folders]
    sys.argv = [script, *args]
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
