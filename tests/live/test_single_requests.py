#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Single requests: those in flight and the slowest, against what the program itself has in hand."""
import http.server
import threading
import time

from nt_live import *
from nt_live.eventpipe import sessions_of

SECONDS = 30
SOURCES = ("--source", "eventpipe,map,procfs")
# From the runtime's begin of a request to the program's own, on a machine that has other things to do; and of its end.
OUTSIDE_MS = 150


def of(line, what):
    return line["requests"][f"single_{what}"]


def is_told(line):
    return of(line, "in_flight_count") is not None


def rows_of(line, *stages):
    return [row for row in line["requests"]["single"] if row["stage"] in stages]


def has_in_flight(work, path, count):
    """What the program has of that path, when it has so many."""
    def look():
        own = [request for request in work.do("flying")["in_flight"] if request["path"] == path]
        return own if len(own) == count else None
    return wait_until(look, SECONDS, f"{count} requests of {path} in the program")


class SlowPeer:
    """Answers each request so many seconds later."""

    def __init__(self, wait_s):
        self.seen = seen = []  # the header of each that says of which trace it is

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append(self.headers.get("traceparent"))
                time.sleep(wait_s)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


@test
def what_a_request_waits_for(env):
    """Of a route that asks another server, two requests at a time, and then waits for something else: as the program's own stopwatch says; while it waits, for whom."""
    calls, points = 20, 3
    with WebServer(env) as work, SlowPeer(0.1) as peer, SlowPeer(8) as stuck, Nettop(env, work.pid, "--request-cpu", "--max-target-cost", "100", interval_s=0.5) as nettop:
        nettop.wait_for(lambda line: line["requests"]["times_covered_ns"] is not None, SECONDS, "requests and activities are told")
        work.do(f"call 1 /ask/{peer.port}/1/0")
        route = "/ask/{port:int}/{times:int}/{ms:int}"
        nettop.wait_for(lambda line: route in {row["route"] for row in line["requests"]["routes"]}, SECONDS, "the route")
        before = work.do("asked")
        work.do(f"call {calls} /ask/{peer.port}/2/60")
        after = work.do("asked")
        line = nettop.wait_for(lambda line: sum(row["count_all"] for row in line["requests"]["times"] if row["route"] == route) >= calls, SECONDS, "all of them")
        work.do(f"begin 1 /ask/{stuck.port}/1/0")
        waiting = nettop.wait_for(lambda line: any(row["awaits"] for row in rows_of(line, "in flight")), SECONDS, "one that waits")
        nettop.stop()
    row = next(row for row in line["requests"]["times"] if row["route"] == route)
    own = 100 * (after["waited_ns"] - before["waited_ns"]) / (after["took_ns"] - before["took_ns"])
    check_within("% of its time that it waited for answers", row["awaited_pct"], own, absolute=points)
    check_equal("for whom", row["awaited"], f"127.0.0.1:{peer.port}")
    for ended in rows_of(line, "ended"):
        if ended["path"] == f"/ask/{peer.port}/2/60":
            check_within("of one", ended["awaited_pct"], own, absolute=3 * points)
            check_equal("for whom", ended["awaits"], f"127.0.0.1:{peer.port}")
    one = next(row for row in rows_of(waiting, "in flight") if row["awaits"])
    check_equal("while it waits", (one["awaits"], one["path"]), (f"127.0.0.1:{stuck.port}", f"/ask/{stuck.port}/1/0"))
    check(one["awaited_pct"] > 50, f"while it waits: {one}")
    return f"{row['awaited_pct']:.1f} % of {own:.1f} %"


@test
def requests_that_it_makes_are_what_they_were(env):
    """One outside of any that is served has no header for our sake; one that cannot be sent fails as it did."""
    with WebServer(env) as work, SlowPeer(0) as peer:
        work.do(f"outside {peer.port}")
        before = work.do("odd")["said"]
        check_equal("of which nothing was sent", before.count("\n"), 3)
        with Nettop(env, work.pid, "--requests", *SOURCES, interval_s=0.5) as nettop:
            nettop.wait_for(is_told, SECONDS, "single requests are told")
            work.do(f"outside {peer.port}")
            check_equal("those that cannot be sent", work.do("odd")["said"], before)
            work.do(f"call 1 /ask/{peer.port}/1/0")
            nettop.stop()
    check_equal("headers outside", peer.seen[:2], [None, None])
    check(peer.seen[2], "within a request there is one: else nothing is told of it")


@test
def in_flight_with_age_path_and_trace(env):
    """Exactly those that the program has, of those that began since; then how long each took. What began before is in no row."""
    with WebServer(env) as work:
        work.do("begin 2 /slow/60000")
        has_in_flight(work, "/slow/60000", 2)
        with Nettop(env, work.pid, "--requests", *SOURCES, interval_s=0.5) as nettop:
            nettop.wait_for(is_told, SECONDS, "single requests are told")
            work.do("call 5 /hello")
            work.do("begin 3 /slow/3000")
            own = has_in_flight(work, "/slow/3000", 3)
            line = nettop.wait_for(lambda line: of(line, "in_flight_count") == 3, SECONDS, "three in flight")
            rows = rows_of(line, "in flight")
            check_equal("traces", sorted((row["trace_id"], row["path"], row["method"], row["status"]) for row in rows),
                        sorted((request["trace"], "/slow/3000", "GET", None) for request in own))
            began = {request["trace"]: request["began_ns"] for request in own}
            for row in rows:
                check_within("age in ms", row["time_ns"] / 1e6, (line["t1_ns"] - began[row["trace_id"]]) / 1e6, absolute=OUTSIDE_MS)
            check_equal("the oldest", of(line, "oldest_ns"), max(row["time_ns"] for row in rows))
            took_ms = work.do("call 1 /slow/3000")["took_ms"][0]
            line = nettop.wait_for(lambda line: of(line, "in_flight_count") == 0, SECONDS, "none in flight")
            summary = nettop.stop()
        slowest = [row for row in rows_of(line, "ended") if row["path"] == "/slow/3000"]
        check_equal("the slowest", (len(slowest), {row["status"] for row in slowest}), (4, {200}))
        check_equal("their route", {row["route"] for row in rows_of(summary, "ended") if row["path"] == "/slow/3000"}, {"/slow/{ms:int}"})
        check(set(began) <= {row["trace_id"] for row in slowest}, f"traces {sorted(began)} are not all in {slowest}")
        newest = min(slowest, key=lambda row: row["ended_ago_ns"])
        check_within("what it took, in ms", newest["time_ns"] / 1e6, took_ms, absolute=OUTSIDE_MS)
        check_equal("paths from before", [row for told in (*nettop.intervals, summary) for row in told["requests"]["single"] if row["path"] == "/slow/60000"], [])
    return f"took {newest['time_ns'] / 1e6:.1f} ms, the program says {took_ms:.1f}"


@test
def counts_are_the_programs_own(env):
    """Each is told once, whatever its status; nothing is lost or left in flight. Without what the program works on no path is told."""
    with WebServer(env) as work, Nettop(env, work.pid, "--requests", "--no-payload", *SOURCES, interval_s=0.5) as nettop:
        nettop.wait_for(lambda line: is_told(line) and line["requests"]["count"] is not None, SECONDS, "requests are told, singly and by route")
        before = work.do("flying")
        for command in ("call 400 /hello", "call 20 /fail/1", "call 10 /nowhere", "call 2 /slow/300"):
            work.do(command)
        after = work.do("flying")
        expected = after["begun"] - before["begun"], after["ended"] - before["ended"]
        nettop.wait_for(lambda _: sum(of(line, "ended_count") or 0 for line in nettop.intervals) >= expected[1], SECONDS, f"{expected[1]} ends")
        nettop.wait_for(lambda _: sum(line["requests"]["count"] or 0 for line in nettop.intervals) >= expected[1], SECONDS, f"{expected[1]} by route")
        check_equal("in flight", of(nettop.intervals[-1], "in_flight_count"), 0)
        summary = nettop.stop()
    check_equal("begun and ended", (of(summary, "begun_count"), of(summary, "ended_count")), expected)
    check_equal("without an end, without a place", (of(summary, "unseen_count"), of(summary, "unkept_count")), (0, 0))
    check_equal("by Meters", summary["requests"]["count"], expected[1])
    rows = rows_of(summary, "ended")
    check_equal("paths", {row["path"] for row in rows}, {None})
    check_equal("what else is told of each", {(row["method"], bool(row["trace_id"])) for row in rows}, {("GET", True)})
    return f"{expected[1]} requests"


@test
def connections_from_before(env):
    """Whose requests began before is in no row; their connections are counted, as the server has them."""
    with WebServer(env) as work:
        work.do("begin 3 /slow/60000")
        has_in_flight(work, "/slow/60000", 3)
        with Nettop(env, work.pid, "--requests", *SOURCES, interval_s=0.5) as nettop:
            nettop.wait_for(lambda line: line["requests"]["connection_count"] == 3, SECONDS, "three connections")
            nettop.wait_for(lambda line: is_told(line) and of(line, "in_flight_count") == 0, SECONDS, "no request that is known")
            work.do("begin 2 /slow/60000")
            line = nettop.wait_for(lambda line: line["requests"]["connection_count"] == 5, SECONDS, "two more")
            nettop.stop()
        check_equal("rows of counters that nobody asked for", [row["provider"] for row in line["counters"] if "Kestrel" in row["provider"] and "-" in row["provider"]], [])


@test
def only_while_somebody_looks(env):
    """The session is there while screen R is open, and gone after it; the program goes on."""
    with WebServer(env) as work, FullScreen(env, work.pid, *SOURCES, lines=40, columns=120) as screen:
        screen.wait_for(lambda output: b"LIVE" in output, SECONDS, "the screen")
        for _ in range(2):
            before = sessions_of(work.pid)
            screen.type("R")
            screen.wait_for(lambda output: b"begun in the last" in output, SECONDS, "that single requests are told")
            # The second time requests of the first are there before the session is.
            screen.wait_for(lambda output: sessions_of(work.pid) > before, SECONDS, "the session")
            work.do("begin 1 /slow/5000")
            screen.wait_for(lambda output: b"GET /slow/5000" in output, SECONDS, "which is in flight")
            screen.type("v")
            screen.wait_for(lambda output: b"STAGE" in output, SECONDS, "a row of it")
            sessions = sessions_of(work.pid)  # now: others may have come in the meantime
            screen.type("1")
            screen.output = b""
            screen.wait_for(lambda output: sessions_of(work.pid) < sessions, SECONDS, "the end of the session")
            check_equal("answers afterwards", len(work.do("call 20 /hello")["took_ms"]), 20)
        screen.type("q")
        screen.wait_end(SECONDS)
        wait_until(lambda: sessions_of(work.pid) == 0, SECONDS, "no session is left")
        check_equal("answers in the end", len(work.do("call 20 /hello")["took_ms"]), 20)


@test
def too_many_are_not_told(env):
    """What would cost the program more than it may is ended, and it is said why; routes are told all the same."""
    with WebServer(env) as work, Nettop(env, work.pid, "--requests", "--max-target-cost", "1", *SOURCES, interval_s=1) as nettop:
        nettop.wait_for(is_told, SECONDS, "single requests are told")
        sessions = sessions_of(work.pid)
        def flood(line):
            work.do("call 4000 /hello")
            return of(line, "reason") and "no longer told" in of(line, "reason")
        line = nettop.wait_for(flood, 2 * SECONDS, "that they are no longer told")
        check_equal("in flight", of(line, "in_flight_count"), None)
        check("--max-target-cost" in of(line, "fix"), f"what helps: {of(line, 'fix')}")
        wait_until(lambda: sessions_of(work.pid) == sessions - 1, SECONDS, "the end of the session")
        work.do("call 50 /fail/1")
        nettop.wait_for(lambda line: (line["requests"]["error_count"] or 0) > 0, SECONDS, "routes, which are told")
        nettop.stop()
        return of(line, "reason")


if __name__ == "__main__":
    main()
