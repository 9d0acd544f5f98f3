#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Waits for locks by lock and by owner: who has it, what is locked, where he is; as many as the runtime counts."""
from nt_live import *
from nt_live.bare import Bare
from nt_live.nettop import source_of

TOLD_S = 20
BLOCKS_MS = 8000
WAITS = 60
SITE = "Workload.Locking."


def of_lock(line, waits_in):
    return next((row for row in line["contention"]["locks"] if waits_in in (row["site"] or "")), None)


def counted(rows):
    return sum(row["count"] for row in rows)


@test
def who_has_it_what_it_is_and_where_he_is(env):
    with Bare(env) as work:
        work.settle()
        with Nettop(env, work.pid, "--waits", interval_s=0.5) as nettop:
            nettop.wait_for_sources("eventpipe", "runtime", seconds=TOLD_S)
            nettop.wait_for(lambda line: line["contention"]["covered_ns"], TOLD_S, "waits are told")
            work.process.send_line(f"block {BLOCKS_MS}")

            def told(line):
                row = of_lock(line, "Locking.TakeOnce(")
                return row and row["waiting_count"] == 1 and row["type"] and row["owner_at"]
            line = nettop.wait_for(told, TOLD_S, "the lock that somebody waits for")
            row, main = of_lock(line, "Locking.TakeOnce("), work.hello["main_tid"]
            check_equal("who has it", row["owner_tid"], main)
            check_equal("what is locked", row["type"], "object")
            check("Workload.Locking.Block(" in row["owner_at"] or "SleepMicroseconds" in row["owner_at"], f"where its owner is: {row['owner_at']}")
            owner = next(other for other in line["contention"]["owners"] if other["owner_tid"] == main)
            check_equal("threads that wait for what he has", owner["waiting_count"], 1)
            check_equal("where they wait", owner["site"], row["site"])
            nettop.stop()
    return f"{row['type']} held by t{row['owner_tid']} in {row['owner_at']}"


def sums_are_the_runtimes(env, locks=2, **how):
    with Bare(env, **how) as work:
        work.settle()
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("eventpipe", seconds=TOLD_S)
            nettop.wait_for(lambda line: line["contention"]["covered_ns"], TOLD_S, "waits are told")
            truth, _ = work.measure(f"locks {WAITS}", f"new-locks {WAITS}")
            nettop.wait_for(lambda line: of_lock(line, SITE), TOLD_S, "the places have names")
            summary = nettop.stop()
    contention = summary["contention"]
    # The runtime's own threads may wait for each other when a session begins or ends, outside of the marks.
    check(contention["count"] >= truth["contention_count"] >= WAITS, f"{contention['count']} waits, the runtime counts {truth['contention_count']}")
    for part in ("sites", "locks", "owners"):
        check_equal(f"waits by {part}", counted(contention[part]), contention["count"])
    mine = [row["count"] for row in contention["locks"] if SITE in (row["site"] or "")]
    check_equal("waits of each lock", mine, [WAITS] * locks)
    check(all(row["lock_id"] for row in contention["locks"] if SITE in (row["site"] or "")), f"locks without a number: {contention['locks']}")
    check_equal("losses", source_of(summary, "eventpipe")["lost"], 0)
    return f"{truth['contention_count']} waits, of the locks {mine}"


@test
def as_many_as_the_runtime_counts(env):
    return sums_are_the_runtimes(env)


@long_test
def as_many_as_net9_counts(env):
    return sums_are_the_runtimes(env, program=env.selfcontained("net9.0"))


@long_test
def as_many_as_net8_counts(env):
    """Each of its events has a stack, also those that count: none is counted twice."""
    return sums_are_the_runtimes(env, locks=1, program=env.selfcontained("net8.0"))


if __name__ == "__main__":
    main()
