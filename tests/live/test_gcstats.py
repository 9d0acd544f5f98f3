#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Collections against TraceEvent's GCStats, which PerfView shows: dotnet-trace records while nettop watches, and every column that both have is equal.

Numbers that the runtime says are compared with the nettop that watched. It has sessions of its own, in which each event has a time of its own: the times of its rows are within a
tolerance. What nettop makes of the recorded stream itself (tests/tools/nettrace_model) has its times to the nanosecond.
"""
import json
import subprocess

from nt_live import *
from nt_live.dotnet_trace import DotnetTrace

GC_KEYWORD, INFORMATIONAL = 0x1, 4
GENERATIONS = ("gen0", "gen1", "gen2", "loh", "poh")
# GCReason of TraceEvent, and nettop's words.
REASONS = {"AllocSmall": "gen0 budget", "Induced": "induced", "AllocLarge": "LOH allocation", "InducedNotForced": "induced, not forced",
           "InducedCompacting": "induced, compacting"}
# Small objects, large ones, pinned ones; collections of each generation, in the background, and what the program's own allocating brings.
WORK = (*EVERYTHING, "poh 4", "alloc 300", "loh 100", "gc-background", "alloc 100", "gc 1 3", "gc 2 2")
ROUNDING_NS = 20  # of milliseconds in floating point
LATE_NS = 20_000_000  # a thread that loses its CPU between the writings of one event into two sessions


def in_one_stop(gc):
    """It was announced as a background collection, and did all its work in one stop, as its history says. GCStats go by the announcement, and take the suspension for its pause."""
    return gc["type"] == "BackgroundGC" and "Concurrent" not in (gc["mechanisms"] or "Concurrent")


def kind_of(gc):
    if gc["type"] == "NonConcurrentGC" or in_one_stop(gc):
        return "eph" if gc["generation"] < 2 else "blk"
    return {"BackgroundGC": "bg", "ForegroundGC": "fg"}[gc["type"]]


def numbers_of(gc):
    """What the runtime says of a collection, by nettop's names, and out of TraceEvent's object."""
    said = {"generation": gc["generation"], "kind": kind_of(gc), "reason": REASONS[gc["reason"]], "pinned_count": gc["pinned"], "handle_count": gc["handles"],
            "finalizable_count": gc["finalizable"],
            "after_bytes": sum(gc["heap_bytes"])}
    said |= {f"{name}_bytes": size for name, size in zip(GENERATIONS, gc["heap_bytes"])}
    if gc["before_bytes"]:
        said |= {"before_bytes": sum(gc["before_bytes"]), "fragmentation_pct": 100 * sum(gc["free_bytes"]) / sum(gc["after_bytes"])}
    if gc["generation"] < 2 or gc["heap_bytes"][4] == 0:  # of a full one the runtime's sum leaves out what lives on the pinned heap, and nettop adds it
        said["promoted_bytes"] = sum(gc["promoted_bytes"])
    return said


def times_of(gc):
    """GCStats let a pause end when all threads have been let go; GC.GetTotalPauseDuration() and nettop when that begins."""
    return {"pause_ns": 1e6 * (gc["pause_ms"] - gc["restart_ms"]), "suspend_ns": 1e6 * gc["suspend_ms"]}


def shared_stop(collections, gc):
    """A background collection that begins with a younger one in the same stop: GCStats give it the suspension alone of that."""
    return gc["type"] == "BackgroundGC" and any(other["number"] == gc["number"] + 1 and other["type"] == "NonConcurrentGC" and other["suspend_ms"] == 0
                                                for other in collections)


def check_numbers(gc, row):
    for name, value in numbers_of(gc).items():
        same = abs(row[name] - value) < 1e-6 * abs(value) + 1e-9 if isinstance(value, float) and row[name] is not None else row[name] == value
        check(same, f"{name} of collection {gc['number']}: GCStats {value}, nettop {row[name]}: {gc}, {row}")


def check_times(gc, row, tolerance_ns):
    for name, value in times_of(gc).items():
        check_within(f"{name} of collection {gc['number']}: {gc}, {row}", row[name], value, absolute=tolerance_ns)


def read_by_nettop(env, path):
    """The rows that nettop makes of a recorded stream, by number."""
    tool = env.nettop.parent / "tests/tools/nettrace_model"
    if not tool.exists():
        raise Missing(f"{tool} is not built (make tools)")
    lines = subprocess.run([tool, path], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return {row["number"]: row for row in json.loads(lines[0])["gc"]["collections"]}


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
    return [gc for gc in trace.collections() if first < gc["number"] <= last], rows, read_by_nettop(env, trace.path)


def equal_to_gcstats(env, least, **how):
    collections, watched, recorded = watched_and_recorded(env, **how)
    check(len(collections) >= least, f"{len(collections)} collections in GCStats")
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
