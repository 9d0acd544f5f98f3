#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Compilations against TraceEvent's JITStats, which PerfView shows: dotnet-trace records while nettop watches, and every column that both have is equal.

What nettop makes of the recorded stream itself (`nettop replay`) is equal to the nanosecond, compilation by compilation. The nettop that watched has a session of its own, which begins
a little later and ends a little earlier, and in which each event has a time of its own.
"""
from nt_live import *
from nt_live.dotnet_trace import DotnetTrace
from nt_live.jitstats import ROUNDING_NS, TIERS, check_groups, check_methods, check_sums, grouped, namespace_of, shown
from nt_live.method_names import Comparison
from nt_live.nettrace_file import replayed

LOADER, JIT, TIERING, VERBOSE = 0x8, 0x10, 0x1000000000, 5
WORK = ("jit-lambda 30", "jit-expr 30", "jit-dynamic 30", "generics 30", "written 60", "compute 300", "async 300")
LATE_NS = 20_000_000  # a thread that loses its CPU between the writings of one event into two sessions


def read_by_nettop(env, path):
    """What nettop makes of a recorded stream: its summary."""
    return replayed(env, path)[0][-1]["jit"]


def check_recorded(jit, rows, sums):
    comparison = Comparison()
    check_sums(jit, rows, sums)
    check_groups("namespace", grouped(rows, namespace_of), jit["namespaces"], ROUNDING_NS)
    return check_methods(grouped(rows, lambda row: shown(comparison, row)), jit["methods"], ROUNDING_NS, 100, True)


def watched_and_recorded(env, **how):
    """The same compilations by TraceEvent, by the nettop that watched, and by nettop out of the recording."""
    with Bare(env, **how) as work, DotnetTrace(env, work.pid, LOADER | JIT | TIERING, VERBOSE) as trace, Nettop(env, work.pid) as nettop:
        nettop.wait_for_sources("eventpipe")
        work.settle()
        nettop.wait_for(lambda line: line["jit"]["tier0_count"] is not None, 20, "each compilation is told")
        for command in WORK:
            work.do(command)
        work.settle()
        nettop.wait_for(lambda line: line["jit"]["method_count"] == 0, 30, "nothing is compiled any more")
        watched = nettop.stop()["jit"]
        trace.end()
    rows, sums = trace.compilations()
    return rows, sums, watched, read_by_nettop(env, trace.path)


def equal_to_jitstats(env, tiers, **how):
    rows, sums, watched, recorded = watched_and_recorded(env, **how)
    seen = {TIERS[row["tier"]] for row in rows}
    check(tiers <= seen, f"tiers in JITStats: {seen}")
    check(sums["background_count"] > 0, f"nothing in the background: {sums}")
    methods = check_recorded(recorded, rows, sums)
    comparison = Comparison()
    live = check_methods(grouped(rows, lambda row: shown(comparison, row)), watched["methods"], LATE_NS, 60, False)
    modules = {line["name"] for line in watched["modules"]}
    check({"(dynamic)", "workload", "System.Private.CoreLib"} <= modules, f"modules: {modules}")
    return f"{len(rows)} compilations of {methods} methods, {live} of them seen whole by the nettop that watched; {', '.join(sorted(seen))}"


@test
def dotnet_10(env):
    return equal_to_jitstats(env, {"tier0", "opt", "tier1", "osr", "inst1"})


@long_test
def dotnet_9(env):
    return equal_to_jitstats(env, {"tier0", "opt", "osr"}, program=env.selfcontained("net9.0"))


@long_test
def dotnet_8(env):
    return equal_to_jitstats(env, {"tier0", "opt", "osr"}, program=env.selfcontained("net8.0"))


if __name__ == "__main__":
    main()
