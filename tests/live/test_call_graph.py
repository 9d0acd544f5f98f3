#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Call chains through code without frame pointers: the workload sorts with libc, which has none."""
import contextlib
import platform
import time

from nt_live import Nettop, OutOfLimit, Workload, check, main, test

COMPLETE_PCT = 95
DEADLINE_S = 40


def share(nettop):
    """None while it has no chain."""
    return nettop.intervals[-1]["chains_complete_pct"] if nettop.intervals else None


@test
def hybrid_chains_are_complete_where_frame_pointers_break(env):
    if platform.machine() != "x86_64":
        return "not on this machine"
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(Workload(env, mode="none", lttng=False))
        ways = {way: stack.enter_context(Nettop(env, work.pid, "--source", "perf", "-F", "199", "--call-graph", way, interval_s=0.5))
                for way in ("fp", "hybrid")}
        for nettop in ways.values():
            nettop.wait_for_sources("perf", "map")
        deadline = time.monotonic() + DEADLINE_S
        # The first samples may be of anything, and whole either way.
        while share(ways["fp"]) is None or (share(ways["hybrid"]) or 0) < COMPLETE_PCT or share(ways["fp"]) > share(ways["hybrid"]) - 20:
            if time.monotonic() > deadline:
                raise OutOfLimit(f"complete chains within {DEADLINE_S} s: {share(ways['hybrid'])}%; by frame pointers {share(ways['fp'])}%")
            work.do("sort 500")
            for nettop in ways.values():
                nettop.wait_for(lambda line: True, 10, "an interval")
        shares = {way: nettop.stop()["chains_complete_pct"] for way, nettop in ways.items()}
        check(shares["fp"] < shares["hybrid"] - 20, f"frame pointers are no worse: {shares}")
        rows = {row["name"]: row for row in ways["hybrid"].summary["methods"]}
        sorting = next((row for name, row in rows.items() if name.startswith("Workload.Sorting.Run")), None)
        check(sorting, f"no row of the method that sorts: {list(rows)[:20]}")
        samples = ways["hybrid"].summary["cpu"]["samples"]
        check(sorting["total_samples"] > samples / 2, f"{sorting['total_samples']} of {samples} samples are known to be below {sorting['name']}")
        return f"complete: {shares['fp']:.1f}% by frame pointers, {shares['hybrid']:.1f}% hybrid"


if __name__ == "__main__":
    main()
