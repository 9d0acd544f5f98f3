# SPDX-License-Identifier: GPL-2.0-only
"""Processes that get less of a CPU than they want: by a limit of their cgroup, by others that want it as well."""
import contextlib
import os
import pathlib
import subprocess
import sys

from .environment import Missing
from .process import end_child

PERIOD_US = 100_000
HOG_NAME = "nt-noisy-hog"
# Where controllers are mounted: version 2 alone, version 1.
ROOTS = (pathlib.Path("/sys/fs/cgroup"), pathlib.Path("/sys/fs/cgroup/cpu"))


def _root():
    for root in ROOTS:
        if (root / "cpu.cfs_quota_us").exists():
            return root, True
        controls = root / "cgroup.subtree_control"
        if controls.exists() and "cpu" in controls.read_text(encoding="ascii").split():
            return root, False
    raise Missing("no cgroup with the cpu controller")


@contextlib.contextmanager
def cpu_quota(pid, pct):
    """The process has at most `pct` % of one CPU; afterwards it is where it was. Gives what the kernel counts of that: a function, key -> number."""
    root, version_1 = _root()
    group = root / f"nt-live-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        raise Missing(f"cannot make a cgroup: {error}") from None
    quota = PERIOD_US * pct // 100
    try:
        if version_1:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US), encoding="ascii")
            (group / "cpu.cfs_quota_us").write_text(str(quota), encoding="ascii")
        else:
            (group / "cpu.max").write_text(f"{quota} {PERIOD_US}", encoding="ascii")
        (group / "cgroup.procs").write_text(str(pid), encoding="ascii")
        yield lambda key: int(dict(line.split() for line in (group / "cpu.stat").read_text(encoding="ascii").splitlines())[key])
    finally:
        for one in (group / "cgroup.procs").read_text(encoding="ascii").split():
            (root / "cgroup.procs").write_text(one, encoding="ascii")
        group.rmdir()


@contextlib.contextmanager
def hogs_beside(pid, count):
    """The process and so many that only use CPU time have one CPU among them."""
    before, one = os.sched_getaffinity(pid), {max(os.sched_getaffinity(0))}
    hogs = [subprocess.Popen([sys.executable, "-c", f"open('/proc/self/comm', 'w').write('{HOG_NAME}')\nwhile True: pass"]) for _ in range(count)]
    try:
        for hog in hogs:
            os.sched_setaffinity(hog.pid, one)
        for tid in os.listdir(f"/proc/{pid}/task"):
            os.sched_setaffinity(int(tid), one)
        yield
    finally:
        for hog in hogs:
            end_child(hog)
        for tid in os.listdir(f"/proc/{pid}/task"):
            os.sched_setaffinity(int(tid), before)
