# SPDX-License-Identifier: GPL-2.0-only
"""
What being watched costs a program that was started with nothing set: CPU time that an operation takes it more than when nobody watches, under nettop
and under `dotnet-trace collect`.
"""
import contextlib
import dataclasses
import os
import statistics
import threading

from nt_live import Failure, Workload
from nt_live.environment import REPO, run_script
from nt_live.eventpipe import sessions_of

from .meter import cpu_ns
from .program import Program
from .report import Row

ATTACH_S = 20
# The runtime writes its events every 100 ms, on a thread of its own: that is part of the price.
WRITTEN_MS = 120
# Begun sessions make the target compile code of its own, once.
RESTED_MS = 1500
# What makes the same work cost the same every time: no second collector and no second compiler beside it, and one CPU, so that to stop the program for a
# collection interrupts no other one.
SETTINGS = {"gcServer": "0", "gcConcurrent": "0", "TieredCompilation": "0"}
ON_ONE_CPU = ("taskset", "-c", str(min(os.sched_getaffinity(0))))
# In short pieces, of which the least counts: a long one never goes undisturbed.
PIECES = 3
NOBODY, NOBODY_AGAIN = "nobody", "nobody again"
EVENTS, NETTOP, DOTNET_TRACE = "nettop --source eventpipe", "nettop", "`dotnet-trace collect`"
TOOLS = (NOBODY, EVENTS, NOBODY_AGAIN, DOTNET_TRACE, NETTOP)
LIMIT, LIMITED = 1 / 2, EVENTS


@dataclasses.dataclass(frozen=True)
class Operation:
    name: str
    command: str
    count: int  # in a piece


OPERATIONS = (Operation("exception", "throw 5000", 5000), Operation("lambda compiled", "jit-lambda 1000", 1000),
              Operation("empty collection of generation 0", "gc 0 1500", 1500), Operation("MB allocated", "alloc 256", 256))


@contextlib.contextmanager
def _pumped(program):
    """Somebody looks at its terminal meanwhile."""
    over = threading.Event()

    def pump():
        while not over.is_set():
            program.pump(0.1)
    thread = threading.Thread(target=pump)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def _watched(bench, work, tool):
    if tool in (NOBODY, NOBODY_AGAIN):
        yield
        return
    words = {EVENTS: [bench.env.nettop, "-p", work.pid, "--source", "eventpipe"], NETTOP: [bench.env.nettop, "-p", work.pid],
             DOTNET_TRACE: [bench.dotnet_trace, "collect", "-p", work.pid, "-o", bench.env.scratch / "dotnet-trace.nettrace"]}[tool]
    with Program(words, bench.home, terminal=tool != DOTNET_TRACE) as program:
        program.run(ATTACH_S, lambda _: sessions_of(work.pid) > 0)
        if not sessions_of(work.pid):
            raise Failure(f"{tool}: no EventPipe session after {ATTACH_S} s")
        with _pumped(program):
            yield
        program.end()


def _cost(work, operation):
    """ns that the target uses for an operation, what it writes of it included: the least of some pieces."""
    costs = []
    for _ in range(PIECES):
        work.do("gc 2")
        before_ns = cpu_ns(work.pid)
        work.do(operation.command)
        work.do(f"idle {WRITTEN_MS}")
        costs.append((cpu_ns(work.pid) - before_ns) / operation.count)
    return min(costs)


def _round(bench, number):
    """What each tool's operations cost, on a target of its own; another tool comes first in each round. What is for information has half the rounds."""
    costs = {}
    tools = [tool for tool in TOOLS if tool != NETTOP or number % 2 == 0]
    with Workload(bench.env, mode="none", perf_map=False, lttng=False, dotnet=SETTINGS, under=ON_ONE_CPU) as work:
        for operation in OPERATIONS:
            work.do(operation.command)
        for tool in tools[number % len(tools):] + tools[:number % len(tools)]:
            with _watched(bench, work, tool):
                work.do(f"idle {RESTED_MS}")
                for operation in OPERATIONS:
                    costs[tool, operation] = _cost(work, operation)
            bench.say(f"round {number + 1}/{bench.plan.price_runs}  {tool:28}" +
                      ", ".join(f"{costs[tool, operation]:.0f} ns per {operation.name}" for operation in OPERATIONS))
    return costs


def _price(rounds, tool, operation):
    """ns more than when nobody watches the same target."""
    more = [costs[tool, operation] - (costs[NOBODY, operation] + costs[NOBODY_AGAIN, operation]) / 2 for costs in rounds if (tool, operation) in costs]
    return max(statistics.median(more), 0)


def _noise(rounds, operation):
    """By how many ns the same work differs when nobody watches it."""
    return statistics.median(abs(costs[NOBODY, operation] - costs[NOBODY_AGAIN, operation]) for costs in rounds)


def _row(rounds, tool, operation):
    """A price below the noise is none that anybody could tell. Where that is so of both, ours must not be the higher one."""
    ours, theirs, noise_ns = _price(rounds, tool, operation), _price(rounds, DOTNET_TRACE, operation), _noise(rounds, operation)
    hidden = max(ours, theirs) <= noise_ns
    what = f"price of watching, {operation.name}, `{tool}`" + (f" (both below the noise of {noise_ns:.0f} ns)" if hidden else "")
    limit = 1 if hidden else LIMIT
    return Row(what, ours, "ns", DOTNET_TRACE, theirs, limit if tool == LIMITED else None)


def price(bench, notes):
    bench.env.need_commands("taskset")
    bench.dotnet_trace = run_script(REPO / "tests/tools/dotnet-trace.sh")
    rounds = [_round(bench, number) for number in range(bench.plan.price_runs)]
    notes.append(f"Price: CPU time of the target for an operation, the least of {PIECES} pieces, less that of the same work of the same target watched by nobody; the median "
                 f"of {len(rounds)} rounds. Nobody watches twice, and the noise is by how much these two differ. That takes " +
                 ", ".join(f"{statistics.median(costs[NOBODY, operation] for costs in rounds):.0f} ns per {operation.name} (noise {_noise(rounds, operation):.0f} ns)"
                           for operation in OPERATIONS) +
                 f". The target is .NET 10 on one CPU with {', '.join(f'DOTNET_{name}={value}' for name, value in SETTINGS.items())}; nettop is in a terminal on its "
                 "first screen, its peer has its default profile. nettop without --source brings the perf map, too, to which the "
                 "runtime writes a line for each compiled method, and samples CPU time in the kernel.")
    return [_row(rounds, tool, operation) for tool in (EVENTS, NETTOP) for operation in OPERATIONS]
