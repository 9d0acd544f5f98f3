# SPDX-License-Identifier: GPL-2.0-only
"""A FIFO at which a process of the stranger's waits for somebody to open it: what nettop opens can be seen by that."""
import os
import subprocess

from nt_live.process import wait_until
from nt_live.runner import check

from .stranger import as_stranger


class Trap:
    """`with Trap(path) as trap: ...; trap.check_not_opened("as perf map")`"""

    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen(as_stranger("sh", "-c", 'mkfifo "$0" && exec 3> "$0" && echo opened', path), stdout=subprocess.PIPE)
        wait_until(lambda: path.exists() and self._sleeps_in_open(), 10, "the stranger waits at the FIFO")

    def _sleeps_in_open(self):
        """Within the system call openat(), its number and the path's address are what the kernel says of a sleeping process."""
        with open(f"/proc/{self.process.pid}/syscall", encoding="ascii") as file:
            return file.read().split()[0] in ("257", "56")  # of x86-64, of arm64

    def waits(self):
        """Nobody has opened it until now: whoever does wakes the writer before that open() returns."""
        return self.process.poll() is None and self._sleeps_in_open()

    def check_not_opened(self, what):
        check(self.waits(), f"{what}: nettop has opened the FIFO")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        """Opening it ends the process, which proves that it would have been seen."""
        try:
            if self.process.poll() is None:
                os.close(os.open(self.path, os.O_RDONLY | os.O_NONBLOCK))
                said, _ = self.process.communicate(timeout=10)
                check(kind or said == b"opened\n", f"the one who waits at the FIFO said {said}")
        finally:
            self.process.kill()
            self.process.wait()
