#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop as a person meets it: in a terminal, resized, suspended, killed. Keys: test_keys.py. Live numbers are checked by shape only."""
import json
import os
import random
import re
import signal
import subprocess
import time

from nt_pty import *
from nt_live.process import OutOfLimit, waited_for_cpu_ns  # noqa: E402
from nt_live.workload import Waiting  # noqa: E402

# What the issue promises: the first frame, and the keeper's clean-up. The frame's time is for a machine that does nothing else.
FIRST_FRAME_S, FIRST_FRAME_ALLOWED_S = 0.2, 2.0
KEEPER_S = 1.0
STOP_ALLOWED_S = 1.0  # promised: 0.1 s for each source, on a machine that does nothing else
TALL = (160, 120)  # columns, lines: some text frames fit


@test
def first_frame(env):
    with Target(env) as target, Terminal(env) as terminal:
        start = time.monotonic()
        nettop = terminal.start_nettop(target.pid)
        took = time.monotonic() - start - sum(waited_for_cpu_ns(nettop).values()) / 1e9
        terminal.wait_for("LIVE")
        lines = terminal.lines()
        check(lines[0].startswith(f"{target.pid} "), f"line 1 does not begin with the pid:\n{terminal.show()}")
        check(lines[0].rstrip().endswith("LIVE"), f"the state word is not at the right end of line 1:\n{terminal.show()}")
        for tile in ("CPU", "THR", "GC", "ALLOC", "JIT", "POOL", "EXC", "LOCK"):
            check(any(re.search(rf"\b{tile}\b", line) for line in lines[1:5]), f"no tile {tile}:\n{terminal.show()}")
        check("[1 Methods]" in "\n".join(lines), f"no tab bar:\n{terminal.show()}")
        check(not terminal.cursor_is_visible(), "the cursor is visible in full screen")
        check_limit("seconds to the first frame, less those in which it waited for a CPU", took, FIRST_FRAME_ALLOWED_S)
        terminal.wait_for(re.compile(r"\A.* (\.NET )?\d+\.\d+\.\d+ "), "line 1 says the runtime's version, in short where there is a cost to tell")
        terminal.keys("q")
        terminal.wait_for_shell()
        return f"{took * 1000:.0f} ms from Enter to the frame, in tmux (promised {FIRST_FRAME_S * 1000:.0f} ms)"


@test
def hot_method_and_sources(env):
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        # On one screen: in its first seconds the runtime compiles, and may be first in the next one.
        terminal.wait_for(lambda screen: target.hot in body(screen)[0] and " jit " in body(screen)[0], "the hot method is the first row, and compiled")
        terminal.wait_for("perf●")
        terminal.wait_for("map●")
        if target.has_lttng:
            terminal.wait_for("lttng●")


@test
def wall_time_first(env):
    """`--wall`: all threads' time, running or waiting, is the first screen, and key 1 has the samples all the same."""
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(target.pid, "--wall")
        terminal.wait_for("[8 Waits]")
        terminal.wait_for("WALL s/s")
        terminal.wait_for(lambda screen: any(target.hot in row for row in body(screen)), "the hot method runs")
        terminal.keys("1")
        wait_for_methods(terminal, target)


@test
def size_of_the_perf_map(env):
    """Its size and growth are in the details of the source, and a large one is worth a word."""
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(target.pid)
        terminal.wait_for("map ●")
        terminal.keys("0", "/", "^map$", "Enter", "Enter")
        terminal.wait_for(re.compile(r"SOURCE +map\n.*FILE +[1-9][\d.]*[KM]? .*FILE/s +\d", re.S), "the details of the map")
        os.truncate(f"/tmp/perf-{target.pid}.map", 300 << 20)  # a hole: no disk is filled
        terminal.wait_for(re.compile(r"over 256 MB and grows .*FILE +300\.?0*M", re.S), "a word about its size", 30)


@test
def resize(env):
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        for columns, lines in ((120, 40), (60, 20), (40, 10), (32, 8), (20, 5), (200, 50), (80, 24)):
            terminal.resize(columns, lines)
            if columns < 40 or lines < 10:
                sentence = f"nettop needs 40x10, this is {columns}x{lines}"[:columns].strip()
                terminal.wait_for(lambda screen, sentence=sentence: screen.strip() == sentence, sentence)
                continue
            terminal.wait_for(lambda screen, columns=columns, lines=lines: fits(screen, columns, lines), f"a full frame at {columns}x{lines}")
        terminal.wait_for(lambda screen: "[1 Methods]" in screen and "METHOD" in screen, "the frame of 80x24 is back")


def fits(screen, columns, lines):
    """The frame fills this size: the state word at the right end, the context line at the bottom, no line too long."""
    rows = screen.rstrip("\n").split("\n")
    return (len(rows) == lines and all(len(row) <= columns for row in rows) and rows[0].rstrip().endswith("LIVE")
            and len(rows[0].rstrip()) > columns - 4 and re.search(r"\d+-\d+ of \d+", rows[-1]))


@test
def sigterm_restores_the_terminal(env):
    with Target(env) as target, Terminal(env) as terminal:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            nettop = terminal.start_nettop(target.pid)
            os.kill(nettop, number)
            terminal.wait_for_shell(f"{number.name} ends nettop")
            check(terminal.is_restored(), f"{number.name}: the terminal is not as before: {terminal.show()}")
            check_equal(f"{number.name}: exit status", terminal.last_status(), 0)
            check_equal(f"{number.name}: left in TMPDIR", os.listdir(terminal.temporary), [])


@test
def crash_restores_the_terminal(env):
    with Target(env) as target, Terminal(env) as terminal:
        for number in (signal.SIGSEGV, signal.SIGABRT):
            nettop = terminal.start_nettop(target.pid)
            os.kill(nettop, number)
            wait_until(terminal.is_restored, KEEPER_S, f"{number.name}: the terminal is restored")
            # The shell may have been quicker with its prompt, which then was on the other screen.
            terminal.keys("Enter")
            terminal.wait_for_shell()
            wait_until(lambda: os.listdir(terminal.temporary) == [], KEEPER_S, f"{number.name}: the folder is gone")


@test
def sigkill_is_put_right_within_a_second(env):
    with SessionDaemon(env), Target(env) as target, Terminal(env) as terminal:
        nettop = terminal.start_nettop(target.pid)
        if target.has_lttng:
            wait_until(lambda: sessions() and descendants_named("lttng-relayd"), 20, f"nettop has a session and a relay; {terminal.show()}")
        check(os.listdir(terminal.temporary), "no runtime folder")
        os.kill(nettop, signal.SIGKILL)
        start = time.monotonic()
        wait_until(terminal.is_restored, KEEPER_S, "the terminal is restored")
        wait_until(lambda: not descendants_named("lttng-relayd"), KEEPER_S, "the relay has ended")
        wait_until(lambda: os.listdir(terminal.temporary) == [], KEEPER_S, "the runtime folder is gone")
        wait_until(lambda: not sessions(), KEEPER_S, "the session is destroyed")
        took = time.monotonic() - start
        check_limit("seconds the keeper took", took, KEEPER_S)
        check_equal("exit status", terminal.last_status(), 128 + signal.SIGKILL)
        terminal.wait_for_shell()
        check(target.alive(), "the target has ended")
        return f"{took:.2f} s"


@test
def sigkill_while_suspended(env):
    """The keeper puts right what it must; the shell has the terminal already, and keeps it."""
    with Target(env) as target, Terminal(env) as terminal:
        nettop = terminal.start_nettop(target.pid)
        terminal.keys("C-z")
        terminal.wait_for_shell()
        os.kill(nettop, signal.SIGKILL)
        wait_until(lambda: os.listdir(terminal.temporary) == [], KEEPER_S, "the runtime folder is gone")
        check(terminal.is_restored(), f"the terminal is not as before: {terminal.show()}")


@test
def frozen_relay_does_not_hold_q(env):
    with SessionDaemon(env), Target(env) as target, Terminal(env) as terminal:
        if not target.has_lttng:
            raise Missing("no lttng-ust for the target")
        nettop = terminal.start_nettop(target.pid)
        terminal.wait_for("lttng●")
        os.kill(descendants_named("lttng-relayd")[0], signal.SIGSTOP)
        wait_for_work(nettop, rounds=10)
        terminal.keys("q")
        start = time.monotonic()
        wait_until(lambda: terminal.nettop_pid() is None, STOP_ALLOWED_S, "nettop ends")
        took = time.monotonic() - start
        terminal.wait_for_shell()
        check_equal("relays left", descendants_named("lttng-relayd"), [])
        check_equal("left in TMPDIR", os.listdir(terminal.temporary), [])
        return f"{took * 1000:.0f} ms"


@test
def closed_terminal_ends_it(env):
    """The window is closed: no key and no signal from a person will ever come."""
    with SessionDaemon(env), Target(env) as target, Terminal(env) as terminal:
        nettop = terminal.start_nettop(target.pid)
        if target.has_lttng:
            terminal.wait_for("lttng●")
        terminal.close_window()
        wait_until(lambda: nettop not in descendants(), 5, "nettop ends")
        wait_until(lambda: not descendants_named("lttng-relayd") and not sessions(), 2, "relay and session are gone")
        wait_until(lambda: os.listdir(terminal.temporary) == [], 2, "the folder is gone")
        check(target.alive(), "the target has ended")


@test
def stop_signal_from_outside(env):
    with Target(env) as target, Terminal(env) as terminal:
        nettop = terminal.start_nettop(target.pid)
        os.kill(nettop, signal.SIGTSTP)
        terminal.wait_for_shell("SIGTSTP leads back to the shell")
        check(terminal.is_restored(), f"the terminal is not as before: {terminal.show()}")
        terminal.run("fg")
        terminal.wait_for(lambda screen: screen.startswith(f"{target.pid} ") and terminal.in_full_screen(), "fg brings the screen back")
        terminal.keys("q")
        terminal.wait_for_shell()
        check(terminal.is_restored(), f"the terminal is not as before: {terminal.show()}")


@test
def target_ends(env):
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        target.kill()
        terminal.wait_for(re.compile(r"\A.*ENDED \d\d:\d\d:\d\d\s*$", re.M), "line 1 says ENDED and when")
        terminal.wait_for(re.compile(r"Target ended at \d\d:\d\d:\d\d.*SIGKILL"), "a sentence says how it ended")
        check(any(target.hot in row for row in body(terminal.screen())), f"what was seen is not kept:\n{terminal.show()}")
        terminal.keys("Down")
        terminal.keys("2")
        terminal.wait_for("[2 GC]")
        terminal.keys("q")
        terminal.wait_for_shell()
        check(terminal.is_restored(), f"the terminal is not as before: {terminal.show()}")


@test
def ascii_locale(env):
    with Target(env) as target, Terminal(env) as terminal:
        for variables, options in (({"LC_ALL": "C"}, ()), ({"LC_ALL": "C.UTF-8"}, ("--ascii",))):
            terminal.start_nettop(target.pid, *options, variables=variables)
            wait_for_methods(terminal, target)
            for key in ("1", "2", "0", "?"):
                terminal.keys(key)
                terminal.wait_for({"1": "SELF%v", "2": "[2 GC]", "0": "[0 S", "?": "PgUp"}[key])
                screen = terminal.screen()
                check(screen.isascii(), f"not ASCII with {variables} {options}: {sorted(set(c for c in screen if ord(c) > 126))}\n{terminal.show()}")
            terminal.keys("Escape")
            terminal.keys("q")
            terminal.wait_for_shell()


@test
def colours_carry_roles(env):
    """As many colours as the terminal has, or none when somebody wants none; what they say is said without them, too."""
    with Target(env) as target, Terminal(env) as terminal:
        for variables, expected in (({}, "256"), ({"TERM": "tmux"}, "16"), ({"NO_COLOR": "1"}, None), ({"NO_COLOR": ""}, "256"),
                                    ({"TERM": "vt100"}, None)):
            terminal.start_nettop(target.pid, variables=variables, alternate_screen=variables.get("TERM") != "vt100")
            terminal.keys("Space")
            terminal.wait_for("PAUSED")  # a word with a colour of its own
            screen = terminal.screen(colours=True)
            sequences = re.findall(r"\x1b\[([0-9;]*)m", screen)
            check(any(sequences), f"{variables}: no attribute at all")
            of_256 = [found for found in sequences if re.search(r"[34]8;5;\d+", found)]
            of_16 = [found for found in sequences if re.search(r"(?<![0-9;])(3|4|9|10)[0-7](?![0-9])", found)]
            check_equal(f"{variables}: colours ({sequences[:8]})", "256" if of_256 else "16" if of_16 else None, expected)
            terminal.keys("q")
            terminal.wait_for_shell()


ANY_KEYS = ["Up", "Down", "Left", "Right", "PgUp", "PgDn", "Home", "End", "Tab", "BTab", "Enter", "Escape", "BSpace", "Space", "F1", "F3", "F6",
            "F7", "DC", "IC", "C-l", "C-u", "C-b", "C-f", "M-x", *"jkbfgG0129cim!pth?/nNsRvVoxKUurF+-<>[]{}.,=dzBA[(*\\PwyCWMLOSHDXTé…"]
ANY_SIZES = [(80, 24), (120, 40), (40, 10), (41, 11), (59, 13), (60, 14), (79, 19), (20, 5), (3, 2), (240, 70)]


@test
def any_keys_in_any_size(env):
    """Keys and sizes at random do no harm. SEED=N repeats a run."""
    seed = int(os.environ.get("SEED") or time.time_ns() % 1000000)
    dice = random.Random(seed)
    with Target(env) as target, Terminal(env) as terminal:
        nettop = terminal.start_nettop(target.pid, delay_s=0.1)
        for step in range(60):
            if step % 6 == 0:
                terminal.resize(*dice.choice(ANY_SIZES))
            terminal.keys(*dice.choices(ANY_KEYS, k=8))
            check(terminal.nettop_pid() == nettop, f"SEED={seed}: nettop has ended: {terminal.show()}")
        check(terminal.in_full_screen(), f"SEED={seed}: not in full screen: {terminal.show()}")
        terminal.resize(80, 24)
        terminal.keys("C-c")
        terminal.wait_for_shell(f"SEED={seed}: Ctrl-C ends nettop")
        check(terminal.is_restored(), f"SEED={seed}: the terminal is not as before: {terminal.show()}")
        check_equal(f"SEED={seed}: exit status", terminal.last_status(), 0)
    return f"SEED={seed}"


def nettop_without_terminal(env, *arguments, variables=None, seconds=20):
    """Output, messages and status of a nettop whose input and output are no terminals."""
    done = subprocess.run([env.nettop, *map(str, arguments)], env={**os.environ, "LC_ALL": "C.UTF-8", **(variables or {})}, timeout=seconds,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return done.stdout, done.stderr, done.returncode


@test
def no_terminal_gives_text_frames(env):
    with Target(env) as target:
        text, messages, status = nettop_without_terminal(env, "-p", target.pid, "-d", 0.2, "-n", 2)
        check_equal("exit status", status, 0)
        check_equal("messages", messages, "nettop: no terminal: text frames instead of the screen (-b)\n")
        check_equal("frames", len(re.findall(rf"^\S+  nettop {target.pid} ", text, re.M)), 2)
        check("\x1b" not in text, "escape sequences in text frames")
        text, messages, status = nettop_without_terminal(env, "-b", "-p", target.pid, "-d", 0.2, "-n", 1)
        check_equal("messages with -b", messages, "")


@test
def a_table_is_sorted_from_the_start(env):
    """By the column that the command line says: on the screen, where it is shown for that if it is not usually, in text and in JSON."""
    with Target(env) as target, Terminal(env, *TALL) as terminal:
        terminal.start_nettop(target.pid, "--sort", "total_pct", "--sort", "threads.user_pct")
        terminal.wait_for("TOTAL%↓", "the methods by TOTAL%")
        terminal.keys("4")
        terminal.wait_for("USER%↓", "the threads by a column that is not usually there")
        terminal.keys("q")
        terminal.wait_for_shell()
        text, messages, status = nettop_without_terminal(env, "-b", "-p", target.pid, "--sort", "total_pct", "-d", 1, "-n", 2)
        check_equal("exit status", (status, messages), (0, ""))
        totals = [float(total) for total in re.findall(r"^[ !] +\d+\.\d +(\d+\.\d) ", text.split("interval")[-1], re.M)]
        check_equal("methods as text", totals, sorted(totals, reverse=True))
        check(len(totals) > 1, f"rows of methods: {text}")
        lines, messages, status = nettop_without_terminal(env, "--json", "-p", target.pid, "--sort", "total_pct", "--sort", "threads.tid", "-d", 1, "-n", 2)
        check_equal("exit status", (status, messages), (0, ""))
        line = json.loads(lines.strip().split("\n")[1])
        totals = [row["total_pct"] or 0 for row in line["methods"]]
        check_equal("methods", [round(total, 1) for total in totals], sorted((round(total, 1) for total in totals), reverse=True))
        tids = [row["tid"] for row in line["thread_rows"]]
        check_equal("threads", tids in (sorted(tids), sorted(tids, reverse=True)), True)


@test
def terminals_without_a_screen_get_text_frames(env):
    with Target(env) as target, Terminal(env, *TALL) as terminal:
        for term, why in (("dumb", "the terminal type 'dumb' cannot move its cursor"), ("", "TERM names no terminal"), (None, "TERM names no terminal"),
                          ("no-such-terminal", "the terminal type 'no-such-terminal' is not known here (if it is like an xterm: TERM=xterm-256color)")):
            terminal.run(env.nettop, "-p", target.pid, "-d", 0.2, "-n", 1, variables={"TERM": term})
            terminal.wait_for(f"nettop: {why}: text frames instead of the screen (-b)")
            terminal.wait_for(f"nettop {target.pid} ")
            terminal.wait_for_shell()
            check_equal("exit status", terminal.last_status(), 0)
            check(terminal.is_restored(), f"the terminal is not as before: {terminal.show()}")
            terminal.run("clear", variables={"TERM": "vt100"})
            terminal.wait_for(lambda screen: screen.strip() == "ready>", "a clear screen")


@test
def a_terminal_newer_than_terminfo_gets_the_screen(env):
    """One whose name says that it is like an xterm, as over ssh to an older server."""
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid, variables={"TERM": "xterm-not-yet-known"})
        terminal.wait_for("[1 Methods]")
        terminal.keys("q")
        terminal.wait_for_shell()
        check(terminal.is_restored(), "the terminal is not as before")


@test
def wide_screens_have_two_panels(env):
    """Methods with waits beside them; the stack of whichever thread is selected. Narrower, the table has all of it again."""
    env.need_commands("dotnet")
    with Waiting(env) as work, Terminal(env, 170, 45) as terminal:
        terminal.start_nettop(work.pid)
        terminal.wait_for(lambda screen: re.search(r"METHOD.*WAIT s/s.*8 waits *$", screen, re.M), "methods, and waits beside them", 30)
        terminal.keys("4")
        stack = re.compile(r"^.{30,} STACK OF THREAD (\d+) *$", re.M)
        terminal.wait_for(lambda screen: stack.search(screen) and re.search(r"< .*\.For", screen), "what threads wait for, and the stack of the selected one", 30)
        terminal.keys("Space")
        terminal.wait_for("PAUSED")
        seen = {}
        for _ in range(16):
            screen = terminal.screen()
            tid = stack.search(screen)[1]
            seen[tid] = [line[107:].strip() for line in screen.split("\n") if line[107:].strip().startswith(">")]
            terminal.keys("j")
            if not wait_until_other(terminal, stack, tid):
                break
        check(len(seen) > 3, f"the stack does not follow the selected row: {seen}")
        check(any(".For" in frame for frames in seen.values() for frame in frames), f"no stack leads to where the program waits: {seen}\n{terminal.show()}")
        terminal.resize(150, 45)
        terminal.wait_for(lambda screen: "STACK OF THREAD" not in screen and "[4 Threads]" in screen, "one panel")
        terminal.keys("q")
        terminal.wait_for_shell()


def wait_until_other(terminal, pattern, text):
    """Until the pattern has found something else; False: it does not, within two seconds."""
    try:
        terminal.wait_for(lambda screen: pattern.search(screen) and pattern.search(screen)[1] != text, "another one", 2)
    except OutOfLimit:
        return False
    return True


@test
def wrong_command_lines(env):
    with Target(env) as target:
        for arguments, status, sentence in (
                (("-p", ""), 2, "which process? Give its pid or name: nettop -p PID"),
                (("-p", target.pid, "--colour"), 2, "there is no option '--colour'; see nettop --help"),
                (("-p", target.pid, "-d", "soon"), 2, "--delay 'soon' is not a number from 0.1 to 3600 (seconds)"),
                (("-p", "no-such-name-here"), 1, "no process is named no-such-name-here"),
                (("-p", 2 ** 22 + 7), 1, f"process {2 ** 22 + 7}"),
                (("-p", "0"), 2, "0 is not a pid"),
        ):
            output, messages, code = nettop_without_terminal(env, *arguments)
            check_equal(f"nettop {arguments}: exit status ({messages.strip()})", code, status)
            check_equal(f"nettop {arguments}: output", output, "")
            problems = [line for line in messages.splitlines() if "text frames instead" not in line]
            check(len(problems) == 1 and problems[0].startswith("nettop: ") and sentence in problems[0],
                  f"nettop {arguments}: said {messages!r}, expected: {sentence}")


@test
def target_gone_between_frames_ends_batch_with_4(env):
    with Target(env) as target, Terminal(env, *TALL) as terminal:
        terminal.run(env.nettop, "-b", "-p", target.pid, "-d", 0.2)
        terminal.wait_for(f"nettop {target.pid} ")
        target.kill()
        terminal.wait_for(re.compile(rf"^nettop: target {target.pid} .* ended: killed by SIGKILL$", re.M))
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 4)


@test
def a_condition_that_nobody_judges(env):
    """It is said while somebody looks on; at the end it would be too late."""
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid, "--source", "procfs", "--on", "gc.pause>200ms=exit")
        terminal.wait_for("--on: gc.pause_max_ns is not known")


@test
def what_the_terminal_moved_is_what_is_painted(env):
    """Rows of the minutes are moved by the terminal with each interval: they have to be where nettop thinks that they are."""

    def heat_map(screen):
        return [line for line in screen.split("\n") if re.match(r" +(\d+ms|0) ", line)]

    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        terminal.keys("m")
        terminal.wait_for(lambda screen: len(heat_map(screen)) == 10 and len(heat_map(screen)[-1].split()[-1]) > 30, "a picture that has moved some times", 60)
        terminal.keys("Space")
        terminal.wait_for("PAUSED")
        moved = heat_map(terminal.screen())
        terminal.keys("C-l", "%")
        terminal.wait_for("No such key here", "it is painted anew")
        check_equal("the rows, painted", heat_map(terminal.screen()), moved)


if __name__ == "__main__":
    main(without_root=True)
