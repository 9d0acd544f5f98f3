#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The stand-in runtime: its events are described as the real runtime's, and nettop counts what it did."""
import re

from nt_live import *
from nt_live.lttng import command

COMMANDS = ("alloc 200", "loh 60", "gc 0", "gc 1", "gc-background", "jit-expr 30", "generics 20", "throw 40", "locks 15", "pool 500",
            "starve 6 20", "churn 3", "compute-tiers 100 100 300")


def descriptions(env, daemon, work):
    """CTF field declarations by event, of everything the process can emit."""
    daemon.wait_for_app(work.pid)
    recording = Recording(env, work.pid, events=["*"])
    recording.start()
    work.do("gc 0")
    recording.stop()
    folder = next(recording.folder.rglob("metadata")).parent
    metadata = command("babeltrace2", "-o", "ctf-metadata", str(folder))
    fields = {}
    for event in re.finditer(r"^event \{(.*?)^\};", metadata, re.S | re.M):
        name = re.search(r'name = "(.*?)"', event[1])[1]
        fields[name] = re.sub(r"\s+", " ", event[1][event[1].index("fields :="):])
    return fields


@test
def event_table_is_the_runtimes(env):
    """src/decode/clr/clr_events.def, from which the stand-in's provider is made: same events, fields, widths, signs, packing."""
    with SessionDaemon(env) as daemon:
        with FakeRuntime(env, mode="F") as work:
            ours = descriptions(env, daemon, work)
        with Workload(env, mode="F") as work:
            theirs = descriptions(env, daemon, work)
    check(len(ours) > 70, f"only {len(ours)} events")
    for name, fields in ours.items():
        check(name in theirs, f"{name}: the runtime has no such event")
        check_equal(name, fields, theirs[name])
    return f"{len(ours)} of the runtime's {len(theirs)} events"


@test
def nettop_counts_what_the_stand_in_did(env):
    with FakeRuntime(env, mode="F") as work:
        work.do("pool 1")
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("lttng", "perf", "map")
            truth, _ = work.measure(*COMMANDS)
            summary = nettop.stop()
    gc, jit = summary["gc"], summary["jit"]
    check_equal("collections per generation", [gc[f"gen{n}_count"] for n in range(3)], truth.gc_counts())
    check_within("pause", gc["pause_ns"], truth["gc_pause_ns"], relative=0.03)
    check_equal("methods compiled", jit["method_count"], truth["jit_method_count"])
    check_equal("IL compiled", jit["il_bytes"], truth["jit_il_bytes"])
    check_within("JIT time", jit["time_ns"], truth["jit_time_ns"], relative=0.05)
    check_equal("exceptions, which are not asked for over LTTng", summary["exceptions"]["count"], None)
    check_equal("contentions, of which LTTng tells in part", summary["contention"]["count"], None)
    check_equal("pool threads", summary["threadpool"]["worker_count"], truth["pool_thread_count"])
    hottest = summary["methods"][0]
    check_equal("hottest method", (hottest["name"], hottest["kind"]), ("Workload.Compute.Spin(ulong, int, long)", "jit"))
    return f"{truth.gc_counts()} collections, {truth['jit_method_count']} methods, {hottest['self_pct']}% in {hottest['name']}"


if __name__ == "__main__":
    main()
