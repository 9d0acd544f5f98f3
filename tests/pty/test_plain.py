#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What --plain says, as somebody hears it who has the terminal read aloud: line by line, in this order."""
import re
import subprocess

from nt_pty import *

ORDER = ["Watching", "Warning", "State", "CPU", "Threads", "Collections", "Allocation", "Compilations", "Thread pool", "Exceptions", "Locks", "Requests", "Machine"]


def frames_of(text):
    """[(time, [(label, what is said of it)])]"""
    frames = []
    for line in text.splitlines():
        if (time := re.fullmatch(r"At (\d\d:\d\d:\d\d)", line)):
            frames.append((time[1], []))
            continue
        known = next((label for label in ORDER if line.startswith(label + ": ")), None)
        label, what = (known, line[len(known) + 2:]) if known else line.rsplit(": ", 1)
        frames[-1][1].append((label, what))
    return frames


@test
def sentences_in_their_order_and_only_what_changes(env):
    with Target(env) as target:
        done = subprocess.run([env.nettop, "--plain", "-p", str(target.pid), "-d", "0.5", "-n", "8"], timeout=60, text=True, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    check_equal("on standard error", done.stderr, "")
    check(not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u2500-\u259f]|  |\|", done.stdout), f"boxes, bars, columns or control characters:\n{done.stdout}")
    frames = frames_of(done.stdout)
    check(2 <= len(frames) <= 8, f"{len(frames)} frames:\n{done.stdout}")
    first = [label for label, _ in frames[0][1]]
    check_equal("what is said first", first[0], "Watching")
    check(first[1] in ("Warning", "State") and first[2:5] == ["CPU", "Threads", "Collections"], f"the order of the first frame: {first}")
    said, repeated = {}, 0
    for _, lines in frames:
        places = [ORDER.index(label) if label in ORDER else len(ORDER) for label, what in lines if what != "no more"]
        check_equal("places in the order", places, sorted(places))
        for label, what in lines:
            repeated += said.get(label) == what
            said[label] = what
    check_equal("lines that say what was said before", repeated, 0)
    check(any(target.hot in label and re.match(r"SELF% \d+\.\d, TOTAL% \d+\.\d, ", what) for _, lines in frames for label, what in lines), f"the hot method with a title before each figure:\n{done.stdout}")
    counts = [len(lines) for _, lines in frames]
    check(counts[-1] < counts[0], f"the last frame says as much as the first: {counts}")
    return f"{counts} lines"


@test
def several_processes_and_the_list_of_all(env):
    """A line each: what is wrong first, then its figures, each with its title; then only what changes."""
    with Target(env) as first, Target(env) as second:
        done = subprocess.run([env.nettop, "--plain", "-p", f"{first.pid},{second.pid}", "-d", "0.5", "-n", "4"], timeout=60, text=True, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        every = subprocess.run([env.nettop, "ps", "--plain"], timeout=60, text=True, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    check_equal("on standard error", done.stderr + every.stderr, "")
    for said, label in ((done.stdout, "several"), (every.stdout, "all")):
        check(not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u2500-\u259f]|  |\|", said), f"{label}: boxes, bars, columns or control characters:\n{said}")
        lines = said.splitlines()
        check(re.fullmatch(r"At \d\d:\d\d:\d\d", lines[0]) and re.fullmatch(r"Processes: \d+", lines[1]), f"{label}: the first lines:\n{said}")
        for target in (first, second):
            check(any(re.match(rf"\S+ {target.pid}: .*CPU% \d+\.\d, ", line) for line in lines), f"{label}: no line of {target.pid}:\n{said}")
    frames = done.stdout.split("At ")[1:]
    check(len(frames[-1].splitlines()) <= len(frames[0].splitlines()), f"the last frame says more than the first:\n{done.stdout}")
    return f"{[len(frame.splitlines()) - 1 for frame in frames]} lines"


@test
def by_settings_on_a_terminal(env):
    home = env.scratch / "spoken"
    (home / "nettop").mkdir(parents=True, exist_ok=True)
    (home / "nettop/config").write_text("plain = yes\n", encoding="ascii")
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        terminal.run(env.nettop, "-p", target.pid, "-d", 0.5, variables={"XDG_CONFIG_HOME": str(home)})
        terminal.wait_for(re.compile(r"^Watching: .*is running$", re.M), "sentences")
        check(not terminal.in_full_screen(), "there is a screen")
        terminal.keys("C-c")
        terminal.wait_for_shell()
        terminal.run(env.nettop, variables={"XDG_CONFIG_HOME": str(home)})
        terminal.wait_for(re.compile(r"^\S+ \d+: .*KIND \w+, MODE ", re.M), "the list of all processes in sentences; others may have moved ours off the screen")
        terminal.wait_for_shell()


if __name__ == "__main__":
    main(without_root=True)
