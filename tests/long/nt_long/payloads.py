# SPDX-License-Identifier: GPL-2.0-only
"""
What .NET's events carry, over the bridge and with the genuine library.

Two runs of a program are not the same: addresses, times, thread ids, and whatever depends on them differ. What does not differ between runs with the genuine
library is taken for deterministic, and must be the same over the bridge. Some thousand fields are compared and a few of them come out equal by chance, so only what is
equal in all runs of the one side and in none of the other counts as a difference; and it must do so again (OutOfLimit).
"""
import collections
import re

from nt_live import OutOfLimit, Session, SessionDaemon, Workload, check, check_equal
from nt_live.old_abi import NET

RUNS = 4  # of each side
# Compiled once, collected at commands only: the same methods and collections each time.
SETTINGS = {"TieredCompilation": "0", "gcConcurrent": "0"}
WORK = ("gc 0", "gc 1", "gc 2", "loh 8", "throw 20", "locks 10", "jit-expr 5", "jit-dynamic 5", "generics 10", "pool 50", "churn 3")
FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|\[(?: \[\d+\] = -?\w+,?)* \]|[^,{}"\[]+)')
ELEMENT = re.compile(r"\[\d+\] = (-?\w+)")


def _values(lines):
    """{kind: {field: set of values}} of events as babeltrace2 writes them."""
    kinds = collections.defaultdict(lambda: collections.defaultdict(set))
    for line in lines:
        name, payload = line.split(": ", 1)
        for field, value in FIELD.findall(payload):
            kinds[name][field].add(value.strip())
    return {name: _by_element(fields) for name, fields in kinds.items()}


def _by_element(fields):
    """Records that .NET packs into bytes are compared byte by byte when they all have one length: {field or (field, place): values}."""
    found = {field: frozenset(values) for field, values in fields.items()}
    for field, values in fields.items():
        arrays = [ELEMENT.findall(value) for value in values if value.startswith("[")]
        if arrays and len(set(map(len, arrays))) == 1:
            del found[field]
            found |= {(field, at): frozenset(array[at] for array in arrays) for at in range(len(arrays[0]))}
    return found


def _run(env, libraries, program, name):
    """What a whole life of the program has recorded."""
    session = Session(env, name, buffers=("4M", 8)).enable(f"{NET}*").start()
    with Workload(env, mode="all", dotnet=SETTINGS, libraries=libraries, program=program) as work:
        for command in WORK:
            work.do(command)
        check_equal("exit status", work.quit(), 0)
    session.stop()
    return _values(session.events(NET))


def _sides(env):
    """{side: library path}, equally long: the program reads its variables, and its heap knows."""
    sides = {"bridge": env.scratch / "side-b", "genuine": env.scratch / "side-g"}
    for path, libraries in zip(sides.values(), (env.bridge_dir, env.genuine_dir)):
        if not path.exists():
            path.symlink_to(libraries)
    return sides


def _names(fields):
    return sorted({field[0] if isinstance(field, tuple) else field for field in fields})


def _deterministic(runs, kind):
    """Fields with the same values in all runs. Not a byte before one that varies: the lowest byte of an address says how much was allocated before."""
    same = {field for field in runs[0][kind] if len({run[kind].get(field) for run in runs}) == 1}
    return {field for field in same if not isinstance(field, tuple) or (field[0], field[1] + 1) in same or (field[0], field[1] + 1) not in runs[0][kind]}


def _differences(kinds, bridge, genuine):
    """(how many fields are deterministic, those of them that differ)"""
    count, different = 0, []
    for kind in sorted(kinds):
        fields = _deterministic(genuine, kind)
        count += len(fields)
        for field in fields:
            theirs, ours = genuine[0][kind][field], [run[kind].get(field) for run in bridge]
            if theirs not in ours:
                different.append(f"{kind} {field}: {sorted(ours[0] or [])[:5]}, genuine {sorted(theirs)[:5]}")
    return count, different


def _check_withheld(bridge, genuine):
    """Of what the genuine library records in every run, the bridge keeps exceptions back in every run, and nothing else."""
    withheld = set.intersection(*map(set, genuine)) - set.union(*map(set, bridge))
    check_equal("what never comes over the bridge", sorted(withheld), [f"{NET}:ExceptionThrown_V1"])


def payloads_are_equal(env, program=None):
    """Of each kind of event that fires: the names of its fields, and the values of those that are the same in every run. What was compared, in words."""
    runs = {"bridge": [], "genuine": []}
    with SessionDaemon(env):
        for number in range(RUNS):
            for side, libraries in _sides(env).items():
                runs[side].append(_run(env, libraries, program, f"payloads-{side}-{number}"))
    _check_withheld(runs["bridge"], runs["genuine"])
    kinds = set.intersection(*(set(run) for side in runs.values() for run in side))
    for kind in sorted(kinds):
        check_equal(f"fields of {kind}", *(_names(runs[side][0][kind]) for side in runs))
    deterministic, different = _differences(kinds, runs["bridge"], runs["genuine"])
    if different:
        raise OutOfLimit("; ".join(different))
    check(len(kinds) > 50 and deterministic > 200, f"only {len(kinds)} kinds and {deterministic} deterministic fields")
    return f"{len(kinds)} kinds, {deterministic} deterministic fields"
