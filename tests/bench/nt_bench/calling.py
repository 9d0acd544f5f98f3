# SPDX-License-Identifier: GPL-2.0-only
"""What it costs a server to have its calls of the system counted by what they are on: by nettop in the kernel, and by strace, which stops the server twice for each."""
from nt_live.environment import run_script

from .report import Row
from .servers import GARNET, TOOL
from .speed import probing
from .watched import Turns, information
from .watchers import NETTOP_CALLS, NETTOP_JSON, STRACE


def calls(bench, notes):
    bench.env.need_commands(*GARNET.commands, "strace")
    bench.dotnet_trace = run_script(TOOL, "dotnet-trace")
    with GARNET.start(bench.env) as running, probing(bench) as speed:
        turns = Turns(bench, GARNET, running, speed)
        turns.warm_up(bench.plan.server_warm_up_s)
        for _ in range(bench.plan.server_rounds):
            turns.add_round((NETTOP_CALLS, NETTOP_JSON, STRACE))
    price, theirs, excess = turns.price(NETTOP_CALLS), turns.price(STRACE), turns.excess(NETTOP_CALLS, 1, STRACE)
    counting = turns.excess(NETTOP_CALLS, 1, NETTOP_JSON)
    notes.append(f"{GARNET.name}: what counting adds to `{NETTOP_JSON.title}`, round by round: {counting.text()} of the CPU per {GARNET.operation}; operations a second under `{STRACE.title}`: "
                 f"{turns.throughput(STRACE).text()}.")
    return [Row(f"{GARNET.name}: CPU per {GARNET.operation} more than watched by nobody, `{NETTOP_CALLS.title}`", price.value, "%", f"`{STRACE.title}`", theirs.value, 1,
                interval=price.interval, excess=(excess.low, excess.high))] + [information(GARNET, turns, watcher) for watcher in (NETTOP_CALLS, NETTOP_JSON, STRACE)]
