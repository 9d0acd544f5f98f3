# SPDX-License-Identifier: GPL-2.0-only
"""The perf source alone: source_dump beside a process of tests/tools/threads."""
import os
import re
import shutil
import time

from .environment import Missing
from .process import LineProcess, OutOfLimit
from .runner import check, check_equal, check_limit

HZ = 999
NOBODY = 65534
# One event for each CPU, where that is allowed, or one for each thread and CPU.
WAYS = {"CPUs": (), "tasks": ("-t",)}
# Root without the right to events of CPUs.
WITHOUT_PERFMON = ("setpriv", "--bounding-set=-sys_admin,-perfmon")


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
