#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The bridge for long, at full rate, with sessions that come and go."""
import collections
import os
import re
import shutil
import time

from nt_long import TESTS  # makes the modules below known  # noqa: F401
from nt_live import Nettop, Session, SessionDaemon, Workload, check, check_equal, main, test
from nt_live.old_abi import OLD, OldProvider
from nt_live.nettop import source_of
from nt_long.feeder import Feeder
from nt_long.footprint import Watch

SOAK_S = int(os.environ.get("SOAK_S", "600"))
# Buffers that overflow at once.
TINY = ("4k", 2)
NUMBER = re.compile(r"vtid = (\d+) .*number = (-?\d+)")


def numbers_by_thread(session):
    """{vtid: the numbers of its events, in the order of the trace}"""
    found = collections.defaultdict(list)
    for line in session.events(OLD):
        thread, number = NUMBER.search(line).groups()
        found[thread].append(int(number))
    return found


def check_nothing_is_missing(session, lost):
    """Each thread numbers its events: what is missing between its first and its last must be among those that LTTng has counted as lost."""
    missing = events = 0
    for numbers in numbers_by_thread(session).values():
        check_equal("events recorded twice or in disorder", sum(a >= b for a, b in zip(numbers, numbers[1:])), 0)
        missing += numbers[-1] - numbers[0] + 1 - len(numbers)
        events += len(numbers)
    check(missing <= lost, f"{missing} of {events + missing} events are missing, LTTng has counted {lost}")
    return events


@test
def sessions_come_and_go_at_full_rate(env):
    """Two threads that do nothing but emit; about one session a second, every other one with a filter."""
    events = lost = rounds = 0
    with SessionDaemon(env) as daemon, OldProvider(env, env.bridge_dir) as program:
        daemon.wait_for_app(program.pid)
        program.do("threads 2")
        watch = Watch(program.pid, growth_bytes=2 << 20)
        end = time.monotonic() + SOAK_S
        while time.monotonic() < end:
            session = Session(env, f"come-{rounds}", buffers=TINY).add_context("vtid")
            session.enable(f"{OLD}:first", "number != -1" if rounds % 2 else None).start()
            session_lost = session.stop_counting_losses()
            events += check_nothing_is_missing(session, session_lost)
            shutil.rmtree(session.folder)
            lost, rounds = lost + session_lost, rounds + 1
            watch.look()
        check_equal(f"exit status; {program.stderr_text()}", program.quit(), 0)
    check(events > 100 * rounds, f"only {events} events in {rounds} rounds")
    return f"{rounds} sessions, {events} events, {lost} counted as lost; {watch.verdict()}"


@test
def nettop_comes_and_goes(env):
    """A working .NET program, and nettop attached to it for a second, again and again."""
    rounds = events = lost = 0
    with SessionDaemon(env), Workload(env, mode="N") as work:
        watch = Watch(work.pid, growth_bytes=32 << 20)  # its heap has its own ways
        with Feeder(work) as feeder:
            end = time.monotonic() + SOAK_S / 4
            while time.monotonic() < end:
                with Nettop(env, work.pid) as nettop:
                    nettop.wait_for_sources("lttng")
                    seen = len(nettop.intervals)
                    nettop.wait_for(lambda line: len(nettop.intervals) >= seen + 5, 20, "a second of intervals")
                    lttng = source_of(nettop.stop(), "lttng")
                rounds, events, lost = rounds + 1, events + lttng["events"], lost + lttng["lost"]
                watch.look()
            feeder.stop()
        check_equal("exit status", work.quit(), 0)
    check(events > 100 * rounds, f"only {events} events in {rounds} rounds")
    return f"{rounds} rounds, {events} events, {lost} counted as lost; {watch.verdict()}"


@test
def emitted_is_recorded_or_counted_as_lost(env):
    """By the program's own count."""
    emitted, rounds = 100_000, 10
    recorded = lost = 0
    with SessionDaemon(env) as daemon, OldProvider(env, env.bridge_dir) as program:
        daemon.wait_for_app(program.pid)
        for number in range(rounds):
            session = Session(env, f"count-{number}", buffers=TINY).enable(f"{OLD}:first").start()
            program.do(f"go {emitted}")
            session_lost = session.stop_counting_losses()
            session_recorded = len(session.events(OLD))
            check_equal(f"{session_recorded} recorded and {session_lost} lost, together", session_recorded + session_lost, emitted)
            recorded, lost = recorded + session_recorded, lost + session_lost
        check_equal("exit status", program.quit(), 0)
    check(recorded and lost, f"{recorded} recorded, {lost} lost: nothing was tried")
    return f"{rounds} times {emitted}: {recorded} recorded, {lost} counted as lost"


if __name__ == "__main__":
    print(f"SOAK_S={SOAK_S}", flush=True)
    main()
