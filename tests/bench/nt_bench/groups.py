# SPDX-License-Identifier: GPL-2.0-only
"""What is measured together, and on which targets."""
import contextlib
import dataclasses

from nt_live import SessionDaemon, Workload
from nt_live.live_session import Relay, events_of_nettop

from . import bridge, cost_rows, decoding, drain, flood, growth, maps, naming, price, screen, symbols


def _method(plan):
    return ("The target is the .NET program of the live tests (mode N, perf map), started anew for each part, with about one CPU busy computing, allocating, collecting, compiling and "
            f"throwing. A peer counts with the least of at least {plan.cost_runs} runs, nettop with its median; a run in which perf spins or the target "
            "gets less than three quarters of its usual CPU time does not count. perf has `-e cpu-clock -F 999 -p PID`. CPU time is the kernel's CPU clock "
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


@dataclasses.dataclass(frozen=True)
class Group:
    """What is measured in one run and told in one section of doc/RESULTS.md, between the marks of `make NAME`."""
    name: str
    title: str
    commands: tuple
    parts: dict      # name -> (bench, notes) -> rows; each takes at most 8 minutes
    method: object   # plan -> text
    around_all: object = _nothing   # bench -> context
    around_part: object = _nothing


GROUPS = {
    "peers": Group(
        "bench", "nettop and its peers", ("perf", "top", "babeltrace2", "wc", "sha256sum"),
        {"whole": cost_rows.whole, "steady-perf": cost_rows.steady_perf, "steady-all": cost_rows.steady_all, "churn": cost_rows.churn,
         "first": screen.first, "refresh": screen.refresh, "names": naming.names, "flood": flood.flood, "drain": drain.drain, "growth": growth.growth,
         "map": maps.perf_map, "symbols": symbols.symbols, "bridge": bridge.bridge}, _method, _lttng, _on_lttng_target),
    "eventpipe": Group(
        "bench-eventpipe", "EventPipe", ("dotnet",), {"nettrace": decoding.nettrace, "price": price.price},
        lambda _: "The target is the .NET program of the live tests, started with nothing set.\n"),
}
