# SPDX-License-Identifier: GPL-2.0-only
"""What it costs to come to a program that has compiled 50 000 methods: nettop, which reads names where they are asked for, and the target, which is asked for nothing; a perf map, and dotnet-trace's rundown, beside it."""
import statistics
import time

from nt_live import Workload
from nt_live.environment import REPO, run_script

from .meter import cpu_ns
from .program import Program
from .report import Row

METHODS, COMPILED_S = 50_000, 120
FEW = 10
SECONDS = 3
LIMIT_MS = 50
SHARE = 1 / 20  # of what the others cost the target
MS = 1e6
READ, MAPPED = ("perf,runtime",), ("perf,map", "--map")
DEADLINE_S = 60


def _nettop(bench, pid, source):
    return [bench.env.nettop, "-p", pid, "--json", "-n", SECONDS, "--source", *source]


def _come(bench, work, words):
    """A watcher comes, stays some seconds and goes: (its CPU time, the target's), in ms. The target does what it is told to, nothing."""
    before_ns, start_s = cpu_ns(work.pid), time.monotonic()
    with Program(words, bench.home, terminal=False) as program:
        program.wait(DEADLINE_S)
        own_ns = program.cpu_ns
    spent_ns, seconds = cpu_ns(work.pid) - before_ns, time.monotonic() - start_s
    return own_ns / MS, spent_ns / MS, seconds


def _alone(work, seconds):
    """What the target uses by itself, in ms."""
    before_ns = cpu_ns(work.pid)
    time.sleep(seconds)
    return (cpu_ns(work.pid) - before_ns) / MS


def _rounds(bench, methods, watchers):
    """{watcher: [(own ms, the target's ms)]} beside a program with so many methods."""
    found = {name: [] for name in watchers}
    with Workload(bench.env, mode="none", perf_map=False, lttng=False) as work:
        work.do(f"generics {methods}", COMPILED_S)
        work.settle()
        for number in range(bench.plan.map_runs):
            for name, words in watchers.items():
                own, target, seconds = _come(bench, work, words(work.pid))
                target = max(target - _alone(work, seconds), 0)
                found[name].append((own, target))
                bench.say(f"{methods} methods {number + 1}  {name:28} own {own:6.1f} ms, the target's {target:6.1f} ms")
    return found


def _middle(pairs, which):
    return statistics.median(pair[which] for pair in pairs)


def many(bench, notes):
    trace = run_script(REPO / "tests/tools/dotnet-tool.sh", "dotnet-trace")
    read, mapped, traced = "nettop", "nettop --map", "dotnet-trace collect"
    watchers = {
        read: lambda pid: _nettop(bench, pid, READ),
        mapped: lambda pid: _nettop(bench, pid, MAPPED),
        traced: lambda pid: [trace, "collect", "-p", pid, "--duration", f"00:00:{SECONDS:02}", "-o", bench.env.scratch / "many.nettrace"],
    }
    few = _rounds(bench, FEW, {read: watchers[read]})
    much = _rounds(bench, METHODS, watchers)
    more = max(_middle(much[read], 0) - _middle(few[read], 0), 0)
    what = f"to come to a program of {METHODS} methods"
    notes.append(f"{what}: nettop with perf and the runtime's data, {SECONDS} s, beside a program that does nothing; what the program uses by itself in as long is taken off.")
    return [
        Row(f"own CPU {what}, more than to one of few", more, "ms", limit=LIMIT_MS),
        Row(f"the target's CPU, {what}", _middle(much[read], 1), "ms", f"`{mapped}`", _middle(much[mapped], 1), SHARE),
        Row(f"the target's CPU, {what}", _middle(much[read], 1), "ms", f"`{traced}`", _middle(much[traced], 1), SHARE),
        Row(f"own CPU {what}", _middle(much[read], 0), "ms", f"`{traced}`", _middle(much[traced], 0)),
    ]
