#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What each thread has allocated, read from outside: by the runtime's own word (GC.GetAllocatedBytesForCurrentThread), while nothing is asked of the process."""
from nt_live import Nettop, check, main, test
from nt_live.workload import Holding

FIRST, SECOND = 3_000_000, 40_000_000
ROOM = 8192  # that a thread is given at a time: a collection counts what of it was not used yet, to the runtime itself, too, if the thread asked again


def rows_of(line, *names):
    return {row["name"]: row for row in line["thread_rows"] if row["name"] in names and row["allocated_bytes"] is not None}


def check_told(what, row, said):
    check(0 <= row["allocated_bytes"] - said <= ROOM, f"{what}: {row['allocated_bytes']}, the thread itself said {said}")


@test
def what_threads_have_allocated(env):
    with Holding(env) as work:
        first = work.do(f"thread first {FIRST}")["allocated"]
        with Nettop(env, work.pid, "--source", "runtime") as nettop:
            line = nettop.wait_for(lambda line: rows_of(line, "first"), 20, "the thread from before is known")
            check_told("of a thread from before", rows_of(line, "first")["first"], first)
            second = work.do(f"thread second {SECOND}")["allocated"]
            line = nettop.wait_for(lambda line: rows_of(line, "second"), 20, "the thread that came later is known")
            check_told("of a thread that came later", rows_of(line, "second")["second"], second)
            # It waits since: nothing is allocated any more.
            nettop.wait_for(lambda line: all(row["allocated_bytes_per_s"] == 0 for row in rows_of(line, "first", "second").values()) and len(rows_of(line, "first", "second")) == 2,
                            20, "both allocate nothing")
            summary = nettop.stop()
        check(not any(source["name"] == "eventpipe" for source in summary["sources"] if source["state"] == "delivering"), "the process was asked")


if __name__ == "__main__":
    main()
