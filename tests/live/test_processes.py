#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Two processes in one model, each source opened once and given both: each is told as if it were watched alone, and one that dies takes nothing from the other."""
import contextlib
import json
import os
import signal
import time

from nt_live import *
from nt_live.nettop import source_of
from nt_live.process import LineProcess, read_until

# What the two do is of different kinds and numbers, so that nothing of one passes for something of the other.
FIRST = ("throw 120", "locks 35", "gc 0", "gc 0", "gc 2", "compute 400")
SECOND = ("throw 17", "locks 190", "gc 1", "jit-expr 30", "deep 50 400")
LATER = ("throw 5", "gc 2", "gc 2", "locks 11")
STARTS_S = 30
# Counted in each interval, and in all in the summary.
SUMS = (("gc", "gen0_count"), ("gc", "gen1_count"), ("gc", "gen2_count"), ("gc", "pause_ns"), ("jit", "method_count"), ("exceptions", "count"), ("contention", "count"))


class Dump(LineProcess):
    """tests/tools/processes_dump. Of each pid its lines; `states` what sources said of it; `refused` why they do not take it."""

    def __init__(self, env, *pids, options=()):
        super().__init__([str(env.nettop.parent / "tests/tools/processes_dump"), "-d", "0.5", *options, *(str(pid) for pid in pids)],
                         stderr_path=env.scratch / "processes_dump.err")
        self.intervals, self.summaries = {pid: [] for pid in pids}, {}
        self.states, self.refused, self.said = {}, {}, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def read(self, seconds):
        """One more line; False at the end."""
        line = self.read_line(seconds)
        if line is None:
            return False
        if line.startswith("{"):
            frame = json.loads(line)
            pid = frame["target"]["pid"]
            if frame["type"] == "summary":
                self.summaries[pid] = frame
            else:
                self.intervals[pid].append(frame)
        else:
            pid, source, what, why = line.rstrip("\n").split(" ", 3)
            if what == "refused":
                self.refused[int(pid), source] = why
            else:
                self.states[int(pid), source] = what
                self.said.append(line)
        return True

    def wait_for(self, condition, seconds, what):
        if not condition():
            read_until(self, self.read, lambda _: condition(), seconds, what, lambda: f"said {self.said}")

    def wait_for_states(self, *pids, **states):
        def are_so():
            return all(self.states.get((pid, source)) == state for pid in pids for source, state in states.items())

        self.wait_for(are_so, STARTS_S, f"{states} of {pids}")

    def wait_past(self, pid, moment_ns):
        """Until an interval of that process has begun and ended after this moment (CLOCK_MONOTONIC)."""
        self.wait_for(lambda: self.intervals[pid] and self.intervals[pid][-1]["t0_ns"] > moment_ns, STARTS_S, "an interval after that")
        return self.intervals[pid][-1]["t1_ns"]

    def counted(self, pid, since_ns, sums=SUMS):
        """What was counted of that process in all intervals after this moment, and in what came last."""
        early = [line for line in self.intervals[pid] if line["t1_ns"] <= since_ns]
        return {(part, key): self.summaries[pid][part][key] - sum(line[part][key] or 0 for line in early) for part, key in sums}

    def stop(self):
        """Ends it; the summary of each process."""
        self.signal(signal.SIGINT)
        while self.read(STARTS_S):
            pass
        check_equal("exit status", self.wait(STARTS_S), 0)
        return self.summaries


def samples_of(summary, name):
    return sum(row["self_samples"] for row in summary["methods"] if name in row["name"])


def collections_of(counted):
    return [counted["gc", f"gen{n}_count"] for n in range(3)]


def check_own(counted, truth, around):
    """What was counted of one process, against its own word. `around`: of a longer time, because what publishes counters is compiled, too, whenever it likes."""
    counts = collections_of(counted)
    check_equal("collections per generation", counts, truth.gc_counts())
    # A few collections only: of each the runtime's own clock begins and ends a little within ours.
    check_within("pause", counted["gc", "pause_ns"], truth["gc_pause_ns"], relative=0.1, absolute=1e6 * sum(counts))
    check_equal("exceptions", counted["exceptions", "count"], truth["exception_count"])
    check_equal("contentions", counted["contention", "count"], truth["contention_count"])
    methods = counted["jit", "method_count"]
    check(truth["jit_method_count"] <= methods <= (around or {}).get("jit_method_count", methods), f"methods compiled: {methods}, expected {truth['jit_method_count']} or some more")
    return f"{counts} collections, {counted['exceptions', 'count']} exceptions, {counted['contention', 'count']} contentions, {methods} methods"


def total(mark, later):
    """The counters of two times, added."""
    return Mark({key: value + later[key] if isinstance(value, int) else value for key, value in mark.items()})


@test
def each_is_as_if_alone(env):
    """Of two that are watched at once each is told what it says of itself; when one is killed in the middle the other goes on and misses nothing."""
    with Bare(env) as first, Bare(env) as second:
        for work in (first, second):
            work.settle()
        begin = second.mark("begin")
        with Dump(env, first.pid, second.pid) as dump:
            dump.wait_for_states(first.pid, second.pid, procfs="delivering", perf="delivering", eventpipe="delivering", runtime="delivering")
            # What begins the sessions makes the runtime do something, too: it does not count.
            for work in (first, second):
                work.settle()
            began_ns = {pid: dump.wait_past(pid, time.monotonic_ns()) for pid in (first.pid, second.pid)}
            truth, _ = first.measure(*FIRST)
            others, _ = second.measure(*SECOND)
            dump.wait_past(first.pid, time.monotonic_ns())
            os.kill(first.pid, signal.SIGKILL)
            dump.wait_for(lambda: dump.intervals[first.pid][-1]["target"]["state"] == "ended", STARTS_S, "the end of the first")
            later, _ = second.measure(*LATER)
            dump.wait_past(second.pid, time.monotonic_ns())
            check_equal("what EventPipe says of the one that lives", dump.states[second.pid, "eventpipe"], "delivering")
            check_equal("and of the one that was killed", dump.states[first.pid, "eventpipe"], "ended")
            summaries = dump.stop()
        around = second.mark("end").since(begin)
        left = second.leftovers()
        one, other = summaries[first.pid], summaries[second.pid]
        details = [check_own(dump.counted(first.pid, began_ns[first.pid]), truth, None),
                   check_own(dump.counted(second.pid, began_ns[second.pid]), total(others, later), around)]
        check_equal("state of the two", [one["target"]["state"], other["target"]["state"]], ["ended", "live"])
        # Methods, of which the runtime's own data say the names here.
        spin, deep = "Workload.Compute.Spin", "Workload.Deep.Bottom"
        check(samples_of(one, spin) and not samples_of(other, spin), f"{spin}: {samples_of(one, spin)} and {samples_of(other, spin)} samples")
        check(samples_of(other, deep) and not samples_of(one, deep), f"{deep}: {samples_of(one, deep)} and {samples_of(other, deep)} samples")
        check_equal("losses", source_of(other, "eventpipe")["lost"], 0)
        check_equal("left behind", left, [])
        return "; ".join(details)


# LTTng tells neither exceptions nor, in mode N, managed locks.
OVER_LTTNG = SUMS[:5]


def own_sessions():
    """Names of nettop's sessions that the daemon has."""
    return [name for name in sessions() if name.startswith("nettop-")]


@long_test
def over_lttng_each_is_as_if_alone(env):
    """Three over one LTTng session: of each is told what it says of itself; when one is killed in the middle it has ended, and the others miss nothing. Nothing is left."""
    with SessionDaemon(env) as daemon, contextlib.ExitStack() as stack:
        works = [stack.enter_context(Workload(env, mode="N")) for _ in range(3)]
        for work in works:
            daemon.wait_for_app(work.pid)
        pids = [work.pid for work in works]
        with Dump(env, *pids, options=("-s", "lttng")) as dump:
            dump.wait_for_states(*pids, lttng="delivering")
            check_equal("refusals", dump.refused, {})
            check_equal("sessions of ours", len(own_sessions()), 1)
            began_ns = {pid: dump.wait_past(pid, time.monotonic_ns()) for pid in pids}
            truths = [work.measure(*commands)[0] for work, commands in zip(works, (("gc 0", "gc 1", "gc 2"), ("gc 0", "gc 0", "jit-expr 30"), ("gc 2", "locks 35")))]
            for pid in pids:
                dump.wait_past(pid, time.monotonic_ns())
            os.kill(pids[0], signal.SIGKILL)
            dump.wait_for_states(pids[0], lttng="ended")
            later, _ = works[2].measure("gc 1", "gc 1")
            dump.wait_past(pids[2], time.monotonic_ns())
            check_equal("what LTTng says of those that live", [dump.states[pid, "lttng"] for pid in pids[1:]], ["delivering"] * 2)
            dump.stop()
        truths[2] = total(truths[2], later)
        details = []
        for pid, truth in zip(pids, truths):
            counted = dump.counted(pid, began_ns[pid], OVER_LTTNG)
            check_equal(f"collections of {pid}", collections_of(counted), truth.gc_counts())
            check(counted["jit", "method_count"] >= truth["jit_method_count"], f"methods compiled: {counted['jit', 'method_count']}, expected {truth['jit_method_count']} or some more")
            details.append(f"{collections_of(counted)} collections, {counted['jit', 'method_count']} methods")
        check_equal("sessions left", own_sessions(), [])
    return "; ".join(details)


@long_test
def what_each_costs(env):
    """Memory of one, two, four and eight processes: what a further one takes."""
    with contextlib.ExitStack() as stack:
        works = [stack.enter_context(Bare(env)) for _ in range(8)]
        said = []
        for count in (1, 2, 4, 8):
            pids = [work.pid for work in works[:count]]
            with Dump(env, *pids) as dump:
                dump.wait_for_states(*pids, eventpipe="delivering", runtime="delivering")
                for work in works[:count]:
                    work.measure("throw 10", "jit-expr 50", "compute 300")
                for pid in pids:
                    dump.wait_past(pid, time.monotonic_ns())
                said.append(proportional_bytes(dump.pid) / 1e6)
                dump.stop()
        each = (said[-1] - said[0]) / 7
        return ", ".join(f"{mb:.1f}" for mb in said) + f" MB; {each:.1f} MB for each further one"


if __name__ == "__main__":
    main()
