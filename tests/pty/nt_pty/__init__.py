# SPDX-License-Identifier: GPL-2.0-only
"""What the screen tests share: a real terminal (tmux) with a shell in it, and something to watch.

A screen test is a program:

    from nt_pty import *

    @test
    def q_quits(env):
        with Target(env) as target, Terminal(env) as terminal:
            terminal.start_nettop(target.pid)
            terminal.keys("q")
            terminal.wait_for_shell()

    if __name__ == "__main__":
        main(without_root=True)
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live"))

from nt_live import (Environment, Failure, Missing, SessionDaemon, check, check_equal, check_limit, descendants, descendants_named, main, sessions,  # noqa: E402
                     test, wait_for_work, wait_until)
from nt_live.process import name_of  # noqa: E402

from .keys import END_IT, SCREENS, STOPS_IT, go_to, keys_not_in_the_manual, keys_of_manual, keys_without_a_test, name_for_tmux, press_all, presses  # noqa: E402
from .line import Line  # noqa: E402
from .screen import (body, clock_of, context_line, identity, position, rows_of, selected_row, tree_rows, wait_for_methods,  # noqa: E402
                     write_interval)  # noqa: E402
from .target import Target  # noqa: E402
from .terminal import Terminal  # noqa: E402

__all__ = [
    "Environment", "Failure", "Line", "Missing", "SessionDaemon", "Target", "Terminal", "body", "check", "check_equal", "check_limit", "clock_of",
    "context_line",
    "descendants", "descendants_named", "identity", "keys_not_in_the_manual", "keys_of_manual", "keys_without_a_test", "main", "name_for_tmux", "name_of",
    "position", "presses", "rows_of", "tree_rows", "selected_row", "sessions", "test", "tree_rows", "wait_for_methods", "wait_for_work", "wait_until",
    "write_interval",
    "END_IT", "SCREENS", "STOPS_IT", "go_to", "press_all",
]
