#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Names of methods against dotnet-trace's for the same process: nt_live/method_names.py lists how they may differ, nothing else may."""
import bisect
import os

from nt_live import *
from nt_live.dotnet_trace import DotnetTrace
from nt_live.environment import REPO, run_script
from nt_live.eventpipe import RUNTIME, Session
from nt_live.method_names import NETTOP, TRACE, Comparison, Method, of_perf_map, without_arguments
from nt_live.process import LineProcess, run

JIT, INTEROP, INFORMATIONAL, VERBOSE = 0x10 | 0x20, 0x2000, 4, 5
SAMPLER = "Microsoft-DotNETCore-SampleProfiler"
WORK = ("compute 100", "alloc 50", "jit-expr 40", "jit-lambda 40", "jit-dynamic 40", "generics 40", "signatures", "throw 40", "locks 20", "async 300", "pool 1000",
        "written 60", "churn 5")
REQUESTS = ("requests 20", "mixed 1500")
# Of the rows: methods that the runtime never lists, as P/Invokes that were compiled with their image.
UNLISTED = 0.01


class Differences:
    """What was compared, and what differs beyond the tables."""

    def __init__(self):
        self.comparison, self.found, self.counts = Comparison(), [], {"methods": 0, "frames": 0, "rows": 0}

    def methods(self, codes, lines):
        """By address: what the runtime lists at the end of the trace, against `nettop map`."""
        for code in codes.values():
            if code.begin not in lines:
                if code.method.type != "dynamicClass":  # those may be gone by now
                    self.found.append(("in no line", code))
                continue
            self.counts["methods"] += 1
            method = of_perf_map(lines[code.begin])
            different = self.comparison.differs(code.method, method) if method else "form"
            if different:
                self.found.append((different, code.method, lines[code.begin]))

    def frames(self, codes, frames):
        """dotnet-trace calls the methods in its stacks as we take it that it does."""
        begins = sorted(codes)
        for address, name in frames:
            code = codes[begins[max(bisect.bisect(begins, address) - 1, 0)]]
            if code.begin <= address < code.begin + code.size:
                method = code.method
                self.counts["frames"] += 1
                if name != f"{method.type}.{method.name}{method.signature[method.signature.index('('):]}":
                    self.found.append(("frame", name, method))

    def rows(self, listed, rows):
        """The rows that nettop showed: raw names are dotnet-trace's, displayed ones by the table."""
        known = {(method.type, method.name, self.comparison.signature(TRACE, method.signature)): method for method in listed}
        unlisted = []
        for row in rows:
            method = of_perf_map(row["raw"])
            trace = known.get((method.type, method.name, self.comparison.signature(NETTOP, method.signature))) if method else None
            self.counts["rows"] += 1
            if not trace:
                unlisted.append(row["raw"])
            elif self.comparison.shown(trace) != without_arguments(row["name"]):
                self.found.append(("shown", row["name"], trace))
        check(len(unlisted) <= UNLISTED * len(rows), f"{len(unlisted)} of {len(rows)} rows are no methods of dotnet-trace's: {unlisted[:10]}")


def watch(env, work, commands, differences):
    """nettop and dotnet-trace, while it works; then all that each knows."""
    path = env.scratch / "names.map"
    with DotnetTrace(env, work.pid, JIT, VERBOSE, further=[SAMPLER]) as trace:
        with Nettop(env, work.pid, *MANY_SAMPLES, "--source", "perf,map", interval_s=0.5) as nettop:
            nettop.wait_for_sources("perf", "map")
            for command in commands:
                work.do(command)
            for _ in range(3):  # what the last samples hit is asked for and answered
                nettop.wait_for(lambda line: True, 10, "an interval")
            rows = nettop.stop()["methods"]
        trace.end()
    result = run([str(env.nettop), "map", "-p", str(work.pid), "-o", str(path)])
    check_equal(f"exit status ({result.stderr.strip()})", result.returncode, 0)
    lines = {int(start, 16): name for start, _, name in (line.split(" ", 2) for line in path.read_text(encoding="utf-8").splitlines())}
    listed = list(trace.methods())
    codes = {code.begin: code for code in listed}  # of several at one address, the last one
    differences.methods(codes, lines)
    differences.frames(codes, trace.frames())
    differences.rows([code.method for code in listed], [row for row in rows if row["kind"] in ("jit", "r2r") and row["raw"]])


@test
def recorded_names_differ_as_listed(_):
    """Pairs that the runtime wrote once: the same methods in its events and in its perf map; and what nettop shows of each, which the unit tests hold it to."""
    comparison = Comparison()
    lines = (REPO / "tests/data/method_names/pairs.tsv").read_text(encoding="utf-8").splitlines()
    for line in lines:
        _, kind, name, signature, raw, shown = line.split("\t")
        method = Method(kind, name, signature)
        different = comparison.differs(method, of_perf_map(raw))
        check(not different, f"{different}: {line}")
        check_equal(f"shown of {raw}", without_arguments(shown), comparison.shown(method))
    return f"{len(lines)} names"


@long_test
def names_are_those_of_dotnet_trace(env):
    differences = Differences()
    with Workload(env, mode="none", lttng=False) as work:
        work.settle()
        watch(env, work, WORK, differences)
    with WebServer(env) as web:
        watch(env, web, REQUESTS, differences)
    found, counts = differences.found, differences.counts
    check(not found, f"{len(found)} of {counts} differ: " + "\n".join(map(str, found[:20])))
    check(counts["methods"] > 5000 and counts["frames"] > 500 and counts["rows"] > 500, f"too few to tell: {counts}")
    dead = differences.comparison.dead()
    check(not dead, f"allowed, but not found: {[row.pattern for row in dead]}")
    return ", ".join(f"{count} {what}" for what, count in counts.items())


def stubs_of_one_signature(framework):
    """Which of two native methods with the same signature the runtime names when it makes a stub: doc/NAMES.md, "Stubs"."""
    program = run_script(REPO / "tests/long/tiny.sh", "self", framework, os.environ.get("NT_TINY_OUT", str(REPO / "build/tiny")))
    process = LineProcess([program], os.environ.copy())
    try:
        check_equal("the program's word", process.read_line(30), "ready")
        session = Session(process.pid, [(RUNTIME, INTEROP, INFORMATIONAL)], old=framework == "net8.0")
        process.send_line("native")
        check_equal("what it did", process.read_line(30), "done native")
        stream = session.stop()
    finally:
        process.kill()
    return [name for name in ("Remove", "RemoveFolder") if f"Native\0{name}\0".encode("utf-16-le") in stream]


@test
def a_stub_is_of_no_method(env):
    check_equal("methods that stubs are said to be of", stubs_of_one_signature("net10.0"), ["Remove"])


@long_test
def a_stub_is_of_no_method_in_8_and_9(env):
    for framework in ("net8.0", "net9.0"):
        check_equal(f"methods that stubs are said to be of, {framework}", stubs_of_one_signature(framework), ["Remove"])


if __name__ == "__main__":
    main()
