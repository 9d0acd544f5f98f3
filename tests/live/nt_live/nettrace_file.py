# SPDX-License-Identifier: GPL-2.0-only
"""What TraceEvent, Microsoft's reader, finds in a nettrace file or a .trace.zip, whoever has written it."""
import collections
import json
import subprocess

from .environment import REPO, run_script
from .eventpipe import RUNTIME_GUID
from .method_names import Method
from .process import Failure

REPLAY_S = 60

Code = collections.namedtuple("Code", "begin size method")  # addresses, a Method


class NettraceFile:
    """Of a file that is whole."""

    def __init__(self, path):
        _reader()  # missing: it is said before anything is recorded
        self.path = path

    def runtime_events(self):
        """The runtime's events by id."""
        rows = (line.split() for line in self._read())
        return collections.Counter(int(event) for _, provider, event in rows if provider == RUNTIME_GUID)

    def collections(self):
        """The collections as TraceEvent's GCStats have them (tests/tools/traceevent/Collections.cs), oldest first."""
        return [json.loads(line) for line in self._read("--collections")]

    def compilations(self):
        """The compilations as TraceEvent's JITStats have them (tests/tools/traceevent/Compilations.cs), oldest first, and their sums."""
        *rows, sums = (json.loads(line) for line in self._read("--compilations"))
        return rows, sums

    def samples(self):
        """The CPU samples as TraceEvent's TraceLog has them (tests/tools/traceevent/Samples.cs): sums by thread and method."""
        return json.loads(self._read("--samples")[0])

    def methods(self):
        """A Code of each method that was compiled meanwhile, or that the runtime listed at the end, in this order."""
        for line in self._read("--methods"):
            numbers, name, signature = line.split("\t")
            begin, size, _, _, kind = numbers.split(" ", 4)
            yield Code(int(begin, 16), int(size, 16), Method(kind, name, signature))

    def frames(self):
        """(address, name as dotnet-trace shows it) of the places in managed methods that its call stacks have."""
        for line in self._read("--frames"):
            address, name = line.split(" ", 1)
            yield int(address, 16), name

    def _read(self, *options):
        return _read(*options, self.path)


def replayed(env, path):
    """What nettop makes of a file, whoever has written it: its lines of JSON, and what it says besides."""
    done = subprocess.run([str(env.nettop), "replay", str(path), "--json", "--top", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=REPLAY_S, check=False)
    if done.returncode != 0:
        raise Failure(f"nettop replay {path}: exit status {done.returncode}: {done.stderr[-400:]}")
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def perfcollect_samples(path):
    """The CPU samples of a .trace.zip as TraceEvent's reader of perfcollect's archives has them: sums by method."""
    return json.loads(_read("--perf", path)[0])


def _reader():
    return run_script(REPO / "tests/tools/nuget-program.sh", "traceevent")


def _read(*arguments):
    return subprocess.run(["dotnet", _reader(), *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
