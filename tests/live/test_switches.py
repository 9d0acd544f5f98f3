#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Switches of threads, each told by the kernel: how long a program waited is what its own stopwatch says; what found no room is counted; nobody else's threads are told of; without the right to
it is said what is missing.
"""
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys

from nt_live import *
from nt_live.process import LineProcess

# The target: each kind of wait on a thread of its own. It begins at a line, and says the kind, the thread, from when until when it was, and how long it had no CPU in that
# time: by its own stopwatch and the kernel's count of the CPU time that it had.
PROGRAM = """
import os, sys, threading, time
def told(kind, times, wait):
    begin, used = time.monotonic_ns(), time.thread_time_ns()
    for _ in range(times):
        wait()
    end, used = time.monotonic_ns(), time.thread_time_ns() - used
    print(kind, threading.get_native_id(), begin, end, end - begin - used, flush=True)
lock = threading.Lock()
lock.acquire()
ends = os.pipe()
give = [False]
def hand_over():
    print("other", threading.get_native_id(), 0, 0, 0, flush=True)
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
# Two of these, one after the other at the same place: code that is equal but for how much of the stack it takes, filled with words that a walk by the other's rule takes for a caller.
LIBRARY = """
#include <time.h>
void nap(unsigned long decoy)
{
	volatile unsigned long words[WORDS];
	const struct timespec time = { .tv_nsec = 5000000 };
	for (int i = 0; i < WORDS; i++)
		words[i] = decoy;
	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, 0);
	words[0]++;
}
"""
# Each is called by a function of its own, until there comes a line (at most for 20 s and more). It says before where the functions are.
NAPPER = """
#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
typedef void nap_function(unsigned long decoy);
#define CALLER(name) __attribute__((noinline, aligned(256))) static void name(nap_function *nap) \\
{ for (int i = 0; i < 4000 && poll(&line_comes, 1, 0) == 0; i++) nap((unsigned long)&decoy + 8); }
static struct pollfd line_comes = { 0, POLLIN, 0 };
static char line[8];
__attribute__((aligned(256))) void decoy(void) { puts(""); }
CALLER(first)
CALLER(second)
__attribute__((aligned(256))) static void with(const char *path, void (*caller)(nap_function *))
{
	void *library = dlopen(path, RTLD_NOW);
	nap_function *nap = library ? (nap_function *)dlsym(library, "nap") : 0;
	printf("%lx %lx %lx\\n", (unsigned long)nap, (unsigned long)caller, (unsigned long)decoy);
	fflush(stdout);
	if (nap)
		caller(nap);
	fgets(line, sizeof(line), stdin);
	dlclose(library);
}
int main(int argc, char **argv)
{
	setvbuf(stdin, 0, _IONBF, 0);
	puts("ready");
	fflush(stdout);
	fgets(line, sizeof(line), stdin);
	with(argv[1], first);
	with(argv[2], second);
	with(argv[1], first);
	puts("done");
	fflush(stdout);
	fgets(line, sizeof(line), stdin);
}
"""
FUNCTION_BYTES, NAP_BYTES = 256, 512
WITHIN = 0.01
WITHOUT_BPF = ("setpriv", "--bounding-set=-sys_admin,-bpf")
AS_USER = ("setpriv", "--reuid=54321", "--clear-groups")
WITHOUT_PERFMON = ("setpriv", "--bounding-set=-sys_admin,-bpf,-perfmon")
SWITCHES, TIMES = 4096, 1 << 19  # the bits of NT_WANT_SWITCHES and NT_WANT_SWITCH_TIMES


class Watched:
    """source_dump on a process, until stop(): its lines."""

    def __init__(self, env, pid, prefix=(), source="perf"):
        dump = env.nettop.parent / "tests/tools/source_dump"
        if not dump.exists():
            raise Missing(f"{dump} is not built (make tools)")
        self.process = LineProcess([*prefix, str(dump), "-w", source, str(pid), "120"])
        self.lines = []

    def read_until(self, what):
        while (line := self.process.read_line(30)) is not None:
            self.lines.append(line)
            if re.search(what, line):
                return line
        raise Failure(f"the dump ended before {what}")

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


def waited(lines, tid, begin, end):
    """ns between a thread's leaving a CPU and its coming back, as far as they lie between the two times."""
    left, total = None, 0
    for line in lines:
        if not (found := re.match(r"(\d+)\.(\d+) perf switch pid=\d+ tid=(\d+) on=(\d)", line)):
            continue
        time = int(found[1]) * 10**9 + int(found[2])
        if int(found[3]) != tid:
            continue
        if found[4] == "0":
            left = time
        elif left is not None:
            total += max(min(time, end) - max(left, begin), 0)
            left = None
    return total


def switched(lines):
    return {int(tid) for tid in re.findall(r"^\d+\.\d+ perf switch pid=\d+ tid=(\d+)", "\n".join(lines), re.M)}


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
        kind, *numbers = line.split()
        stopwatch[kind] = [int(number) for number in numbers]
    own = {int(tid) for tid in os.listdir(f"/proc/{target.pid}/task")} | {numbers[0] for numbers in stopwatch.values()}
    watched.stop()
    others = [int(tid) for tid in os.listdir(f"/proc/{other.pid}/task")]
    target.kill()
    other.kill()
    other_tid = stopwatch.pop("other")[0]
    for kind, (tid, begin, end, ns) in stopwatch.items():
        check_within(f"{kind}: without a CPU by its switches", waited(watched.lines, tid, begin, end), ns, WITHIN)
    for kind, waker in (("nap", "interrupt"), ("lock", other_tid), ("pipe", other_tid)):
        wakers = woken_by(watched.lines, stopwatch[kind][0])
        # What comes at once is no wait, and in a busy kernel thread a timer may go off, too.
        check(wakers[waker] >= 0.8 * max(sum(wakers.values()), 45), f"{kind} is woken by {wakers}, not by {waker}")
    foreign = {int(tid) for tid in re.findall(r"perf (?:switch|wake) pid=\d+ tid=(\d+)", "\n".join(watched.lines))} & set(others)
    check(not foreign, f"threads of another process: {foreign}")
    tids = switched(watched.lines)
    check(len(tids) <= len(own) + 1, f"more threads than the target has: {sorted(tids)} of {sorted(own)}")
    check(any(f"cover pid={target.pid} tid=0 what={SWITCHES} covered=0" in line for line in watched.lines), "the end is not said")


@test
def without_the_right_to(env):
    target = LineProcess([sys.executable, "-c", PROGRAM])
    check_equal("the first line", target.read_line(20), "ready")
    watched = Watched(env, target.pid, prefix=WITHOUT_PERFMON)
    said = watched.read_until("waits are exact only with CAP_BPF")
    check("state=delivering" in said and "setcap" in said, f"the reason without its fix: {said}")
    watched.stop()
    target.kill()
    check(not any(" perf wake " in line for line in watched.lines) and not list(stacks_of_switches(watched.lines)), "more than times without the right to")


@test
def without_bpf_by_records(env):
    """As long as the program says, of nobody else, neither where nor who woke; and it is said what brings that."""
    by_records(env, (), WITHOUT_BPF, "all switches of this machine")


@test
def a_users_own_program_by_records(env):
    """Where only events of the user's own threads are allowed, these tell the same, of threads that come later, too."""
    if int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text()) < 1:
        raise Missing("events of CPUs are allowed here")
    by_records(env, AS_USER, AS_USER, "its threads' switches")


def by_records(env, target_prefix, prefix, records):
    other = LineProcess([str(env.nettop.parent / "tests/tools/threads"), "0", "0", "0", "0", "1"])
    check_equal("the other's first line", other.read_line(20), "ready")
    target = LineProcess([*target_prefix, sys.executable, "-c", PROGRAM])
    check_equal("the first line", target.read_line(20), "ready")
    watched = Watched(env, target.pid, prefix=prefix)
    said = watched.read_until(f"waits are exact only with CAP_BPF.*records of {records}")
    check("state=delivering" in said and "setcap" in said, f"the reason without its fix: {said}")
    target.send_line("")
    stopwatch = {}
    while (line := target.read_line(30)) != "done":
        kind, *numbers = line.split()
        stopwatch[kind] = [int(number) for number in numbers]
    own = {int(tid) for tid in os.listdir(f"/proc/{target.pid}/task")} | {numbers[0] for numbers in stopwatch.values()}
    watched.stop()
    target.kill()
    other.kill()
    stopwatch.pop("other")
    for kind, (tid, begin, end, ns) in stopwatch.items():
        check_within(f"{kind}: without a CPU by its switches", waited(watched.lines, tid, begin, end), ns, WITHIN)
    check(not switched(watched.lines) - own, f"threads of another process: {switched(watched.lines) - own}")
    check(not any(" perf wake " in line for line in watched.lines), "somebody is said to have woken")
    check(not list(stacks_of_switches(watched.lines)), "it is said where")
    check(any(f"cover pid={target.pid} tid=0 what={SWITCHES} covered=0" in line for line in watched.lines), "the end is not said")


def handing_all_the_time(env, *options, under=()):
    """A program of two threads that do nothing but hand a byte to and fro, watched: until it is told that each switch is, and for 5 s more, or until that ends."""
    target = LineProcess([*under, "taskset", "-c", str(min(os.sched_getaffinity(0))), str(env.nettop.parent / "tests/tools/threads"), "0", "0", "0", "0", "1"])
    check_equal("the first line", target.read_line(20), "ready")
    dump = LineProcess([*under, str(env.nettop.parent / "tests/tools/source_dump"), "-q", "-w", *options, "perf", str(target.pid), "6"])
    lines = []
    while (line := dump.read_line(30)) is not None:
        lines.append(line)
    dump.kill()
    target.kill()
    brings = SWITCHES + TIMES if under else SWITCHES
    check(any(re.match(rf"state delivering brings={brings} ", line) for line in lines), lambda: f"switches are not told: {lines}")
    told = sum(int(line.split()[1]) for line in lines if re.match(r"switch +\d+$", line)) / 2
    paid = int(next(re.search(r"paid ~(\d+) ns", line)[1] for line in lines if "paid" in line))
    return lines, told, paid


@test
def the_limit_is_what_the_user_gave(env):
    """100 000 switches a second: over the usual limit they end, and it is said; where all may be paid they go on. What each costs is measured while they are told."""
    lines, _, _ = handing_all_the_time(env)
    check(any("no_switches=2" in line for line in lines), lambda: f"too dear is not said: {lines}")
    lines, told, paid = handing_all_the_time(env, "-p", "100")
    check(not any("no_switches=2" in line for line in lines) and told > 10000, lambda: f"{told} switches, then: {lines}")
    check(200 * told < paid < 4000 * told, f"{paid} ns for {told} switches")
    return f"{told:.0f} switches, ~{paid / told:.0f} ns each"


@long_test
def the_limit_of_a_user(env):
    """Likewise of a user's own program, where events of its threads are all that is allowed."""
    if int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text(encoding="ascii")) < 1:
        raise Missing("events of CPUs are allowed here")
    lines, _, _ = handing_all_the_time(env, under=AS_USER)
    check(any("no_switches=2" in line for line in lines), lambda: f"too dear is not said: {lines}")
    lines, told, _ = handing_all_the_time(env, "-p", "100", under=AS_USER)
    check(not any("no_switches=2" in line for line in lines) and told > 10000, lambda: f"{told} switches, then: {lines}")
    return f"{told:.0f} switches"


def compiled(env, name, text, *options):
    env.need_commands("gcc")
    env.scratch.mkdir(parents=True, exist_ok=True)
    path = env.scratch / name
    subprocess.run(["gcc", "-x", "c", "-O2", "-fno-stack-clash-protection", *options, "-o", path, "-"], input=text, text=True, check=True)
    return path


def stacks_of_switches(lines):
    """Addresses, leaf first, of each time that a thread left a CPU."""
    for line in lines:
        if found := re.search(r" perf switch pid=\d+ tid=\d+ on=0 .*stack=k0:([0-9a-f,]+)", line):
            yield [int(address, 16) for address in found[1].split(",")]


def callers_after_a_library_took_the_place_of_another(env, source):
    """Who called that one is told by its own rules, and by the other's never."""
    libraries = [compiled(env, f"nap{words}.so", LIBRARY, "-shared", "-fPIC", f"-DWORDS={words}") for words in (256, 1024)]
    target = LineProcess([str(compiled(env, "napper", NAPPER, "-fno-omit-frame-pointer")), *map(str, libraries)])
    check_equal("the first line", target.read_line(20), "ready")
    watched = Watched(env, target.pid, source=source)
    watched.read_until(f"cover .* what={SWITCHES} covered=1")
    naps, callers = [], []
    for _ in range(3):
        target.send_line("")
        nap, caller, decoy = (int(word, 16) for word in target.read_line(30).split())
        watched.read_until(rf" perf switch .*stack=k0:[0-9a-f]+,{nap >> 12:x}[0-9a-f]{{3}},{caller >> 8:x}[0-9a-f]{{2}},")
        naps.append(nap)
        callers.append(caller)
    target.send_line("")
    check_equal("the last line", target.read_line(30), "done")
    watched.stop()
    target.kill()
    check_equal("places of the libraries", set(naps), {naps[0]})
    functions = {"first": callers[0], "second": callers[1], "decoy": decoy}
    told, stacks = collections.Counter(), list(stacks_of_switches(watched.lines))
    for stack in stacks:
        for at, address in enumerate(stack[:-1]):
            if naps[0] <= address < naps[0] + NAP_BYTES:
                # Without a rule frame pointers lead past the caller, to main().
                told[next((name for name, start in functions.items() if start <= stack[at + 1] < start + FUNCTION_BYTES), "none")] += 1
    check_equal(f"naps by a caller that there is not, of {dict(told)}", told["decoy"], 0)
    return f"callers of {len(stacks)} naps: {dict(told)}"


@test
def a_rule_lives_no_longer_than_its_code(env):
    return callers_after_a_library_took_the_place_of_another(env, "perf")


@test
def nor_where_nothing_but_waits_is_asked_for(env):
    """Without samples, as `nettop stacks --off-cpu` has it."""
    return callers_after_a_library_took_the_place_of_another(env, "perf-waits")


main()
