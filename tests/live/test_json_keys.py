#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every member of every JSON object that nettop writes is in the manual: as a name in bold or italics, alone or in a path."""
import json
import re

from nt_live import *
from nt_live.environment import REPO
from nt_live.process import run


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


@test
def every_member_is_in_the_manual(env):
    known = names_of_the_manual()
    with Workload(env, mode="none") as work:
        pid, old = str(work.pid), env.scratch / "old.json"
        with Nettop(env, work.pid, "--alloc", "--counters", "System.Runtime") as nettop:
            nettop.wait_for_sources("eventpipe", "perf")
            work.measure("throw 3", "gc 2", "jit-expr 20", "compute 300", "locks 2", "alloc 20")
            objects = [nettop.stop(), *nettop.intervals]
        for words in (["doctor", "--json", "-p", pid], ["ps", "--json"], ["jit", "--json", "-p", pid, "-d", JIT_S],
                      ["symbols", "--json", "-p", pid, "--server", "http://127.0.0.1:9", "-o", str(env.scratch / "symbols")]):
            done = run([str(env.nettop), *words])
            check(done.stdout.startswith("{"), f"{words[0]}: {done.stderr[-400:]}")
            objects.append(json.loads(done.stdout))
            if words[0] == "jit":
                old.write_text(done.stdout, encoding="utf-8")
        done = run([str(env.nettop), "jit", "--json", "-p", pid, "-d", JIT_S, "--compare", str(old)])
        check(done.stdout.startswith("{"), f"jit --compare: {done.stderr[-400:]}")
        objects.append(json.loads(done.stdout))
    found = set().union(*[members(item) for item in objects])
    check_equal("members that the manual does not name", sorted(found - known), [])
    return f"{len(found)} members"


if __name__ == "__main__":
    main()
