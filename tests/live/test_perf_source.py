#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# alone: it counts the BPF programs of the machine, and what samples cost and say while all CPUs are busy
"""The perf source alone, on processes with many and with short-lived threads, and where the kernel gives less."""
import ctypes
import math
import os
import re
import shutil
import signal
import struct
import time

from nt_live import *
from nt_live.process import LineProcess, run

HZ = 999
NOBODY = 65534
# One event for each CPU, where that is allowed, or one for each thread and CPU.
WAYS = {"CPUs": (), "tasks": ("-t",)}
FILTER = "nettop_filter"  # the name of the BPF program
SYS_BPF = {"x86_64": 321}.get(os.uname().machine, 280)  # the others number it alike
# Root without the rights to: events of CPUs; a filter in the kernel.
WITHOUT_PERFMON = ("setpriv", "--bounding-set=-sys_admin,-perfmon")
WITHOUT_BPF = ("setpriv", "--bounding-set=-sys_admin,-bpf")


def tool(env, name):
    """A program of tests/tools, copied to where other users can run it: a checkout may lie in a closed folder."""
    path = env.nettop.parent / "tests/tools" / name
    if not path.exists():
        raise Missing(f"{path} is not built (make tools)")
    copy = env.open_scratch / name
    if not copy.exists():
        shutil.copy(path, copy)
        copy.chmod(0o755)
    return str(copy)


class Threads:
    """A process of tests/tools/threads."""

    def __init__(self, env, *arguments, uid=None, prefix=()):
        argv = [tool(env, "threads"), *map(str, arguments)]
        self.process = LineProcess([*prefix, *as_user(uid), *argv])
        check_equal("the first line", self.process.read_line(20), "ready")
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()

    def cpu_s(self):
        """CPU time so far, by its clock (see clock_getcpuclockid(3))."""
        return time.clock_gettime(~self.pid << 3 | 2)


def as_user(uid):
    return [] if uid is None else ["setpriv", f"--reuid={uid}", "--clear-groups"]


class Dump:
    """One run of source_dump on the perf source: its output lines, and with -q the sums. `reading`: called when samples come, and before the last are read; what it
    gave then is in `readings`."""

    def __init__(self, env, pid, seconds, *options, uid=None, between=None, prefix=(), reading=None):
        stderr = str(env.scratch / "source_dump.err")
        self.process = LineProcess([*prefix, *as_user(uid), tool(env, "source_dump"), *options, "perf", str(pid), str(seconds)], stderr_path=stderr)
        if between:
            between(self.process)
        self.lines, self.readings = [], []
        while (line := self.process.read_line(seconds + 30)) is not None:
            if reading and line in ("delivering", "stopping"):
                self.readings.append(reading())
            self.lines.append(line)
        self.status = self.process.wait(10)
        self.text = "\n".join(self.lines) + "\n" + self.process.stderr_text()
        self.process.kill()

    def number(self, pattern):
        match = re.search(pattern, self.text)
        check(match, f"no {pattern!r} in {self.text[-400:]!r}")
        return float(match[1])

    cpu_s = property(lambda self: self.number(r"([\d.]+) CPU s, \d+ lost"))
    samples = property(lambda self: self.number(r"(\d+) samples, [\d.]+ CPU s, \d+ lost"))
    lost = property(lambda self: self.number(r"(\d+) lost"))
    late = property(lambda self: self.number(r"(\d+) late"))
    own_s = property(lambda self: self.number(r"own CPU ([\d.]+) s"))
    ran_s = property(lambda self: self.number(r"ran ([\d.]+) s"))
    foreign = property(lambda self: self.number(r"of other processes, dropped by us: (\d+)"))

    def of_threads(self):
        """{tid: CPU seconds in samples}"""
        return {int(tid): float(cpu_s) for tid, cpu_s in re.findall(r"^tid (\d+): \d+ samples, ([\d.]+) CPU s", self.text, re.M)}


class Watching:
    """source_dump on the perf source while something else is done."""

    def __init__(self, env, pid, seconds, *options, prefix=()):
        self.process = LineProcess([*prefix, tool(env, "source_dump"), *options, "perf", str(pid), seconds])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()

    def wait_for(self, pattern):
        deadline = time.monotonic() + 20
        while (line := self.process.read_line(20)) is not None and time.monotonic() < deadline:
            if match := re.search(pattern, line):
                return match[1]
        raise OutOfLimit(f"no {pattern!r} within 20 s")

    def rest(self):
        """What it says until it has ended."""
        lines = []
        while (line := self.process.read_line(20)) is not None:
            lines.append(line)
        return "\n".join(lines)


def cpu_of_threads(pid):
    """{tid: CPU seconds} by the scheduler."""
    used = {}
    for tid in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{tid}/schedstat", encoding="ascii") as file:
            used[int(tid)] = int(file.read().split()[0]) / 1e9
    return used


def check_follows(what, sampled, least, most, over=0.25, absolute=0.0):
    """`least` was used while the dump sampled for certain, `most` from before it came until it was gone: coming and going may take a second. A loaded machine drops
    timer interrupts."""
    check_limit(f"{what} ({least:.3f} to {most:.3f} were used)", sampled, most + max(most * over, absolute))
    check_limit(f"what of {least:.3f} must be in {what}", least - max(least * 0.25, absolute), sampled)


def follows_cpu_time(env, *options, prefix=(), whole_periods=True):
    with Threads(env, 3, 4, 0) as work:
        def used():
            return work.cpu_s(), cpu_of_threads(work.pid)

        (before_s, before), dump, (after_s, after) = used(), Dump(env, work.pid, 3, "-q", *options, prefix=prefix, reading=used), used()
        (begin_s, begin), (end_s, end) = dump.readings
        check_follows("CPU seconds in samples", dump.cpu_s, end_s - begin_s, after_s - before_s, over=0.05 if whole_periods else 0.25)
        if whole_periods:
            check_within("samples", dump.samples, dump.cpu_s * HZ, relative=0.01)
        check_equal("late", dump.late, 0)
        sampled = dump.of_threads()
        for tid in before:
            # A period is 1 ms, and whether the last one was full is chance.
            check_follows(f"CPU seconds of thread {tid} in samples", sampled.get(tid, 0), end[tid] - begin[tid], after[tid] - before[tid], absolute=0.1)
        return dump, f"{dump.cpu_s:.2f} of {end_s - begin_s:.2f} to {after_s - before_s:.2f} CPU s"


@test
def samples_follow_cpu_time(env):
    """By events of CPUs; of tasks: below, by who may not have those."""
    return follows_cpu_time(env)[1]


@long_test
def samples_follow_cpu_time_each_way(env):
    return ", ".join(f"{name}: {follows_cpu_time(env, *way)[1]}" for name, way in WAYS.items())


@test
def fewer_samples_that_count_for_more(env):
    """Where more arrives than is allowed the rate falls, and the sums stay right."""
    dump, text = follows_cpu_time(env, "-m", "100", whole_periods=False)
    # Of the first second every one comes. On a loaded machine one of two may be few enough afterwards: that makes two thirds.
    check(dump.samples < dump.cpu_s * HZ * 0.75, f"{dump.samples:.0f} samples for {dump.cpu_s:.2f} CPU s: the rate did not fall")
    return f"{text} from {dump.samples:.0f} samples"


@test
def without_the_right_to_sample_cpus_it_samples_tasks(env):
    env.need_commands("setpriv")
    dump, text = follows_cpu_time(env, prefix=WITHOUT_PERFMON)
    check_equal("samples of others", dump.foreign, 0)
    return text


def work_of(work):
    """(CPU seconds, context switches) so far."""
    switches = 0
    for tid in os.listdir(f"/proc/{work.pid}/task"):
        with open(f"/proc/{work.pid}/task/{tid}/schedstat", encoding="ascii") as file:
            switches += int(file.read().split()[2])
    return work.cpu_s(), switches


def switch_us(before, after):
    return 1e6 * (after[0] - before[0]) / (after[1] - before[1])


@test
def who_switches_often_is_sampled_part_of_the_time(env):
    """Without the right to sample CPUs: a context switch costs the target its own price again and more, and is kept to the limit."""
    env.need_commands("setpriv")
    with Threads(env, 0, 0, 0, 1, 2) as work:
        alone = [work_of(work)]
        wait_until(lambda: work.cpu_s() > alone[0][0] + 1, 60, "the target uses 1 s of CPU")
        alone.append(work_of(work))
        with Watching(env, work.pid, "60", prefix=WITHOUT_PERFMON) as watching:
            parts = watching.wait_for(r"sampled 1/(\d+) of the time")
            check(int(parts) >= 5, f"sampled 1/{parts} of the time: this program switches all the time")
            watched = [work_of(work)]
            wait_until(lambda: work.cpu_s() > watched[0][0] + 2, 60, "the target uses 2 s of CPU")
            watched.append(work_of(work))
        # What a switch costs changes with what else the machine does: before or after.
        after = [work_of(work)]
        wait_until(lambda: work.cpu_s() > after[0][0] + 1, 60, "the target uses 1 s of CPU")
        after.append(work_of(work))
        ratio = switch_us(*watched) / max(switch_us(*alone), switch_us(*after))
        check_limit("CPU time of a switch against nobody watching", ratio, 1.4)
        dump, text = sampled_share(env, work)
        check(dump.samples < dump.cpu_s * HZ / 3, f"{dump.samples:.0f} samples for {dump.cpu_s:.2f} CPU s: that is no part of the time")
        return f"1/{parts} of the time, CPU per switch x {ratio:.2f}, {text} from {dump.samples:.0f} samples"


@test
def records_of_switches_end_where_they_are_too_dear(env):
    """As nettop jit has them: to be told of each switch costs who does little else half of its CPU time again. Who computes is told of to the end."""
    with Threads(env, 0, 0, 0, 1, 2) as work:
        with Watching(env, work.pid, "60", "-c") as watching:
            cost = watching.wait_for(r"~(\d+) % of its CPU time: ended after")
            check(int(cost) > 5, f"ended at {cost} %")
    with Threads(env, 1, 3, 0) as work, Watching(env, work.pid, "60", "-c") as watching:
        watching.wait_for("(state=delivering)")
        used = work.cpu_s()
        wait_until(lambda: work.cpu_s() > used + 1.5, 60, "the target uses 1.5 s of CPU")
        watching.process.signal(signal.SIGINT)
        rest = watching.rest()
        check("ended after" not in rest, f"a program that computes: {rest[-500:]}")
    return f"~{cost} %"


def sampled_share(env, work):
    """As somebody who may see kernel code. An event's clock stands still while its thread is being switched: that part of the CPU time, here the greater, is in no sample."""
    before = work.cpu_s()
    dump = Dump(env, work.pid, 4, "-q", "-t")
    used = work.cpu_s() - before
    check_limit("least CPU time in samples", used / 4, dump.cpu_s)
    check_limit("CPU time in samples", dump.cpu_s, used * 1.25)
    return dump, f"{dump.cpu_s:.2f} of {used:.2f} CPU s"


@test
def what_it_costs_the_target(env):
    """A sample of a short call chain costs 13 us: 1.3 % at 999 a second of CPU time, whatever the load. Of an idle program there is nothing to compare with."""
    with Threads(env, 1, 0, 0) as work, Nettop(env, work.pid, "--source", "perf", "-F", str(HZ)) as nettop:
        line = nettop.wait_for(lambda line: line["self"]["target_cost_pct"] is not None, 20, "the cost is told")
        check_within("the cost", line["self"]["target_cost_pct"], HZ * 13.5e-4, absolute=0.6)
    with Threads(env, 0, 2, 0) as work, Nettop(env, work.pid, "--source", "perf") as nettop:
        nettop.wait_for(lambda line: line["cpu"]["usage_pct"] is not None, 20, "CPU usage is told")
        line = nettop.wait_for(lambda line: line["cpu"]["usage_pct"] is not None, 20, "it is told again")
        check_equal("the cost to an idle program", line["self"]["target_cost_pct"], None)


@test
def others_are_dropped_in_the_kernel(env):
    """A busy process beside: none of its samples is in the figures, and none comes as far as nettop once the filter is there."""
    env.need_commands("setpriv", "unshare")
    with Threads(env, 2, 0, 0):
        dump, text = follows_cpu_time(env)
        check_equal("samples of others", dump.foreign, 0)
        unfiltered, _ = follows_cpu_time(env, prefix=WITHOUT_BPF)
        check(unfiltered.foreign > 500, f"without the filter only {unfiltered.foreign:.0f} samples of others came")
        return f"{text}, {dump.foreign:.0f} of others; without the filter {unfiltered.foreign:.0f}"


@test
def in_a_pid_namespace(env):
    """The filter knows the target by its own pid there, and nettop may be in one, too."""
    env.need_commands("unshare")
    apart = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
    with Threads(env, 2, 0, 0), Threads(env, 1, 0, 0, prefix=apart) as work:
        pid = next(iter(descendants(work.pid)))
        dump = Dump(env, pid, 2, "-q")
        check(dump.samples > 0, "no sample")
        check_equal("samples of others", dump.foreign, 0)
    # Both in one.
    inside = run([*apart, "sh", "-c", f"tail -f /dev/null | {tool(env, 'threads')} 1 0 0 & {tool(env, 'source_dump')} -q perf $! 1"])
    check(re.search(r"[1-9]\d* samples", inside.stdout), inside.stdout + inside.stderr)
    check("dropped by us: 0" in inside.stdout, inside.stdout)
    return f"{dump.samples:.0f} samples, {dump.foreign:.0f} of others"


def bpf_programs():
    """The names of all BPF programs in the kernel: bpf(2), BPF_PROG_GET_NEXT_ID, _GET_FD_BY_ID, OBJ_GET_INFO_BY_FD."""
    libc = ctypes.CDLL(None, use_errno=True)
    names, program = [], 0
    while True:
        attr = ctypes.create_string_buffer(struct.pack("=II", program, 0), 120)
        if libc.syscall(SYS_BPF, 11, attr, 120) < 0:
            return names
        program = struct.unpack_from("=II", attr)[1]
        attr = ctypes.create_string_buffer(struct.pack("=I", program), 120)
        fd = libc.syscall(SYS_BPF, 13, attr, 120)
        if fd < 0:
            continue  # it has just gone
        info = ctypes.create_string_buffer(256)
        attr = ctypes.create_string_buffer(struct.pack("=IIQ", fd, len(info), ctypes.addressof(info)), 120)
        libc.syscall(SYS_BPF, 15, attr, 120)
        os.close(fd)
        names.append(info.raw[64:80].rstrip(b"\0").decode(errors="replace"))


@test
def no_filter_is_left_behind(env):
    """Not by a nettop that is killed either: the program is the events', and those are the descriptors'."""
    before = bpf_programs().count(FILTER)
    with Threads(env, 1, 0, 0) as work:
        process = LineProcess([tool(env, "source_dump"), "perf", str(work.pid), "60"])
        wait_until(lambda: bpf_programs().count(FILTER) > before, 20, "the filter is loaded")
        process.signal(signal.SIGKILL)
        process.wait(10)
        wait_until(lambda: bpf_programs().count(FILTER) <= before, 20, "the filter is gone")


def short_threads(env, *options):
    with Threads(env, 1, 0, 4) as work:
        dump = Dump(env, work.pid, 3, "-q", *options)
        born = dump.number(r"thread +(\d+)") / 2
        check(born > 500, f"only {born:.0f} threads were seen")
        check_limit("own CPU seconds", dump.own_s, 0.05 * dump.ran_s)
        check_equal("late", dump.late, 0)
        return f"{born:.0f} threads, {dump.own_s * 1e3:.0f} ms CPU"


@test
def short_threads_do_not_make_it_spin(env):
    """As tasks, whose events end with them."""
    return short_threads(env, "-t")


@long_test
def short_threads_do_not_make_it_spin_either_way(env):
    return ", ".join(f"{name}: {short_threads(env, *way)}" for name, way in WAYS.items())


@test
def a_thousand_threads(env):
    """As tasks, an event for each on each CPU; by events of CPUs: below, of still more threads."""
    cpus = os.cpu_count()
    count = min(1000, 4096 // cpus - 10)
    with Threads(env, 1, count, 0) as work:
        dump = Dump(env, work.pid, 3, "-q", "-t")
        check(dump.samples > 0, "no sample")
        check_limit("own CPU seconds", dump.own_s, 0.5)
        return f"{count} threads, {dump.own_s * 1e3:.0f} ms CPU"


@test
def more_threads_than_descriptors(env):
    """Events of CPUs do not mind; who may only have those of tasks is told what is missing."""
    env.need_commands("setpriv")
    count = 4096 // os.cpu_count() + 50
    with Threads(env, 1, count, 0) as work:
        dump = Dump(env, work.pid, 2, "-q")
        check(dump.samples > 0, "no sample")
        foreign = set(dump.of_threads()) - set(cpu_of_threads(work.pid))
        check(not foreign, f"samples of threads of other processes: {foreign}")
        text = Dump(env, work.pid, 0.5, prefix=WITHOUT_PERFMON).text
        check("more than 4096 open files" in text and "cap_perfmon" in text, f"no word about it: {text}")


@test
def few_descriptors(env):
    """Events of CPUs need few; another user is told what is missing."""
    env.need_commands("setpriv")
    with Threads(env, 1, 200, 0) as work:
        check(Dump(env, work.pid, 1, "-q", "-n", "128").samples > 0, "no sample")
    with Threads(env, 1, 200, 0, uid=NOBODY) as work:
        text = Dump(env, work.pid, 0.5, "-n", "128", uid=NOBODY).text
        check("at most 128 are allowed" in text, f"no word about it: {text}")


@test
def without_privileges(env):
    """One's own process: user code, or the refusal with the setting that causes it. Somebody else's: who may."""
    env.need_commands("setpriv")
    with Threads(env, 1, 3, 0, uid=NOBODY) as work:
        text = Dump(env, work.pid, 0.5, uid=NOBODY).text
        with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
            level = int(file.read())
        if level >= 2:
            check(f"kernel.perf_event_paranoid is {level}" in text, f"no word about it: {text[:400]}")
        check(level > 2 or " sample " in text, "no sample")
    with Threads(env, 1, 3, 0) as work:
        dump = Dump(env, work.pid, 0.5, uid=NOBODY)
        check(dump.status != 0 and "belongs to uid 0" in dump.text, dump.text)


def wait_for_recording(process, target_pid, way):
    """Until the process has an event for each CPU, or each thread of the target on each, and some time to enable them."""
    def is_event(path):
        try:
            return os.readlink(path) == "anon_inode:[perf_event]"
        except FileNotFoundError:  # closed since it was listed
            return False

    def event_count():
        return sum(is_event(entry.path) for entry in os.scandir(f"/proc/{process.pid}/fd"))

    threads = len(os.listdir(f"/proc/{target_pid}/task")) if way else 1
    wait_until(lambda: event_count() >= threads * os.cpu_count(), 20, "all events are open")
    wait_for_work(process.pid, rounds=5)


def overflows(env, *runs):
    """Stopped while deep stacks fill the rings; what was lost last is told only by the kernel's own count at the end. `runs`: seconds, and options of the dump."""
    def stop_a_while(process):
        wait_for_recording(process, work.pid, way)
        process.signal(signal.SIGSTOP)
        begun.append(work.cpu_s())
        wait_until(lambda: work.cpu_s() - begun[-1] > 5, 60, "the target uses 5 s of CPU")
        process.signal(signal.SIGCONT)

    begun = []
    with Threads(env, 2, 0, 0, 120) as work:
        for seconds, way in runs:
            before = work.cpu_s()
            dump = Dump(env, work.pid, seconds, "-q", *way, between=stop_a_while, reading=work.cpu_s)
            check(dump.lost > 0, "nothing was lost")
            # Of a CPU's ring records of the mappings and threads of others are lost, too, and the kernel does not tell them apart.
            check_follows("samples and losses", dump.samples + dump.lost, (dump.readings[-1] - begun[-1]) * HZ,
                          (work.cpu_s() - before) * HZ if way else math.inf)


@test
def what_overflows_is_counted(env):
    overflows(env, (2, ()))


@long_test
def what_overflows_is_counted_before_it_goes_on(env):
    overflows(env, (6, ()), (6, ("-t",)))


@test
def the_end_of_the_target(env):
    def kill_target(process):
        wait_for_recording(process, work.pid, way)
        work.process.signal(signal.SIGKILL)

    for way in WAYS.values():
        with Threads(env, 1, 3, 0) as work:
            dump = Dump(env, work.pid, 20, *way, between=kill_target)
            check("state=ended" in dump.lines[-1], f"the last line is {dump.lines[-1]}")


main()
