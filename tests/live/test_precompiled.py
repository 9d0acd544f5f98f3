#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Names of precompiled (ReadyToRun) code: the runtime's own list is the truth."""
from nt_live import Failure, Nettop, WebServer, Workload, check, main, test
from nt_live.precompiled import differences, rundown

BUSY = ("compute 100", "alloc 50", "jit-expr 20", "generics 20", "throw 40", "async 100", "pool 500", "locks 40")


def compare(env, pid, pick=lambda path: path.endswith(".dll")):
    """The methods that the runtime lists for each image against what is read there; how many of which file."""
    counts, wrong = {}, []
    for path, listed in rundown(env, pid).items():
        if pick(path):
            counts[path.rsplit("/", 1)[1]] = len(listed)
            wrong += [(path, *difference) for difference in differences(env, path, listed)]
    if wrong:
        raise Failure(f"{len(wrong)} of {sum(counts.values())} are read otherwise: " + "\n".join(map(str, wrong[:10])))
    return counts


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
    # Without tiers precompiled code stays for ever.
    with Workload(env, mode="none", lttng=False, dotnet={"TieredCompilation": "0"}) as work:
        with Nettop(env, work.pid, "--source", "perf", interval_s=0.5) as nettop:
            nettop.wait_for_sources("perf", "map")
            for _ in range(2):
                for command in BUSY:
                    work.do(command)
            summary = nettop.stop()
    images = [row for row in summary["methods"] if (row["module"] or "").endswith(".dll")]
    named = [row for row in summary["methods"] if row["kind"] == "r2r" and not row["reason"]]
    check(named and any(row["module"] == "System.Private.CoreLib" for row in named), f"no precompiled method: {summary['methods'][:5]}")
    check(all(row["tier"] is None and "::" in (row["raw"] or "") for row in named), f"not as in the perf map: {named[:3]}")
    unnamed = sum(row["total_samples"] for row in images if not row["name"].startswith("[R2R thunk]"))
    share = unnamed / max(1, unnamed + sum(row["total_samples"] for row in named))
    check(share < 0.01, f"{share:.1%} of the frames in precompiled images have no name: {images[:5]}")
    return f"{len(named)} methods"


if __name__ == "__main__":
    main()
