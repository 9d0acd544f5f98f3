#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The thread pool read from the runtime's memory, against what the pool says of itself while it holds still."""
from nt_live import Nettop, Workload, check, check_equal, main, test

SEEN_S = 20
HELD = ("pool-hold 7 5 3", "pool-hold 40 20000 70", "pool-hold 2 0 0", "pool-hold 3 0 40")


def own(answer):
    """The pool's own words, by the names that nettop has for them."""
    check_equal("workers, told twice", answer["pool_existing_count"], answer["pool_thread_count"])
    return {"worker_count": answer["pool_thread_count"], "working_count": answer["pool_working_count"], "goal_count": answer["pool_goal_count"],
            "min_count": answer["pool_min_count"], "max_count": answer["pool_max_count"], "queue_count": answer["pool_pending_count"]}


def seen(line, keys):
    return {key: line["threadpool"][key] for key in keys}


def is_told(nettop, work, command):
    truth = own(work.do(command))
    nettop.wait_for(lambda line: seen(line, truth) == truth, SEEN_S, f"{command}: {truth}")
    work.do("pool-release")
    idle = {"queue_count": 0, "working_count": 0}
    nettop.wait_for(lambda line: seen(line, idle) == idle, SEEN_S, f"after {command}: {idle}")
    return truth


@test
def counts_are_the_pools_own_where_its_memory_is_all_there_is(env):
    with Workload(env, "none", lttng=False, perf_map=False, dotnet={"EnableDiagnostics": "0"}) as work:
        # Until it is used there is none.
        with Nettop(env, work.pid, interval_s=0.5) as nettop:
            told = [is_told(nettop, work, command) for command in HELD]
            line = nettop.intervals[-1]["threadpool"]
            check_equal("what only events tell", [line["starved_count"], line["injected_count"], line["completed_count"]], [None] * 3)
            check(line["reason"], f"it is not said why: {line}")
            summary = nettop.stop()
            check_equal("in the summary", seen(summary, told[-1]), {"worker_count": summary["threadpool"]["worker_count"], "queue_count": 0, "working_count": 0,
                                                                    "goal_count": line["goal_count"], "min_count": line["min_count"], "max_count": line["max_count"]})
            return str(told[1])


@test
def counts_are_the_pools_own_beside_its_events(env):
    with Workload(env, "none", lttng=False, perf_map=False) as work, Nettop(env, work.pid, interval_s=0.5) as nettop:
        nettop.wait_for_sources("eventpipe")
        return str([is_told(nettop, work, command) for command in HELD[:2]][0])


@test
def without_the_memory_events_tell(env):
    """What only the memory has is unknown, and the queue is that of the runtime's counter."""
    with Workload(env, "none", lttng=False, perf_map=False) as work, Nettop(env, work.pid, "--source", "procfs,eventpipe", interval_s=0.5) as nettop:
        nettop.wait_for_sources("eventpipe")
        truth = own(work.do(HELD[0]))
        line = nettop.wait_for(lambda line: line["threadpool"]["queue_count"] == truth["queue_count"], SEEN_S, f"the queue: {truth}")
        check_equal("what is not known", [line["threadpool"][key] for key in ("working_count", "min_count", "max_count")], [None] * 3)
        work.do("pool-release")



main()
