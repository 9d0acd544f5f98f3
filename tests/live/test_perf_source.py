#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# alone: it counts the BPF programs of the machine, and what samples cost and say while all CPUs are busy
"""The perf source alone: that samples are the CPU time, what they cost, and that nobody else's come. Of many threads: test_perf_threads.py."""
import ctypes
import os
import signal
import struct

from nt_live import *
from nt_live.perf_dump import HZ, WAYS, WITHOUT_PERFMON, Dump, Threads, Watching, check_follows, cpu_of_threads, tool
from nt_live.process import LineProcess

FILTER = "nettop_filter"  # the name of the BPF program
SYS_BPF = {"x86_64": 321}.get(os.uname().machine, 280)  # the others number it alike
WITHOUT_BPF = ("setpriv", "--bounding-set=-sys_admin,-bpf")  # root without a filter in the kernel


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


main()
