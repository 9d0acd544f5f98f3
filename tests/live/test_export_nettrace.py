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

GC_START, EXCEPTION, END_S = 1, 80, 30
RECORDINGS = REPO / "tests/data/recordings"
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
    """What nettop replays of a recording, and what it exports of it."""

    def __init__(self, env, recording):
        replayed = subprocess.run([str(env.nettop), "replay", str(recording), "--json"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.lines = [json.loads(line) for line in replayed.splitlines()]
        self.path, self.zip_path = (self._export(env, recording, ending) for ending in ("nettrace", "trace.zip"))
        self.file, self.begins = NettraceFile(self.path), None

    @staticmethod
    def _export(env, recording, ending):
        path = env.scratch / f"{recording.stem}.{ending}"
        path.unlink(missing_ok=True)
        done = run([str(env.nettop), "export", str(recording), "-o", str(path)])
        check_equal(f"exit status of export, which says {done.stderr}", done.returncode, 0)
        return path

    def check_collections(self):
        """Each one, in every column that both have and that is recorded; returns how many."""
        rows = {row["number"]: row for line in self.lines for row in line["gc"]["collections"]}
        told = self.file.collections()
        missing = {number for number, row in rows.items() if row["after_bytes"] is not None} - {gc["number"] for gc in told}
        # GCStats know no collection without its end, or without its start, which nobody tells of the first one over LTTng.
        known = not missing or (missing == {min(rows)} and self.file.runtime_events()[GC_START] == len(told))
        check(known, f"collections: GCStats {[gc['number'] for gc in told]}, nettop {list(rows)}")
        for gc in told:
            check_numbers(gc, rows[gc["number"]])
            # Of a stop that two of them share GCStats count the suspension for the background one, whose number is the lower.
            if not in_one_stop(gc) and not any(shared_stop(told, other) for other in told if other["number"] in (gc["number"] - 1, gc["number"])):
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
        check(told["pid"] == summary["target"]["pid"] and summary["target"]["name"] in told["command"], f"its process is {told['pid']} {told['command']}")
        self.begins = told["begins"]
        return sum(told["threads"].values())

    def _check_methods(self, column, told, called):
        ours, trace = collections.Counter(), collections.Counter()
        for row in self.lines[-1]["methods"]:
            ours[called(row["module"], row["name"])] += row[f"{column}_samples"]
        for name, count in told[column].items():
            trace[called(*name.split("!", 1))] += count
        check(+ours == trace, f"samples by method ({column}), which differ: nettop more {ours - trace}, TraceEvent more {trace - ours}")


    def check(self):
        """All of it; says what there was."""
        return f"{self.check_collections()} collections, {self.check_compilations()} compilations, {self.check_samples()} samples, in {self.path.stat().st_size} bytes"


def recorded(env, work):
    """What nettop records of a program at work."""
    work.settle()
    with Recorded(env, work.pid, env.scratch / "recording", *MANY_SAMPLES) as recording:
        recording.wait_for_lines(2)
        for command in PROGRAM_WORK:
            work.do(command)
        work.settle()
        worked = len(recording.lines())
        wait_until(lambda: any(json.loads(line)["jit"]["method_count"] == 0 for line in recording.lines()[worked + 1:]), END_S, "nothing is compiled any more")
        recording.end()
    return recording.path


def equal_to_traceevent(env, work):
    began = time.time()
    exported = Exported(env, recorded(env, work))
    said = exported.check()
    times = {time.strftime("%Y-%m-%dT%H:%M", time.gmtime(t)) for t in (began, time.time())}
    check(min(times) <= exported.begins[:16] <= max(times), f"it begins at {exported.begins}")
    return said


@test
def collections_compilations_and_cpu_stacks(env):
    """Of recordings that were made elsewhere, of programs in trouble."""
    collecting, throwing = (Exported(env, RECORDINGS / f"{name}.nettop") for name in ("gc_pauses", "exception_flood"))
    said = collecting.check()
    check_equal("exceptions", throwing.file.runtime_events()[EXCEPTION], throwing.lines[-1]["exceptions"]["count"])
    return said


@long_test
def of_a_program_at_work(env):
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
        exported = Exported(env, recorded(env, work))
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
