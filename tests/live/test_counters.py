#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The counters that a program publishes: nettop's rows against what the runtime and the program counted themselves."""
import time

from nt_live import *
from nt_live.eventpipe import Session, ask, sessions_of
from nt_live.nettop import source_of

# Counter of System.Runtime -> counter of a mark. The first are told as increments, the last as totals since the process began.
INCREMENTS = {"gen-0-gc-count": "gc0_count", "gen-1-gc-count": "gc1_count", "gen-2-gc-count": "gc2_count", "exception-count": "exception_count",
              "monitor-lock-contention-count": "contention_count"}
TOTALS = {"methods-jitted-count": "jit_method_count", "il-bytes-jitted": "jit_il_bytes"}
WORK = ("alloc 200", "gc 0", "gc 1", "gc 2", "jit-expr 20", "throw 120", "locks 75")
# What is still told before it was counted: more than a period, and than the time until it is flushed and read.
SECONDS = 30
# Of .NET 10: events, who asked for them, exceptions, the runtime's own counters.
USUAL_SESSIONS = 3


def counters_of(line, provider="System.Runtime"):
    """{name with tags: row}"""
    return {row["counter"]: row for row in line["counters"] if row["provider"] == provider}


def values(line, *names, provider="System.Runtime"):
    """None while one of them is not there."""
    rows = counters_of(line, provider)
    found = {name: rows[name]["value"] for name in names if name in rows}
    return found if len(found) == len(names) else None


def wait_for_values(nettop, expected, provider="System.Runtime", base=None):
    """Until the rows have these values, or have grown by them since `base`."""
    def seen(line):
        found = values(line, *expected, provider=provider)
        return found and {name: value - (base or {}).get(name, 0) for name, value in found.items()}
    try:
        return nettop.wait_for(lambda line: seen(line) == expected, SECONDS, f"counters {expected}")
    except OutOfLimit as problem:
        raise OutOfLimit(f"{problem}; the last were {seen(nettop.intervals[-1])}") from None


def the_runtimes_own(env, interval_s, program=None):
    with Bare(env, program=program) as work:
        work.settle()
        with Nettop(env, work.pid, "--source", "eventpipe", "--counters", "", interval_s=interval_s) as nettop:
            nettop.wait_for(lambda line: values(line, *INCREMENTS, *TOTALS), SECONDS, "the counters are there")
            work.do("throw 7")
            # An event behind everything that was counted before: when it is told, all of that has been.
            base = nettop.wait_for(lambda line: (counters_of(line)["exception-count"]["value"] or 0) >= 7, SECONDS, "7 exceptions are told")
            work.settle()
            before = work.mark()
            base = nettop.wait_for(lambda line: line["t0_ns"] > before["mono_ns"] + 2e9, SECONDS, "two seconds of rest")
            start = values(base, *INCREMENTS)
            within = work.mark()  # what is counted from here on is in no value of `base`
            for command in WORK:
                work.do(command)
            work.settle()
            after = work.mark()
            truth = after.since(before)
            wait_for_values(nettop, {name: truth[key] for name, key in INCREMENTS.items()}, base=start)
            # What publishes them is compiled again after 30 periods, whenever that is.
            line = nettop.wait_for(lambda line: all(values(line, *TOTALS)[name] >= after[key] for name, key in TOTALS.items()), SECONDS, "the totals are told")
            later = work.mark()
            for name, key in TOTALS.items():
                check(counters_of(line)[name]["value"] <= later[key], f"{name}: {counters_of(line)[name]['value']}, the runtime says {later[key]}")
            allocated = counters_of(line)["alloc-rate"]["value"] - counters_of(base)["alloc-rate"]["value"]
            # Counting itself allocates, in each period: the values are of a time that lies between two.
            inner, outer = after.since(within), later.since(before)
            check_limit("least allocated bytes", inner["alloc_bytes"] * 0.98, allocated)
            check_limit("allocated bytes", allocated, outer["alloc_bytes"] * 1.02)
            pause = counters_of(line)["total-pause-time-by-gc"]["value"] - counters_of(base)["total-pause-time-by-gc"]["value"]
            check_limit("least pause", inner["gc_pause_ns"] / 1e6 - 0.01, pause)
            check_limit("pause", pause, outer["gc_pause_ns"] / 1e6 + 0.01)
            nettop.stop()
        check_equal("sessions that the target has left", sessions_of(work.pid), 0)
        return f"{truth['exception_count']} exceptions, {allocated / truth['alloc_bytes']:.4f} of the bytes"


@test
def counters_of_the_runtime(env):
    return the_runtimes_own(env, 1)


@long_test
def counters_of_the_runtime_five_times_a_second(env):
    return the_runtimes_own(env, 0.2)


@long_test
def counters_of_dotnet_8(env):
    return the_runtimes_own(env, 1, program=env.selfcontained("net8.0"))


@long_test
def counters_of_dotnet_9(env):
    return the_runtimes_own(env, 1, program=env.selfcontained("net9.0"))


@long_test
def counters_of_a_web_server(env):
    with WebServer(env) as web:
        with Nettop(env, web.pid, "--source", "eventpipe", "--counters", "Shop.Orders,Shop-Orders", interval_s=0.5) as nettop:
            nettop.wait_for(lambda line: values(line, "total-requests", provider="Microsoft.AspNetCore.Hosting")
                            and values(line, "stock", provider="Shop.Orders"), SECONDS, "the counters are there")
            for command in ("requests 40", "orders 5 gift", "orders 2 plain", "durations 0.1 0.2 0.4"):
                web.do(command)
            wait_for_values(nettop, {"total-requests": 40, "requests-per-second": 40, "current-requests": 0}, "Microsoft.AspNetCore.Hosting")
            wait_for_values(nettop, {"total-connections": 1, "current-connections": 1}, "Microsoft-AspNetCore-Server-Kestrel")
            wait_for_values(nettop, {"requests-started": 40}, "System.Net.Http")
            wait_for_values(nettop, {"orders": 7}, "Shop-Orders")
            line = wait_for_values(nettop, {"orders{kind=gift}": 5, "orders{kind=plain}": 2, "orders.open": 7, "stock": 993}, "Shop.Orders")
            shop = counters_of(line, "Shop.Orders")
            check_equal("kinds", {name: shop[name]["kind"] for name in ("orders{kind=gift}", "orders.open", "stock", "checkout.duration{pay=card}")},
                        {"orders{kind=gift}": "total", "orders.open": "up_down", "stock": "gauge", "checkout.duration{pay=card}": "histogram"})
            duration = shop["checkout.duration{pay=card}"]
            # The runtime's histograms have an error of their own.
            check_within("p50", duration["p50"], 0.2, relative=0.01)
            check_within("p99", duration["p99"], 0.4, relative=0.01)
            web.do("series 1100")
            line = nettop.wait_for(lambda line: line["counters_hidden_at_least"], SECONDS, "the runtime says that there are more")
            summary = nettop.stop()
        return f"{len(summary['counters'])} counters"


def counters_come_and_go(env):
    """Their session is there while their screen is open, and not before or after."""
    with Bare(env) as work:
        work.settle()
        with FullScreen(env, work.pid) as screen:
            def wait_for_sessions(count, what):
                wait_until(lambda: sessions_of(work.pid) == count, SECONDS, lambda: f"{what}; there are {sessions_of(work.pid)}")
            wait_for_sessions(USUAL_SESSIONS, "the usual sessions")
            screen.type("c")
            wait_for_sessions(USUAL_SESSIONS + 1, "one more for the counters")
            screen.wait_for(lambda output: b"alloc-rate" in output, SECONDS, "the counters are on the screen")
            screen.type("1")
            wait_for_sessions(USUAL_SESSIONS, "the session for the counters ends")
            screen.type("q")
            wait_for_sessions(0, "no session is left")


@test
def counters_only_while_their_screen_is_open(env):
    counters_come_and_go(env)


@test
def counters_are_chosen_while_nettop_runs(env):
    """What the person names on the screen the program is asked for, no less and no more, and nettop stays where it is: the program says whether somebody listens."""
    with WebServer(env) as web:
        with FullScreen(env, web.pid) as screen:
            screen.wait_for(lambda output: b"LIVE" in output, SECONDS, "the screen")
            screen.type("c")
            screen.wait_for(lambda output: b"alloc-rate" in output, SECONDS, "the counters")
            check(not web.do("counted")["orders"], "nobody has named Shop.Orders yet")
            screen.type("+G\r")
            screen.wait_for(lambda output: b"EventSource or Meter:" in output, SECONDS, "the name is asked for")
            screen.type("Shop.Orders\r")
            wait_until(lambda: web.do("counted")["orders"], SECONDS, lambda: f"Shop.Orders is asked for; the screen has {screen.pump()[-900:]!r}")
            screen.type("+/stock\r")  # closes the menu
            screen.wait_for(lambda output: b"stock piece" in output, SECONDS, "its counters are on the screen")
            screen.type("+Gk ")
            wait_until(lambda: not web.do("counted")["orders"], SECONDS, lambda: "Shop.Orders is left alone again")
            screen.type("q")
            wait_until(lambda: sessions_of(web.pid) == 0, SECONDS, lambda: f"no session is left; there are {sessions_of(web.pid)}")


@long_test
def another_tool_holds_the_meters(env):
    """The runtime has one session for Meters; it can be shared, but need not be."""
    with Bare(env) as work:
        theirs = "SessionId=mine;Metrics=System.Runtime;RefreshInterval=1;MaxTimeSeries=100;MaxHistograms=10"
        other = Session(work.pid, [("System.Diagnostics.Metrics", 2, 4, theirs)])
        wait_until(lambda: "CollectionStart".encode("utf-16-le") in other.data, SECONDS, "the other session has begun")
        with Nettop(env, work.pid, "--counters", "System.Runtime") as nettop:
            line = nettop.wait_for(lambda line: "Meters" in (source_of(line, "eventpipe").get("reason") or ""), SECONDS, "the refusal is told")
            check_equal("EventPipe", source_of(line, "eventpipe")["state"], "delivering")
            nettop.stop()
        other.stop()
        return source_of(line, "eventpipe")["reason"]


@test
def counters_lock_no_program_up(env):
    """
    A program that rents from a pool of arrays for the first time just when Meters are asked for stood for ever, and its diagnostics port with it (dotnet/runtime
    #119014). They are asked for when the runtime's own counters have come, for which it has rented by itself.
    """
    with FirstRent(env) as work:
        with Nettop(env, work.pid, "--source", "eventpipe", "--counters", "System.Runtime", interval_s=0.5) as nettop:
            work.wait_until_rented(SECONDS)
            nettop.wait_for(lambda line: values(line, "alloc-rate") and values(line, "dotnet.gc.pause.time"), SECONDS, "its counters of both kinds")
            check_equal("EventPipe", source_of(nettop.intervals[-1], "eventpipe")["state"], "delivering")
            nettop.stop()
        ask(work.pid, 4, 0)[0].close()  # its port answers
        check_equal("sessions that the target has left", sessions_of(work.pid), 0)


@long_test
def counters_never_leave_a_session(env):
    """That the screen is left just when the runtime collects Meters for the first time, which nettop must wait for, takes some attempts."""
    for _ in range(20):
        counters_come_and_go(env)


@long_test
def a_quit_locks_no_program_up(env):
    """
    nettop is left just when the runtime collects Meters for the first time: closed at that moment, their session would be ended in the middle of it, and the runtime's port would hang
    for good.
    """
    for attempt in range(20):
        with Bare(env) as work:
            work.settle()
            with FullScreen(env, work.pid) as screen:
                wait_until(lambda: sessions_of(work.pid) == USUAL_SESSIONS, SECONDS, lambda: f"the usual sessions; there are {sessions_of(work.pid)}")
                screen.type("c")
                wait_until(lambda: sessions_of(work.pid) == USUAL_SESSIONS + 1, SECONDS, lambda: f"one more; there are {sessions_of(work.pid)}")
                time.sleep(0.7 + attempt * 0.02)
                screen.type("q")
                wait_until(lambda: sessions_of(work.pid) == 0, SECONDS, lambda: f"no session is left; there are {sessions_of(work.pid)}")
            ask(work.pid, 4, 0)[0].close()  # its port answers


if __name__ == "__main__":
    main()
