#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop on a real .NET process over LTTng, against what the runtime itself counted.

nettop attaches and detaches while the workload is idle, so every count must be equal, not similar.
"""
import time

from nt_live import *
from nt_live.counts import MUCH, check_collections, check_everything
from nt_live.nettop import source_of

# EventPipe is left out: what it brings to mode N compiles methods in the target, and LTTng is to be compared alone.
# It brings no exceptions: an enabled event ends a program whose message is null.
LTTNG_ALONE = ("--source", "perf,lttng,map")
# Enough bytes for 20 000 allocation samples, whose error is 0.7 %.
ALLOCATIONS = ("alloc 1900", "loh 400")


def observe(env, work, *commands, options=(), sources=("lttng",), interval_s=0.2):
    """nettop from idle to idle around these commands: its summary, the runtime's own counters, nettop, the answers."""
    work.settle()
    with Nettop(env, work.pid, *LTTNG_ALONE, *options, interval_s=interval_s) as nettop:
        nettop.wait_for_sources(*sources)
        truth, answers = work.measure(*commands)
        if "lttng" in sources:  # what is still on its way at the end counts in the summary only
            nettop.wait_for(lambda _: in_intervals(nettop, "gen0_count") >= truth.gc_counts()[0], 20, "the intervals hold all collections")
        summary = nettop.stop()
    check(summary["complete"], "the summary is not complete")
    for source in summary["sources"]:
        check_equal(f"losses of {source['name']}", source["lost"], 0)
    check(work.process.alive(), "the workload has ended")
    return summary, truth, nettop, answers


def in_intervals(nettop, key):
    return sum(line["gc"][key] or 0 for line in nettop.intervals)


def counts_are_exact(env, mode, server_gc=False):
    with Workload(env, mode=mode, server_gc=server_gc) as work:
        summary, truth, nettop, _ = observe(env, work, *MUCH)
        detail = check_everything(summary, truth, server_gc, exceptions_known=False)
        check_equal("mode", summary["target"]["mode"], mode)
        check_equal("pid", summary["target"]["pid"], work.pid)
        check_equal("runtime", summary["target"]["runtime"], work.hello["runtime"])
        if mode == "F":
            check_equal("pool threads", summary["threadpool"]["worker_count"], truth["pool_thread_count"])
        for key in ("gen0_count", "gen1_count", "gen2_count", "pause_ns"):
            check_equal(f"gc.{key} summed over the intervals", in_intervals(nettop, key), summary["gc"][key])
        return detail


@test
def counts_in_mode_n(env):
    return counts_are_exact(env, "N")


@long_test
def counts_in_mode_f(env):
    return counts_are_exact(env, "F")


@long_test
def counts_in_mode_n_under_server_gc(env):
    return counts_are_exact(env, "N", server_gc=True)


@long_test
def counts_in_mode_f_under_server_gc(env):
    return counts_are_exact(env, "F", server_gc=True)


@long_test
def mode_none_says_what_it_cannot_know(env):
    with Workload(env, mode="none") as work:
        summary, truth, _, _ = observe(env, work, *MUCH)
        detail = check_collections(summary, truth, server_gc=False)
        check_equal("mode", summary["target"]["mode"], "none")
        for part, keys in (("jit", ("method_count", "time_ns", "il_bytes", "native_bytes")), ("exceptions", ("count",)),
                           ("contention", ("count",))):
            for key in keys:
                check_equal(f"{part}.{key}", summary[part][key], None)
            check(summary[part]["reason"], f"{part} is not known and no reason is given")
        return detail


def allocated_bytes_are_right(env, mode):
    with Workload(env, mode=mode) as work:
        summary, truth, _, _ = observe(env, work, *ALLOCATIONS, options=("--alloc",))
        seen = summary["gc"]["alloc_bytes"]
        check(truth["alloc_bytes"] >= 2 << 30, "the workload allocated too little")
        check_within("allocated bytes", seen, truth["alloc_bytes"], relative=0.03)
        return f"{truth['alloc_bytes']} bytes, ratio {seen / truth['alloc_bytes']:.4f}"


@test
def allocated_bytes_in_mode_n(env):
    return allocated_bytes_are_right(env, "N")


@long_test
def allocated_bytes_in_mode_f(env):
    return allocated_bytes_are_right(env, "F")


@test
def without_the_libraries_it_says_so(env):
    """Most machines: .NET finds no liblttng-ust.so.0. CPU samples and procfs values come, the rest is null with its reason."""
    with Workload(env, mode="N", lttng=False) as work:
        work.settle()
        with Nettop(env, work.pid, *LTTNG_ALONE, *MANY_SAMPLES) as nettop:
            nettop.wait_for_sources("perf")
            work.do("compute 1000")
            summary = nettop.stop()
        check(source_of(summary, "lttng").get("reason"), "no reason for the missing runtime events")
        for part, key in (("gc", "gen0_count"), ("gc", "pause_ns"), ("jit", "method_count"), ("exceptions", "count")):
            check_equal(f"{part}.{key}", summary[part][key], None)
        check(summary["cpu"]["samples"] > 500, f"{summary['cpu']['samples']} CPU samples in a second of computing")


SPIN = "Workload.Compute.Spin"


def spin_row(line):
    return next((row for row in line["methods"] if row["name"].startswith(SPIN)), None)


class CpuClock:
    """CPU that a process and one of its threads use from now on, by the kernel's clocks."""

    def __init__(self, pid, tid):
        self.pid, self.schedstat = pid, f"/proc/{pid}/task/{tid}/schedstat"
        self.start_ns, self.start = time.monotonic_ns(), self._read()

    def _read(self):
        with open(self.schedstat, encoding="ascii") as file:
            return time.clock_gettime_ns(~self.pid << 3 | 2), int(file.read().split()[0])

    def thread_share_pct(self):
        process, thread = (now - then for now, then in zip(self._read(), self.start))
        return 100 * thread / process


@test
def hot_method_is_named(env):
    with Workload(env, mode="N") as work:
        work.do("compute 2000")  # to tier-1: at tier-0 the loop's patchpoint helper in libcoreclr takes half of the time
        work.settle()
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("perf", "lttng")
            work.settle()  # lttng-ust in the target has done what it does when a session begins
            clock = CpuClock(work.pid, work.hello["compute_tid"])
            work.do("compute 3000")
            work.do("alloc 700")
            share, end_ns = clock.thread_share_pct(), time.monotonic_ns()
            nettop.wait_for(lambda line: line["t0_ns"] > end_ns, 20, "an interval after the work")
            summary = nettop.stop()
        first = summary["methods"][0]
        check(first["name"].startswith(SPIN), f"the hottest method is {first['name']}")
        check_equal("kind", first["kind"], "jit")
        lines = [line for line in nettop.intervals if line["t1_ns"] > clock.start_ns]
        spins = [row for row in map(spin_row, lines) if row]
        self_pct, total_pct = (100 * sum(row[key] for row in spins) / sum(line["cpu"]["samples"] for line in lines)
                               for key in ("self_samples", "total_samples"))
        # Interrupts are on top of the method: 1 % of it on an idle machine, more on a busy one.
        check_within("total share", total_pct, share, absolute=3)
        check_within("self share", self_pct, total_pct, relative=0.1)
        return f"self {self_pct:.1f} %, total {total_pct:.1f} % of {share:.1f} %"


@long_test
def hot_method_changes_its_tier(env):
    # Half a second of tier-0 before the runtime looks at call counts, so that each tier can be seen.
    with Workload(env, mode="N", dotnet={"TC_CallCountingDelayMs": "500"}) as work:
        _, _, nettop, _ = observe(env, work, "compute-tiers 300 600 4000", sources=("perf", "lttng"), interval_s=0.1)
        tiers = [row["tier"] for row in map(spin_row, nettop.intervals) if row and row["self_samples"]]
        order = [tier for at, tier in enumerate(tiers) if at == 0 or tiers[at - 1] != tier]
        firsts = sorted(set(order) & {"tier0", "osr", "tier1"}, key=order.index)
        check_equal("tiers in the order of their first sight", firsts, ["tier0", "osr", "tier1"])
        return f"tiers {order}"


if __name__ == "__main__":
    main()
