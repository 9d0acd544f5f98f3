# SPDX-License-Identifier: GPL-2.0-only
"""What an LTTng event costs its reader: a fixed flood of events, read by one viewer after the other from the same live session."""
import json
import subprocess

from nt_live import Failure

from nt_live.live_session import check_lossless, live_session
from . import paired
from .meter import NS_PER_S
from .program import Program
from .report import Row

# One round, about 200 000 events a second; a collection is a dozen, a compilation has texts in it. The pause lets the daemons follow.
FLOOD = ("gc 0 1000", "jit-dynamic 50", "idle 40")
ATTACHED_S = 3
# The live timer is 0.1 s; then all has been delivered.
DRAINED_S = 1.5

NETTOP, DUMMY, TEXT = "nettop --source lttng", "babeltrace2 -o dummy", "babeltrace2 text"


def _cpu_of_flood(bench, program):
    """ns that the program uses from just before the flood until all of it has been delivered."""
    program.run(ATTACHED_S)
    before_ns = program.sample()
    for _ in range(bench.plan.flood_rounds):
        for command in FLOOD:
            bench.work.do(command)
            program.pump(0)
    program.run(program.age_s() + DRAINED_S)
    return program.sample() - before_ns


def _by_nettop(bench, name):
    """ns; it must have seen all of the flood."""
    path = bench.env.scratch / "flood.json"
    words = [bench.env.nettop, "-p", bench.work.pid, "--source", "lttng", "--session", name, "--json"]
    before = bench.work.mark("before")
    with open(path, "wb") as output, Program(words, bench.home, terminal=False, stdout=output) as program:
        used_ns = _cpu_of_flood(bench, program)
        program.end()
    collected = bench.work.mark("after").since(before).gc_counts()
    with open(path, encoding="utf-8") as lines:
        summary = json.loads(lines.readlines()[-1])
    seen = [summary["gc"][f"gen{generation}_count"] for generation in range(3)]
    if seen != collected:
        raise Failure(f"nettop saw {seen} collections of {collected} in the flood")
    return used_ns


def _by_babeltrace(bench, name, *options, stdout=subprocess.DEVNULL):
    words = ["babeltrace2", "--input-format=lttng-live", bench.relay.url(name), *options]
    with Program(words, bench.home, terminal=False, stdout=stdout) as program:
        used_ns = _cpu_of_flood(bench, program)
        program.end()
    return used_ns


def _by_text(bench, name):
    """(ns, events); one line is one event."""
    with subprocess.Popen(["wc", "-l"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as counter:
        used_ns = _by_babeltrace(bench, name, stdout=counter.stdin)
        return used_ns, int(counter.communicate(timeout=30)[0])


def _cpu_per_event(bench):
    """{title: ns per event of each flood}, and the number of events of the last."""
    used = {NETTOP: [], DUMMY: [], TEXT: []}
    events = 0
    bench.work.settle()
    for number in range(bench.plan.flood_runs):
        with live_session(bench.relay, bench.work.pid, bench.events) as name:
            text_ns, events = _by_text(bench, name)
            dummy_ns = _by_babeltrace(bench, name, "-o", "dummy")
            nettop_ns = _by_nettop(bench, name)
            check_lossless(name)
        for title, used_ns in ((NETTOP, nettop_ns), (DUMMY, dummy_ns), (TEXT, text_ns)):
            used[title].append(used_ns / events)
            bench.say(f"flood {number + 1}/{bench.plan.flood_runs}  {title:22} {used_ns / events:7.0f} ns per event "
                      f"({events} events, {used_ns / NS_PER_S:.3f} s)")
    return used, events


def flood(bench, notes):
    cost_ns, events = _cpu_per_event(bench)
    notes.append(f"LTTng: about {events} events in a flood; each of the three reads one such flood in turn, from the same session.")
    what = "CPU per LTTng event, `--source lttng`"
    rows = []
    for peer, limit in ((DUMMY, 1.5), (TEXT, None)):
        own_ns, peer_ns = paired.middle(list(zip(cost_ns[NETTOP], cost_ns[peer])))
        rows.append(Row(what, own_ns, "ns", f"`{peer}`", peer_ns, limit))
    return rows
