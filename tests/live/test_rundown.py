#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Names by the runtime's own list of its methods (an EventPipe rundown), where nothing else gives them."""
import contextlib
import pathlib
import shutil

from nt_live import Nettop, Workload, check, check_equal, check_limit, long_test, main, wait_until
from nt_live.container import Container

BEFORE = ("compute 300", "throw 20", "async 50")  # compiled before nettop comes
NO_MEMORY = ("--source", "procfs,perf,eventpipe")  # names are not read from the runtime's memory then
LONG_ENOUGH = 25  # intervals: 5 s, longer than it waits before it asks
HOT = "Workload.Compute.Spin("
WITHOUT_MAP_FILES = ("setpriv", "--bounding-set=-sys_admin,-checkpoint_restore")


@contextlib.contextmanager
def perf_map_refused(pid):
    """A folder is where the target would write its perf map."""
    place = pathlib.Path(f"/tmp/perf-{pid}.map")
    place.mkdir()
    try:
        yield
    finally:
        place.rmdir()


def session_threads(pid):
    """The runtime has a thread for each EventPipe session."""
    names = (task / "comm" for task in pathlib.Path(f"/proc/{pid}/task").iterdir())
    return sum(name.read_text(encoding="utf-8").startswith(".NET EventPipe") for name in names)


def watched(env, work, *options, until):
    """The summary of a look at hot code that was compiled before, as soon as `until` holds of an interval, and a little later."""
    with Nettop(env, work.pid, *options) as nettop:
        nettop.wait_for_sources("perf")
        for _ in range(60):
            work.do("compute 300")
            if until(nettop.wait_for(lambda line: True, 10, "an interval")):
                break
        nettop.wait_for(lambda line: True, 10, "an interval")
        return nettop.stop()


def hot_rows(summary):
    return [row for row in summary["methods"] if row["name"].startswith(HOT) and row["self_samples"]]


def check_named(summary):
    rows = hot_rows(summary)
    check(rows, f"no row of {HOT}: {[row['name'] for row in summary['methods'][:20]]}")
    check(all(row["kind"] == "jit" and row["module"] == "workload" and row["tier"] for row in rows), f"not as in the perf map: {rows}")
    check_limit("samples of generated code without a name", summary["naming"]["reasons"].get("perf_map_unreadable", 0), 0.1 * summary["cpu"]["samples"])


@contextlib.contextmanager
def without_a_perf_map(env):
    with Workload(env, mode="none", lttng=False, perf_map=False) as work, perf_map_refused(work.pid):
        for command in BEFORE:
            work.do(command)
        yield work


@long_test
def methods_are_named_without_a_perf_map(env):
    """By the runtime's own memory: the target is asked for nothing."""
    with without_a_perf_map(env) as work:
        looks = []
        summary = watched(env, work, until=lambda line: looks.append(line) or len(looks) > LONG_ENOUGH)
    check_named(summary)
    check_equal("a list was asked for", summary["rundown"], None)


@long_test
def methods_are_named_by_the_runtimes_list(env):
    """Where its memory may not be read, either."""
    with without_a_perf_map(env) as work:
        before = session_threads(work.pid)
        summary = watched(env, work, *NO_MEMORY, until=lambda line: line["rundown"])
        wait_until(lambda: session_threads(work.pid) == before, 20, "the end of nettop's sessions in the target")
        work.do("compute 10")
    check_named(summary)
    told = summary["rundown"]
    check(told["methods"] > 500 and not told["reason"], f"the list: {told}")
    check(told["count"] <= 2, f"asked again and again: {told}")  # a second time after half a minute, if the machine is that slow
    return f"{told['methods']} methods in {told['took_ns'] / 1e6:.0f} ms"


@long_test
def precompiled_methods_are_named_when_their_image_is_gone(env):
    """The framework is deleted below the program, and nettop may not read what is mapped."""
    env.need_commands("setpriv")
    with Container(env) as work:
        work.do("sort 50")  # everything that it needs is loaded
        shutil.rmtree(work.root / "usr/share/dotnet/shared")
        with Nettop(env, work.pid, prefix=WITHOUT_MAP_FILES) as nettop:
            nettop.wait_for_sources("perf", "map")
            for _ in range(60):
                work.do("sort 50")
                if nettop.wait_for(lambda line: True, 10, "an interval")["rundown"]:
                    break
            work.do("sort 50")
            nettop.wait_for(lambda line: True, 10, "an interval")
            summary = nettop.stop()
    named = {row["module"] for row in summary["methods"] if row["kind"] == "r2r" and row["naming"] == "named"}
    check("System.Private.CoreLib" in named, f"modules with named precompiled methods: {named}; rundown {summary['rundown']}; {summary['naming']}")
    return f"{summary['rundown']['methods']} methods listed"


@long_test
def nobody_asks_when_that_is_forbidden(env):
    for option in ("--no-rundown", "--readonly"):
        with without_a_perf_map(env) as work:
            looks = []
            summary = watched(env, work, option, *NO_MEMORY, until=lambda line, looks=looks: looks.append(line) or len(looks) > LONG_ENOUGH)
        check(summary["rundown"] is None, f"{option}: {summary['rundown']}")
        check(not hot_rows(summary), f"{option}: named all the same")


if __name__ == "__main__":
    main()
