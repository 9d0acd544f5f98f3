#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What CPU time is for, against the kernel's clocks of the threads that do it, and the runtime's own count of the time that it compiled."""
import os
import pathlib
import time

from nt_live import *

PURPOSES = ("program", "framework", "gc", "jit", "runtime", "kernel", "native", "idle", "unknown")
TICK_NS = 1e9 / os.sysconf("SC_CLK_TCK")
SEEN_S = 20


def cpu_by_thread(pid):
    """Of each thread its name, its CPU time in user mode, by the kernel's ticks, and all of it, to the ns; by /proc."""
    times = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            stat, all_ns = (task / "stat").read_text(encoding="utf-8"), int((task / "schedstat").read_text(encoding="ascii").split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue
        name, rest = stat[stat.index("(") + 1:stat.rindex(")")], stat[stat.rindex(")") + 2:].split()
        times[task.name] = name, int(rest[11]) * TICK_NS, all_ns
    return times


class Seen:
    """nettop's samples by purpose while commands ran, and what /proc says of the threads' CPU time."""

    def __init__(self, env, work, *commands, options=()):
        work.settle()
        with Nettop(env, work.pid, *options) as nettop:
            nettop.wait_for_sources("perf")
            work.settle()
            begin_ns, before = time.monotonic_ns(), cpu_by_thread(work.pid)
            self.answers = [work.do(command) for command in commands]
            after, end_ns = cpu_by_thread(work.pid), time.monotonic_ns()
            nettop.wait_for(lambda line: line["t0_ns"] > end_ns, SEEN_S, "an interval after the work")
            self.summary = nettop.stop()
        for line in (*nettop.intervals, self.summary):
            check_sums(line)
        lines = [line for line in nettop.intervals if line["t1_ns"] > begin_ns and line["cpu"]["samples"]]
        self.samples = sum(line["cpu"]["samples"] for line in lines)
        self.of = {purpose: sum(line["purposes"][f"{purpose}_samples"] for line in lines) for purpose in PURPOSES}
        if not self.samples:
            raise OutOfLimit("no samples of the work")
        nothing = (None, 0, 0)
        self.threads = [(name, user - before.get(tid, nothing)[1], all_ns - before.get(tid, nothing)[2]) for tid, (name, user, all_ns) in after.items()]

    def pct(self, purpose):
        return 100 * self.of[purpose] / self.samples

    @property
    def cpu_ns(self):
        return sum(all_ns for _, _, all_ns in self.threads)

    def cpu_of(self, begin):
        """CPU time of the threads whose names begin so, in ns."""
        return sum(all_ns for name, _, all_ns in self.threads if name.startswith(begin))

    def user_pct(self, begin):
        """What they used in user mode, of all CPU time of the process."""
        return 100 * sum(user for name, user, _ in self.threads if name.startswith(begin)) / self.cpu_ns

    def __str__(self):
        return ", ".join(f"{purpose} {self.pct(purpose):.1f}" for purpose in PURPOSES if self.of[purpose])


def check_sums(line):
    """Each sample is of one purpose."""
    if line["cpu"]["samples"] is None:
        return
    samples = [line["purposes"][f"{purpose}_samples"] for purpose in PURPOSES]
    check_equal("sum of all purposes", sum(samples), line["cpu"]["samples"])
    if line["cpu"]["samples"]:
        check_within("sum of all shares", sum(line["purposes"][f"{purpose}_pct"] for purpose in PURPOSES), 100, absolute=0.001)


@test
def computing_is_the_programs(env):
    with Bare(env) as work:
        work.do("compute 2000")  # to tier-1: at tier-0 the loop's patchpoint helper in libcoreclr takes half of the time
        seen = Seen(env, work, "compute 3000")
    # Interrupts are on top of the method: 1 % of it on an idle machine, more on a busy one.
    check_within("percent of the program", seen.pct("program") + seen.pct("kernel"), seen.user_pct("compute"), absolute=12)
    check_limit("percent in the kernel", seen.pct("kernel"), 20)
    return str(seen)


@test
def collecting_is_the_collectors(env):
    """On its own threads, with server GC."""
    with Workload(env, mode="none", lttng=False, server_gc=True) as work:
        seen = Seen(env, work, "gc 2 300", "alloc 500", "gc 2 300")
    check_within("percent of the collector", seen.pct("gc"), seen.user_pct(".NET Server GC"), absolute=15)
    return str(seen)


@test
def samples_are_cut_by_the_pauses(env):
    """Collections of workstation GC run on the thread that asks for them, which all others wait for: what it uses for them is in pauses, and computing is outside."""
    with Bare(env, dotnet={"gcConcurrent": "0"}) as work:
        work.do("alloc 200")
        work.settle()
        with Nettop(env, work.pid, *MANY_SAMPLES) as nettop:
            nettop.wait_for_sources("perf", "eventpipe")
            nettop.wait_for(lambda line: line["cpu"]["pause_samples"] is not None, SEEN_S, "pauses are told")
            collecting, _ = work.measure("gc 2 800")
            in_pauses = nettop.wait_for(lambda line: line["pause_methods"] and line["pause_methods"]["in"], SEEN_S, "methods in pauses")["pause_methods"]["in"]
            _, (computing,) = work.measure("compute 500")
            end_ns = time.monotonic_ns()
            last = nettop.wait_for(lambda line: line["t0_ns"] > end_ns, SEEN_S, "an interval after the work")
            summary = nettop.stop()["cpu"]
    check(not any("Spin" in (row["method"] or "") for row in in_pauses), f"the program computes in pauses: {in_pauses}")
    collector = sum(row["pct"] for row in in_pauses if (row["method"] or "").startswith(("libcoreclr.so", "libclrgc", "[kernel]")))
    check(collector >= sum(row["pct"] for row in in_pauses) * 0.8, f"not the collector's: {in_pauses}")
    check(any("Spin" in (row["method"] or "") for row in last["pause_methods"]["outside"]), f"it does not outside: {last['pause_methods']}")
    sides = summary["pause_samples"], summary["outside_samples"]
    check_within("samples in pauses, and outside", sum(sides), summary["samples"], relative=0.3)  # but for the time before pauses were told
    collected_s = collecting.thread_cpu_ns(work.hello["main_tid"]) / 1e9
    check_within("CPU time in pauses, in s", sides[0] / MANY_HZ, collected_s, relative=0.15, absolute=0.03)
    check_limit("seconds of computing that are not outside", 0.9 * computing["cpu_ns"] / 1e9 - sides[1] / MANY_HZ, 0)
    return f"{sides[0]} of {sum(sides)} samples in pauses, in which a thread collected for {1000 * collected_s:.0f} ms"


@test
def compiling_is_the_compilers(env):
    """On the thread that wants a method, and in the background."""
    with Bare(env) as work:
        work.do("jit-expr 50")
        seen = Seen(env, work, "jit-expr 600")
    check_limit("percent of anything but the compiler", 100 - seen.pct("jit"), 60)
    check(seen.of["jit"] > 2 * seen.of["gc"], f"of the compiler: {seen}")
    return str(seen)


@test
def workers_without_work_are_idle(env):
    """They spin when they have done what there was; never more than the workers of the pool use."""
    with Bare(env) as work:
        work.do("pool 200")
        seen = Seen(env, work, *["pool 4"] * 6000)
    workers = 100 * seen.cpu_of(".NET TP Worker") / seen.cpu_ns
    check(seen.of["idle"], f"no worker spins or rests: {seen}")
    check_limit("percent idle", seen.pct("idle"), workers + 20)
    return f"{seen}; workers of the pool {workers:.1f}"


if __name__ == "__main__":
    main()
