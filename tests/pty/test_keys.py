#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every key of the key table, pressed in a real terminal. Live numbers are checked by shape only: what must be exact is in the golden screens."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree

from nt_pty import *
from nt_live import wait_until
from nt_live.workload import Holding, Waiting

ELSEWHERE = ("W", "Z")  # test_settings.py, test_themes.py


@test
def every_key_has_a_test(_env):
    check_equal("keys of doc/nettop.1 that no test here presses", [key for key in keys_without_a_test() if key not in ELSEWHERE], [])
    check_equal("keys that tests press and doc/nettop.1 does not have", keys_not_in_the_manual(), [])


@presses("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "c", "i", "R", "Tab", "Shift-Tab")
def screens(env, press):
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        for key, tab, content in (("2", "[2 GC]", "GEN"), ("3", "[3 JIT]", "TRIGGER"), ("4", "[4 Thr", "ROLE"), ("5", "[5 Alloc]", "SHARE%"), ("6", "[6 Exc", "THROWN AT"),
                                  ("7", "[7 Lock", "WAITED FOR AT"), ("8", "[8 Wait", "BLOCKED AT"), ("9", "[9]", "what nettop has anyway"), ("0", "[0 S", "SOURCE"), ("c", "[c]", "COUNTER"), ("i", "[i]", "PATH"), ("R", "[R]", "no ASP.NET Core"),
                                  ("1", "[1 Methods]", "SELF%")):
            press(terminal, key)
            terminal.wait_for(lambda screen, tab=tab, content=content: tab in screen and content in screen, f"{key}: {tab} with {content}")
        press(terminal, "Tab")
        terminal.wait_for("[2 GC]", "Tab goes to the next screen")
        press(terminal, "Shift-Tab")
        terminal.wait_for("[1 Methods]", "Shift-Tab goes back")
        press(terminal, "0")
        terminal.wait_for(re.compile(r"^.{0,3}procfs\s+delivering", re.M))
        terminal.wait_for(re.compile(r"^.{0,3}perf\s+delivering", re.M), "perf delivers")


@presses("Up", "k", "Ctrl-P", "Ctrl-K", "Ctrl-Y", "Down", "j", "Ctrl-N", "Ctrl-E", "g", "G", "Enter", "Right", "Esc", "Left", "Backspace")
def rows(env, press):
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        terminal.wait_for(lambda screen: len(body(screen)) > 3, "some rows", 30)
        terminal.keys("Space")  # rows stand still
        terminal.wait_for("PAUSED")
        first = selected_row(terminal)
        check(first is not None, f"no row is marked as selected:\n{terminal.show()}")
        for key, row in (("Down", 1), ("j", 2), ("k", 1), ("Up", 0), ("Ctrl-N", 1), ("Ctrl-P", 0), ("Ctrl-E", 1), ("Ctrl-Y", 0), ("j", 1), ("Ctrl-K", 0), ("j", 1), ("g", 0)):
            press(terminal, key)
            terminal.wait_for(lambda _, row=row: selected_row(terminal) == first + row, f"{key} goes to row {row}")
        for into, out in (("Enter", "Esc"), ("Right", "Left"), ("Enter", "Backspace")):
            press(terminal, into)
            terminal.wait_for(re.compile("CALLE[ER]S OF"), f"{into} shows the method's call tree")
            press(terminal, into)
            terminal.wait_for("DETAIL OF ONE ROW", f"{into} again shows the method in full")
            press(terminal, out)
            terminal.wait_for(re.compile("CALLE[ER]S OF"), f"{out} leads back to the tree")
            press(terminal, out)
            terminal.wait_for(lambda screen: "CALLE" not in screen and "SELF%" in screen, f"{out} leads back to the methods")
        press(terminal, "Esc")
        terminal.wait_for(lambda screen: context_line(screen).startswith("q quits"), "Esc at the top says what quits")
        press(terminal, "G")
        terminal.wait_for(lambda screen: position(screen) and position(screen)[1] == position(screen)[2], "G goes to the last row")


@presses("a", "Tab", "Shift-Tab", "n", "N", "Esc")
def code_of_a_method(env, press):
    """A hot line has the cursor; further ones are where Tab and n go."""
    hot = re.compile(r"^!? +\d+\.\d +█.* [\da-f]+ +[a-z]", re.M)

    def selected(terminal):
        row = selected_row(terminal, first=10)  # below the two lines of the method and the titles
        return "" if row is None else terminal.lines()[row]

    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        terminal.type("/" + target.hot)
        terminal.keys("Enter", "g")
        # The filter also leaves functions that were called by it, until they have names of their own.
        terminal.wait_for(lambda screen: body(screen) and target.hot in body(screen)[0], "the method is the first row", 30)
        press(terminal, "a")
        terminal.wait_for(lambda screen: "INSTRUCTION" in screen and target.hot in screen and hot.search(screen), "its instructions, the hot ones with a bar", 30)
        press(terminal, "Esc")
        terminal.wait_for(lambda screen: "METHOD" in screen and "INSTRUCTION" not in screen, "Esc leads back")
        terminal.keys("a")
        terminal.wait_for(hot, "and again", 30)
        terminal.keys("Space")  # rows stand still
        terminal.wait_for("PAUSED")
        terminal.wait_for(lambda _: hot.match(selected(terminal)), "the cursor is on a hot instruction")
        for key in ("Tab", "n", "N", "Shift-Tab"):
            press(terminal, key)
            terminal.wait_for(lambda _: selected(terminal).startswith("!"), f"{key} goes to a hot one")
        terminal.keys("a")
        terminal.wait_for("METHOD", "a leads back, too")
        return terminal.lines()[0]


@presses("?", "h", "F1", "PgUp", "b", "Ctrl-B", "PgDn", "f", "Ctrl-F", "Ctrl-V", "Home", "g", "End", "G", "Up", "Down")
def help_and_pages(env, press):
    """The help is longer than a screen, whatever the target does."""
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        for key in ("h", "F1", "?"):
            press(terminal, key)
            terminal.wait_for(lambda screen: "MOVE" in screen and "SCREENS" in screen, f"{key} shows the keys")
            if key != "?":
                terminal.keys("Escape")
                terminal.wait_for(lambda screen: "SELF%" in screen and "PgUp" not in screen, "Esc closes the help")
        first, page, lines = position(terminal.screen())
        check(first == 1 and lines > 2 * page, f"the help has no three pages:\n{terminal.show()}")
        last = lines - page + 1
        for key, top in (("Down", 2), ("Up", 1), ("PgDn", 1 + page), ("PgUp", 1), ("f", 1 + page), ("b", 1), ("Ctrl-F", 1 + page), ("Ctrl-B", 1), ("Ctrl-V", 1 + page),
                         ("End", last), ("Home", 1), ("G", last), ("g", 1)):
            press(terminal, key)
            terminal.wait_for(lambda screen, top=top: position(screen) == (top, top + page - 1, lines), f"{key}: the first line is {top}")


@presses("O")
def list_of_processes(env, press):
    """From a process that was named; with more in it: test_list.py."""
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        press(terminal, "O")
        terminal.wait_for(lambda screen: screen.startswith("nettop  ") and f"{target.pid} " in screen, "the list, with this process in it", 30)
        terminal.keys("q")
        terminal.wait_for_shell()


@presses("Y", "m", "=")
def screen_of_the_one_before(env, press):
    """One of a list is opened and killed: who begins in its place is watched next, and the last screen of the other can still be looked at."""
    with Target(env, named="followed") as one, Target(env, named="followed") as other, Terminal(env, 120) as terminal:
        terminal.run(env.nettop, "-p", f"{one.pid},{other.pid}", "-d", 0.5)
        terminal.wait_for(lambda screen: screen.startswith("nettop  ") and f"{one.pid} " in screen and f"{other.pid} " in screen, "the list")
        for _ in range(10):
            terminal.keys("Enter")
            terminal.wait_for(lambda screen: "[1 Methods]" in screen, "one is opened")
            if terminal.screen().startswith(f"{one.pid} "):
                break
            terminal.keys("q")
            terminal.wait_for(lambda screen: screen.startswith("nettop  "), "the list", 30)
            terminal.keys("j")
        wait_for_methods(terminal, one)
        press(terminal, "Y")
        terminal.wait_for(lambda screen: context_line(screen).startswith("No process was watched before this one"), "there is none before it")
        one.kill()
        terminal.wait_for(lambda screen: "ENDED" in screen.split("\n")[0], "its end")
        with Target(env, named="followed") as successor:
            terminal.wait_for(lambda screen: screen.startswith(f"{successor.pid} ") and "LIVE" in screen.split("\n")[0], "who took its place is watched", 20)
            terminal.wait_for(lambda screen: context_line(screen).startswith(f"{one.pid} ") and "has ended: killed by SIGKILL" in screen, "that is said")
            press(terminal, "Y")
            terminal.wait_for(lambda screen: screen.startswith(f"{one.pid} ") and "ENDED" in screen.split("\n")[0], "the last screen of the one before")
            terminal.keys("2")
            terminal.wait_for(lambda screen: "[2 GC]" in screen and screen.startswith(f"{one.pid} "), "its other screens can be looked at")
            press(terminal, "m")
            terminal.wait_for(lambda screen: "QUARTER OF AN HOUR" in screen, "its minutes")
            terminal.keys("Up")
            press(terminal, "=")
            terminal.wait_for(lambda screen: context_line(screen).startswith("Kept."), "a span of it is kept")
            press(terminal, "Y")
            terminal.wait_for(lambda screen: context_line(screen).startswith("The span that was kept"), "which = compares with in its successor")
            press(terminal, "m")
            terminal.wait_for(lambda screen: "of the process before this one" in screen, "that is said among its minutes")
            terminal.keys("Up")
            press(terminal, "=")
            terminal.wait_for(lambda screen: f"of process {one.pid}" in screen and "CHANGE%" in screen, "one process against the other")
            press(terminal, "=")
            terminal.keys("Escape", "Escape", "Space", "1")
            terminal.wait_for(lambda screen: screen.startswith(f"{successor.pid} ") and "[1 Methods]" in screen, "and back")
            wait_for_methods(terminal, successor)
        terminal.keys("q")
        terminal.wait_for(lambda screen: screen.startswith("nettop  "), "q leads to the list", 30)
        terminal.keys("q")
        terminal.wait_for_shell()
        check_equal("folders left behind", [path.name for path in terminal.temporary.glob("nettop-*")], [])


@presses(",", ".")
def speed_of_a_recording(env, press):
    """What else a recording has and has not: test_replay_screen.py."""
    path = env.scratch / "speed.nettop"
    path.unlink(missing_ok=True)
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        press(terminal, ".")
        terminal.wait_for(lambda screen: "Only a recording has a speed" in context_line(screen), "where it belongs")
        terminal.keys("q")
        terminal.wait_for_shell()
        subprocess.run([str(env.nettop), "record", "-p", str(target.pid), "-o", str(path), "--duration", "3"], capture_output=True, timeout=60, check=True)
        terminal.run(env.nettop, "replay", path, "--no-config")
        terminal.wait_for(lambda screen: "REPLAY" in identity(screen), "the recording is shown")
        terminal.keys("Space")  # its end would hide the speed
        terminal.wait_for("PAUSED")
        for key in (",", ",", ","):
            press(terminal, key)
        terminal.keys("Space")
        terminal.wait_for(lambda screen: identity(screen).endswith("REPLAY x0.125"), "an eighth")
        for key in ".....":
            press(terminal, key)
        terminal.wait_for(lambda screen: identity(screen).endswith("x4") or "END OF RECORDING" in identity(screen), "four times")


@presses("J", "A", "X")
def keys_of_later(env, press):
    """They do nothing yet, and say so: in the context line, and in the log."""
    with Target(env) as target, Terminal(env, 120, 50) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        for key in "JAX":
            press(terminal, key)
        terminal.wait_for(lambda screen: context_line(screen).startswith("X: not in this version; comes with "), "the last one says what it comes with")
        check("[1 Methods]" in terminal.screen(), f"one of them leads away:\n{terminal.show()}")
        terminal.keys("L")
        terminal.wait_for(lambda screen: "LOG" in screen and re.findall(r"nettop (\S): not in this version; comes with", screen) == list("JAX"),
                          "so did each of them")


@presses("L")
def log(env, press):
    """What nettop said; what a program said: test_run_screen.py."""
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        terminal.keys("%")
        terminal.wait_for("No such key here")
        press(terminal, "L")
        terminal.wait_for(re.compile(r"^ \d\d:\d\d:\d\d nettop No such key here", re.M))
        press(terminal, "L")
        terminal.wait_for("SELF%", "L closes it")


@presses("S")
def stacks_of_all_threads(env, press):
    """What each says of which thread: test_threads.py in tests/live, which reads the same from `nettop threads`."""
    with Target(env) as target, Terminal(env, 120, 50) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        press(terminal, "S")
        terminal.wait_for(lambda screen: "STACKS OF ALL THREADS" in screen and re.search(r"^\d+ threads, (up to )?\d+ of them managed", screen, re.M), "the page with how many there are")
        press(terminal, "S")
        terminal.wait_for("SELF%", "S closes it")


def time_of_look(screen):
    """When the heap was looked at that the screen shows; None = it shows none."""
    time = re.search(r"\d{4}-\d\d-\d\dT[\d:.]+", screen)
    return time and time[0]


@presses("H")
def heap_by_type(env, press):
    """Whether the counts are right: test_heap.py in tests/live."""
    env.need_commands("dotnet")  # the stand-in for a runtime has no heap
    with Target(env) as target, Terminal(env, 120, 50) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        press(terminal, "H")
        terminal.wait_for(lambda screen: "HEAP BY TYPE" in screen and "stands still for a full collection" in screen and "Enter looks at the heap" in screen, "what it does, first")
        check("BYTES%" not in terminal.screen(), f"it was looked at already:\n{terminal.show()}")
        terminal.keys("Escape")
        terminal.wait_for("SELF%", "Esc closes it")
        terminal.keys("H")
        terminal.wait_for("Enter looks at the heap")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: "BYTES%" in screen and re.search(r"^ +\d+\.\d +\S+ +\S+ +\S+  string$", screen, re.M), "types, among them string", 30)
        press(terminal, "H")
        terminal.wait_for("SELF%", "H closes it")
        terminal.keys("H")
        terminal.wait_for(lambda screen: "Enter looks at the heap" in screen or "BYTES%" in screen, "what was seen is there still")
        terminal.keys("Enter")
        terminal.wait_for("Compared with", "what grew since", 30)
        terminal.keys("Escape")
        terminal.wait_for("SELF%")
        terminal.keys("H")
        terminal.wait_for("v also at who holds")
        before = time_of_look(terminal.screen())
        terminal.keys("v")
        terminal.wait_for(lambda screen: "Compared with" in screen and time_of_look(screen) != before, "what was seen now, not before", 30)
        terminal.keys("G")
        terminal.wait_for(lambda screen: "Who holds the" in screen and "HELD BY, AND THAT BY" in screen, "paths, at the end of the page", 10)


@presses("D")
def core_dump(env, press):
    """What is in one: test_dump.py and test_core.py in tests/live."""
    env.need_commands("dotnet")  # the stand-in for a runtime writes none
    with Target(env) as target, Terminal(env, 120, 50) as terminal:
        folder = pathlib.Path(tempfile.mkdtemp(dir=env.scratch))  # empty, also when this is tried again
        terminal.run("cd", folder)
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        press(terminal, "D")
        terminal.wait_for(lambda screen: re.search(r"^ > 1  full +all memory", screen, re.M) and "stands still until its runtime has written" in screen and "Enter has it written" in screen,
                          "what it does, first")
        terminal.keys("3")
        terminal.wait_for(lambda screen: re.search(r"^ > 3  mini", screen, re.M) and "Enter has it written" in screen, "another kind, with its price")
        name = re.search(r"The file: (\S+)", terminal.screen())[1]
        terminal.keys("Escape")
        terminal.wait_for("SELF%", "Esc closes it")
        check_equal("what was written", os.listdir(folder), [])
        terminal.keys("D")
        terminal.wait_for(lambda screen: re.search(r"^ > 3  mini", screen, re.M) and "Enter has it written" in screen, "the kind that was chosen last")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: f"Written: {name}" in screen, "it is written", 60)
        check_equal("what was written, and nothing besides", os.listdir(folder), [name])
        with open(folder / name, "rb") as core:
            check_equal("what it is", core.read(4), b"\x7fELF")
        check_equal("who may read it", (folder / name).stat().st_mode & 0o777, 0o600)
        press(terminal, "D")
        terminal.wait_for("SELF%", "D closes it")
        terminal.keys("D")
        terminal.wait_for(lambda screen: "The file: " in screen and "Enter has it written" in screen, "another one may be had")
        check("The file: " + name not in terminal.screen(), f"it would take the other one's place:\n{terminal.show()}")


def sessions(pid):
    """How many sessions its runtime streams events to: each has a thread."""
    return sum(task.joinpath("comm").read_text(encoding="utf-8").startswith(".NET EventPipe") for task in pathlib.Path(f"/proc/{pid}/task").iterdir())


@test
def a_look_at_the_heap_is_left(env):
    """Esc while the process is asked for its heap: no session of that is left, the process goes on, and nettop, too; and what the page says when it has ended."""
    env.need_commands("dotnet")
    with Holding(env) as work, Terminal(env, 120, 50) as terminal:
        orders = work.do("fill 300", 120)["orders"]
        terminal.start_nettop(work.pid)
        terminal.wait_for("SELF%")
        usual = None

        def settled():
            nonlocal usual
            before, usual = usual, sessions(work.pid)
            return before == usual
        wait_until(settled, 30, "as many sessions as before", step=1)
        terminal.keys("H")
        terminal.wait_for("Enter looks at the heap")
        terminal.keys("Enter")
        terminal.wait_for(re.compile(r"\[[#.]+\] \S+ objects, \S+ of some \S+ read"), "a bar that says how far it is", 30)
        terminal.keys("Escape")
        terminal.wait_for("SELF%", "Esc leaves the page")
        check_equal("orders of the process that goes on", work.do("grow 1", 60)["orders"], orders + 1)
        wait_until(lambda: sessions(work.pid) <= usual, 60, lambda: f"{usual} sessions as before, not {sessions(work.pid)}")
        terminal.keys("H")
        terminal.wait_for("Enter looks at the heap", "it can be begun anew")
        check("BYTES%" not in terminal.screen(), f"there is a heap that nobody waited for:\n{terminal.show()}")
        terminal.keys("Enter")
        terminal.wait_for("BYTES%", "what is there", 60)
        terminal.keys("Escape")
        work.quit(30)
        terminal.wait_for("SELF%")
        terminal.keys("H")
        terminal.wait_for(lambda screen: "has ended, and its heap with it" in screen and "BYTES%" in screen and "Enter looks" not in screen, "that it has ended, and what was seen", 30)


def in_threads(env, pid):
    """{a name of threads that do the same: the lines of their stack}, by `nettop threads --native`; of those that wait all the time, told whole."""
    done = subprocess.run([str(env.nettop), "threads", "--native", "--json", "-p", str(pid)], stdout=subprocess.PIPE, text=True, timeout=60, check=True)
    stacks = {}
    for group in json.loads(done.stdout)["groups"]:
        name = re.fullmatch(r"([a-z]+)-\d", group["threads"][0]["name"])
        if name and group["frames"] and not group["partial"]:
            stacks[name[1]] = [frame["method"] if frame["method"].startswith(f"{frame['module']}!") or not frame["module"] else f"{frame['module']}!{frame['method']}"
                               for frame in group["frames"]]
    return stacks


@presses("l")
def native_frames_are_those_of_nettop_threads(env, press):
    """Which are those that gdb sees: test_threads.py in tests/live."""
    with Waiting(env) as work, Terminal(env, 230, 700) as terminal:
        stacks = in_threads(env, work.pid)
        check(len(stacks) >= 8 and all(any(line.startswith("libc.so.6!") for line in lines) for lines in stacks.values()), f"stacks with native frames: {stacks}")

        def shown(screen):
            lines = [line.lstrip(" >") for line in screen.split("\n")]
            return {name for name, frames in stacks.items() if any(lines[i:i + len(frames)] == frames for i in range(len(lines)))}

        terminal.start_nettop(work.pid, "--source", "procfs,map,runtime")
        press(terminal, "l")
        terminal.wait_for("No such key here", "where no stack is, there is nothing to add frames to")
        terminal.keys("S")
        terminal.wait_for(lambda screen: "STACKS OF ALL THREADS" in screen and "Monitor.Enter_Slowpath" in screen, "stacks of managed frames", 30)
        check("libc.so.6!" not in terminal.screen(), f"native frames that nobody has asked for:\n{terminal.show()}")
        press(terminal, "l")
        terminal.wait_for(lambda screen: shown(screen) == set(stacks), "each stack as `nettop threads --native` has it", 60)
        press(terminal, "l")
        terminal.wait_for(lambda screen: "libc.so.6!" not in screen and "Monitor.Enter_Slowpath" in screen, "managed frames only")


@presses("<", ">", "I", "P", "M", "T", "s", "F6", "C")
def sorting_and_columns(env, press):
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        terminal.wait_for("SELF%↓")
        press(terminal, ">")
        terminal.wait_for("TOTAL%↓")
        press(terminal, "I")
        terminal.wait_for("TOTAL%↑")
        press(terminal, "P")
        terminal.wait_for("SELF%↓", "P sorts by CPU")
        press(terminal, "M")
        terminal.wait_for("No column of memory here")
        terminal.keys("2")
        press(terminal, "M")
        terminal.wait_for("AFTER↓", "M sorts by memory")
        press(terminal, "T")
        terminal.wait_for("PAUSE ms↓", "T sorts by time")
        terminal.keys("1")
        terminal.wait_for("[1 Methods]")
        terminal.keys(">")
        terminal.wait_for("TOTAL%↓")
        press(terminal, "<")
        terminal.wait_for(re.compile("SELF%[↓↑]"))
        for key in ("s", "F6"):
            press(terminal, key)
            terminal.wait_for(lambda screen: "SORT BY" in screen and "TOTAL%" in screen, f"{key} opens the sort menu")
            terminal.keys("Escape")
            terminal.wait_for(lambda screen: "SORT BY" not in screen, "Esc closes it")
        press(terminal, "C")
        terminal.wait_for(re.compile(r"^ \[x\] TOTAL% ", re.M), "C offers the columns")
        terminal.keys("Down", "Space")
        terminal.wait_for(re.compile(r"^ \[ \] TOTAL% ", re.M), "Space hides one")
        terminal.keys("Escape")
        terminal.wait_for(lambda screen: "SELF%" in screen and "TOTAL%" not in screen and body(screen), "the rows without it")


@presses("/", "\\", "&", "F3", "F4", "n", "N", "F")
def filtering(env, press):
    """Wide, because what is said of the rows finds no room beside the keys where there are more than a hundred."""
    with Target(env) as target, Terminal(env, 140, 24) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        terminal.wait_for(lambda screen: (rows_of(screen) or (0, 0))[1] > 3, "some rows", 30)
        word = target.hot.split(".")[-1]
        press(terminal, "/")
        terminal.wait_for(lambda screen: context_line(screen).startswith("/"), "the filter's prompt")
        terminal.type(word)
        terminal.wait_for(lambda screen: body(screen) and all(word.lower() in row.lower() for row in body(screen)), "only rows that match")
        terminal.keys("Enter")
        terminal.wait_for(re.compile(r"of \d+ \(\d+\)"), "the position says that rows are hidden")
        press(terminal, "F3")
        terminal.keys("C-u")
        terminal.type("no such method (")
        terminal.wait_for(lambda screen: "no such method (" in context_line(screen), "an invalid pattern stays as typed")
        terminal.keys("Escape")
        terminal.wait_for(lambda screen: rows_of(screen) and not re.search(r"of \d+ \(\d+\)", context_line(screen)), "Esc drops the filter")
        for key in ("\\", "&", "F4"):
            press(terminal, key)
            terminal.wait_for(lambda screen: context_line(screen).startswith("/"), f"{key}: the filter's prompt")
            terminal.keys("Escape")
            terminal.wait_for(lambda screen: not context_line(screen).startswith("/"), "no prompt")
        # Every row matches: the next match is the next row.
        terminal.keys("Space")
        terminal.wait_for("PAUSED")
        terminal.keys("g", "/")
        terminal.wait_for(lambda screen: context_line(screen).startswith("/"), "the filter's prompt again")
        terminal.keys(".")
        terminal.wait_for(lambda screen: context_line(screen).startswith("/ ."), "a filter that every row matches")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: rows_of(screen) and selected_row(terminal), "paused, with a filter")
        first = selected_row(terminal)
        press(terminal, "n")
        terminal.wait_for(lambda _: selected_row(terminal) == first + 1, "n goes to the next match")
        press(terminal, "N")
        terminal.wait_for(lambda _: selected_row(terminal) == first, "N goes back")
        press(terminal, "F")
        terminal.wait_for("following")


@presses("+", "-", "e", "E", "*", "v", "u")
def call_tree(env, press):
    """From the hot method up to the threads that run it."""
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        terminal.keys("/")
        terminal.type(target.hot.split(".")[-1])
        terminal.keys("Enter", "Enter")
        terminal.wait_for(tree_rows, "the share of the method by its call stacks", 30)
        terminal.keys("Space")  # rows stand still
        terminal.wait_for("PAUSED")
        if "CALLERS OF" in terminal.screen():  # of a method that called nothing so far
            terminal.keys("v")
            terminal.wait_for("CALLEES OF")
        press(terminal, "v")
        terminal.wait_for(lambda screen: "CALLERS OF" in screen and len(tree_rows(screen)) > 1, "v: who called it")
        press(terminal, "-")
        terminal.wait_for(lambda screen: len(tree_rows(screen)) == 1 and " + " in tree_rows(screen)[0], "- closes the first row")
        press(terminal, "+")
        terminal.wait_for(lambda screen: len(tree_rows(screen)) > 1 and " - " in tree_rows(screen)[0], "+ opens it")
        terminal.keys("-")
        terminal.wait_for(lambda screen: len(tree_rows(screen)) == 1, "one row again")
        press(terminal, "e")
        terminal.wait_for(lambda screen: any(re.search(r" t\d+ ", row) for row in tree_rows(screen)), "e opens all below it, up to the threads")
        press(terminal, "E")
        terminal.wait_for(lambda screen: len(tree_rows(screen)) == 1, "E closes what is all open")
        press(terminal, "*")
        terminal.wait_for(lambda screen: len(tree_rows(screen)) > 1, "* opens all")
        rows_folded = len(tree_rows(terminal.screen()))
        press(terminal, "u")
        terminal.keys("-")
        terminal.wait_for(lambda screen: len(tree_rows(screen)) == 1, "one row, unfolded")
        terminal.keys("e")
        terminal.wait_for(lambda screen: len(tree_rows(screen)) >= rows_folded, "u hides nothing")
        terminal.keys("Down", "x", "s")
        terminal.wait_for("subtree", "x s: the second row is at the top")
        terminal.keys("Escape")
        terminal.wait_for(lambda screen: "subtree" not in screen and tree_rows(screen), "Esc: the whole tree again")
        terminal.keys("Escape")
        terminal.wait_for(lambda screen: "SELF%" in screen and not tree_rows(screen), "Esc: the methods")


@presses("c", "+")
def counters_that_are_asked_for(env, press):
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        press(terminal, "c")
        terminal.wait_for("[c", "c: the counters")
        press(terminal, "+")
        terminal.wait_for(lambda screen: "ASK FOR" in screen and " [x] System.Net.Sockets" in screen, "+: whom the target is asked")
        terminal.keys("Space")
        terminal.wait_for(lambda screen: context_line(screen).startswith("System.Runtime is always"), "what other screens are told by stays")
        terminal.keys("Down", "Space")
        terminal.wait_for(lambda screen: " [ ] Microsoft.AspNetCore.Hosting" in screen and context_line(screen).startswith("The target is asked anew"),
                          "Space: one is left out, and it is said what that does")
        terminal.keys("G", "Enter")
        terminal.wait_for(lambda screen: context_line(screen).startswith("EventSource or Meter:"), "the last line asks for a name")
        terminal.type("a;b")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: context_line(screen).startswith("Not asked for: the list has a name with"), "a name that the runtime would not understand")
        terminal.keys("Enter")
        terminal.type("Shop.Orders")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: " [x] Shop.Orders" in screen, "another one")
        press(terminal, "+")
        terminal.wait_for(lambda screen: "ASK FOR" not in screen, "+ closes the menu")
        press(terminal, "c")
        press(terminal, "+")
        terminal.wait_for(lambda screen: " [x] Shop.Orders" in screen and " [ ] Microsoft.AspNetCore.Hosting" in screen, "the choice stays")


@presses("x", "!")
def restriction_and_finding(env, press):
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        terminal.keys("Space")  # rows stand still
        terminal.wait_for("PAUSED")
        kind = body(terminal.screen())[0].split()[2]
        press(terminal, "x")
        terminal.keys("k")
        terminal.wait_for(lambda screen: f"only {kind}" in screen and body(screen) and all(f" {kind} " in row for row in body(screen)),
                          f"x k: only {kind}, as the first row")
        press(terminal, "x")
        terminal.keys("x")
        terminal.wait_for(lambda screen: f"only {kind}" not in screen, "x x: all again")
        for key, words in (("p", "only in pauses"), ("o", "only outside pauses")):
            press(terminal, "x")
            terminal.keys(key)
            terminal.wait_for(words, f"x {key}: the samples on one side of the pauses")
        terminal.keys("Escape")
        terminal.wait_for(lambda screen: " pauses" not in screen, "Esc: all again")
        press(terminal, "!")
        terminal.wait_for(finding_is_shown, "! goes to the finding's screen, or says that there is none")


@presses("x")
def tree_of_one_side_of_the_pauses(env, press):
    """Of a program that does nothing but collect, on the thread that asks for it."""
    with Target(env, work="gc 2 1000000") as target, Terminal(env) as terminal:
        if not target.is_dotnet:
            raise Missing("no dotnet: nothing collects")
        terminal.start_nettop(target.pid)
        press(terminal, "x")
        terminal.keys("p")
        terminal.wait_for(lambda screen: re.search(r"only in pauses, \d", screen) and any("coreclr" in row for row in body(screen)), "x p: what collects", 30)
        terminal.keys("/")
        terminal.type("coreclr")
        terminal.keys("Enter", "Enter")
        terminal.wait_for(lambda screen: re.search(r"only in pauses, \d+\.\d%", screen) and tree_rows(screen), "Enter: the call tree of that side, and how large it is", 30)
        press(terminal, "x")
        terminal.keys("o")
        terminal.wait_for(lambda screen: "only outside pauses" in screen and re.search(r"CALLE[ER]S OF", screen), "x o in the tree: the other side")
        press(terminal, "x")
        terminal.keys("x")
        terminal.wait_for(lambda screen: "only in pauses" in screen and tree_rows(screen), "x x: as it was entered")
        terminal.keys("Escape")
        terminal.wait_for(lambda screen: "only in pauses" in screen and "SELF%" in screen and not tree_rows(screen), "Esc: the methods in pauses")


def finding_is_shown(screen):
    """A busy thread becomes a finding after a while; whether it has is not for a test of keys to say."""
    named = re.search(r"press (\S)$", screen.split("\n")[5].rstrip())
    return context_line(screen).startswith("Nothing is out of its usual range") or (named and f"[{named[1]} " in screen)


@presses("v", "V")
def groupings_of_waits(env, press):
    with Target(env) as target, Terminal(env, 120, 24) as terminal:
        terminal.start_nettop(target.pid)
        terminal.keys("v")
        terminal.wait_for("WHAT CPU TIME IS FOR", "of the methods what they are for")
        terminal.keys("2", "v")
        terminal.wait_for("WHAT THE MEMORY CONSISTS OF", "of the collections what memory consists of")
        terminal.keys("f")
        terminal.wait_for("conserve memory", "and the settings of the GC")
        terminal.keys("c", "v")
        terminal.wait_for(lambda screen: "comes with groupings of rows" in context_line(screen), "counters have none")
        terminal.keys("8")
        terminal.wait_for("[8 Waits]", "the waits")
        for key, title in (("v", "WALL s/s"), ("v", "by thread"), ("v", "by reason"), ("v", "WOKEN BY"), ("V", "by reason"), ("V", "by thread"), ("8", "WOKEN BY")):
            press(terminal, key)
            terminal.wait_for(lambda screen, title=title: "[8 Waits]" in screen and title in screen, f"{key} leads to {title}")
        terminal.keys("v", "Tab")
        terminal.wait_for("[9 Events]", "Tab goes on from any grouping")
        terminal.keys("R", "v")
        terminal.wait_for("STAGE", "of the requests each")
        terminal.keys("v")
        terminal.wait_for("CPU ms", "and which of them CPU time is for")
        terminal.keys("v")
        terminal.wait_for("ROUTE OR PEER", "and by route")


@presses("v", "V")
def groupings_of_compilations(env, press):
    with Target(env) as target, Terminal(env, 120, 24) as terminal:
        terminal.start_nettop(target.pid)
        terminal.keys("3")
        terminal.wait_for("[3 JIT]", "the compilations")
        for key, title in (("v", "by module"), ("v", "by namespace"), ("v", "by tier"), ("v", "by trigger"), ("v", "first 10 s"), ("v", "first 10 s by cause"), ("v", "by caller"), ("v", "METHOD"), ("V", "by caller"), ("3", "METHOD")):
            press(terminal, key)
            terminal.wait_for(lambda screen, title=title: "[3 JIT]" in screen and title in screen, f"{key} leads to {title}")
        terminal.keys("v", "Tab")
        terminal.wait_for("[4 Thr", "Tab goes on from any grouping")


@presses("v", "V")
def groupings_of_threads(env, press):
    """Work items are asked for while their grouping is open, and what that costs is said."""
    with Target(env) as target, Terminal(env, 120, 24) as terminal:
        terminal.start_nettop(target.pid)
        terminal.keys("4")
        terminal.wait_for("[4 Threads]", "the threads")
        press(terminal, "v")
        terminal.wait_for(lambda screen: "by wait of work items" in screen and "ITEMS" in screen, "v leads to work items")
        press(terminal, "V")
        terminal.wait_for(lambda screen: "[4 Threads]" in screen and "by wait of work items" not in screen, "V leads back")


@presses("v", "V")
def groupings_of_allocations(env, press):
    with Target(env) as target, Terminal(env, 120, 24) as terminal:
        terminal.start_nettop(target.pid)
        terminal.keys("5")
        terminal.wait_for("[5 Alloc]", "the allocations")
        for key, word in (("v", "by place"), ("v", "by thread"), ("v", "MOSTLY FROM"), ("V", "by thread"), ("V", "by place")):
            press(terminal, key)
            terminal.wait_for(lambda screen, word=word: "[5 Alloc]" in screen and word in screen, f"{key} leads to {word}")


@presses("v", "V")
def groupings_of_locks(env, press):
    with Target(env) as target, Terminal(env, 120, 24) as terminal:
        terminal.start_nettop(target.pid)
        terminal.keys("7")
        terminal.wait_for("[7 Locks]", "the locks")
        for key, word in (("v", "by lock"), ("v", "by owner"), ("v", "p50"), ("V", "by owner"), ("V", "by lock")):
            press(terminal, key)
            terminal.wait_for(lambda screen, word=word: "[7 Locks]" in screen and word in screen, f"{key} leads to {word}")


@presses("v", "V")
def groupings_of_exceptions(env, press):
    with Target(env) as target, Terminal(env, 120, 24) as terminal:
        terminal.start_nettop(target.pid)
        terminal.keys("6")
        terminal.wait_for("[6 Exceptions]", "the exceptions")
        for key, word in (("v", "by place"), ("v", "the last 1000"), ("v", "since attach"), ("V", "one by one"), ("V", "by place")):
            press(terminal, key)
            terminal.wait_for(lambda screen, word=word: "[6 Exceptions]" in screen and word in screen, f"{key} leads to {word}")


@presses("o", "z", "K", "U", "y", "r", "Space", "p", "d", "B", "#", "Ctrl-L", "Ctrl-R")
def time_and_what_is_shown(env, press):
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        press(terminal, "o")
        terminal.wait_for("since attach")
        press(terminal, "z")
        terminal.wait_for(re.compile(r"since \d\d:\d\d:\d\d"), "z counts from now on")
        for key, words in (("K", "no kernel"), ("U", "no user")):
            press(terminal, key)
            terminal.wait_for(lambda screen, words=words: words in screen, f"{key} hides rows")
        press(terminal, "U")
        terminal.wait_for(lambda screen: "no user" not in screen, "U again shows all")
        press(terminal, "y")
        terminal.wait_for(lambda screen: "my code" in screen and "TOTAL%↓" in screen and body(screen) and not any(" kernel " in row or "System." in row for row in body(screen)),
                          "y: only the program's own methods")
        press(terminal, "y")
        terminal.wait_for(lambda screen: "my code" not in screen and "SELF%↓" in screen, "y again shows all")
        press(terminal, "r")
        terminal.wait_for(lambda screen: "raw names" in screen and any("] Workload." in row for row in body(screen)), "r: [assembly] before the type")
        press(terminal, "r")
        terminal.wait_for(lambda screen: "raw names" not in screen, "r again shows readable names")
        for key, words in (("Space", r"PAUSED \d\d:\d\d:\d\d$"), ("p", "LIVE$"), ("p", r"PAUSED \d\d:\d\d:\d\d$"), ("Space", "LIVE$")):
            press(terminal, key)
            terminal.wait_for(lambda screen, words=words: re.search(words, identity(screen)), f"{key}: line 1 ends with {words}")
        press(terminal, "d")
        terminal.wait_for(lambda screen: context_line(screen).startswith("Interval:"), "the prompt for the interval")
        terminal.type("7200")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: context_line(screen).startswith("An interval is"), "the limits are named")
        press(terminal, "d")
        terminal.type("0.5")
        terminal.wait_for(lambda screen: "0.5" in context_line(screen), "what was typed")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: "Enter tree" in context_line(screen), "the prompt has gone")
        for key, title_row in (("B", 4), ("#", 2), ("B", 7)):
            press(terminal, key)
            terminal.wait_for(lambda screen, row=title_row: "SELF%" in screen.split("\n")[row], f"the titles are in line {title_row + 1}")
        dirt = "written by another program"
        for key in ("Ctrl-L", "Ctrl-R"):
            with open(terminal.tty, "w", encoding="ascii") as tty:
                tty.write(f"\x1b7\x1b[7;30H{dirt}\x1b8")
            terminal.wait_for(dirt)
            press(terminal, key)
            terminal.wait_for(lambda screen: dirt not in screen and "[1 Methods]" in screen, f"{key} paints all of it again")


@test
def rows_stand_still_in_a_pause(env):
    with Target(env) as target, Terminal(env) as terminal:
        nettop = terminal.start_nettop(target.pid, delay_s=0.1)
        wait_for_methods(terminal, target)
        terminal.keys("Space")
        terminal.wait_for(lambda screen: "PAUSED" in identity(screen), "PAUSED")
        before = terminal.lines()
        wait_for_work(nettop, rounds=12)
        after = terminal.lines()
        check_equal("the rows while paused", after[1:5] + after[7:], before[1:5] + before[7:])
        terminal.keys(">")
        terminal.wait_for("TOTAL%↓", "sorting goes on while paused")


@presses("[", "]", "{", "}", "m", "t")
def back_in_time(env, press):
    with Target(env) as target, Terminal(env, 120, 24) as terminal:
        folder = pathlib.Path(tempfile.mkdtemp(dir=env.scratch))
        terminal.run("cd", folder)
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        terminal.wait_for(lambda screen: "Waiting for the first interval" not in screen, "an interval is over")
        terminal.keys("Space")
        terminal.wait_for(re.compile(r"PAUSED \d\d:\d\d:\d\d"))
        then = clock_of(terminal.screen())
        written = write_interval(terminal, folder, "then.json")
        check(json.loads(written)["type"] == "interval", f"an interval: {written[:200]}")
        # Measuring goes on meanwhile: line 1 says how far back the picture is.
        terminal.wait_for(lambda screen: re.search(r"-0:0[4-9]|-0:[1-9]\d", identity(screen)), "the picture is four seconds old", 30)
        terminal.keys("Space")
        terminal.wait_for(lambda screen: identity(screen).endswith("LIVE"), "live again")
        again = []
        for number in range(60):
            press(terminal, "[")
            terminal.wait_for(re.compile(r"PAUSED \d\d:\d\d:\d\d"))
            again.append(write_interval(terminal, folder, f"again{number}.json"))
            if again[-1] == written or json.loads(again[-1])["t0_ns"] < json.loads(written)["t0_ns"]:
                break
        check(again[-1] == written, f"the interval of {then} is what it was when it was new: {folder}")
        check_equal("the clock in line 1", clock_of(terminal.screen()), then)
        check_equal("intervals between", [json.loads(line)["t1_ns"] for line in again[1:]], [json.loads(line)["t0_ns"] for line in again[:-1]])
        press(terminal, "]")
        check(write_interval(terminal, folder, "next.json") == again[-2], f"] goes on by one: {folder}")
        press(terminal, "{")
        terminal.wait_for(lambda screen: clock_of(screen) <= then, "{ goes back, here to the first")
        press(terminal, "[")
        terminal.wait_for("Nothing older is kept", "and says that there is no more")
        press(terminal, "m")
        terminal.wait_for(lambda screen: "THE LAST QUARTER OF AN HOUR" in screen and re.search(r"^CPU .* [\d.]+%$", screen, re.M), "all intervals on one axis")
        press(terminal, "}")
        terminal.wait_for(lambda screen: clock_of(screen) > then, "} goes on by a minute, here to the newest")
        terminal.keys("Left")
        terminal.wait_for(lambda screen: "THE LAST QUARTER" in screen and "PAUSED" in identity(screen), "Left goes back by an interval")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: "SELF%" in screen and "PAUSED" in identity(screen), "Enter leads to the screen, which shows that interval")
        press(terminal, "t")
        terminal.type("+2")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: "PAUSED" in identity(screen) and re.search(r" last [1-4]s$", screen, re.M), "t leads to what was two seconds after the begin")
        press(terminal, "t")
        terminal.type("+100000")
        terminal.keys("Enter")
        terminal.wait_for("That time has not come yet", "and not to one that is to come")
        terminal.keys("Space")
        terminal.wait_for(lambda screen: identity(screen).endswith("LIVE"), "live again")


@presses("=")
def one_span_against_another(env, press):
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        press(terminal, "=")
        terminal.wait_for(lambda screen: "THE LAST QUARTER OF AN HOUR" in screen and context_line(screen).startswith("Choose a span"), "= says how one is chosen")
        terminal.wait_for(lambda screen: re.search(r"^ +0 .*[░▒▓█·]{2}$", screen, re.M), "two intervals have CPU samples", 60)
        terminal.keys("Up", "Up")
        terminal.wait_for(lambda screen: ": Enter shows it" in screen, "a part of an interval is chosen")
        press(terminal, "=")
        terminal.wait_for(lambda screen: context_line(screen).startswith("Kept.") and re.search(r"^against +=", screen, re.M), "it is kept, and marked on the axis")
        terminal.keys("Left", "Up")
        terminal.wait_for(lambda screen: ": = compares it" in screen, "another one is chosen")
        press(terminal, "=")
        terminal.wait_for(lambda screen: re.search(r"^ AGAINST +\d\d:\d\d:\d\d\.\d{3} \.\. ", screen, re.M) and "CHANGE%" in screen and "SPAN" in identity(screen), "one against the other")
        terminal.keys("Escape")
        terminal.wait_for(lambda screen: re.search(r"^against +=", screen, re.M), "Esc leads back to choose another one")
        terminal.keys("Escape")
        terminal.wait_for(lambda screen: not re.search(r"^against", screen, re.M), "and lets the first one go")
        terminal.keys("Space")
        terminal.wait_for(lambda screen: identity(screen).endswith("LIVE"), "live again")


@presses("w", "P")
def write_the_view(env, press):
    with Target(env) as target, Terminal(env, 120, 24) as terminal:
        folder = pathlib.Path(tempfile.mkdtemp(dir=env.scratch))  # empty, also when this is tried again
        terminal.run("cd", folder)
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        press(terminal, "P")  # who comes from top sorts with it
        terminal.keys("Space")
        terminal.wait_for("PAUSED")
        _, last, count = position(terminal.screen())
        press(terminal, "w")
        terminal.wait_for("WRITE TO A FILE")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: context_line(screen).startswith(f"File: nettop-{target.pid}-methods-"), "a name is suggested")
        terminal.keys("Escape")
        terminal.wait_for(lambda screen: context_line(screen).startswith("Enter tree"), "Esc drops it")
        check_equal("files without a confirmed name", os.listdir(folder), [])
        for number in range(2):
            terminal.keys("w", "Enter", "Enter")
            name = terminal.wait_for(re.compile(rf"^Wrote \./(nettop-{target.pid}-methods-\d{{8}}T\d{{6}}{'-2' * number}\.txt)", re.M))[1]
            text = (folder / name).read_text(encoding="utf-8")
            check_equal("access", (folder / name).stat().st_mode & 0o777, 0o600)
            check(f"nettop {target.pid} " in text.split("\n")[0], f"the first line says whose it is: {text[:200]}")
            titles = text.index("METHOD\n")
            check_equal(f"rows, of which {last} were on the screen", len(text[titles:].strip().split("\n")) - 1, count)
        for answer in (r"^Wrote \./mine\.txt", r"^cannot create mine\.txt: File exists"):
            terminal.keys("w", "Enter", "C-u")
            terminal.type("mine.txt")
            terminal.keys("Enter")
            terminal.wait_for(re.compile(answer, re.M))
        terminal.keys("Space", "Enter")  # running again: stacks are collected from now on
        terminal.wait_for(tree_rows, "the call tree of a method", 30)
        terminal.keys("w", "Down", "Down", "Enter", "Enter")
        name = terminal.wait_for(re.compile(rf"^Wrote \./(nettop-{target.pid}-calls-\d{{8}}T\d{{6}}\.svg)", re.M))[1]
        graph = xml.etree.ElementTree.parse(folder / name).getroot()
        check(int(graph.get("data-samples")) > 0, f"no samples in {name}")
        terminal.keys("q")
        terminal.wait_for_shell()
        terminal.run("cd", "/sys")  # where nobody can make a file
        terminal.start_nettop(target.pid)
        terminal.wait_for("LIVE")
        terminal.keys("w", "Enter", "Enter")
        terminal.wait_for(re.compile(r"^cannot create nettop-\S+: \w+", re.M))
        terminal.keys("2")
        terminal.wait_for("[2 GC]", "it goes on")
        terminal.keys("q")
        terminal.wait_for_shell()


@presses("Ctrl-Z")
def suspend_and_resume(env, press):
    with Target(env) as target, Terminal(env) as terminal:
        nettop = terminal.start_nettop(target.pid)
        for _ in range(2):
            press(terminal, "Ctrl-Z")
            terminal.wait_for_shell("Ctrl-Z leads back to the shell")
            check(terminal.is_restored(), f"the terminal is not as before while nettop is suspended: {terminal.show()}")
            check_equal("state of nettop", state_of_process(nettop), "T")
            terminal.run("fg")
            terminal.wait_for(lambda screen: screen.startswith(f"{target.pid} ") and terminal.in_full_screen(), "fg brings the screen back")
            check(not terminal.cursor_is_visible(), "the cursor is visible after fg")
        terminal.wait_for("LIVE")
        terminal.keys("q")
        terminal.wait_for_shell()
        check(terminal.is_restored(), f"the terminal is not as before: {terminal.show()}")


def state_of_process(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


@presses("q", "Q", "F10", "Ctrl-C")
def quit_restores_the_terminal(env, press):
    with Target(env) as target, Terminal(env) as terminal:
        for key in ("q", "Q", "F10", "Ctrl-C"):
            terminal.start_nettop(target.pid)
            press(terminal, key)
            terminal.wait_for_shell(f"{key} quits")
            check(terminal.is_restored(), f"{key}: the terminal is not as before: {terminal.show()}")
            check_equal(f"{key}: exit status", terminal.last_status(), 0)
            check_equal(f"{key}: left in TMPDIR", os.listdir(terminal.temporary), [])
        check(target.alive(), "the target has ended")


if __name__ == "__main__":
    main(without_root=True)
