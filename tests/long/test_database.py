#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Databases: what Npgsql tells of a real PostgreSQL, in the names of its time, against the program's own stopwatch; and a pool of connections that is used up."""
import os

from nt_long import TESTS
from nt_long.postgres import Postgres
from nt_live import FullScreen, Nettop, check, check_equal, check_within, main, test
from nt_live.environment import REPO, run_script
from nt_live.workload import Workload, settings_as_variables

SECONDS = 30
VERSIONS = ("8.0.5", "10.0.0")  # what the one tells is called otherwise by the other
POOL = 10


class Shop(Workload):
    """tests/long/database"""

    def __init__(self, env, version, connection):
        program = run_script(TESTS / "long/database.sh", version, os.environ.get("NT_DATABASE_OUT", str(REPO / "build/database")))
        self.mode = "none"
        self._start(env, [program, connection], settings_as_variables({}))


def is_told(line):
    return line["requests"]["count"] is not None


def of_database(line):
    return [row for row in line["requests"]["routes"] if row["way"] == "db"]


def findings(line):
    return [finding["text"] for finding in line["findings"] if finding["kind"] == "connection_pool"]


def add(version):
    def operations_and_pool(env):
        with Postgres() as database, Shop(env, version, database.connection(POOL)) as shop, Nettop(env, shop.pid, "--source", "eventpipe,map,procfs", interval_s=1) as nettop:
            nettop.wait_for(is_told, SECONDS, "requests are told")
            shop.do("call 30 /stock")
            shop.do("call 4 /wrong")
            took_ms = sorted(shop.do("call 20 /report/50")["took_ms"])
            def asked():
                return sum(line["requests"]["database_count"] or 0 for line in nettop.intervals)
            nettop.wait_for(lambda _: asked() >= 50, SECONDS, "operations")
            slow = max((row for line in nettop.intervals for row in of_database(line) if row["count"]), key=lambda row: row["p50_ns"] or 0)
            line = nettop.wait_for(lambda line: line["requests"]["pool_max_count"] is not None, SECONDS, "the pool")
            check_equal("the pool", (line["requests"]["pool"], line["requests"]["pool_max_count"]), (database.name, POOL))
            check_equal("findings of a pool that is not used up", [text for line in nettop.intervals for text in findings(line)], [])
            operations = asked()
            shop.do(f"load {POOL + 7} /report/1000")
            line = nettop.wait_for(findings, SECONDS, "a pool that is used up")
            text, seen = findings(line)[0], line["requests"]
            summary = nettop.stop()
        failed = summary["requests"]["database_error_count"]
        check(operations in (50, 54), f"{operations} operations of 50, or of 54 with those that failed")
        check_equal("those that failed", failed, 4)
        # Of an operation Npgsql 10 tells the server, and no name.
        check_equal("the database", {row["route"].removeprefix("postgres at ") for row in of_database(summary)}, {database.server})
        check_within("median of /report", slow["p50_ns"] / 1e6, took_ms[10], relative=0.05, absolute=3)
        check_equal("in use", seen["pool_used_count"], POOL)
        # Npgsql 10.0.0 does not tell who waits. One who has just been given a connection does not wait.
        check(seen["pool_waiting_count"] in ((None,) if version.startswith("10.") else (5, 6, 7)), f"{seen['pool_waiting_count']} wait of 7")
        check(text.startswith(f"Connection pool used up: all {POOL} to {database.name}"), text)
        return f"{operations} operations, p50 {slow['p50_ns'] / 1e6:.1f} ms of {took_ms[10]:.1f}; {text}"

    operations_and_pool.__name__ = f"operations_and_pool_{version.replace('.', '_')}"
    test(operations_and_pool)


for entry in VERSIONS:
    add(entry)


@test
def on_the_first_screen_when_nettop_comes_later(env):
    """Who waits already is not known to the runtime's counter: that requests are slow meanwhile says it."""
    with Postgres() as database, Shop(env, VERSIONS[-1], database.connection(POOL)) as shop:
        shop.do(f"load {3 * POOL} /report/1000")
        with FullScreen(env, shop.pid, lines=24, columns=80) as screen:
            screen.wait_for(lambda output: b"Connection pool used up" in output, SECONDS, "the finding")


if __name__ == "__main__":
    main()
