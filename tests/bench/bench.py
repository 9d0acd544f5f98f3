#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop and its peers on one real .NET process, in one run; `make bench` puts what it says into doc/RESULTS.md, `make bench-eventpipe` another group.

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

from nt_bench import machine, report
from nt_bench.groups import GROUPS
from nt_bench.plan import FULL, QUICK
from nt_live import Environment, Missing
from nt_live.environment import REPO, enter_private_namespace
from nt_live.process import Failure, adopt_orphans, end_descendants


class Bench:
    """What the measurements share."""

    def __init__(self, env, group, plan, programs):
        self.env = env
        self.group = group
        self.plan = plan
        self.programs = programs  # folder of bench_drain and its like
        self.home = env.scratch / "home"
        self.home.mkdir()
        self.work = self.daemon = self.relay = None
        self.events = []  # what nettop enables over LTTng
        self.start_s = time.monotonic()
        self.load_before = machine.load_average()

    def age_s(self):
        return time.monotonic() - self.start_s

    def say(self, text):
        print(f"{self.age_s():6.0f} s  {text}", file=sys.stderr, flush=True)


def _is_open(part):
    return any(row.limit is not None and row.holds is None for row in part[0])


class Findings:
    """What came out so far, part by part."""

    def __init__(self, names):
        self.names = names  # of all parts, in their order
        self.parts = {}  # name -> (rows, notes)
        self.failed = {}  # name -> why
        self.before = []  # names of the parts that an earlier run measured
        self.undecided = {}  # likewise (rows, notes), of parts that are measured once more

    @property
    def left(self):
        return [name for name in self.names if name not in self.parts and name not in self.failed]

    @property
    def rows(self):
        return [row for name in self.names for row in self.parts.get(name, ((), ()))[0]]

    @property
    def notes(self):
        return [note for name in self.names for note in self.parts.get(name, ((), ()))[1]] + [f"{name}: {why}" for name, why in self.failed.items()]

    def broken(self):
        return [row for row in self.rows if row.holds is False]

    def open(self):
        return [row for row in self.rows if row.limit is not None and row.holds is None]

    def complete(self):
        return not self.left and not self.failed

    def text(self, bench):
        sentences = machine.describe(REPO, bench.env.nettop)
        sentences.append(f"Load average {bench.load_before:.1f} before, {machine.load_average():.1f} after; {bench.age_s():.0f} s in all")
        notes = self.notes + ([f"Measured by earlier runs with this same program: {', '.join(self.before)}."] if self.before else [])
        notes += ([f"Not measured: {', '.join([*self.failed, *self.left])}."] if not self.complete() else [])
        return report.section(bench.group.title, sentences, bench.group.method(bench.plan), self.rows, notes)

    def save(self, path, program):
        parts = {name: {"rows": [dataclasses.asdict(row) for row in rows], "notes": notes} for name, (rows, notes) in self.parts.items()}
        path.write_text(json.dumps({"program": program, "parts": parts}), encoding="utf-8")

    def resume(self, path, program):
        """The parts that an earlier run measured, if it measured this same program."""
        if not path.exists():
            return
        saved = json.loads(path.read_text(encoding="utf-8"))
        if saved["program"] == program:
            parts = {name: ([report.Row(**row) for row in part["rows"]], part["notes"]) for name, part in saved["parts"].items() if name in self.names}
            self.undecided = {name: part for name, part in parts.items() if _is_open(part)}
            self.parts = {name: part for name, part in parts.items() if name not in self.undecided}
            self.before = list(parts)

    def take(self, name, rows, notes):
        """What was measured, together with what an earlier run could not decide."""
        if name in self.undecided:
            rows, notes = report.of_two_runs(self.undecided[name][0], rows), self.undecided[name][1] + notes + [f"{name}: both runs together."]
        self.parts[name] = (rows, notes)


def measure(bench, findings, names, keep):
    """These parts, unless they are known; one that fails leaves a note, and the others go on. keep() is called after each."""
    with bench.group.around_all(bench):
        for name in [name for name in names if name in findings.left]:
            bench.say(f"== {name}")
            try:
                findings.take(name, *measure_part(bench, name))
            except (Failure, Missing) as failure:
                findings.failed[name] = failure
                bench.say(f"FAIL {name}: {failure}")
            keep()


def measure_part(bench, name):
    """Rows and notes."""
    notes = []
    with bench.group.around_part(bench):
        return bench.group.parts[name](bench, notes), notes


def publish(group, text):
    """In place of what the last run said."""
    subprocess.run([REPO / "tests/tools/results.py", group.name], input=text, text=True, check=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few and short runs: a trial of the bench itself")
    parser.add_argument("--group", choices=list(GROUPS), default="peers", help="what is measured")
    parser.add_argument("--only", action="append", choices=[part for group in GROUPS.values() for part in group.parts],
                        help="only this part of the group (may be repeated)")
    parser.add_argument("--resume", action="store_true", help="keep what earlier runs measured of this same program, and measure what they did not decide once more: both runs count")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of bench_drain and its like")
    parser.add_argument("--keep", type=pathlib.Path, required=True, help="file for what has been measured, written after each part")
    return parser.parse_args()


def main():
    arguments = parse()
    group = GROUPS[arguments.group]
    if arguments.only and not set(arguments.only) & set(group.parts):
        print(f"bench: {', '.join(arguments.only)}: not of the group {arguments.group}", file=sys.stderr)
        return
    try:
        enter_private_namespace()
        adopt_orphans()
        env = Environment()
    except Missing as missing:
        sys.exit(f"bench: {missing}")
    try:
        env.need_commands(*group.commands)
        bench = Bench(env, group, QUICK if arguments.quick else FULL, arguments.programs)
        findings = Findings(list(group.parts))
        program = hashlib.sha256(env.nettop.read_bytes()).hexdigest() + ("-quick" if arguments.quick else "")
        saved = arguments.keep.with_suffix(".json")
        if arguments.resume:
            findings.resume(saved, program)

        def keep():
            arguments.keep.write_text(findings.text(bench), encoding="utf-8")
            findings.save(saved, program)

        keep()  # also when nothing is left to be measured
        measure(bench, findings, arguments.only or findings.names, keep)
    except (Missing, Failure) as problem:
        sys.exit(f"bench: {problem}")
    finally:
        end_descendants()
        env.close()
    print(arguments.keep.read_text(encoding="utf-8"))
    if findings.complete() and not arguments.quick:
        publish(group, arguments.keep.read_text(encoding="utf-8"))
    for row in findings.broken():
        print(f"over its limit: {row.sentence()}", file=sys.stderr)
    for row in findings.open():
        print(f"not decided: {row.sentence()}", file=sys.stderr)
    holding = len([row for row in findings.rows if row.holds])
    print(f"{holding} limits hold, {len(findings.broken())} do not, {len(findings.open())} are not decided, {len(findings.failed)} parts not measured")
    sys.exit(1 if findings.broken() or findings.failed else 0)


if __name__ == "__main__":
    main()
