# SPDX-License-Identifier: GPL-2.0-only
"""
How nettop's own CPU time grows with the number of CPUs that a target keeps busy and with the samples of other processes: one recording, replayed at the rate of
more CPUs than this machine has (tests/bench/bench_growth.c). Its limit is a share of what `perf top` takes here for the one CPU that the target keeps busy.
"""
import json
import time

from nt_live import Failure
from nt_live.process import LineProcess

from .contenders import PERF_TOP
from .cost import Span, measure
from .load import STEADY, working
from .report import Row

CASES = tuple((cpus, foreign_pct) for cpus in (1, 8, 64) for foreign_pct in (0, 90))
LIMIT = 1 / 5  # as of the part steady-perf
ANSWER_S = 60


def _perf_ms(bench):
    """What `perf top` takes in a second of the same load."""
    plan = bench.plan
    span = Span("growth", plan.steady_from_s, plan.steady_from_s + plan.drain_s, whole=False)
    with working(bench.work, STEADY):
        time.sleep(plan.warm_up_s)
        return measure(bench, [PERF_TOP], span).median_cpus(PERF_TOP) * 1e3


def _row(answer, perf_ms):
    cpus, foreign = answer["cpus"], answer["foreign_pct"]
    what = f"own CPU in a second, samples of {cpus} CPU{'s' if cpus > 1 else ''}, {foreign} % of other processes"
    return Row(what, answer["cpu_ns_per_s"] / 1e6, "ms", f"`{PERF_TOP.title}`, 1 CPU", perf_ms, LIMIT)


def _answer(process):
    line = process.read_line(ANSWER_S)
    if line is None:
        raise Failure(f"bench_growth: {process.stderr_text()}")
    return line


def growth(bench, notes):
    perf_ms = _perf_ms(bench)
    process = LineProcess([str(word) for word in (bench.programs / "bench_growth", bench.work.pid, bench.plan.drain_s / 2, bench.plan.drain_s,
                                                  *(f"{cpus}:{foreign}" for cpus, foreign in CASES))], None, bench.env.scratch / "growth.err")
    try:
        with working(bench.work, STEADY):
            _answer(process)  # recorded
        answers = [json.loads(_answer(process)) for _ in CASES]
    finally:
        process.kill()
    for answer in answers:
        bench.say(f"{answer['cpus']} CPUs, {answer['foreign_pct']} % foreign: {answer['cpu_ns_per_s'] / 1e6:.2f} ms a second, "
                  f"{answer['samples_per_s']} samples, {answer['arrived_per_s']} of them arrive, {answer['hz']} Hz")
    notes.append("Growth: samples a second that were replayed, and of these the target's: " +
                 "; ".join(f"{answer['cpus']} CPUs, {answer['foreign_pct']} %: {answer['samples_per_s']}, {answer['arrived_per_s']} (at {answer['hz']} Hz)" for answer in answers) +
                 ". From the records to the snapshot of each second, without reading the kernel's rings, without the names, the screen and the other sources.")
    return [_row(answer, perf_ms) for answer in answers]
