#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The perf source alone, on processes with many and with short-lived threads, and where the kernel gives less. What samples say: test_perf_source.py."""
import math
import os
import re
import signal

from nt_live import *
from nt_live.perf_dump import HZ, NOBODY, WAYS, WITHOUT_PERFMON, Dump, Threads, check_follows, cpu_of_threads, tool
from nt_live.process import run


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
