# SPDX-License-Identifier: GPL-2.0-only
"""A program that was started with nothing set, as most are: what nettop changes in it, and whether it is as before afterwards."""
import contextlib
import os
import pathlib

from .eventpipe import sessions_of
from .process import OutOfLimit, descendants, wait_until
from .workload import Workload

ENDS_S = 5


def open_files(pid):
    for link in os.scandir(f"/proc/{pid}/fd"):
        try:
            yield os.readlink(link.path)
        except FileNotFoundError:
            pass


class Bare(Workload):
    """A workload with an empty environment, as far as the runtime is concerned."""

    def __init__(self, env, **options):
        super().__init__(env, mode="none", perf_map=False, lttng=False, **options)

    @property
    def map(self):
        return pathlib.Path(f"/tmp/perf-{self.pid}.map")

    def spin(self):
        self.process.send_line("compute 60000")

    def writes_map(self):
        """Does the runtime have its perf map open?"""
        return any(f"perf-{self.pid}.map" in target for target in open_files(self.pid))

    def leftovers(self):
        """What nettop has left behind in or for this target; other tools' sessions are counted, too."""
        left = [str(self.map)] if self.map.exists() else []
        left += ["the map is on"] if self.writes_map() else []
        left += [f"{count} sessions"] if (count := self._sessions_left()) > 0 else []
        return left + [str(path) for folder in ("/run/nettop", "/run/user/*/nettop", "/dev/shm/nettop-*") for path in
                       pathlib.Path("/").glob(f"{folder[1:]}/map-*-{self.pid}-*")]

    def _sessions_left(self):
        """They are counted by their threads, which a busy machine gives a CPU for their last steps a moment after nettop has ended."""
        try:
            wait_until(lambda: sessions_of(self.pid) <= 0, ENDS_S, "its sessions end")
        except OutOfLimit:
            pass
        return sessions_of(self.pid)


@contextlib.contextmanager
def contained(env, size="50%", user=()):
    """
    A bare one with pids and mounts of its own, and a folder for temporary files, so large, that only it sees. `user`: what makes it another user's. Gives it, its
    pid, and that folder, as we reach it.
    """
    env.need_commands("unshare", "mount")
    inner = env.open_scratch / "inner"
    inner.mkdir(exist_ok=True)
    shell = f'mount -t tmpfs -o mode=1777,size={size} tmpfs {inner} && exec "$@"'
    under = ("unshare", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc", "sh", "-c", shell, "sh", *user)
    with Bare(env, under=under, variables={"TMPDIR": str(inner)}, dotnet={"PerfMapJitDumpPath": str(inner)}) as work:
        pid = next(pid for pid, name in descendants(work.pid).items() if name == "dotnet")
        yield work, pid, pathlib.Path(f"/proc/{pid}/root{inner}")
