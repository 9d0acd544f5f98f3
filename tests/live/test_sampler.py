#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The runtime's own sampler in place of perf, on a process that was started without any setting."""
from nt_live import *
from nt_live.eventpipe import sessions_of
from nt_live.nettop import source_of

HOT = "Workload.Compute.Spin"
BUSY_MS = 120_000  # longer than the test needs on a slow machine
SEEN_S = 40


def bare(env):
    return Workload(env, mode="none", perf_map=False, lttng=False)


@test
def the_busy_method_is_first(env):
    """Threads that wait are not in the list, however many samples they have; CPU time stays what /proc says."""
    with bare(env) as work:
        work.settle()
        work.process.send_line(f"compute {BUSY_MS}")
        with Nettop(env, work.pid, "--wall") as nettop:
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
        with Nettop(env, work.pid, "--wall", "--readonly") as nettop:
            line = nettop.wait_for(lambda line: source_of(line, "eventpipe").get("state") == "absent", SEEN_S, "EventPipe is left out")
            check("--readonly" in source_of(line, "eventpipe")["reason"], f"{source_of(line, 'eventpipe')}")
            check(line["wall"]["samples"] is None, "there are wall samples")
            check_equal("sessions", sessions_of(work.pid), 0)
            nettop.stop()


if __name__ == "__main__":
    main()
