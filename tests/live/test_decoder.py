#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The process that reads images for nettop: it has no rights, and whoever kills it takes nothing away but what it had read."""
import contextlib
import os
import random
import re
import signal
import time

from nt_live import *

NAME = "nettop-decoder"
NOBODY = 65534
CAP_SETUID = 7
BUSY = ("compute 100", "alloc 50", "jit-expr 20", "generics 20", "throw 40", "async 100", "pool 500", "locks 20")
NAMED = ("named", "stub", "bounded")
NAMES_S = 2  # within which names return after a decoder was killed


def decoder_of(nettop):
    """Its pid; None = there is none at present."""
    return next((pid for pid, name in descendants(of=nettop.process.pid).items() if name == NAME), None)


def limit_of(pid, name):
    with open(f"/proc/{pid}/limits", encoding="ascii") as file:
        return re.search(rf"^{name}\s+(\S+)", file.read(), re.M)[1]


def status_of(pid):
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


@contextlib.contextmanager
def watched(env):
    """nettop, and the pid of the decoder that it has by then."""
    with Workload(env, mode="N") as work, Nettop(env, work.pid, *MANY_SAMPLES, "--source", "perf,map,procfs") as nettop:
        nettop.wait_for_sources("perf", "map")
        work.do(BUSY[0])
        yield nettop, wait_until(lambda: decoder_of(nettop), 20, "a decoder")


@test
def it_has_no_rights(env):
    with watched(env) as (nettop, pid):
        # It is so when it begins to answer, not when it begins. A sanitizer is left its memory, threads, options and system calls.
        last = (lambda: limit_of(pid, "Max open files") == "512") if env.sanitized else (lambda: status_of(pid)["Seccomp"] == "2")
        wait_until(last, 10, "it is confined")
        status = status_of(pid)
        for which in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
            check_equal(which, int(status[which], 16), 0)
        check_equal("NoNewPrivs", status["NoNewPrivs"], "1")
        may_become = int(status_of(os.getpid())["CapEff"], 16) >> CAP_SETUID & 1  # the keeper, which forks it, has what nettop was started with
        uid = NOBODY if may_become else os.geteuid()
        check_equal("Uid", status["Uid"].split(), [str(uid)] * 4)
        if may_become:
            check_equal("Groups", status["Groups"].split(), [])
        check_equal("core", limit_of(pid, "Max core file size"), "0")
        if not env.sanitized:
            check_equal("Threads", status["Threads"], "1")
            check_equal("address space", limit_of(pid, "Max address space"), str(1 << 30))
            with open(f"/proc/{pid}/environ", "rb") as file:
                check_equal("environment", file.read(), b"")
        nettop.stop()
        wait_until(lambda: not os.path.exists(f"/proc/{pid}"), 5, "it ends with nettop")


@test
def it_ends_with_a_killed_nettop(env):
    with watched(env) as (nettop, pid):
        nettop.process.signal(signal.SIGKILL)
        wait_until(lambda: pid not in descendants(), 5, "it ends with nettop")


def kill_some(nettop, chance, most, seconds):
    """Kills each decoder that appears, at a random moment of its first 20 ms, until there have been so many or the time is over. How many there were."""
    killed, deadline = 0, time.monotonic() + seconds
    while killed < most and time.monotonic() < deadline:
        pid = decoder_of(nettop)
        if pid:
            time.sleep(chance.uniform(0, 0.02))
            try:
                os.kill(pid, signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
    return killed


def killed_run(env, work, chance, most):
    """One run of nettop whose decoder is killed at random; how often it was."""
    with Nettop(env, work.pid, *MANY_SAMPLES, "--source", "perf,map,procfs", interval_s=0.5) as nettop:
        nettop.wait_for_sources("perf", "map")
        killed = 0
        for command in BUSY:
            work.do(command)
            killed += kill_some(nettop, chance, most - killed, 0.4)
        alone = time.monotonic()
        while time.monotonic() < alone + 2 * NAMES_S:
            for command in BUSY:
                work.do(command)
        nettop.wait_for(lambda line: line["t1_ns"] > (alone + 2 * NAMES_S) * 1e9, 10, "the intervals until now")
        check_names_return(nettop.intervals, alone)
        summary = nettop.stop()
    rows, naming = summary["methods"], summary["naming"]
    samples = summary["cpu"]["samples"]
    check(samples > 100, f"only {samples} samples")
    check_equal("self samples of all rows", sum(row["self_samples"] for row in rows), samples)
    check_equal("samples by naming", naming["named"] + naming["stub"] + naming["bounded"] + naming["unnamed"], samples)
    check_equal("rows with neither a name nor a reason", [row for row in rows if row["naming"] not in NAMED and not row["reason"]], [])
    lost = sum(row["self_samples"] for row in rows if "killed all the time" in (row["reason"] or ""))
    check(lost <= samples / 20, f"{lost} of {samples} samples have lost their names")
    return killed


def check_names_return(lines, alone):
    """Whatever was looked up when the last decoder was killed, or since, is not looked up any more NAMES_S later, though it is sampled again."""
    since = {}  # place -> when it is first known to have waited
    for line in lines:
        end = line["t1_ns"] / 1e9
        waiting = {(row["module"], row["name"]) for row in line["methods"] if row["naming"] == "pending"}
        since = {place: since.get(place, max(end, alone)) for place in waiting}
        late = [place for place in waiting if end > since[place] + NAMES_S]
        check(not late, f"{NAMES_S} s after a decoder was killed there is no name for {late}")


def killed_times(env, times, seed):
    chance, killed, runs = random.Random(seed), 0, 0
    with Workload(env, mode="N") as work:
        work.settle()
        while killed < times:
            killed += killed_run(env, work, chance, min(40, times - killed))
            runs += 1
            check(runs < 10 + times, f"only {killed} of {times} decoders could be killed in {runs} runs")
    return f"{killed} times, in {runs} runs"


@test
def killed_a_few_times(env):
    return killed_times(env, 5, 1)


@long_test
def killed_200_times(env):
    return killed_times(env, 200, int(os.environ.get("SEED", "1")))


if __name__ == "__main__":
    main()
