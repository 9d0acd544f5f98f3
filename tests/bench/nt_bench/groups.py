# SPDX-License-Identifier: GPL-2.0-only
"""What is measured together, and on which targets."""
import contextlib
import dataclasses
import functools

from nt_live import SessionDaemon, Workload
from nt_live.live_session import Relay, events_of_nettop

from . import bridge, calling, cost_rows, decoding, drain, fifty, first_response, flood, growth, heaps, many, maps, naming, price, requesting, resident, screen, servers, symbols, telling, telling_lttng, waiting, watched, watchers


def _method(plan):
    return ("The target is the .NET program of the live tests (mode N, perf map), started anew for each part, with about one CPU busy computing, allocating, collecting, compiling and "
            f"throwing. All take turns, {plan.cost_runs} rounds or more, and of the rounds the one counts in which nettop's figure has the median ratio to that of its peer: the machine is not equally fast "
            "all the time. A run in which perf spins or the target "
            "gets less than three quarters of its usual CPU time does not count. perf has `-e cpu-clock -F 999 -p PID`, and `nettop --source perf` `-F 999`; with `-d 1` `perf top` draws as often as nettop. CPU time is the kernel's CPU clock "
            "of the process and its helpers (nettop's keeper included); LTTng's daemons are apart.\n")


@contextlib.contextmanager
def _lttng(bench):
    """Daemons for all parts."""
    with SessionDaemon(bench.env) as bench.daemon, Relay(bench.env) as bench.relay:
        yield


@contextlib.contextmanager
def _on_lttng_target(bench):
    """Of its own: one that has compiled for a quarter of an hour has more methods to tell of than a young one."""
    with Workload(bench.env, mode="N") as bench.work:
        bench.daemon.wait_for_app(bench.work.pid)
        bench.events = bench.events or events_of_nettop(bench.env, bench.work.pid)
        yield


@contextlib.contextmanager
def _nothing(_):
    yield


def _servers_method(plan):
    return ("The programs are not ours: Garnet (NuGet `garnet-server`) under `redis-benchmark " + " ".join(servers.LOAD_GARNET) + "`, the program that `dotnet new mvc` makes under "
            "`wrk -c 8`, the SDK's compiler in its server, to which csc gives one source again and again. Each is one process with nothing set, warmed up. "
            f"{watchers.COPIES} copies of nettop watch at once, and all figures are those of one copy: samples cost each the same, an event of EventPipe is made once for all. The watchers take "
            f"turns of {plan.server_turn_s:g} s on it, in random order, {plan.server_settle_s:g} s after they came; nobody watches before and after each turn ({plan.server_alone_s:g} s), and a turn counts "
            "against the mean of these two; dotnet-trace has two turns in a round. A price is the median of the means of any two turns; in brackets the interval in which it lies in 95 % of all cases (Wilcoxon's signed rank), which "
            "decides: a limit holds when all of it is below, does not when all of it is above. The price against dotnet-trace's is compared round by round. A probe measures in the same seconds how fast "
            "the CPUs are, which others of the machine's cores change; what nobody's turns say of how an operation's CPU time follows that is taken off. The probe is a median, so interrupts are not in it; "
            "as if it stood still while nettop works, nettop's part of the machine's CPU time is added to nettop's prices again. To come and to go is measured while the program has nothing to do. perf has `-e cpu-clock -F 999`.\n")


@dataclasses.dataclass(frozen=True)
class Group:
    """What is measured in one run and told in one section of doc/RESULTS.md, between the marks of `make NAME`."""
    name: str
    title: str
    commands: tuple
    parts: dict      # name -> (bench, notes) -> rows; each takes at most 18 minutes
    method: object   # plan -> text
    around_all: object = _nothing   # bench -> context
    around_part: object = _nothing


GROUPS = {
    "peers": Group(
        "bench", "nettop and its peers", ("perf", "top", "babeltrace2", "wc", "sha256sum"),
        {"whole": cost_rows.whole, "steady-perf": cost_rows.steady_perf, "steady-all": cost_rows.steady_all, "churn": cost_rows.churn,
         "first": screen.first, "refresh": screen.refresh, "names": naming.names, "flood": flood.flood, "drain": drain.drain, "growth": growth.growth,
         "map": maps.perf_map, "many": many.many, "symbols": symbols.symbols, "bridge": bridge.bridge}, _method, _lttng, _on_lttng_target),
    "eventpipe": Group(
        "bench-eventpipe", "EventPipe", ("dotnet",), {"nettrace": decoding.nettrace, "price": price.price},
        lambda _: "The target is the .NET program of the live tests, started with nothing set.\n"),
    "waits": Group(
        "bench-waits", "Waits, each switch of a thread told", ("dotnet", "perf", "bpftrace", "redis-benchmark"), {"waits": waiting.waits, "switch": waiting.switch}, _servers_method),
    "calls": Group(
        "bench-calls", "Calls of the system, each counted", ("dotnet", "strace", "redis-benchmark"), {"calls": calling.calls}, _servers_method),
    "heap": Group("bench-heap", "The objects of a heap", ("dotnet",), {f"heap-{size.replace(' ', '-')}": functools.partial(heaps.heaps, size=size) for size in heaps.FILLS}, heaps.method),
    "processes": Group(
        "bench-processes", "Many processes in one list", ("dotnet",), {"processes": fifty.fifty},
        lambda _: "The programs are that of the live tests, started with nothing set.\n"),
    "requests": Group(
        "bench-requests", "Requests, each told", ("dotnet", "wrk", "taskset"), {"requests": requesting.requests}, requesting.method),
    "events": Group(
        "bench-events", "Events, each told", ("dotnet", "awk", "grep"), {"events": telling.events, "events-lttng": telling_lttng.events},
        lambda _: "The program is tests/live/telling, started with nothing set, as people start one.\n"),
    "servers": Group(
        "bench-servers", "Programs that are not ours", ("dotnet", "perf"),
        {name: functools.partial(watched.measure, server=server)
         for name, server in (("garnet", servers.GARNET), ("mvc", servers.MVC), ("compiler", servers.COMPILER))}
        | {"first-response": first_response.first_response, "resident": resident.resident}, _servers_method),
}
