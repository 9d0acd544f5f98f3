#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Who tells of a kind of event is who tells of all of it: nothing is counted in part, and nothing that nobody tells of is a 0."""
import time

from nt_live import *
from nt_live import eventpipe

LTTNG_ALONE = ("--source", "perf,lttng,map")
LOCKS, NEW_LOCKS = 60, 70
# Keywords of mode N without compilations and locks; without all but those of allocations.
NO_JIT_NO_LOCKS = "Microsoft-Windows-DotNETRuntime:80000000001:5"
NO_COLLECTIONS = "Microsoft-Windows-DotNETRuntime:80000000000:5"
SEEN_S = 20


def count(env, work, *commands, options=(), sources=("lttng",)):
    """
    nettop from idle to idle around these commands: its summary, and the runtime's own counters. To begin a session makes the runtime wait for locks of its own: those
    of before are taken off.
    """
    work.settle()
    with Nettop(env, work.pid, *options) as nettop:
        nettop.wait_for_sources(*sources)
        work.settle()
        settled_ns = time.monotonic_ns()
        nettop.wait_for(lambda line: line["t0_ns"] > settled_ns, SEEN_S, "an interval after that")
        early = sum(line["contention"]["count"] or 0 for line in nettop.intervals)
        truth, _ = work.measure(*commands)
        summary = nettop.stop()
        if summary["contention"]["count"] is not None:
            summary["contention"]["count"] -= early
        return summary, truth


def both_kinds(env, mode):
    """Monitor and System.Threading.Lock."""
    with SessionDaemon(env), Workload(env, mode=mode) as work:
        summary, truth = count(env, work, f"locks {LOCKS}", f"new-locks {NEW_LOCKS}", sources=("lttng", "eventpipe"))
        check_equal("contentions by the runtime's count", truth["contention_count"], LOCKS + NEW_LOCKS)
        check_equal("contentions", summary["contention"]["count"], LOCKS + NEW_LOCKS)


@test
def both_kinds_of_locks_in_mode_n(env):
    return both_kinds(env, "N")


@long_test
def both_kinds_of_locks_in_mode_f(env):
    return both_kinds(env, "F")


def check_unknown(summary, part, key, words):
    check_equal(f"{part}.{key}", summary[part][key], None)
    check(words in (summary[part]["reason"] or ""), f"why {part}.{key} is not known: {summary[part]['reason']}")


@test
def locks_are_unknown_over_lttng_alone(env):
    with SessionDaemon(env), Workload(env) as work:
        summary, _ = count(env, work, f"locks {LOCKS}", f"new-locks {NEW_LOCKS}", options=LTTNG_ALONE)
        check_unknown(summary, "contention", "count", "System.Threading.Lock")
        return summary["contention"]["reason"]


@test
def what_the_filter_leaves_out_is_unknown(env):
    """LTTng alone: not 0."""
    with SessionDaemon(env), Workload(env, dotnet={"LTTngConfig": NO_JIT_NO_LOCKS}) as work:
        summary, truth = count(env, work, f"locks {LOCKS}", "jit-dynamic 20", "gc 2", options=LTTNG_ALONE)
        check_equal("collections", summary["gc"]["gen2_count"], truth["gc2_count"])
        for part, key in (("jit", "method_count"), ("contention", "count")):
            check_unknown(summary, part, key, "DOTNET_LTTngConfig leaves out compilations, locks")
        return summary["jit"]["reason"]


@test
def eventpipe_brings_what_the_filter_leaves_out(env):
    with SessionDaemon(env), Workload(env, dotnet={"LTTngConfig": NO_JIT_NO_LOCKS}) as work:
        summary, truth = count(env, work, f"locks {LOCKS}", f"new-locks {NEW_LOCKS}", "gc 2", "throw 30", sources=("eventpipe",))
        check_equal("contentions", summary["contention"]["count"], LOCKS + NEW_LOCKS)
        check_equal("collections", summary["gc"]["gen2_count"], truth["gc2_count"])
        check_equal("exceptions", summary["exceptions"]["count"], 30)
        check(summary["jit"]["method_count"] is not None, "compilations are not known")


@test
def collections_without_their_keyword(env):
    """What is told of collections in any case is enough to count them."""
    with SessionDaemon(env), Workload(env, dotnet={"LTTngConfig": NO_COLLECTIONS}) as work:
        summary, truth = count(env, work, "gc 0 3", "gc 1 2", "gc 2 2", "gc-background", options=LTTNG_ALONE)
        check_equal("collections", [summary["gc"][f"gen{n}_count"] for n in range(3)], truth.gc_counts())
        check_within("pause", summary["gc"]["pause_ns"], truth["gc_pause_ns"], absolute=0.06 * truth["gc_pause_ns"] + truth["waited_ns"])


@test
def pool_beside_a_foreign_session(env):
    """
    Over LTTng alone, in mode F. A session at the level of exceptions silences the pool's events, which are of managed code, for LTTng, too, and for good: then
    the last that was told is no longer so, and "none starved" not known.
    """
    with SessionDaemon(env), Workload(env, mode="F") as work:
        work.settle()
        with Nettop(env, work.pid, *LTTNG_ALONE) as nettop:
            nettop.wait_for_sources("lttng")
            work.do("pool 2000")
            nettop.wait_for(lambda line: line["threadpool"]["goal_count"] is not None, SEEN_S, "the pool's events come")
            check_equal("starved", nettop.intervals[-1]["threadpool"]["starved_count"], 0)
            other = eventpipe.Session(work.pid, [(eventpipe.RUNTIME, 0x8000, 2)], old=True)
            nettop.wait_for(lambda line: line["threadpool"]["goal_count"] is None, SEEN_S, "the pool's events are no longer believed")
            other.stop()
            work.do("starve 20 300")
            summary = nettop.stop()
    for key in ("goal_count", "injected_count", "starved_count"):
        check_unknown(summary, "threadpool", key, "an EventPipe session may have silenced")
    check(summary["threadpool"]["worker_count"], "the workers are not those of /proc")


if __name__ == "__main__":
    main()
