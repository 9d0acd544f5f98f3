# SPDX-License-Identifier: GPL-2.0-only
"""What it costs a server that switches its threads all the time to be asked how long they wait: each switch told, by nettop, by perf and by bpftrace."""
import os
import pathlib
import time

from nt_live import Workload
from nt_live.environment import run_script

from .meter import cpu_ns
from .report import Row
from .servers import GARNET, TOOL
from .speed import probing
from .watched import Turns, information
from .watchers import BPFTRACE, NETTOP_JSON, NETTOP_WAITS, PERF_SCHED, watching

OWN_PCT = 10  # at 100 000 switches a second
FEW_SWITCHES = 100_000

# The price of one switch is in the kernel, on the CPU where the target runs: there is nobody else, so that it is not lost in what a server costs from second to second.
FIRST, SECOND = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
PASSES, A_TURN = 20_000, 5
SETTLE_S = 2


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


def _ns_a_switch(work):
    """The least of some, in ns of the target's CPU time."""
    seen = []
    for _ in range(A_TURN):
        before_ns = cpu_ns(work.pid)
        switches = work.do(f"pass {PASSES}")["switches"]
        seen.append((cpu_ns(work.pid) - before_ns) / switches)
    return min(seen)


def switch(bench, notes):
    """Two threads of a .NET program that pass a byte to and fro on one CPU, the watchers on the other one; turns in an order that moves on."""
    bench.env.need_commands("taskset", "perf")
    tools, rounds = (NETTOP_WAITS, PERF_SCHED), bench.plan.price_runs
    seen = {None: []} | {tool: [] for tool in tools}
    with Workload(bench.env, mode="none", lttng=False, under=("taskset", "-c", str(FIRST))) as work:
        _ns_a_switch(work)
        for number in range(rounds):
            for tool in tools[number % len(tools):] + tools[:number % len(tools)]:
                seen[None].append(_ns_a_switch(work))
                with watching(bench, work.pid, tool, under=("taskset", "-c", str(SECOND))):
                    time.sleep(SETTLE_S)
                    seen[tool].append(_ns_a_switch(work))
                bench.say(f"round {number + 1}/{rounds}  {tool.title:28} {seen[tool][-1]:.0f} ns, {seen[None][-1]:.0f} ns without it")
    alone, ours, theirs = (min(values) for values in seen.values())
    notes.append(f"A switch: least CPU time of the target in {rounds} rounds of {A_TURN} runs of {PASSES} passes, less the {alone:.0f} ns that are the least with nobody watching: there is half as much again while "
                 "others use the core. The watchers are on the other CPU: what they do there is in the rows of the server.")
    return [Row(f"a switch of a program on one CPU, `{NETTOP_WAITS.title}`", ours - alone, "ns", f"`{PERF_SCHED.title}`", theirs - alone, 1)]
