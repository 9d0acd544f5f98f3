# SPDX-License-Identifier: GPL-2.0-only
"""What it costs to decode a stored EventPipe stream: nettop's decoder up to neutral events, against TraceEvent, Microsoft's own library."""
import re
import subprocess

from nt_live import Failure, Missing, Workload
from nt_live.environment import REPO, run_script
from nt_live.eventpipe import RUNTIME, USUAL_KEYWORDS, Session

from .report import Row

ALLOCATION_SAMPLING = 0x80000000000
# What nettop asks for (src/source/eventpipe/eventpipe_plan.c), in one session.
ONLY = (1, 2, 3, 4, 7, 8, 9, 13, 14, 35, 204, 205, 143, 144, 145, 280, 281, 282, 283, 284, 50, 51, 54, 55, 57, 59, 85, 86, 81, 91, 80, 303)
# A program of many sorts of work; most of its events are allocation samples and exceptions.
MIXED = ("alloc 300", "throw 1000", "jit-lambda 60", "generics 20", "gc 0 20", "gc 2", "locks 200", "pool 2000", "churn 5")
ENDING = 1  # event at the end of a stream that is the stream's own, not the runtime's
KINDS = {"allocation samples": "alloc 2000", "exceptions": "throw 20000", "collections": "gc 0 2000", "methods": "jit-lambda 2000"}
STACKS, FIELDS, NAMES = "TraceEvent, fields and stacks", "TraceEvent, fields only", "TraceEvent, fields by name only"
LIMIT, LIMITED = 1 / 10, ("mixed", STACKS)


def _record(bench, name, commands, rounds):
    """A file with the stream of these commands, with stacks."""
    path = bench.env.scratch / f"{name}.nettrace"
    with Workload(bench.env, mode="none", perf_map=False, lttng=False) as work:
        session = Session(work.pid, [(RUNTIME, USUAL_KEYWORDS | ALLOCATION_SAMPLING, 5)], buffer_mb=256, stacks=True, only=ONLY)
        for _ in range(rounds):
            for command in commands:
                work.do(command)
        path.write_bytes(session.stop())
    return path


def _decode(words):
    """(events, ns) that a decoder says."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, timeout=240, check=True)
    return tuple(map(int, re.fullmatch(r"(\d+) events (\d+) ns\s*", done.stdout).groups()))


def _compare(bench, decoders, path):
    """(events, {decoder: least ns for the whole file})."""
    runs = {name: [] for name in decoders}
    for _ in range(bench.plan.decode_runs):
        for name, words in decoders.items():
            runs[name].append(_decode([*words, bench.plan.decode_rounds, path]))
    counts = {name: {events for events, _ in seen} for name, seen in runs.items()}
    events = counts["nettop"].pop()
    if counts[NAMES] != {events - ENDING}:
        raise Failure(f"{path.name}: nettop sees {events} events, TraceEvent {counts[NAMES]}")
    return events, {name: min(ns for _, ns in seen) for name, seen in runs.items()}


def _streams(plan):
    """(name, commands, how many times)."""
    return [("mixed", MIXED, plan.mixed_rounds), *((kind, [command], plan.kind_rounds) for kind, command in KINDS.items())]


def _rows(name, events, least_ns):
    what = f"decoding an event of a stored stream, {name}"
    return [Row(what, least_ns["nettop"] / events, "ns", peer, least_ns[peer] / events, LIMIT if (name, peer) == LIMITED else None)
            for peer in (STACKS, FIELDS, NAMES)]


def nettrace(bench, notes):
    dump = bench.env.nettop.parent / "tests/tools/nettrace_dump"
    if not dump.exists():
        raise Missing(f"{dump} is not built (make tools)")
    reader = ["dotnet", run_script(REPO / "tests/tools/nuget-program.sh", "traceevent"), "--speed"]
    decoders = {"nettop": [dump, "--speed"], STACKS: [*reader, "stacks"], FIELDS: [*reader, "fields"], NAMES: [*reader, "names"]}
    rows, sizes = [], []
    for name, commands, rounds in _streams(bench.plan):
        path = _record(bench, name.replace(" ", "-"), commands, rounds)
        events, least_ns = _compare(bench, decoders, path)
        sizes.append(f"{name} {events} events, {path.stat().st_size / 1e6:.0f} MB")
        path.unlink()
        bench.say(f"{sizes[-1]}: " + ", ".join(f"{who} {ns / events:.1f} ns" for who, ns in least_ns.items()))
        rows += _rows(name, events, least_ns)
    notes.append(f"Decoding: {'; '.join(sizes)}; CPU time, least of {bench.plan.decode_runs} runs of {bench.plan.decode_rounds} times each. nettop: from the bytes "
                 "to events with their fields, texts and call stacks in batches, as its EventPipe source does it. TraceEvent, which has call stacks in a TraceLog "
                 "only: with a handler for each kind of event that reads the fields that nettop keeps, and the number of its call stack; the same by EventPipeEventSource, "
                 "without stacks; and there every field by PayloadValue().")
    return rows
