#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop events --stacks`: the call stack of each event, by the program's own word of where it was written; on .NET 8 and 9, too, and not where there can be none."""
import json
import os
import signal
import subprocess

from nt_live import *
from nt_live.eventpipe import sessions_of
from nt_live.events import END_S, Events
from nt_live.workload import Telling

DEPTH = 3
OWN = "Telling.Program."


def own_frames(methods):
    """Of the program's own, leaf first, without what is in brackets."""
    return [name.partition("(")[0] for name in methods if name.startswith(OWN)]


def of_the_program(truth):
    return [name for name in truth if name.startswith(OWN)]


def check_stack(event, truth):
    check_equal("frames of the program", own_frames([frame["method"] for frame in event["stack"]]), of_the_program(truth))
    nameless = [frame for frame in event["stack"] if not frame["method"]]
    check_equal("frames without a name or a reason", nameless, [])
    check(not event["stack_cut"] and event["fields"]["number"] == 4711 and event["fields"]["paid"] is True, f"fields: {event}")


def stacks_are_told(env, program=None):
    with Telling(env, program) as work:
        work.do(f"where {DEPTH}")  # compiled before nettop comes
        with Events(env, work.pid, "-e", "Shop-Told", "--stacks", "--json") as events:
            truth = work.do(f"where {DEPTH}")["stack"]
            said = [json.loads(line) for line in events.stop()]
            check("call stack costs" in events.process.stderr_text(), events.process.stderr_text())
        check_equal("events", [event["name"] for event in said], ["OrderTaken"])
        check_stack(said[0], truth)
    return f"{len(said[0]['stack'])} frames, {sum(frame['method'].startswith('[') for frame in said[0]['stack'])} of them addresses"


@test
def where_an_event_was_written(env):
    return stacks_are_told(env)


@test
def where_an_event_was_written_on_net9(env):
    return stacks_are_told(env, env.selfcontained("net9.0", "telling"))


@test
def where_an_event_was_written_on_net8(env):
    return stacks_are_told(env, env.selfcontained("net8.0", "telling"))


@test
def as_text_frames_stand_below_the_line(env):
    with Telling(env) as work, Events(env, work.pid, "-e", "Shop-Told", "--stacks") as events:
        truth = work.do(f"where {DEPTH}")["stack"]
        lines = events.stop()
    check("Shop-Told/OrderTaken number=4711" in lines[0], lines[0])
    check(all(line.startswith("\t") for line in lines[1:]), f"frames: {lines}")
    check_equal("frames of the program", own_frames([line.strip() for line in lines[1:]]), of_the_program(truth))


@test
def events_of_the_runtime_have_theirs(env):
    """Who asked for a collection; without the word there is no stack."""
    with Telling(env) as work:
        with Events(env, work.pid, "-e", "clr/GCTriggered", "--stacks", "--json") as events:
            work.do("collect 3")
            with_them = [json.loads(line) for line in events.stop()]
        with Events(env, work.pid, "-e", "clr/GCTriggered", "--json") as events:
            work.do("collect 1")
            without = [json.loads(line) for line in events.stop()]
    check_equal("collections", (len(with_them), len(without)), (3, 1))
    for event in with_them:
        check(any(frame["method"].startswith("System.GC.Collect") for frame in event["stack"]), f"{event}")
    check("stack" not in without[0], f"{without}")


@test
def of_a_flood_2000_a_second_are_told_and_the_rest_counted(env):
    with Telling(env) as work, Events(env, work.pid, "-e", "Shop-Told", "--stacks", "--json", "--max-target-cost", "100") as events:
        work.do("rate 10000 3", END_S)
        said = [json.loads(line) for line in events.stop()]
    told = [event for event in said if event["type"] == "event"]
    numbers = [event["fields"]["number"] for event in told]
    counted = {kind: sum(line["count"] for line in said if line["type"] == kind) for kind in ("more", "lost")}
    check_equal("told and counted", len(told) + sum(counted.values()), 30_000)
    check(1000 < len(told) < 10_000 and numbers == sorted(numbers), f"{len(told)} told")
    check(all(event["stack"] for event in told), f"{sum(not event['stack'] for event in told)} have no stack")
    return f"{len(told)} told, {counted}"


@test
def so_many_and_no_more(env):
    with Telling(env) as work, Events(env, work.pid, "-e", "Shop-Told", "--stacks", "-n", "3") as events:
        work.do("orders 10")
        lines = events.rest()
        wait_until(lambda: sessions_of(work.pid) == 0, END_S, "its session has ended")
    check_equal("events", sum("OrderTaken" in line for line in lines if not line.startswith("\t")), 3)


@test
def stopped_and_continued(env):
    with Telling(env) as work, Events(env, work.pid, "-e", "Shop-Told", "--stacks", "--json") as events:
        work.do("orders 2")
        first = [json.loads(events.process.read_line(END_S)) for _ in range(2)]
        events.process.signal(signal.SIGTSTP)
        wait_until(lambda: sessions_of(work.pid) == 0, END_S, "there is no session while nettop stands still")
        work.do("orders 4")
        events.process.signal(signal.SIGCONT)
        gap = json.loads(events.process.read_line(END_S))
        wait_until(lambda: sessions_of(work.pid) > 0, END_S, "there is one again")
        work.do("orders 8")
        rest = [json.loads(line) for line in events.stop()]
    check_equal("a gap of unknown size behind the first two", ([event["name"] for event in first], gap["type"], gap["count"]), (["OrderTaken"] * 2, "lost", None))
    check_equal("events behind it", len(rest), 8)


@test
def what_costs_too_much_is_ended(env):
    with Telling(env) as work, Events(env, work.pid, "-e", "Shop-Told", "--stacks", "--max-target-cost", "1") as events:
        wait_until(lambda: work.do("orders 20000", END_S) and not events.process.alive(), END_S, "the session is ended")
        events.rest(status=3)
        check("cost the process" in events.process.stderr_text(), events.process.stderr_text())


@test
def the_process_ends(env):
    with Telling(env) as work, Events(env, work.pid, "-e", "Shop-Told", "--stacks") as events:
        work.do("orders 2")
        check_equal("exit status of the program", work.quit(END_S), 0)
        lines = events.rest(status=4)
    check_equal("events", sum("OrderTaken" in line for line in lines if not line.startswith("\t")), 2)


@test
def where_there_can_be_none(env):
    for options, words in ((("-e", "lttng/GC*"), "no call stacks"), (("--as", "gclog"), "in place of"), (("-e", "Shop:-1:4:A=b c"), "blank")):
        done = subprocess.run([str(env.nettop), "events", "-p", str(os.getpid()), "--stacks", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=END_S, check=False)
        check_equal(f"exit status of {options}", done.returncode, 2)
        check(words in done.stderr, f"{options}: {done.stderr}")


if __name__ == "__main__":
    main()
