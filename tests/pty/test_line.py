#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How much is sent over the line to the terminal: counted at its other end."""
import re
import time

from nt_pty import *
from nt_live import long_test

SLOW_BYTES = 960  # a second, of 9600 baud
REFRESH_BYTES = 2500
LOOK_S = 6


def most_in_a_second(times):
    most = 0
    for at, (begin, _) in enumerate(times):
        most = max(most, sum(count for when, count in times[at:] if when < begin + 1.0))
    return most


@long_test
def a_slow_line_gets_960_bytes_a_second(env):
    """From the first byte to the last, with everything that a person does on the way."""
    with Target(env) as target, Line(env, "-p", target.pid, "--slow", columns=80, lines=24) as line:
        line.wait_for(lambda sent: len(sent) > 1500, "most of a frame", 30)
        for key in (b"4", b"1", b"?", b"\x0c", b"\x1b", b"2", b"1"):
            line.type(key)
            line.read_for(2.5)
        check(not re.search(rb"[^\x00-\x7f]", line.sent), "something else than ASCII is sent")
        start = len(line.sent)
        line.read_for(6)
        mean = (len(line.sent) - start) / 6
        line.type(b"q")
        check_equal("exit status", line.rest(), 0)
        most = most_in_a_second(line.times)
        check_limit("most bytes in a second", most, SLOW_BYTES)
        return f"most {most} bytes in a second, {mean:.0f} when nobody does anything"


@long_test
def a_slow_line_becomes_the_whole_screen(env):
    """The header first, then all rows, without sparklines; what changes meanwhile does not keep the last line from coming."""
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid, "--slow", delay_s=None)
        terminal.wait_for(target.hot, "the hot method", 30)
        for key, tab in (("4", "[4 Thr"), ("1", "[1 Methods]")):
            terminal.keys(key)
            terminal.wait_for(lambda screen, tab=tab: tab in screen and "? help" in context_line(screen) and "Enter" in context_line(screen), f"the whole of {tab}", 20)
        terminal.wait_for(lambda screen: target.hot in screen and "TOTAL%" in screen, "the methods", 20)
        check("TREND" not in terminal.screen() and not re.search(r"[\u2581-\u2588]", terminal.screen()), f"there are sparklines:\n{terminal.show()}")
        terminal.keys("q")
        terminal.wait_for_shell()
        check(terminal.is_restored(), "the terminal is not as before")


# Each with what is below it, and pages over it. A look at the heap, a dump and what is written to files are begun by a further key.
SCREENS = (b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"8vvv", b"9", b"0", b"c", b"i", b"R", b"1\r", b"\x1b1m", b"\x1b1S", b"L", b"?", b"\x1b1v", b"\x1bH", b"\x1b1s", b"\x1b1C")


@long_test
def every_screen_over_a_slow_line(env):
    """Each is opened and scrolled."""
    told = {}
    with Target(env) as target, Line(env, "-p", target.pid, "--slow", columns=120, lines=40) as line:
        line.wait_for(lambda sent: len(sent) > 1500, "most of a frame", 30)
        for keys in SCREENS:
            begin = time.monotonic()
            line.type(keys)
            for move in (b"j", b"jjj", b"\x1b[6~", b"k"):
                line.read_for(0.7)
                line.type(move)
            line.read_for(0.7)
            told[keys] = most_in_a_second([of for of in line.times if of[0] >= begin])
            check_limit(f"most bytes in a second on screen {keys}", told[keys], SLOW_BYTES)
        check_limit("most bytes in a second, all in all", most_in_a_second(line.times), SLOW_BYTES)
    return f"most {max(told.values())} bytes in a second, on {max(told, key=told.get)}"


@long_test
def every_refresh_is_small(env):
    told = {}
    with Target(env) as target, Line(env, "-p", target.pid) as line:
        line.wait_for(target.hot.encode(), "the hot method", 30)
        for keys in SCREENS:
            line.type(keys)
            line.read_for(2.5)
            start = len(line.sent)
            line.read_for(4)
            told[keys] = (len(line.sent) - start) / 4
            check_limit(f"bytes a refresh on screen {keys}", told[keys], REFRESH_BYTES)
    return f"most {max(told.values()):.0f} bytes a refresh, on {max(told, key=told.get)}: " + ", ".join(f"{keys.decode('latin-1')!r} {count:.0f}" for keys, count in told.items())


@test
def a_refresh_is_small(env):
    """At 120x40, with many rows that change."""
    told = []
    with Target(env) as target, Line(env, "-p", target.pid) as line:
        line.wait_for(target.hot.encode(), "the hot method", 30)
        for key in (b"1", b"4"):
            line.type(key)
            line.read_for(3)
            start = len(line.sent)
            line.read_for(LOOK_S)
            told.append((len(line.sent) - start) / LOOK_S)
            check_limit(f"bytes a refresh on screen {key.decode()}", told[-1], REFRESH_BYTES)
    return f"{told[0]:.0f} bytes a refresh of the methods, {told[1]:.0f} of the threads"


if __name__ == "__main__":
    main(without_root=True)
