#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Allocations by type, sampled by a runtime that was started without any setting: against its own counter, and only while somebody looks."""
from math import sqrt

from nt_live import *
from nt_live import eventpipe
from nt_live.eventpipe import sessions_of
from nt_live.nettop import source_of

SECONDS = 30
# Of .NET 10: events, who asked, exceptions, the runtime's own counters.
USUAL_SESSIONS = 3
SCREEN_SESSIONS = 2  # samples; what collections found in each heap
# So many standard errors are exceeded once in 16 000 times.
SIGMAS = 4
# What the marks, the answers and nettop's own sessions allocate, in bytes.
BESIDES = 1 << 20


def bare(env, **how):
    return Workload(env, mode="none", perf_map=False, lttng=False, **how)


def totals(rows):
    """Bytes of all rows and their standard error."""
    return sum(row["bytes"] for row in rows), sqrt(sum((row["bytes"] * row["error_pct"] / 100) ** 2 for row in rows))


@test
def allocated_bytes_by_type(env):
    with bare(env) as work:
        work.settle()
        with Nettop(env, work.pid, "--source", "eventpipe", "--alloc") as nettop:
            nettop.wait_for(lambda line: source_of(line, "alloc").get("state") == "delivering" and line["allocations_sampled"], SECONDS,
                            "allocations are sampled")
            truth, answers = work.measure("loh 300", "alloc 300")
            summary = nettop.stop()
        rows = {row["type"]: row for row in summary["allocations"]}
        check_equal("type with most bytes", summary["allocations"][0]["type"], "byte[]")
        arrays = rows["byte[]"]
        check_within("bytes on the large object heap", arrays["bytes"] * arrays["loh_pct"] / 100, answers[0]["bytes"],
                     absolute=SIGMAS * totals([arrays])[1] + BESIDES)
        # Of a nested type the runtime says the last name only.
        check_within("bytes of a node", rows["Node"]["avg_bytes"], 32, absolute=0)
        seen, error = totals(summary["allocations"])
        check_within("bytes of all types", seen, truth["alloc_bytes"], absolute=SIGMAS * error + BESIDES)
        check("Workload.Memory." in arrays["site"], f"where they are from: {arrays}")
        check_equal("sessions that the target has left", sessions_of(work.pid), 0)
        return f"{truth['alloc_bytes']} bytes, ratio {seen / truth['alloc_bytes']:.4f}, +-{100 * error / seen:.2f}%, {len(rows)} types; of Node {rows['Node']['share_pct']:.1f}%"


# Where what is allocated, by which command, and which heap takes all of it.
PLACES = {"loh 300": ("Workload.Memory.Large(", "loh_pct"), "alloc 200": ("Workload.Memory.Small(", None), "poh 60": ("Workload.Memory.Pinned(", "poh_pct")}


@test
def allocated_bytes_by_place(env):
    with bare(env) as work:
        work.settle()
        with Nettop(env, work.pid, "--source", "eventpipe,runtime", "--alloc") as nettop:
            nettop.wait_for(lambda line: line["allocations_sampled"], SECONDS, "allocations are sampled")
            _, answers = work.measure(*PLACES)
            nettop.wait_for(lambda line: any("Memory.Pinned(" in row["site"] for row in line["allocation_sites"]), SECONDS, "the places have names")
            summary = nettop.stop()
        said = []
        for (command, (method, heap)), answer in zip(PLACES.items(), answers):
            row = next((row for row in summary["allocation_sites"] if method in row["site"]), None)
            check(row, f"no row of {method}: {summary['allocation_sites']}")
            made = answer.get("bytes") or int(command.split()[1]) << 20
            check_within(f"bytes of {method}", row["bytes"], made, absolute=SIGMAS * totals([row])[1] + BESIDES)
            if heap:
                check_within(f"of these on that heap, {heap}", row[heap], 100, absolute=0.5)
            said.append(f"{row['bytes'] / made:.3f}")
        seen, of_types = sum(row["bytes"] for row in summary["allocation_sites"]), sum(row["bytes"] for row in summary["allocations"])
        check(seen <= of_types * 1.001, f"{seen} bytes by place, {of_types} by type")
        check_equal("sessions that the target has left", sessions_of(work.pid), 0)
        return " ".join(said)


# The runtime says their own names alone: two types are called Enumerator[System.Int32].
WITHIN = ("System.Collections.Generic.List<int>.Enumerator", "System.Collections.Generic.HashSet<int>.Enumerator", "System.Collections.Generic.Dictionary<string, int>.Enumerator")


@test
def types_within_types_have_their_whole_names(env):
    with bare(env) as work:
        work.settle()
        with Nettop(env, work.pid, "--source", "eventpipe,runtime", "--alloc") as nettop:
            nettop.wait_for(lambda line: line["allocations_sampled"], SECONDS, "allocations are sampled")
            made = work.do("enumerate 100")["bytes"]
            nettop.wait_for(lambda line: line["allocations"], SECONDS, "they are seen")
            # Those that come now have the answer to the question about the first ones.
            made += work.do("enumerate 100")["bytes"]
            nettop.wait_for(lambda line: set(WITHIN) <= {row["type"] for row in line["allocations"]}, SECONDS, f"rows of {', '.join(WITHIN)}")
            summary = nettop.stop()
        rows = {row["type"]: row for row in summary["allocations"]}
        check_equal("rows that have a type's own name alone", [name for name in rows if name.startswith("Enumerator")], [])
        mine = [rows[name] for name in WITHIN]
        check_within("bytes of enumerators", sum(row["bytes"] for row in mine), made, absolute=SIGMAS * totals(mine)[1] + BESIDES)
        return f"{len(rows)} types"


@test
def sampled_while_the_screen_is_open(env):
    """Before and after it other tools have their allocation ticks."""
    with bare(env) as work:
        work.settle()
        with FullScreen(env, work.pid) as screen:
            def wait_for_sessions(count, what):
                # By the screen, which reads what nettop writes meanwhile.
                screen.wait_for(lambda _: sessions_of(work.pid) == count, SECONDS, what)
            wait_for_sessions(USUAL_SESSIONS, "the usual sessions")
            screen.type("5")
            wait_for_sessions(USUAL_SESSIONS + SCREEN_SESSIONS, "those of the screen")
            work.do("alloc 100")
            screen.wait_for(lambda output: b"byte[]" in output, SECONDS, "the types are on the screen")
            screen.type("1")
            wait_for_sessions(USUAL_SESSIONS, "the sessions of the screen end")
            # Garbage collector at the level Verbose: the ticks.
            other = eventpipe.Session(work.pid, [(eventpipe.RUNTIME, 0x1, 5)])
            work.do("alloc 20")
            ticks = other.stop().count("System.Byte[]".encode("utf-16-le"))
            check(ticks > 20, f"{ticks} ticks of another tool")
            screen.type("q")
            wait_until(lambda: sessions_of(work.pid) == 0, SECONDS, lambda: f"no session is left; there are {sessions_of(work.pid)}")
        return f"{ticks} ticks of another tool"


def told_by_ticks(env, framework):
    """Before .NET 10: all bytes and those of large objects are right; types of small ones as far as the bias allows."""
    with bare(env, program=env.selfcontained(framework)) as work:
        work.settle()
        with Nettop(env, work.pid, "--source", "eventpipe", "--alloc") as nettop:
            nettop.wait_for(lambda line: line["allocations_sampled"] and line["allocations_by_ticks"], SECONDS, "allocations are told")
            truth, answers = work.measure("loh 300", "alloc 300")
            summary = nettop.stop()
        rows = {row["type"]: row for row in summary["allocations"]}
        seen = sum(row["bytes"] for row in rows.values())
        check_within("bytes of all types", seen, truth["alloc_bytes"], relative=0.03)
        check_within("bytes on the large object heap", rows["byte[]"]["bytes"] * rows["byte[]"]["loh_pct"] / 100, answers[0]["bytes"], relative=0.01)
        check("Node" in rows, f"types: {list(rows)}")
        check_equal("losses", source_of(summary, "eventpipe")["lost"], 0)
        check_equal("sessions that the target has left", sessions_of(work.pid), 0)
        return f"{truth['alloc_bytes']} bytes, ratio {seen / truth['alloc_bytes']:.4f}; of Node {rows['Node']['share_pct']:.1f}%"


@long_test
def ticks_of_net8(env):
    return told_by_ticks(env, "net8.0")


@long_test
def ticks_of_net9(env):
    return told_by_ticks(env, "net9.0")


if __name__ == "__main__":
    main()
