# SPDX-License-Identifier: GPL-2.0-only
"""A perf map of half a million lines: what it costs nettop, `wc -l` and `perf report` to take it in."""
import json
import pathlib
import statistics
import subprocess

from nt_live import Failure, Workload
from nt_live.process import LineProcess

from . import paired
from .meter import NS_PER_S, peak_rss_bytes
from .program import Program
from .report import Row

WC, PERF_REPORT = "wc -l", "perf report"
RECORD_S = 5
DEADLINE_S = 60
# As the runtime writes them, 150 bytes a line, at addresses where nothing else of the target is.
FIRST_ADDRESS = 0x100000000000
SPACING = 0x200
LINE = ("{:x} 1a0 instance class [System.Collections.Generic.IEnumerable`1<class Bench.Ns{:03}.Item>] [Bench.Ns{:03}] "
        "Bench.Module{:04}::Method{:06}(int32)[Tier1]\n")


def _write_map(path, own_lines, line_count):
    """The target's own lines and as many invented ones as are missing."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(own_lines)
        for i in range(line_count - len(own_lines)):
            file.write(LINE.format(FIRST_ADDRESS + i * SPACING, i % 400, i % 200, i // 100, i))


def _record(bench):
    """(pid, its map's lines, recording) of a target whose JIT code perf can name: without W^X."""
    data = bench.env.scratch / "map.data"
    with Workload(bench.env, mode="none", dotnet={"EnableWriteXorExecute": "0"}) as work:
        words = ["perf", "record", "-e", "cpu-clock", "-F", "999", "-p", work.pid, "-o", data]
        with Program(words, bench.home, terminal=False) as program:
            work.do(f"compute {RECORD_S * 1000}")
            program.end()
        lines = pathlib.Path(f"/tmp/perf-{work.pid}.map").read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
        return work.pid, lines, data


def _cpu(bench, words):
    """CPU time in s of a program that ends by itself, and what it wrote."""
    output = bench.env.scratch / "output"
    with open(output, "wb") as file, Program(words, bench.home, terminal=False, stdout=file) as program:
        program.wait(DEADLINE_S)
    return program.cpu_ns / NS_PER_S, output.read_text(encoding="utf-8", errors="replace")


def _by_perf(bench, pid, source, data):
    """What the map adds to perf report, in s."""
    path = pathlib.Path(f"/tmp/perf-{pid}.map")
    words = ["perf", "report", "--stdio", "-i", data]
    without_s, text = _cpu(bench, words)
    try:
        path.hardlink_to(source)
        with_s, named = _cpu(bench, words)
    finally:
        path.unlink(missing_ok=True)
    if "Spin" in text or "Spin" not in named:
        raise Failure("perf report did not use the map")
    return with_s - without_s


def _by_nettop(bench, source):
    """One run of bench_map: its answer (tests/bench/bench_map.c)."""
    process = LineProcess([str(bench.programs / "bench_map"), str(bench.plan.map_lines)], stderr_path=bench.env.scratch / "bench_map.err")
    try:
        path = pathlib.Path(f"/tmp/perf-{int(process.read_line(10))}.map")
        try:
            path.hardlink_to(source)
            process.send_line("go")
            answer = json.loads(process.read_line(DEADLINE_S) or "{}")
            answer["rss_bytes"] = peak_rss_bytes(process.pid)
            process.child.stdin.close()
        finally:
            path.unlink(missing_ok=True)
        if process.wait(10) != 0:
            raise Failure(f"bench_map: {process.stderr_text()}")
        return answer
    finally:
        process.kill()


def _ingest(bench):
    """What nettop answers of each round; {peer: CPU s that the same map costs it in each}."""
    pid, lines, data = _record(bench)
    source = pathlib.Path(f"/tmp/nt-bench-{pid}.map")
    _write_map(source, lines, bench.plan.map_lines)
    answers, peers_s = [], {WC: [], PERF_REPORT: []}
    try:
        for number in range(bench.plan.map_runs):
            peers_s[WC].append(_cpu(bench, ["wc", "-l", source])[0])
            answers.append(_by_nettop(bench, source))
            peers_s[PERF_REPORT].append(_by_perf(bench, pid, source, data))
            bench.say(f"map of {bench.plan.map_lines} lines {number + 1}  nettop {answers[-1]['cpu_ns'] / NS_PER_S:.3f} s, "
                      + ", ".join(f"{peer} {times[-1]:.3f} s" for peer, times in peers_s.items()))
    finally:
        source.unlink(missing_ok=True)
    return answers, peers_s


def perf_map(bench, _):
    answers, peers_s = _ingest(bench)
    own_s = [answer["cpu_ns"] / NS_PER_S for answer in answers]
    found = {
        "nettop wall": statistics.median(answer["wall_ns"] for answer in answers) / NS_PER_S,
        "nettop bytes": max(answer["rss_bytes"] for answer in answers),
    }
    wc_s, perf_s = (paired.middle(list(zip(own_s, peers_s[peer]))) for peer in (WC, PERF_REPORT))
    what = f"perf map of {bench.plan.map_lines} lines to names"
    return [
        Row(what, wc_s[0], "s", f"`{WC}`", wc_s[1], 6),
        Row(what, perf_s[0], "s", f"what it costs `{PERF_REPORT}`", perf_s[1], 1 / 3),
        Row(f"{what}, wall time", found["nettop wall"], "s"),
        Row(f"{what}, memory", found["nettop bytes"] / 1e6, "MB"),
    ]
