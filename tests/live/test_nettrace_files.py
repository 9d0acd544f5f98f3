#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Files of dotnet-trace, played by `nettop replay`, against what Microsoft's reader (TraceEvent) finds in them: samples, methods, events. (Collections and compilations: test_gcstats.py, test_jitstats.py.) And files that are not
whole: what is in them is told, and that it is not all.
"""
import collections
import signal

from nt_live import *
from nt_live.dotnet_trace import DotnetTrace
from nt_live.nettrace_file import replayed

GC, CONTENTION, EXCEPTIONS, THREADING = 0x1, 0x4000, 0x8000, 0x10000
EVENTS = GC | CONTENTION | EXCEPTIONS | THREADING
INFORMATIONAL = 4
SAMPLER = "Microsoft-DotNETCore-SampleProfiler:0xf00000000000:4"
GC_END, CONTENTION_STOP, EXCEPTION_THROWN = 2, 91, 80
NO_LIST = "the file has no list of the runtime's methods"
CUT_OFF = "the file is cut off"


def name_of(raw):
    """`void [Shop] Shop.Till::Pay(int32)[QuickJitted]`: Shop.Till.Pay"""
    head, _, rest = raw.partition("::")
    return f"{head.rpartition('] ')[2]}.{rest.partition('(')[0]}"


def seen_by_nettop(summary):
    """Samples in managed code by the method at their top."""
    seen = collections.Counter()
    for row in summary["methods"]:
        if row["wall_self"]:
            seen[name_of(row["raw"]) if row["raw"] else row["name"]] += row["wall_self"]
    return seen


def seen_by_traceevent(samples):
    seen = collections.Counter()
    for name, count in samples["self"].items():
        seen[name.partition("!")[2].partition("(")[0]] += count
    return seen


def check_samples(summary, samples):
    managed = seen_by_traceevent(samples)
    check_equal("samples in managed code, and elsewhere", (summary["wall"]["samples"], summary["wall"]["outside"]), (sum(managed.values()), samples["outside"]))
    check_equal("samples by method", seen_by_nettop(summary), managed)
    return managed


def check_no_cpu(line):
    """The sampler's looks at threads that run or wait are no CPU time."""
    check_equal("CPU time", (line["cpu"]["usage_pct"], line["cpu"]["samples"], line["purposes"]["program_pct"]), (None, None, None))
    check("has no CPU samples" in line["cpu"]["reason"], line["cpu"]["reason"])


def check_events(summary, events):
    collected = sum(summary["gc"][f"gen{generation}_count"] for generation in range(3))
    check_equal("collections, exceptions, waits for locks", (collected, summary["exceptions"]["count"], summary["contention"]["count"]),
                (events[GC_END], events[EXCEPTION_THROWN], events[CONTENTION_STOP]))
    check(summary["jit"]["method_count"] is None and summary["jit"]["reason"].startswith("the file has no such events"), summary["jit"])


def record(env, keywords=EVENTS, commands=("compute 700", "throw 30", "locks 20", "gc 2 2"), **how):
    with Bare(env, **how) as work, DotnetTrace(env, work.pid, keywords, INFORMATIONAL, (SAMPLER,)) as trace:
        for command in commands:
            work.do(command)
        trace.end()
    return trace


def check_parts(env, path, whole):
    """Of a file that is cut off what is before that is told. Most of one is the list of methods at its end."""
    before, cut = whole["samples"] + whole["outside"], path.with_suffix(".cut.nettrace")
    for part in (2, 20, 60):
        cut.write_bytes(path.read_bytes()[:path.stat().st_size // part])
        lines, said = replayed(env, cut)
        check(CUT_OFF in said and not lines[-1]["complete"], f"what is said of 1/{part} of the file: {said}")
        samples = sum(count or 0 for count in lines[-1]["wall"].values())
        check(0 <= samples <= before, f"samples in 1/{part} of the file: {samples}, in more of it {before}")
        before = samples
    check(NO_LIST in said and before < whole["samples"] + whole["outside"], f"{before} samples, {said}")


def equal_to_traceevent(env, **how):
    trace = record(env, **how)
    lines, said = replayed(env, trace.path)
    summary = lines[-1]
    check_equal("what is said of a whole file", said, "")
    check_equal("the program", (summary["target"]["name"], summary["complete"]), ("workload", True))
    managed = check_samples(summary, trace.samples())
    check(managed["Workload.Compute.Spin"] > 100, f"the method that ran: {managed.most_common(5)}")
    check_events(summary, trace.runtime_events())
    for line in lines:
        check_no_cpu(line)
    check_parts(env, trace.path, summary["wall"])
    return f".NET {summary['target']['runtime']}: {sum(managed.values())} samples in {len(managed)} methods"


@test
def samples_and_events(env):
    return equal_to_traceevent(env)


@long_test
def dotnet_9_samples(env):
    return equal_to_traceevent(env, program=env.selfcontained("net9.0"))


@long_test
def dotnet_8_samples(env):
    return equal_to_traceevent(env, program=env.selfcontained("net8.0"))


@long_test
def a_killed_dotnet_trace_leaves_a_part(env):
    with Bare(env) as work, DotnetTrace(env, work.pid, EVENTS, INFORMATIONAL, (SAMPLER,)) as trace:
        work.do("compute 2000")
        wait_until(lambda: trace.path.stat().st_size > 20000, 20, "something has been written")
        trace.process.signal(signal.SIGKILL)
    lines, said = replayed(env, trace.path)
    check(CUT_OFF in said and NO_LIST in said, said)
    check(lines[-1]["wall"]["outside"] > 0 and not lines[-1]["complete"], lines[-1]["wall"])
    return said.splitlines()[0]


@long_test
def a_killed_program_leaves_a_part(env):
    with Bare(env) as work, DotnetTrace(env, work.pid, EVENTS, INFORMATIONAL, (SAMPLER,)) as trace:
        work.do("compute 2000")
        work.process.signal(signal.SIGKILL)
        trace.process.wait(60)
    lines, said = replayed(env, trace.path)
    check(NO_LIST in said, said)
    check(lines[-1]["wall"]["outside"] > 0 and not lines[-1]["complete"], lines[-1]["wall"])
    return said.splitlines()[0]


if __name__ == "__main__":
    main()
