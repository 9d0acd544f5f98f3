#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Each finding that the present sources can feed: the target is made to do it, and nettop must say so, and name who does it. An idle target gives none."""
import os
import pathlib
import re

from nt_long import TESTS  # makes the modules below known  # noqa: F401
from nt_live import Incident, Nettop, WebServer, Workload, check, check_equal, main, test
from nt_long.feeder import Feeder

# A rule must hold for 3 s of 5, or for 10 s by itself; a loaded machine gets much more.
ANNOUNCED_S = 90
IDLE_INTERVALS = 7
OLD_S = 31    # a process that has just started compiles much, and that is no storm
USUAL_S = 75  # nothing is usual before half a minute of it was seen
SPUN_NS = 20 * 10**9  # twice what makes a finding


def finding_of(line, kind):
    return next((finding for finding in line["findings"] if finding["kind"] == kind), None)


def check_idle_is_quiet(nettop):
    """No finding while the target does nothing. (What nettop's own coming brings, the target's rundown, must be none either.)"""
    nettop.wait_for_sources("perf", "lttng")
    start = len(nettop.intervals)
    nettop.wait_for(lambda _: len(nettop.intervals) >= start + IDLE_INTERVALS, ANNOUNCED_S, "idle intervals")
    seen = [finding["text"] for line in nettop.intervals for finding in line["findings"]]
    check_equal("findings while idle", seen, [])


def give_a_cpu(work):
    """Its threads run whenever they want, whatever else this machine does; those to come, too."""
    for tid in os.listdir(f"/proc/{work.pid}/task"):
        os.setpriority(os.PRIO_PROCESS, int(tid), -20)


def older_than(seconds):
    return lambda line: (line["target"]["uptime_ns"] or 0) > seconds * 10**9


def thread_ran_ns(pid, tid):
    """Its CPU time."""
    return int(pathlib.Path(f"/proc/{pid}/task/{tid}/schedstat").read_text(encoding="ascii").split()[0])


def announce(env, kind, sentence, *commands, mode="N", options=(), ready=lambda line: True, calm=("idle 100",)):
    """The target idle, then calm until it is ready, then at this work until the finding is there; its sentence must match. Only the kind is looked at: one thing may cause another."""
    with Workload(env, mode=mode) as work:
        work.settle()
        with Nettop(env, work.pid, *options, interval_s=1) as nettop:
            check_idle_is_quiet(nettop)
            with Feeder(work, calm):
                nettop.wait_for(ready, ANNOUNCED_S, "the target is ready")
            with Feeder(work, commands):
                found = finding_of(nettop.wait_for(lambda line: finding_of(line, kind), ANNOUNCED_S, f"nettop says {kind}"), kind)
            check(re.search(sentence, found["text"]), f"{found['text']!r} does not match {sentence!r}")
            check(found["value"] >= found["threshold"], f"announced at {found['value']} {found['unit']}, the limit is {found['threshold']}")
            summary = nettop.stop(60)
            check(finding_of(summary, kind), "the summary has lost the finding")
        return found["text"]


def in_incident(env, what, kind, sentence):
    """A program that goes wrong as programs in production do."""
    with Incident(env, what) as incident, Nettop(env, incident.pid, interval_s=1) as nettop:
        nettop.wait_for_sources("eventpipe")
        incident.begin()
        found = finding_of(nettop.wait_for(lambda line: finding_of(line, kind), ANNOUNCED_S, f"nettop says {kind}"), kind)
        nettop.stop(60)
    check(re.search(sentence, found["text"]), f"{found['text']!r} does not match {sentence!r}")
    return found["text"]


@test
def gc_storm_of_large_objects(env):
    return in_incident(env, "churn", "gc_storm", r"GC storm: .* gen2.*reason LOH")


@test
def jit_storm_of_small_methods(env):
    return in_incident(env, "compile", "jit_storm", r"JIT storm: \d+ methods/s made at run time, \d+ms/s")


@test
def finalizers_that_are_held_up(env):
    return in_incident(env, "finalizer", "finalizers_held_up", r"Finalizers held up for \d+s: t\d+ \.NET Finalizer, which waits for sleep at Receipt\.Finalize")


@test
def gc_storm(env):
    return announce(env, "gc_storm", r"gen2.*reason .*[Ii]nduced", "gc 2")


@test
def jit_storm(env):
    return announce(env, "jit_storm", r"JIT storm: \d+ms/s; .*most for \S", "jit-expr 100",
                    ready=older_than(OLD_S))


@test
def lock_convoy(env):
    return announce(env, "lock_convoy", r"ms/s waited, [3-9] threads for one lock, held by t\d+ convoy-\d", "convoy 6 3000")


@test
def exception_flood(env):
    return announce(env, "exception_flood", r"; Workload\.DeliberateException \d+%", "throw 100", "idle 100")


@test
def allocation_burst(env):
    return announce(env, "alloc_burst", r"Allocation burst: ~?[\d.]+[MG]\S*/s, usually ", "alloc 300", options=("--alloc",), calm=("alloc 1", "idle 200"),
                    ready=older_than(USUAL_S))


@test
def spinning_thread(env):
    """A request that does not end. The same in a program that serves nobody is its work."""
    with WebServer(env) as work:
        give_a_cpu(work)
        with Nettop(env, work.pid, interval_s=1) as nettop:
            nettop.wait_for_sources("perf", "eventpipe")
            work.do("begin 1 /spin/60000")
            found = finding_of(nettop.wait_for(lambda line: finding_of(line, "spinning_thread"), ANNOUNCED_S, "nettop says it"), "spinning_thread")
            check(re.search(r"Spinning thread: t\d+ \.NET TP Worker at \d+% .*% of it in Web\.Program\.Spin", found["text"]), found["text"])
            nettop.stop(60)
    with Workload(env, mode="none", lttng=False) as work:
        give_a_cpu(work)
        with Nettop(env, work.pid, interval_s=1) as nettop, Feeder(work, ("compute 20000",)):
            nettop.wait_for(lambda _: thread_ran_ns(work.pid, work.hello["compute_tid"]) > SPUN_NS, ANNOUNCED_S, "it has computed for long")
            nettop.stop(60)
            check_equal("findings about it", [line for line in nettop.intervals if finding_of(line, "spinning_thread")], [])
    return found["text"]


@test
def blocked_thread(env):
    return announce(env, "blocked_thread", r"Blocked thread: t\d+ blocked waits( at \S+)? for a lock of t\d+", "block 20000")


@test
def pool_starvation(env):
    return announce(env, "pool_starvation", r"Pool starvation: .*workers not running", "starve 40 3000", mode="F")


if __name__ == "__main__":
    main()
