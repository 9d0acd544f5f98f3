#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Wall time (`--wall`): by looks and switches, or by the runtime's own sampler in place of perf, on a process that was started without any setting."""
import subprocess

from nt_live import *
from nt_live.eventpipe import sessions_of
from nt_live.nettop import source_of

HOT = "Workload.Compute.Spin"
BUSY_MS = 120_000  # longer than the test needs on a slow machine
SEEN_S = 40


APART = ("--source", "eventpipe,map")  # nobody reads the runtime from outside


def bare(env, **options):
    return Workload(env, mode="none", perf_map=False, lttng=False, **options)


@test
def the_busy_method_is_first(env):
    """Threads that wait are not in the list, however many samples they have; CPU time stays what /proc says."""
    return busy_method_is_first(bare(env), env, *APART)


@long_test
def without_being_asked_where_the_runtime_cannot_be_read(env):
    return busy_method_is_first(bare(env, program=env.selfcontained("net8.0")), env)


@test
def where_the_runtime_is_read_there_is_none(env):
    """All threads' wall time by looks and switches, running ones too, and nothing is asked of the target for it."""
    with bare(env) as work:
        work.settle()
        work.process.send_line(f"compute {BUSY_MS}")
        with Nettop(env, work.pid, "--wall") as nettop:
            line = nettop.wait_for(lambda line: any(HOT in (row["site"] or "") and row["run_ns"] for row in line["waits"]["wall"]), SEEN_S, f"{HOT} runs")
            check(any(row["wait_ns"] and row["for"] != "idle" for row in line["waits"]["wall"]), "nobody waits")
            check(line["wall"]["samples"] is None, "the sampler is on")
            summary = nettop.stop()
        check(summary["wall"]["samples"] is None, "the sampler was on")
        text = subprocess.run([env.nettop, "-b", "-n", "4", "-p", str(work.pid), "--wall"], capture_output=True, text=True, timeout=60, check=True).stdout
        check("Methods by wall time of all threads" in text and HOT in text, text)


def busy_method_is_first(target, env, *options):
    with target as work:
        work.settle()
        work.process.send_line(f"compute {BUSY_MS}")
        with Nettop(env, work.pid, "--wall", *options) as nettop:
            line = nettop.wait_for(lambda line: line["methods"] and HOT in line["methods"][0]["name"], SEEN_S, f"{HOT} is the first of the methods")
            check_equal("samples", line["samples"], "wall")
            check_equal("perf", source_of(line, "perf")["state"], "unused")
            check(line["cpu"]["samples"] is None, "wall samples are counted as CPU samples")
            check(line["cpu"]["usage_pct"] is not None, "no CPU time")
            check(line["wall"]["outside"] > 0, "nobody waits")
            summary = nettop.stop()
        check_equal("sessions that the target has left", sessions_of(work.pid), 0)
    hot = summary["methods"][0]
    check(HOT in hot["name"], f"the first of all is {hot['name']}")
    return f"{hot['self_pct']:.0f} % of {summary['wall']['samples']} samples in managed code, {summary['wall']['outside']} outside"


@test
def readonly_has_no_sampler(env):
    with bare(env) as work:
        with Nettop(env, work.pid, "--wall", *APART, "--readonly") as nettop:
            line = nettop.wait_for(lambda line: source_of(line, "eventpipe").get("state") == "absent", SEEN_S, "EventPipe is left out")
            check("--readonly" in source_of(line, "eventpipe")["reason"], f"{source_of(line, 'eventpipe')}")
            check(line["wall"]["samples"] is None, "there are wall samples")
            check_equal("sessions", sessions_of(work.pid), 0)
            nettop.stop()


if __name__ == "__main__":
    main()
