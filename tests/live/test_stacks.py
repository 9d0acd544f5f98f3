#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Who asked for it: the methods that allocate, throw and wait are named, on a process that was started without any setting."""
from nt_live import *
from nt_live.eventpipe import sessions_of
from nt_live.nettop import source_of

NAMED_S = 30
THROWS = 300
WAITS = 300
MOST = 0.8  # others may throw, wait and allocate, too: the runtime's own threads


def row_of(rows, key, value):
    return next((row for row in rows if row[key] and value in row[key]), None)


def thrown(line):
    return row_of(line["exceptions"]["types"], "type", "DeliberateException")


def waited(line):
    return row_of(line["contention"]["sites"], "site", "Workload.Locking.")


@test
def methods_are_named(env):
    with Bare(env) as work:
        work.settle()
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("eventpipe", seconds=10)
            for command in ("alloc 300", "gc 2", "loh 40", f"throw {THROWS}", f"locks {WAITS}"):
                work.do(command)
            nettop.wait_for(lambda line: (row := thrown(line)) and "Workload.Throwing.Inner(" in (row["thrown_at"] or ""), NAMED_S, "the method that throws")
            nettop.wait_for(waited, NAMED_S, "the method that waits")
            summary = nettop.stop()
    check_equal("exceptions", thrown(summary)["count"], THROWS)
    check(waited(summary)["count"] >= MOST * WAITS, f"{waited(summary)} of {WAITS} waits")
    for reason, method in (("gen0 budget", "Small"), ("LOH allocation", "Large"), ("induced", "Collect")):
        rows = [row for row in summary["gc"]["collections"] if row["reason"] == reason]
        by_it = [row for row in rows if f"Workload.Memory.{method}(" in (row["asked_by"] or "")]
        check(by_it and len(by_it) >= MOST * len(rows), f"collections for the reason {reason} of Workload.Memory.{method}: {rows}")
    check_equal("losses", source_of(summary, "eventpipe")["lost"], 0)
    return f"thrown at {thrown(summary)['thrown_at']}, waits of {waited(summary)['site']}"


@test
def stacks_beside_lttng(env):
    """LTTng counts waits, EventPipe exceptions without stacks: they come while somebody looks, and no longer."""
    with SessionDaemon(env), Workload(env) as work:
        with FullScreen(env, work.pid) as screen:
            screen.wait_for(lambda output: "lttng●".encode() in output, NAMED_S, "LTTng delivers")
            before = 2
            wait_until(lambda: sessions_of(work.pid) == before, NAMED_S, "the sessions for the thread pool and for exceptions")
            screen.type("6")
            wait_until(lambda: sessions_of(work.pid) > before, NAMED_S, lambda: f"sessions for the stacks; there are {sessions_of(work.pid)}")
            screen.wait_for(lambda output: b"asked for call stacks" in output, NAMED_S, "it is announced")
            for _ in range(NAMED_S):
                work.do("throw 100")
                if b"Throwing.Inner" in screen.pump():
                    break
            screen.wait_for(lambda output: b"Throwing.Inner" in output, NAMED_S, "the method that throws")
            screen.type("1")
            wait_until(lambda: sessions_of(work.pid) == before, NAMED_S, lambda: f"they end when nobody looks; there are {sessions_of(work.pid)}")
    return f"{before} sessions beside LTTng, more while the screen is open"


if __name__ == "__main__":
    main()
