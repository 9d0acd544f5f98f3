#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop for a long time at a target that always does the same: its memory and its descriptors must not grow.

    SOAK_MINUTES=120 tests/long/test_soak.py
"""
import os
import re
import time

from nt_long import TESTS  # makes the modules below known  # noqa: F401
from nt_live import Nettop, SessionDaemon, Workload, check, main, test
from nt_long.feeder import Feeder

MINUTES = float(os.environ.get("SOAK_MINUTES", "10"))
# Nothing that makes new methods: their names are kept, and that is growth of the target.
THE_SAME = ("compute 60", "alloc 20", "throw 20", "locks 3", "pool 200", "gc 0")
GROWTH_BYTES = 2 << 20  # of the mean, from the second to the last quarter: pages that were not touched before
DELIVER_S = 60


def resident_bytes(pid):
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        return int(re.search(r"^VmRSS:\s+(\d+) kB", file.read(), re.M)[1]) << 10


def mean(values):
    return sum(values) / len(values)


def slope_per_hour(times, values):
    """Of the straight line with the least squares."""
    t, v = mean(times), mean(values)
    spread = sum((at - t) ** 2 for at in times)
    return 3600 * sum((at - t) * (value - v) for at, value in zip(times, values)) / spread


def watch(nettop):
    """(time, resident bytes, descriptors) at each interval."""
    seen, until = [], time.monotonic() + 60 * MINUTES
    while time.monotonic() < until:
        nettop.wait_for(lambda line: True, DELIVER_S, "an interval")
        nettop.intervals.clear()
        seen.append((time.monotonic(), resident_bytes(nettop.process.pid), len(os.listdir(f"/proc/{nettop.process.pid}/fd"))))
    return seen


@test
def memory_and_descriptors_do_not_grow(env):
    with SessionDaemon(env), Workload(env, mode="N") as work, Nettop(env, work.pid, interval_s=1) as nettop:
        nettop.wait_for_sources("perf", "lttng", seconds=DELIVER_S)
        with Feeder(work, THE_SAME) as feeder:
            seen = watch(nettop)
            feeder.stop()
        nettop.stop(DELIVER_S)
    quarter = len(seen) // 4
    check(quarter > 1, f"only {len(seen)} intervals")
    early, late, settled = seen[quarter:2 * quarter], seen[-quarter:], seen[quarter:]
    growth = mean([rss for _, rss, _ in late]) - mean([rss for _, rss, _ in early])
    slope = slope_per_hour([at for at, *_ in settled], [rss for _, rss, _ in settled])
    most_early, most_late = (max(count for *_, count in part) for part in (early, late))
    text = (f"{MINUTES:g} minutes, {len(seen)} intervals: RSS {late[-1][1] / 1e6:.1f} MB, {slope / 1e6:+.2f} MB/h after the first quarter; "
            f"descriptors {most_early}, then {most_late}")
    check(growth <= GROWTH_BYTES and most_late <= most_early, text)
    return text


if __name__ == "__main__":
    main()
