# SPDX-License-Identifier: GPL-2.0-only
"""What nettop counted, against what the runtime says of itself: the same for every source of the runtime's events."""
from .runner import check, check_equal, check_limit, check_within

# Many collections of all kinds, and enough compiling that 5 % of its time mean something.
MUCH = ("alloc 800", "loh 300", "gc 0", "gc 1", "gc 2") + ("gc-background", "alloc 20") * 4 + (
    "jit-expr 250", "jit-dynamic 100", "generics 150", "throw 500", "locks 200", "pool 2000", "async 200", "compute 200")


def check_collections(summary, truth, server_gc):
    gc = summary["gc"]
    check_equal("collections per generation", [gc[f"gen{n}_count"] for n in range(3)], truth.gc_counts())
    if server_gc:
        check_within("pause", gc["pause_ns"], truth["gc_pause_ns"], absolute=max(0.06 * truth["gc_pause_ns"], 5e5 * truth["gc0_count"]) + truth["waited_ns"])
    else:
        check_within("pause", gc["pause_ns"], truth["gc_pause_ns"], absolute=0.03 * truth["gc_pause_ns"] + truth["waited_ns"])
    check(0 < gc["pause_max_ns"] <= gc["pause_ns"], f"longest pause {gc['pause_max_ns']} of {gc['pause_ns']}")
    return f"{truth.gc_counts()} collections, pause {gc['pause_ns'] / truth['gc_pause_ns']:.4f}"


def check_everything(summary, truth, server_gc, around=None, exceptions_known=True):
    """
    `around`: the same of a somewhat longer time. What publishes counters is compiled again after 30 periods, whatever the workload does: those
    methods nettop may have counted, too.
    `exceptions_known`: a source that can bring them without harm is open; else they must be unknown, with the reason, and so must waits for locks.
    """
    detail = check_collections(summary, truth, server_gc)
    jit, most = summary["jit"], around or truth
    check(truth["jit_method_count"] <= jit["method_count"] <= most["jit_method_count"],
          f"methods compiled: {jit['method_count']}, expected {truth['jit_method_count']} to {most['jit_method_count']}")
    # Both are wall time, from one moment of a compilation to another: where a thread loses its CPU between the two moments of the one and of the other, they differ by that.
    check_limit("least JIT time", 0.95 * truth["jit_time_ns"] - truth["waited_ns"], jit["time_ns"])
    check_limit("JIT time", jit["time_ns"], 1.05 * most["jit_time_ns"] + most["waited_ns"])
    # A lower bound: the runtime's event says 0 for a dynamic method.
    check(0 < jit["il_bytes"] <= most["jit_il_bytes"], f"IL compiled {jit['il_bytes']} of {most['jit_il_bytes']}")
    if exceptions_known:
        check_equal("exceptions", summary["exceptions"]["count"], truth["exception_count"])
        check_equal("contentions", summary["contention"]["count"], truth["contention_count"])
    else:
        check_equal("exceptions", summary["exceptions"]["count"], None)
        check("EventPipe" in (summary["exceptions"]["reason"] or ""), f"why exceptions are unknown: {summary['exceptions']['reason']}")
        # Nor all waits for locks, since there is System.Threading.Lock.
        check_equal("contentions", summary["contention"]["count"], None)
        check("System.Threading.Lock" in (summary["contention"]["reason"] or ""), f"why waits are unknown: {summary['contention']['reason']}")
    return (f"{detail}, {jit['method_count']} methods, JIT time {jit['time_ns'] / truth['jit_time_ns']:.4f}, "
            f"{summary['exceptions']['count']} exceptions, {truth['contention_count']} contentions")
