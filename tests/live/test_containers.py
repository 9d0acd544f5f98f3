#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A target in pid and mount namespaces of its own, on a root and with a /tmp of its own: named as well as one outside, from wherever nettop runs."""
import shutil

from nt_live import *
from nt_live.container import Container, SideCar, beside
from nt_live.doctor import Verdicts
from nt_live.nettop import source_of

BUSY = ("compute 200", "sort 100", "jit-expr 60", "throw 60", "alloc 50")
KINDS = ("jit", "r2r", "native", "runtime")
HOT = 0.05  # of all samples, with what a method calls
ALIKE = 0.03  # of all samples: what a share may differ by from one run to the next
# Why code had no name, if the container were to blame.
FAR = ("perf_map_off", "perf_map_absent", "perf_map_of_another_process", "perf_map_not_owned", "perf_map_unreadable", "image_", "other_namespace", "r2r_unnamed")
NAMES = (*MANY_SAMPLES, "--source", "perf,map")
WITHOUT_PTRACE = ("setpriv", "--bounding-set=-sys_ptrace")
WITHOUT_MAP_FILES = ("setpriv", "--bounding-set=-sys_admin,-checkpoint_restore")


def worked(work, *nettops):
    """The summaries of those who watched a target do a little of everything."""
    for nettop in nettops:
        nettop.wait_for_sources("perf", "map")
    for command in BUSY:
        work.do(command)
    for nettop in nettops:
        for _ in range(2):  # what the last samples hit is asked for and answered
            nettop.wait_for(lambda line: True, 10, "an interval")
    return [nettop.stop() for nettop in nettops]


def watched(env, work, prefix=()):
    with Nettop(env, work.pid, *NAMES, prefix=prefix) as nettop:
        return worked(work, nettop)[0]


def unnamed_share(summary):
    return summary["naming"]["unnamed"] / summary["cpu"]["samples"]


def methods(summary, least_share):
    """Who has so much of the samples, as it is shown. Not the runtime's own functions: what it does, and how a method is compiled by now, is a matter of time."""
    least = least_share * summary["cpu"]["samples"]
    return {(row["module"], row["name"]) for row in summary["methods"] if row["kind"] in ("jit", "r2r", "native") and row["total_samples"] > least}


def check_named_as_well(inside, outside):
    """No sample is without its name because of the container."""
    check(outside["cpu"]["samples"] > 200, f"only {outside['cpu']['samples']} samples: too few to tell")
    far = {reason: count for reason, count in inside["naming"]["reasons"].items() if reason.startswith(FAR) and reason not in outside["naming"]["reasons"]}
    check(not far, f"samples without a name for reasons that nobody has outside: {far}")
    check_limit("the share of samples without a name", unnamed_share(inside), unnamed_share(outside) + ALIKE)
    for kind in KINDS:
        check(any(row["kind"] == kind and row["naming"] in ("named", "bounded") for row in inside["methods"]), f"nothing of kind {kind} has a name")
    return f"{inside['naming']} inside, {outside['naming']} outside"


def check_same_methods(inside, outside):
    for one, other, where in ((inside, outside, "outside"), (outside, inside, "inside")):
        only = methods(one, HOT) - methods(other, 0)
        if only:
            raise OutOfLimit(f"hot, and not seen {where}: {only}")


@test
def named_as_well_as_outside(env):
    with Bare(env) as work:
        outside = watched(env, work)
    with Container(env) as work:
        inside = watched(env, work)
    check_same_methods(inside, outside)
    return check_named_as_well(inside, outside)


@long_test
def from_a_side_car(env):
    """In the pid namespace of the target, with mounts of its own, and with few capabilities: as good as outside."""
    env.need_commands("nsenter", "setpriv")
    with Container(env) as work, Nettop(env, work.pid, *NAMES) as nettop, SideCar(env, work, *NAMES) as beside_it, \
         SideCar(env, work, *NAMES, prefix=WITHOUT_MAP_FILES) as with_few:
        outside, *inside = worked(work, nettop, beside_it, with_few)
        for summary in inside:
            check_same_methods(summary, outside)
        return "; ".join(check_named_as_well(summary, outside) for summary in inside)


@long_test
def from_a_side_car_that_may_not_look_into_the_target(env):
    """Root in both, but the target has a capability that nettop lacks: each place that names are missing from says which."""
    env.need_commands("nsenter", "setpriv")
    with Container(env) as work:
        verdicts = Verdicts(env.nettop, "-p", "1", prefix=(*beside(work.pid), *WITHOUT_PTRACE))
        verdicts.expect("forbidden", "target_files")
        verdicts.expect("unknown", "pid_namespace", "mount_namespace", "provider", "liblttng-ust", "diagnostics_socket", "perf_map")
        sentence = verdicts.sentence("target_files")
        check("CAP_SYS_PTRACE" in sentence and "--cap-add SYS_PTRACE" in verdicts.fix("target_files"), f"the capability: {verdicts['target_files']}")
        with SideCar(env, work, *MANY_SAMPLES, prefix=WITHOUT_PTRACE) as nettop:
            line = nettop.wait_for(lambda line: source_of(line, "map").get("state") == "forbidden", 20, "the map is forbidden")
            for name in ("map", "eventpipe"):
                source = source_of(line, name)
                check(sentence in source["reason"] and source["fix"] == verdicts.fix("target_files"), f"{name}: {source}")
            for command in BUSY:
                work.do(command)
            summary = nettop.stop()
        far = [row for row in summary["methods"] if row["naming"] == "other_namespace"]
        check(sum(row["self_samples"] for row in far) > 100, f"few samples are said to be out of reach: {summary['naming']}")
        mute = [row for row in far if "CAP_SYS_PTRACE" not in row["reason"]]
        check(not mute, f"rows that do not name the capability: {mute[:3]}")
        return sentence


@long_test
def images_that_were_removed_are_read_all_the_same(env):
    """The runtime is deleted below a program that runs: what is mapped has its names through map_files, and without the right to it a reason."""
    env.need_commands("setpriv")
    with Container(env) as work:
        before = watched(env, work)
        shutil.rmtree(work.root / "usr/share/dotnet/shared")
        named = check_named_as_well(watched(env, work), before)
        verdicts = Verdicts(env.nettop, "-p", str(work.pid), prefix=WITHOUT_MAP_FILES)
        verdicts.expect("forbidden", "map_files")
        check("CAP_CHECKPOINT_RESTORE" in verdicts.sentence("map_files"), verdicts.sentence("map_files"))
        Verdicts(env.nettop, "-p", str(work.pid)).expect("ok", "map_files")
        rows = [row for row in watched(env, work, WITHOUT_MAP_FILES)["methods"] if row["naming"] == "image_deleted"]
        check({row["module"] for row in rows} >= {"libcoreclr.so", "libclrjit.so", "System.Private.CoreLib.dll"}, f"deleted: {rows[:5]}")
        check(all("CAP_CHECKPOINT_RESTORE" in row["reason"] for row in rows), f"rows that do not name the capability: {rows[:5]}")
        return named


@long_test
def images_that_were_replaced_are_read_all_the_same(env):
    """An update that puts newer files in the place of those that are mapped."""
    env.need_commands("setpriv")
    with Container(env) as work:
        before = watched(env, work)
        for path in (work.root / "usr/share/dotnet/shared/Microsoft.NETCore.App").glob("*/*.[ds][lo]*"):
            shutil.copy(path, new := path.with_suffix(".new"))
            new.rename(path)
        named = check_named_as_well(watched(env, work), before)
        rows = [row for row in watched(env, work, WITHOUT_MAP_FILES)["methods"] if row["naming"] == "image_replaced"]
        check(rows and all("CAP_CHECKPOINT_RESTORE" in row["reason"] for row in rows), f"rows that do not name the capability: {rows[:5]}")
        return named


if __name__ == "__main__":
    main()
