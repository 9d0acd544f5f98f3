# SPDX-License-Identifier: GPL-2.0-only
"""
What is in the files of `nettop export`, by the public descriptions of their formats. Each reader of samples gives a Counter {leaf frame: samples}, each of events a Counter {kind: events}.
"""
import collections
import csv
import json
import pathlib
import re

from .process import Failure

# Netflix/flamescope, app/perf/regexp.py (Apache-2.0): how its heat map finds times, and which stacks it leaves out.
FLAMESCOPE_EVENT = re.compile(r" +([0-9.]+): .+?:")
FLAMESCOPE_IDLE = re.compile("swapper.*(cpuidle|cpu_idle|cpu_bringup_and_idle|native_safe_halt|xen_hypercall_sched_op|xen_hypercall_vcpu_op)")


def _load(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def speedscope(path, period_ns):
    document = _load(path)
    names, leaves, events = [frame["name"] for frame in document["shared"]["frames"]], collections.Counter(), collections.Counter()
    for profile in document["profiles"]:
        if profile["type"] == "evented":
            events[re.match(r"[^,;]*", profile["name"])[0]] += len(profile["events"]) // 2
            continue
        if sum(profile["weights"]) != profile["endValue"] or profile["unit"] != "nanoseconds":
            raise Failure(f"{path}: profile {profile['name']} is not as it should be")
        for stack, weight in zip(profile["samples"], profile["weights"], strict=True):
            if stack:
                leaves[names[stack[-1]]] += weight / period_ns
    return leaves, events


def chrome(path, period_ns):
    """The time at the top of the calls of each thread. Each E ends the newest B, and calls are in order of time."""
    leaves, events, calls = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    times = {}
    for event in _load(path)["traceEvents"]:
        phase, tid = event["ph"], event["tid"]
        if phase in "be":
            events[event["cat"]] += phase == "b"
        elif phase == "i":
            events[event["cat"]] += 1
        if phase not in "BE":
            continue
        if event["ts"] < times.get(tid, 0):
            raise Failure(f"{path}: {event} comes after one at {times[tid]} us")
        if calls[tid]:
            leaves[calls[tid][-1]] += (event["ts"] - times[tid]) * 1000 / period_ns
        times[tid] = event["ts"]
        if phase == "B":
            calls[tid].append(event["name"])
        elif not calls[tid] or calls[tid].pop() != event["name"]:
            raise Failure(f"{path}: {event} ends what has not begun last")
    if any(calls.values()):
        raise Failure(f"{path}: calls that do not end: {calls}")
    return leaves, events


def firefox(path, _period_ns):
    """https://github.com/firefox-devtools/profiler/blob/main/docs-developer/gecko-profile-format.md"""
    leaves, events = collections.Counter(), collections.Counter()
    for thread in _load(path)["profile"]["threads"]:
        texts = thread["stringTable"]
        place = {table: thread[table]["schema"] for table in ("samples", "stackTable", "frameTable", "markers")}
        for sample in thread["samples"]["data"]:
            stack = sample[place["samples"]["stack"]]
            if stack is not None:
                frame = thread["stackTable"]["data"][stack][place["stackTable"]["frame"]]
                leaves[texts[thread["frameTable"]["data"][frame][place["frameTable"]["location"]]].rsplit(" (", 1)[0]] += 1
        for marker in thread["markers"]["data"]:
            events[texts[marker[place["markers"]["name"]]]] += 1
    return leaves, events


def perf_script(path, _period_ns):
    leaves = collections.Counter()
    for record in pathlib.Path(path).read_text(encoding="utf-8").split("\n\n"):
        if record:
            leaves[re.fullmatch(r"\s*\w+\s(.+) \(\S*\)", record.split("\n")[1])[1]] += 1
    return leaves, None


def flamescope_offsets(path):
    """The times that FlameScope's perf_read_offsets() finds."""
    offsets, stack, time = [], "", None
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        found = FLAMESCOPE_EVENT.search(line)
        if found and stack and not FLAMESCOPE_IDLE.search(stack):
            offsets.append(time)
        if found:
            time, stack = float(found[1]), line
        else:
            stack += line
    return offsets + [time] if stack else offsets


def rows(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


READERS = {"speedscope.json": speedscope, "trace.json": chrome, "firefox.json": firefox, "perf-script": perf_script}
