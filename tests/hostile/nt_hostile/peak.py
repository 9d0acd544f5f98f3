# SPDX-License-Identifier: GPL-2.0-only
"""How much memory a command takes beside a stranger, within an address space that spares the machine when it takes all."""
import os
import subprocess

from nt_live import check

ADDRESS_SPACE = 4 << 30


def confined(*argv):
    return ["prlimit", f"--as={ADDRESS_SPACE}", *map(str, argv)]


def peak_of(argv):
    """Runs a command to its end. What it wrote, and the MB that it had in use at its peak."""
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    check(process.returncode in (0, 1), f"{argv}: exit status {process.returncode}: {output[-500:]}")
    return output, usage.ru_maxrss >> 10


def check_peak(what, megabytes, limit):
    check(megabytes <= limit, f"{what} had {megabytes} MB in use, more than {limit}")
