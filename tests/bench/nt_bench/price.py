# SPDX-License-Identifier: GPL-2.0-only
"""
What being watched costs a program that was started with nothing set: CPU time that an operation takes it more than when nobody watches, under nettop
and under `dotnet-trace collect`.
"""
import contextlib
import dataclasses
import os

from nt_live import Failure, Workload
from nt_live.environment import REPO, run_script
from nt_live.eventpipe import sessions_of

from .meter import cpu_ns
from .program import Program, pumped
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
NOBODY, NOBODY_AGAIN = "nobody", "nobody again"
EVENTS, NETTOP, DOTNET_TRACE = "nettop --source eventpipe", "nettop", "`dotnet-trace collect`"
TOOLS = (NOBODY, EVENTS, NOBODY_AGAIN, DOTNET_TRACE, NETTOP)
LIMIT, LIMITED = 1 / 2, EVENTS
FAR = 3  # times the noise: what is less is not far above it


@dataclasses.dataclass(frozen=True)
class Operation:
    name: str
    command: str
    count: int
    warm_up: str  # so that its code is compiled when it is measured


OPERATIONS = (Operation("exception", "throw 100000", 100_000, "throw 3000"),
              Operation("lambda compiled", "jit-lambda 8000", 8_000, "jit-lambda 500"),
              Operation("empty collection of generation 0", "gc 0 15000", 15_000, "gc 0 500"),
              Operation("MB allocated", "alloc 9216", 9216, "alloc 1000"))


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
        with pumped(program):
            yield
        program.end()


def _cost(work, operation):
    """ns that the target uses for an operation, what it writes of it included."""
    work.do("gc 2")
    before_ns = cpu_ns(work.pid)
    work.do(operation.command)
    work.do(f"idle {WRITTEN_MS}")
    return (cpu_ns(work.pid) - before_ns) / operation.count


def _round(bench, number, costs):
    """On a target of its own; another tool comes first in each round. What is for information has half the rounds."""
    tools = [tool for tool in TOOLS if tool != NETTOP or number % 2 == 0]
    with Workload(bench.env, mode="none", perf_map=False, lttng=False, dotnet=SETTINGS, under=ON_ONE_CPU) as work:
        for operation in OPERATIONS:
            work.do(operation.warm_up)
        for tool in tools[number % len(tools):] + tools[:number % len(tools)]:
            with _watched(bench, work, tool):
                work.do(f"idle {RESTED_MS}")
                for operation in OPERATIONS:
                    costs[tool][operation].append(_cost(work, operation))
            bench.say(f"round {number + 1}/{bench.plan.price_runs}  {tool:28}" +
                      ", ".join(f"{costs[tool][operation][-1]:.0f} ns per {operation.name}" for operation in OPERATIONS))


def _row(least, tool, operation):
    """What is not far above the noise is told, and has no limit."""
    nobody, again = least[NOBODY][operation], least[NOBODY_AGAIN][operation]
    ours, theirs = (least[of][operation] - min(nobody, again) for of in (tool, DOTNET_TRACE))
    noise = abs(nobody - again)
    judged = tool == LIMITED and max(ours, theirs) > FAR * noise
    hidden = tool == LIMITED and not judged
    what = f"price of watching, {operation.name}, `{tool}`" + (f" (not far above the noise of {noise:.0f} ns: no limit)" if hidden else "")
    return Row(what, ours, "ns", DOTNET_TRACE, theirs, LIMIT if judged else None)


def price(bench, notes):
    bench.env.need_commands("taskset")
    bench.dotnet_trace = run_script(REPO / "tests/tools/dotnet-tool.sh", "dotnet-trace")
    costs = {tool: {operation: [] for operation in OPERATIONS} for tool in TOOLS}
    for number in range(bench.plan.price_runs):
        _round(bench, number, costs)
    least = {tool: {operation: min(seen) for operation, seen in of_tool.items()} for tool, of_tool in costs.items()}
    notes.append(f"Price: least CPU time of the target for an operation in {bench.plan.price_runs} interleaved runs, less that of the same work watched by nobody. Nobody watches "
                 "twice, and by how much these two differ is the noise. That takes " +
                 ", ".join(f"{least[NOBODY][operation]:.0f} and {least[NOBODY_AGAIN][operation]:.0f} ns per {operation.name}" for operation in OPERATIONS) +
                 f". The target is .NET 10 on one CPU with {', '.join(f'DOTNET_{name}={value}' for name, value in SETTINGS.items())}; nettop is in a terminal on its "
                 "first screen, as a user finds it, where it asks for no call stacks, heap histories, compilations and allocation samples (screens 2, 3, 5, 6 and 7 do, batch and "
                 "JSON do); its peer has its default profile. nettop without --source brings the perf map, too, to which the "
                 "runtime writes a line for each compiled method, and samples CPU time in the kernel.")
    return [_row(least, tool, operation) for tool in (EVENTS, NETTOP) for operation in OPERATIONS]
