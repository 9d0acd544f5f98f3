#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The bridge for long, at full rate, with sessions that come and go."""
import os
import re
import time

from nt_long import TESTS  # makes the modules below known  # noqa: F401
from nt_live import Nettop, Session, SessionDaemon, Workload, check, check_equal, main, test
from nt_live.old_abi import OLD, OldProvider
from nt_live.nettop import source_of
from nt_long.feeder import Feeder

SOAK_S = int(os.environ.get("SOAK_S", "600"))
ROUNDS = int(os.environ.get("SOAK_ROUNDS", "150"))
SLACK_BYTES = 4 << 20


@test
def nettop_comes_and_goes_every_second(env):
    """A working .NET program, and nettop attached to it for a second, again and again."""
    rounds = events = lost = 0
    with SessionDaemon(env), Workload(env, mode="N") as work:
        with Feeder(work) as feeder:
            end = time.monotonic() + SOAK_S
            while time.monotonic() < end:
                with Nettop(env, work.pid) as nettop:
                    nettop.wait_for_sources("lttng")
                    seen = len(nettop.intervals)
                    nettop.wait_for(lambda line: len(nettop.intervals) >= seen + 5, 20, "a second of intervals")
                    lttng = source_of(nettop.stop(), "lttng")
                rounds, events, lost = rounds + 1, events + lttng["events"], lost + lttng["lost"]
            feeder.stop()
        check_equal("exit status", work.quit(), 0)
    check(events > 100 * rounds, f"only {events} events in {rounds} rounds")
    return f"{rounds} rounds, {events} events, {lost} counted as lost"


def grown_bytes(env, libraries, label):
    """What a program at full rate has grown by in many sessions, after the first ones."""
    def resident():
        with open(f"/proc/{program.pid}/status", encoding="utf-8") as status:
            return int(re.search(r"RssAnon:\s+(\d+) kB", status.read())[1]) << 10

    with SessionDaemon(env) as daemon, OldProvider(env, libraries) as program:
        daemon.wait_for_app(program.pid)
        program.do("threads 2")
        for number in range(ROUNDS):
            if number == ROUNDS // 5:
                start = resident()
            session = Session(env, f"{label}-{number}", buffers=("64k", 4)).enable(f"{OLD}:*", "s8 != 5" if number % 2 else None)
            session.start().stop_counting_losses()
        grown = resident() - start
        check_equal("exit status", program.quit(), 0)
    return grown


@test
def memory_does_not_grow(env):
    """Sessions with and without filters: the bridge keeps what it knows of an address, not more with each session."""
    bridge = grown_bytes(env, env.bridge_dir, "bridge")
    genuine = grown_bytes(env, env.genuine_dir, "genuine")
    check(bridge <= max(genuine, 0) + SLACK_BYTES, f"grown by {bridge} bytes in {ROUNDS} sessions, the genuine library by {genuine}")
    return f"{bridge >> 10} KB in {ROUNDS} sessions, the genuine library {genuine >> 10} KB"


@test
def losses_are_counted(env):
    """One thread numbers its events: none is missing that LTTng has not counted."""
    with SessionDaemon(env) as daemon, OldProvider(env, env.bridge_dir) as program:
        daemon.wait_for_app(program.pid)
        session = Session(env, "losses", buffers=("4k", 2)).enable(f"{OLD}:first").start()
        program.do("threads 1")
        time.sleep(0.5)  # a time to lose events in; nothing is waited for
        lost = session.stop_counting_losses()
        check_equal("exit status", program.quit(), 0)
    numbers = [int(re.search(r"number = (-?\d+)", line)[1]) for line in session.events(OLD)]
    missing = numbers[-1] - numbers[0] + 1 - len(numbers)
    check(0 < missing <= lost, f"{missing} of {len(numbers) + missing} events are missing, LTTng has counted {lost}")
    check_equal("events recorded twice or in disorder", sum(a >= b for a, b in zip(numbers, numbers[1:])), 0)
    return f"{missing} missing, {lost} counted as lost"


if __name__ == "__main__":
    print(f"SOAK_S={SOAK_S} SOAK_ROUNDS={ROUNDS}", flush=True)
    main()
