"""Scripts in processes that are forked from one which has loaded the libraries already."""

from __future__ import annotations

import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

SERVER = Path(__file__).with_name("preloaded.py")


def possible(variables: Iterable[str]) -> bool:
    """Whether a script can be forked that has such variables besides the caller's.

    Not on Windows; and what the interpreter reads as it starts comes too late for a fork.
    """
    own = {name for name in variables if name.startswith("PYTHON")} - {"PYTHONPATH"}
    return hasattr(os, "fork") and not own


class Forked:
    """A running script, with what tests use of `subprocess.Popen`.

    Attributes:
        pid: The number of its process.
        returncode: Its exit status once it is known, or a negative signal.
    """

    def __init__(self, command: list[str], cwd: Path, environment: Mapping[str, str]) -> None:
        """Start a script; what it prints goes to files, which never fill up as pipes do."""
        self.returncode: int | None = None
        self._out, self._err = (tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115
        reading, writing = os.pipe()
        self._reply = os.fdopen(reading, "rb", buffering=0)
        wanted = {"command": command, "folder": str(cwd), "environment": dict(environment)}
        with tempfile.TemporaryFile() as request:
            request.write(json.dumps(wanted).encode())
            request.seek(0)
            descriptors = [file.fileno() for file in (request, self._out, self._err)]
            socket.send_fds(_server()[0], [b"!"], [*descriptors, writing])
        os.close(writing)
        self.pid = int(self._reply.readline())

    def poll(self) -> int | None:
        """Its exit status, or None while it runs."""
        if self.returncode is None and select.select([self._reply], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Block until it ends.

        Raises:
            subprocess.TimeoutExpired: After so many seconds.
        """
        if self.returncode is None:
            if not select.select([self._reply], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            self.returncode = int(self._reply.readline())
            self._reply.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Block until it ends, and give what it printed: on standard output, and as errors."""
        self.wait(timeout)
        printed = []
        for file in (self._out, self._err):
            file.seek(0)
            printed.append(file.read().decode().replace("\r\n", "\n").replace("\r", "\n"))
        return printed[0], printed[1]

    def send_signal(self, sign: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, sign)

    def kill(self) -> None:
        """Send SIGKILL, unless it has ended."""
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Forked:
        """Nothing happens but at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for the script."""
        self.wait()
        self._out.close()
        self._err.close()


@functools.cache
def _server() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Start the process that forks; it ends when this one does."""
    ours, its = socket.socketpair()
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    process = subprocess.Popen(
        [sys.executable, str(SERVER), str(its.fileno())],
        env={**variables, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[its.fileno()],
    )
    its.close()
    return ours, process
