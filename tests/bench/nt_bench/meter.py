# SPDX-License-Identifier: GPL-2.0-only
"""CPU time and memory of running programs, read from outside."""
import os
import time

NS_PER_S = 1_000_000_000
MB = 1e6
BESIDES_PAST_MB = 24
PAST_BUFFERS_MB, PAST_MB_PER_S, PAST_MB = 8, 0.04, 33.6  # what is not packed yet and zstd's own; each interval; all of it


def resident_limit_mb(seconds):
    """What a screen may take that has been open for so long: the past that it keeps grows up to its own bound."""
    return BESIDES_PAST_MB + min(PAST_BUFFERS_MB + PAST_MB_PER_S * seconds, PAST_MB)


def cpu_ns(pid):
    """CPU time of a process, all its threads, ended ones too; still there when it is a zombie. None when it is gone.

    The kernel's CPU clock of the process: it counts ns, where the fields of /proc/PID/stat count 10 ms.
    """
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)
    except OSError:
        return None


def program_of(pid):
    """File name of what a process runs; "" when it is gone or a zombie."""
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return ""


def children_of(pid):
    found = []
    try:
        for tid in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{tid}/children", encoding="ascii") as file:
                found += [int(child) for child in file.read().split()]
    except OSError:
        pass
    return found


def tree_of(pid):
    """A process and all that descend from it."""
    found = [pid]
    for parent in found:
        found += children_of(parent)
    return found


def is_lttng_daemon(pid):
    return program_of(pid).startswith("lttng-")


def peak_rss_bytes(pid):
    """The most memory that a process had resident so far; None when it is gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return None


class Meter:
    """What a program and its helpers have used: sample() now and then, because what has ended can no longer be asked."""

    def __init__(self, root_pid, of_daemons=False):
        """of_daemons: the LTTng daemons below root_pid, else everything below it but these."""
        self.root_pid = root_pid
        self.of_daemons = of_daemons
        self._last = {}

    def sample(self):
        """Sum of the CPU time of all seen so far, in ns."""
        for pid in tree_of(self.root_pid):
            used = cpu_ns(pid)
            if used is not None and (pid in self._last or is_lttng_daemon(pid) == self.of_daemons):
                self._last[pid] = used
        return sum(self._last.values())
