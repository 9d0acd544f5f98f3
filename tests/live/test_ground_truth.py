#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Without nettop: what the workload says about itself is what LTTng's own tools see of it.

This is what the other live tests stand on: the workload is idle where it should be, its counters are right, and the
genuine lttng-ust libraries deliver every event.
"""
from nt_live import *
from nt_live.lttng import field


def record(env, work, daemon, *commands):
    """Records from idle to idle; the runtime's own counters of that time, and the recording."""
    daemon.wait_for_app(work.pid)
    work.settle()
    recording = Recording(env, work.pid)
    recording.start()
    truth, _ = work.measure(*commands)
    recording.stop()
    return truth, recording


def compare(truth, recording, gc_event, jit=True):
    """Every count of the recording against the runtime's own."""
    counts, generations = {}, [0, 0, 0]
    for name, _, _, payload in recording.events():
        counts[name] = counts.get(name, 0) + 1
        if name == gc_event:
            generations[field(payload, "Depth")] += 1
    check_equal("collections per generation", generations, truth.gc_counts())
    if jit:
        loaded = sum(count for name, count in counts.items() if name.startswith("MethodLoadVerbose"))
        started = sum(count for name, count in counts.items() if name.startswith("MethodJittingStarted"))
        check_equal("methods begun and loaded", started, loaded)
        check_equal("methods compiled", loaded, truth["jit_method_count"])
        check_equal("contentions", counts.get("ContentionStart_V2", 0), truth["contention_count"])
    return counts, (f"{truth.gc_counts()} collections, {truth['jit_method_count']} methods, "
                    f"{truth['contention_count']} contentions")


@test
def own_counts_add_up(env):
    """What was asked for is what the runtime counted; an idle time counts nothing."""
    with Workload(env, mode="none", lttng=False) as work:
        truth, _ = work.measure("throw 33", "locks 44", "gc 0", "gc 1", "gc 1", "gc 2")
        check_equal("exceptions", truth["exception_count"], 33)
        check_equal("exceptions by own count", truth["exception_thrown_count"], 33)
        check_equal("contentions", truth["contention_count"], 44)
        check_equal("collections", truth.gc_counts(), [1, 2, 1])
        truth, answers = work.measure("alloc 100", "loh 50")
        asked = sum(answer["bytes"] for answer in answers)
        check_within("allocated bytes", truth["alloc_bytes"], asked, absolute=200_000)
        check(work.do("gc-background")["background"], "a background collection was a blocking one")
        truth, answers = work.measure("compute 300")
        check_within("CPU of the compute thread", answers[0]["cpu_ns"], 300e6, relative=0.05)
        check_equal("tid of the compute thread", answers[0]["tid"], work.hello["compute_tid"])
        truth, _ = work.measure("idle 1500")
        check_equal("methods compiled while idle", truth["jit_method_count"], 0)
        check_equal("collections while idle", truth.gc_counts(), [0, 0, 0])
        check_equal("exceptions while idle", truth["exception_count"], 0)
        check_within("bytes allocated while idle", truth["alloc_bytes"], 0, absolute=2000)
        check_equal("exit status", work.quit(), 0)


def mode_is_exact(env, mode, server_gc=False):
    with SessionDaemon(env) as daemon, Workload(env, mode=mode, server_gc=server_gc) as work:
        check_equal("server GC", work.hello["server_gc"], server_gc)
        truth, recording = record(env, work, daemon, *EVERYTHING)
        counts, detail = compare(truth, recording, "GCEnd_V1")
        pool_events = counts.get("ThreadPoolWorkerThreadStart", 0) + counts.get("ThreadPoolWorkerThreadWait", 0)
        check(bool(pool_events) == (mode == "F"), f"{pool_events} pool events in mode {mode}")
        return detail


@test
def mode_n_is_exact(env):
    return mode_is_exact(env, "N")


@long_test
def mode_f_is_exact(env):
    return mode_is_exact(env, "F")


@long_test
def mode_n_is_exact_under_server_gc(env):
    return mode_is_exact(env, "N", server_gc=True)


@long_test
def mode_f_is_exact_under_server_gc(env):
    return mode_is_exact(env, "F", server_gc=True)


@long_test
def mode_none_gives_collections_only(env):
    with SessionDaemon(env) as daemon, Workload(env, mode="none") as work:
        truth, recording = record(env, work, daemon, *EVERYTHING)
        counts, detail = compare(truth, recording, "GCEnd_V1", jit=False)
        for event in ("GCStart_V2", "MethodLoadVerbose_V2", "ContentionStart_V2"):
            check_equal(f"{event} in mode none", counts.get(event, 0), 0)
        return detail


@test
def hot_method_goes_through_the_tiers(env):
    """Tier-0, then replaced on the stack, then tier-1: the perf map has a line each, in this order."""
    with Workload(env, mode="none", lttng=False) as work:
        work.do("compute-tiers 60 500 300")
        work.settle()
        with open(f"/tmp/perf-{work.pid}.map", encoding="utf-8", errors="replace") as map_file:
            tiers = [line.rsplit("[", 1)[1].strip("]\n") for line in map_file if "Workload.Compute::Spin" in line]
        order = [tier for tier in tiers if tier != "InstrumentedTier"]
        check_equal("tiers of Spin", order, ["QuickJitted", "OptimizedTier1OSR", "OptimizedTier1"])


if __name__ == "__main__":
    main()
