#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop events`: each event that was asked for, with its fields, by the program's own word; and what is not asked of a process, because it would do something to it."""
import contextlib
import json
import os
import re
import signal
import subprocess
import threading

from nt_live import SessionDaemon, Workload, check, check_equal, main, test, wait_until
from nt_live.eventpipe import sessions_of
from nt_live.events import END_S, Events
from nt_live.workload import Telling


@contextlib.contextmanager
def watched(env, *options):
    with Telling(env) as work, Events(env, work.pid, *options) as events:
        yield work, events


def refused(env, *options, status=2, pid=None):
    done = subprocess.run([str(env.nettop), "events", "-p", str(pid or os.getpid()), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=END_S, check=False)
    check_equal(f"exit status of {options}: {done.stderr}", done.returncode, status)
    return done.stderr


@test
def events_of_the_program_with_their_fields(env):
    with watched(env, "-e", "Shop-Told", "--json") as (work, events):
        work.do("orders 50")
        said = [json.loads(line) for line in events.stop()]
    check_equal("events", [event["name"] for event in said], ["OrderTaken"] * 50)
    check_equal("fields of the fourth", said[3]["fields"],
                {"number": 3, "customer": "Ann \\x1b[31m \"3\"", "price": 4.5, "paid": False, "change": -3, "id": "00000003-0002-0003-0405-060708090a0b"})
    check_equal("thread", {event["tid"] for event in said}, {work.pid})
    check_equal("provider", {event["provider"] for event in said}, {"Shop-Told"})
    check(not any(event["cut"] for event in said), "a payload was cut")


@test
def fields_of_events_that_describe_themselves(env):
    with watched(env, "-e", "Shop-Shaped:-1:5", "--json") as (work, events):
        work.do("shapes 1")
        said = [json.loads(line) for line in events.stop()]
    fields = {event["name"]: event["fields"] for event in said}
    check_equal("pairs, numbers and the text behind them", fields["Pairs"],
                {"name": "pairs", "arguments": [{"Key": "k", "Value": "v"}, {"Key": "l", "Value": "w"}], "numbers": [4, 5], "last": "end"})
    check_equal("a bool of one byte", fields["Truths"], {"Paid": True, "Letter": "q", "Last": "end"})
    check_equal("a decimal, written as a double", fields["Sum"], {"Sum": 12.5, "Last": "end"})
    check_equal("a time", fields["At"], {"At": "2026-01-02T03:04:05.0000000Z", "Last": "end"})
    check_equal("a number of a day", fields["Day"], {"Day": 5, "Last": "end"})
    check_equal("an id", fields["Ids"], {"Id": "00000000-0002-0003-0405-060708090a0b", "Small": -5, "Last": "end"})
    long = next(event for event in said if event["fields"].get("name") == "many")
    check(long["cut"] and len(long["fields"]["numbers"]) == 64 and long["fields"]["last"] == "end", f"a long array: {long}")
    # .NET describes objects within objects to nobody.
    check_equal("what nothing describes", [(event["name"], event["fields"], event["cut"]) for event in said if event["name"] in ("Order", "Taken")],
                [("Order", {}, True), ("Taken", {}, True)])


@test
def those_of_one_name_at_their_level(env):
    with watched(env, "-e", "Shop-Told/*Line:2:5") as (work, events):
        work.do("orders 3")
        lines = events.stop()
    check_equal("lines without their time", [line.split(" ", 2)[2] for line in lines], [f"Shop-Told/OrderLine number={i}" for i in range(3)])


def state_of(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        return stat.read().rsplit(") ", 1)[1][0]


def bytes_read(pid):
    with open(f"/proc/{pid}/io", encoding="ascii") as io:
        return int(re.search(r"rchar: (\d+)", io.read())[1])


@test
def those_of_one_number_are_made_alone(env):
    """By what nettop reads, because the process says nothing of what it does not make: of two events an order the large one does not come."""
    read = {}
    with Telling(env) as work:
        for option in ("2", "*"):
            with Events(env, work.pid, "--event-source", "Shop-Told", "--event-name", option) as events:
                before = bytes_read(events.process.pid)
                work.do("orders 3000")
                lines = []
                while len(lines) < (3000 if option == "2" else 1):
                    lines.append(events.process.read_line(END_S))
                read[option] = bytes_read(events.process.pid) - before
                lines += events.stop()
            check_equal(f"lines of {option}", len(lines), 3000)
    check(read["2"] < read["*"] / 2, f"bytes read: {read}")


@test
def names_without_a_source_are_the_runtimes(env):
    with watched(env, "--event-name", "GCStart", "--event-name", "3", "--json") as (work, events):
        work.do("collect 2")
        said = [json.loads(line)["name"] for line in events.stop()]
    check(said.count("GCStart") == 2 and said.count("GCRestartEEEnd") >= 2 and set(said) == {"GCStart", "GCRestartEEEnd"}, said)


@test
def collections_are_as_many_as_the_runtime_counts(env):
    with watched(env, "-e", "clr/GCStart", "-e", "clr/GCHeapStats", "--json") as (work, events):
        before = work.do("collect 0")
        after = work.do("collect 20")
        said = [json.loads(line) for line in events.stop()]
    starts = [event["fields"] for event in said if event["name"] == "GCStart"]
    check_equal("collections", len(starts), after["collections"] - before["collections"])
    check(all(fields["Depth"] >= 1 and fields["Reason"] == 1 for fields in starts), f"generation and reason (the runtime may collect an older one than it was asked for): {starts}")
    check_equal("their numbers", [fields["Count"] - starts[0]["Count"] for fields in starts], list(range(20)))
    check(all(event["fields"]["GenerationSize0"] is not None for event in said if event["name"] == "GCHeapStats"), "no sizes")


@test
def a_log_of_collections(env):
    with watched(env, "--as", "gclog", "--json") as (work, events):
        before = work.do("collect 0")
        after = work.do("collect 20")
        said = []
        while len(said) < after["collections"] - before["collections"]:
            said.append(json.loads(events.process.read_line(END_S)))
        said += [json.loads(line) for line in events.stop()]
    check_equal("collections", len(said), after["collections"] - before["collections"])
    check_equal("their numbers", [row["number"] - said[0]["number"] for row in said], list(range(20)))
    check(all(row["generation"] >= 1 and row["reason"] == "induced" for row in said), f"generation and reason (the runtime may collect an older one than it was asked for): {said}")
    check(any(row["generation"] == 1 and row["kind"] == "eph" for row in said), f"none is of generation 1: {said}")
    check(all(row["pause_ns"] > 0 and row["after_bytes"] > 0 for row in said), f"no pause, or no size: {said}")
    check(any(row["gen0_before_bytes"] is not None and row["condemned"] for row in said), f"of none it is known what it found, and why that generation: {said}")


@test
def a_log_of_collections_says_that_some_are_missing(env):
    """Because nobody looked: while nettop stands still its keeper ends the session that nobody reads."""
    with watched(env, "--as", "gclog", "--json") as (work, events):
        work.do("collect 1")
        first = json.loads(events.process.read_line(END_S))
        sessions = sessions_of(work.pid)
        events.process.signal(signal.SIGSTOP)
        wait_until(lambda: state_of(events.process.pid) == "T", END_S, "nettop stands still")
        wait_until(lambda: work.do("collect 1") and sessions_of(work.pid) < sessions, END_S, "the keeper has ended a session that has something to say")
        events.process.signal(signal.SIGCONT)
        said = [first]
        while said[-1]["type"] != "lost":
            said.append(json.loads(events.process.read_line(END_S)))
        events.stop()
    check_equal("how many is not known", said[-1]["count"], None)


@test
def what_the_program_logs(env):
    with watched(env, "-e", "log") as (work, events):
        work.do("log 2")
        lines = events.stop()
    check_equal("what its own filters let through", [line.split(" ", 2)[2] for line in lines], [f"info     Shop.Checkout: order {i} is paid" for i in range(2)])


@test
def a_category_at_a_lower_level(env):
    with watched(env, "-e", "log:Shop.Checkout=Debug") as (work, events):
        work.do("log 1")
        lines = events.stop()
    check_equal("of that category all, of no other any", [line.split(" ", 2)[2] for line in lines],
                ["info     Shop.Checkout: order 0 is paid", "debug    Shop.Checkout: order 0 was looked at"])


@test
def so_many_and_no_more(env):
    with watched(env, "-e", "Shop-Told", "-n", "3", "--no-payload", "--json") as (work, events):
        work.do("orders 10")
        said = [json.loads(line) for line in events.rest()]
    check_equal("events", [(event["name"], event["fields"]) for event in said], [("OrderTaken", {})] * 3)


@test
def each_of_20000_a_second_is_told_or_counted(env):
    with watched(env, "-e", "Shop-Told:-1:5", "--max-target-cost", "100") as (work, events):
        reader = threading.Thread(target=lambda: lines.extend(events.rest()))
        lines = []
        reader.start()
        work.do("rate 10000 3", END_S)  # two events an order
        events.process.signal(signal.SIGINT)
        reader.join(END_S)
    lost = sum(int(line.split()[1]) for line in lines if line.startswith("-- "))
    told = [line for line in lines if not line.startswith("-- ")]
    check_equal("events that were told, and those that were counted as lost", len(told) + lost, 60_000)
    numbers = [int(re.search(r"OrderLine number=(\d+)", line)[1]) for line in told if "/OrderLine" in line]
    check(numbers == sorted(numbers), "they are not in their order")


@test
def stopped_and_continued(env):
    """Nothing is left unread in the process meanwhile: its session ends, and another one goes on."""
    with watched(env, "-e", "Shop-Told", "--json") as (work, events):
        work.do("orders 2")
        events.process.signal(signal.SIGTSTP)
        wait_until(lambda: state_of(events.process.pid) == "T", END_S, "nettop stands still")
        check_equal("sessions while it does", sessions_of(work.pid), 0)
        work.do("orders 4")
        events.process.signal(signal.SIGCONT)
        wait_until(lambda: "watching again" in events.process.stderr_text(), END_S, "there is a session again")
        work.do("orders 8")
        said = [json.loads(line) for line in events.stop()]
    gaps = [index for index, line in enumerate(said) if line["type"] == "lost"]
    check_equal("a gap, of unknown size, behind the first two", [(index, said[index]["count"]) for index in gaps], [(2, None)])
    check_equal("events", len(said) - 1, 2 + 8)


@test
def the_process_ends(env):
    with watched(env, "-e", "Shop-Told") as (work, events):
        work.do("orders 2")
        check_equal("exit status of the program", work.quit(END_S), 0)
        check_equal("lines", len(events.rest(status=4)), 2)


@test
def a_reader_that_has_seen_enough(env):
    with Telling(env) as work:
        (env.scratch / "pipe.err").touch()
        child = subprocess.Popen(f"{env.nettop} events -p {work.pid} -e Shop-Told 2>{env.scratch}/pipe.err | head -n 1", shell=True, stdout=subprocess.PIPE, text=True)
        said = env.scratch / "pipe.err"
        wait_until(lambda: "watching" in said.read_text(encoding="utf-8"), END_S, "nettop watches")
        wait_until(lambda: work.do("orders 5") and child.poll() is not None, END_S, "nettop ends with its reader")
        check("OrderTaken" in child.stdout.read(), "no line")


@test
def what_would_do_something_to_the_process_is_refused(env):
    with Telling(env) as work:
        before = work.do("collect 0")["full"]
        for pattern, words in (("clr/GCBulkNode", "nettop heap"), ("clr:0x800000", "nettop heap"), ("Microsoft-DotNETCore-SampleProfiler", "--wall"),
                               ("System.Diagnostics.Metrics", "--counters"), ("Microsoft-Diagnostics-DiagnosticSource", "--requests"),
                               ("Microsoft-Windows-DotNETRuntimeRundown", "nettop map"), ("clr/NoSuchEvent", "no event of this name"),
                               ("*/GCStart", "named whole"), ("log:", "no category"), ("Shop-Told:x", "keywords")):
            said = refused(env, "-e", pattern, pid=work.pid)
            check(words in said, f"{pattern}: {said}")
        check_equal("full collections meanwhile", work.do("collect 0")["full"], before)
    check("which events" in refused(env), "no question for the events")


@test
def what_would_end_a_process_of_lttng_is_refused(env):
    with SessionDaemon(env) as daemon, Workload(env, mode="none", libraries=env.genuine_dir) as work:
        daemon.wait_for_app(work.pid)
        for pattern in ("clr/ExceptionThrown", "Microsoft-Windows-DotNETRuntimePrivate:1:1"):
            check("null would end the process" in refused(env, "-e", pattern, pid=work.pid, status=3), f"{pattern} was asked for")
        with Events(env, work.pid, "-e", "clr/GCStart") as events:
            work.do("gc 0")
            check(len(events.stop()) >= 1, "no collection was told")


@test
def a_flood_is_limited(env):
    with Workload(env) as work, Events(env, work.pid, "-e", "clr/Exception*:0x8000:5", "--max-target-cost", "1") as events:
        def throws():
            work.do("throw 3000", END_S)
            return not events.process.alive()

        wait_until(throws, END_S, "the session is ended")
        lines = events.rest(status=3)
        check("cost the process" in events.process.stderr_text(), events.process.stderr_text())
        check(len(lines) > 1000, f"{len(lines)} lines")


if __name__ == "__main__":
    main()
