#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop stacks -e`: what happens in a real process is counted as the process itself counts it, with who did it; and nothing is left of it."""
import ctypes
import json
import os
import pathlib
import re
import subprocess
import time

from nt_live import *
from nt_live.bare import open_files
from nt_live.environment import mounted
from nt_live.eventpipe import sessions_of
from nt_live.made_files import MadeFiles
from nt_live.process import run
from nt_live.saying import Saying
from nt_live.stack_files import reader_of
from nt_live.workload import Waiting

TRACING = "/sys/kernel/tracing"
BREAKPOINT = 0xCC
START_S = 20


class Watch(Saying):
    """A `nettop stacks -e` that watches already."""

    def __init__(self, env, work, events, *options, formats="folded"):
        self.path = env.scratch / "events"
        self.work, self.events = work, events.split(",")
        self.sessions = sum(event.startswith("clr:") for event in self.events)
        super().__init__(env.nettop, "stacks", "-p", str(work.pid), "-e", events, "-f", formats, "-o", self.path, *options)

    def __enter__(self):
        wait_until(self._watches, START_S, f"nettop does not watch {self.events}")
        time.sleep(0.3)
        self.work.settle()
        return self

    def _watches(self):
        check(self.process.poll() is None, lambda: f"nettop has ended: {self.process.stderr.read()}")
        rings = sum(target == "anon_inode:[perf_event]" for target in open_files(self.process.pid))
        return (rings or len(self.events) == self.sessions) and sessions_of(self.work.pid) >= self.sessions

    def finish(self):
        """What it says in the end."""
        self.process.send_signal(2)
        return self.said(30)

    def told(self, event, within):
        """How often it happened in a method, and in what that called, by the folded file."""
        total = 0
        for line in self.path.read_text(encoding="utf-8").splitlines():
            stack, count = line.rsplit(" ", 1)
            if (len(self.events) == 1 or stack.startswith(event.replace(";", ":") + ": ")) and f";{within}(" in stack:
                total += int(count)
        return total


@test
def calls_and_returns(env):
    """Each call of malloc by a P/Invoke, with the managed method that makes it directly above; each return into that method."""
    with Bare(env) as work, Watch(env, work, "u:libc.so.6:malloc,ur:libc.so.6:malloc") as watch:
        called = work.do("malloc 800")["called"]  # a burst of more may meet the limit of what nettop takes in, and is told in part then
        said = watch.finish()
    text = watch.path.read_text(encoding="utf-8")
    # What the runtime allocates below the method, to compile it anew, is not the method's.
    calls = re.findall(r"^u:libc\.so\.6:malloc: .*;Workload\.Calling\.Malloc\(long\)[^;]*;malloc (\d+)$", text, re.M)
    returns = re.findall(r"^ur:libc\.so\.6:malloc: .*;Workload\.Calling\.Malloc\(long\)[^;]* (\d+)$", text, re.M)
    check_equal("calls", sum(map(int, calls)), called)
    check_equal("returns", sum(map(int, returns)), called)
    check(re.search(r"\d+ of u:libc\.so\.6:malloc, \d+ of ur:libc\.so\.6:malloc in", said), said)


@test
def page_faults(env):
    """As many as the kernel counted for the thread."""
    with Bare(env) as work:
        work.do("touch 1")  # what it calls is bound then, which faults where the program does not count
        with Watch(env, work, "page-faults") as watch:
            faults = sum(work.do("touch 250")["faults"] for _ in range(3))  # of a burst of more a part may be told for others
            watch.finish()
    check_equal("faults", watch.told("page-faults", "Workload.Calling.Touch"), faults)
    return f"{faults} faults"


@test
def events_of_the_runtime(env):
    """Exceptions and waits for locks, as many as the program saw, in several formats from one run."""
    formats = ("folded", "speedscope", "perf-script")
    with Bare(env) as work, Watch(env, work, "clr:ExceptionThrown,clr:ContentionStart", formats=",".join(formats)) as watch:
        caught = work.do("throw 120")["caught"]
        contended = work.do("locks 20")["contended"]
        said = watch.finish()
    check(f"{caught} of clr:ExceptionThrown, {contended} of clr:ContentionStart" in said, said)
    base = watch.path
    check_equal("in folded", reader_of("folded", 1)(pathlib.Path(f"{base}.folded")).samples(), caught + contended)
    script = pathlib.Path(f"{base}.perf-script").read_text(encoding="utf-8")
    heads = re.findall(r"^\S+ \d+/\d+ [\d.]+: +1 (clr:\w+): $", script, re.M)
    check_equal("in perf script", sorted(heads), ["clr:ContentionStart"] * contended + ["clr:ExceptionThrown"] * caught)
    profiles = json.loads(pathlib.Path(f"{base}.speedscope.json").read_text(encoding="utf-8"))["profiles"]
    check_equal("in speedscope", sum(sum(profile["weights"]) for profile in profiles), caught + contended)
    check_equal("unit of counts", {profile["unit"] for profile in profiles}, {"none"})
    watch.path = pathlib.Path(f"{base}.folded")
    check_equal("exceptions", watch.told("clr:ExceptionThrown", "Workload.Throwing.Throw"), caught)


@test
def tracepoints(env):
    """A system call, twice in each command. Where tracefs is not mounted, that is said, with what mounts it."""
    with Bare(env) as work:
        if not os.path.exists(f"{TRACING}/events"):
            refused = run([env.nettop, "stacks", "-p", str(work.pid), "-e", "sched:sched_switch", "-d", "1"])
            check_equal("exit status without tracefs", refused.returncode, 3)
            check("mount -t tracefs" in refused.stderr, refused.stderr)
        with mounted("-t", "tracefs", "tracefs", TRACING):
            refused = run([env.nettop, "stacks", "-p", str(work.pid), "-e", "sched:nothing", "-d", "1"])
            check("this kernel has none of that name" in refused.stderr, refused.stderr)
            with Watch(env, work, "syscalls:sys_enter_getrusage,sched:sched_switch") as watch:
                for _ in range(7):
                    work.do("touch 1")
                watch.finish()
    check_equal("calls", watch.told("syscalls:sys_enter_getrusage", "Workload.Calling.Touch"), 14)


def managed_stacks(path, within):
    """Those of a method, as far as they are managed, without the tiers, in which they may be compiled anew meanwhile."""
    stacks = (line.rsplit(" ", 1)[0].split(";")[1:] for line in path.read_text(encoding="utf-8").splitlines())
    named = (tuple(re.sub(r" \[\w+\]", "", frame) for frame in stack if "(" in frame and not frame.startswith("operator ")) for stack in stacks)
    return {stack for stack in named if any(frame.startswith(f"{within}(") for frame in stack)}


def names_without_a_map(env, event, command, within):
    """The same stacks as with a perf map; and without `--map` the process is told to write none."""
    with Bare(env) as work, MadeFiles() as made:
        with Watch(env, work, event) as watch:
            work.do(command)
            watch.finish()
        without = managed_stacks(watch.path, within)
        check_equal(f"maps that were made for {event}", made.maps_of(work.pid), set())
        with Watch(env, work, event, "--map") as watch:
            wait_until(work.writes_map, START_S, "no map is switched on")
            work.do(command)
            watch.finish()
        check_equal(f"stacks of {event} with a map", managed_stacks(watch.path, within), without)
        check_equal(f"maps that were made for {event} with --map", made.maps_of(work.pid) & {work.map.name}, {work.map.name})
        check_equal("left", work.leftovers(), [])
    check(len(without) == 1 and all(len(stack) == 4 for stack in without), f"stacks of {within} by {event}: {without}")


@test
def names_of_calls_without_a_map(env):
    """Also of code that lies in memory that the process has mapped just before nettop ends."""
    names_without_a_map(env, "u:libc.so.6:malloc", "malloc 800", "Workload.Calling.Malloc")


@long_test
def names_of_software_events_without_a_map(env):
    names_without_a_map(env, "page-faults", "touch 250", "Workload.Calling.Touch")


@long_test
def names_of_tracepoints_without_a_map(env):
    with mounted("-t", "tracefs", "tracefs", TRACING):
        names_without_a_map(env, "syscalls:sys_enter_getrusage", "touch 1", "Workload.Calling.Touch")


def malloc_in(pid):
    """The first byte of malloc in the memory of a process."""
    def base(of):
        for line in pathlib.Path(f"/proc/{of}/maps").read_text(encoding="utf-8").splitlines():
            if line.endswith("/libc.so.6"):
                return int(line.split("-")[0], 16)
        raise Missing("no libc.so.6")
    offset = ctypes.cast(ctypes.CDLL("libc.so.6").malloc, ctypes.c_void_p).value - base("self")
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        memory.seek(base(pid) + offset)
        return memory.read(1)[0]


@test
def nothing_is_left_when_nettop_is_killed(env):
    """The probe is in this process alone, and gone with nettop, however that ends. tracefs never knows of it."""
    with mounted("-t", "tracefs", "tracefs", TRACING), Bare(env) as work:
        before = malloc_in(work.pid)
        check(before != BREAKPOINT, "there is a probe already")
        with Watch(env, work, "u:libc.so.6:malloc,ur:libc.so.6:free") as watch:
            check_equal("malloc while it is probed", malloc_in(work.pid), BREAKPOINT)
            check(malloc_in(os.getpid()) != BREAKPOINT, "another process is probed")
            check_equal("uprobe_events", pathlib.Path(f"{TRACING}/uprobe_events").read_text(encoding="utf-8"), "")
            watch.process.kill()
            watch.process.wait()
            wait_until(lambda: malloc_in(work.pid) == before, 5, "the probe is still there")
        check_equal("uprobe_events", pathlib.Path(f"{TRACING}/uprobe_events").read_text(encoding="utf-8"), "")
        check_equal("calls", work.do("malloc 1000")["called"], 1000)


@test
def a_flood_is_bounded(env):
    """A probe where millions of calls go by is taken away, which is said, and the program goes on."""
    with Bare(env) as work, Watch(env, work, "u:libc.so.6:malloc") as watch:
        took_ns = sum(work.do("malloc 3000000")["took_ns"] for _ in range(5))
        said = watch.finish()
    check_limit("time of 15 million calls", took_ns / 1e9, 5)  # each of them probed: 24 s
    check("so often that to see each would cost the process too much" in said, said)
    return f"{took_ns / 1e9:.2f} s for 15 million calls"


@test
def refusals(env):
    """One sentence each: what, why, and what would be right."""
    with Bare(env) as work:
        for event, status, says in (("nothing", 2, "'nothing' is no event that nettop knows; nettop stacks -e list"),
                                    ("u:libc.so.6:no_such", 3, "it has no function of that name"),
                                    ("u:libnone.so:f", 3, "has mapped no file 'libnone.so'"),
                                    ("u:libc.so.6:memcpy", 3, "chosen when the library is loaded"),
                                    ("clr:GCAllocationTick", 3, "clr:AllocationSampled tells the same")):
            done = run([env.nettop, "stacks", "-p", str(work.pid), "-e", event, "-d", "1"])
            check_equal(f"exit status of {event} ({done.stderr.strip()})", done.returncode, status)
            check(says in done.stderr, f"{event}: {done.stderr}")
            check_equal(f"sentences of {event}", len(done.stderr.strip().splitlines()), 1)
        done = run([env.nettop, "stacks", "-p", str(work.pid), "-f", "folded,pprof", "-d", "1"])
        check("say how they begin: -o FILE" in done.stderr, done.stderr)
        done = run([env.nettop, "stacks", "-p", str(work.pid), "-e", "u:libc.so.6:malloc", "--readonly"])
        check("a probe would change the target's memory" in done.stderr, done.stderr)
        done = run([env.nettop.parent / "tests/tools/seccomp", env.nettop, "stacks", "-p", str(work.pid), "-e", "u:libc.so.6:malloc", "-d", "1"])
        check("a seccomp filter keeps from nettop" in done.stderr and "seccomp profile" in done.stderr and "setcap" not in done.stderr, f"as a container has it: {done.stderr}")
    listed = run([env.nettop, "stacks", "-e", "list"])
    check_equal("exit status of the list", listed.returncode, 0)
    check("clr:ExceptionThrown" in listed.stdout and "page-faults" in listed.stdout, listed.stdout)


def waited_s(path, within):
    """How long threads waited within a method, by the folded file."""
    lines = (line.rsplit(" ", 1) for line in path.read_text(encoding="utf-8").splitlines())
    return sum(int(ns) for stack, ns in lines if f";{within}(" in stack) / 1e9


@test
def where_all_wait(env):
    """Of each of twelve kinds, ten threads that wait all the time: as long as was watched, in the method that waits."""
    path, watched_s = env.scratch / "waits", 4
    env.scratch.mkdir(parents=True, exist_ok=True)
    with Waiting(env) as work:
        done = run([env.nettop, "stacks", "-p", str(work.pid), "--off-cpu", "--readonly", "--duration", str(watched_s), "-o", path])
    check_equal(f"exit status ({done.stderr})", done.returncode, 0)
    waited = {kind: waited_s(path, f"Waiting.For{kind}") for kind in ("Monitor", "Lock", "Semaphore", "Task", "Join", "Sleep", "Socket", "File", "Pipe", "Process", "Native", "Pulse")}
    check(all(0.8 * 10 * watched_s < seconds <= 10 * watched_s for seconds in waited.values()), f"ten threads each, {watched_s} s: {waited}")
    check(max(waited.values()) - min(waited.values()) < 0.02 * watched_s, f"all of them alike: {waited}")


@long_test
def where_one_waits_now_and_then(env):
    """What its own stopwatch says, without the time in which it was awake by the kernel's clocks."""
    path = env.scratch / "waits"
    env.scratch.mkdir(parents=True, exist_ok=True)
    with Bare(env) as work:
        watch = subprocess.Popen([env.nettop, "stacks", "-p", str(work.pid), "-e", "wait", "-f", "folded,pprof", "-o", path], stderr=subprocess.PIPE, text=True)
        try:
            time.sleep(1)
            told_s = work.do("nap 8000")["waited_ns"] / 1e9
            watch.send_signal(2)
            _, said = watch.communicate(timeout=30)
        finally:
            watch.kill()
            watch.wait()
    check_equal(f"exit status ({said})", watch.returncode, 0)
    seconds = waited_s(pathlib.Path(f"{path}.folded"), "Workload.Napping.Nap")
    check(abs(seconds / told_s - 1) < 0.1, f"{seconds:.2f} s, {told_s:.2f} s by the thread's own clocks")
    profile = reader_of("pprof", 1)(pathlib.Path(f"{path}.pb"))
    check(profile.samples() > 0, "in pprof")
    return f"{seconds:.2f} s, {told_s:.2f} s by the thread's own clocks"


PARTS = ("running", "blocked", "run-queue")


def all_times(totals, thread):
    """Of one thread by what it did, in seconds: by a reader's totals."""
    of = {part: {name: counter for name, counter in totals.items() if name.startswith(f"{part}: {thread}/")} for part in PARTS}
    check(all(len(found) <= 1 for found in of.values()), f"several threads: {of.keys()}")
    return {part: sum(counter[""] for counter in found.values()) / 1e9 for part, found in of.items()}


@test
def all_time_of_a_thread(env):
    """What it ran, by samples, and what it was blocked and waited for a CPU, by each switch, are the time that passed; in each format the same."""
    path, lasts_ms, formats = env.scratch / "wall", 5000, "folded,flamegraph,speedscope,perf-script,pprof"
    env.scratch.mkdir(parents=True, exist_ok=True)
    with Bare(env) as work:
        watch = subprocess.Popen([env.nettop, "stacks", "-p", str(work.pid), "--wall", "-f", formats, "-o", path], stderr=subprocess.PIPE, text=True)
        try:
            wait_until(lambda: any("bpf-map" in target for target in open_files(watch.pid)) or watch.poll() is not None, START_S, "no switch is watched")
            time.sleep(0.5)  # until its first round is told
            blocked_s = work.do(f"nap {lasts_ms}")["waited_ns"] / 1e9
            watch.send_signal(2)
            _, said = watch.communicate(timeout=30)
        finally:
            watch.kill()
            watch.wait()
    check_equal(f"exit status ({said})", watch.returncode, 0)
    check(re.search(r"threads ran for [\d.]+ s, were blocked for [\d.]+ s and waited for a CPU for [\d.]+ s in ", said), said)
    times = all_times(reader_of("folded", 1)(pathlib.Path(f"{path}.folded")), "napper")
    awake_s = times["running"] + times["run-queue"]
    check(abs(times["blocked"] / blocked_s - 1) < 0.05, f"{times}, blocked for {blocked_s:.2f} s by its own clocks")
    check(abs(awake_s / (lasts_ms / 1e3 - blocked_s) - 1) < 0.2, f"{times}, awake for {lasts_ms / 1e3 - blocked_s:.2f} s by its own clocks")
    check(abs(sum(times.values()) / (lasts_ms / 1e3) - 1) < 0.08, f"{times} of {lasts_ms} ms")
    # Where it was blocked is what it sleeps in; where it ran is not.
    check(waited_s(pathlib.Path(f"{path}.folded"), "Workload.Napping.Nap") > 0.9 * sum(times.values()), "it is not where it naps")
    for name, ending in (("flamegraph", "svg"), ("speedscope", "speedscope.json")):
        same = all_times(reader_of(name, 1)(pathlib.Path(f"{path}.{ending}")), "napper")
        check(all(abs(same[part] - times[part]) < 0.001 for part in PARTS), f"{name}: {same}, folded: {times}")
    check(reader_of("pprof", 1)(pathlib.Path(f"{path}.pb")).samples() > 0, "nothing runs in pprof")
    records = re.findall(r"^napper +\d+/\d+ [\d.]+: +(\d+) (\S+): $", pathlib.Path(f"{path}.perf-script").read_text(encoding="utf-8"), re.M)
    for part in PARTS:
        seconds = sum(int(ns) for ns, did in records if did == part) / 1e9
        check(abs(seconds - times[part]) < 0.001, f"{part} in perf script: {seconds:.3f} s, {times[part]:.3f} s in folded")
    return f"{times} of {lasts_ms} ms, blocked for {blocked_s:.2f} s by its own clocks"


@test
def all_time_of_who_waits(env):
    """Threads that wait from before until after, and never run: all the time that was watched, each."""
    path, watched_s = env.scratch / "wall-waits", 4
    env.scratch.mkdir(parents=True, exist_ok=True)
    with Waiting(env) as work:
        done = run([env.nettop, "stacks", "-p", str(work.pid), "--wall", "--readonly", "--duration", str(watched_s), "-o", path])
    check_equal(f"exit status ({done.stderr})", done.returncode, 0)
    waited = {kind: waited_s(path, f"Waiting.For{kind}") for kind in ("Monitor", "Lock", "Semaphore", "Task", "Join", "Sleep", "Socket", "File", "Pipe", "Process", "Native", "Pulse")}
    check(all(0.8 * 10 * watched_s < seconds <= 10 * watched_s for seconds in waited.values()), f"ten threads each, {watched_s} s: {waited}")


@test
def all_time_without_switches(env):
    """One sentence, with what would permit them; and no file that would have a part of the time."""
    env.need_commands("setpriv")
    path = env.scratch / "no-wall"
    env.scratch.mkdir(parents=True, exist_ok=True)
    with Bare(env) as work:
        done = run(["setpriv", "--bounding-set=-sys_admin,-bpf", env.nettop, "stacks", "-p", str(work.pid), "--wall", "-d", "5", "-o", path])
        both = run([env.nettop, "stacks", "-p", str(work.pid), "--wall", "--off-cpu", "-d", "1"])
    check_equal(f"exit status ({done.stderr})", done.returncode, 3)
    check_equal(f"sentences ({done.stderr})", len(done.stderr.strip().splitlines()), 1)
    check("not all time can be told: " in done.stderr and "CAP_BPF" in done.stderr and "setcap" in done.stderr, done.stderr)
    check(not path.exists(), "there is a file")
    check_equal(f"exit status with --off-cpu ({both.stderr})", both.returncode, 2)


if __name__ == "__main__":
    main()
