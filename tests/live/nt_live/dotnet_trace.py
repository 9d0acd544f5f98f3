# SPDX-License-Identifier: GPL-2.0-only
"""dotnet-trace, which stands beside nettop at the same target, and what Microsoft's reader finds in its file."""
import collections
import os
import signal
import subprocess

from .environment import REPO, run_script
from .eventpipe import RUNTIME, RUNTIME_GUID, sessions_of
from .process import Failure, LineProcess, wait_until

READY_S = 30
END_S = 60


class DotnetTrace:
    """`dotnet-trace collect` of the runtime's own events. It records from the end of the constructor on; stop() gives their counts by id."""

    def __init__(self, env, pid, keywords, level):
        tool = run_script(REPO / "tests/tools/dotnet-trace.sh")
        self._reader = run_script(REPO / "tests/tools/traceevent/build.sh")
        self.path, self._messages = env.scratch / "dotnet-trace.nettrace", env.scratch / "dotnet-trace.err"
        before = sessions_of(pid)
        command = [tool, "collect", "-p", str(pid), "--providers", f"{RUNTIME}:{keywords:#x}:{level}", "-o", str(self.path)]
        self.process = LineProcess(command, os.environ | {"DOTNET_CLI_TELEMETRY_OPTOUT": "1"}, self._messages)
        wait_until(lambda: sessions_of(pid) > before, READY_S, lambda: f"dotnet-trace has a session; it says {self.process.stderr_text()[-400:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()

    def stop(self):
        self.process.signal(signal.SIGINT)
        status = self.process.wait(END_S)
        if status != 0:
            raise Failure(f"dotnet-trace: exit status {status}: {self.process.stderr_text()[-400:]}")
        return runtime_events(self._reader, self.path)


def runtime_events(reader, path):
    """The runtime's events in a nettrace file, by id: what Microsoft's reader (tests/tools/traceevent) says."""
    done = subprocess.run(["dotnet", reader, path], stdout=subprocess.PIPE, text=True, check=True)
    rows = (line.split() for line in done.stdout.splitlines())
    return collections.Counter(int(event) for _, provider, event in rows if provider == RUNTIME_GUID)
