#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compilations over EventPipe: the runtime's counters until somebody looks at each of them, on a process that was started without any setting."""
import re
import sys

from nt_live import Workload, long_test, main
from nt_live.environment import REPO
from nt_live.eventpipe import sessions_of

sys.path.insert(0, str(REPO / "tests/pty"))
from nt_pty import Terminal  # noqa: E402

USUAL_SESSIONS = 3
SEEN_S = 60
MANY = 1_000_000  # lambdas: more than are compiled while the test looks
COUNTED = re.compile(r"JIT +[1-9]\d*ms/s .* [1-9][\d.kM]*/s")
EACH = re.compile(r"\bopt +fore\w* .*lambda_method")


@long_test
def each_of_them_while_the_screen_is_open(env):
    with Workload(env, mode="none", perf_map=False, lttng=False) as work, Terminal(env, columns=120) as terminal:
        def wait_for_sessions(count, what):
            terminal.wait_for(lambda _: sessions_of(work.pid) == count, what, SEEN_S)
        work.settle()
        terminal.start_nettop(work.pid)
        wait_for_sessions(USUAL_SESSIONS, "the usual sessions")
        work.process.send_line(f"jit-lambda {MANY}")
        terminal.wait_for(COUNTED, "time and methods in the tile, by the runtime's counters", SEEN_S)
        terminal.keys("3")
        wait_for_sessions(USUAL_SESSIONS + 1, "one more for the compilations")
        terminal.wait_for(EACH, "a row of the methods, with its tier and what it was compiled for", SEEN_S)
        terminal.keys("1")
        wait_for_sessions(USUAL_SESSIONS, "the session for the compilations ends")
        terminal.wait_for(COUNTED, "the counters tell again", SEEN_S)
        terminal.keys("q")
        terminal.wait_for(lambda _: sessions_of(work.pid) == 0, "no session is left", SEEN_S)


if __name__ == "__main__":
    main()
