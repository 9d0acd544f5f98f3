#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The thread pool read from the runtime's memory, against what the pool says of itself while it holds still."""
import json
import os
import signal
from collections import defaultdict, deque

from nt_live import FullScreen, Nettop, Workload, check, check_equal, long_test, main, test, wait_until
from nt_live.process import LineProcess

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


@test
def the_queue_over_time_is_on_the_screen(env):
    """Of items that nobody takes it is not said how long they wait."""
    with Workload(env, "none", lttng=False, perf_map=False) as work, FullScreen(env, work.pid, columns=120) as screen:
        screen.wait_for(lambda output: b"LIVE" in output, SEEN_S, "nettop shows the program")
        work.do("pool-hold 2 500 0")
        screen.type("4")
        screen.wait_for(lambda output: "█  0..500, 1.0s a cell".encode() in output, SEEN_S, "the strip, with its scale")
        check(b"an item waits" not in screen.output, "it is said how long items wait that nobody takes")
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


@long_test
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


EVENTS = "System.Diagnostics.Eventing.FrameworkEventSource:0x12:5" # ThreadPool and ThreadTransfer, as the pool asks for both
EXACTLY = 1.02
FIRST = 4


def waits_by_events(lines):
    """From each item's enqueue to its dequeue. They go by the hash code of the item, which others may have as well: first in, first out."""
    enqueued, waits = defaultdict(deque), []
    for line in lines:
        if line["type"] != "event":
            continue
        times = enqueued[line["fields"]["workID"]]
        if line["name"] == "ThreadPoolEnqueueWork":
            times.append(line["time_unix_ns"])
        elif line["name"] == "ThreadPoolDequeueWork" and times:
            waits.append(line["time_unix_ns"] - times.popleft())
    return sorted(waits)


@test
def how_long_each_item_waits_by_its_events(env):
    """Each of them costs the program something, so they come only on demand; the price is said before."""
    with Workload(env, "none", lttng=False, perf_map=False) as work:
        events = LineProcess([str(env.nettop), "events", "-p", str(work.pid), "-e", EVENTS, "--json"], os.environ.copy(), env.scratch / "events.err")
        try:
            wait_until(lambda: "watching" in events.stderr_text(), SEEN_S, "nettop watches")
            check("each event costs the process" in events.stderr_text(), f"the price: {events.stderr_text()}")
            work.settle()
            truth = work.do("pool-waits 4 100 5 3")
            events.signal(signal.SIGINT)
            waits = waits_by_events(json.loads(line) for line in iter(lambda: events.read_line(SEEN_S), None))
        finally:
            events.kill()
    # The pool sees that somebody listens when a worker takes an item: the first is not told of as enqueued. Others may have queued a few meanwhile.
    check(truth["items"] - FIRST <= len(waits) <= truth["items"] + 10, f"waits: {len(waits)}, items: {truth['items']}")
    said = {"wait_mean_ns": sum(waits) / len(waits), "wait_p50_ns": waits[len(waits) // 2], "wait_p99_ns": waits[int(len(waits) * 0.99)]}
    for key, value in said.items():
        check(truth[key] / EXACTLY <= value <= truth[key] * EXACTLY, f"{key}: {value}, by the items themselves {truth[key]}")
    return f"mean, median, 99 of 100: {', '.join(f'{value / 1e6:.2f}' for value in said.values())} ms of {len(waits)} items"


def counted(pool):
    return {"wait_p50_ns": pool["item_wait_p50_ns"], "wait_p99_ns": pool["item_wait_p99_ns"]}


def begin_to_tell(work):
    """The pool sees that somebody listens when a worker begins to take items: what was enqueued until then is told when it is taken alone."""
    work.do(f"pool {FIRST}")


def how_long_each_waits(env, program=None, runtime="10.", *options):
    """Percentiles are within 1 % (of the histogram), and so is what is told of each item."""
    with Workload(env, "none", lttng=False, perf_map=False, program=program) as work, Nettop(env, work.pid, "--pool-items", *options, interval_s=1) as nettop:
        nettop.wait_for(lambda line: line["threadpool"]["item_covered_ns"], SEEN_S, "work items are told")
        work.settle()
        first = len(nettop.intervals)
        begin_to_tell(work)
        truth = work.do("pool-waits 4 100 5 5", seconds=60)
        summary = nettop.stop()
    pool = summary["threadpool"]
    check(summary["target"]["runtime"].startswith(runtime), f"the runtime is {summary['target']['runtime']}")
    check(truth["items"] - FIRST <= pool["item_count"] <= truth["items"] + 10, f"items: {pool['item_count']}, by themselves {truth['items']}")
    check(pool["item_unmatched_count"] <= FIRST, f"unmatched: {pool['item_unmatched_count']}")
    for key, value in counted(pool).items():
        check(truth[key] / EXACTLY <= value <= truth[key] * EXACTLY, f"{key}: {value}, by the items themselves {truth[key]}")
    check(pool["item_wait_p99_ns"] <= pool["item_wait_max_ns"], f"longest: {pool}")
    check_equal("items in all classes", sum(row["count"] for row in pool["item_waits"]), pool["item_count"])
    told = [line["threadpool"] for line in nettop.intervals[first:]]
    check_equal("items of the intervals", sum(line["item_count"] or 0 for line in told), pool["item_count"])
    busy = [line["item_wait_p50_ns"] for line in told if (line["item_count"] or 0) > 500]
    check(busy and all(truth["wait_p50_ns"] / LIKE < wait < truth["wait_p50_ns"] * LIKE for wait in busy), f"of each interval: {busy}")
    return ", ".join(f"{key}: {value / 1e6:.2f} for {truth[key] / 1e6:.2f} ms" for key, value in counted(pool).items())


@test
def how_long_each_waits_is_told_while_it_is_asked(env):
    return how_long_each_waits(env)


@long_test
def how_long_each_waits_on_net_8(env):
    return how_long_each_waits(env, env.selfcontained("net8.0"), "8.")


@long_test
def how_long_each_waits_on_net_9(env):
    return how_long_each_waits(env, env.selfcontained("net9.0"), "9.")


@long_test
def the_model_makes_the_same_of_them_again(env):
    return how_long_each_waits(env, None, "10.", "--check-replay")


@test
def beside_lttng_they_come_over_a_session_of_their_own(env):
    with Workload(env, "F") as work, Nettop(env, work.pid, "--pool-items", interval_s=1) as nettop:
        nettop.wait_for_sources("lttng", "eventpipe")
        nettop.wait_for(lambda line: line["threadpool"]["item_covered_ns"], SEEN_S, "work items are told")
        begin_to_tell(work)
        truth = work.do("pool-waits 2 50 5 3", seconds=40)
        pool = nettop.stop()["threadpool"]
    check(truth["items"] - FIRST <= pool["item_count"] <= truth["items"] + 10, f"items: {pool['item_count']}, by themselves {truth['items']}")
    check(truth["wait_p99_ns"] / EXACTLY <= pool["item_wait_p99_ns"] <= truth["wait_p99_ns"] * EXACTLY, f"99 of 100: {pool['item_wait_p99_ns']}, by themselves {truth['wait_p99_ns']}")


@test
def they_are_not_told_unasked(env):
    with Workload(env, "none", lttng=False, perf_map=False) as work, Nettop(env, work.pid, interval_s=0.5) as nettop:
        nettop.wait_for(lambda line: line["threadpool"]["completed_count"] is not None, SEEN_S, "the runtime counts what is done")
        work.do("pool 1100")  # what is counted in a second is split over intervals, each rounded
        nettop.wait_for(lambda _: sum(line["threadpool"]["completed_count"] or 0 for line in nettop.intervals) >= 1000, SEEN_S, "they were done")
        pool = nettop.stop()["threadpool"]
    check_equal("what is not asked for", [pool[key] for key in ("item_count", "item_wait_p99_ns", "item_covered_ns")], [None] * 3)
    check("while somebody looks" in pool["item_reason"] and "--pool-items" in pool["item_fix"], f"why: {pool['item_reason']}; {pool['item_fix']}")


@test
def too_many_of_them_are_ended(env):
    """By their price; it is said, and what was told stays."""
    with Workload(env, "none", lttng=False, perf_map=False) as work, Nettop(env, work.pid, "--pool-items", "--max-target-cost", "1", interval_s=1) as nettop:
        nettop.wait_for(lambda line: line["threadpool"]["item_covered_ns"], SEEN_S, "work items are told")

        def dear(line):
            return line["threadpool"]["item_reason"] and "no longer told" in line["threadpool"]["item_reason"]
        work.process.send_line("pool 20000000")
        line = nettop.wait_for(dear, 2 * SEEN_S, "that they are no longer told")
        pool = line["threadpool"]
        check("work items" in pool["item_reason"] and "--max-target-cost" in pool["item_fix"], f"what it says: {pool['item_reason']}; {pool['item_fix']}")
        summary = nettop.stop()["threadpool"]
        check(summary["item_count"] > 0, f"what was told stays: {summary['item_count']}")
        return pool["item_reason"]


main()
