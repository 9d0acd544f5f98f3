# SPDX-License-Identifier: GPL-2.0-only
"""Something to watch: the .NET workload where there is a dotnet, else fakeclr. Both know the same commands and have the same hot method."""
import os
import pathlib
import shutil

from nt_live.environment import Missing
from nt_live.process import LineProcess
from nt_live.workload import MODES, Workload

BUSY_MS = 10 * 60 * 1000  # longer than any test
HOT = "Workload.Compute.Spin"


def _bridge_is_there(env):
    try:
        return bool(env.bridge_dir)
    except Missing:
        return False


class Target:
    """
    A process in mode N, with a perf map, with one busy thread; its hot method is called `hot`. `work`: what it does in place of computing. `named`: the
    name of the program, where one of another test is not to be taken for it.
    """

    hot = HOT

    def __init__(self, env, work=f"compute {BUSY_MS}", named=None):
        self.is_dotnet = shutil.which("dotnet") is not None
        if self.is_dotnet:
            self.has_lttng = _bridge_is_there(env)
            self._process = Workload(env, mode="N", lttng=self.has_lttng, named=named).process
        else:
            self.has_lttng = True
            self._process = self._start_fakeclr(env, named)
        self.pid = self._process.pid
        self._process.send_line(work)

    @staticmethod
    def _start_fakeclr(env, named):
        path = env.nettop.parent / "fakeclr"
        if not path.exists():
            raise Missing(f"neither dotnet nor {path} (make fakeclr)")
        if named:
            path = shutil.copy(path, env.scratch / named)
        settings = {f"DOTNET_{name}": value for name, value in (MODES["N"] | {"PerfMapEnabled": "3"}).items()}
        return LineProcess([str(path)], os.environ | settings, env.scratch / "fakeclr.err")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        pathlib.Path(f"/tmp/perf-{self.pid}.map").unlink(missing_ok=True)

    def alive(self):
        return self._process.alive()

    def signal(self, number):
        self._process.signal(number)

    def kill(self):
        """SIGKILL, and reaped: no zombie is left for nettop to look at."""
        self._process.signal(9)
        self._process.wait(5)
