#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A target in pid and mount namespaces of its own, on a root and with a /tmp of its own: named as well as one outside, from wherever nettop runs."""
from nt_live import *
from nt_live.container import Container

BUSY = ("compute 200", "sort 100", "jit-expr 60", "throw 60", "alloc 50")
KINDS = ("jit", "r2r", "native", "runtime")
HOT = 0.05  # of all samples, with what a method calls
ALIKE = 0.03  # of all samples: what a share may differ by from one run to the next
# Why code had no name, if the container were to blame.
FAR = ("perf_map_", "image_", "other_namespace", "r2r_unnamed")


def worked(work, nettop):
    """The summary of a target that did a little of everything."""
    nettop.wait_for_sources("perf", "map")
    for command in BUSY:
        work.do(command)
    for _ in range(2):  # what the last samples hit is asked for and answered
        nettop.wait_for(lambda line: True, 10, "an interval")
    return nettop.stop()


def watched(env, work):
    with Nettop(env, work.pid, "--source", "perf,map") as nettop:
        return worked(work, nettop)


def unnamed_share(summary):
    return summary["naming"]["unnamed"] / summary["cpu"]["samples"]


def methods(summary, least_share):
    """Who has so much of the samples, as it is shown: kind, module and name."""
    least = least_share * summary["cpu"]["samples"]
    return {(row["kind"], row["module"], row["name"]) for row in summary["methods"] if row["kind"] in KINDS and row["total_samples"] > least}


def check_named_as_well(inside, outside):
    check(outside["cpu"]["samples"] > 200, f"only {outside['cpu']['samples']} samples: too few to tell")
    far = {reason: count for reason, count in inside["naming"]["reasons"].items() if reason.startswith(FAR) and reason not in outside["naming"]["reasons"]}
    check(not far, f"samples without a name for reasons that nobody has outside: {far}")
    check_limit("the share of samples without a name", unnamed_share(inside), unnamed_share(outside) + ALIKE)
    for kind in KINDS:
        check(any(row["kind"] == kind and row["naming"] in ("named", "bounded") for row in inside["methods"]), f"nothing of kind {kind} has a name")
    for one, other, where in ((inside, outside, "outside"), (outside, inside, "inside")):
        only = methods(one, HOT) - methods(other, 0)
        if only:
            raise OutOfLimit(f"hot, and not seen {where}: {only}")
    return f"{inside['naming']} inside, {outside['naming']} outside"


@test
def named_as_well_as_outside(env):
    with Bare(env) as work:
        outside = watched(env, work)
    with Container(env) as work:
        return check_named_as_well(watched(env, work), outside)


if __name__ == "__main__":
    main()
