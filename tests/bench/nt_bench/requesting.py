# SPDX-License-Identifier: GPL-2.0-only
"""What a request costs a web application that is asked for them: for what is told all the time (the tile), for each one (screen R), and under dotnet-trace and a program on Microsoft's client library with the same provider."""
import math

from nt_live.environment import REPO, run_script

from .report import Row
from .servers import MVC, TOOL
from .speed import probing
from .watched import Turns, information
from .watchers import DOTNET_TRACE_REQUESTS, LISTENER, NETTOP_EVENTS, NETTOP_REQUEST_CPU, NETTOP_REQUESTS

KNOWN_WITHIN_US = 3
LIMIT_US = 8 + KNOWN_WITHIN_US  # of a request while each is told (reference: 4.5 to 7)
CPU_LIMIT_US = 13 + KNOWN_WITHIN_US  # and it is told which of them CPU time is for (reference: 10)
NS_PER_US = 1000


def _us(estimate, alone_ns):
    """A price in % as CPU time of a request."""
    return [pct / 100 * alone_ns / NS_PER_US for pct in (estimate.value, estimate.low, estimate.high)]


def requests(bench, notes):
    bench.env.need_commands(*MVC.commands)
    bench.dotnet_trace = run_script(TOOL, "dotnet-trace")
    bench.listener = run_script(REPO / "tests/bench/servers/build.sh", "listener")
    watchers = (NETTOP_EVENTS, NETTOP_REQUESTS, NETTOP_REQUEST_CPU, DOTNET_TRACE_REQUESTS, LISTENER)
    with MVC.start(bench.env) as running, probing(bench) as speed:
        turns = Turns(bench, MVC, running, speed)
        turns.warm_up(bench.plan.server_warm_up_s)
        for _ in range(bench.plan.server_rounds):
            turns.add_round(watchers)
    alone_ns = turns.of_nobody("ns")
    # That each is told, beside all else that the same nettop asks for.
    value, low, high = _us(turns.excess(NETTOP_REQUESTS, 1, NETTOP_EVENTS), alone_ns)
    cpu, cpu_low, cpu_high = _us(turns.excess(NETTOP_REQUEST_CPU, 1, NETTOP_EVENTS), alone_ns)
    peers = [(peer, _us(turns.price(peer), alone_ns)[0]) for peer in (DOTNET_TRACE_REQUESTS, LISTENER)]
    interval, cpu_interval = ((low, high), (cpu_low, cpu_high)) if math.isfinite(low + high + cpu_low + cpu_high) else (None, None)  # of a trial with few rounds
    notes.append(f"{MVC.name}: {turns.rounds} rounds; watched by nobody {alone_ns / NS_PER_US:.4g} us of CPU per {MVC.operation}. What the tile costs is in `{NETTOP_EVENTS.title}`, whose "
                 "session of Meters it is; dotnet-trace and the client library ask for call stacks, as they do by themselves.")
    return [Row(f"{MVC.name}: CPU of a {MVC.operation} that each is told, screen R (`{NETTOP_REQUESTS.title}` less `{NETTOP_EVENTS.title}`)", value, "us", "", None, LIMIT_US,
                interval=interval, excess=(low - LIMIT_US, high - LIMIT_US)),
            Row(f"{MVC.name}: CPU of a {MVC.operation} that each is told, and what CPU time is for (`{NETTOP_REQUEST_CPU.title}`, likewise)", cpu, "us", "", None, CPU_LIMIT_US,
                interval=cpu_interval, excess=(cpu_low - CPU_LIMIT_US, cpu_high - CPU_LIMIT_US)),
            *(Row(f"{MVC.name}: CPU of a {MVC.operation} that each is told", value, "us", f"`{peer.title}`", theirs, 1,
                  interval=interval, excess=(low - theirs, high - theirs)) for peer, theirs in peers)] + [information(MVC, turns, watcher) for watcher in watchers]
