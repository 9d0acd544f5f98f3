#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Names and replay on a live .NET process: every sample that the perf map covers has its name; the model depends on its inputs only."""
import re
import shutil

from nt_live import MANY_SAMPLES, Failure, Nettop, WebServer, Workload, check, check_equal, check_limit, long_test, main, test
from nt_live.spinner import spinner

STARTS_S = 3
REPLAYED_S = 120.0  # of half a minute, on a loaded machine
BUSY = ("compute 700", "alloc 150", "jit-expr 120", "jit-dynamic 120", "generics 60", "throw 100", "async 500", "pool 3000")
ADDRESS = re.compile(r"0x([0-9a-f]+)$")
JIT_MEMORY_REASONS = ("no line in the perf map", "perf map off")


def watched(env, work, *options, rounds=2, interval_s=0.5):
    """nettop's lines while the workload does a little of everything."""
    work.settle()
    with Nettop(env, work.pid, *MANY_SAMPLES, *options, interval_s=interval_s) as nettop:
        nettop.wait_for_sources("perf", "map")
        for _ in range(rounds):
            for command in BUSY:
                work.do(command)
        return nettop.stop(), nettop


def map_ranges(pid):
    """[start, end) of every line of the perf map, and the mappings that JIT code lies in."""
    with open(f"/tmp/perf-{pid}.map", encoding="utf-8", errors="replace") as lines:
        ranges = [(int(start, 16), int(start, 16) + int(size, 16)) for start, size, _ in (line.split(" ", 2) for line in lines)]
    if not ranges:
        raise Failure("the perf map is empty")
    return ranges


@test
def samples_in_map_ranges_are_named(env):
    with Workload(env, mode="N") as work:
        summary, _ = watched(env, work)
        ranges = map_ranges(work.pid)
        named = sum(row["self_samples"] for row in summary["methods"] if row["kind"] in ("jit", "stub") and not row["reason"])
        unnamed = [row for row in summary["methods"] if row["reason"] in JIT_MEMORY_REASONS]
        for row in summary["methods"]:
            address = ADDRESS.search(row["name"])
            if row["kind"] != "unknown" or not address:
                continue
            at = int(address.group(1), 16)
            check(not any(start <= at < end for start, end in ranges), f"{row['name']} has a line in the perf map: {row}")
        without = sum(row["self_samples"] for row in unnamed)
        check(named > 300, f"only {named} samples in named JIT code: too few to tell")
        check(named >= 0.98 * (named + without), f"{without} of {named + without} samples in JIT memory have no name: {unnamed}")
        return f"{named} named, {without} in JIT memory without a line"


def share_without(rows, kinds):
    """Of the samples in code of these kinds, those with a reason in place of a name, in %; and all of them."""
    of_kinds = [row for row in rows if row["kind"] in kinds]
    samples = sum(row["self_samples"] for row in of_kinds)
    without = sum(row["self_samples"] for row in of_kinds if row["naming"] not in ("named", "stub", "bounded"))
    return 100 * without / samples if samples else 0, samples


@long_test
def nearly_all_samples_in_the_framework_have_names(env):
    """nettop comes late: what the runtime made for itself before is in no perf map."""
    with WebServer(env) as server:
        server.do("mixed 8000")
        with Nettop(env, server.pid, *MANY_SAMPLES, interval_s=0.5) as nettop:
            nettop.wait_for_sources("perf", "map")
            for _ in range(10):
                server.do("mixed 1000")
            for _ in range(4):  # what the last samples hit is asked for and answered
                nettop.wait_for(lambda line: True, 10, "an interval")
            rows = nettop.stop()["methods"]
    managed, managed_samples = share_without(rows, ("jit", "r2r", "stub"))
    native, native_samples = share_without(rows, ("native", "runtime", "kernel"))
    check(managed_samples > 1000 and native_samples > 100, f"too few to tell: {managed_samples} managed samples, {native_samples} native ones")
    stubs = sorted({row["name"] for row in rows if row["naming"] == "stub"})
    check(any("WriteBarriers" in name for name in stubs), f"no write barrier among the stubs: {stubs}")
    unnamed = [(row["name"], row["kind"], row["reason"], row["self_samples"]) for row in rows if row["naming"] not in ("named", "stub", "bounded")]
    check_limit(f"managed samples without a name, in %; unnamed: {unnamed[:8]}", managed, 1)
    check_limit(f"native samples without a name or bounds, in %; unnamed: {unnamed[:8]}", native, 2)
    check_equal("samples with neither a name nor a reason", [row for row in rows if not row["reason"] and row["naming"] not in ("named", "stub")], [])
    return f"{managed:.2f} % of {managed_samples} managed and {native:.2f} % of {native_samples} native samples have none; stubs: {', '.join(stubs)}"


@test
def every_sample_has_a_name_or_a_reason(env):
    with Workload(env, mode="N") as work:
        summary, _ = watched(env, work)
        rows = summary["methods"]
        check_equal("self samples of all rows", sum(row["self_samples"] for row in rows), summary["cpu"]["samples"])
        mute = [row for row in rows if row["kind"] == "unknown" and not row["reason"]]
        check(not mute, f"rows without name and reason: {mute[:5]}")
        late = [row for row in rows if row["reason"] == "not looked up yet" and row["self_samples"]]
        share = sum(row["self_samples"] for row in late) / max(1, summary["cpu"]["samples"])
        check(share < 0.01, f"{share:.1%} of the samples were never looked up: {late[:5]}")
        return f"{summary['cpu']['samples']} samples in {len(rows)} rows"


def replays(env, seconds):
    """What came in so many seconds, taken in once more, gives the same snapshots."""
    with Workload(env, mode="F") as work:
        work.settle()
        # It ends by itself: whom a signal ends has two seconds for it, and the second model needs more.
        with Nettop(env, work.pid, "--check-replay", "--alloc", "--duration", str(seconds + STARTS_S), *MANY_SAMPLES, interval_s=0.5) as nettop:
            nettop.wait_for_sources("perf", "map", "lttng")
            while not nettop.summary and (not nettop.intervals or nettop.intervals[-1]["t1_ns"] - nettop.intervals[0]["t0_ns"] < seconds * 1e9):
                for command in BUSY:
                    work.do(command)
                nettop.read(5)
            check_equal("exit status", nettop.read_to_end(REPLAYED_S), 0)
            summary = nettop.summary
        check_equal("replay_equal", summary["replay_equal"], True)
        check(summary["cpu"]["samples"] > 100 * seconds and summary["gc"]["gen0_count"] > 0, f"too little happened: {summary['cpu']}")
        return f"{len(nettop.intervals)} intervals, {summary['cpu']['samples']} samples"


@test
def seconds_replay_to_equal_snapshots(env):
    return replays(env, 3)


@long_test
def half_a_minute_replays_to_equal_snapshots(env):
    return replays(env, 30)


@test
def native_code_is_bounded_and_its_debug_file_names_it(env):
    library, aside = spinner(env)
    go = env.scratch / "go"
    with Workload(env, mode="N", variables={"LD_PRELOAD": str(library), "SPINNER_GO": str(go)}) as work:
        go.touch()
        with Nettop(env, work.pid, *MANY_SAMPLES) as nettop:
            nettop.wait_for_sources("perf", "map")
            nettop.wait_for(lambda line: any(row["naming"] == "bounded" and row["name"].startswith("libspinner.so!0x") for row in line["methods"]), 20,
                            "the bounds of the library's function")
            for command in ("alloc 150", "throw 100", "jit-expr 120"):
                work.do(command)
            summary = nettop.stop()
        runtime = [row for row in summary["methods"] if row["module"] == "libcoreclr.so" and row["naming"] != "pending"]
        samples = sum(row["self_samples"] for row in runtime)
        known = sum(row["self_samples"] for row in runtime if row["naming"] in ("named", "bounded"))
        check(samples > 30, f"only {samples} samples in libcoreclr.so: too few to tell")
        check(known >= 0.95 * samples, f"{known} of {samples} samples in libcoreclr.so are in a function: {runtime[:5]}")
        naming = summary["naming"]
        check_equal("samples by naming", naming["named"] + naming["stub"] + naming["bounded"] + naming["unnamed"], summary["cpu"]["samples"])
        shutil.copy(aside, library.with_name(aside.name))
        with Nettop(env, work.pid, *MANY_SAMPLES) as nettop:
            nettop.wait_for(lambda line: any(row["name"].startswith("spin_for_ever") and row["naming"] == "named" for row in line["methods"]), 20,
                            "the function's name from the debug file beside the library")
        return f"{known} of {samples} samples in libcoreclr.so in a function; {naming}"


if __name__ == "__main__":
    main()
