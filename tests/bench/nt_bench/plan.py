# SPDX-License-Identifier: GPL-2.0-only
"""How much is measured: enough for doc/RESULTS.md, or a short trial."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Plan:
    cost_runs: int       # of each program, whole runs and steady ones alike
    warm_up_s: float     # tiered compilation's own thread ends 4 s after its last method; a perf that is attached then spins
    whole_s: float       # length of a whole run
    steady_from_s: float
    steady_until_s: float
    first_runs: int      # of first frame and first name
    refresh_runs: int
    refresh_s: int       # refreshes that are counted, one a second
    churn_s: float
    flood_runs: int
    flood_rounds: int    # of FLOOD (flood.py)
    map_runs: int
    map_lines: int
    drain_s: float
    event_runs: int      # of a program that emits, with each number of sessions
    event_turns: int
    mixed_rounds: int    # of decoding.MIXED in the stream that is decoded
    kind_rounds: int     # of each command of decoding.KINDS
    decode_runs: int     # of each decoder, and how many times it decodes a stream in one
    decode_rounds: int
    price_runs: int
    server_warm_up_s: float  # at most, of a program that is not ours
    server_settle_s: float   # work that is not measured, after a watcher has come
    server_turn_s: float
    server_alone_s: float    # nobody, between two turns
    server_rounds: int       # at least
    server_s: float          # for more of them, while anything is not decided
    response_runs: int   # with and without nettop
    resident_s: float    # after nettop's start
    heap_runs: int


FULL = Plan(cost_runs=5, warm_up_s=20, whole_s=10, steady_from_s=5, steady_until_s=35, first_runs=5, refresh_runs=5, refresh_s=10,
            churn_s=10, flood_runs=5, flood_rounds=20, map_runs=7, map_lines=500_000, drain_s=10, event_runs=10, event_turns=30, mixed_rounds=250, kind_rounds=3, decode_runs=3,
            decode_rounds=5, price_runs=10, server_warm_up_s=60, server_settle_s=2, server_turn_s=4, server_alone_s=3, server_rounds=8, server_s=900, response_runs=60, resident_s=60, heap_runs=5)
QUICK = Plan(cost_runs=1, warm_up_s=0, whole_s=4, steady_from_s=2, steady_until_s=6, first_runs=1, refresh_runs=1, refresh_s=4,
             churn_s=4, flood_runs=1, flood_rounds=4, map_runs=2, map_lines=500_000, drain_s=3, event_runs=2, event_turns=10, mixed_rounds=10, kind_rounds=1, decode_runs=1,
             decode_rounds=3, price_runs=3, server_warm_up_s=5, server_settle_s=1, server_turn_s=1, server_alone_s=1, server_rounds=2, server_s=0, response_runs=2, resident_s=8, heap_runs=1)
