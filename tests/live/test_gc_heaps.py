#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A row for each heap of the newest collection: they add up to what the runtime says of the whole collection, and are as many as it says."""
from nt_live import *

SOON_S = 30
WORK = ("alloc 200", "loh 64", "gc 0 2", "gc 1 2", "gc 2 2", "alloc 100", "gc 2 1")
# In small steps: the number changes once in a few dozen collections.
SMALL_WORK = ("alloc 8",) * 24


def whole(line):
    """The heaps of a line, and the collection that they are of; None: it is not in the line."""
    heaps = line["gc"]["heaps"]
    row = next((row for row in line["gc"]["collections"] if heaps and row["number"] == heaps[0]["collection"]), None)
    return (row, heaps) if row else None


def shows(nettop, line, number):
    """The heaps of that collection, of a later one, or of one in the background, which may end after it with a lower number."""
    if not line["gc"]["heaps"]:
        return False
    shown = line["gc"]["heaps"][0]["collection"]
    return shown >= number or any(row["number"] == shown and row["kind"] == "bg" for line in nettop.intervals for row in line["gc"]["collections"])


def check_whole(row, heaps):
    about = f"collection {row['number']}: {row}, {heaps}"
    check_equal(f"indices of {about}", [heap["heap"] for heap in heaps], list(range(row["heap_count"])))
    check_equal(f"numbers of {about}", {heap["collection"] for heap in heaps}, {row["number"]})
    check_equal(f"found by {about}", sum(heap["found_bytes"] for heap in heaps), row["before_bytes"])
    left = [heap["left_bytes"] for heap in heaps]
    check_equal(f"least and most of {about}", (min(left), max(left)), (row["heap_least_bytes"], row["heap_most_bytes"]))
    check_equal(f"budgets of {about}", sum(heap["gen0_budget_bytes"] or 0 for heap in heaps), row["gen0_budget_bytes"] or 0)
    free = 100 * sum(heap["free_bytes"] for heap in heaps) / sum(left)
    check_within(f"free in {about}", free, row["fragmentation_pct"], absolute=1e-6)
    for heap in heaps:
        check_within(f"share in {about}", heap["share_pct"], 100 * heap["left_bytes"] / sum(left), absolute=1e-6)


def watched(env, work_of, **how):
    """How many heaps the collections had of which they were seen one by one, and how many each collection had, by what the runtime says of it; in their order."""
    with Bare(env, **how) as work, Nettop(env, work.pid, "--source", "eventpipe,procfs") as nettop:
        nettop.wait_for_sources("eventpipe")
        nettop.wait_for(lambda line: line["gc"]["gen0_count"] is not None, SOON_S, "collections are counted")
        for command in work_of:
            work.do(command)
            number = work.mark()["gc0_count"]
            nettop.wait_for(lambda line: shows(nettop, line, number), SOON_S, f"heaps of collection {number}")
        nettop.stop()
    seen = {found[0]["number"]: found for found in map(whole, nettop.intervals) if found}
    check(len(seen) >= len(work_of) / 2, f"heaps of {len(seen)} collections")
    for row, heaps in seen.values():
        check_whole(row, heaps)
    said = {row["number"]: row["heap_count"] for line in nettop.intervals for row in line["gc"]["collections"]}
    return [len(seen[number][1]) for number in sorted(seen)], [said[number] for number in sorted(said)]


@test
def rows_add_up_to_their_collection(env):
    counts, _ = watched(env, WORK, server_gc=True)
    check_equal("heaps of each", set(counts), {2})
    return f"{len(counts)} collections of 2 heaps"


@test
def one_with_workstation_gc(env):
    counts, _ = watched(env, WORK)
    check_equal("heaps of each", set(counts), {1})
    return f"{len(counts)} collections of 1 heap"


@test
def as_many_as_datas_has(env):
    """The runtime adapts their number to the load: the rows follow what it says of each collection."""
    counts, said = watched(env, SMALL_WORK, dotnet={"gcServer": "1", "GCDynamicAdaptationMode": "1"})
    check(set(counts) <= set(said), f"heaps {counts}, and the runtime says {said}")
    if len(set(said)) == 1:
        return f"the runtime did not change their number: {said[0]} in {len(said)} collections"
    check(len(set(counts)) > 1, f"heaps {counts}, while the runtime changed their number: {said}")
    return f"heaps of those that were seen: {counts}"


if __name__ == "__main__":
    main()
