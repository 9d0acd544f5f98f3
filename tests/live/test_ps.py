#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop ps` against real processes: what it says of them, whoever's and wherever they are."""
import os
import shutil

from nt_live import *
from nt_live.bare import contained
from nt_live.process import run, running
from nt_live.ps import listed, wait_for_row
from nt_live.runner import check, check_equal

NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def check_row(row, **expected):
    for key, value in expected.items():
        check_equal(key, row[key], value)


@test
def the_workload(env):
    """Every column, against what the process itself and /proc say; and no other process of this test is taken for .NET."""
    with Workload(env, mode="N") as work, running("sleep", "1000") as other:
        row = wait_for_row(env, work.pid, lambda row: row["lttng"] == "ok" and row["eventpipe"] == "ok", "LTTng and EventPipe would deliver")
        check_row(row, name="workload", kind="shared", mode="N", user="root", perf="ok", map="ok", sources="LEPM", lttng_reason=None,
                  runtime=os.path.basename(os.path.dirname(next(line.split(None, 5)[5].strip() for line in open(f"/proc/{work.pid}/maps", encoding="utf-8")
                                                                if "/libcoreclr.so" in line))))
        check(row["command"].startswith("dotnet ") and row["command"].endswith("workload.dll"), f"command is {row['command']}")
        check(0 < row["uptime_ns"] < 600e9 and row["rss_bytes"] > 1 << 20 and row["thread_count"] > 3, f"uptime, memory, threads: {row}")
        check(other.pid not in listed(env), "sleep is no .NET process")
        work.do("compute 500")
        check(listed(env)[work.pid]["cpu_ns"] >= row["cpu_ns"] + 400e6, "CPU time of 500 ms of work")
    check(work.pid not in listed(env), "it has ended")
    return f"{row['sources']} .NET {row['runtime']}"


@test
def as_text(env):
    with Workload(env, mode="none", lttng=False, perf_map=False) as work:
        wait_for_row(env, work.pid, lambda row: row["eventpipe"] == "ok", "EventPipe would deliver")
        lines = run([str(env.nettop), "ps"]).stdout.splitlines()
    check_equal("titles", lines[0].split(), "PID NAME RUNTIME KIND MODE USER UP CPU% RSS THR SRC COMMAND".split())
    words = next(line.split() for line in lines if line.split()[0] == str(work.pid))
    check_equal("name, kind, mode, sources", [words[1], words[3], words[4], words[10]], ["workload", "shared", "none", "-EPM"])


@test
def without_a_terminal(env):
    """nettop without a process and without a terminal is nettop ps."""
    with Workload(env, mode="none", lttng=False, perf_map=False) as work:
        wait_for_row(env, work.pid, lambda row: True, "it is listed")
        done = run([str(env.nettop)])
        check_equal("exit status and messages", (done.returncode, done.stderr), (0, ""))
        check(any(line.split()[:2] == [str(work.pid), "workload"] for line in done.stdout.splitlines()), f"the workload in {done.stdout}")


@test
def of_another_user(env):
    """Who may not read a process still learns that it is there and what it uses."""
    env.need_commands("setpriv")
    program = env.open_scratch / "nettop"
    shutil.copy(env.nettop, program)
    with Workload(env, mode="N") as work:
        row = wait_for_row(env, work.pid, lambda row: True, "it is listed", prefix=NOBODY, program=program)
    check_row(row, name="workload", runtime=None, kind=None, mode=None, user="root", perf="forbidden", lttng="forbidden", sources="----")
    check(row["thread_count"] > 3 and row["rss_bytes"] > 1 << 20 and row["cpu_ns"] > 0, f"threads, memory, CPU time: {row}")
    check(row["perf_reason"].endswith("run nettop as that user or as root"), row["perf_reason"])


@test
def in_namespaces_of_its_own(env):
    with contained(env) as (_, pid, _):
        row = wait_for_row(env, pid, lambda row: row["eventpipe"] == "ok", "EventPipe would deliver")
        check_row(row, name="workload", kind="shared", mode="none")


@test
def nobody_there(env):
    """In a pid namespace of nettop's own there is no .NET process: a sentence, and a status for scripts."""
    env.need_commands("unshare")
    done = run(["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--mount-proc", str(env.nettop), "ps"])
    check_equal("exit status", done.returncode, 1)
    check_equal("what it says", (done.stdout, done.stderr), ("", "nettop: there is no .NET process here that uid 0 can see\n"))


if __name__ == "__main__":
    main()
