#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop events -e lttng/...`: the runtime's events over LTTng, by babeltrace2's word of a session beside; what would end the process is not enabled, and what is left out is said."""
import json
import os
import re
import signal
import subprocess

from nt_live import *
from nt_live.events import END_S, Events
from nt_live.process import LineProcess

SILENT = 20
NUMBERS = re.compile(r"\b(\w+) = (-?(?:0x)?[0-9A-Fa-f]+)\b")


def refused(env, pid, *patterns):
    words = [word for pattern in patterns for word in ("-e", pattern)]
    done = subprocess.run([str(env.nettop), "events", "-p", str(pid), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=END_S, check=False)
    check(done.returncode != 0 and not done.stdout, f"{patterns}: exit status {done.returncode}, {done.stdout}")
    return done.stderr


def as_nettop_says_it(recording):
    """(name, time, thread, numbers) of each event of the recording, without the version behind the name."""
    for name, time, tid, payload in recording.events():
        yield re.sub(r"_V\d+$", "", name), time, tid, {field: int(value, 0) for field, value in NUMBERS.findall(payload)}


@test
def each_with_its_fields_as_babeltrace_has_them(env):
    with SessionDaemon(env) as daemon, Workload(env, mode="none") as work:
        daemon.wait_for_app(work.pid)
        work.settle()
        recording = Recording(env, work.pid, ["GCStart*", "GCEnd*", "GCSuspendEE*", "GCTriggered"])
        with Events(env, work.pid, "-e", "lttng/GCStart", "-e", "lttng/GCEnd", "-e", "lttng/GCSuspendEE*", "-e", "lttng/GCTriggered", "--json") as events:
            recording.start()
            work.do("gc 0 30")
            work.do("gc 2")
            recording.stop()
            lines, said = events.stop(), events.process.stderr_text()
    ours = [json.loads(line) for line in lines]
    theirs = list(as_nettop_says_it(recording))
    check(len(theirs) > 100, f"babeltrace2 has {len(theirs)} events")
    check_equal("provider", {event["provider"] for event in ours}, {"DotNETRuntime"})
    check_equal("whole", {event["cut"] for event in ours}, {False})
    offset = ours[-1]["time_unix_ns"] - theirs[-1][1]
    # Both sessions take their time for themselves.
    for mine, (name, time, tid, fields) in zip(ours[-len(theirs):], theirs):
        check_equal("event", (mine["name"], mine["tid"], mine["fields"]), (name, tid, {key: fields[key] for key in mine["fields"]}))
        check(set(fields) <= set(mine["fields"]), f"babeltrace2 has more: {fields}, {mine}")
        check(abs(mine["time_unix_ns"] - time - offset) < 1_000_000, f"time: {mine}, {time}")
    check("lost" not in said, f"losses: {said}")
    return f"{len(theirs)} events"


@test
def packed_ones_with_their_texts(env):
    """Names of methods that are compiled, by the number of compilations; and the same over EventPipe, field by field."""
    with SessionDaemon(env) as daemon, Workload(env, mode="N") as work:
        daemon.wait_for_app(work.pid)
        work.settle()
        with Events(env, work.pid, "-e", "lttng/MethodLoadVerbose", "-e", "lttng/GCHeapStats", "--json") as over_lttng:
            with Events(env, work.pid, "-e", "clr/MethodLoadVerbose", "-e", "clr/GCHeapStats", "--json", "--max-target-cost", "100") as over_eventpipe:
                work.do("jit-expr 30")
                work.do("gc 1")
                theirs = over_eventpipe.stop()
            ours = over_lttng.stop()
    both = [[event for event in map(json.loads, lines)] for lines in (ours, theirs)]
    mine, other = ({event["fields"]["MethodID"]: event["fields"] for event in events if event["name"] == "MethodLoadVerbose"} for events in both)
    common = set(mine) & set(other)
    check(len(common) >= 30, f"{len(mine)} methods over LTTng, {len(other)} over EventPipe")
    for method in common:
        # A method may be compiled again between both.
        for key in ("MethodNamespace", "MethodName", "MethodToken", "ModuleID"):
            check_equal(f"{key} of {mine[method]}", mine[method].get(key), other[method].get(key))
    sizes = [[event["fields"] for event in events if event["name"] == "GCHeapStats"] for events in both]
    check_equal("sizes of the heap", sizes[0][-1], sizes[1][-1])
    return f"{len(common)} methods"


@test
def what_would_end_the_process_is_left_out(env):
    """The genuine library, which passes everything on: all that a pattern names but what may have a null text."""
    with SessionDaemon(env) as daemon, Workload(env, mode="all", libraries=env.genuine_dir) as work:
        daemon.wait_for_app(work.pid)
        for pattern in ("lttng/ExceptionThrown", "lttng/EventSource"):
            said = refused(env, work.pid, pattern)
            check("null" in said and "end the process" in said and "EventPipe" in said, f"{pattern}: {said}")
        check("no event of this name" in refused(env, work.pid, "lttng/NoSuch*"), "an event that there is not")
        check("over LTTng or over EventPipe" in refused(env, work.pid, "lttng/GC*", "clr/GC*"), "both at once")
        with Events(env, work.pid, "-e", "lttng/*", "--max-target-cost", "100") as events:
            check_equal("exceptions caught", work.do(f"throw-silent {SILENT}")["caught"], SILENT)
            for command in EVERYTHING:
                work.do(command)
            work.mark()
            lines, said = events.stop(), events.process.stderr_text()
    left_out = next(line for line in said.splitlines() if "left out over LTTng" in line)
    for name in ("ExceptionThrown", "EventSource", "GCAllocationTick", "GCBulkNode"):
        check(name in left_out, f"{name} is not among those left out: {left_out}")
    names = {line.split(" ")[2] for line in lines if not line.startswith("--")}
    check("lttng/GCEnd" in names and len(names) > 20, f"kinds of events: {names}")
    check(not names & {"lttng/ExceptionThrown", "lttng/EventSource"}, f"kinds of events: {names}")
    return f"{len(lines)} events of {len(names)} kinds"


@test
def a_name_that_is_null_ends_a_process_that_somebody_has_enabled_it_of(env):
    """Why EventSource stays out: LTTng's own commands, and EventSource.Write(null)."""
    with SessionDaemon(env) as daemon:
        for enabled in ("GCEnd*", "EventSource"):
            with Workload(env, mode="all") as work:
                daemon.wait_for_app(work.pid)
                session = Session(env, f"null-{enabled[:2]}").enable(f"DotNETRuntime:{enabled}").start()
                try:
                    work.do("write-null")
                    survived = True
                except Failure:
                    survived = False
                session.stop()
            check_equal(f"it lives with {enabled}", survived, enabled == "GCEnd*")


@test
def a_flood_is_told_or_counted(env):
    """More than the rings have room for, at once: what LTTng discards is counted; of packets that the relay overwrites nobody knows what was in them, which is said."""
    count = 2_000_000
    with SessionDaemon(env) as daemon, FakeRuntime(env) as work:
        daemon.wait_for_app(work.pid)
        with Events(env, work.pid, "-e", "lttng/AllocationSampled", "--max-target-cost", "100") as events:
            work.do(f"flood {count}")
            work.do("gc 0")
            lines, said = events.stop(), events.process.stderr_text()
    lost = sum(int(line.split(" ")[1]) for line in lines if re.match(r"-- \d", line))
    unknown = sum("nobody knows how many" in line for line in lines)
    told = sum("lttng/AllocationSampled" in line for line in lines)
    check_equal("all told or counted, or it is said that nobody knows", told + lost < count, unknown > 0)
    check(told + lost <= count and "nobody knows how many" in said or not unknown, f"{told} told, {lost} lost, {unknown} lines of an unknown number: {said}")
    check_equal("what is said of losses at the end", f"{lost} events lost" in said, lost > 0)
    return f"{told} told, {lost} lost, {unknown} times an unknown number"


@test
def what_costs_the_process_too_much_is_ended(env):
    with SessionDaemon(env) as daemon, FakeRuntime(env) as work:
        daemon.wait_for_app(work.pid)
        process = LineProcess([str(env.nettop), "events", "-p", str(work.pid), "-e", "lttng/AllocationSampled", "--max-target-cost", "1"], os.environ.copy(), env.scratch / "dear.err")
        wait_until(lambda: "watching" in process.stderr_text(), END_S, "nettop watches")
        wait_until(lambda: work.do("flood 200000") and not process.alive(), END_S, "the session is ended")
        check("cost the process" in process.stderr_text() and "--max-target-cost" in process.stderr_text(), process.stderr_text())
        check_equal("exit status", process.wait(END_S), 3)


@test
def on_the_way_of_the_screen_each_has_a_row_or_is_counted(env):
    """Beside all else that nettop reads over LTTng: a flood, of which some 2000 a second have a row."""
    count = 40_000
    with SessionDaemon(env) as daemon, FakeRuntime(env) as work:
        daemon.wait_for_app(work.pid)
        with Nettop(env, work.pid, "--event-source", "lttng", "--event-name", "AllocationSampled", "--source", "lttng,map", "--max-target-cost", "100", "--check-replay") as nettop:
            nettop.wait_for(lambda line: line["events"]["count"] is not None, END_S, "events are told")
            work.do(f"flood {count}")
            figure = lambda key: sum(line["events"][key] or 0 for line in nettop.intervals)  # noqa: E731
            nettop.wait_for(lambda _: figure("count") + figure("lost_count") >= count, END_S, "all of them are accounted for")
            summary = nettop.stop()
    rows = [row for line in nettop.intervals for row in line["events"]["list"] if row["event"] == "lttng/AllocationSampled"]
    check_equal("told and lost", figure("count") + figure("lost_count"), count)
    check_equal("rows, and those without", len(rows) + figure("more_count"), figure("count"))
    check(rows and "Address=" in rows[0]["fields"], f"fields: {rows[:1]}")
    check(summary["replay_equal"], "a replay gives other snapshots")
    return f"{len(rows)} have rows, {figure('more_count')} are counted, {figure('lost_count')} lost"


if __name__ == "__main__":
    main()
