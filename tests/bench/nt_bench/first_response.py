# SPDX-License-Identifier: GPL-2.0-only
"""How much later a web application answers for the first time when `nettop run` starts it."""
import dataclasses
import http.client
import statistics
import subprocess
import time

from nt_live import Failure
from nt_live.live_session import free_port
from nt_live.process import end_child
from nt_live.workload import settings_as_variables

from .meter import NS_PER_S, children_of, cpu_ns, program_of
from .paired import estimate
from .report import Row
from .servers import mvc_command

LIMIT = 1.1
ANSWER_S = 60
STEP_S = 0.002
MS = 1000


@dataclasses.dataclass(frozen=True)
class Start:
    """One start, up to the first answer."""
    seconds: float
    program_s: float  # CPU time of the program
    nettop_s: float   # and of nettop and its keeper


def _answered(port):
    """One request, answered with 200."""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except (ConnectionError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _cpu_s(pids):
    return sum(cpu_ns(pid) or 0 for pid in pids) / NS_PER_S


def _measured(child, run, start_ns):
    seconds = (time.monotonic_ns() - start_ns) / NS_PER_S
    if not run:
        return Start(seconds, _cpu_s([child.pid]), 0)
    family = [child.pid, *children_of(child.pid)]
    program = [pid for pid in family if program_of(pid) == "dotnet"]
    return Start(seconds, _cpu_s(program), _cpu_s(pid for pid in family if pid not in program))


def _start(bench, run):
    """From the start of the command to the first answer. `run`: under nettop."""
    port = free_port()
    folder, words = mvc_command(port)
    words = [str(word) for word in ([bench.env.nettop, "run", "--json", "--", *words] if run else words)]
    with open(bench.env.scratch / "run.err", "wb") as errors:
        start_ns = time.monotonic_ns()
        with subprocess.Popen(words, cwd=folder, env=settings_as_variables({}), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors) as child:
            try:
                while not _answered(port):
                    if child.poll() is not None or time.monotonic_ns() - start_ns > ANSWER_S * NS_PER_S:
                        raise Failure(f"{words[0]}: no answer: {(bench.env.scratch / 'run.err').read_text(encoding='utf-8', errors='replace')[-500:]}")
                    time.sleep(STEP_S)
                return _measured(child, run, start_ns)
            finally:
                child.terminate()
                try:
                    child.wait(20)
                except subprocess.TimeoutExpired:
                    end_child(child)


def _row(alone, later):
    """What is beyond the limit by no more than the noise decides nothing."""
    what, under = "ASP.NET Core mvc: first response under `nettop run`", alone + later.value / MS
    if under > LIMIT * alone >= alone + later.low / MS:
        return Row(what, under, "s", "alone", alone, note="beyond its limit by no more than the noise: no limit")
    return Row(what, under, "s", "alone", alone, LIMIT)


def first_response(bench, notes):
    """Pairs of starts, one after the other in turns: the machine changes from minute to minute, so what counts is the pairs' differences."""
    pairs = []
    _start(bench, False)  # the files are in the page cache from now on
    for number in range(bench.plan.response_runs):
        pair = {run: _start(bench, run) for run in ((False, True) if number % 2 else (True, False))}
        pairs.append((pair[False], pair[True]))
        bench.say(f"first response {number + 1}/{bench.plan.response_runs}: {pair[False].seconds:.3f} s, under nettop run {pair[True].seconds:.3f} s")
    alone, program_alone = (statistics.median(getattr(pair[0], name) for pair in pairs) for name in ("seconds", "program_s"))
    later = estimate([(run.seconds - bare.seconds) * MS for bare, run in pairs])
    more = estimate([(run.program_s - bare.program_s) * MS for bare, run in pairs])
    own = statistics.median(run.nettop_s for _, run in pairs)
    notes.append(f"First response: from the start of the command to the first answer with 200, {len(pairs)} pairs of starts, alone and under `nettop run --json`, which comes later by "
                 f"{later.text('ms')}; in brackets the interval of 95 %. CPU time until then: of the program {program_alone * MS:.0f} ms alone, {more.text('ms')} under nettop; of nettop "
                 f"and its keeper {own * MS:.0f} ms.")
    return [_row(alone, later)]
