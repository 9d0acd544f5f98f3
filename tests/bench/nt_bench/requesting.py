# SPDX-License-Identifier: GPL-2.0-only
"""What a request costs a web application that is asked for them: for what is told all the time (the tile), for each one (screen R), and under dotnet-trace and a program on Microsoft's client library with the same provider."""
import contextlib
import os
import time

from nt_live.environment import REPO, run_script

from .meter import cpu_ns
from .report import Row
from .servers import TOOL, web_application
from .watchers import DOTNET_TRACE_REQUESTS, LISTENER, NETTOP_EVENTS, NETTOP_REQUEST_CPU, NETTOP_REQUESTS, watching

KNOWN_WITHIN_US = 3
LIMIT_US = 8 + KNOWN_WITHIN_US  # of a request while each is told (reference: 4.5 to 7)
CPU_LIMIT_US = 13 + KNOWN_WITHIN_US  # and it is told which of them CPU time is for (reference: 10)
NS_PER_US = 1000
CONNECTIONS, TURNS, TURN_S, SETTLE_S, WARM_UPS = 4, 3, 1, 4, 8
FIRST, SECOND = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
NOBODY = None
WATCHERS = (NETTOP_EVENTS, NETTOP_REQUESTS, NETTOP_REQUEST_CPU, DOTNET_TRACE_REQUESTS, LISTENER)


def _us_a_request(running):
    before = cpu_ns(running.pid)
    done = running.work(TURN_S)
    return (cpu_ns(running.pid) - before) / done.count / NS_PER_US


def method(plan):
    return (f"The program is not ours: what `dotnet new web` makes, a route that answers \"Hello World!\", started with nothing set, under `wrk -c {CONNECTIONS}`. It has one CPU, all others have the other. The watchers "
            f"take turns of {TURNS} times {TURN_S} s, {SETTLE_S} s after they came; {plan.price_runs} rounds, each begun by another one. A price is the least CPU time of the program for a request, less the least "
            "with nobody watching: others use the machine's cores, and there is half as much again in some seconds. Call stacks cost dotnet-trace and the client library, which ask for them by themselves.\n")


def requests(bench, notes):
    bench.env.need_commands("wrk", "taskset")
    bench.dotnet_trace = run_script(TOOL, "dotnet-trace")
    bench.listener = run_script(REPO / "tests/bench/servers/build.sh", "listener")
    turns = (NOBODY, *WATCHERS)
    least = dict.fromkeys(turns, float("inf"))
    with web_application(bench.env, "web", CONNECTIONS, ("taskset", "-c", str(FIRST)), ("taskset", "-c", str(SECOND))) as running:
        for _ in range(WARM_UPS):
            _us_a_request(running)
        for number in range(bench.plan.price_runs):
            seen = {}
            for watcher in turns[number % len(turns):] + turns[:number % len(turns)]:
                with watching(bench, running.pid, watcher, under=("taskset", "-c", str(SECOND))) if watcher else contextlib.nullcontext():
                    time.sleep(SETTLE_S if watcher else 0)
                    seen[watcher] = min(_us_a_request(running) for _ in range(TURNS))
                least[watcher] = min(least[watcher], seen[watcher])
            bench.say(f"round {number + 1}/{bench.plan.price_runs}  " + ", ".join(f"{watcher.title if watcher else 'nobody'} {us:.1f} us" for watcher, us in seen.items()))
    price = {watcher: least[watcher] - least[NOBODY] for watcher in WATCHERS}
    told = price[NETTOP_REQUESTS] - price[NETTOP_EVENTS]
    notes.append(f"Watched by nobody a request takes {least[NOBODY]:.1f} us of CPU time.")
    return [Row(f"a request that each is told, screen R (`{NETTOP_REQUESTS.title}`)", price[NETTOP_REQUESTS], "us", limit=LIMIT_US),
            Row(f"and which of them CPU time is for (`{NETTOP_REQUEST_CPU.title}`)", price[NETTOP_REQUEST_CPU], "us", limit=CPU_LIMIT_US),
            *(Row("a request that each is told", price[NETTOP_REQUESTS], "us", f"`{peer.title}`", price[peer], 1) for peer in (DOTNET_TRACE_REQUESTS, LISTENER)),
            Row(f"a request while the tile is told (`{NETTOP_EVENTS.title}`)", price[NETTOP_EVENTS], "us"),
            Row("that each is told, beside that", told, "us")]
