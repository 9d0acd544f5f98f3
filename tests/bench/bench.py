#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop and its peers on one real .NET process, in one run; writes the measured part of doc/RESULTS.md.

The peers are perf, babeltrace2, top and wc, each the way people use it. Programs take turns on the same target, so that what disturbs one
disturbs all. A peer counts with its least run (runs in which perf spins are counted apart), nettop with its median.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

from nt_bench import cost, flood, machine, maps, report, screen
from nt_bench.live_session import Relay, events_of_nettop
from nt_bench.load import STEADY, working
from nt_bench.plan import FULL, QUICK
from nt_bench.report import Row
from nt_live import Environment, Missing, SessionDaemon, Workload
from nt_live.environment import REPO, enter_private_namespace
from nt_live.process import Failure, adopt_orphans, end_descendants

RESULTS = REPO / "doc/RESULTS.md"
MIB = 1 << 20
# Tiered compilation's own thread ends 4 s after its last method; a perf that is attached then spins.
WARM_UP_S = 20


class Bench:
    """What the measurements share."""

    def __init__(self, env, plan, programs):
        self.env = env
        self.plan = plan
        self.programs = programs  # folder of bench_drain and bench_map
        self.home = env.scratch / "home"
        self.home.mkdir()
        self.work = self.relay = None
        self.events = []  # what nettop enables over LTTng
        self.start_s = time.monotonic()

    def say(self, text):
        print(f"{time.monotonic() - self.start_s:6.0f} s  {text}", file=sys.stderr, flush=True)


def _mebibytes(count):
    return count / MIB


def cost_rows(bench, notes):
    with working(bench.work, STEADY):
        time.sleep(0 if bench.plan.quick else WARM_UP_S)
        whole = cost.whole_runs(bench)
        steady = cost.steady_runs(bench)
    rows = []
    for costs, what, limits in ((whole, f"whole {bench.plan.whole_s:g} s run", (1 / 10, 1, 1 / 3)),
                                (steady, f"second {bench.plan.steady_from_s:g} to {bench.plan.steady_until_s:g}", (1 / 5, None, None))):
        perf_s, all_s = costs.median_s(cost.NETTOP_PERF), costs.median_s(cost.NETTOP_ALL)
        top_s, text_s = costs.least_s(cost.PERF_TOP), costs.least_s(cost.BABELTRACE)
        rows += [
            Row(f"CPU, {what}, `--source perf`", perf_s, "s", "`perf top --stdio -g`", top_s, limits[0]),
            Row(f"CPU, {what}, `--source perf`", perf_s, "s", "`perf record -g`", costs.least_s(cost.PERF_RECORD), limits[1]),
            Row(f"CPU, {what}, everything", all_s, "s", "`perf top -g` + `babeltrace2` text", top_s + text_s, limits[2]),
            Row(f"CPU, {what}, everything", all_s, "s", "`top -p`", costs.least_s(cost.TOP)),
            Row(f"CPU of the LTTng daemons, {what}", costs.median_daemons_s(cost.NETTOP_ALL), "s", "with `babeltrace2`",
                costs.median_daemons_s(cost.BABELTRACE)),
        ]
        notes.append(f"{what}: in {costs.starved()[0]} of {costs.starved()[1]} runs the target did not get its CPU time (not counted above).")
        for title in (cost.PERF_TOP, cost.PERF_RECORD):
            notes.append(f"{what}: `{title}` spun in {costs.spins(title)} of {len(costs.runs[title])} runs (not counted above).")
        for title in (cost.NETTOP_PERF, cost.NETTOP_ALL, cost.PERF_TOP):
            least, most = costs.range_s(title)
            notes.append(f"{what}: `{title}` {least:.3f} to {most:.3f} s.")
    rows.append(Row("memory, most resident", _mebibytes(steady.rss_bytes(cost.NETTOP_ALL)), "MiB", limit=24))
    rows += [Row("memory, most resident", _mebibytes(steady.rss_bytes(cost.NETTOP_ALL)), "MiB", f"`{title}`",
                 _mebibytes(steady.rss_bytes(title))) for title in (cost.PERF_TOP, cost.PERF_RECORD, cost.BABELTRACE, cost.TOP)]
    return rows


def churn_rows(bench, _):
    cpus = cost.churn_cpus(bench)
    return [Row("share of a CPU while threads come and go", cpus[cost.NETTOP_ALL], "CPU", limit=cost.SPIN_CPUS)] + [
        Row("share of a CPU while threads come and go", cpus[cost.NETTOP_ALL], "CPU", f"`{title}`", cpus[title])
        for title in (cost.PERF_TOP, cost.PERF_RECORD)]


def first_rows(bench, _):
    frame_s, name_s = screen.first_on_screen(bench)
    return [
        Row(f"first frame, {screen.IDLE_THREADS} threads", frame_s * 1e3, "ms", limit=200),
        Row(f"first named method, {screen.IDLE_THREADS} threads", name_s * 1e3, "ms", limit=1000),
        Row("first named method, `--json -d 0.1`", screen.first_in_json(bench) * 1e3, "ms"),
    ]


def refresh_rows(bench, _):
    counts = screen.bytes_per_refresh(bench)
    return [Row("bytes per refresh, 120x40", counts["nettop"], "B", "`top`", counts["top"], 0.6)]


def names_rows(bench, notes):
    kinds = screen.named_by_kind(bench)
    samples, named = (sum(counts[i] for counts in kinds.values()) for i in (0, 1))
    for kind, (count, with_name) in sorted(kinds.items(), key=lambda item: -item[1][0]):
        notes.append(f"samples of kind {kind}: {count}, of these named {with_name} ({100 * with_name / max(count, 1):.1f} %).")
    return [Row("samples with a name", 100 * named / max(samples, 1), "%")]


def flood_rows(bench, notes):
    cost_ns, events = flood.cpu_per_event(bench)
    notes.append(f"LTTng: {events} events in a flood, each read by all three in turn.")
    return [
        Row("CPU per LTTng event, `--source lttng`", cost_ns[flood.NETTOP], "ns", f"`{flood.DUMMY}`", cost_ns[flood.DUMMY], 1.5),
        Row("CPU per LTTng event, `--source lttng`", cost_ns[flood.NETTOP], "ns", f"`{flood.TEXT}`", cost_ns[flood.TEXT]),
    ]


def drain_rows(bench, _):
    rows = []
    for hz in (999, 4999):
        with working(bench.work, STEADY):
            done = subprocess.run([bench.programs / "bench_drain", str(bench.work.pid), str(hz), str(bench.plan.drain_s)],
                                  stdout=subprocess.PIPE, text=True, timeout=60, check=True)
        answer = json.loads(done.stdout)
        bench.say(f"drain at {hz} Hz  {answer['ns_per_sample']:.0f} ns per sample")
        rows.append(Row(f"drain of one sample at {hz} Hz", answer["ns_per_sample"], "ns",
                        note=f"{answer['samples']} samples, {answer['lost']} lost"))
    return rows


def map_rows(bench, _):
    found = maps.ingest(bench)
    what = f"perf map of {bench.plan.map_lines} lines to names"
    return [
        Row(what, found["nettop"], "s", "`wc -l`", found["wc -l"], 6),
        Row(what, found["nettop"], "s", "what it costs `perf report`", found["perf report"], 1 / 3),
        Row(f"{what}, wall time", found["nettop wall"], "s"),
        Row(f"{what}, memory", _mebibytes(found["nettop bytes"]), "MiB"),
    ]


PARTS = {"cost": cost_rows, "churn": churn_rows, "first": first_rows, "refresh": refresh_rows, "names": names_rows,
         "flood": flood_rows, "drain": drain_rows, "map": map_rows}


def measure(bench, parts):
    """(rows, notes, names of failed parts). A part that fails leaves a note; the others go on."""
    rows, notes, failed = [], [], []
    with SessionDaemon(bench.env) as daemon, Relay(bench.env) as bench.relay, Workload(bench.env, mode="N") as bench.work:
        daemon.wait_for_app(bench.work.pid)
        bench.events = events_of_nettop(bench.env, bench.work.pid)
        for name in parts:
            bench.say(f"== {name}")
            try:
                rows += PARTS[name](bench, notes)
            except Failure as failure:
                failed.append(name)
                notes.append(f"{name}: not measured: {failure}")
                bench.say(f"FAIL {name}: {failure}")
    return rows, notes, failed


def method(plan):
    return ("The target is the .NET program of the live tests (mode N, perf map), with about one CPU busy computing, allocating, collecting, compiling and "
            f"throwing. Peers count with the least of {plan.cost_runs} runs, runs that spin apart; nettop with its median. perf has `-e cpu-clock -F 999 "
            "-p PID`. CPU time is the kernel's CPU clock of the process and its helpers (nettop's keeper included); LTTng's daemons are apart.\n")


def write(bench, arguments, rows, notes, load_before):
    sentences = machine.describe(REPO, bench.env.nettop)
    sentences.append(f"Load average {load_before:.1f} before, {machine.load_average():.1f} after; {time.monotonic() - bench.start_s:.0f} s in all")
    text = report.section(sentences, method(bench.plan), rows, notes)
    print(text)
    if arguments.results:
        report.put(arguments.results, text)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few and short runs: a trial of the bench itself")
    parser.add_argument("--part", action="append", choices=sorted(PARTS), help="only this part (may be repeated)")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of bench_drain and bench_map")
    parser.add_argument("--results", type=pathlib.Path, help="write the section into this file")
    return parser.parse_args()


def main():
    arguments = parse()
    try:
        enter_private_namespace()
        adopt_orphans()
        env = Environment()
    except Missing as missing:
        sys.exit(f"bench: {missing}")
    try:
        env.need_commands("perf", "top", "babeltrace2", "wc")
        load_before = machine.load_average()
        bench = Bench(env, QUICK if arguments.quick else FULL, arguments.programs)
        rows, notes, failed = measure(bench, arguments.part or list(PARTS))
        write(bench, arguments, rows, notes, load_before)
    except (Missing, Failure) as problem:
        sys.exit(f"bench: {problem}")
    finally:
        end_descendants()
        env.close()
    broken = [row for row in rows if row.holds is False]
    for row in broken:
        print(f"over its limit: {row.what}: {' '.join(row.cells()[1:5])}", file=sys.stderr)
    print(f"{len([r for r in rows if r.holds])} limits hold, {len(broken)} do not, {len(failed)} parts not measured")
    sys.exit(1 if broken or failed else 0)


if __name__ == "__main__":
    main()
