#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Switches of threads, each told by the kernel: how long a program waited is what its own stopwatch says; what found no room is counted; nobody else's threads are told of; without the right to
it is said what is missing.
"""
import collections
import os
import re
import signal
import sys

from nt_live import *
from nt_live.process import LineProcess

# The target: each kind of wait on a thread of its own, timed by itself. It begins at a line, and says the kind, the thread and the ns that it waited.
PROGRAM = """
import os, sys, threading, time
def told(kind, times, wait):
    total = 0
    for _ in range(times):
        begin = time.monotonic_ns()
        wait()
        total += time.monotonic_ns() - begin
    print(kind, threading.get_native_id(), total, flush=True)
lock = threading.Lock()
lock.acquire()
ends = os.pipe()
give = [False]
def hand_over():
    print("other", threading.get_native_id(), 0, flush=True)
    while not give[0]:
        time.sleep(0.02)
        os.write(ends[1], b"x")
        if lock.locked():
            lock.release()
print("ready", flush=True)
sys.stdin.readline()
other = threading.Thread(target=hand_over)
other.start()
for kind, times, wait in (("nap", 50, lambda: time.sleep(0.02)), ("lock", 50, lock.acquire), ("pipe", 50, lambda: os.read(ends[0], 1 << 16))):
    thread = threading.Thread(target=told, args=(kind, times, wait))
    thread.start()
    thread.join()
give[0] = True
other.join()
print("done", flush=True)
sys.stdin.readline()
"""
WITHIN = 0.03
WITHOUT_BPF = ("setpriv", "--bounding-set=-sys_admin,-bpf")
SWITCHES = 4096  # the bit of NT_WANT_SWITCHES


class Watched:
    """source_dump on a process, until stop(): its lines."""

    def __init__(self, env, pid, prefix=()):
        dump = env.nettop.parent / "tests/tools/source_dump"
        if not dump.exists():
            raise Missing(f"{dump} is not built (make tools)")
        self.process = LineProcess([*prefix, str(dump), "-w", "perf", str(pid), "120"])
        self.lines = []

    def read_until(self, what):
        while (line := self.process.read_line(30)) is not None:
            self.lines.append(line)
            if re.search(what, line):
                return line
        raise Failed(f"the dump ended before {what}")

    def stop(self):
        self.process.signal(signal.SIGINT)
        while (line := self.process.read_line(30)) is not None:
            self.lines.append(line)
        self.process.kill()


def woken_by(lines, tid):
    """How often whom, for one thread: another one of the process, 0 = it is not known who, or "interrupt"."""
    wakers = collections.Counter()
    for line in lines:
        if found := re.search(rf" perf wake pid=\d+ tid={tid} waker_tid=(\d+) interrupt=(\d)", line):
            wakers["interrupt" if found[2] == "1" else int(found[1])] += 1
    return wakers


def waited(lines):
    """ns between a thread's leaving a CPU and its coming back, by thread."""
    left, sums = {}, {}
    for line in lines:
        if not (found := re.match(r"(\d+)\.(\d+) perf switch pid=\d+ tid=(\d+) on=(\d)", line)):
            continue
        time, tid = int(found[1]) * 10**9 + int(found[2]), int(found[3])
        if found[4] == "0":
            left[tid] = time
        elif tid in left:
            sums[tid] = sums.get(tid, 0) + time - left.pop(tid)
    return sums


@test
def as_long_as_the_program_says(env):
    """And of nobody else: there is another program beside it that switches all the time."""
    other = LineProcess([str(env.nettop.parent / "tests/tools/threads"), "0", "0", "0", "0", "1"])
    check_equal("the other's first line", other.read_line(20), "ready")
    target = LineProcess([sys.executable, "-c", PROGRAM])
    check_equal("the first line", target.read_line(20), "ready")
    watched = Watched(env, target.pid)
    watched.read_until(f"cover .* what={SWITCHES} covered=1")
    target.send_line("")
    stopwatch = {}
    while (line := target.read_line(30)) != "done":
        kind, tid, ns = line.split()
        stopwatch[kind] = (int(tid), int(ns))
    own = {int(tid) for tid in os.listdir(f"/proc/{target.pid}/task")} | {tid for tid, _ in stopwatch.values()}
    watched.stop()
    others = [int(tid) for tid in os.listdir(f"/proc/{other.pid}/task")]
    target.kill()
    other.kill()
    sums = waited(watched.lines)
    other_tid, _ = stopwatch.pop("other")
    for kind, (tid, ns) in stopwatch.items():
        check_within(f"{kind}: waited by its switches", sums.get(tid, 0), ns, WITHIN)
    for kind, waker in (("nap", "interrupt"), ("lock", other_tid), ("pipe", other_tid)):
        wakers = woken_by(watched.lines, stopwatch[kind][0])
        # What comes at once is no wait, and in a busy kernel thread a timer may go off, too.
        check(wakers[waker] >= 0.8 * max(sum(wakers.values()), 45), f"{kind} is woken by {wakers}, not by {waker}")
    foreign = {int(tid) for tid in re.findall(r"perf (?:switch|wake) pid=\d+ tid=(\d+)", "\n".join(watched.lines))} & set(others)
    check(not foreign, f"threads of another process: {foreign}")
    check(len(sums) <= len(own) + 1, f"more threads than the target has: {sorted(sums)} of {sorted(own)}")
    check(any(f"cover pid={target.pid} tid=0 what={SWITCHES} covered=0" in line for line in watched.lines), "the end is not said")


@test
def without_the_right_to(env):
    target = LineProcess([sys.executable, "-c", PROGRAM])
    check_equal("the first line", target.read_line(20), "ready")
    watched = Watched(env, target.pid, prefix=WITHOUT_BPF)
    said = watched.read_until("waits are exact only with CAP_BPF")
    check("state=delivering" in said and "setcap" in said, f"the reason without its fix: {said}")
    watched.stop()
    target.kill()
    check(not any(" perf switch " in line for line in watched.lines), "switches without the right to")


main()
