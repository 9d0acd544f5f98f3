# SPDX-License-Identifier: GPL-2.0-only
"""
What an event costs the program that emits it: over the bridge (src/ust0), from a program of this machine's lttng-ust ("native"), and with the
genuine lttng-ust 2.12.

The bridge's events and the native ones take turns in one process (tests/bench/events): a comparison of two processes would show, more than anything else,
where their memory happens to lie.
"""
import contextlib
import os
import subprocess

from nt_live import Failure
from nt_live.environment import REPO
from nt_live.lttng import command
from nt_live.old_abi import OLD

from . import paired
from .report import Row

EMITTERS = REPO / "tests/bench/events"
NATIVE = "nt_native"  # must differ: call sites of one name get the probes of both
EVENTS = ("first", "arguments")
KINDS = ("one field", "ten fields")
LIMITS = {1: 1.05, 2: 1.15}  # sessions: at most so many times the cost of a native event
EVENTS_A_TURN = 10_000
TRACED_NS = 20  # an event that nobody records costs a fraction of this


def _compile(target, source, *flags):
    subprocess.run(["gcc", "-D_GNU_SOURCE", "-O2", "-g", f"-I{EMITTERS}", "-o", target, source, *flags, "-ldl"], check=True)
    return target


def _module(bench, name, provider, *flags):
    """The events of the live tests' provider0 under another name, in a module that emits them."""
    folder = bench.env.scratch / name
    folder.mkdir()
    for source in (REPO / "tests/live/provider0/tp.h", EMITTERS / "emit.c"):
        (folder / source.name).write_text(source.read_text(encoding="utf-8").replace(OLD, provider), encoding="utf-8")
    return _compile(folder / "emit.so", folder / "emit.c", "-fPIC", "-shared", f"-I{folder}", *flags)


class Programs:
    """What is measured: `turns` and two modules for it."""

    def __init__(self, bench):
        genuine = bench.env.genuine_dir
        self.turns = _compile(bench.env.scratch / "turns", EMITTERS / "turns.c")
        self.old = _module(bench, "old", OLD, f"-I{genuine.parent / 'include'}", f"-L{genuine}", "-l:liblttng-ust.so.0", f"-Wl,-rpath-link,{genuine}")
        self.native = _module(bench, "native", NATIVE, "-llttng-ust")


@contextlib.contextmanager
def _sessions(count):
    """Ring buffers that are overwritten: nobody reads, nothing is lost, and nothing else takes CPU."""
    names = [f"cost-{number}" for number in range(count)]
    try:
        for name in names:
            command("lttng", "create", name, "--snapshot")
            command("lttng", "enable-channel", "-s", name, "-u", "--overwrite", "--subbuf-size=256k", "--num-subbuf=4", "all")
            command("lttng", "enable-event", "-s", name, "-u", "-c", "all", ",".join(f"{provider}:{event}" for provider in (OLD, NATIVE) for event in EVENTS))
            command("lttng", "start", name)
        yield
    finally:
        for name in names:
            command("lttng", "destroy", name)


def _run(bench, turns, libraries, *modules):
    """ns per event: for each module, for each kind."""
    words = [turns, str(bench.plan.event_turns), str(EVENTS_A_TURN), *modules]
    # The modules find their events enabled: LTTng's constructor waits for the session daemon.
    variables = os.environ | {"LD_LIBRARY_PATH": str(libraries), "LTTNG_UST_REGISTER_TIMEOUT": "-1"}
    done = subprocess.run(words, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise Failure(f"turns: exit {done.returncode}: {done.stderr.strip()[-500:]}")
    costs = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    if min(map(min, costs)) < TRACED_NS:
        raise Failure(f"nobody records what turns emits: {costs} ns per event")
    return costs


def _measure(bench, programs, sessions):
    """(pairs, genuine): ns per event for each kind, of the bridge and native events of the same process; and the least of the genuine ones."""
    runs, genuine = [], []
    with _sessions(sessions):
        for _ in range(bench.plan.event_runs):
            runs.append(_run(bench, programs.turns, bench.env.bridge_dir, programs.old, programs.native))
            genuine += _run(bench, programs.turns, bench.env.genuine_dir, programs.old)
    pairs = [paired.middle(list(zip(bridge, native))) for bridge, native in zip(zip(*(run[0] for run in runs)), zip(*(run[1] for run in runs)))]
    bench.say(f"event, {sessions} session(s)  " + ", ".join(f"{kind}: bridge {ours:.1f} ns, native {native:.1f} ns" for kind, (ours, native) in zip(KINDS, pairs)))
    return pairs, [min(costs) for costs in zip(*genuine)]


def bridge(bench, notes):
    programs = Programs(bench)
    rows = []
    for sessions, limit in LIMITS.items():
        pairs, all_genuine = _measure(bench, programs, sessions)
        for kind, (ours, native), genuine in zip(KINDS, pairs, all_genuine):
            what = f"emitting an event of {kind}, {sessions} session{'s' if sessions > 1 else ''}"
            rows.append(Row(what, ours, "ns", "native lttng-ust", native, limit))
            rows.append(Row(what, ours, "ns", "genuine lttng-ust 2.12", genuine))
    notes.append(f"Emitting an event: over the bridge, not nettop's own; of {bench.plan.event_runs} runs the one with the median ratio, in each the least of {bench.plan.event_turns} turns of "
                 f"{EVENTS_A_TURN} events, CPU time of the thread; of genuine lttng-ust, in a process of its own, the least of all.")
    return rows
