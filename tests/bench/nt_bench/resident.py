# SPDX-License-Identifier: GPL-2.0-only
"""nettop's memory beside real programs: what it, its keeper and its helpers have in memory, each page shared by several programs by its part (Pss)."""
import contextlib
import json
import os
import re
import subprocess

from nt_live import Failure, Missing, SessionDaemon, Workload
from nt_live.live_session import Relay

from . import servers
from .load import STEADY, working
from .meter import MB, is_lttng_daemon, resident_limit_mb, tree_of
from .program import Program, pumped
from .report import Row

SCREENS = b"234567c01"  # the last one is where it began
SCREEN_S = 2
METHODS = 100_000
METHODS_S = 120
METHOD_LIMIT_BYTES = 80  # less than its name has in the perf map


def _pss_bytes(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return int(re.search(r"^Pss:\s+(\d+) kB", file.read(), re.M)[1]) << 10
    except (OSError, TypeError):
        return 0  # it has just ended


def resident_bytes(program, daemons=False):
    """Of the program and all that descends from it; of the LTTng daemons among them instead."""
    return sum(_pss_bytes(pid) for pid in tree_of(program.pid) if is_lttng_daemon(pid) == daemons)


@contextlib.contextmanager
def _workload(bench):
    """Over LTTng and with a perf map, so that everything delivers."""
    with SessionDaemon(bench.env) as daemon, Relay(bench.env), Workload(bench.env, mode="N") as work:
        daemon.wait_for_app(work.pid)
        with working(work, STEADY):
            yield work.pid


@contextlib.contextmanager
def _at_work(bench, server):
    """It is given its work until the block ends."""
    bench.env.need_commands(*server.commands)
    with server.start(bench.env) as running, _busy(running):
        yield running.pid


@contextlib.contextmanager
def _busy(running):
    with working(_Worker(running), ("a second",)):
        yield


class _Worker:
    """As working() expects it."""

    def __init__(self, running):
        self._running = running

    def do(self, _):
        self._running.work(1)


TARGETS = (("the bench's workload", _workload),
           *((server.name, lambda bench, server=server: _at_work(bench, server)) for server in (servers.MVC, servers.POWERSHELL, servers.COMPILER)))


def _open_all_screens(program):
    for key in SCREENS:
        os.write(program.master, bytes((key,)))
        program.run(program.age_s() + SCREEN_S)


def _beside(bench, title, start):
    """Rows of one target."""
    with start(bench) as pid, Program([bench.env.nettop, "-p", pid], bench.home) as program:
        program.run(bench.plan.resident_s)
        at_rest, daemons = resident_bytes(program), resident_bytes(program, daemons=True)
        _open_all_screens(program)
        opened, age_s = resident_bytes(program), program.age_s()
        program.end()
    bench.say(f"resident beside {title}: {at_rest / MB:.1f} MB, every screen opened {opened / MB:.1f} MB, LTTng's daemons {daemons / MB:.1f} MB")
    return [Row(f"resident (Pss), {bench.plan.resident_s:g} s after attach, beside {title}", at_rest / MB, "MB", limit=resident_limit_mb(bench.plan.resident_s)),
            Row(f"resident (Pss), every screen opened once, beside {title}", opened / MB, "MB", limit=resident_limit_mb(age_s))]


def _method_row(bench):
    """What a living method costs: generic instances, which stay."""
    with Workload(bench.env, mode="none", perf_map=False, lttng=False) as work, Program([bench.env.nettop, "-p", work.pid], bench.home) as program:
        program.run(bench.plan.resident_s / 4)
        before = resident_bytes(program)
        with pumped(program):
            work.do(f"generics {METHODS}", METHODS_S)
        program.run(program.age_s() + bench.plan.resident_s / 4)
        after = resident_bytes(program)
        program.end()
    return Row(f"resident (Pss) of a method, {METHODS} generic instances", (after - before) / METHODS, "B", note="its name included")


def _model_rows(bench):
    """What a dynamic method costs the model alone (tests/bench/bench_methods.c)."""
    done = subprocess.run([bench.programs / "bench_methods", str(METHODS)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=METHODS_S, check=False)
    if done.returncode != 0:
        raise Failure(f"bench_methods: {done.stderr.strip()}")
    answer = json.loads(done.stdout)
    bench.say(f"a dynamic method: {answer['living_bytes']:.0f} B, once sampled {answer['sampled_bytes']:.0f} B more")
    return [Row(f"memory of a living dynamic method, {METHODS} of them", answer["living_bytes"], "B", limit=METHOD_LIMIT_BYTES,
                note=f"its name included, which has {answer['line_bytes']:.0f} bytes in the map"),
            Row("the same, more for one that was sampled, when it is no longer in the list", answer["sampled_bytes"], "B", note="the names of its row included")]


def resident(bench, notes):
    rows = []
    for title, start in TARGETS:
        try:
            rows += _beside(bench, title, start)
        except Missing as missing:
            notes.append(f"Memory beside {title} was not measured: {missing}.")
    rows.append(_method_row(bench))
    rows += _model_rows(bench)
    notes.append("Memory: Pss of nettop, its keeper and its helpers, without LTTng's daemons, in a terminal of 120x40, the program at its work.")
    return rows
