# SPDX-License-Identifier: GPL-2.0-only
"""Whether threads of a process have run, by the kernel's word."""
import pathlib
import time

from .process import wait_until

REST_S = 1
SETTLED_S = 20


def run_counts(pid, tids):
    """[run time, slices] of each."""
    return {tid: pathlib.Path(f"/proc/{pid}/task/{tid}/schedstat").read_text().split()[::2] for tid in tids}


def settled(pid, tids):
    """Who waits for a monitor spins at first, and sleeps and looks again. How they are when they have not run for a second."""
    seen = [run_counts(pid, tids), time.monotonic()]

    def is_settled():
        now = run_counts(pid, tids)
        if now != seen[0]:
            seen[:] = [now, time.monotonic()]
        return time.monotonic() - seen[1] > REST_S

    wait_until(is_settled, SETTLED_S, "the threads do not run any more")
    return seen[0]
