# SPDX-License-Identifier: GPL-2.0-only
"""Compilations as TraceEvent's JITStats have them (nettrace_file.py), and nettop's rows and sums of them: what both have is equal."""
import collections
import os

from .method_names import Method, without_arguments
from .runner import check, check_equal, check_within

TIERS = {"MinOptJitted": "minopt", "Optimized": "opt", "QuickJitted": "tier0", "OptimizedTier1": "tier1", "OptimizedTier1OSR": "osr", "QuickJittedInstrumented": "instr",
         "OptimizedTier1Instrumented": "inst1"}
TRIGGERS = {"Foreground": "foreground", "TieredCompilationBackground": "background"}
DYNAMIC = "dynamicClass"
ROUNDING_NS = 20  # of milliseconds in floating point, each


class Compiled:
    """Compilations that have something in common, by either of the two."""

    def __init__(self):
        self.rows = []

    def sums(self):
        return {"count": len(self.rows), "il_bytes": sum(row["il_bytes"] for row in self.rows), "native_bytes": sum(row["native_bytes"] for row in self.rows)}

    def time_ns(self):
        return 1e6 * sum(row["time_ms"] for row in self.rows)


def grouped(rows, key):
    groups = collections.defaultdict(Compiled)
    for row in rows:
        groups[key(row)].rows.append(row)
    return groups


def trigger_of(row):
    """JITStats do not tell apart what a thread wanted to run: precompiled code that was rejected."""
    return "foreground" if row == "r2r reject" else row


def namespace_of(row):
    if row["type"] == DYNAMIC:
        return "(dynamic)"
    outermost = row["type"].split("[")[0].split("+")[0].split("<")[0]
    return outermost.rpartition(".")[0] or "(global)"


def check_groups(what, trace, nettop, tolerance_ns):
    """Sums by one column."""
    for name, group in trace.items():
        lines = [line for line in nettop if trigger_of(line["name"]) == name]
        check(lines, f"{what} {name} is not in nettop: {[line['name'] for line in nettop]}")
        for key, value in group.sums().items():
            check_equal(f"{key} of the {what} {name}", sum(line[key] or 0 for line in lines), value)
        check_within(f"time of the {what} {name}", sum(line["time_ns"] for line in lines), group.time_ns(), absolute=tolerance_ns * len(group.rows))
    check_equal(f"{what}s", {trigger_of(line["name"]) for line in nettop}, set(trace))


def check_sums(jit, rows, sums):
    """Of all, by tier and by trigger."""
    for key, value in (("method_count", sums["count"]), ("il_bytes", sums["il_bytes"]), ("native_bytes", sums["native_bytes"])):
        check_equal(key, jit[key], value)
    check_within("time", jit["time_ns"], 1e6 * sums["time_ms"], absolute=ROUNDING_NS * len(rows))
    check_groups("tier", grouped(rows, lambda row: TIERS[row["tier"]]), jit["tiers"], ROUNDING_NS)
    check_groups("trigger", grouped(rows, lambda row: TRIGGERS[row["trigger"]]), jit["triggers"], ROUNDING_NS)
    for key, trigger in (("foreground", "foreground"), ("background", "background")):
        lines = [line for line in jit["triggers"] if trigger_of(line["name"]) == trigger]
        check_equal(f"{key} compilations", sum(line["count"] for line in lines), sums[f"{key}_count"])
        check_within(f"time in the {key}", sum(line["time_ns"] for line in lines), 1e6 * sums[f"{key}_ms"], absolute=ROUNDING_NS * len(rows))


def shown(comparison, row):
    """As nettop's row is called, without arguments. A number at the end of a dynamic method's name is not told apart."""
    if row["type"] == DYNAMIC:
        return "(dynamic)"
    return comparison.shown(Method(row["type"], row["method"], row["signature"]))


def by_name(line):
    return "(dynamic)" if line["module"] == "(dynamic)" else without_arguments(line["name"])


def check_methods(trace, lines, tolerance_ns, least, all_of_them):
    """Each method: all of its compilations, and the newest. A line of nettop's has the newest of its own name: overloads have lines of their own."""
    ours = collections.defaultdict(list)
    for line in lines:
        ours[by_name(line)].append(line)
    equal = 0
    for name, group in trace.items():
        mine = ours.get(name, [])
        count = sum(line["count"] for line in mine)
        check(count <= len(group.rows) and (count == len(group.rows) or not all_of_them), f"{name}: JITStats {len(group.rows)}, nettop {count}: {group.rows}, {mine}")
        if count != len(group.rows):
            continue
        equal += 1
        check_within(f"time of {name}", sum(line["time_ns"] for line in mine), group.time_ns(), absolute=tolerance_ns * count)
        check_within(f"longest of {name}", max(line["max_ns"] for line in mine), 1e6 * max(row["time_ms"] for row in group.rows), absolute=tolerance_ns)
        if len(mine) == 1 and name != "(dynamic)" and len({row["signature"] for row in group.rows}) == 1:
            check_newest(name, max(group.rows, key=lambda row: row["start_ms"] + row["time_ms"]), mine[0])
    check(equal >= least, f"{equal} of {len(trace)} methods were compared")
    return equal


def check_newest(name, row, line):
    module = os.path.splitext(os.path.basename(row["module"]))[0]
    for key, value in (("il_bytes", row["il_bytes"]), ("native_bytes", row["native_bytes"]), ("tier", TIERS[row["tier"]])):
        check_equal(f"{key} of {name}", line[key], value)
    check_equal(f"trigger of {name}", trigger_of(line["trigger"]), TRIGGERS[row["trigger"]])
    check(line["module"] in (None, module), f"module of {name}: JITStats {module}, nettop {line['module']}")
