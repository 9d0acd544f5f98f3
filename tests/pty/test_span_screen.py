#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A span of the past on every screen: a program throws and collects at moments that it tells, and what was chosen on the screen of time has what happened in it and nothing else."""
import json
import pathlib
import re
import tempfile
import time

from nt_pty import *
from nt_live import Workload
from nt_live.process import Failure

THROWN, COLLECTED, BESIDE = 7, 3, 4
TYPE, OTHER = "Workload.DeliberateException", "Workload.SilentException"  # the namespace is not on the screen
SCREENS = (("1", "SELF%"), ("2", "in span"), ("3", "span of"), ("4", "ROLE"), ("5", "SHARE%"), ("6", "DeliberateException"), ("7", "WAITED FOR AT"), ("8", "BLOCKED AT"), ("9", "Rows are of the time in which somebody looked"), ("c", "[c Counters]"), ("i", "[i I/O]"), ("R", "[R Requests]"))


def pass_intervals(terminal, count):
    """Line 1 has other figures after each."""
    for _ in range(count):
        before = identity(terminal.screen())
        terminal.wait_for(lambda screen, before=before: identity(screen) != before, "an interval later")


def step(terminal, key):
    """To another interval, by line 1's clock."""
    before = clock_of(terminal.screen())
    terminal.keys(key)
    terminal.wait_for(lambda screen: "PAUSED" in identity(screen) and clock_of(screen) != before, f"{key}: another interval")


def thrown(line):
    return {row["type"]: row["count"] for row in line["exceptions"]["types"] if row["count"]}


def collected(line):
    return [row["number"] for row in line["gc"]["collections"]]


def walk_back(terminal, folder, until_ns):
    """The intervals from the newest back to one that ended before this moment, oldest first. That one is shown then."""
    intervals = []
    for number in range(60):
        intervals.insert(0, json.loads(write_interval(terminal, folder, f"interval{number}.json")))
        if intervals[0]["t1_ns"] <= until_ns:
            return intervals
        step(terminal, "[")
    raise Failure("the past goes back that far")


def write_report(terminal, folder, name):
    """What was found in the time that is shown, as text."""
    terminal.keys("w")
    screen = terminal.wait_for("WRITE TO A FILE") and terminal.screen()
    choices = [line.split()[0] for line in screen[screen.index("WRITE TO A FILE"):].splitlines()[1:] if line.strip()]
    terminal.keys(*["Down"] * choices.index("report"), "Enter", "C-u")
    terminal.type(name)
    terminal.keys("Enter")
    terminal.wait_for(f"Wrote ./{name}")
    return (folder / name).read_text(encoding="utf-8")


def number_rows(screen):
    return [int(match[1]) for match in re.finditer(r"^. {0,6}(\d+) +\S+ +\d +(?:eph|blk|bg|fg) ", screen, re.M)]


@test
def has_what_happened_in_it_on_every_screen(env):
    with Workload(env) as work, Terminal(env, 120, 40) as terminal:
        folder = pathlib.Path(tempfile.mkdtemp(dir=env.scratch))
        terminal.run("cd", folder)
        terminal.start_nettop(work.pid, delay_s=1)
        terminal.keys("6")
        terminal.wait_for(re.compile(r"EXC +0\.0/s"), "exceptions are told, and there are none", 60)
        work.do(f"throw-silent {BESIDE}")
        pass_intervals(terminal, 3)
        begin = time.monotonic_ns()
        work.do(f"throw {THROWN}")
        pass_intervals(terminal, 2)
        work.do(f"gc 2 {COLLECTED}")
        pass_intervals(terminal, 3)
        work.do(f"throw-silent {BESIDE}")
        terminal.wait_for(re.compile(rf"^.{{0,3}} +{BESIDE} .* SilentException", re.M), "the last is told, too", 30)
        pass_intervals(terminal, 2)
        terminal.keys("Space")
        terminal.wait_for("PAUSED")
        intervals = walk_back(terminal, folder, begin)
        first = next(i for i, line in enumerate(intervals) if TYPE in thrown(line))
        last = max(i for i, line in enumerate(intervals) if collected(line))
        print(f"intervals {first} to {last} of {len(intervals)}")
        check(first <= last and not any(OTHER in thrown(line) for line in intervals[first:last + 1]), "the others were thrown before and after")
        terminal.keys("m")
        for _ in range(first):
            step(terminal, "Right")
        terminal.keys("x")
        terminal.wait_for(re.compile(r"\.\d{3} \.\. .*Enter shows it"), "a span of all of the interval")
        for _ in range(last - first):
            step(terminal, "Right")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: re.search(r"SPAN \d\d:\d\d:\d\d\.\d\.\.", identity(screen)), "the span is shown")
        for key, content in SCREENS:
            terminal.keys(key)
            terminal.wait_for(lambda screen, content=content: content in screen and "SPAN" in identity(screen), f"{key}: {content}, of the span")
        terminal.keys("6")
        terminal.wait_for(lambda screen: "[6 Exceptions]" in screen and "DeliberateException" in screen and "span of" in screen, "exceptions of the span")
        check(re.search(rf"^.{{0,3}} +{THROWN} .* DeliberateException", terminal.screen(), re.M), f"{THROWN} of the one type:\n{terminal.show()}")
        check("SilentException" not in terminal.screen(), f"and no others:\n{terminal.show()}")
        span = json.loads(write_interval(terminal, folder, "span.json"))
        within = intervals[first:last + 1]
        check_equal("its time", (span["t0_ns"], span["t1_ns"]), (within[0]["t0_ns"], within[-1]["t1_ns"]))
        check_equal("exceptions thrown", thrown(span), {TYPE: THROWN})
        check_equal("and their number", span["exceptions"]["count"], THROWN)
        check_equal("collections", sorted(collected(span)), sorted(number for line in within for number in collected(line)))
        check_equal("of them those that the program asked for", len([row for row in span["gc"]["collections"] if row["reason"] == "induced"]), COLLECTED)
        check_equal("collections of generation 2", span["gc"]["gen2_count"], sum(line["gc"]["gen2_count"] for line in within))
        report = write_report(terminal, folder, "span.txt")
        check(re.search(rf"^6 Exceptions: exceptions, 1 of 1, in the span\n.*\n +{THROWN} .*{re.escape(TYPE)}", report, re.M), f"a report of the span has {THROWN} of the one type:\n{report}")
        check(OTHER not in report and ", since attach\n" not in report, f"and nothing else:\n{report}")
        check(re.search(rf"^2 GC: gc, {len(collected(span))} of {len(collected(span))}, in the span$", report, re.M) or len(collected(span)) > 10, f"its collections:\n{report}")
        terminal.keys("2")
        terminal.wait_for("in span")
        check_equal("their rows", sorted(number_rows(terminal.screen())), sorted(collected(span)))
        terminal.keys("Space")
        terminal.wait_for(lambda screen: identity(screen).endswith("LIVE"), "live again")


if __name__ == "__main__":
    main()
