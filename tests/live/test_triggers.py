#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""--on: a condition that comes true is said, saved, and ends nettop with a status of its own; without one nothing does."""
import json
import os

from nt_live import Nettop, check, check_equal, main, test
from nt_live.process import LineProcess
from nt_live.workload import Telling

END_S = 30


def batch(env, pid, *options):
    folder = env.scratch / "saved"
    folder.mkdir(exist_ok=True)
    return folder, LineProcess(["env", "-C", str(folder), str(env.nettop), "-p", str(pid), "--json", "-d", "0.2", *options], os.environ.copy(), env.scratch / "on.err")


def until_told(nettop):
    """Somebody tells of collections."""
    while True:
        line = json.loads(nettop.read_line(END_S))
        if line["gc"]["covered_ns"]:
            return


def ended_by_collections(env, work, *options):
    """The folder that it saves in, and what it said."""
    folder, nettop = batch(env, work.pid, *options)
    until_told(nettop)
    work.do("collect 20")
    check_equal("exit status", nettop.wait(END_S), 5)
    return folder, nettop.stderr_text()


@test
def a_collection_is_marked_saved_and_ends_it(env):
    with Telling(env) as work:
        folder, said = ended_by_collections(env, work, "--on", "gc.gen1_count>=5=save,exit", "--on", "gc.gen2>0=exit")
        check(", at or over 5; saved as nettop-" in said, said)
        names = list(folder.iterdir())
        check_equal("files", len(names), 1)
        count = json.loads(names[0].read_text(encoding="utf-8"))["gc"]["gen1_count"]
        check(5 <= count <= 20 and f"gc.gen1_count {count}," in said, f"collections in what was saved: {count}; {said}")
        check_equal("rights of it", names[0].stat().st_mode & 0o022, 0)


@test
def what_does_not_come_true_changes_nothing(env):
    with Telling(env) as work, Nettop(env, work.pid, "--on", "gc.pause>60s=exit", "--on", "finding.deadlock=mark,exit", "-n", "5") as nettop:
        check_equal("exit status", nettop.read_to_end(END_S), 0)
        check_equal("intervals", len(nettop.intervals), 5)


@test
def a_pause_rings(env):
    with Telling(env) as work:
        _folder, said = ended_by_collections(env, work, "--gc-pause", "0.000", "--on", "gc.gen1_count>=5=exit")
        check("gc.pause_max_ns" in said and ", over 0" in said, said)


@test
def what_nobody_could_judge_is_said(env):
    with Telling(env) as work:
        _folder, nettop = batch(env, work.pid, "--source", "procfs", "--gc-pause", "200", "--on", "gc.pause_max_ns>=1s", "-n", "2")
        check_equal("exit status", nettop.wait(END_S), 0)
        lines = [line for line in nettop.stderr_text().splitlines() if "--on:" in line]
        check(len(lines) == 2 and all("gc.pause_max_ns was not known in any interval" in line for line in lines), nettop.stderr_text())


@test
def what_is_no_number_of_milliseconds_is_refused(env):
    for text in ("", "-1", "1s", "1e3", "9" * 40, "1.2.3", "."):
        _folder, nettop = batch(env, os.getpid(), "--gc-pause", text)
        check_equal(f"exit status of '{text}'", nettop.wait(END_S), 2)
        check("is no number of milliseconds" in nettop.stderr_text(), nettop.stderr_text())


if __name__ == "__main__":
    main()
