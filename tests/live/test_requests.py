#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Requests that a program serves and makes: nettop's rows and tile against what the program did, and its own stopwatch."""
import contextlib
import http.server
import threading
import time

from nt_live import *
from nt_live.eventpipe import Session

SECONDS = 30
USUAL_S = 150  # a minute and more of requests is usual
CLIENTS, SLOW_S, TOLD_S = 8, 1.2, 15
PILED, PILED_S = 12, 60
# Command -> how many requests, route, status. The last is of no route.
CALLS = {"call 200 /hello": (200, "/hello", "200"), "call 40 /slow/50": (40, "/slow/{ms:int}", "200"), "call 7 /fail/3": (7, "/fail/{id:int}", "500"),
         "call 3 /nowhere": (3, None, "404")}
SERVED = sum(count for count, _, _ in CALLS.values())
QUANTILE = 0.05  # of the program's own stopwatch, and what a request takes outside of it:
OUTSIDE_MS = 3


def is_told(line):
    return line["requests"]["count"] is not None


def rows_of(line, way):
    return {(row["route"], row["status"]): row for row in line["requests"]["routes"] if row["way"] == way}


def quantile(values, share):
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


@test
def by_route_and_status(env):
    """Counts are exact from when they are told, durations those of the program's own stopwatch."""
    with WebServer(env) as work:
        work.do("call 5 /hello")  # before nettop: nobody's
        with Nettop(env, work.pid, "--source", "eventpipe,map,procfs", interval_s=1) as nettop:
            nettop.wait_for(is_told, SECONDS, "requests are told")
            took_ms = {command: work.do(command)["took_ms"] for command in CALLS}
            nettop.wait_for(lambda _: sum(line["requests"]["count"] or 0 for line in nettop.intervals) >= SERVED, SECONDS, f"{SERVED} requests")
            slow = next(row for line in nettop.intervals for (route, _), row in rows_of(line, "served").items() if route == "/slow/{ms:int}" and row["count"])
            summary = nettop.stop()
    served, made = rows_of(summary, "served"), rows_of(summary, "made")
    check_equal("served", {key: row["count"] for key, row in served.items()}, {(route, status): count for count, route, status in CALLS.values()})
    check_equal("failed", (summary["requests"]["error_count"], summary["requests"]["made_error_count"]), (7, 7 + 3))  # HttpClient calls a 404 an error, too
    check_equal("made, of all peers", sum(row["count"] for row in made.values()), SERVED)
    check_equal("the peer", {route.split(":")[0] for route, _ in made}, {"127.0.0.1"})
    own_ms = took_ms["call 40 /slow/50"]
    check_within("median of /slow", slow["p50_ns"] / 1e6, quantile(own_ms, 0.5), relative=QUANTILE, absolute=OUTSIDE_MS)
    # Of one second of them, and of all: which was the slowest is a matter of the machine.
    check(slow["p50_ns"] <= slow["p95_ns"] <= slow["p99_ns"], f"quantiles {slow}")
    check_limit("p99 of /slow", slow["p99_ns"] / 1e6, max(own_ms) * (1 + QUANTILE) + OUTSIDE_MS)
    return f"{SERVED} of {SERVED}; p50 {slow['p50_ns'] / 1e6:.1f} ms, the program says {quantile(own_ms, 0.5):.1f}"


@test
def in_flight_and_on_the_first_screen(env):
    with WebServer(env) as work, FullScreen(env, work.pid, lines=40, columns=120) as screen:
        screen.wait_for(lambda output: b"LIVE" in output, SECONDS, "the screen")
        screen.type("R")
        screen.wait_for(lambda output: b"No request has ended since they are told" in output, SECONDS, "that none has ended")
        work.do("begin 6 /slow/20000")
        screen.wait_for(lambda output: b"in flight 6" in output, SECONDS, "requests in flight, in the tile")
        work.do("call 3 /fail/1")
        screen.wait_for(lambda output: b"/fail/{id:int}" in output, SECONDS, "a route that fails")


@test
def requests_that_fail_are_found(env):
    """On the first screen, with the route; the same number of those that are answered is no finding."""
    with WebServer(env) as work, Nettop(env, work.pid, "--source", "eventpipe,map,procfs", interval_s=1) as nettop:
        nettop.wait_for(is_told, SECONDS, "requests are told")
        found = []
        def texts(line):
            found.extend(finding["text"] for finding in line["findings"] if finding["kind"] == "request_errors")
            return found
        for _ in range(3):
            work.do("call 20 /slow/10")
        check_equal("findings of requests that are answered", [text for line in nettop.intervals for text in texts(line)], [])
        work.do("begin 200 /slow/1")
        for _ in range(6):
            work.do("call 20 /fail/7")
            work.do("call 10 /slow/100")
        nettop.wait_for(texts, SECONDS, "the finding")
        nettop.stop()
    check("/fail/{id:int} 500" in found[0], f"no route in {found[0]!r}")
    return found[0]


@contextlib.contextmanager
def a_downstream():
    """A server that others call; it takes as long as `takes_s` says."""
    class Answer(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            answered.wait(server.takes_s)
            with contextlib.suppress(ConnectionError):  # who asked has ended
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

        def log_message(self, *_):
            pass

    answered = threading.Event()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.daemon_threads, server.takes_s = True, 0
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        answered.set()
        server.shutdown()
        server.server_close()


def slow_findings(lines):
    return [finding for line in lines for finding in line["findings"] if finding["kind"] == "slow_requests"]


@long_test
def a_downstream_that_becomes_slow_is_found(env):
    """While it is watched: the route, what it calls, and since when; not while all is as it was, nor at the start."""
    with a_downstream() as downstream, WebServer(env) as work, Nettop(env, work.pid, "--source", "eventpipe,map,procfs", interval_s=1) as nettop:
        port = downstream.server_address[1]
        nettop.wait_for(is_told, SECONDS, "requests are told")
        work.do(f"load {CLIENTS} /pay/{port}")
        nettop.wait_for(lambda line: "slow requests" in line["checked"], USUAL_S, "what is usual")
        quiet = slow_findings(nettop.intervals)
        if quiet:  # a machine that stands still for seconds
            raise OutOfLimit(f"found while nothing was slow: {quiet[0]['text']}")
        began_ns, downstream.takes_s = time.monotonic_ns(), SLOW_S
        line = nettop.wait_for(lambda line: slow_findings([line]), SECONDS, "the finding")
        finding = slow_findings([line])[0]
        nettop.stop()
    text = finding["text"]
    check(text.startswith("Requests are slow: GET /pay/{port:int} 200 p99 1.") and f"its calls to 127.0.0.1:{port}, too: 1." in text, text)
    check_equal("the screen and the threshold", (finding["screen"], finding["unit"], finding["threshold"]), ("R", "ns", 250e6))
    check("slow requests" in line["checked"] and finding["value"] >= 250e6, f"{finding}")
    check_within("since when, in s after it became slow", (finding["since_ns"] - began_ns) / 1e9, TOLD_S / 2, absolute=TOLD_S / 2)
    return text


@long_test
def requests_that_end_no_more_are_found(env):
    """A downstream that answers no more: none ends, so there is no duration that could be slow. There are no more in flight than there are callers."""
    with a_downstream() as downstream, WebServer(env) as work, Nettop(env, work.pid, "--source", "eventpipe,map,procfs", interval_s=1) as nettop:
        nettop.wait_for(is_told, SECONDS, "requests are told")
        work.do(f"load {PILED} /pay/{downstream.server_address[1]}")
        nettop.wait_for(lambda line: "slow requests" in line["checked"], USUAL_S, "what is usual")
        began_ns, downstream.takes_s = time.monotonic_ns(), 2 * PILED_S
        line = nettop.wait_for(lambda line: slow_findings([line]), PILED_S, "the finding")
        finding = slow_findings([line])[0]
        nettop.stop()
    how = f"Requests pile up: {PILED} in flight, ", f"Requests are stuck: {PILED} in flight, none has ended for "  # by how many were usual
    check(finding["text"].startswith(how) and f"{PILED} calls of its own are in flight" in finding["text"], finding["text"])
    check_within("since when, in s after it answered no more", (finding["since_ns"] - began_ns) / 1e9, PILED_S / 2, absolute=PILED_S / 2)
    return finding["text"]


@test
def a_program_without_requests_is_not_asked(env):
    """It says so: nobody is asked for what cannot be."""
    with Workload(env, mode="none", lttng=False) as work, Nettop(env, work.pid, interval_s=1) as nettop:
        line = nettop.wait_for(lambda line: line["requests"]["reason"] == "no ASP.NET Core, no HttpClient and no Npgsql in the program", SECONDS, "why there are none")
        check_equal("requests", (line["requests"]["count"], line["requests"]["routes"]), (None, []))
        nettop.stop()


@test
def what_another_tool_holds_is_unknown(env):
    """The runtime has one session for Meters; who does not share it keeps requests from us, and that there was none is not said."""
    with WebServer(env) as work:
        other = Session(work.pid, [("System.Diagnostics.Metrics", 2, 4, "SessionId=other;Metrics=System.Net.Http;RefreshInterval=1;MaxTimeSeries=10;MaxHistograms=10;ClientId=other")])
        wait_until(lambda: "CollectionStart".encode("utf-16-le") in other.data, SECONDS, "the other session has begun")
        with Nettop(env, work.pid, interval_s=1) as nettop:
            line = nettop.wait_for(lambda line: "Meters" in (line["requests"]["reason"] or ""), SECONDS, "why requests are not known")
            work.do("call 5 /hello")
            check_equal("requests", [line["requests"]["count"] for line in nettop.intervals if is_told(line)], [])
            nettop.stop()
        other.stop()
        return line["requests"]["reason"]


if __name__ == "__main__":
    main()
