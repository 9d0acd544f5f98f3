# SPDX-License-Identifier: GPL-2.0-only
"""`nettop ps --json` as a test asks it."""
import json

from .process import Failure, run, wait_until


def listed(env, prefix=(), program=None):
    """All rows, by pid."""
    done = run([*prefix, str(program or env.nettop), "ps", "--json"])
    if not done.stdout.startswith("{"):
        raise Failure(f"nettop ps: exit {done.returncode}: {done.stderr[-400:]}")
    answer = json.loads(done.stdout)
    if answer["type"] != "ps" or (done.returncode == 0) != bool(answer["processes"]):
        raise Failure(f"nettop ps: exit {done.returncode} with {len(answer['processes'])} processes")
    return {row["pid"]: row for row in answer["processes"]}


def wait_for_row(env, pid, condition, what, prefix=(), program=None):
    """The row of a process as soon as it is so."""
    seen = {}

    def right():
        seen.update(row=listed(env, prefix, program).get(pid))
        return seen["row"] if seen["row"] and condition(seen["row"]) else None

    return wait_until(right, 30, lambda: f"nettop ps: {what}, but {seen.get('row')}")
