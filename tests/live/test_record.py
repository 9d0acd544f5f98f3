#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop record and nettop replay: what was written while it was recorded is what is written again, byte for byte; whatever becomes of the recording, nothing else is."""
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import time

from nt_live import *
from nt_live.environment import mounted
from nt_live.nettop import WORK
from nt_live.process import run
from nt_live.pseudo_terminal import open_terminal
from nt_live.recorded import END_S, Recorded

ENOUGH_LINES = 4
EVERYTHING_BESIDE = ("--alloc", "--waits", "--catches", "--counters", "System.Runtime", "--calls", "--jit-callers", "--pool-items")


def first_difference(was, now, path=""):
    """Where two values of JSON differ, and by what; None = nowhere."""
    if isinstance(was, dict) and isinstance(now, dict) and was.keys() == now.keys():
        return next(filter(None, (first_difference(was[key], now[key], f"{path}.{key}") for key in was)), None)
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        return next(filter(None, (first_difference(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(was, now)))), None)
    return None if was == now else f"{path} was {str(was)[:200]} and is {str(now)[:200]}"


def check_same(recorded):
    """Twice, by two processes, of which each has other secrets for its tables."""
    wanted = recorded.lines()
    for _ in range(2):
        written, said, status = recorded.replayed()
        lines = written.splitlines(keepends=True)
        check_equal(f"exit status of replay, which says {said}", status, 0)
        check_equal("what replay says of a recording that was ended", said, "")
        check_equal("lines", len(lines), len(wanted))
        for number, (was, now) in enumerate(zip(wanted, lines)):
            check(was == now, lambda: f"line {number}: {first_difference(json.loads(was), json.loads(now)) or 'only the order of members'}")


@test
def replay_writes_what_was_written(env):
    path = env.scratch / "recording"
    with Bare(env) as work:
        work.settle()
        with Recorded(env, work.pid, path, *EVERYTHING_BESIDE, *MANY_SAMPLES, "--max-target-cost", "100") as recorded:
            recorded.wait_for_lines(2)
            for command in WORK:
                work.do(command)
            work.do("compute 1500")
            recorded.wait_for_lines(ENOUGH_LINES + 2)
            recorded.end()
            check_same(recorded)
            with open("/dev/full", "wb") as full:
                done = subprocess.run([str(env.nettop), "replay", str(path), "--json"], stdout=full, stderr=subprocess.PIPE, timeout=END_S, check=False)
            check(done.returncode == 1 and b"cannot write to standard output" in done.stderr, f"onto a full disk: status {done.returncode}, {done.stderr}")
            check_equal("rights of the file", path.stat().st_mode & 0o7777, 0o600)
            summary = json.loads(recorded.lines()[-1])
            check(summary["gc"]["gen2_count"] >= 1 and summary["exceptions"]["count"] >= 40 and summary["cpu"]["samples"] > 500,
                  f"in the summary: {summary['gc']['gen2_count']} collections, {summary['exceptions']['count']} exceptions, {summary['cpu']['samples']} samples")
            return f"{len(recorded.lines())} lines, {recorded.lines_path.stat().st_size} bytes; {path.stat().st_size} recorded"


@test
def the_end_of_the_target_is_in_it(env):
    """And whoever records alone: what it says, and what is in it."""
    path = env.scratch / "recording"
    with Bare(env) as work:
        with Recorded(env, work.pid, path, lines=False) as recorded:
            wait_until(lambda: path.exists() and path.stat().st_size > 100, END_S, "the first frame")
            work.quit()
            check_equal("exit status", recorded.process.wait(END_S), 0)
            check("nettop: recorded " in recorded.said() and " events in " in recorded.said(), recorded.said())
            lines, said, status = recorded.replayed()
            check_equal(f"exit status of replay, which says {said}", status, 0)
            check(json.loads(lines.splitlines()[-1])["target"]["end"], "the summary does not tell of the end of the target")


@test
def a_killed_one_is_read_up_to_its_last_frame(env):
    seed = int(os.environ.get("SEED", "1"))
    chance, path, text = random.Random(seed), env.scratch / "recording", []
    with Bare(env) as work:
        for round_ in range(int(os.environ.get("NT_ROUNDS", "1"))):
            with Recorded(env, work.pid, path) as recorded:
                recorded.wait_for_lines(ENOUGH_LINES)
                work.do("compute 200")
                time.sleep(chance.random())  # not to wait for anything: the moment is by chance
                recorded.process.kill()
                recorded.process.wait(END_S)
                lines, said, status = recorded.replayed()
                check_equal(f"exit status of replay, which says {said}", status, 0)
                check("the recording was not ended: it goes up to " in said, said)
                check(lines and recorded.lines_path.read_bytes().startswith(lines), f"SEED={seed}, round {round_}: what was replayed is not what was written")
                text.append(f"{len(lines.splitlines())} of {len(recorded.lines())} lines")
    return f"SEED={seed}: " + ", ".join(text)


@test
def on_a_full_disk_it_is_said_and_the_lines_go_on(env):
    seed = int(os.environ.get("SEED", "1"))
    place = env.scratch / "small"
    place.mkdir()
    size = random.Random(seed).randrange(9, 15) * 4096
    with Bare(env) as work, mounted("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)):
        with Recorded(env, work.pid, place / "recording", *MANY_SAMPLES) as recorded:
            work.do("compute 100")
            wait_until(lambda: "no more is recorded in " in recorded.said(), END_S, lambda: f"a full disk is told of: {recorded.said()}")
            recorded.wait_for_lines(len(recorded.lines()) + 2)
            recorded.end(status=1)
            check_equal("how often it is told of", recorded.said().count("No space left on device"), 1)
            lines, said, status = recorded.replayed()
            check_equal(f"exit status of replay, which says {said}", status, 0)
            check("the recording was not ended" in said and "are no whole frame" not in said, said)
            check(recorded.lines_path.read_bytes().startswith(lines), f"SEED={seed}: what was replayed is not what was written")
            return f"SEED={seed}: {size} bytes, {len(lines.splitlines())} of {len(recorded.lines())} lines"


@test
def a_limit_ends_it_and_a_terminal_sees_it_grow(env):
    """Each second a line in the place of the one before; of what is recorded at the end the last one tells."""
    path, limit, shown = env.scratch / "limited", 60000, b""
    path.unlink(missing_ok=True)
    master, slave = open_terminal(24, 120)
    with Bare(env) as work:
        process = subprocess.Popen([str(env.nettop), "record", "-p", str(work.pid), "-o", str(path), "--limit", str(limit), *MANY_SAMPLES], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
        try:
            os.close(slave)
            deadline = time.monotonic() + END_S
            while process.poll() is None:
                check(time.monotonic() < deadline, f"it is recorded without end: {shown}")
                work.do("compute 100")
                with contextlib.suppress(BlockingIOError, OSError):
                    shown += os.read(master, 65536)
            with contextlib.suppress(BlockingIOError, OSError):
                shown += os.read(master, 65536)
        finally:
            process.kill()
            process.wait()
            os.close(master)
    check_equal(f"exit status; it showed {shown}", process.returncode, 0)
    check(re.search(rb"recording \d+\.\d s, [\d.]+K?, [\d.]+k? events", shown), f"no line while it grows: {shown}")
    check(re.search(rb"nettop: recorded \d+\.\d s, [\d.]+K, [\d.]+k? events in .*limited: that is its limit", shown), f"what is said at the end: {shown}")
    check(path.stat().st_size <= limit, f"{path.stat().st_size} bytes of {limit}")
    done = run([str(env.nettop), "replay", str(path), "--json"])
    check_equal(f"exit status of replay, which says {done.stderr}", (done.returncode, done.stderr), (0, ""))
    return f"{path.stat().st_size} bytes of {limit}, {len(done.stdout.splitlines())} lines"


@test
def what_is_no_recording_is_refused_by_name(env):
    some = env.scratch / "some"
    some.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(100))
    for words, status, text in (((str(some),), 1, "is no recording of nettop"), ((str(env.scratch / "none"),), 2, "cannot read"), (("/dev/null",), 2, "is no regular file"),
                                ((), 2, "which recording? nettop replay FILE")):
        done = run([str(env.nettop), "replay", *words])
        check_equal(f"exit status of {words}", done.returncode, status)
        check(text in done.stderr, done.stderr)
    done = run([str(env.nettop), "record", "-p", str(os.getpid())])
    check_equal("exit status without -o", done.returncode, 2)
    done = run([str(env.nettop), "record", "-p", "1,2", "-o", str(env.scratch / "several")])
    check_equal("exit status of several", done.returncode, 2)
    check("start one nettop record for each of 1,2" in done.stderr and not (env.scratch / "several").exists(), done.stderr)


if __name__ == "__main__":
    main()
