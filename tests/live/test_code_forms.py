#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Code that the JIT made, in all its forms: names as people wrote them, memory with and without W^X, jitdump in the map's place, addresses used again."""
import collections
import re
import struct

from nt_live import MANY_HZ, MANY_SAMPLES, Nettop, OutOfLimit, Workload, check, check_equal, long_test, main, test

WRITTEN_MS = 150
# Display form, a part of the raw form.
WRITTEN = {
    "Workload.Written.Run → lambda(ulong)": "::<Run>b__0(",
    "Workload.Written.Run → lambda #2(long)": "<>c::<Run>b__",
    "Workload.Written.Run → Local(long)": "::<Run>g__Local|",
    "async Workload.Written.Run → lambda #3": "+<<Run>b__",
    "async Workload.Written.SpinAsync": "+<SpinAsync>d__",
    "iterator Workload.Written.Spun": "+<Spun>d__",
}
REUSED = re.compile(r"(?:^|\.)(reused_[1-9]\d*)\(long\)$")
REUSED_COUNT, REUSED_MS = 6, 150
# Of the samples that a method should have, with the clock calls that it makes: the rest of its time goes to the runtime.
LEAST_SHARE = 0.5
# Without it the writer of .NET 10.0.12 stops at the first block of stubs.
JITDUMP = {"PerfMapEnabled": "2", "PerfMapStubGranularity": "2"}


def sampled(env, work, command, *options):
    """Rows of the methods after the command, by name."""
    work.settle()
    with Nettop(env, work.pid, "--source", "perf,map", *MANY_SAMPLES, *options, interval_s=0.5) as nettop:
        nettop.wait_for_sources("perf", "map")
        work.do(command)
        return nettop.stop()["methods"]


def check_written(env, kind, **how):
    with Workload(env, mode="none", lttng=False, **how) as work:
        rows = {row["name"]: row for row in sampled(env, work, f"written {WRITTEN_MS}") if row["kind"] == "jit"}
        for name, raw in WRITTEN.items():
            check(name in rows, f"no row {name}, but {sorted(seen for seen in rows if 'Written' in seen)}")
            row = rows[name]
            check(raw in (row["raw"] or ""), f"{name}: the raw name is {row['raw']}")
            check_equal(f"assembly of {name}", row["module"], "workload")
            check(row["tier"] in ("tier0", "osr"), f"{name}: tier {row['tier']}")
            if row["total_samples"] < LEAST_SHARE * WRITTEN_MS * MANY_HZ / 1000:
                raise OutOfLimit(f"{name}: {row['total_samples']} samples")
        least = min(rows[name]["total_samples"] for name in WRITTEN)
        return f"{kind}: at least {least} samples in each of {len(WRITTEN)}"


@long_test
def written_code_is_shown_as_written(env):
    return check_written(env, "perf map")


@test
def memory_without_write_xor_execute(env):
    """Then generated code lies in anonymous memory, else in the memory file `doublemapper`."""
    return check_written(env, "anonymous memory", dotnet={"EnableWriteXorExecute": "0"})


@long_test
def a_jitdump_in_the_maps_place(env):
    return check_written(env, "jitdump", dotnet=JITDUMP | {"PerfMapJitDumpPath": str(env.scratch)}, perf_map=False)


def names_by_address(loads):
    """Which methods of ours were at one address: of (address, name)."""
    at = collections.defaultdict(set)
    for address, name in loads:
        found = re.search(r"::(reused_[1-9]\d*)\(", name)
        if found:
            at[address].add(found.group(1))
    return at


def jitdump_loads(path):
    data = path.read_bytes()
    at = 40
    while at + 56 <= len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if kind == 0:
            name = data[at + 56:data.index(b"\0", at + 56)]
            yield struct.unpack_from("<Q", data, at + 32)[0], name.decode(errors="replace")
        at += size


@long_test
def addresses_used_again_are_told_apart(env):
    """Methods that lived one after the other at the same address, several between two looks at the file: each has the samples of its own time."""
    with Workload(env, mode="none", lttng=False, perf_map=False, dotnet=JITDUMP | {"PerfMapJitDumpPath": str(env.scratch)}) as work:
        rows = sampled(env, work, f"reuse {REUSED_COUNT} {REUSED_MS}")
        shared = max(map(len, names_by_address(jitdump_loads(env.scratch / f"jit-{work.pid}.dump")).values()), default=0)
        check(shared >= 2, f"the runtime used no address again: {shared}")
        samples = collections.Counter()
        for row in rows:
            found = REUSED.search(row["name"])
            if found:
                samples[found.group(1)] += row["self_samples"]
        check(len(samples) == REUSED_COUNT, f"methods with samples: {samples}")
        expected = REUSED_MS * MANY_HZ / 1000
        for name, count in samples.items():
            if not LEAST_SHARE * expected <= count <= expected / LEAST_SHARE:
                raise OutOfLimit(f"{name}: {count} samples of about {expected:.0f}: {samples}")
        return f"{shared} methods at one address, samples {sorted(samples.values())}"


if __name__ == "__main__":
    main()
