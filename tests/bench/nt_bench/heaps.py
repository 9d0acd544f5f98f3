# SPDX-License-Identifier: GPL-2.0-only
"""What it takes to know the objects of a heap by type, with nettop and with dotnet-gcdump: the program's standstill and memory, and the watcher's own."""
import dataclasses
import json
import pathlib
import re
import statistics
import subprocess
import time

from nt_live.environment import run_script
from nt_live.process import Failure
from nt_live.workload import Holding

from .meter import NS_PER_S
from .report import Row
from .servers import TOOL

FILLS = {"100 MB": 121, "1 GB": 1210}  # by how much of small objects the program has then
KB_OF_MB = 1024
OF_COLLECTION, OF_OBJECT_S = 1.1, 0.2e-6  # what the standstill may be: so many times a collection, and so long for each object
OWN_MB, MORE_MB = 64, 260
PEER = "`dotnet-gcdump collect`"


def method(plan):
    return (f"The target is `tests/live/holding`, with 100 MB and 1 GB of small objects. `nettop heap` tells them by type, `nettop heap -o FILE.gcdump` and `dotnet-gcdump collect` write a file of all objects and references. {plan.heap_runs} runs of each, in turns; medians. "
            "How long the process stands still is what a thread in it, which looks at the clock each millisecond, saw as its longest gap. Memory is the peak of VmRSS over what it was before, and of the watcher and its children the largest one's. "
            "A collection is the runtime's own, forced and blocking.\n")


@dataclasses.dataclass(frozen=True)
class Look:
    """One run of a tool."""
    still_s: float  # the longest gap that the program saw
    more_mb: float  # of the program's memory
    own_mb: float
    whole_s: float
    objects: int    # 0 = it does not say
    came_pct: float = 100


def _memory_mb(pid, what):
    return int(re.search(rf"^Vm{what}:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii"), re.M)[1]) / KB_OF_MB


def _look(work, command):
    """It runs while the program watches the clock."""
    before = _memory_mb(work.pid, "RSS")
    pathlib.Path(f"/proc/{work.pid}/clear_refs").write_text("5", encoding="ascii")
    work.do("gap")  # forget the longest so far
    start = time.monotonic()
    done = subprocess.run(["/usr/bin/env", "time", "-f", "%M", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=400, check=False)
    whole = time.monotonic() - start
    if done.returncode != 0:
        raise Failure(f"{command}: {done.stdout[-300:]} {done.stderr[-300:]}")
    gap = work.do("gap")["gap_ns"] / NS_PER_S
    said = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return Look(gap, _memory_mb(work.pid, "HWM") - before, int(done.stderr.strip().splitlines()[-1]) / KB_OF_MB, whole, said.get("object_count", 0), (said.get("came_pct") or 0) if said else 100)


def _median(looks, name):
    return statistics.median(getattr(look, name) for look in looks)


def _collection_s(work):
    work.do("gap")
    work.do("collect", 100)
    return work.do("gap")["gap_ns"] / NS_PER_S


def heaps(bench, notes, size):
    """All tools in turns on one program."""
    tool = run_script(TOOL, "dotnet-gcdump")
    file = bench.env.scratch / "heap.gcdump"
    with Holding(bench.env) as work:
        commands = {"types": [str(bench.env.nettop), "heap", "--yes", "--json", "-p", str(work.pid)],
                    "file": [str(bench.env.nettop), "heap", "--yes", "-o", str(file), "-p", str(work.pid)],
                    "peer": [tool, "collect", "-p", str(work.pid), "-o", str(file)]}
        work.do(f"fill {FILLS[size]}", 300)
        work.do("watch")
        collections, looks = [], {name: [] for name in commands}
        for run in range(bench.plan.heap_runs):
            collections.append(_collection_s(work))
            for name, command in commands.items():
                if name == "file" and size != "100 MB":
                    continue  # more than the memory that nettop takes for references
                file.unlink(missing_ok=True)
                looks[name].append(_look(work, command))
            bench.say(f"{size} {run + 1}/{bench.plan.heap_runs}: " + ", ".join(f"{name} {found[-1].still_s:.2f} s, +{found[-1].more_mb:.0f} MB" for name, found in looks.items() if found))
    return _rows(size, statistics.median(collections), looks, notes)


def _rows(size, collection_s, looks, notes):
    types, peer = looks["types"], looks["peer"]
    objects = max(look.objects for look in types)
    lossy = [look.came_pct for look in types if look.came_pct < 100]
    allowed = OF_COLLECTION * collection_s + OF_OBJECT_S * objects
    rows = [Row(f"{size}, by type: how long it stands still, against 1.1 times a collection and 0.2 us an object", _median(types, "still_s"), "s", "allowed", allowed, 1),
            Row(f"{size}, by type: memory of the process", _median(types, "more_mb"), "MB", limit=MORE_MB),
            Row(f"{size}, by type: memory of nettop", _median(types, "own_mb"), "MB", limit=OWN_MB)]
    for name, title in (("types", "by type"), ("file", "as a .gcdump file")):
        if looks[name]:
            rows += [Row(f"{size}, {title}: {what}", _median(looks[name], figure), unit, PEER, _median(peer, figure))
                     for what, figure, unit in (("stands still", "still_s", "s"), ("memory of the process more", "more_mb", "MB"), ("memory of the watcher", "own_mb", "MB"), ("in all", "whole_s", "s"))]
    notes.append(f"{size}: {objects / 1e6:.1f} M objects; a forced collection alone {collection_s:.2f} s."
                 + (f" In {len(lossy)} of {len(types)} looks by type not all came, in the worst {min(lossy):.0f} %, and was estimated." if lossy else " All objects came in each look by type."))
    return rows

