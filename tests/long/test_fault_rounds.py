#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Faults at random moments. Whatever happens: nettop works or has ended, the target is unharmed, and nothing is left behind.

    SEED=7 FAULT_ROUNDS=100 tests/long/test_fault_rounds.py
    SEED=7 tests/long/test_fault_rounds.py --only round_13       the same round again

Each round draws from a generator of its own, made of SEED and its number, so that it can be repeated alone.
"""
import os
import random

from nt_long import TESTS  # makes the modules below known  # noqa: F401
from nt_live import main, test
from nt_long.faults import FAULTS
from nt_long.round import play

ROUNDS = int(os.environ.get("FAULT_ROUNDS", "32"))
# In the environment, because the runner starts this program again in its own namespace.
SEED = os.environ.setdefault("SEED", str(random.randrange(1 << 32)))


def add_round(number, fault):
    def play_round(env):
        return play(env, fault, f"{SEED}/{number}")

    play_round.__name__ = f"round_{number:02d}_{fault.name}"
    test(play_round)


def deal():
    """Every fault comes up before one comes again."""
    for number in range(ROUNDS):
        add_round(number, FAULTS[number % len(FAULTS)])


deal()

if __name__ == "__main__":
    print(f"SEED={SEED} FAULT_ROUNDS={ROUNDS}", flush=True)
    main()
