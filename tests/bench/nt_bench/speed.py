# SPDX-License-Identifier: GPL-2.0-only
"""How fast the machine's CPUs are just now: a virtual machine shares its cores with others, and while those are busy the same work takes a third more CPU time."""
import contextlib
import subprocess

from nt_live import Failure


class Speed:
    """The probe of bench_speed.c at work."""

    def __init__(self, process):
        self._process = process

    def _mean_since_last(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline() or 0)

    def begin(self):
        self._mean_since_last()

    def ns(self):
        """CPU time of the same little piece of work on all CPUs, mean since begin()."""
        answer = self._mean_since_last()
        if not answer:
            raise Failure("bench_speed did not run")
        return answer


@contextlib.contextmanager
def probing(bench):
    with subprocess.Popen([bench.programs / "bench_speed"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Speed(process)
        finally:
            process.stdin.close()  # it ends then
