# SPDX-License-Identifier: GPL-2.0-only
"""What it costs a server that switches its threads all the time to be asked how long they wait: each switch told, by nettop, by perf and by bpftrace."""
import pathlib
import time

from nt_live.environment import run_script

from .report import Row
from .servers import GARNET, TOOL
from .speed import probing
from .watched import Turns, information
from .watchers import BPFTRACE, NETTOP_JSON, NETTOP_WAITS, PERF_SCHED

OWN_PCT = 10  # at 100 000 switches a second
FEW_SWITCHES = 100_000


def _switches(pid):
    """Of all its threads that live, until now."""
    return sum(int(stat.read_text(encoding="ascii").split()[2]) for stat in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"))


def _against(turns, peer):
    price, theirs, excess = turns.price(NETTOP_WAITS), turns.price(peer), turns.excess(NETTOP_WAITS, 1, peer)
    return Row(f"{GARNET.name}: CPU per {GARNET.operation} more than watched by nobody, `{NETTOP_WAITS.title}`", price.value, "%", f"`{peer.title}`", theirs.value, 1,
               interval=price.interval, excess=(excess.low, excess.high))


def waits(bench, notes):
    bench.env.need_commands(*GARNET.commands, "perf", "bpftrace")
    bench.dotnet_trace = run_script(TOOL, "dotnet-trace")
    with GARNET.start(bench.env) as running, probing(bench) as speed:
        turns = Turns(bench, GARNET, running, speed)
        turns.warm_up(bench.plan.server_warm_up_s)
        for _ in range(bench.plan.server_rounds):
            turns.add_round((NETTOP_WAITS, PERF_SCHED, BPFTRACE))
        turns.add_round((NETTOP_JSON,))
        before, begun = _switches(running.pid), time.monotonic()
        running.work(bench.plan.server_turn_s)
        per_s = (_switches(running.pid) - before) / (time.monotonic() - begun)
    notes.append(f"{GARNET.name}: {per_s:.0f} switches a second while it works and nobody watches.")
    return [*(_against(turns, peer) for peer in (PERF_SCHED, BPFTRACE)),
            Row(f"{GARNET.name}: own CPU of `{NETTOP_WAITS.title}`", turns.own_pct(NETTOP_WAITS), "% of one", limit=OWN_PCT * max(per_s / FEW_SWITCHES, 1))] + [
        information(GARNET, turns, watcher) for watcher in (NETTOP_WAITS, PERF_SCHED, BPFTRACE, NETTOP_JSON)]
