# SPDX-License-Identifier: GPL-2.0-only
"""dotnet-trace, which stands beside nettop at the same target."""
import os
import signal

from .environment import REPO, run_script
from .eventpipe import RUNTIME, sessions_of
from .nettrace_file import NettraceFile
from .process import Failure, LineProcess, wait_until

READY_S = 30
END_S = 60


class DotnetTrace(NettraceFile):
    """
    `dotnet-trace collect` of the runtime's own events, and of `further` providers. It records from the end of the constructor on; end() ends it, stop() also
    gives their counts by id.
    """

    def __init__(self, env, pid, keywords, level, further=()):
        tool = run_script(REPO / "tests/tools/dotnet-tool.sh", "dotnet-trace")
        super().__init__(env.scratch / "dotnet-trace.nettrace")
        self._messages = env.scratch / "dotnet-trace.err"
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
        return self.runtime_events()
