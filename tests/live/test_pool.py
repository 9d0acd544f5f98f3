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


WAITS_S = 12
LIKE = 1.25 # what is estimated is within that of what items say themselves: the queue is seen at the looks only


def while_items_wait(env, workers, items, sleep_ms):
    """What is told while they do, without the beginning and the end; what they say themselves."""
    with Workload(env, "none", lttng=False, perf_map=False) as work, Nettop(env, work.pid, interval_s=1) as nettop:
        nettop.wait_for_sources("eventpipe", "runtime")
        nettop.wait_for(lambda line: line["threadpool"]["completed_count"] is not None, SEEN_S, "the runtime counts what is done")
        idle = nettop.intervals[-1]["threadpool"]
        check_equal("where nothing waits it is not said for how long", idle["wait_estimate_ns"], None)
        begin = len(nettop.intervals)
        truth = work.do(f"pool-waits {workers} {items} {sleep_ms} {WAITS_S}", seconds=4 * WAITS_S)
        summary = nettop.stop()["threadpool"]
        told = [line["threadpool"] for line in nettop.intervals[begin + 3:] if line["threadpool"]["queue_count"]]
        return truth, told[:-1], summary


def check_like(what, told_ns, truth_ns):
    check(truth_ns / LIKE <= told_ns <= truth_ns * LIKE, f"{what}: {told_ns / 1e6:.2f} ms, by the items themselves {truth_ns / 1e6:.2f} ms")


@test
def how_long_items_wait_is_estimated(env):
    said = []
    for workers, items, sleep_ms in ((4, 100, 5), (2, 7, 20)):
        truth, told, summary = while_items_wait(env, workers, items, sleep_ms)
        known = [line["wait_estimate_ns"] for line in told if line["wait_estimate_ns"]]
        check(len(known) >= WAITS_S // 2, f"it is told in {len(known)} intervals only: {told}")
        check_like("the mean wait of an item", sum(known) / len(known), truth["wait_mean_ns"])
        check_like("since attach", summary["wait_estimate_ns"], truth["wait_mean_ns"])
        said.append(f"{sum(known) / len(known) / 1e6:.2f} ms for {truth['wait_mean_ns'] / 1e6:.2f} ms")
    return ", ".join(said)


main()
