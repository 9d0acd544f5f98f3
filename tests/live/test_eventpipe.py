#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop on a .NET process that was started without any setting, through its diagnostics port: everything is known, and as the runtime counted it."""
import contextlib
import os
import signal
import subprocess
import time

from nt_live import *
from nt_live import eventpipe
from nt_live.counts import MUCH, check_everything
from nt_live.dotnet_trace import DotnetTrace
from nt_live.eventpipe import sessions_of
from nt_live.environment import REPO, run_script
from nt_live.live_session import Relay, live_session
from nt_live.lttng import EVENTS
from nt_live.nettop import source_of

DELIVERS_S = 2
# Interval sums that the summary has, too.
SUMS = (("gc", "gen0_count"), ("gc", "gen1_count"), ("gc", "gen2_count"), ("gc", "pause_ns"), ("jit", "method_count"), ("jit", "time_ns"),
        ("jit", "il_bytes"), ("exceptions", "count"), ("contention", "count"))
# What an empty screen lacks at first: known within two seconds, a figure of collections after the next one.
AT_ONCE = (("cpu", "usage_pct"), ("jit", "method_count"), ("jit", "time_ns"), ("exceptions", "count"), ("contention", "count"),
           ("threadpool", "worker_count"), ("gc", "gen0_count"), ("gc", "gen1_count"), ("gc", "gen2_count"), ("gc", "pause_ns"))
AFTER_A_COLLECTION = (("gc", "heap_bytes"), ("gc", "alloc_bytes"), ("gc", "pause_max_ns"), ("gc", "fragmentation_pct"))
# Of collections whose histories, which come through a stream of their own, were not there when the interval was over.
LATE_PCT = 10


def lacking(line, fields):
    return [f"{part}.{key}" for part, key in fields if line[part][key] is None]


def subtract(summary, nettop, until_ns):
    """The summary without what was counted in the intervals before `until_ns`: to begin a session makes the runtime compile methods of its own."""
    early = [line for line in nettop.intervals if line["t1_ns"] <= until_ns]
    for part, key in SUMS:
        summary[part][key] -= sum(line[part][key] or 0 for line in early)


def observe(work, nettop):
    """Many events, from idle to idle, while `nettop` has all its sources: its summary, after it is checked against what the runtime counted; and a line about it."""
    work.settle()
    earlier = work.mark("earlier")
    settled_ns = time.monotonic_ns()
    begin = nettop.wait_for(lambda line: line["t0_ns"] > settled_ns, 20, "an interval after that")
    truth, _ = work.measure(*MUCH)
    done_ns = time.monotonic_ns()
    line = nettop.wait_for(lambda line: line["t0_ns"] > done_ns, 20, "an interval after the work")
    check_equal("fields that are not known after collections", lacking(line, AT_ONCE + AFTER_A_COLLECTION), [])
    summary = nettop.stop()
    around = work.mark("later").since(earlier)
    check(summary["complete"], "the summary is not complete")
    rows = [row for line in nettop.intervals for row in line["gc"]["collections"]]
    check_limit("percent of collections without a heap before", 100 * sum(row["before_bytes"] is None for row in rows) / len(rows), LATE_PCT)
    subtract(summary, nettop, begin["t1_ns"])
    detail = check_everything(summary, truth, server_gc=False, around=around)
    check_equal("pool threads", summary["threadpool"]["worker_count"], truth["pool_thread_count"])
    return summary, detail


def counts_are_exact(env, **how):
    with Bare(env, **how) as work:
        work.settle()
        with Nettop(env, work.pid) as nettop:
            start = time.monotonic()
            nettop.wait_for_sources("eventpipe", seconds=10)
            nettop.wait_for(lambda line: not lacking(line, AT_ONCE), 10, "everything is known")
            took = time.monotonic() - start
            summary, detail = observe(work, nettop)
        check_equal("losses", source_of(summary, "eventpipe")["lost"], 0)
        check_equal("left behind", work.leftovers(), [])
        check_limit("seconds until everything is known", took, DELIVERS_S)
        return f"{detail}; known after {took:.1f} s"


@test
def counts_on_dotnet_10(env):
    return counts_are_exact(env)


@long_test
def counts_on_dotnet_9(env):
    return counts_are_exact(env, program=env.selfcontained("net9.0"))


@long_test
def counts_on_dotnet_8(env):
    return counts_are_exact(env, program=env.selfcontained("net8.0"))


@test
def another_session_keeps_its_events(env):
    """Sessions come and go beside somebody else's, which misses nothing."""
    with Bare(env) as work:
        work.settle()
        other = eventpipe.Session(work.pid, [(eventpipe.RUNTIME, 0x8000, 2)])
        for _ in range(3):
            with Nettop(env, work.pid) as nettop:
                nettop.wait_for_sources("eventpipe")
                work.do("throw 40")
                nettop.stop()
        check_equal("sessions left", sessions_of(work.pid), 1)
        stream = other.stop()
        check_equal("exceptions in the other session", stream.count("Workload.DeliberateException".encode("utf-16-le")), 120)


def summary_of_an_end(env, end):
    """The summary of nettop at a process that ends by `end`, whose events come from the diagnostics port only."""
    with Bare(env) as work:
        work.settle()
        with Nettop(env, work.pid, "--source", "procfs,eventpipe") as nettop:
            nettop.wait_for_sources("eventpipe")
            work.do("throw 5")
            nettop.wait_for(lambda line: line["exceptions"]["count"], 10, "the exceptions")
            work.do("throw 3")
            end(work)
            nettop.read_to_end(20)
        return nettop.summary


@test
def the_last_words_of_a_process_that_ends_in_order(env):
    """The runtime writes what it has and ends the streams: all of it was had."""
    summary = summary_of_an_end(env, lambda work: work.quit())
    check_equal("complete", summary["complete"], True)
    check_equal("exceptions", summary["exceptions"]["count"], 8)


@test
def a_process_that_is_killed_has_not_said_all(env):
    """The runtime keeps events for a tenth of a second before it sends them: of one that is killed nobody knows what came last."""
    summary = summary_of_an_end(env, lambda work: os.kill(work.pid, signal.SIGKILL))
    check_equal("complete", summary["complete"], False)
    check(summary["exceptions"]["partial"], f"exceptions are whole: {summary['exceptions']}")


def per_thread(program, path, columns):
    """Of a stored stream: for each thread the ids of the runtime's events, in order, between the first and the last exception. `columns`: of thread, id."""
    done = subprocess.run([*program, path], stdout=subprocess.PIPE, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines() if any(name in line for name in (eventpipe.RUNTIME, eventpipe.RUNTIME_GUID))]
    events = [tuple(row[column] for column in columns) for row in rows]
    throws = [at for at, (_, event) in enumerate(events) if event == "80"]
    threads = {}
    for thread, event in events[throws[0]:throws[-1] + 1]:
        threads.setdefault(thread, []).append(event)
    return threads


@long_test
def same_sequences_as_traceevent(env):
    """A session beside `dotnet-trace collect` with the same keywords: the one read by nettop's decoder, its file by Microsoft's."""
    dump = env.nettop.parent / "tests/tools/nettrace_dump"
    if not dump.exists():
        raise Missing(f"{dump} is not built (make tools)")
    reader = run_script(REPO / "tests/tools/nuget-program.sh", "traceevent")
    with Bare(env) as work:
        work.settle()
        with DotnetTrace(env, work.pid, eventpipe.USUAL_KEYWORDS, 5) as trace:
            session = eventpipe.Session(work.pid, [(eventpipe.RUNTIME, eventpipe.USUAL_KEYWORDS, 5)], stacks=True)
            for command in ("throw 1", *EVERYTHING, "throw 1"):
                work.do(command)
            stored = env.scratch / "session.nettrace"
            stored.write_bytes(session.stop())
            trace.end()
    ours = per_thread([dump], stored, (1, 3))
    theirs = per_thread(["dotnet", reader], trace.path, (0, 2))
    check_equal("threads", sorted(ours), sorted(theirs))
    for thread, events in ours.items():
        check(events == theirs[thread], f"thread {thread}: {len(events)} events, {len(theirs[thread])} by TraceEvent, or another order")
    return f"{sum(map(len, ours.values()))} events of {len(ours)} threads"


@test
def readonly_asks_for_nothing(env):
    with Bare(env) as work:
        with Nettop(env, work.pid, "--readonly") as nettop:
            line = nettop.wait_for(lambda line: source_of(line, "eventpipe").get("state") == "absent", 20, "EventPipe is left out")
            check("--readonly" in source_of(line, "eventpipe")["reason"], f"{source_of(line, 'eventpipe')}")
            check_equal("sessions", sessions_of(work.pid), 0)
            nettop.stop()


@long_test
def mode_n_gets_the_thread_pool(env):
    """
    What LTTng leaves out comes from a small session. That makes the runtime hand those events to LTTng, too: they count once. The runtime's memory has no part in it: it is not read, and what the
    pool decides stands in no field of it.
    """
    with Workload(env, mode="N") as work:
        work.settle()
        with Nettop(env, work.pid, "--source", "procfs,lttng") as nettop:
            line = nettop.wait_for_sources("lttng")["threadpool"]
            check_equal("what LTTng leaves out", [line["goal_count"], line["starved_count"], line["adjustments"]], [None, None, []])
            nettop.stop()
        with Nettop(env, work.pid, "--source", "procfs,lttng,eventpipe") as nettop:
            nettop.wait_for_sources("lttng", "eventpipe")
            work.do("starve 8 1500")
            nettop.wait_for(lambda line: (line["threadpool"]["starved_count"] or 0) > 0, 20, "the runtime adds workers")
            work.do("throw 30")
            summary = nettop.stop()
        check_equal("exceptions", summary["exceptions"]["count"], 30)
        pool = summary["threadpool"]
        starved = [row for row in pool["adjustments"] if row["reason"] == "starvation"]
        check_equal("decisions because of starvation, and rows of them", pool["starved_count"], len(starved))
        # For that reason the goal is raised: one that is there twice, with nothing in between, was told twice.
        decided = [(row["goal_count"], row["reason"]) for row in pool["adjustments"]]
        check_equal("what is told twice", [one for one, before in zip(decided, decided[1:]) if one == before and one[1] == "starvation"], [])
        return f"{decided}"


def the_pool_goes_on(env, mode):
    """Where LTTng has the pool's events, a session for exceptions ends them: the runtime's managed source listens to the keywords of the session that came last."""
    with Workload(env, mode=mode) as work:
        work.settle()
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("lttng", "eventpipe")
            work.do("starve 8 1500")
            nettop.wait_for(lambda line: (line["threadpool"]["starved_count"] or 0) > 0, 20, "the runtime adds workers")
            work.do("throw 30")
            summary = nettop.stop()
        check_equal("exceptions", summary["exceptions"]["count"], 30)


@long_test
def the_thread_pool_goes_on_beside_an_own_session(env):
    the_pool_goes_on(env, "F")


@long_test
def the_thread_pool_goes_on_in_mode_all(env):
    the_pool_goes_on(env, "all")


@contextlib.contextmanager
def a_process(*argv):
    process = subprocess.Popen(argv)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@test
def it_may_be_preferred_to_lttng(env):
    """The relay's port is open to other users of the host, which is said; who prefers EventPipe has the same events and no such port."""
    env.need_commands("setpriv")
    with Workload(env, mode="N") as work, a_process("setpriv", "--reuid=54321", "--clear-groups", "sleep", "600"):
        work.settle()
        with Nettop(env, work.pid) as nettop:
            line = nettop.wait_for_sources("lttng")
            check("other users of this host" in (source_of(line, "lttng")["reason"] or ""), f"nothing is said: {nettop.sources_text()}")
            nettop.stop()
        with Nettop(env, work.pid, "--prefer", "eventpipe") as nettop:
            nettop.wait_for_sources("eventpipe")
            work.do("locks 20")
            nettop.wait_for(lambda line: (line["contention"]["count"] or 0) > 0, 20, "waits for locks are counted")
            check(not descendants_named("lttng-relayd"), "there is a relay")
            check(not any("--prefer" in (source["reason"] or "") for source in nettop.intervals[-1]["sources"]), "the sentence is there all the same")
            nettop.stop()


@long_test
def both_deliver_everything(env):
    """EventPipe at a target that has LTTng, too, and a session there that is named: each event of the runtime comes twice and counts once."""
    with SessionDaemon(env) as daemon, Relay(env) as relay, Workload(env, mode="none", perf_map=False) as work:
        daemon.wait_for_app(work.pid)
        work.settle()
        with live_session(relay, work.pid, EVENTS) as name:
            with Nettop(env, work.pid, "--source", "lttng,eventpipe", "--session", relay.url(name)) as nettop:
                nettop.wait_for_sources("lttng", "eventpipe")
                summary, detail = observe(work, nettop)
        twice = sum(source["duplicate"] for source in summary["sources"])
        check(twice > summary["jit"]["method_count"], f"{twice} events came twice, of {summary['jit']['method_count']} methods alone")
        return f"{detail}; {twice} events twice"


if __name__ == "__main__":
    main()
