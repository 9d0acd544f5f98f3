# SPDX-License-Identifier: GPL-2.0-only
"""What the figures were measured on and with."""
import datetime
import functools
import mmap
import os
import pathlib
import platform
import re
import subprocess
import time

# What a first touch of a page costs at most where the limits of whole runs were first met (1.5 to 3.3 us). It is 15 us where the host takes the
# guest's page faults itself and the kernel has its page tables apart (PTI).
USUAL_TOUCH_US = 5
TOUCHED_PAGES = 8192


def _said(*argv):
    """The first line that a program answers; "?" when it cannot be asked."""
    try:
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "?"
    return next((line.strip() for line in done.stdout.splitlines() if line.strip()), "?")


def _version(*argv):
    match = re.search(r"\d+(\.\d+)+", _said(*argv))
    return match[0] if match else "?"


def _commit(repo):
    commit = _said("git", "-C", str(repo), "rev-parse", "--short", "HEAD")
    changed = subprocess.run(["git", "-C", str(repo), "diff", "--quiet", "HEAD", "--", "src", "ui", "include"], check=False).returncode
    return f"{commit}{' with changes' if changed else ''}"


def _cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _memory_gib():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 30)


def _system():
    for line in pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.split("=", 1)[1].strip('"')
    return "Linux"


def _touch_us():
    with mmap.mmap(-1, TOUCHED_PAGES * mmap.PAGESIZE) as memory:
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            memory.madvise(mmap.MADV_NOHUGEPAGE)
        start_ns = time.perf_counter_ns()
        for offset in range(0, TOUCHED_PAGES * mmap.PAGESIZE, mmap.PAGESIZE):
            memory[offset] = 1
        return (time.perf_counter_ns() - start_ns) / TOUCHED_PAGES / 1e3


@functools.cache
def first_touch_us():
    """What the kernel takes for a page of memory that is written for the first time: the least of some tries."""
    return min(_touch_us() for _ in range(5))


def is_dear():
    """Whether entering the kernel costs so much here that a program which has just started is little else."""
    return first_touch_us() > USUAL_TOUCH_US


def load_average():
    return os.getloadavg()[0]


def describe(repo, nettop):
    """Sentences for the report."""
    hypervisor = "virtual machine, " if "hypervisor" in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8") else ""
    return [
        f"{datetime.date.today().isoformat()}; {hypervisor}{os.cpu_count()} CPUs ({_cpu_model()}), {_memory_gib():.0f} GiB; "
        f"{_system()}, kernel {platform.release()}",
        f"nettop {_version(str(nettop), '--version')} (commit {_commit(repo)}), perf {_version('perf', '--version')}, "
        f"babeltrace2 {_version('babeltrace2', '--version')}, LTTng {_version('lttng', '--version')}, top {_version('top', '-V')}, "
        f".NET {_version('dotnet', '--version')} (SDK)",
        f"A first touch of a page costs {first_touch_us():.1f} us",
    ]
