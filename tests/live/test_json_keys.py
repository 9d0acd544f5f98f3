#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every member of every JSON object that nettop writes is in the manual: as a name in bold or italics, alone or in a path."""
import concurrent.futures
import json
import re
import subprocess
import time

from nt_live import *
from nt_live.environment import REPO
from nt_live.process import run, running


JIT_S = "5"  # in which a session is open on a busy machine, too


def names_of_the_manual():
    text = (REPO / "doc/nettop.1").read_text(encoding="utf-8").replace("\\-", "-")
    marked = re.findall(r"\\f[BI](.*?)\\fR", text) + re.findall(r"^\.(?:B|BR|RB|IR|RI|BI) (.*)$", text, re.M)
    return {name for words in marked for name in re.findall(r"[a-z_]\w*", words)}


def members(value, free=False):
    """The members of all objects in it; `free`: of this one they are values, not names (one for each kind of code, or variable)."""
    if isinstance(value, list):
        return set().union(*[members(item) for item in value])
    if not isinstance(value, dict):
        return set()
    own = set() if free else set(value)
    return own.union(*[members(item, key in ("reasons", "settings", "settings_overruled")) for key, item in value.items()])


def texts_of(env, *commands):
    """What each of these commands of nettop's writes, run side by side."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        runs = list(pool.map(lambda words: run([str(env.nettop), *words]), commands))
    for words, done in zip(commands, runs):
        check(done.stdout.startswith("{"), f"{words}: {done.stderr[-400:]}")
    return [json.loads(done.stdout) for done in runs]


@test
def every_member_is_in_the_manual(env):
    known = names_of_the_manual()
    with Workload(env, mode="none") as work:
        pid, old = str(work.pid), env.scratch / "old.json"
        with Nettop(env, work.pid, "--alloc", "--counters", "System.Runtime") as nettop:
            nettop.wait_for_sources("eventpipe", "perf")
            for command in ("throw 3", "gc 2", "jit-expr 20", "compute 300", "locks 2", "alloc 20"):
                work.do(command)
            done_ns = time.monotonic_ns()
            nettop.wait_for(lambda line: line["t0_ns"] > done_ns, 20, "an interval after that")
            objects = [nettop.stop(), *nettop.intervals]
        jit = ["jit", "--json", "-p", pid, "-d", JIT_S]
        objects += texts_of(env, jit, ["ps", "--json"])
        old.write_text(json.dumps(objects[-2]), encoding="utf-8")
        objects += texts_of(env, [*jit, "--compare", str(old)], ["doctor", "--json", "-p", pid],
                            ["symbols", "--json", "-p", pid, "--server", "http://127.0.0.1:9", "-o", str(env.scratch / "symbols")])
    found = set().union(*[members(item) for item in objects])
    check_equal("members that the manual does not name", sorted(found - known), [])
    return f"{len(found)} members"


@test
def a_full_disk_is_said(env):
    """A line of JSON is longer than what is written at once: the failure comes before the last of it. Text is shorter."""
    with running("sleep", "1000") as process, open("/dev/full", "wb") as full:
        for output in ("--json", "-b"):
            done = subprocess.run([str(env.nettop), "-p", str(process.pid), output, "-d", "0.3", "-n", "2"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=30, check=False)
            check_equal(f"{output}: exit status", done.returncode, 1)
            check("cannot write to standard output: No space left on device" in done.stderr, f"{output}: {done.stderr}")


if __name__ == "__main__":
    main()
