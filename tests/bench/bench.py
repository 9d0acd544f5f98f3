#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop and its peers on one real .NET process, in one run; `make bench` puts what it says into doc/RESULTS.md.

The peers are perf, babeltrace2, top and wc, each the way people use it. Programs take turns on the same target, so that what disturbs one
disturbs all. A peer counts with its least run (runs in which perf spins are counted apart), nettop with its median. Exit status 0 when all was
measured and every limit holds.
"""
import argparse
import dataclasses
import hashlib
import json
import pathlib
import subprocess
import sys
import time

from nt_bench import bridge, cost_rows, drain, flood, machine, maps, report, screen
from nt_live.live_session import Relay, events_of_nettop
from nt_bench.plan import FULL, QUICK
from nt_live import Environment, Missing, SessionDaemon, Workload
from nt_live.environment import REPO, enter_private_namespace
from nt_live.process import Failure, adopt_orphans, end_descendants

# Each is (bench, notes) -> rows, and takes at most 8 minutes.
PARTS = {"whole": cost_rows.whole, "steady-perf": cost_rows.steady_perf, "steady-all": cost_rows.steady_all, "churn": cost_rows.churn,
         "first": screen.first, "refresh": screen.refresh, "names": screen.names, "flood": flood.flood, "drain": drain.drain,
         "map": maps.perf_map, "bridge": bridge.bridge}


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
        self.load_before = machine.load_average()

    def age_s(self):
        return time.monotonic() - self.start_s

    def say(self, text):
        print(f"{self.age_s():6.0f} s  {text}", file=sys.stderr, flush=True)


class Findings:
    """What came out so far, part by part."""

    def __init__(self):
        self.parts = {}  # name -> (rows, notes)
        self.failed = {}  # name -> why
        self.before = []  # names of the parts that an earlier run measured

    @property
    def left(self):
        return [name for name in PARTS if name not in self.parts and name not in self.failed]

    @property
    def rows(self):
        return [row for name in PARTS for row in self.parts.get(name, ((), ()))[0]]

    @property
    def notes(self):
        return [note for name in PARTS for note in self.parts.get(name, ((), ()))[1]] + [f"{name}: {why}" for name, why in self.failed.items()]

    def broken(self):
        return [row for row in self.rows if row.holds is False]

    def complete(self):
        return not self.left and not self.failed

    def text(self, bench):
        sentences = machine.describe(REPO, bench.env.nettop)
        sentences.append(f"Load average {bench.load_before:.1f} before, {machine.load_average():.1f} after; {bench.age_s():.0f} s in all")
        notes = self.notes + ([f"Measured by earlier runs with this same program: {', '.join(self.before)}."] if self.before else [])
        notes += ([f"Not measured: {', '.join([*self.failed, *self.left])}."] if not self.complete() else [])
        return report.section(sentences, method(bench.plan), self.rows, notes)

    def save(self, path, program):
        parts = {name: {"rows": [dataclasses.asdict(row) for row in rows], "notes": notes} for name, (rows, notes) in self.parts.items()}
        path.write_text(json.dumps({"program": program, "parts": parts}), encoding="utf-8")

    def resume(self, path, program):
        """The parts that an earlier run measured, if it measured this same program."""
        if not path.exists():
            return
        saved = json.loads(path.read_text(encoding="utf-8"))
        if saved["program"] == program:
            self.parts = {name: ([report.Row(**row) for row in part["rows"]], part["notes"]) for name, part in saved["parts"].items() if name in PARTS}
            self.before = list(self.parts)


def method(plan):
    return ("The target is the .NET program of the live tests (mode N, perf map), started anew for each part, with about one CPU busy computing, allocating, collecting, compiling and "
            f"throwing. A peer counts with the least of at least {plan.cost_runs} runs, nettop with its median; a run in which perf spins or the target "
            "gets less than three quarters of its usual CPU time does not count. perf has `-e cpu-clock -F 999 -p PID`. CPU time is the kernel's CPU clock "
            "of the process and its helpers (nettop's keeper included); LTTng's daemons are apart.\n")


def measure(bench, findings, names, keep):
    """These parts, unless they are known; one that fails leaves a note, and the others go on. keep() is called after each."""
    with SessionDaemon(bench.env) as daemon, Relay(bench.env) as bench.relay:
        for name in [name for name in names if name in findings.left]:
            bench.say(f"== {name}")
            try:
                findings.parts[name] = measure_part(bench, daemon, name)
            except (Failure, Missing) as failure:
                findings.failed[name] = failure
                bench.say(f"FAIL {name}: {failure}")
            keep()


def measure_part(bench, daemon, name):
    """Rows and notes. On a target of its own: one that has compiled for a quarter of an hour has more methods to tell of than a young one."""
    notes = []
    with Workload(bench.env, mode="N") as bench.work:
        daemon.wait_for_app(bench.work.pid)
        bench.events = bench.events or events_of_nettop(bench.env, bench.work.pid)
        return PARTS[name](bench, notes), notes


def publish(text):
    """In place of what the last run said."""
    subprocess.run([REPO / "tests/tools/results.py", "bench"], input=text, text=True, check=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few and short runs: a trial of the bench itself")
    parser.add_argument("--only", action="append", choices=list(PARTS), help="only this part (may be repeated)")
    parser.add_argument("--resume", action="store_true", help="keep what earlier runs measured of this same program")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of bench_drain and bench_map")
    parser.add_argument("--keep", type=pathlib.Path, required=True, help="file for what has been measured, written after each part")
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
        bench = Bench(env, QUICK if arguments.quick else FULL, arguments.programs)
        findings = Findings()
        program = hashlib.sha256(env.nettop.read_bytes()).hexdigest() + ("-quick" if arguments.quick else "")
        saved = arguments.keep.with_suffix(".json")
        if arguments.resume:
            findings.resume(saved, program)

        def keep():
            arguments.keep.write_text(findings.text(bench), encoding="utf-8")
            findings.save(saved, program)

        measure(bench, findings, arguments.only or list(PARTS), keep)
    except (Missing, Failure) as problem:
        sys.exit(f"bench: {problem}")
    finally:
        end_descendants()
        env.close()
    print(arguments.keep.read_text(encoding="utf-8"))
    if findings.complete() and not arguments.quick:
        publish(arguments.keep.read_text(encoding="utf-8"))
    for row in findings.broken():
        print(f"over its limit: {row.sentence()}", file=sys.stderr)
    holding = len([row for row in findings.rows if row.holds])
    print(f"{holding} limits hold, {len(findings.broken())} do not, {len(findings.failed)} parts not measured")
    sys.exit(1 if findings.broken() or findings.failed else 0)


if __name__ == "__main__":
    main()
