#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop under valgrind's memcheck, on the real target at work.

    VALGRIND_S=300 tests/long/test_valgrind.py

Valgrind 3.19 does not know pidfd_open(2) and openat2(2): nettop is told that the kernel has neither. What it does with them is left to the sanitizers.
"""
import os
import re

from nt_long import TESTS
from nt_live import Nettop, SessionDaemon, Workload, check, main, test
from nt_live.nettop import state_of
from nt_long.feeder import Feeder

WATCH_S = int(os.environ.get("VALGRIND_S", "60"))
START_S, END_S = 120, 120  # twenty times slower, and others use the machine
FOUND = 99
MEMCHECK = ("valgrind", "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite", f"--error-exitcode={FOUND}",
            "--num-callers=30", f"--suppressions={TESTS / 'tools/valgrind.supp'}")


def reports(folder):
    """{process: the text of its errors} of nettop and of what it forked."""
    found = {}
    for file in sorted(folder.glob("memcheck.*")):
        text = file.read_text(errors="replace")
        count = re.search(r"ERROR SUMMARY: (\d+) errors", text)
        if count and int(count[1]):
            lines = [line for line in text.splitlines() if re.search(r"==\d+==", line)]
            found[file.name] = "\n".join(lines[-120:])
    return found


def watch_under_memcheck(env, work):
    # It ends by itself: whom a signal ends has two seconds, and here the summary needs more.
    with Nettop(env, work.pid, "--duration", str(WATCH_S), interval_s=1, prefix=(*MEMCHECK, f"--log-file={env.scratch}/memcheck.%p")) as nettop:
        nettop.wait_for_sources("perf", "lttng", seconds=START_S)
        while nettop.read(END_S):
            pass
        status = nettop.process.wait(END_S)
    found = reports(env.scratch)
    check(not found and status == 0, f"exit status {status}\n" + "\n".join(found.values()))
    check(nettop.summary and nettop.summary["cpu"]["samples"], "nettop saw no CPU sample")
    check(any(line["exceptions"]["count"] for line in nettop.intervals if state_of(line, "lttng") == "delivering"), "nettop saw no exception")
    return f"{len(nettop.intervals)} intervals, {nettop.summary['cpu']['samples']} samples, no error"


@test
def batch_has_no_memory_errors(env):
    env.need_commands("valgrind")
    with SessionDaemon(env), Workload(env, mode="N") as work, Feeder(work):
        return watch_under_memcheck(env, work)


if __name__ == "__main__":
    main()
