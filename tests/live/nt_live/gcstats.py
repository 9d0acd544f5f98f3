# SPDX-License-Identifier: GPL-2.0-only
"""A collection as TraceEvent's GCStats have it (nettrace_file.py), and the row that nettop has of it: what both have is equal."""
from .runner import check, check_equal, check_within

GENERATIONS = ("gen0", "gen1", "gen2", "loh", "poh")
# GCReason of TraceEvent, and nettop's words.
REASONS = {"AllocSmall": "gen0 budget", "Induced": "induced", "AllocLarge": "LOH allocation", "InducedNotForced": "induced, not forced",
           "InducedCompacting": "induced, compacting"}
ROUNDING_NS = 20  # of milliseconds in floating point


def in_one_stop(gc):
    """It was announced as a background collection, and did all its work in one stop, as its history says. GCStats go by the announcement, and take the suspension for its pause."""
    return gc["type"] == "BackgroundGC" and "Concurrent" not in (gc["mechanisms"] or "Concurrent")


def kind_of(gc):
    if gc["type"] == "NonConcurrentGC" or in_one_stop(gc):
        return "eph" if gc["generation"] < 2 else "blk"
    return {"BackgroundGC": "bg", "ForegroundGC": "fg"}[gc["type"]]


def steps_of(gc):
    """The runtime tells five steps of marking, then of one that is not in the background planning, and relocating and compacting or else sweeping; in us. .NET 8 says -1, as it does
    not measure every one."""
    mark, rest = gc["steps_us"][:5], gc["steps_us"][5:]
    names = ("plan_ns", "relocate_ns", "compact_ns") if "Compaction" in gc["mechanisms"] else ("plan_ns", "sweep_ns")
    return dict.fromkeys(("plan_ns", "relocate_ns", "compact_ns", "sweep_ns")) | {"mark_ns": 1000 * sum(mark)} | {name: 1000 * us if us != -1 else None for name, us in zip(names, rest)}


# Reasons to condemn a generation: nettop's words for the groups into which TraceEvent sorts them.
CONDEMNED = {"induced": "Induced", "induced, not forced": "Induced", "heap expanded": "Expand_Heap", "low on ephemeral space": "Low_Ephemeral",
             "cards of little use": "Internal_Tuning", "ephemeral fragmented": "Fragmented_Ephemeral", "gen2 fragmented": "Fragmented_Gen2",
             "gen2 to be fragmented": "Fragmented_Gen1_To_Gen2", "before out of memory": "GC_Before_OOM",
             "gen2 too small for background": "Too_Small_For_BGC", "before background": "Ephemeral_Before_BGC", "almost all allocated": "Almost_Max_Alloc",
             "avoids an unproductive one": "Avoid_Unproductive", "aggressive": "Aggressive", "budget": "Alloc_Exceeded", "time": "Time_Tuning", "wanted": "Initial_Generation"}


def condemned_by_gcstats(gc):
    """Of the first heap that asked for the oldest generation: (group, generation or None). What it asked for in the end is left out: that is the collection's generation."""
    heap = max(gc["condemned_by_heap"], key=lambda groups: groups.get("Final_Generation", 0))
    ages = ("Alloc_Exceeded", "Time_Tuning", "Initial_Generation")
    return {(group, value if group in ages else None) for group, value in heap.items() if group != "Final_Generation"}


def condemned_by_nettop(row):
    reasons = set()
    for words in filter(None, (row["condemned"] or "").split("; ")):
        if words == "gen2 budget seen at gen1":  # TraceEvent puts it in the place of the budget's generation
            reasons = {reason for reason in reasons if reason[0] != "Alloc_Exceeded"} | {("Alloc_Exceeded", 2)}
            continue
        age, _, what = words.partition(" ")
        reasons.add((CONDEMNED[words], None) if words in CONDEMNED else (CONDEMNED[what], int(age[3:])))
    return reasons


def numbers_of(gc):
    """What the runtime says of a collection, by nettop's names, and out of TraceEvent's object."""
    said = {"generation": gc["generation"], "kind": kind_of(gc), "reason": REASONS[gc["reason"]], "pinned_count": gc["pinned"], "handle_count": gc["handles"],
            "finalizable_count": gc["finalizable"],
            "after_bytes": sum(gc["heap_bytes"])}
    said |= {f"{name}_bytes": size for name, size in zip(GENERATIONS, gc["heap_bytes"])}
    if gc["before_bytes"]:
        said |= {"before_bytes": sum(gc["before_bytes"]), "fragmentation_pct": 100 * sum(gc["free_bytes"]) / sum(gc["after_bytes"]),
                 "gen0_budget_bytes": gc["budget_bytes"][0] or None, "loh_budget_bytes": gc["budget_bytes"][3] or None, "heap_count": gc["heaps"],
                 "heap_least_bytes": min(gc["after_by_heap_bytes"]), "heap_most_bytes": max(gc["after_by_heap_bytes"]), "memory_load_pct": gc["memory_load_pct"],
                 "way": "compact" if "Compaction" in gc["mechanisms"] else "sweep"} | steps_of(gc)
        said |= {f"{name}_before_bytes": size for name, size in zip(GENERATIONS, gc["before_bytes"])}
    if gc["generation"] < 2 or gc["heap_bytes"][4] == 0:  # of a full one the runtime's sum leaves out what lives on the pinned heap, and nettop adds it
        said["promoted_bytes"] = sum(gc["promoted_bytes"])
    return said


def times_of(gc):
    """GCStats let a pause end when all threads have been let go; GC.GetTotalPauseDuration() and nettop when that begins."""
    return {"pause_ns": 1e6 * (gc["pause_ms"] - gc["restart_ms"]), "suspend_ns": 1e6 * gc["suspend_ms"]}


def shared_stop(collections, gc):
    """A background collection that begins with a younger one in the same stop: GCStats give it the suspension alone of that."""
    return gc["type"] == "BackgroundGC" and any(other["number"] == gc["number"] + 1 and other["type"] == "NonConcurrentGC" and other["suspend_ms"] == 0
                                                for other in collections)


def check_numbers(gc, row):
    for name, value in numbers_of(gc).items():
        same = abs(row[name] - value) < 1e-6 * abs(value) + 1e-9 if isinstance(value, float) and row[name] is not None else row[name] == value
        check(same, f"{name} of collection {gc['number']}: GCStats {value}, nettop {row[name]}: {gc}, {row}")
    if gc["condemned_by_heap"]:
        check_equal(f"reasons to condemn the generation of collection {gc['number']} ({row['condemned']})", condemned_by_nettop(row), condemned_by_gcstats(gc))


def check_heaps(gc, heaps):
    """What is left in each heap, of a collection whose heaps nettop has one by one."""
    check_equal(f"what collection {gc['number']} left in each heap", [heap["left_bytes"] for heap in heaps], gc["after_by_heap_bytes"])


def check_times(gc, row, tolerance_ns):
    for name, value in times_of(gc).items():
        check_within(f"{name} of collection {gc['number']}: {gc}, {row}", row[name], value, absolute=tolerance_ns)
