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
