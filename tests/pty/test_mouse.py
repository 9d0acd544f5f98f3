#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The mouse, which is the terminal's own by default. What each click does is tested cell by cell in tests/unit/ui/test_mouse.c."""
import os
import re
import subprocess

from nt_pty import *


def click(terminal, column, line):
    """As the terminal outside tells tmux (SGR), which tells nettop."""
    terminal.type(f"\x1b[<0;{column + 1};{line + 1}M\x1b[<0;{column + 1};{line + 1}m")


def place_of(terminal, text):
    """Column and line of a text on the screen."""
    for at, line in enumerate(terminal.lines()):
        if text in line:
            return line.index(text), at
    raise AssertionError(f"'{text}' is not on the screen:\n{terminal.show()}")


@test
def mouse_within_tmux(env):
    """Somebody works in tmux, which has the mouse and gives nettop what nettop asks for: titles, tabs, tiles, menus, the last line; twice on a row."""
    inner = f"nt-inner-{os.getpid()}"
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        terminal.type(f"tmux -L {inner} -f /dev/null new-session 'LC_ALL=C.UTF-8 {env.nettop} --no-config --mouse -d 0.2 -p {target.pid}' \\; set -g mouse on \\; set -g status off\n")
        try:
            terminal.wait_for(lambda screen: "[1 Methods]" in screen and len(body(screen)) > 3, "nettop in tmux in tmux", 30)
            terminal.keys("m")
            terminal.wait_for(lambda screen: known_cells(screen) >= 14, "the columns of some intervals", 30)
            lowest = next(at for at, line in enumerate(terminal.lines()) if line.startswith("        0 "))
            drag(terminal, 98, lowest, (104, lowest - 1))
            terminal.wait_for(re.compile(r"^chosen +-", re.M), "a span is chosen")
            terminal.keys("Escape")
            terminal.keys("m")
            terminal.keys("Space")
            terminal.wait_for("METHOD")
            titles = next(at for at, line in enumerate(terminal.lines()) if "METHOD" in line)
            for column, line, what in ((10, titles, "TOTAL%↓"), (14, titles - 1, "[2 GC]"), (4, titles - 1, "[1 Methods]")):
                click(terminal, column, line)
                terminal.wait_for(what, f"a click at {column},{line} leads to {what}")
            for text, what in ((" LOCK ", "[7 Locks]"), ("Down", "s sort"), ("s sort", "SORT BY"), ("max ms ", "max ms↓"), ("? help", "HELP"), ("Esc back", "[7 Locks]"),
                               (" CPU ", "[1 Methods]"), ("Z", "COLOURS"), ("light  ", re.compile(r"\* light")), ("Esc back", "[1 Methods]")):
                if text in ("Down", "Z"):
                    terminal.keys(text)  # what was said of the target gives way to the keys; colours
                else:
                    click(terminal, *place_of(terminal, text))
                terminal.wait_for(what, f"a click on '{text}' leads to {what}")
            terminal.keys("Space")
            terminal.wait_for("PAUSED")
            column, line = place_of(terminal, target.hot)
            click(terminal, column, line)
            click(terminal, column, line)
            terminal.wait_for(re.compile(rf"CALL(ER|EE)S OF .*{target.hot}"), "two clicks on a row are Enter")
            click(terminal, *place_of(terminal, "q quit"))
            terminal.wait_for_shell()
        finally:
            subprocess.run(["tmux", "-L", inner, "kill-server"], env=os.environ | {"TMUX_TMPDIR": str(env.scratch)}, stderr=subprocess.DEVNULL, timeout=20, check=False)


def drag(terminal, column, line, to):
    """Likewise: pressed in one place, let go in another."""
    terminal.type(f"\x1b[<0;{column + 1};{line + 1}M\x1b[<0;{to[0] + 1};{to[1] + 1}m")


def known_cells(screen):
    """Intervals that the heat map has a column of."""
    lowest = re.search(r"^ {8}0 (.*)$", screen, re.M)
    return len(lowest[1].replace(" ", "").replace("<", "")) if lowest else 0


@test
def mouse_on_the_minutes(env):
    """A click leads to an interval or a part of one, dragging chooses a span, which the screens show then; the wheel is [ and ]."""
    with Target(env) as target, Terminal(env, 80, 40) as terminal:
        terminal.start_nettop(target.pid, "--mouse")
        wait_for_methods(terminal, target)
        terminal.keys("m")
        terminal.wait_for(lambda screen: known_cells(screen) >= 14, "the columns of some intervals", 60)
        lowest = next(at for at, line in enumerate(terminal.lines()) if line.startswith("        0 "))
        last = 80 - 14 - 1
        terminal.mouse(0, last - 8, lowest - 2, to=(last - 3, lowest - 4))
        terminal.wait_for(re.compile(r"^chosen +-", re.M), "a span is chosen")
        terminal.wait_for(lambda screen: "PAUSED" in screen and re.search(r"^ +x", screen, re.M) is None and "Enter shows it" in screen, "its ends are said")
        lines = terminal.lines()
        check_equal("where it begins", lines[lowest - 2][last - 8], "x")
        check(lines[lowest - 4].endswith("<"), f"where it ends is not the row of the cursor:\n{terminal.show()}")
        begin, end = re.search(r"(\d\d:\d\d:\d\d\.\d+) \.\. (\d\d:\d\d:\d\d\.\d+)", terminal.screen()).groups()
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: f"SPAN {begin[:8]}" in screen and "QUARTER" not in screen, f"the span from {begin} to {end} is shown")
        terminal.keys("Space")
        terminal.wait_for("LIVE")
        terminal.keys("m")
        terminal.wait_for("QUARTER")
        place = lambda screen: re.search(r"^( *)↓", screen, re.M)[1]
        terminal.mouse(64, 20, lowest)
        terminal.wait_for("PAUSED", "the wheel goes back")
        before = place(terminal.screen())
        terminal.mouse(64, 20, lowest)
        terminal.wait_for(lambda screen: place(screen) != before, "the wheel goes back further")
        terminal.mouse(65, 20, lowest)
        terminal.wait_for(lambda screen: place(screen) == before, "and on")
        terminal.keys("q")
        terminal.wait_for_shell()
        check(terminal.is_restored(), "the terminal is not as before")


@test
def mouse_as_newer_terminals_tell_it(env):
    """SGR: what is pressed and what is let go are told apart by the last letter."""
    with Target(env) as target, Line(env, "--mouse", "-d", 0.2, "-p", target.pid) as line:
        line.wait_for(target.hot.encode(), "the hot method", 30)
        line.type(b"m")
        line.wait_for(b"QUARTER", "the minutes")
        line.wait_for(lambda _: len(line.times) > 60, "some seconds of them", 60)
        last, strip = 120 - 14, 10
        start = len(line.sent)
        line.type(f"\x1b[<0;{last - 2};{strip}M".encode())
        line.wait_for(b"PAUSED", "pressed", start=start)
        line.type(f"\x1b[<0;{last - 1};{strip}m".encode())
        line.wait_for(b"chosen", "let go in another column", start=start)
        line.type(b"q")
        check_equal("exit status", line.rest(), 0)


@test
def mouse_when_asked_for(env):
    """By default the mouse is the terminal's, to select text with."""
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        check(not terminal.mouse_is_asked_for(), "nobody has asked for the mouse")
        terminal.keys("q")
        terminal.wait_for_shell()
        terminal.start_nettop(target.pid, "--mouse")
        wait_for_methods(terminal, target)
        check(terminal.mouse_is_asked_for(), "the terminal does not tell of the mouse")
        terminal.wait_for(lambda screen: len(body(screen)) > 5, "some rows", 30)
        terminal.keys("Space")
        terminal.wait_for("PAUSED")
        first = selected_row(terminal)
        for button, line, row in ((0, first + 4, 4), (0, first + 1, 1), (65, first, 4), (64, first, 1)):
            terminal.mouse(button, 30, line)
            terminal.wait_for(lambda _, row=row: selected_row(terminal) == first + row, f"button {button} leads to row {row}")
        titles = next(at for at, line in enumerate(terminal.lines()) if "METHOD" in line)
        for column, sorted_by in ((10, "TOTAL%↓"), (10, "TOTAL%↑"), (3, "SELF%↓")):
            terminal.mouse(0, column, titles)
            terminal.wait_for(sorted_by, f"a click on the title at {column} sorts: {sorted_by}")
        for column, line, tab in ((14, 6, "[2 GC]"), (4, 6, "[1 Methods]")):
            terminal.mouse(0, column, line)
            terminal.wait_for(tab, f"a click at {column} opens {tab}")
        terminal.keys("q")
        terminal.wait_for_shell()
        check(terminal.is_restored() and not terminal.mouse_is_asked_for(), "the terminal is not as before")


if __name__ == "__main__":
    main(without_root=True)
