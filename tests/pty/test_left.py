#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What is left of nettop's perf map when it ends in a terminal, in each way there is. Without a terminal, and killed: tests/live/test_perf_map_left.py."""
import os
import signal

from nt_pty import *
from nt_live import Bare, long_test

SWITCHED_S = 20.0
UNDONE_S = 10.0


def ends(env, end):
    """`end(terminal, nettop)`"""
    with Bare(env) as work:
        before = sorted(os.listdir("/tmp"))
        with Terminal(env) as terminal:
            nettop = terminal.start_nettop(work.pid, "--source", "map")
            wait_until(lambda: work.map.exists() and work.writes_map(), SWITCHED_S, "the target writes a map")
            end(terminal, nettop)
            wait_until(lambda: terminal.nettop_pid() is None or nettop not in descendants(), UNDONE_S, "nettop ends")
            wait_until(lambda: not work.leftovers(), UNDONE_S, lambda: f"nothing is left: {work.leftovers()}")
        new = [name for name in os.listdir("/tmp") if name not in before and str(work.pid) in name]
        check_equal("new in /tmp", new, [])
        work.do("compute 1")


@test
def after_q(env):
    ends(env, lambda terminal, _: terminal.keys("q"))


@test
def after_q_while_the_target_stands(env):
    """It does not answer when it is told to switch its map off: the keeper goes on with that when nettop has ended."""
    with Bare(env) as work, Terminal(env) as terminal:
        terminal.start_nettop(work.pid, "--source", "map")
        wait_until(lambda: work.map.exists() and work.writes_map(), SWITCHED_S, "the target writes a map")
        os.kill(work.pid, signal.SIGSTOP)
        terminal.keys("q")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 0)
        os.kill(work.pid, signal.SIGCONT)
        wait_until(lambda: not work.leftovers(), UNDONE_S, lambda: f"nothing is left: {work.leftovers()}")


@test
def after_a_closed_window(env):
    ends(env, lambda terminal, _: terminal.close_window())


@long_test
def after_sigterm(env):
    ends(env, lambda _, nettop: os.kill(nettop, signal.SIGTERM))


@long_test
def after_sigint(env):
    ends(env, lambda _, nettop: os.kill(nettop, signal.SIGINT))


@long_test
def after_sigkill(env):
    ends(env, lambda _, nettop: os.kill(nettop, signal.SIGKILL))


if __name__ == "__main__":
    main()
