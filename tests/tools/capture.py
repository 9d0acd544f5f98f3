#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The screen in README.md: what nettop shows of a real .NET program, as a terminal of 80x24 has it.

    capture.py            `make doc/capture`: starts the program of the live tests as most programs are started, with nothing set for nettop, gives it work, watches it in a tmux of its
                          own, and puts the screen into README.md between its two marks. Needs dotnet and tmux.
    capture.py --check    part of `make lint`, without a target: the parts of the screen that are no numbers must be those of the golden screens of the same size (tests/golden/), whose
                          text is what the program draws today. So a screen that changes makes `make lint` ask for a new capture.
"""
import pathlib
import re
import sys
import time

REPO = pathlib.Path(__file__).resolve().parents[2]
README = REPO / "README.md"
GOLDEN = REPO / "tests/golden/methods-80x24.txt"
TAB_BARS = REPO / "tests/golden/tab-bar-120x40.txt"
BEGIN, END = "<!-- begin: make doc/capture -->\n", "<!-- end: make doc/capture -->\n"
# A little of everything (tests/live/workload/README.md).
WORK = ("compute 150", "written 30", "sort 60", "deep 20 60", "alloc 200", "loh 100", "jit-expr 20", "throw 20", "locks 5", "pool 2000", "idle 50")
WATCHED_S = 20


def lines_of_readme():
    text = README.read_text(encoding="utf-8")
    return [line[4:].rstrip() for line in text.partition(BEGIN)[2].partition(END)[0].splitlines()]


def write(screen):
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    shown = "".join(f"    {line.rstrip()}".rstrip() + "\n" for line in screen.rstrip("\n").splitlines())
    README.write_text(f"{before}{BEGIN}{shown}{END}{after}", encoding="utf-8")


def skeleton(lines):
    """What is the same whatever is watched: the names of the tiles, the titles of the columns."""
    tiles = [line[at:at + 6].split(" ")[0] for line in lines[1:5] for at in (1, 41)]
    titles = next((line for line in lines if "SELF%" in line), "")
    return tiles, re.sub(r"(?<=METHOD).*", "", titles).split()


def check():
    shown = lines_of_readme()
    here, golden = skeleton(shown), skeleton(GOLDEN.read_text(encoding="utf-8").splitlines())
    if here != golden or not all(golden):
        sys.exit(f"README.md has another screen than {GOLDEN.name}: run make doc/capture\n  README: {here}\n  golden: {golden}")
    tab_bars = TAB_BARS.read_text(encoding="utf-8").splitlines()
    if not any("[1 Methods]" in line and line in tab_bars for line in shown):
        sys.exit(f"README.md has a tab bar that is not in {TAB_BARS.name}: run make doc/capture")


def capture():
    sys.path[:0] = [str(REPO / "tests/pty"), str(REPO / "tests/live")]
    from nt_live.workload import Workload
    from nt_pty import Terminal, main, test

    @test
    def capture(env):
        with Workload(env, mode="none", lttng=False, perf_map=False) as work, Terminal(env, 80, 24) as terminal:
            terminal.start_nettop(work.pid, delay_s=1)
            end = time.monotonic() + WATCHED_S
            while time.monotonic() < end:
                for command in WORK:
                    work.do(command)
            write(terminal.screen())

    main(without_root=True)


if sys.argv[1:] == ["--check"]:
    check()
else:
    capture()
