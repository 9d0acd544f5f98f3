# SPDX-License-Identifier: GPL-2.0-only
"""How much later a web application answers for the first time when `nettop run` starts it."""
import http.client
import statistics
import subprocess
import time

from nt_live import Failure
from nt_live.process import end_child
from nt_live.workload import settings_as_variables

from .meter import NS_PER_S
from .report import Row
from .servers import free_port, mvc_command

LIMIT = 1.1
ANSWER_S = 60
STEP_S = 0.002


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


def _time_s(bench, run):
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
                return (time.monotonic_ns() - start_ns) / NS_PER_S
            finally:
                child.terminate()
                try:
                    child.wait(20)
                except subprocess.TimeoutExpired:
                    end_child(child)


def first_response(bench, notes):
    times = {False: [], True: []}
    _time_s(bench, False)  # the files are in the page cache from now on
    for number in range(bench.plan.response_runs):
        for run in (False, True) if number % 2 else (True, False):
            times[run].append(_time_s(bench, run))
        bench.say(f"first response {number + 1}/{bench.plan.response_runs}: {times[False][-1]:.3f} s, under nettop run {times[True][-1]:.3f} s")
    alone, under = statistics.median(times[False]), statistics.median(times[True])
    notes.append(f"First response: from the start of the command to the first answer with 200, medians of {bench.plan.response_runs} runs each, in turns; alone "
                 f"{min(times[False]):.3f} to {max(times[False]):.3f} s, under `nettop run --json` {min(times[True]):.3f} to {max(times[True]):.3f} s.")
    return [Row("ASP.NET Core mvc: first response under `nettop run`", under, "s", "alone", alone, LIMIT)]
