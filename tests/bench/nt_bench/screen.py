# SPDX-License-Identifier: GPL-2.0-only
"""How soon something useful stands on the screen, how much of it has a name, and how many bytes each refresh sends."""
import contextlib
import re
import statistics
import subprocess
import time

from nt_live import Failure, Nettop

from .load import MOSTLY_IDLE, STEADY, working
from .meter import NS_PER_S
from .program import LINES, Program
from .report import Row

IDLE_THREADS = 200
# The method in which the target's thread `compute` spins.
HOT_METHOD = "Compute.Spin"
DEADLINE_S = 15
# The screen is at rest in size and content by then.
SETTLED_S = 4
# A process that works a little, five times a second: what top shows of it changes, as a method's row does.
A_LITTLE_WORK = 'exec {rest}<> <(:); while :; do read -t 0.2 -u $rest; for ((i = 0; i < 1500; i++)); do :; done; done'


def _first_frame(program):
    """Values of procfs stand there: the number of threads is more than those that we made."""
    counts = re.findall(r"\b(\d+) threads", program.text())
    return any(int(count) >= IDLE_THREADS for count in counts)


def _first_name(program):
    return HOT_METHOD in program.text()


def _wait(program, condition, what):
    if program.run(DEADLINE_S, condition) >= DEADLINE_S:
        raise Failure(f"{what}: not within {DEADLINE_S} s: {program.text()[-1500:]!r}")
    return program.age_s()


def _first_on_screen(bench):
    """Medians in s: (first frame, first named method), on 200 mostly idle threads."""
    frames, names = [], []
    bench.work.do(f"threads {IDLE_THREADS}")
    with working(bench.work, MOSTLY_IDLE):
        for number in range(bench.plan.first_runs):
            with Program([bench.env.nettop, "-p", bench.work.pid], bench.home) as program:
                frames.append(_wait(program, _first_frame, "first frame"))
                names.append(_wait(program, _first_name, "first named method"))
                program.end()
            bench.say(f"first frame {frames[-1]:.3f} s, first named method {names[-1]:.3f} s ({number + 1}/{bench.plan.first_runs})")
    bench.work.do("threads 0")
    return statistics.median(frames), statistics.median(names)


def _first_in_json(bench):
    """Median time in s until the first JSON line that names the hot method, at the shortest interval."""
    times = []
    with working(bench.work, MOSTLY_IDLE):
        for _ in range(bench.plan.first_runs):
            times.append(_first_json_name(bench))
    return statistics.median(times)


def _first_json_name(bench):
    start_ns = time.monotonic_ns()
    with Nettop(bench.env, bench.work.pid, interval_s=0.1) as nettop:
        nettop.wait_for(lambda line: any(HOT_METHOD in row["name"] for row in line["methods"]), DEADLINE_S, "first named method")
        return (time.monotonic_ns() - start_ns) / NS_PER_S


@contextlib.contextmanager
def _company(count):
    """So many processes at work: top has a line for each, as nettop has for each method, on a machine where nobody else has any, too."""
    processes = [subprocess.Popen(["bash", "-c", A_LITTLE_WORK], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _bytes_per_refresh(bench):
    """{title: median bytes per refresh} at 120x40, one refresh a second, of nettop and of top with all processes, a screen of which are at work."""
    found = {"nettop": [], "top": []}
    argv = {"nettop": [bench.env.nettop, "-p", bench.work.pid, "-d", "1"], "top": ["top", "-d", "1"]}
    with working(bench.work, STEADY), _company(LINES):
        for _ in range(bench.plan.refresh_runs):
            for title, words in argv.items():
                with Program(words, bench.home) as program:
                    program.run(SETTLED_S)
                    before = len(program.output)
                    program.run(SETTLED_S + bench.plan.refresh_s)
                    found[title].append((len(program.output) - before) / bench.plan.refresh_s)
                    program.end()
                bench.say(f"bytes per refresh  {title:22} {found[title][-1]:7.0f}")
    return {title: statistics.median(counts) for title, counts in found.items()}


def first(bench, _):
    frame_s, name_s = _first_on_screen(bench)
    return [
        Row(f"first frame, {IDLE_THREADS} threads", frame_s * 1e3, "ms", limit=200),
        Row(f"first named method, {IDLE_THREADS} threads", name_s * 1e3, "ms", limit=1000),
        Row("first named method, `--json -d 0.1`", _first_in_json(bench) * 1e3, "ms"),
    ]


def refresh(bench, _):
    counts = _bytes_per_refresh(bench)
    return [Row("bytes per refresh, 120x40", counts["nettop"], "B", "`top`, a screen of processes at work", counts["top"], 0.6)]
