#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Collections against TraceEvent's GCStats, which PerfView shows: dotnet-trace records while nettop watches, and every column that both have is equal.

Numbers that the runtime says are compared with the nettop that watched. It has sessions of its own, in which each event has a time of its own: the times of its rows are within a
tolerance. What nettop makes of the recorded stream itself (`nettop replay`) has its times to the nanosecond.
"""
from nt_live import *
from nt_live.dotnet_trace import DotnetTrace
from nt_live.gcstats import ROUNDING_NS, check_heaps, check_numbers, check_times, in_one_stop, kind_of, shared_stop
from nt_live.nettrace_file import replayed

GC_KEYWORD, INFORMATIONAL = 0x1, 4
# Small objects, large ones, pinned ones; collections of each generation, in the background, and what the program's own allocating brings.
WORK = (*EVERYTHING, "poh 4", "alloc 300", "loh 100", "gc-background", "alloc 100", "gc 1 3", "gc 2 2")
LATE_NS = 20_000_000  # a thread that loses its CPU between the writings of one event into two sessions


def read_by_nettop(env, path):
    """The rows that nettop makes of a recorded stream, by number."""
    return {row["number"]: row for line in replayed(env, path)[0] for row in line["gc"]["collections"]}


def watched_and_recorded(env, **how):
    """The same collections by TraceEvent, by the nettop that watched, and by nettop out of the recording."""
    with Bare(env, **how) as work, DotnetTrace(env, work.pid, GC_KEYWORD, INFORMATIONAL) as trace, \
            Nettop(env, work.pid, "--source", "eventpipe,procfs") as nettop:
        nettop.wait_for_sources("eventpipe")
        work.settle()
        nettop.wait_for(lambda line: line["gc"]["gen0_count"] is not None, 20, "collections are counted")
        first = work.mark("first")["gc0_count"]
        for command in WORK:
            work.do(command)
        work.settle()
        last = work.mark("last")["gc0_count"]
        trace.end()
        nettop.stop()
    rows = {row["number"]: row for line in nettop.intervals for row in line["gc"]["collections"]}
    heaps = {line["gc"]["heaps"][0]["collection"]: line["gc"]["heaps"] for line in nettop.intervals if line["gc"]["heaps"]}
    return [gc for gc in trace.collections() if first < gc["number"] <= last], rows, heaps, read_by_nettop(env, trace.path)


def equal_to_gcstats(env, least, **how):
    collections, watched, heaps, recorded = watched_and_recorded(env, **how)
    check(len(collections) >= least, f"{len(collections)} collections in GCStats")
    compared = [gc for gc in collections if gc["number"] in heaps and gc["after_by_heap_bytes"]]  # of some in the background TraceEvent has none
    check(compared, f"no heaps of a collection of GCStats: {list(heaps)}")
    for gc in compared:
        check_heaps(gc, heaps[gc["number"]])
    for gc in collections:
        number = gc["number"]
        check(number in watched and number in recorded, f"collection {number} of GCStats: watched {number in watched}, in the recording {number in recorded}")
        check_numbers(gc, watched[number])
        check_numbers(gc, recorded[number])
        if not in_one_stop(gc) and not shared_stop(collections, gc):
            check_times(gc, recorded[number], ROUNDING_NS)
            check_times(gc, watched[number], LATE_NS)
    kinds = collections_by_kind(collections)
    for kind in ("eph", "blk", "bg"):
        check(kinds.get(kind), f"no collection of the kind {kind}: {kinds}")
    return f"{len(collections)} collections, {kinds}"


def collections_by_kind(collections):
    kinds = [kind_of(gc) for gc in collections]
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}


@test
def workstation(env):
    return equal_to_gcstats(env, 20)


@test
def server(env):
    return equal_to_gcstats(env, 10, server_gc=True)


@long_test
def dotnet_9(env):
    return equal_to_gcstats(env, 20, program=env.selfcontained("net9.0"))


@long_test
def dotnet_8(env):
    return equal_to_gcstats(env, 20, program=env.selfcontained("net8.0"))


if __name__ == "__main__":
    main()
