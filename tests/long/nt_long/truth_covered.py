# SPDX-License-Identifier: GPL-2.0-only
"""
Rows of doc/TRUTH.md of time that is covered in part: nettop comes late, or is stopped, another one came before it, the target is stopped. The workload works all the time, and what it
has done in the time that a figure says it covers is known from its own counters before and after each piece of work.
"""
import dataclasses
import os
import signal
import time

from nt_live import Nettop, Workload
from nt_live.bare import Bare
from nt_live.diary import ALLOC_MB, Diary, lines_within, pieces_of, stalled, watched

WATCHED_S = 3.3
PINNED_MB = 20
UNKNOWN = "unknown"  # what nettop must say, and why


@dataclasses.dataclass
class Row:
    """What was done at least and at most, and what nettop says of it; None: it does not know. `least` UNKNOWN: that is what it must say."""
    title: str
    least: object
    most: object
    seen: object
    relative: float = 0

    def is_right(self):
        if self.least == UNKNOWN:
            return self.seen is None
        return self.seen is not None and (1 - self.relative) * self.least <= self.seen <= (1 + self.relative) * self.most

    def tolerance(self):
        return f"{self.relative:.0%}" if self.relative else "none"

    def text(self):
        own = number(self.least) if self.least == self.most else f"{number(self.least)} to {number(self.most)}"
        return f"{own} / {number(self.seen)}"


def number(value):
    return UNKNOWN if value is None else str(value) if isinstance(value, (int, str)) else f"{value:.1f}"


def collections(mark):
    return mark["gc0_count"]


def exceptions(mark):
    return mark["exception_count"]


def collected(line):
    counts = [line["gc"][f"gen{i}_count"] for i in range(3)]
    return None if None in counts else sum(counts)


def counted(diary, summary, intervals):
    """Whatever the intervals cover."""
    piece = summary["t1_ns"] - summary["cpu"]["covered_ns"], summary["t1_ns"]
    least, most = diary.cpu_bounds(piece)
    return [Row("exceptions", *diary.counted(pieces_of(intervals, "exceptions"), exceptions), summary["exceptions"]["count"]),
            Row("exceptions, sum of the intervals", *diary.counted(pieces_of(intervals, "exceptions"), exceptions),
                sum(line["exceptions"]["count"] or 0 for line in intervals)),
            Row("collections", *diary.counted(pieces_of(intervals, "gc"), collections), collected(summary)),
            Row("CPU time, ms", least / 1e6, most / 1e6, summary["cpu"]["time_ns"] / 1e6, 0.02),
            Row("CPU time of intervals and gaps, ms", least / 1e6, most / 1e6,
                sum((line["cpu"]["time_ns"] or 0) + (line["cpu"]["gap_time_ns"] or 0) for line in intervals) / 1e6, 0.02)]


def comes(env, work, *options):
    return counted(*watched(env, work, WATCHED_S, *options))


def comes_and_samples(env, work):
    diary, summary, _ = watched(env, work, WATCHED_S, "--alloc")
    covered = summary["allocations_covered_ns"]
    told = sum(row["bytes_per_s"] for row in summary["allocations"]) * covered / 1e9
    least, most = diary.bounds([(summary["t1_ns"] - covered, summary["t1_ns"])], ALLOC_MB)
    return [Row("bytes allocated, MB, by type", float(least), float(most), told / (1 << 20), 0.15)]


def comes_second(env, work):
    with Nettop(env, work.pid) as first:
        first.wait_for_sources("eventpipe")
        return comes(env, work)


def stands_still(env, work):
    diary, summary, intervals, stopped, resumed = stalled(env, work)
    within = lines_within(intervals, stopped, resumed)
    gap_ns, gap_time_ns = (sum(line["cpu"][key] or 0 for line in intervals) for key in ("gap_ns", "gap_time_ns"))
    least, _ = diary.cpu_bounds((stopped, resumed))
    _, most = diary.cpu_bounds((resumed - gap_ns, resumed + 1_000_000_000))
    rows = [*counted(diary, summary, intervals), Row("CPU time of the gap, ms", least / 1e6, most / 1e6, gap_time_ns / 1e6, 0.02),
            Row("intervals of the gap that know its CPU time", 0, 0, sum(line["cpu"]["time_ns"] is not None for line in within)),
            Row("that know its threads", 0, 0, sum(line["threads"]["count"] is not None for line in within))]
    return rows, within, diary


def stands_still_over_eventpipe(env, work):
    """Nobody stored it. The newest bytes of a stream, of up to a second, may have been read afterwards."""
    rows, within, _ = stands_still(env, work)
    return [*rows, Row("intervals of the gap that know its exceptions", 0, 1, sum(line["exceptions"]["count"] is not None for line in within)),
            Row("its collections", 0, 1, sum(line["gc"]["gen0_count"] is not None for line in within))]


def stands_still_over_lttng(env, work):
    """LTTng's relay stores it: each interval has its own."""
    rows, within, diary = stands_still(env, work)
    piece = within[0]["t0_ns"], within[-1]["t1_ns"]
    told = [collected(line) for line in within]
    return [*rows, Row("collections of the gap", *diary.counted([piece], collections), None if None in told else sum(told)),
            Row("intervals of the gap that are covered in part", 0, 0, sum(line["gc"]["partial"] is not False for line in within))]


def target_stands_still(env, work):
    with Nettop(env, work.pid, interval_s=0.5) as nettop:
        Diary(work).go_on(0.5)
        nettop.wait_for(lambda line: line["gc"]["alloc_bytes"] is not None, 20, "allocated bytes are known")
        Diary(work).go_on(1)
        work.process.signal(signal.SIGSTOP)
        try:
            stopped = time.monotonic_ns()
            line = nettop.wait_for(lambda line: line["t0_ns"] > stopped + 1_500_000_000, 20, "an interval in which the target stood still")
        finally:
            os.kill(work.pid, signal.SIGCONT)
        return [Row("exceptions", 0, 0, line["exceptions"]["count"]), Row("collections", 0, 0, collected(line)),
                Row("CPU time, ms", 0, 0, line["cpu"]["time_ns"] and line["cpu"]["time_ns"] / 1e6),
                Row("bytes allocated, by the runtime's counter, which is silent", UNKNOWN, UNKNOWN, line["gc"]["alloc_bytes"])]


def pins(env, work):
    with Nettop(env, work.pid, "--source", "eventpipe,procfs") as nettop:
        nettop.wait_for_sources("eventpipe")
        own = work.do(f"poh {PINNED_MB}")["promoted_bytes"]
        line = nettop.wait_for(lambda line: any(row["generation"] == 2 and row["promoted_bytes"] for row in line["gc"]["collections"]), 20, "the collection")
        return [Row("promoted bytes of a full collection", own, own, next(row["promoted_bytes"] for row in line["gc"]["collections"] if row["generation"] == 2), 0.01)]


@dataclasses.dataclass
class Case:
    title: str
    rows: object
    mode: str = "none"
    first_major: int = 8

    def observe(self, env, program):
        with Bare(env, program=program) if self.mode == "none" else Workload(env, mode=self.mode, program=program, perf_map=False) as work:
            return self.rows(env, work)


CASES = (
    Case("nettop comes late, EventPipe", comes),
    Case("nettop comes late, mode N", comes, "N"),
    Case("nettop comes late, allocations sampled", comes_and_samples, first_major=10),
    Case("a second nettop comes, EventPipe", comes_second),
    Case("nettop stopped for 6 s, EventPipe", stands_still_over_eventpipe),
    Case("nettop stopped for 6 s, mode N", stands_still_over_lttng, "N"),
    Case("target stopped, EventPipe", target_stands_still),
    Case("20 MB on the pinned heap, EventPipe", pins),
)
