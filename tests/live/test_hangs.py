#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop whose main thread hangs is told to end: it ends within two seconds, and what it did to the target is undone."""
import os
import pathlib
import signal
import subprocess
import time

from nt_live import *

END_S = 2.0
SEEN_S = 20.0
UNDONE_S = 10.0


def is_writing(pid):
    """Is the main thread in write(1, ...)?"""
    words = pathlib.Path(f"/proc/{pid}/task/{pid}/syscall").read_text(encoding="ascii").split()
    return words[:2] == ["1", "0x1"]


def is_opening(pid):
    """Is the main thread in openat() or open()?"""
    return pathlib.Path(f"/proc/{pid}/task/{pid}/syscall").read_text(encoding="ascii").split()[0] in ("257", "2", "56")


def told_while_nobody_reads(env, number):
    with Bare(env) as work:
        reader, writer = os.pipe()
        nettop = subprocess.Popen([str(env.nettop), "-p", str(work.pid), "--json", "-d", "0.2", "--source", "map"], stdout=writer)
        try:
            os.close(writer)
            wait_until(work.map.exists, SEEN_S, "the map is switched on")
            wait_until(lambda: is_writing(nettop.pid), SEEN_S, "nettop writes what nobody reads")
            began = time.monotonic()
            nettop.send_signal(number)
            status = nettop.wait(SEEN_S)
            took = time.monotonic() - began
            check_equal("exit status", status, 0)
            wait_until(lambda: not work.leftovers(), UNDONE_S, lambda: f"nothing is left; still there: {work.leftovers()}")
            check_limit("until it has ended, s", took, END_S)
        finally:
            os.close(reader)
            if nettop.poll() is None:
                nettop.kill()
                nettop.wait()
    return f"{took:.1f} s"


@test
def told_by_sigterm(env):
    return told_while_nobody_reads(env, signal.SIGTERM)


@long_test
def told_by_sigint(env):
    return told_while_nobody_reads(env, signal.SIGINT)


def map_told(env, *numbers):
    """It waits for a reader of what it writes. Nothing is left of that, and it says that it has failed."""
    took = []
    for number in numbers:
        folder = env.scratch / f"map-{time.monotonic_ns()}"
        folder.mkdir()
        os.mkfifo(folder / "out")
        with Bare(env) as work:
            nettop = subprocess.Popen([str(env.nettop), "map", "-p", str(work.pid), "-o", str(folder / "out")], stderr=subprocess.DEVNULL)
            try:
                wait_until(lambda: is_opening(nettop.pid), SEEN_S, "nettop waits for a reader")
                began = time.monotonic()
                nettop.send_signal(number)
                check_equal("exit status", nettop.wait(SEEN_S), 1)
                took.append(time.monotonic() - began)
                wait_until(lambda: not work.leftovers(), UNDONE_S, lambda: f"nothing is left; still there: {work.leftovers()}")
                check_equal("files", os.listdir(folder), ["out"])
                check_limit("until it has ended, s", took[-1], END_S)
            finally:
                if nettop.poll() is None:
                    nettop.kill()
                    nettop.wait()
    return ", ".join(f"{seconds:.1f} s" for seconds in took)


@test
def map_told_by_sigint(env):
    return map_told(env, signal.SIGINT)


@long_test
def map_told_by_either(env):
    return map_told(env, signal.SIGINT, signal.SIGTERM)


if __name__ == "__main__":
    main()
