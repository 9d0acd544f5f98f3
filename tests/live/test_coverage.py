#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What a figure covers. The workload works before, while and after nettop watches, and each piece of work is noted with its begin and end: what nettop has
counted must be what was done in the time that it says it covers. A piece that lies across an end of that time may be counted or not.
"""
import os
import signal
import time

from nt_live import *
from nt_live.diary import ALLOC_MB, LATE_NS, STALL_S, THROWS, Diary, check_between, lines_within, pieces_of, stalled, watched

PINNED_MB = 20
PROMOTED = 0.01
BACK_S = 3      # until EventPipe's events come again
SAMPLED = 0.15  # of allocated bytes: some hundred samples
SECTIONS = ("cpu", "gc", "jit", "threadpool", "exceptions", "contention", "threads", "memory")
SUMS = (("cpu", "time_ns"), ("cpu", "samples"), ("gc", "gen0_count"), ("gc", "pause_ns"), ("exceptions", "count"), ("contention", "count"))


def check_summary(diary, summary, intervals):
    """Whatever it covers is what was done then; it ends at one moment for all."""
    for section in SECTIONS:
        covered = summary[section]["covered_ns"]
        check(covered is not None and covered <= summary["interval_ns"], f"{section}: covers {covered} of {summary['interval_ns']}")
        check_equal(f"{section} is partial", summary[section]["partial"], covered < summary["interval_ns"] - summary["interval_ns"] // 100)
    check_between("exceptions", summary["exceptions"]["count"], diary.bounds(pieces_of(intervals, "exceptions"), THROWS))
    # The runtime collects by itself, too.
    least, _ = diary.bounds(pieces_of(intervals, "gc"), 1)
    collected = sum(summary["gc"][f"gen{i}_count"] for i in range(3))
    check(collected >= least, f"{collected} collections, {least} were done in the time that is covered")
    check_between("CPU time", summary["cpu"]["time_ns"], diary.cpu_bounds((summary["t1_ns"] - summary["cpu"]["covered_ns"], summary["t1_ns"])))


def check_sums(summary, intervals):
    """The last interval is as long as it was, and with it all of them come to the summary."""
    check_equal("intervals follow each other", [line["t0_ns"] for line in intervals[1:]], [line["t1_ns"] for line in intervals[:-1]])
    check_equal("the last interval's end", intervals[-1]["t1_ns"], summary["t1_ns"])
    for section, figure in SUMS:
        told = [line[section][figure] or 0 for line in intervals]
        if figure == "time_ns":
            told += [line["cpu"]["gap_time_ns"] or 0 for line in intervals]
        check_equal(f"{section}.{figure} of all intervals", sum(told), summary[section][figure])


def check_rates(intervals):
    """An interval that is covered in part tells of a part."""
    first = next(line for line in intervals if line["gc"]["gen0_count"] is not None)
    check(first["gc"]["covered_ns"] < first["interval_ns"], f"the first interval that tells of collections covers all of it: {first['gc']}")
    check_equal("the first interval is partial", first["gc"]["partial"], first["gc"]["covered_ns"] < 0.99 * first["interval_ns"])
    for line in intervals:
        section = line["exceptions"]
        for row in section["types"]:
            if section["covered_ns"] is None:
                check_equal("a row of which nothing was told", (row["count"], row["rate_per_s"]), (None, None))
            else:
                check_within("exceptions of a type", row["rate_per_s"] * section["covered_ns"] / 1e9, row["count"], 0.001)


def check_allocations(diary, summary, intervals):
    """The runtime's counter: nothing is told of more than was told, and an interval's amount is an estimate."""
    _, most = diary.bounds([(intervals[0]["t0_ns"], summary["t1_ns"])], ALLOC_MB << 20)
    told = [line["gc"] for line in intervals if line["gc"]["alloc_bytes"] is not None]
    check(all(gc["alloc_estimated"] for gc in told), "an interval's bytes are not marked as an estimate")
    check(sum(gc["alloc_bytes"] for gc in told) <= 1.1 * most, f"intervals tell of {[gc['alloc_bytes'] for gc in told]} bytes, {most} were allocated")
    check(summary["gc"]["alloc_bytes"] <= 1.02 * most, f"{summary['gc']['alloc_bytes']} bytes, {most} were allocated")
    covered = summary["gc"]["alloc_covered_ns"]
    check_within("bytes a second", summary["gc"]["alloc_bytes"] / covered, most / summary["interval_ns"], 0.25)


def covers_what_it_says(env, work, options=()):
    diary, summary, intervals = watched(env, work, 3.3, *options)
    check_summary(diary, summary, intervals)
    check_sums(summary, intervals)
    check_rates(intervals)
    return diary, summary, intervals, ", ".join(f"{section} {summary[section]['covered_ns'] / 1e9:.2f}" for section in SECTIONS) + \
        f" of {summary['interval_ns'] / 1e9:.2f} s"


@test
def eventpipe_comes_late(env):
    with Bare(env) as work:
        diary, summary, intervals, detail = covers_what_it_says(env, work)
        check_allocations(diary, summary, intervals)
        return detail


@long_test
def lttng_comes_late(env):
    with Workload(env, mode="N") as work:
        return covers_what_it_says(env, work)[3]


@long_test
def a_second_observer(env):
    with Bare(env) as work, Nettop(env, work.pid) as first:
        first.wait_for_sources("eventpipe")
        return covers_what_it_says(env, work)[3]


def stood_still(env, work, stall_s, follow):
    """nettop is stopped for a while: `follow(diary, intervals, summary, stopped, resumed)` looks at what it says of that time."""
    diary, summary, intervals, stopped, resumed = stalled(env, work, stall_s)
    check_summary(diary, summary, intervals)
    check_sums(summary, intervals)
    gaps = [line for line in intervals if line["cpu"]["gap_time_ns"] is not None]
    check(gaps and gaps[0]["t0_ns"] <= stopped + LATE_NS, f"no interval tells of the gap's CPU time in time: {[line['t0_ns'] - stopped for line in gaps]}")
    used = sum(line["cpu"]["gap_time_ns"] for line in gaps)
    least, most = diary.cpu_bounds((stopped, resumed))
    check(used >= least - (most - least), f"CPU time of the gap: {used}, {least} to {most} were used")
    within = lines_within(intervals, stopped, resumed)
    check(len(within) >= stall_s - 2, f"{len(within)} intervals within {stall_s} s")
    check_equal("intervals with CPU time of the gap", [line["cpu"]["time_ns"] for line in within if line["cpu"]["time_ns"] is not None], [])
    check_equal("intervals with threads of the gap", [line["threads"]["count"] for line in within if line["threads"]["count"] is not None], [])
    unseen = summary["interval_ns"] - summary["threads"]["covered_ns"]
    check(unseen >= (stall_s - 1) * 1e9, f"threads were looked at for all but {unseen / 1e9:.1f} s of {stall_s}")
    check(all(line["cpu"]["usage_pct"] is None or line["cpu"]["usage_pct"] < 300 for line in intervals), "an interval has the CPU time of the gap")
    return follow(intervals, within, resumed)


def nobody_watched(intervals, within, resumed):
    silent = [line for line in within if line["exceptions"]["count"] is None]
    check(len(silent) >= len(within) - 1, f"{len(silent)} of {len(within)} intervals say that nothing is known")
    check(all(line["exceptions"]["reason"] and line["gc"]["reason"] for line in silent), "no reason")
    back = next(line for line in intervals if line["t1_ns"] > resumed and line["exceptions"]["count"] is not None)
    took = (back["t1_ns"] - back["exceptions"]["covered_ns"] - resumed) / 1e9
    check_limit("seconds until EventPipe's events came again", took, BACK_S)
    return f"{len(silent)} intervals unknown, back after {took:.1f} s"


def all_was_stored(_, within, __):
    check_equal("intervals without collections", [line["gc"]["gen0_count"] for line in within if not line["gc"]["gen0_count"]], [])
    check_equal("intervals that are covered in part", [line["gc"]["covered_ns"] for line in within if line["gc"]["partial"]], [])
    return f"{len(within)} intervals as if nothing had been"


@test
def nettop_stood_still_on_eventpipe(env):
    with Bare(env) as work:
        return stood_still(env, work, STALL_S, nobody_watched)


@long_test
def nettop_stood_still_on_lttng(env):
    with Workload(env, mode="N") as work:
        return stood_still(env, work, STALL_S, all_was_stored)


@long_test
def nettop_stood_still_for_long(env):
    with Bare(env) as bare, Workload(env, mode="N") as work:
        return f"EventPipe: {stood_still(env, bare, 15, nobody_watched)}; LTTng: {stood_still(env, work, 15, all_was_stored)}"


@test
def a_stopped_target_allocates_nothing(env):
    """The last rate of the runtime's counter is not repeated while it is silent."""
    with Bare(env) as work, Nettop(env, work.pid, interval_s=0.5) as nettop:
        Diary(work).go_on(0.5)
        nettop.wait_for(lambda line: line["gc"]["alloc_bytes"] is not None, 20, "allocated bytes are known")
        Diary(work).go_on(1)
        os.kill(work.pid, signal.SIGSTOP)
        try:
            stopped = time.monotonic_ns()
            line = nettop.wait_for(lambda line: line["t0_ns"] > stopped + 1_500_000_000, 20, "an interval in which the target stood still")
        finally:
            os.kill(work.pid, signal.SIGCONT)
        check_equal("bytes allocated meanwhile", line["gc"]["alloc_bytes"], None)
        check(line["gc"]["alloc_reason"], "no reason")
        return line["gc"]["alloc_reason"]


@long_test
def sampled_allocations_cover_what_they_say(env):
    with Bare(env) as work:
        diary, summary, _ = watched(env, work, 3.3, "--alloc")
        covered = summary["allocations_covered_ns"]
        check(0 < covered < summary["interval_ns"], f"covers {covered} of {summary['interval_ns']}")
        least, most = diary.bounds([(summary["t1_ns"] - covered, summary["t1_ns"])], ALLOC_MB << 20)
        told = sum(row["bytes_per_s"] for row in summary["allocations"]) * covered / 1e9
        check_within("allocated bytes by type", told, (least + most) / 2, SAMPLED)
        return f"{told / (least + most) * 2:.3f} of what was allocated"


@test
def promoted_bytes_hold_the_pinned_heap(env):
    with Bare(env) as work, Nettop(env, work.pid, "--source", "eventpipe,procfs") as nettop:
        nettop.wait_for_sources("eventpipe")
        truth = work.do(f"poh {PINNED_MB}")["promoted_bytes"]
        line = nettop.wait_for(lambda line: any(row["generation"] == 2 and row["promoted_bytes"] for row in line["gc"]["collections"]), 20,
                               "the collection")
        told = next(row["promoted_bytes"] for row in line["gc"]["collections"] if row["generation"] == 2)
        check_within("promoted bytes", told, truth, PROMOTED)
        # The workload holds all of it by one local variable; a full collection finds nothing from generations that it leaves out.
        marked = {key: line["gc"][f"marked_{key}_bytes"] for key in ("stacks", "handles", "finalizers", "older", "other")}
        check(marked["stacks"] is not None and marked["stacks"] > PINNED_MB << 20, f"where it stays alive from: {marked}")
        return f"{told} of {truth} bytes, alive from {marked}"


if __name__ == "__main__":
    main()
