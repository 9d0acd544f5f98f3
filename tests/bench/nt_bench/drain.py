# SPDX-License-Identifier: GPL-2.0-only
"""What a CPU sample costs on its way from the kernel's ring into a batch (tests/bench/bench_drain.c)."""
import json
import subprocess

from nt_live import Failure

from .load import STEADY, working
from .report import Row

RATES_HZ = (999, 4999)


def _at(bench, hz):
    """bench_drain's answer."""
    words = [bench.programs / "bench_drain", str(bench.work.pid), str(hz), str(bench.plan.drain_s)]
    with working(bench.work, STEADY):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise Failure(f"bench_drain: {done.stderr.strip()}")
    return json.loads(done.stdout)


def drain(bench, _):
    rows = []
    for hz in RATES_HZ:
        answer = _at(bench, hz)
        bench.say(f"drain at {hz} Hz  {answer['ns_per_sample']:.0f} ns per sample")
        rows.append(Row(f"drain of one sample at {hz} Hz", answer["ns_per_sample"], "ns",
                        note=f"{answer['samples']} samples, {answer['lost']} lost"))
    return rows
