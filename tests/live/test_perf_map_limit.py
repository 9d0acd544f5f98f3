#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How much of the target's disk a perf map takes that nettop has switched on: a limit, and what becomes of the names beyond it."""
import contextlib
import os
import pathlib

from nt_live import *
from nt_live.bare import contained, open_files
from nt_live.nettop import source_of, state_of

SEEN_S = 30.0
NAMED_S = 30.0  # the runtime is asked for its list at the earliest 2 s after code without a name
METHODS = 500  # of one command: some 40 KB of map
LARGE_BYTES = 1 << 20
LATER = "reused_"  # methods that are made when the map is gone
SOURCES = ("--source", "perf,map,eventpipe")


def compile_until(work, nettop, condition, what):
    """Without end, as far as nettop is concerned."""

    def one_more(line):
        work.do(f"jit-dynamic {METHODS}")
        return condition(line)

    return nettop.wait_for(one_more, SEEN_S, what)


def is_gone(line):
    return state_of(line, "map") == "absent"


def check_named(work, nettop, name, seconds=NAMED_S):
    nettop.wait_for(lambda line: any(name in row["name"] and row["self_samples"] for row in line["methods"]), seconds, f"{name} has its name")


def check_later_names(work, nettop):
    """Methods that did not exist before."""
    work.process.send_line("reuse 8 500")
    check_named(work, nettop, LATER)


def check_not_held(nettop):
    """A file that somebody has open takes its space although it has no name."""
    held = [path for path in open_files(nettop.process.pid) if "/perf-" in path]
    check_equal("maps that nettop holds open", held, [])


@test
def switched_off_at_its_limit(env):
    with Bare(env) as work:
        before = sorted(os.listdir("/tmp"))
        with Nettop(env, work.pid, *SOURCES, "--max-map", "200K") as nettop:
            nettop.wait_for_sources("map")
            check(work.writes_map(), "the target writes no map")
            line = compile_until(work, nettop, is_gone, "the map is switched off")
            check_equal("left of the map", [work.writes_map(), work.map.exists()], [False, False])
            check_not_held(nettop)
            check_later_names(work, nettop)
            nettop.stop()
        check_equal("left behind", work.leftovers(), [])
        new = [name for name in os.listdir("/tmp") if name not in before and str(work.pid) in name]
        check_equal("new in /tmp", new, [])
        return source_of(line, "map")["reason"]


@test
def a_tenth_of_what_is_free(env):
    """In a container with a small folder for temporary files, which is the program's own."""
    with contained(env, size="4M") as (work, pid, view):
        before = sorted(path.name for path in view.iterdir())
        with Nettop(env, pid, *SOURCES) as nettop:
            nettop.wait_for_sources("map")
            check(any(path.name.startswith("perf-") for path in view.iterdir()), f"no map in the container: {list(view.iterdir())}")
            line = compile_until(work, nettop, is_gone, "the map is switched off")
            check_equal("what is in the container's folder", sorted(path.name for path in view.iterdir()), before)
            check_later_names(work, nettop)
            nettop.stop()
        check_equal("what is in the container's folder", sorted(path.name for path in view.iterdir()), before)
        return source_of(line, "map")["reason"]


@contextlib.contextmanager
def memory_cgroup(name):
    """A memory cgroup of the test, of either version. Gives its folder, and the names of its limit and of what it uses."""
    v1, v2 = pathlib.Path("/sys/fs/cgroup/memory"), pathlib.Path("/sys/fs/cgroup")
    if (v1 / "memory.limit_in_bytes").exists():
        parent, files = v1, ("memory.limit_in_bytes", "memory.usage_in_bytes")
    elif (v2 / "cgroup.subtree_control").exists() and "memory" in (v2 / "cgroup.subtree_control").read_text(encoding="ascii"):
        parent, files = v2, ("memory.max", "memory.current")
    else:
        raise Missing("no memory cgroups here")
    folder = parent / name
    try:
        folder.mkdir()
    except OSError as error:
        raise Missing(f"cannot make a memory cgroup: {error}") from error
    try:
        yield folder, *(folder / file for file in files)
    finally:
        wait_until(lambda: not (folder / "cgroup.procs").read_text(encoding="ascii"), SEEN_S, "the cgroup is empty")
        folder.rmdir()


@long_test
def a_tenth_of_what_the_memory_limit_leaves(env):
    """The folder for temporary files is in memory and large; what is written there is charged to the program's cgroup, whose limit ends it."""
    with memory_cgroup(f"nettop-test-{os.getpid()}") as (folder, limit, used):
        enter = ("sh", "-c", f'echo 0 >{folder}/cgroup.procs && exec "$@"', "sh")
        with contained(env, user=enter) as (work, pid, view):
            before = sorted(path.name for path in view.iterdir())
            with Nettop(env, pid, *SOURCES) as nettop:
                nettop.wait_for_sources("map")
                compile_until(work, nettop, lambda line: (source_of(line, "map").get("file_bytes") or 0) > LARGE_BYTES, "a large map")
                limit.write_text(str(int(used.read_text(encoding="ascii")) + 9 * LARGE_BYTES), encoding="ascii")
                line = nettop.wait_for(is_gone, SEEN_S, "the map is switched off")
                check("memory limit" in source_of(line, "map")["reason"], f"the map says {source_of(line, 'map')}")
                check_equal("what is in the container's folder", sorted(path.name for path in view.iterdir()), before)
                nettop.stop()
        return source_of(line, "map")["reason"]


@test
def no_room_from_the_start(env):
    """Nothing is switched on that would fill the disk at once; the busy method is named all the same, by the runtime's list."""
    with contained(env, size="300K") as (work, pid, view):
        before = sorted(path.name for path in view.iterdir())
        work.spin()
        with Nettop(env, pid, *SOURCES) as nettop:
            line = nettop.wait_for(is_gone, SEEN_S, "the map is absent")
            check("might take" in source_of(line, "map")["reason"], f"the map says {source_of(line, 'map')}")
            check_named(work, nettop, "Workload.Compute.Spin")
            check_equal("what is in the container's folder", sorted(path.name for path in view.iterdir()), before)
            nettop.stop()
        return source_of(line, "map")["reason"]


@long_test
def two_with_two_limits(env):
    """The smaller one holds; the other nettop says that the map is gone, and a third does not switch it on again."""
    with Bare(env) as work, Nettop(env, work.pid, *SOURCES, "--max-map", "200K") as small:
        small.wait_for_sources("map")
        with Nettop(env, work.pid, *SOURCES) as large:
            large.wait_for_sources("map")
            compile_until(work, small, is_gone, "the map is switched off")
            large.wait_for(lambda line: state_of(line, "map") in ("absent", "stalled"), SEEN_S, "the other one sees it")
            with Nettop(env, work.pid, *SOURCES) as third:
                line = third.wait_for(is_gone, SEEN_S, "the map is absent")
                check("over its limit" in source_of(line, "map")["reason"], f"the map says {source_of(line, 'map')}")
                check(not work.writes_map(), "the map is on again")
                check_later_names(work, third)
                third.stop()
            large.stop()
        small.stop()
        check_equal("left behind", work.leftovers(), [])


@test
def somebody_elses_map_has_no_limit(env):
    with Workload(env, mode="none", lttng=False) as work, Nettop(env, work.pid, *SOURCES, "--max-map", "1K") as nettop:
        nettop.wait_for_sources("map")
        work.do(f"jit-dynamic {METHODS}")
        nettop.wait_for(lambda line: (source_of(line, "map").get("file_bytes") or 0) > 1024, SEEN_S, "the size of the map")
        nettop.stop()
        check_equal("state", state_of(nettop.intervals[-1], "map"), "delivering")
        check(pathlib.Path(f"/tmp/perf-{work.pid}.map").exists(), "the map is removed")


if __name__ == "__main__":
    main()
