#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop without a process: the list of all of them, in a real terminal. There may be others' processes in it: a test looks for its own."""
import os
import re
import signal

from nt_pty import *
from nt_live.bare import open_files

FIRST_ROW = 2  # of a screen of 24 lines: header, titles, then rows


def start_list(terminal, env, *options):
    terminal.run(env.nettop, *options)
    terminal.wait_for(lambda screen: re.match(r"nettop  \d\d:\d\d:\d\d  \d+ \.NET process", screen) and terminal.in_full_screen(), "the list stands on the screen")


def row_of(screen, pid):
    """The number of the line, and its text; None when it is not there."""
    return next(((at, line) for at, line in enumerate(screen.split("\n")) if re.match(rf"[!. ]\s*{pid} ", line)), None)


def selected_line(terminal):
    lines = [at for at, look in enumerate(terminal.looks()) if FIRST_ROW <= at < 23 and look.has_background()]
    return lines[0] if len(lines) == 1 else None


def select(terminal, pid):
    """The cursor on the row of this process; it stays on it from then on, unless that is the first line and nobody has moved it."""
    terminal.wait_for(lambda screen: row_of(screen, pid), f"the row of {pid}")
    for _ in range(40):
        before = terminal.screen()
        at = row_of(before, pid)[0]
        here = terminal.wait_for(lambda _: selected_line(terminal), "a selected row")
        if terminal.screen() != before:
            continue  # rows change places, and this is the line of another one by now
        if at == here:
            return
        terminal.keys("Down" if here < at else "Up")
        terminal.wait_for(lambda screen, here=here: selected_line(terminal) != here or (row_of(screen, pid) or (None,))[0] == here, "the cursor moves")
    raise Failure(f"the row of {pid} cannot be selected:\n{terminal.show()}")


def wait_for_process(terminal, pid):
    terminal.wait_for(lambda screen: screen.startswith(f"{pid} ") and "[1 Methods]" in screen, f"process {pid} is watched")


@test
def from_the_list_and_back(env):
    with Target(env) as target, Terminal(env, 120) as terminal:
        start_list(terminal, env, "-d", 0.5)
        terminal.wait_for(lambda screen: re.search(r" \d+\.\d ", (row_of(screen, target.pid) or (0, ""))[1]), "a share of CPU in its row")
        for back in ("q", "O"):
            select(terminal, target.pid)
            terminal.keys("Enter")
            wait_for_process(terminal, target.pid)
            wait_for_methods(terminal, target)
            terminal.keys("Escape")
            terminal.wait_for(lambda screen: context_line(screen).startswith("q goes back to the list"), "Esc at the top says where q leads")
            terminal.keys(back)
            terminal.wait_for(lambda screen: screen.startswith("nettop  "), f"{back} leads back to the list", 30)
            # Rows change places, also between two looks at the screen.
            terminal.wait_for(lambda screen: (row_of(screen, target.pid) or (None,))[0] == selected_line(terminal), "its row is the selected one")
        terminal.keys("q")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 0)
        check(terminal.is_restored(), f"the terminal is not as before:\n{terminal.show()}")
        check_equal("folders left behind", [path.name for path in terminal.temporary.glob("nettop-*")], [])


@test
def one_that_ends(env):
    with Target(env) as target, Terminal(env, 120) as terminal:
        start_list(terminal, env, "-d", 0.5)
        select(terminal, target.pid)
        terminal.keys("F")  # nobody has moved the cursor, so it stays on the first line, whoever comes there
        target.kill()
        terminal.wait_for(lambda screen: (row_of(screen, target.pid) or (0, ""))[1].startswith("."), "its row is marked with a point")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: context_line(screen).startswith("This process has ended"), "Enter says why it cannot be opened")
        terminal.wait_for(lambda screen: not row_of(screen, target.pid), "its row leaves")
        terminal.keys("C-c")
        terminal.wait_for_shell()


@test
def several_that_are_watched(env):
    """-p PID,PID: a row each, with the rest of the machine; one is opened and left; one is killed, and the next of its command takes it up."""
    with Target(env, named="several") as one, Target(env, named="several") as other, Terminal(env, 160) as terminal:
        start_list(terminal, env, "-d", 0.5, "-p", f"{one.pid},{other.pid}")
        for target in (one, other):
            terminal.wait_for(lambda screen, target=target: re.search(r" \d+\.\d ", (row_of(screen, target.pid) or (0, ""))[1]), "a share of CPU in its row")
        terminal.wait_for(lambda screen: "(all others)" in screen and "(idle)" in screen, "the rest of the machine")
        select(terminal, one.pid)
        terminal.keys("Enter")
        wait_for_process(terminal, one.pid)
        wait_for_methods(terminal, one)
        terminal.keys("q")
        terminal.wait_for(lambda screen: screen.startswith("nettop  ") and row_of(screen, one.pid), "q leads back to the list", 30)
        other.kill()
        terminal.wait_for(lambda screen: re.match(r"\.\s*\d+ .* killed by SIG", (row_of(screen, other.pid) or (0, ""))[1]), "its row says how it ended")
        with Target(env, named="several") as successor:
            terminal.wait_for(lambda screen: re.search(r"[! ]\s*\d+ .* 1( |$)", (row_of(screen, successor.pid) or (0, ""))[1]) and not row_of(screen, other.pid), "the next one takes its row up")
        terminal.keys("q")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 0)
        check_equal("folders left behind", [path.name for path in terminal.temporary.glob("nettop-*")], [])


@test
def one_that_stands_still(env):
    """A stopped process is listed, opened and left as any other."""
    with Target(env) as target, Terminal(env, 120) as terminal:
        target.signal(signal.SIGSTOP)
        try:
            start_list(terminal, env, "-d", 0.5)
            select(terminal, target.pid)
            terminal.keys("Enter")
            wait_for_process(terminal, target.pid)
            terminal.keys("2")
            terminal.wait_for("[2 GC]")
            terminal.keys("q")
            terminal.wait_for(lambda screen: screen.startswith("nettop  "), "back in the list", 30)
            terminal.keys("q")
            terminal.wait_for_shell()
        finally:
            target.signal(signal.SIGCONT)


def perf_events(pid):
    return sum("perf_event" in name for name in open_files(pid))


@test
def what_runs_in_each(env):
    """The list of two that are watched: on a wide screen the hottest method of each, sampled only while there is room for it."""
    with Target(env, named="wide") as one, Target(env, named="wide") as other, Terminal(env, 200, 24) as terminal:
        terminal.run(env.nettop, "-p", f"{one.pid},{other.pid}", "-d", 0.5)
        for pid in (one.pid, other.pid):
            terminal.wait_for(lambda screen, pid=pid: "HOT METHOD" in screen and (row_of(screen, pid) or ("", ""))[1].count(one.hot), f"what runs in {pid}", 30)
        terminal.resize(120, 24)
        terminal.wait_for(lambda screen: "HOT METHOD" not in screen and row_of(screen, one.pid) and not perf_events(terminal.nettop_pid()), "no room for it, and no samples", 30)
        terminal.resize(200, 24)
        terminal.wait_for(lambda screen: (row_of(screen, one.pid) or ("", ""))[1].count(one.hot) and perf_events(terminal.nettop_pid()), "both again", 30)
        terminal.keys("q")
        terminal.wait_for_shell()


@test
def sizes_and_signals(env):
    with Target(env) as target, Terminal(env) as terminal:
        start_list(terminal, env, "-d", 0.2)
        for columns, lines in ((120, 40), (60, 20), (40, 10), (80, 24)):
            terminal.resize(columns, lines)
            terminal.wait_for(lambda screen, columns=columns, lines=lines: len(screen.rstrip("\n").split("\n")) == lines and
                              len(identity(screen)) == columns and identity(screen).endswith("LIVE") and row_of(screen, target.pid) and position(screen),
                              f"a full frame at {columns}x{lines}")
        terminal.keys("C-z")
        terminal.wait_for_shell("suspended")
        terminal.run("fg")
        terminal.wait_for(lambda screen: screen.startswith("nettop  ") and terminal.in_full_screen(), "back in the list after fg")
        terminal.keys("2")
        terminal.wait_for(lambda screen: context_line(screen).startswith("No such key here"), "2 is a screen of one process")
        os.kill(terminal.nettop_pid(), signal.SIGTERM)
        terminal.wait_for_shell()
        check(terminal.is_restored(), f"the terminal is not as before:\n{terminal.show()}")


if __name__ == "__main__":
    main(without_root=True)
