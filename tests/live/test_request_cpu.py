#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Which requests CPU time is for: against what the program's own threads have measured, where a request stays on one and where it goes on behind awaits."""
from nt_live import *
from nt_live.eventpipe import sessions_of

SECONDS = 40
POINTS = 3  # of a hundred
ROUTES = {"/burn/{ms:int}": 15, "/hop/{ms:int}": 30}  # CPU time in ms that one uses
MOST_BESIDES_MS = 5  # what the framework uses for one, and a sample too much
WORK_S = 8
CALLS = 30


def rows_of(line):
    return {row["route"]: row for row in line["requests"]["times"]}


def is_told(line):
    return line["requests"]["times_covered_ns"] is not None


def routes_known(nettop, work):
    """The templates are told with the first request that has ended."""
    work.do("call 1 /burn/1")
    work.do("call 1 /hop/1")
    nettop.wait_for(lambda line: set(ROUTES) <= {row["route"] for row in line["requests"]["routes"]}, SECONDS, "both routes")


@test
def on_one_thread_and_behind_awaits(env):
    """The shares of both routes, and what one request uses."""
    with WebServer(env) as work, Nettop(env, work.pid, "--request-cpu", "--max-target-cost", "100") as nettop:
        nettop.wait_for(is_told, SECONDS, "it is told which requests CPU time is for")
        routes_known(nettop, work)
        before, first = work.do("burnt")["ns"], len(nettop.intervals)
        for route, ms in ROUTES.items():
            work.do(f"load 2 {route.replace('{ms:int}', str(ms))}")
        nettop.wait_for(lambda line: sum(row["cpu_ns"] for line in nettop.intervals[first:] for row in line["requests"]["times"]) > WORK_S * 5e8, SECONDS, f"{WORK_S / 2} s of CPU time")
        after = work.do("burnt")["ns"]
        summary = nettop.stop()
    rows = rows_of(summary)
    used = {route: after[route] - before[route] for route in ROUTES}
    shares = {route: (100 * rows[route]["cpu_all_ns"] / sum(rows[r]["cpu_all_ns"] for r in ROUTES), 100 * used[route] / sum(used.values())) for route in ROUTES}
    for route, (seen, own) in shares.items():
        check_within(f"share of {route} in the CPU time of both", seen, own, absolute=POINTS)
        each_ms = rows[route]["cpu_each_ns"] / 1e6
        check_within(f"CPU ms of one {route}", each_ms, ROUTES[route] + MOST_BESIDES_MS / 2, absolute=MOST_BESIDES_MS / 2 + ROUTES[route] * POINTS / 100)
    requests, others = summary["requests"]["times_cpu_ns"], summary["requests"]["times_other_cpu_ns"]
    check(0.5 < requests / (requests + others) < 1, f"{requests} ns for requests, {others} for none")
    check_equal("why not", summary["requests"]["times_reason"], None)
    return ", ".join(f"{route}: {seen:.1f} % of {own:.1f} %, {rows[route]['cpu_each_ns'] / 1e6:.1f} ms of {ROUTES[route]}" for route, (seen, own) in shares.items())


@test
def without_samples_it_is_unknown(env):
    """Requests are counted and timed; what CPU time they use nobody knows."""
    with WebServer(env) as work, Nettop(env, work.pid, "--request-cpu", "--source", "eventpipe,map,procfs", interval_s=0.5) as nettop:
        nettop.wait_for(is_told, SECONDS, "requests and activities are told")
        routes_known(nettop, work)
        work.do("call 20 /burn/5")
        nettop.wait_for(lambda line: rows_of(line).get("/burn/{ms:int}", {}).get("count_all", 0) >= 20, SECONDS, "20 requests")
        summary = nettop.stop()
    row = rows_of(summary)["/burn/{ms:int}"]
    check_equal("CPU time", (row["cpu_pct"], row["cpu_all_ns"], row["cpu_each_ns"], summary["requests"]["times_cpu_ns"]), (None,) * 4)
    check(row["time_each_ns"] > 5e6, f"what one took: {row}")
    check("samples" in summary["requests"]["times_reason"], f"why: {summary['requests']['times_reason']}")
    return summary["requests"]["times_reason"]


@test
def stood_for_collections(env):
    """Of the time of a request how much was in pauses: of one that asks for collections all that the runtime counts."""
    with WebServer(env) as work, Nettop(env, work.pid, "--request-cpu", "--max-target-cost", "100", interval_s=0.5) as nettop:
        nettop.wait_for(is_told, SECONDS, "requests and activities are told")
        work.do("call 1 /collect/1")
        nettop.wait_for(lambda line: "/collect/{count:int}" in {row["route"] for row in line["requests"]["routes"]}, SECONDS, "the route")
        before = work.do("burnt")["paused_ns"]
        took_ms = sum(work.do(f"call {CALLS} /collect/20")["took_ms"])
        paused_ms = (work.do("burnt")["paused_ns"] - before) / 1e6
        nettop.wait_for(lambda line: rows_of(line).get("/collect/{count:int}", {}).get("count_all", 0) >= CALLS, SECONDS, f"{CALLS} requests")
        summary = nettop.stop()
    share = rows_of(summary)["/collect/{count:int}"]["gc_pct"]
    check_within("% of its time in pauses", share, 100 * paused_ms / took_ms, absolute=POINTS)
    return f"{share:.1f} % of {100 * paused_ms / took_ms:.1f} %"


@test
def only_while_somebody_looks_at_it(env):
    """Its session is there while that grouping of screen R is open, and gone after it."""
    with WebServer(env) as work, FullScreen(env, work.pid, "--max-target-cost", "100", lines=40, columns=120) as screen:
        screen.wait_for(lambda output: b"LIVE" in output, SECONDS, "the screen")
        work.do("load 1 /burn/15")
        screen.type("R")
        screen.wait_for(lambda output: b"begun in the last" in output, SECONDS, "that single requests are told")
        sessions = sessions_of(work.pid)
        screen.type("vv")
        wait_until(lambda: sessions_of(work.pid) > sessions, SECONDS, "one more session")
        screen.output = b""
        screen.wait_for(lambda output: b"/burn/{ms:int}" in output and b"CPU ms" in output, SECONDS, "a row of the route")
        sessions = sessions_of(work.pid)
        screen.type("v")
        wait_until(lambda: sessions_of(work.pid) < sessions, SECONDS, "the end of the session")
        check(len(work.do("call 20 /hello")["took_ms"]) >= 20, "answers afterwards")
        screen.type("q")
        screen.wait_end(SECONDS)
        wait_until(lambda: sessions_of(work.pid) == 0, SECONDS, "no session is left")


if __name__ == "__main__":
    main()
