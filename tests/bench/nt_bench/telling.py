# SPDX-License-Identifier: GPL-2.0-only
"""Each event of a program that writes 20 000 a second: `nettop events`, which writes a line of text for each, against `dotnet-trace collect`, which copies the stream into a file."""
import contextlib
import os
import subprocess
import time

from nt_live import Failure, wait_until
from nt_live.environment import run_script
from nt_live.eventpipe import sessions_of
from nt_live.workload import Telling

from . import paired
from .meter import NS_PER_S, cpu_ns
from .program import Program
from .report import Row
from .servers import TOOL

ORDERS_PER_S = 10_000  # two events each
PROVIDER = "Shop-Told"
ATTACH_S, REST_S = 20, 30
TEXT, JSON, TRACE = "nettop events", "nettop events --json", "dotnet-trace collect"


def _argv(bench, pid, name, file):
    if name == TRACE:
        return [bench.dotnet_trace, "collect", "-p", pid, "-o", file, "--providers", f"{PROVIDER}:0xffffffffffffffff:5"]
    return [bench.env.nettop, "events", "-p", pid, "-e", f"{PROVIDER}:-1:5", "--max-target-cost", 100, *(["--json"] if name == JSON else [])]


def _counted(file):
    """Events told, and counted as lost, by its own lines."""
    told = int(subprocess.run(["grep", "-c", "/Order", file], stdout=subprocess.PIPE, check=False).stdout)
    with open(file, "rb") as tail:
        tail.seek(max(os.path.getsize(file) - 4096, 0))
        if not tail.read().endswith(b"\n"):
            raise Failure("the last line is not whole")
    lost = subprocess.run(["awk", "/^-- /{lost += $2} END{print lost + 0}", file], stdout=subprocess.PIPE, check=True).stdout
    return told, int(lost)


def _watched(bench, work, name, seconds):
    """CPU seconds of it and its helpers, from its start to its end; of the target meanwhile; the most memory; its file."""
    file = bench.env.scratch / f"events.{'nettrace' if name == TRACE else 'lines'}"
    before = cpu_ns(work.pid)
    with open(os.devnull if name == TRACE else file, "wb") as out, Program(_argv(bench, work.pid, name, file), bench.home, terminal=False, stdout=out) as program:
        program.run(ATTACH_S, lambda _: sessions_of(work.pid) == 1)
        with contextlib.closing(open(program.errors_path, encoding="utf-8")) as errors:
            wait_until(lambda: name == TRACE or "watching" in errors.read(), ATTACH_S, f"{name} watches")
        work.do(f"rate {ORDERS_PER_S} {seconds}", seconds + REST_S)
        program.sample()
        program.end()
    wait_until(lambda: sessions_of(work.pid) == 0, ATTACH_S, "its session has ended")
    return program.cpu_ns / NS_PER_S, (cpu_ns(work.pid) - before) / NS_PER_S, program.peak_rss_bytes, file


def events(bench, notes):
    bench.dotnet_trace = run_script(TOOL, "dotnet-trace")
    seconds, rounds = (60, 3) if bench.plan.cost_runs > 1 else (5, 1)
    written = 2 * ORDERS_PER_S * seconds
    seen = {name: [] for name in (TEXT, JSON, TRACE)}
    target, memory, uncounted, lost_all = {name: [] for name in seen}, dict.fromkeys(seen, 0), [], 0
    with Telling(bench.env) as work:
        work.do("orders 1000")
        for number in range(rounds):
            for name, values in seen.items():
                own_s, target_s, peak, file = _watched(bench, work, name, seconds)
                values.append(own_s)
                target[name].append(target_s)
                memory[name] = max(memory[name], peak)
                if name == TEXT:
                    told, lost = _counted(file)
                    uncounted.append(abs(written - told - lost))
                    lost_all += lost
                file.unlink()
                bench.say(f"round {number + 1}/{rounds}  {name:22} {own_s:.2f} s, the program {target_s:.2f} s")
                time.sleep(1)
    notes.append(f"The program writes {2 * ORDERS_PER_S} events a second for {seconds} s, half of them with six fields, and all come: {lost_all} of {rounds * written} were counted as lost. CPU time is from start to end, "
                 "and the median of the rounds; dotnet-trace copies what comes, and tells nobody what it is.")
    rows = [Row("events that are neither told nor counted as lost, of each round the most", max(uncounted), "", limit=0)]
    for name in (TEXT, JSON):
        own, peer = paired.middle(list(zip(seen[name], seen[TRACE])))
        rows.append(Row(f"CPU of `{name}`, {2 * ORDERS_PER_S} events a second for {seconds} s", own, "s", f"`{TRACE}`", peer, 0.5 if name == TEXT else None))
    rows += [Row(f"the same of an event, `{name}`", sorted(seen[name])[len(seen[name]) // 2] / written * 1e6, "us", f"`{TRACE}`", sorted(seen[TRACE])[len(seen[TRACE]) // 2] / written * 1e6) for name in (TEXT, JSON)]
    rows += [Row(f"CPU of the program meanwhile, `{TEXT}`", sorted(target[TEXT])[rounds // 2], "s", f"`{TRACE}`", sorted(target[TRACE])[rounds // 2]),
             Row(f"most memory, `{TEXT}`", memory[TEXT] / (1 << 20), "MB", f"`{TRACE}`", memory[TRACE] / (1 << 20))]
    return rows
