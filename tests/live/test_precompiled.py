#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Names of precompiled (ReadyToRun) code: the runtime's own list is the truth."""
import os
import shutil

from nt_live import Failure, Nettop, WebServer, Workload, check, long_test, main, test
from nt_live.environment import REPO, run_script
from nt_live.precompiled import differences, rundown

BUSY = ("compute 100", "alloc 50", "jit-expr 20", "generics 20", "throw 40", "async 100", "pool 500", "locks 40")


def compare(env, pid, program=""):
    """The methods that the runtime lists for each image against what is read there; how many of which file."""
    counts, wrong = {}, []
    for path, listed in rundown(env, pid).items():
        if path.endswith(".dll") or path == str(program):
            counts[path.rsplit("/", 1)[1]] = len(listed)
            wrong += [(path, *difference) for difference in differences(env, path, listed)]
    if wrong:
        raise Failure(f"{len(wrong)} of {sum(counts.values())} are read otherwise: " + "\n".join(map(str, wrong[:10])))
    return counts


def named_rows(env, work, *sources):
    """The rows of precompiled methods while the workload works; hardly any sample in an image may be without its name."""
    with Nettop(env, work.pid, "--source", ",".join(["perf", *sources]), interval_s=0.5) as nettop:
        nettop.wait_for_sources("perf", "map")
        for _ in range(2):
            for command in BUSY:
                work.do(command)
        for _ in range(3):  # what the last samples hit is asked for and answered
            nettop.wait_for(lambda line: True, 10, "an interval")
        rows = nettop.stop()["methods"]
    named = [row for row in rows if row["kind"] == "r2r" and not row["reason"]]
    check(all(row["tier"] is None and "::" in (row["raw"] or "") for row in named), f"not as in the perf map: {named[:3]}")
    unnamed = [row for row in rows if row["reason"] and row["naming"] != "pending" and (row["kind"] == "r2r" or row["kind"] == "unknown" and (row["module"] or "").endswith(".dll"))]
    without, with_name = (sum(row["total_samples"] for row in some) for some in (unnamed, named))
    check(without <= 0.01 * (without + with_name), f"{without} of {without + with_name} frames in images have no name: {unnamed[:5]}")
    return named


def published(env, form):
    """The workload, precompiled, without tiers: its precompiled code stays for ever."""
    program = run_script(REPO / "tests/long/precompiled.sh", form)
    root = os.path.dirname(os.path.realpath(shutil.which("dotnet")))
    return program, Workload(env, mode="none", lttng=False, dotnet={"TieredCompilation": "0"}, program=program, variables={"DOTNET_ROOT": root})


@test
def methods_of_the_framework_are_read_as_the_runtime_lists_them(env):
    with WebServer(env) as web:
        web.do("requests 10")
        counts = compare(env, web.pid)
    check(counts.get("System.Private.CoreLib.dll", 0) > 500, f"few methods of CoreLib are listed: {counts}")
    check(len(counts) > 20, f"few images are listed: {counts}")
    return f"{sum(counts.values())} methods of {len(counts)} images"


@test
def precompiled_frames_are_named(env):
    with Workload(env, mode="none", lttng=False, dotnet={"TieredCompilation": "0"}) as work:
        named = named_rows(env, work)
    check(any(row["module"] == "System.Private.CoreLib" for row in named), f"no method of CoreLib: {named[:5]}")
    return f"{len(named)} methods"


@long_test
def composite_images_are_read_as_the_runtime_lists_them(env):
    program, workload = published(env, "composite")
    with workload as work:
        named = named_rows(env, work)
        counts = compare(env, work.pid)
    check(counts.get("workload.r2r.dll", 0) > 1000, f"few methods are listed: {counts}")
    modules = {row["module"] for row in named}
    check({"System.Private.CoreLib", "workload"} <= modules, f"assemblies in the composite image {program}: {modules}")
    return f"{counts} methods, {len(named)} sampled"


@long_test
def single_files_are_read_as_the_runtime_lists_them(env):
    program, workload = published(env, "single")
    with workload as work:
        named = named_rows(env, work)
        counts = compare(env, work.pid, program)
    check(counts.get("workload", 0) > 5, f"few methods are listed: {counts}")
    check(any(row["module"] == "workload" for row in named), f"no method of the single file: {named[:5]}")
    return f"{counts} methods, {len(named)} sampled"


@long_test
def a_single_file_with_its_own_runtime_is_named(env):
    """All its assemblies are one composite image within the file."""
    _, workload = published(env, "alone")
    with workload as work:
        named = named_rows(env, work)
    modules = {row["module"] for row in named}
    check({"System.Private.CoreLib", "workload"} <= modules, f"assemblies that are named: {modules}")
    return f"{len(named)} methods"


@long_test
def one_that_is_packed_is_named_by_the_runtimes_own_data(env):
    _, workload = published(env, "compressed")
    with workload as work:
        named = named_rows(env, work, "runtime")
    modules = {row["module"] for row in named}
    check({"System.Private.CoreLib", "workload"} <= modules, f"assemblies that are named: {modules}")
    return f"{len(named)} methods"


if __name__ == "__main__":
    main()
