#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a collection left in each generation, pinned, and for finalizers, against the runtime's own word in the process."""
from nt_live import Nettop, check, check_equal, main, test
from nt_live.workload import Telling

PINS = 300


@test
def generations_are_as_large_as_the_runtime_says(env):
    with Telling(env) as work, Nettop(env, work.pid, "--source", "eventpipe,procfs") as nettop:
        nettop.wait_for_sources("eventpipe")
        work.do(f"pin {PINS}")  # what lives then is in generation 2 after the next one
        truth = work.do(f"pin {PINS}")

        def second(line):
            return next((row for row in line["gc"]["collections"] if row["number"] == truth["full"] and row["pinned_count"] is not None), None)

        row = second(nettop.wait_for(second, 20, "the second full collection"))
        told = [row[f"{name}_bytes"] for name in ("gen0", "gen1", "gen2", "loh", "poh")]
        check_equal("generations", len(truth["sizes"]), len(told))
        check(truth["sizes"][2] > PINS * 100 and truth["sizes"][3] > 3 << 20 and truth["sizes"][4] > 2 << 20, f"the runtime's: {truth}")
        check_equal("bytes of generations", told, truth["sizes"])
        check_equal("pinned objects", row["pinned_count"], truth["pinned"])
        check(row["finalizable_count"] >= PINS, f"objects kept for their finalizer: {row['finalizable_count']}")
        check(row["handle_count"] >= PINS, f"handles: {row['handle_count']}")
        return f"{told} of {truth['sizes']}, {row['pinned_count']} pinned"


if __name__ == "__main__":
    main()
