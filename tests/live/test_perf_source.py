#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The perf source alone, on processes with many and with short-lived threads, and where the kernel gives less."""
import os
import re
import shutil
import signal
import time

from nt_live import *
from nt_live.process import LineProcess

HZ = 999
NOBODY = 65534


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

    def __init__(self, env, *arguments, uid=None):
        argv = [tool(env, "threads"), *map(str, arguments)]
        self.process = LineProcess(as_user(uid) + argv)
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
    """One run of source_dump on the perf source: its output lines, and with -q the sums."""

    def __init__(self, env, pid, seconds, *options, uid=None, between=None):
        stderr = str(env.scratch / "source_dump.err")
        self.process = LineProcess(as_user(uid) + [tool(env, "source_dump"), *options, "perf", str(pid), str(seconds)], stderr_path=stderr)
        if between:
            between(self.process)
        self.lines = []
        while (line := self.process.read_line(seconds + 30)) is not None:
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


@test
def samples_follow_cpu_time(env):
    with Threads(env, 2, 4, 0) as work:
        before = work.cpu_s()
        dump = Dump(env, work.pid, 3, "-q")
        used = work.cpu_s() - before
        check_limit(f"CPU seconds in samples ({used:.3f} were used)", dump.cpu_s, used * 1.05)
        # The dump begins and ends within the time that is measured, and a loaded machine drops timer interrupts.
        check_within("CPU time in samples", dump.cpu_s, used, relative=0.25)
        check_within("samples", dump.samples, dump.cpu_s * HZ, relative=0.01)
        check_equal("late", dump.late, 0)
        return f"{dump.cpu_s:.2f} of {used:.2f} CPU s"


@test
def short_threads_do_not_make_it_spin(env):
    with Threads(env, 1, 0, 4) as work:
        dump = Dump(env, work.pid, 3, "-q")
        born = dump.number(r"thread +(\d+)") / 2
        check(born > 500, f"only {born:.0f} threads were seen")
        check_limit("own CPU seconds", dump.own_s, 0.05 * dump.ran_s)
        check_equal("late", dump.late, 0)
        return f"{born:.0f} threads, {dump.own_s * 1e3:.0f} ms CPU"


@test
def a_thousand_threads(env):
    cpus = os.cpu_count()
    count = min(1000, 4096 // cpus - 10)
    with Threads(env, 1, count, 0) as work:
        dump = Dump(env, work.pid, 3, "-q")
        check(dump.samples > 0, "no sample")
        check_limit("own CPU seconds", dump.own_s, 0.5)
        return f"{count} threads, {dump.own_s * 1e3:.0f} ms CPU"


@test
def beyond_4096_descriptors_system_wide(env):
    count = 4096 // os.cpu_count() + 50
    with Threads(env, 1, count, 0) as work:
        check("recording system-wide" in Dump(env, work.pid, 0.5).text, "it does not say that it records system-wide")
        dump = Dump(env, work.pid, 2, "-q")
        check(dump.samples > 0, "no sample")
        check(dump.number(r"all: (\d+) threads") <= 2, "samples of other processes")


@test
def few_descriptors(env):
    """Root raises its limit; another user is told what is missing."""
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


def wait_for_recording(process, target_pid):
    """Until the process has an event for each thread of the target on each CPU, and some time to enable them."""
    def event_count():
        return sum(os.readlink(entry.path) == "anon_inode:[perf_event]" for entry in os.scandir(f"/proc/{process.pid}/fd"))

    threads = len(os.listdir(f"/proc/{target_pid}/task"))
    wait_until(lambda: event_count() >= threads * os.cpu_count(), 20, "all events are open")
    wait_for_work(process.pid, rounds=5)


@test
def what_overflows_is_counted(env):
    """Stopped while deep stacks fill the rings; what was lost last is told only by the kernel's own count at the end."""
    def stop_a_while(process):
        wait_for_recording(process, work.pid)
        process.signal(signal.SIGSTOP)
        start = work.cpu_s()
        wait_until(lambda: work.cpu_s() - start > 5, 60, "the target uses 5 s of CPU")
        process.signal(signal.SIGCONT)

    with Threads(env, 2, 0, 0, 120) as work:
        for seconds in (6, 2):
            before = work.cpu_s()
            dump = Dump(env, work.pid, seconds, "-q", between=stop_a_while)
            used = work.cpu_s() - before
            check(dump.lost > 0, "nothing was lost")
            check_within("samples and losses", dump.samples + dump.lost, used * HZ, relative=0.25)


@test
def the_end_of_the_target(env):
    def kill_target(process):
        wait_for_recording(process, work.pid)
        work.process.signal(signal.SIGKILL)

    with Threads(env, 1, 3, 0) as work:
        dump = Dump(env, work.pid, 20, between=kill_target)
        check("state=ended" in dump.lines[-1], f"the last line is {dump.lines[-1]}")


main()
