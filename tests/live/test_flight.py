#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop --flight: the last minutes, kept in memory, become a recording when somebody says so: with all names, however long ago they were told, and with nothing of what was before."""
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from nt_live import *
from nt_live.process import run

END_S = 60
REACH_S = 0.6  # and up to two frames of 3 s more
BEFORE_S = 5
HOT = "Workload.Compute.Spin"


class Keeping:
    """`nettop record --flight`, or `nettop --flight`, in a folder of its own."""

    def __init__(self, env, *words):
        self.env, self.folder = env, pathlib.Path(tempfile.mkdtemp(dir=env.scratch))
        self.said_path = env.scratch / "flight.said"
        with open(self.said_path, "wb") as said, open(env.scratch / "flight.lines", "wb") as lines:
            self.process = subprocess.Popen([str(env.nettop), *words], stdout=lines, stderr=said, stdin=subprocess.DEVNULL, cwd=self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def said(self):
        return self.said_path.read_text(encoding="utf-8")

    def wait_for(self, pattern, count=1):
        wait_until(lambda: len(re.findall(pattern, self.said())) >= count, END_S, lambda: f"'{pattern}' is said; it says {self.said()}")
        return re.findall(pattern, self.said())

    def lines(self):
        return [json.loads(line) for line in (self.env.scratch / "flight.lines").read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]

    def replayed(self, name):
        done = run([str(self.env.nettop), "replay", str(self.folder / name), "--json"])
        check_equal(f"exit status of replay, which says {done.stderr}", done.returncode, 0)
        return [json.loads(line) for line in done.stdout.splitlines()]


def seconds_of(lines):
    return (lines[-1]["t1_ns"] - lines[-1]["t0_ns"]) / 1e9


def check_names(lines):
    hottest = max(lines[-1]["methods"], key=lambda row: row["self_pct"] or 0)
    check(HOT in hottest["name"], f"the hottest method is {hottest}")
    names = [row["name"] for row in lines[-1]["thread_rows"]]
    check("compute" in names, f"threads are called {names}")


@test
def the_last_seconds_have_all_names_and_nothing_of_before(env):
    """Written on a signal, at the end of the process by --on, and at the end of the recording."""
    with Bare(env) as work:
        work.settle()
        with Keeping(env, "record", "-p", str(work.pid), "--flight", str(REACH_S / 60), "-o", "last", "--json", "--on", "exit=record", *MANY_SAMPLES) as keeping:
            wait_until(lambda: len(keeping.lines()) >= 2, END_S, lambda: f"lines; it says {keeping.said()}")
            work.do("throw 40")
            until = time.monotonic() + BEFORE_S
            while time.monotonic() < until:
                work.do("compute 50")
            work.do("throw 7")
            wait_until(lambda: sum(line["exceptions"]["count"] or 0 for line in keeping.lines()) == 47, END_S, "the last ones are told")
            keeping.process.send_signal(signal.SIGUSR2)
            keeping.wait_for("recorded .* in nettop-.*-1.nettop")
            work.quit()
            keeping.process.wait(END_S)
            said = keeping.said()
            check("the process has ended" in said and f"recording what is kept into nettop-{work.pid}-" in said, said)
            names = sorted(path.name for path in keeping.folder.iterdir())
            check(len(names) == 3 and "last" in names, f"files {names}; it says {said}")
            reaches = []
            for name in names:
                check_equal(f"rights of {name}", (keeping.folder / name).stat().st_mode & 0o7777, 0o600)
                lines = keeping.replayed(name)
                thrown = lines[-1]["exceptions"]["count"]  # the last ones; not even them where the end of the process took as long as is kept
                check(thrown == 7 or (not thrown and not name.endswith("-1.nettop")), f"exceptions in {name}: {thrown}")
                if thrown:
                    check_names(lines)
                check(REACH_S <= seconds_of(lines) <= REACH_S + 9, f"{name} is of {seconds_of(lines)} s")
                check(bool(lines[-1]["target"]["end"]) == (not name.endswith("-1.nettop")), f"{name}: the end of the process is {lines[-1]['target']['end']}")
                reaches.append(f"{seconds_of(lines):.1f} s in {(keeping.folder / name).stat().st_size} bytes")
            return ", ".join(reaches)


@long_test
def who_keeps_nothing_says_so(env):
    with Bare(env) as work, Keeping(env, "-p", str(work.pid), "--json") as keeping:
        wait_until(lambda: len(keeping.lines()) >= 1, END_S, "lines")
        keeping.process.send_signal(signal.SIGUSR2)
        keeping.wait_for("start nettop with --flight MINUTES")
        done = run([str(env.nettop), "-p", str(work.pid), "--json", "--on", "finding=record"])
        check_equal("exit status", done.returncode, 2)
        check("needs --flight" in done.stderr, done.stderr)


@test
def a_program_is_recorded_from_its_first_moment(env):
    path = env.scratch / "started"
    command = [str(env.nettop), "record", "-o", str(path), "--", "dotnet", str(env.workload_dll)]
    done = subprocess.run(command, input="throw 5\ngc 2\nquit\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=END_S, check=False, text=True)
    check_equal(f"exit status; it says {done.stderr}", done.returncode, 0)
    check(f"events in {path}" in done.stderr, done.stderr)
    lines = [json.loads(line) for line in run([str(env.nettop), "replay", str(path), "--json"]).stdout.splitlines()]
    summary = lines[-1]
    check(summary["exceptions"]["count"] >= 5 and summary["gc"]["gen2_count"] >= 1, f"{summary['exceptions']['count']} exceptions, {summary['gc']['gen2_count']} collections")
    check(summary["jit"]["method_count"] and summary["target"]["end"], f"its start: {summary['jit']['startup']}, its end: {summary['target']['end']}")
    return f"{path.stat().st_size} bytes, {len(lines)} lines"


if __name__ == "__main__":
    main()
