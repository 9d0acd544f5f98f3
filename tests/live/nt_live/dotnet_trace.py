# SPDX-License-Identifier: GPL-2.0-only
"""dotnet-trace, which stands beside nettop at the same target, and what Microsoft's reader finds in its file."""
import collections
import json
import os
import signal
import subprocess

from .environment import REPO, run_script
from .eventpipe import RUNTIME, RUNTIME_GUID, sessions_of
from .method_names import Method
from .process import Failure, LineProcess, wait_until

READY_S = 30
END_S = 60


Code = collections.namedtuple("Code", "begin size method")  # addresses, a Method


class DotnetTrace:
    """
    `dotnet-trace collect` of the runtime's own events, and of `further` providers. It records from the end of the constructor on; end() ends it, stop() also
    gives their counts by id.
    """

    def __init__(self, env, pid, keywords, level, further=()):
        tool = run_script(REPO / "tests/tools/dotnet-tool.sh", "dotnet-trace")
        self._reader = run_script(REPO / "tests/tools/nuget-program.sh", "traceevent")
        self.path, self._messages = env.scratch / "dotnet-trace.nettrace", env.scratch / "dotnet-trace.err"
        before = sessions_of(pid)
        command = [tool, "collect", "-p", str(pid), "--providers", ",".join((f"{RUNTIME}:{keywords:#x}:{level}", *further)), "-o", str(self.path)]
        self.process = LineProcess(command, os.environ | {"DOTNET_CLI_TELEMETRY_OPTOUT": "1"}, self._messages)
        wait_until(lambda: sessions_of(pid) > before, READY_S, lambda: f"dotnet-trace has a session; it says {self.process.stderr_text()[-400:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()

    def end(self):
        self.process.signal(signal.SIGINT)
        status = self.process.wait(END_S)
        if status != 0:
            raise Failure(f"dotnet-trace: exit status {status}: {self.process.stderr_text()[-400:]}")

    def stop(self):
        self.end()
        return runtime_events(self._reader, self.path)

    def collections(self):
        """After the end: the collections as TraceEvent's GCStats have them (tests/tools/traceevent/Collections.cs), oldest first."""
        return [json.loads(line) for line in _read(self._reader, "--collections", self.path)]

    def compilations(self):
        """After the end: the compilations as TraceEvent's JITStats have them (tests/tools/traceevent/Compilations.cs), oldest first, and their sums."""
        *rows, sums = (json.loads(line) for line in _read(self._reader, "--compilations", self.path))
        return rows, sums

    def methods(self):
        """After the end: a Code of each method that was compiled meanwhile, or that the runtime listed at the end, in this order."""
        for line in _read(self._reader, "--methods", self.path):
            numbers, name, signature = line.split("\t")
            begin, size, _, _, kind = numbers.split(" ", 4)
            yield Code(int(begin, 16), int(size, 16), Method(kind, name, signature))

    def frames(self):
        """After the end: (address, name as dotnet-trace shows it) of the places in managed methods that its call stacks have."""
        for line in _read(self._reader, "--frames", self.path):
            address, name = line.split(" ", 1)
            yield int(address, 16), name


def runtime_events(reader, path):
    """The runtime's events in a nettrace file, by id: what Microsoft's reader (tests/tools/traceevent) says."""
    rows = (line.split() for line in _read(reader, path))
    return collections.Counter(int(event) for _, provider, event in rows if provider == RUNTIME_GUID)


def _read(reader, *arguments):
    return subprocess.run(["dotnet", reader, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
