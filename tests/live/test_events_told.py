#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Events one by one beside all else (screen 9; --event-source with --json): as many as the program says it wrote, of a flood too; what is asked of it, and what becomes of it when nettop hangs or dies."""
import os
import signal
import threading

from nt_live import *
from nt_live.workload import Telling

TOLD_S = 30
FLOOD = 60_000  # written at once: more than a second's


def of_events(intervals):
    """All together: rows that are events, rows that are none, how many by kind, figures."""
    rows = [row for line in intervals for row in line["events"]["list"]]
    kinds = {}
    for rate in (rate for line in intervals for rate in line["events"]["rates"]):
        kinds[rate["event"]] = kinds.get(rate["event"], 0) + rate["count"]
    figures = {key: sum(line["events"][key] or 0 for line in intervals) for key in ("count", "more_count", "lost_count")}
    return [row for row in rows if row["event"] not in ("NOT SHOWN", "LOST")], [row for row in rows if row["event"] in ("NOT SHOWN", "LOST")], kinds, figures


def is_asked(work):
    return bool(work.do("asked")["asked"])


def told(env, work, *options):
    nettop = Nettop(env, work.pid, "--event-source", "Shop-Told", *options)
    nettop.wait_for(lambda line: line["events"]["count"] is not None, TOLD_S, "events are told")
    return nettop


@test
def each_once_with_its_fields(env):
    with Telling(env) as work, told(env, work, "--check-replay") as nettop:
        work.do("orders 50")
        nettop.wait_for(lambda line: any(row["fields"].startswith("number=49 ") for row in line["events"]["list"]), TOLD_S, "the last order")
        summary = nettop.stop()
    events, others, kinds, figures = of_events(nettop.intervals)
    check_equal("events", [row["fields"].split(" ")[0] for row in events], [f"number={i}" for i in range(50)])
    check_equal("the fourth", events[3]["fields"], 'number=3 customer="Ann \\x1b[31m "3"" price=4.5 paid=false change=-3 id="00000003-0002-0003-0405-060708090a0b"')
    check_equal("name and thread", {(row["event"], row["tid"]) for row in events}, {("Shop-Told/OrderTaken", work.pid)})
    check_equal("rows that are no events", others, [])
    check_equal("by kind", kinds, {"Shop-Told/OrderTaken": 50})
    check_equal("figures", figures, {"count": 50, "more_count": 0, "lost_count": 0})
    check_equal("of the whole time", [summary["events"][key] for key in ("count", "more_count", "lost_count", "patterns")], [50, 0, 0, "Shop-Told"])
    check(summary["replay_equal"], "a replay gives other snapshots")


@test
def collections_as_the_runtime_counts_them(env):
    with Telling(env) as work, Nettop(env, work.pid, "--event-name", "GCStart", "--event-name", "GCEnd") as nettop:
        nettop.wait_for(lambda line: line["events"]["count"] is not None, TOLD_S, "events are told")
        before = work.do("collect 0")
        after = work.do("collect 20")
        done = after["collections"] - before["collections"]
        nettop.wait_for(lambda _: of_events(nettop.intervals)[2].get("clr/GCEnd", 0) >= done, TOLD_S, "as many collections")
        kinds = of_events(nettop.intervals)[2]
    check_equal("events", kinds, {"clr/GCStart": done, "clr/GCEnd": done})


@test
def a_flood_is_limited_and_counted(env):
    """Nothing is lost uncounted: what has a row, what has none and what was lost are all that was written."""
    with Telling(env) as work, told(env, work, "--max-target-cost", "100") as nettop:
        work.do(f"orders {FLOOD}")
        nettop.wait_for(lambda _: sum(of_events(nettop.intervals)[3][key] for key in ("count", "lost_count")) >= FLOOD, TOLD_S, "all of them are accounted for")
    events, others, kinds, figures = of_events(nettop.intervals)
    check_equal("events and those that were lost", figures["count"] + figures["lost_count"], FLOOD)
    check_equal("by kind", kinds["Shop-Told/OrderTaken"], figures["count"])
    check_equal("rows, and those without", len(events) + figures["more_count"], figures["count"])
    check(figures["more_count"] > FLOOD / 2, f"the flood has rows: {figures}")
    check_equal("what the rows say that are no events", sum(row["count"] for row in others), figures["more_count"] + figures["lost_count"])
    return f"{len(events)} of {FLOOD} have rows, {figures['lost_count']} were lost"


@test
def each_of_20000_a_second_has_a_row_or_is_counted(env):
    rate, seconds = 10_000, 8  # two events an order
    with Telling(env) as work, Nettop(env, work.pid, "--event-source", "Shop-Told:-1:5", "--max-target-cost", "100", interval_s=1) as nettop:
        nettop.wait_for(lambda line: line["events"]["count"] is not None, TOLD_S, "events are told")
        writer = threading.Thread(target=work.do, args=(f"rate {rate} {seconds}", seconds + TOLD_S))
        writer.start()
        nettop.wait_for(lambda _: sum(of_events(nettop.intervals)[3][key] for key in ("count", "lost_count")) >= 2 * rate * seconds, seconds + TOLD_S, "all of them are accounted for")
        writer.join()
        memory = nettop.intervals[-1]["self"]["rss_bytes"]
        busy = [line for line in nettop.intervals if (line["events"]["count"] or 0) > rate]
        own = sum(line["self"]["cpu_pct"] for line in busy) / len(busy)
    events, _, kinds, figures = of_events(nettop.intervals)
    check_equal("all", figures["count"] + figures["lost_count"], 2 * rate * seconds)
    check_equal("by kind", sum(kinds.values()), figures["count"])
    check_equal("rows, and those without", len(events) + figures["more_count"], figures["count"])
    check_limit("rows in a second", len(events) / seconds, 2200)
    return f"{len(events)} have rows, {figures['lost_count']} were lost; nettop as a whole used {own:.1f} % of a CPU meanwhile, and had {memory >> 20} MB"


@test
def it_is_ended_when_it_costs_too_much(env):
    with Telling(env) as work, told(env, work, "--max-target-cost", "1") as nettop:
        def reason(line):
            work.do("orders 20000", TOLD_S)
            return line["events"]["reason"]

        line = nettop.wait_for(reason, TOLD_S, "the session is ended")
        check("cost the process" in line["events"]["reason"], line["events"]["reason"])
        check(not is_asked(work), "it is asked still")
        check(nettop.process.alive(), "nettop has ended")


@test
def nothing_else_is_asked_of_it(env):
    """Without the option no EventSource of the program is, and nothing is told."""
    with Telling(env) as work, Nettop(env, work.pid) as nettop:
        nettop.wait_for_sources("eventpipe")
        check(not is_asked(work), "it is asked for events that nobody chose")
        work.do("orders 5")
        work.do("collect 1")
        line = nettop.wait_for(lambda line: sum(line["gc"][f"gen{i}_count"] or 0 for i in range(3)), TOLD_S, "a collection")
        check_equal("events", (line["events"]["list"], line["events"]["count"], line["events"]["patterns"]), ([], None, None))
        check_equal("readonly", line["events"]["reason"], None)


@test
def readonly_asks_nothing(env):
    with Telling(env) as work, Nettop(env, work.pid, "--readonly", "--event-source", "Shop-Told") as nettop:
        line = nettop.wait_for(lambda line: line["events"]["reason"], TOLD_S, "it says why not")
        check(not is_asked(work), "it is asked although nettop was to change nothing")
    check("--readonly" in line["events"]["reason"], line["events"]["reason"])
    check_equal("events", [line["events"]["count"] for line in nettop.intervals], [None] * len(nettop.intervals))


@test
def the_program_exits_beside_a_nettop_that_hangs(env):
    """A stream that nobody reads would keep it from its exit: the keeper lets go of it."""
    with Telling(env) as work, told(env, work, "--max-target-cost", "100") as nettop:
        os.kill(nettop.process.pid, signal.SIGSTOP)
        try:
            work.do(f"orders {FLOOD}", TOLD_S)
            wait_until(lambda: not is_asked(work), TOLD_S, "nobody listens any more")
            check_equal("exit status of the program", work.quit(TOLD_S), 0)
        finally:
            os.kill(nettop.process.pid, signal.SIGCONT)


@test
def a_killed_nettop_leaves_nothing(env):
    with Telling(env) as work, told(env, work) as nettop:
        os.kill(nettop.process.pid, signal.SIGKILL)
        wait_until(lambda: work.do("orders 1") and not is_asked(work), TOLD_S, "its session has ended")
        check_equal("exit status of the program", work.quit(TOLD_S), 0)


@test
def a_program_that_is_killed(env):
    with Telling(env) as work, told(env, work) as nettop:
        work.do("orders 3")
        nettop.wait_for(lambda _: of_events(nettop.intervals)[3]["count"] == 3, TOLD_S, "orders")
        os.kill(work.pid, signal.SIGKILL)
        nettop.read_to_end(TOLD_S)
    check_equal("state", nettop.summary["target"]["state"], "ended")
    check_equal("events", nettop.summary["events"]["count"], 3)


@test
def what_would_end_a_process_of_lttng_is_not_asked_for(env):
    with SessionDaemon(env) as daemon, Workload(env, mode="none", libraries=env.genuine_dir) as work:
        daemon.wait_for_app(work.pid)
        with Nettop(env, work.pid, "--event-name", "ExceptionThrown") as nettop:
            line = nettop.wait_for(lambda line: line["events"]["reason"], TOLD_S, "it says why not")
            check("null would end the process" in line["events"]["reason"], line["events"]["reason"])
            work.do("throw 10")


if __name__ == "__main__":
    main()
