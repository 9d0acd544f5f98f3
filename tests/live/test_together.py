#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Several who watch one target at the same time, without any setting: each has its numbers right, whoever comes or goes, and however."""
import signal

from nt_live import *
from nt_live.dotnet_trace import DotnetTrace
from nt_live.eventpipe import sessions_of
from nt_live.nettop import source_of, state_of

SEEN_S = 30.0
GC_START, EXCEPTION, CONTENTION = 1, 80, 81  # ids of the runtime's events
KEYWORDS, INFORMATIONAL = 0x1 | 0x4000 | 0x8000, 4  # of these events


def watches(nettop):
    nettop.wait_for_sources("eventpipe", "map", seconds=SEEN_S)
    return nettop


def check_counts(who, summary, truth, waits):
    """What the runtime counted itself, from when this one watched until it left. Of waits the program's own: the runtime waits for itself when sessions begin."""
    seen = {"collections": [summary["gc"][f"gen{n}_count"] for n in range(3)], "exceptions": summary["exceptions"]["count"],
            "waits": sum(row["count"] for row in summary["contention"]["sites"] if "Workload.Locking." in (row["site"] or "")),
            "losses": source_of(summary, "eventpipe")["lost"]}
    check_equal(who, seen, {"collections": truth.gc_counts(), "exceptions": truth["exception_count"], "waits": waits, "losses": 0})


@test
def nettops_in_each_order(env):
    """One stays; of the others one came before it and leaves, one comes later and leaves, one is killed."""
    with Bare(env) as work:
        work.settle()
        with Nettop(env, work.pid, "--map") as early:
            watches(early)
            of_one = sessions_of(work.pid)
            with Nettop(env, work.pid, "--map") as stays:
                watches(stays)
                start = work.mark()
                for command in ("throw 40", "gc 0", "locks 10"):
                    work.do(command)
                check_counts("the first, which leaves", early.stop(), work.mark().since(start), waits=10)
                work.do("throw 30")
                with Nettop(env, work.pid, "--map") as killed:
                    watches(killed)
                    work.do("gc 1")
                    killed.process.signal(signal.SIGKILL)
                    work.do("throw 20")
                    wait_until(lambda: sessions_of(work.pid) == of_one, SEEN_S,
                               lambda: f"the sessions of the killed one end; there are {sessions_of(work.pid)}, of one nettop {of_one}")
                work.do("gc 2")
                check(work.writes_map() and work.map.exists(), "the perf map is gone while somebody watches")
                stays.wait_for(lambda line: state_of(line, "map") == "delivering", SEEN_S, "the one that is left has its names")
                truth = work.mark().since(start)
                check_counts("the one that stays", stays.stop(), truth, waits=10)
        check_equal("left behind", work.leftovers(), [])
        return f"{truth.gc_counts()} collections, {truth['exception_count']} exceptions"


@long_test
def dotnet_trace_beside(env):
    """One nettop was there before it and leaves before it, another comes after it and stays longer: its file holds what the runtime counted."""
    with Bare(env) as work:
        work.settle()
        with Nettop(env, work.pid, "--map") as early:
            watches(early)
            with DotnetTrace(env, work.pid, KEYWORDS, INFORMATIONAL) as trace:
                start = work.mark()
                for command in ("throw 300", "gc 0", "locks 20"):
                    work.do(command)
                with Nettop(env, work.pid, "--map") as late:
                    watches(late)
                    middle = work.mark()
                    work.do("throw 200")
                    early.stop()
                    for command in ("throw 100", "gc 1", "gc 2"):
                        work.do(command)
                    end = work.mark()
                    recorded = trace.stop()
                    work.do("throw 50")
                    check_counts("the later nettop", late.stop(), work.mark().since(middle), waits=0)
        truth = end.since(start)
        seen = {"collections": recorded[GC_START], "exceptions": recorded[EXCEPTION], "contentions": recorded[CONTENTION]}
        check_equal("dotnet-trace's file", seen, {"collections": truth["gc0_count"], "exceptions": truth["exception_count"], "contentions": truth["contention_count"]})
        check_equal("left behind", work.leftovers(), [])
        return str(seen)


if __name__ == "__main__":
    main()
