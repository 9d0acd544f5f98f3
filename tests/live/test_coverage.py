#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a figure covers: sources that come late, stand still, or are not alone; and figures that leave a part out."""
from nt_live import *

PINNED_MB = 20
PROMOTED = 0.01


@test
def promoted_bytes_hold_the_pinned_heap(env):
    with Bare(env) as work, Nettop(env, work.pid, "--source", "eventpipe,procfs") as nettop:
        nettop.wait_for_sources("eventpipe")
        truth = work.do(f"poh {PINNED_MB}")["promoted_bytes"]
        line = nettop.wait_for(lambda line: any(row["generation"] == 2 and row["promoted_bytes"] for row in line["gc"]["collections"]), 20,
                               "the collection")
        told = next(row["promoted_bytes"] for row in line["gc"]["collections"] if row["generation"] == 2)
        check_within("promoted bytes", told, truth, PROMOTED)
        return f"{told} of {truth} bytes"


if __name__ == "__main__":
    main()
