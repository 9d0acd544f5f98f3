# SPDX-License-Identifier: GPL-2.0-only
"""nettop's list of many processes: what it takes for fifty, and how much of that is for each."""
import contextlib

from nt_live import Workload

from .meter import MB
from .program import COLUMNS, Program
from .report import Row
from .resident import resident_bytes

MANY, FEW = 50, 10
SETTLES_S, MEASURED_S = 12, 30
CPU_LIMIT_PCT, MEMORY_LIMIT_MB = 2, 4
KERNEL, NAMED = "as the kernel counts it (--source perf, as --all without it)", "and the runtime's events of each (-p)"
OPTIONS = {KERNEL: ("--source", "perf"), NAMED: ()}
WORKING, NAPS, WIDE, NAMES_S = 20, "nap 3600000 20 2", 200, 30


def _measured(bench, pids, options, columns=COLUMNS, settles_s=SETTLES_S):
    """(share of a CPU in %, bytes) of the screen of these processes, when it has come to rest."""
    with Program([bench.env.nettop, "-p", ",".join(map(str, pids)), *options], bench.home, columns=columns) as program:
        program.run(settles_s)
        before_ns, began_s = program.sample(), program.age_s()
        program.run(began_s + MEASURED_S)
        share = (program.sample() - before_ns) / (program.age_s() - began_s) / 1e7
        taken = resident_bytes(program)
        program.end()
    return share, taken


def fifty(bench, notes):
    rows = []
    with contextlib.ExitStack() as stack:
        works = [stack.enter_context(Workload(bench.env, mode="none", perf_map=False, lttng=False)) for _ in range(MANY)]
        for work in works:
            work.settle()
        pids = [work.pid for work in works]
        for what, options in OPTIONS.items():
            few_bytes = _measured(bench, pids[:FEW], options)[1]
            share, taken = _measured(bench, pids, options)
            each = (taken - few_bytes) / (MANY - FEW)
            bench.say(f"{MANY} processes, {what}: {share:.2f} % of a CPU, {taken / MB:.1f} MB, {each / MB:.2f} MB each")
            rows += [Row(f"own CPU, list of {MANY} processes, {what}", share, "%", limit=CPU_LIMIT_PCT),
                     Row(f"resident (Pss) for a process more, {what}", each / MB, "MB", limit=MEMORY_LIMIT_MB),
                     Row(f"resident (Pss) with {MANY} of them, {what}", taken / MB, "MB")]
        for work in works[:WORKING]:
            work.process.send_line(NAPS)
        share, _ = _measured(bench, pids, (), WIDE, NAMES_S)
        bench.say(f"{MANY} processes of which {WORKING} work: {share:.2f} % of a CPU")
        rows.append(Row(f"own CPU, list of {MANY} processes of which {WORKING} work, with the hottest method of each", share, "%", limit=CPU_LIMIT_PCT))
    notes.append(f"Those that work compute 2 ms and sleep 20, all on the CPUs of this machine; the terminal is {WIDE} columns wide then, which shows the methods, and {NAMES_S} s are waited for their names.")
    notes.append(f"Programs of .NET that do nothing, in a terminal of 120x40, {MEASURED_S} s from {SETTLES_S} s after the start on; CPU of nettop, its keeper and its helpers. For a process more: the "
                 f"difference between {MANY} and {FEW}, by how many they are more.")
    return rows
