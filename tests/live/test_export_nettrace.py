#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
A recording as a nettrace file, read by TraceEvent, which PerfView and dotnet-trace are made of: its tables of collections and compilations and its CPU samples by method are those that nettop replays.
"""
import collections
import contextlib
import json
import os
import re
import subprocess
import time

from nt_live import *
from nt_live.environment import REPO, run_script
from nt_live.gcstats import ROUNDING_NS, check_numbers, check_times, in_one_stop, shared_stop
from nt_live.jitstats import TIERS, check_sums, grouped
from nt_live.nettop import WORK
from nt_live.nettrace_file import NettraceFile, perfcollect_samples
from nt_live.process import run
from nt_live.recorded import Recorded

GC_START, END_S = 1, 30
PROGRAM_WORK = (*WORK, "alloc 50", "loh 20", "jit-lambda 30", "jit-dynamic 20", "compute 800")


def in_module(module, name):
    """As TraceLog calls a frame: modules in small letters, one that it does not know ManagedModule; but for the dot that is there before the name of a function without a type."""
    return f"{(module or 'ManagedModule').lower().removesuffix('.dll')}!{name.removeprefix(f'{module}!').removeprefix('.')}"


def in_dso(module, name):
    """As a frame is called in text of perf script, which its reader takes for Latin-1, without brackets around it; of a method all tiers together."""
    with contextlib.suppress(UnicodeError):
        name = name.encode("latin-1").decode()
    name = re.sub(r" \[[a-z0-9]+\]$", "", name).removeprefix("[").removesuffix("]")
    return f"{(module or 'unknown').strip('[]').replace('kernel.kallsyms', 'kernel')}!{name}"


def compiled(row):
    """As nettop's row is called: a dynamic method has no type, and a number at the end of its name is not told apart."""
    name = row["name"]
    return re.sub(r"\d+(?=\()", "", name[1:]) if name.startswith(".") else name


class Exported:
    """What a nettop records of a program at work, replays, and exports."""

    def __init__(self, env, work, *options):
        work.settle()
        self.began = time.time()
        with Recorded(env, work.pid, env.scratch / "recording", *MANY_SAMPLES, *options) as recorded:
            recorded.wait_for_lines(2)
            for command in PROGRAM_WORK:
                work.do(command)
            work.settle()
            worked = len(recorded.lines())
            wait_until(lambda: any(json.loads(line)["jit"]["method_count"] == 0 for line in recorded.lines()[worked + 1:]), END_S, "nothing is compiled any more")
            recorded.end()
            written, said, status = recorded.replayed()
        check_equal(f"exit status of replay, which says {said}", status, 0)
        self.lines = [json.loads(line) for line in written.splitlines()]
        self.path, self.zip_path = (self._export(env, recorded.path, ending) for ending in ("nettrace", "trace.zip"))
        self.file = NettraceFile(self.path)

    @staticmethod
    def _export(env, recording, ending):
        path = env.scratch / f"exported.{ending}"
        path.unlink(missing_ok=True)
        done = run([str(env.nettop), "export", str(recording), "-o", str(path)])
        check_equal(f"exit status of export, which says {done.stderr}", done.returncode, 0)
        return path

    def check_collections(self):
        """Each one, in every column that both have and that is recorded; returns how many."""
        rows = {row["number"]: row for line in self.lines for row in line["gc"]["collections"]}
        told = self.file.collections()
        missing = set(rows) - {gc["number"] for gc in told}
        # GCStats know no collection without its start, which nobody tells of the first one over LTTng.
        known = not missing or (missing == {min(rows)} and self.file.runtime_events()[GC_START] == len(told))
        check(len(told) >= 2 and known, f"collections: GCStats {[gc['number'] for gc in told]}, nettop {list(rows)}")
        for gc in told:
            check_numbers(gc, rows[gc["number"]])
            if not in_one_stop(gc) and not shared_stop(told, gc):
                check_times(gc, rows[gc["number"]], ROUNDING_NS)
        return len(told)

    def check_compilations(self):
        """All, by tier and trigger, and by method, which is called alike; returns how many."""
        jit = self.lines[-1]["jit"]
        rows, sums = self.file.compilations()
        # Of two threads that compile one method at a time, one's code is thrown away. JITStats and the runtime's counter count that, nettop's rows do not.
        thrown_away = [row for row in rows if row["tier"] == "Unknown"]
        rows = [row for row in rows if row not in thrown_away]
        if not thrown_away:
            check_sums(jit, rows, sums)
        ours = collections.defaultdict(list)
        for line in jit["methods"]:
            ours[line["name"]].append(line)
        trace = grouped(rows, compiled)
        check(set(trace) == set(ours), lambda: f"compiled methods: of JITStats alone {sorted(set(trace) - set(ours))}, of nettop alone {sorted(set(ours) - set(trace))}")
        for name, group in trace.items():
            check_equal(f"compilations of {name}", sum(line["count"] for line in ours[name]), len(group.rows))
            check_within(f"time of {name}", sum(line["time_ns"] for line in ours[name]), group.time_ns(), absolute=ROUNDING_NS * len(group.rows))
            if len(ours[name]) == 1:
                newest = max(group.rows, key=lambda row: row["start_ms"] + row["time_ms"])
                for key, value in (("tier", TIERS[newest["tier"]]), ("il_bytes", newest["il_bytes"]), ("native_bytes", newest["native_bytes"])):
                    check_equal(f"{key} of {name}", ours[name][0][key] or 0, value)  # of a dynamic method there is no IL
                module = ours[name][0]["module"]
                check(module == "(dynamic)" or os.path.splitext(os.path.basename(newest["module"]))[0] == (module or ""), f"module of {name}: JITStats {newest['module']}, nettop {module}")
        return len(rows)

    def check_samples(self):
        """Of each method those that ended in it, also by the reader of perfcollect's archives, and those that it is in; returns how many there are."""
        told, summary = self.file.samples(), self.lines[-1]
        self._check_methods("self", told, in_module)
        self._check_methods("total", told, in_module)
        self._check_methods("self", perfcollect_samples(self.zip_path), in_dso)
        check_equal("samples", sum(told["threads"].values()), summary["cpu"]["samples"])
        check(told["pid"] == summary["target"]["pid"] and "workload" in told["command"], f"its process is {told['pid']} {told['command']}")
        check(told["begins"][:16] in {time.strftime("%Y-%m-%dT%H:%M", time.gmtime(self.began + s)) for s in (-60, 0, 60)}, f"it begins at {told['begins']}")
        return sum(told["threads"].values())

    def _check_methods(self, column, told, called):
        ours, trace = collections.Counter(), collections.Counter()
        for row in self.lines[-1]["methods"]:
            ours[called(row["module"], row["name"])] += row[f"{column}_samples"]
        for name, count in told[column].items():
            trace[called(*name.split("!", 1))] += count
        check(+ours == trace, f"samples by method ({column}), which differ: nettop more {ours - trace}, TraceEvent more {trace - ours}")


def equal_to_traceevent(env, work, *options):
    exported = Exported(env, work, *options)
    return f"{exported.check_collections()} collections, {exported.check_compilations()} compilations, {exported.check_samples()} samples, in {exported.path.stat().st_size} bytes"


@test
def collections_compilations_and_cpu_stacks(env):
    with Bare(env) as work:
        return equal_to_traceevent(env, work)


@long_test
def of_the_events_over_lttng(env):
    with SessionDaemon(env), Workload(env, mode="N") as work:
        return equal_to_traceevent(env, work)


@long_test
def of_dotnet_9(env):
    with Bare(env, program=env.selfcontained("net9.0")) as work:
        return equal_to_traceevent(env, work)


@long_test
def of_dotnet_8(env):
    with Bare(env, program=env.selfcontained("net8.0")) as work:
        return equal_to_traceevent(env, work)


@long_test
def dotnet_trace_reports_and_converts(env):
    """The method that took most, by `dotnet-trace report`; and its own file for speedscope has the same."""
    tool = run_script(REPO / "tests/tools/dotnet-tool.sh", "dotnet-trace")
    with Bare(env) as work:
        exported = Exported(env, work)
    hottest = max(exported.lines[-1]["methods"], key=lambda row: row["self_samples"])
    report = subprocess.run([tool, "report", exported.path, "topN", "-n", "2"], stdout=subprocess.PIPE, text=True, check=True).stdout
    check("Compute.Spin(" in report.splitlines()[2] and hottest["name"] == "Workload.Compute.Spin(ulong, int, long)", f"nettop {hottest['name']}, dotnet-trace {report}")
    subprocess.run([tool, "convert", exported.path, "--format", "Speedscope"], stdout=subprocess.DEVNULL, check=True)
    document = json.loads(exported.path.with_suffix(".speedscope.json").read_text(encoding="utf-8"))
    frame = [frame["name"] for frame in document["shared"]["frames"]].index(in_module(hottest["module"], hottest["name"]))
    opened, ms = None, 0
    for profile in document["profiles"]:
        for event in profile["events"]:
            if event["frame"] == frame:
                opened, ms = (event["at"], ms) if event["type"] == "O" else (None, ms + event["at"] - opened)
    period_ms = exported.lines[-1]["cpu"]["time_ns"] / exported.lines[-1]["cpu"]["samples"] / 1e6
    check_within("ms in the hottest method", ms, hottest["total_samples"] * period_ms, relative=0.3)
    return f"{ms:.0f} ms in {hottest['name']}, of {hottest['total_samples']} samples"


if __name__ == "__main__":
    main()
