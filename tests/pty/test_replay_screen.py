#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop replay on a terminal: the screens of a recording, its pace, its end, and that nobody is asked and nothing else runs."""
import json
import os
import re
import signal
import subprocess
import time

from nt_pty import *
from nt_live import long_test, wait_until

SECONDS = 5
NOBODY = "there is no process that could be asked"


def record(env, pid, seconds=SECONDS):
    """Some intervals of a process, in a file."""
    path = env.scratch / "screen.nettop"
    path.unlink(missing_ok=True)
    done = subprocess.run([str(env.nettop), "record", "-p", str(pid), "-o", str(path), "--duration", str(seconds)], capture_output=True, text=True, timeout=60, check=False)
    check_equal(f"exit status of record, which says {done.stderr}", done.returncode, 0)
    return path


def start_replay(terminal, pid, path, *options):
    terminal.run(terminal.env.nettop, "replay", path, "--no-config", *options)
    terminal.wait_for(lambda screen: screen.startswith(f"{pid} ") and terminal.in_full_screen(), "the identity line stands in line 1")


def wait_for_the_end(terminal):
    terminal.wait_for(lambda screen: identity(screen).endswith("END OF RECORDING"), "its end is said", 30)


@test
def every_screen_opens_and_the_end_is_said(env):
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        path = record(env, target.pid)
        target.kill()  # nothing is asked of it
        start_replay(terminal, target.pid, path, "--speed", 4)
        terminal.wait_for(lambda screen: identity(screen).endswith("REPLAY x4"), "how fast it goes")
        check_equal("other processes of nettop's", set(descendants(terminal.nettop_pid()).values()), {"nettop-keeper"})
        for key in "234567890ciR1":
            terminal.keys(key)
            terminal.wait_for(f"[{key}", f"{key}: its screen")
        wait_for_the_end(terminal)
        wait_for_methods(terminal, target)
        check_equal("after its end", identity(terminal.screen()).split()[-3:], ["END", "OF", "RECORDING"])
        check(not re.search(r"map ?○", identity(terminal.screen())), f"that its sources were stopped then is of who recorded: {identity(terminal.screen())}")
        terminal.keys("/")
        terminal.type(target.hot)
        terminal.keys("Enter", "Enter")
        terminal.wait_for(lambda screen: len(tree_rows(screen)) > 1 and target.hot.split(".")[-1] in "".join(tree_rows(screen)), "call trees, of a recording for which no screen was open")
        terminal.keys("Escape", "Escape", "S")
        terminal.wait_for("STACKS OF ALL THREADS")
        terminal.keys("m", "Left", "x", "Left", "Left", "Enter")
        terminal.wait_for(lambda screen: "SPAN " in identity(screen) and target.hot in screen, "the methods of a span")
        terminal.keys("Space", "q")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 0)
        check(terminal.is_restored(), "the terminal is not as it was")


@test
def nobody_is_asked(env):
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        path = record(env, target.pid)
        start_replay(terminal, target.pid, path, "--speed", 100)
        wait_for_the_end(terminal)
        for key in "HDadlOY":
            terminal.keys(key)
            terminal.wait_for(lambda screen: NOBODY in context_line(screen) and "[1 Methods]" in screen, f"{key}: that nobody can be asked")
            terminal.keys("5")
            terminal.wait_for(lambda screen: "[5 Alloc]" in screen and "No row of this is in the recording" in screen and NOBODY not in screen, "what was not asked for was not recorded")
            terminal.keys("1")
            terminal.wait_for("[1 Methods]")


@long_test
def it_goes_at_its_own_pace_and_stands_in_a_pause(env):
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        path = record(env, target.pid)
        began = time.monotonic()
        start_replay(terminal, target.pid, path)
        terminal.keys("Space")
        first = clock_of(terminal.wait_for(re.compile(r"^.*PAUSED \d\d:\d\d:\d\d.*$", re.M))[0])
        terminal.keys("]")
        terminal.wait_for(lambda screen: "PAUSED" in identity(screen) and clock_of(screen) > first, "the next interval, in a pause")
        terminal.keys("[")
        terminal.wait_for(lambda screen: "PAUSED" in identity(screen) and clock_of(screen) == first, "and back")
        terminal.keys("Space")
        wait_for_the_end(terminal)
        check(time.monotonic() - began > SECONDS - 3, f"{SECONDS} s of which one was skipped took {time.monotonic() - began:.1f} s")
        terminal.keys("[", "}", "}")
        terminal.wait_for(lambda screen: "PAUSED" in identity(screen) and "goes no further" in context_line(screen), "there is nothing behind its end")


@long_test
def an_interval_is_that_of_the_lines(env):
    """What w writes of it is the line that `nettop replay --json` writes: what a screen wishes of the model changes no figure."""
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        path = record(env, target.pid)
        lines = subprocess.run([str(env.nettop), "replay", str(path), "--json", "--top", "1000000"], capture_output=True, timeout=60, check=True).stdout.splitlines()
        terminal.run("cd", env.scratch)
        (env.scratch / "interval.json").unlink(missing_ok=True)
        start_replay(terminal, target.pid, path, "--speed", 100)
        wait_for_the_end(terminal)
        terminal.keys("4", "9", "1", "[", "[")
        terminal.wait_for(lambda screen: "PAUSED" in identity(screen), "an interval that is over")
        written = json.loads(write_interval(terminal, env.scratch, "interval.json"))
        same = [line for line in map(json.loads, lines) if line["t1_ns"] == written["t1_ns"]]
        check(same, f"no line is of the interval that ended at {written['t1_ns']}")
        check_equal("members that differ", [name for name in written if written[name] != same[0].get(name)], [])


def made(env, seconds):
    """A recording of a process that never was, from midnight on (tests/tools/made_recording.c)."""
    path = env.scratch / f"made-{seconds}.nettop"
    path.unlink(missing_ok=True)
    subprocess.run([env.nettop.parent / "tests/tools/made_recording", path, str(seconds)], check=True, timeout=60)
    return path


def go_to(terminal, text, clock):
    """Key t. How long it took."""
    terminal.keys("t")
    terminal.wait_for("Time: ")
    terminal.type(text)
    began = time.monotonic()
    terminal.keys("Enter")
    terminal.wait_for(lambda screen: f"PAUSED {clock}" in identity(screen), f"{text}: the interval that ends at {clock}", 60)
    return time.monotonic() - began


@test
def it_goes_to_any_time_of_an_hour(env):
    """On, and back beyond the quarter of an hour that is kept, which is replayed anew: all that is there is that interval, as it was."""
    with Terminal(env, 120, 40) as terminal:
        terminal.run(env.nettop, "replay", made(env, 3600), "--no-config", variables={"TZ": "UTC"})
        terminal.wait_for(lambda screen: screen.startswith("4711 made") and terminal.in_full_screen(), "the identity line stands in line 1")
        on = go_to(terminal, "00:50:00", "00:50:01")
        back = go_to(terminal, "+5", "00:00:06")
        first = terminal.screen()
        check("Made.Work::Method5()" in first, f"what ran in that second:\n{first}")
        terminal.keys("]")
        terminal.wait_for(lambda screen: "PAUSED 00:00:07" in identity(screen), "on by one from there")
        terminal.keys("[", "[", "]")
        terminal.wait_for(lambda screen: "PAUSED 00:00:06" in identity(screen), "and back")
        check_equal("the interval, come back to", terminal.screen().splitlines()[4:30], first.splitlines()[4:30])
        end = go_to(terminal, "00:59:59.5", "01:00:00")
        terminal.keys("t")
        terminal.type("soon")
        terminal.keys("Enter")
        terminal.wait_for("A time is HH:MM", "what is no time")
        for _ in range(2):
            terminal.keys("t")
            terminal.type("+99999")
            terminal.keys("Enter")
            terminal.wait_for("goes no further", "there is nothing behind its end")
        terminal.keys("q")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 0)
    return f"on by 50 minutes in {on:.1f} s, back in {back:.1f} s, to the end in {end:.1f} s"


@test
def it_begins_and_stands_still_where_it_is_told_to(env):
    with Terminal(env, 120, 40) as terminal:
        terminal.run(env.nettop, "replay", made(env, 100), "--no-config", "--from", "00:01:00", "--to", "+63", "--speed", "100", variables={"TZ": "UTC"})
        terminal.wait_for(lambda screen: "PAUSED 00:01:03" in identity(screen), "it stands still there")
        terminal.keys("[", "[")
        terminal.wait_for(lambda screen: "PAUSED 00:01:01" in identity(screen), "what was shown")
        terminal.keys("[")
        terminal.wait_for(lambda screen: "PAUSED 00:01:00" in identity(screen), "and what was before that")
        terminal.keys("Space")
        terminal.wait_for(lambda screen: "END OF RECORDING" in identity(screen), "Space goes on to the end")


@test
def one_that_breaks_off_says_where(env):
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        whole = record(env, target.pid).read_bytes()
        path = env.scratch / "screen.nettop"
        path.write_bytes(whole[:-100])
        start_replay(terminal, target.pid, path, "--speed", 100)
        terminal.wait_for(lambda screen: identity(screen).endswith("RECORDING CUT OFF"), "it breaks off", 30)
        terminal.keys("L")
        terminal.wait_for(lambda screen: "the recording was not ended: it goes up to" in screen, "up to when it goes")
        terminal.keys("q")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 0)
        terminal.run("clear")
        damaged = bytearray(whole)
        damaged[len(whole) * 4 // 5] ^= 0x55  # behind the first frame
        path.write_bytes(damaged)
        start_replay(terminal, target.pid, path, "--speed", 100)
        terminal.wait_for(lambda screen: identity(screen).endswith("RECORDING CUT OFF") and "is damaged at byte" in context_line(screen), "where it is damaged", 30)
        terminal.keys("q")
        terminal.wait_for("is damaged at byte", "it stays when the screen has gone")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 1)


@test
def the_terminal_is_given_back(env):
    """When it is stopped, and however it is ended from outside."""
    with Target(env) as target, Terminal(env) as terminal:
        start_replay(terminal, target.pid, record(env, target.pid, 2))
        terminal.keys("C-z")
        terminal.wait_for_shell("Ctrl-Z stops it")
        terminal.run("fg")
        terminal.wait_for(lambda screen: screen.startswith(f"{target.pid} ") and terminal.in_full_screen(), "it is there again")
        wait_for_the_end(terminal)
        os.kill(terminal.nettop_pid(), signal.SIGTERM)
        terminal.wait_for_shell("SIGTERM ends it")
        check(terminal.is_restored(), "the terminal is not as it was")
        start_replay(terminal, target.pid, env.scratch / "screen.nettop")
        os.kill(terminal.nettop_pid(), signal.SIGKILL)
        terminal.wait_for_shell("SIGKILL ends it")
        wait_until(terminal.is_restored, 5, "the terminal is as it was after SIGKILL")


if __name__ == "__main__":
    main(without_root=True)
