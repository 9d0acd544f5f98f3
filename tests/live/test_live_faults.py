#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop, its relay, the session daemon and the target are killed; what must be put right is put right."""
import os
import signal
import time

from nt_live import *
from nt_live.nettop import source_of, state_of

# What the issue promises: the keeper's clean-up, and delivery after a daemon is back.
KEEPER_S = 1.0
BACK_S = 3.0
# lttng-ust, in the target, waits this long before it looks for a session daemon again after one that died without a word.
UST_PAUSE_S = 5.0
# Sources are read to their end for so long; then each must stop within 0.1 s, whoever is frozen. A loaded machine gets some more.
FINISH_S, STOP_S = 2.0, 0.7
SHARED_MACHINE_S = 10.0  # for what has no promise


def argument_of(pid, option):
    """The value of an option in a process's command line."""
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        words = file.read().decode().split("\0")
    for at, word in enumerate(words):
        if word == option:
            return words[at + 1]
        if word.startswith(option + "="):
            return word.split("=", 1)[1]
    raise Failure(f"no {option} in {words}")


def waits_since(nettop, count_before):
    """True once the intervals read later than the first `count_before` contain a wait for a lock."""
    return any((line["contention"]["count"] or 0) > 0 for line in nettop.intervals[count_before:])


def wait_delivery(work, nettop, seconds):
    """Waits for a lock until nettop, which has that over LTTng, counts it; the time that took."""
    start, seen = time.monotonic(), len(nettop.intervals)
    while True:
        work.do("locks 1")
        nettop.wait_for(lambda line: True, 5, "an interval")
        if waits_since(nettop, seen):
            return time.monotonic() - start
        if time.monotonic() - start > seconds:
            raise OutOfLimit(f"no runtime event within {seconds} s; {nettop.sources_text()}")


@test
def threads_end_while_it_attaches(env):
    """A thread that is ending is still listed, but cannot be attached to any more."""
    with SessionDaemon(env) as daemon, Workload(env, mode="N") as work:
        daemon.wait_for_app(work.pid)
        for _ in range(8):
            work.do("threads 200")
            work.do("compute 50")
            work.do("threads 0")
            with Nettop(env, work.pid, interval_s=0.1) as nettop:
                nettop.wait_for_sources("perf", seconds=SHARED_MACHINE_S)


@test
def sigkill_in_full_screen_is_put_right(env):
    """With a session daemon that was there before: the terminal, the session, the relay and its folder."""
    with SessionDaemon(env) as daemon, Workload(env) as work:
        with FullScreen(env, work.pid) as screen:
            screen.wait_for(lambda _: sessions() and descendants_named("lttng-relayd"), 15, "nettop has a session and a relay")
            screen.wait_for(lambda output: b"\x1b[?1049h" in output, 5, "nettop enters full screen")
            folder = argument_of(descendants_named("lttng-relayd")[0], "-o")
            check(os.path.isdir(folder), f"the relay's folder {folder} does not exist")
            ours = set(descendants()) - {work.pid, daemon.process.pid}
            screen.kill()
            start = time.monotonic()
            wait_until(screen.terminal_is_restored, KEEPER_S, "the terminal is restored")
            wait_until(lambda: not descendants_named("lttng-relayd"), KEEPER_S, "the relay has ended")
            wait_until(lambda: not os.path.exists(folder), KEEPER_S, f"the relay's folder {folder} is gone")
            wait_until(lambda: not sessions(), KEEPER_S, "the session is destroyed")
            took = time.monotonic() - start
            check_limit("seconds the keeper took", took, KEEPER_S)
            wait_until(lambda: not {pid for pid in ours & set(descendants()) if "lttng" not in descendants().get(pid, "")},
                       SHARED_MACHINE_S, "the keeper has ended")
            work.do("throw 1")
            check(daemon.process.alive(), "a session daemon that is not nettop's was ended")
            return f"{took:.2f} s"


@test
def sigkill_takes_own_session_daemon_along(env):
    with Workload(env) as work:
        with FullScreen(env, work.pid) as screen:
            screen.wait_for(lambda _: descendants_named("lttng-sessiond") and descendants_named("lttng-relayd"), 15, "nettop starts its daemons")
            screen.wait_for(lambda _: sessions(), 15, "nettop has a session")
            screen.kill()
            wait_until(screen.terminal_is_restored, KEEPER_S, "the terminal is restored")
            wait_until(lambda: not descendants_named("lttng-relayd"), KEEPER_S, "the relay has ended")
            wait_until(lambda: not descendants_named("lttng-sessiond"), SHARED_MACHINE_S, "the session daemon has ended")
            work.do("throw 1")


@test
def a_normal_end_leaves_nothing(env):
    with SessionDaemon(env) as daemon, Workload(env) as work:
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("lttng")
            nettop.stop()
        wait_until(lambda: not set(descendants()) - {work.pid, daemon.process.pid} - set(descendants_named("lttng-consumerd")) -
                   set(descendants_named("lttng-runas")), 2, "nettop's processes have ended")
        wait_until(lambda: not sessions(), 2, "the session is destroyed")
        check(daemon.process.alive(), "a session daemon that is not nettop's was ended")


@test
def relay_killed(env):
    with SessionDaemon(env), Workload(env) as work:
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("lttng")
            wait_delivery(work, nettop, 5)
            os.kill(descendants_named("lttng-relayd")[0], signal.SIGKILL)
            killed = time.monotonic()
            line = nettop.wait_for(lambda line: state_of(line, "lttng") != "delivering", SHARED_MACHINE_S, "the loss is seen")
            sentence = source_of(line, "lttng")["reason"]
            check(sentence, "no sentence says that the relay is gone")
            nettop.wait_for_sources("lttng", seconds=SHARED_MACHINE_S)
            wait_delivery(work, nettop, BACK_S)
            took = time.monotonic() - killed
            summary = nettop.stop()
        check(summary["lost_unknown"], "the gap is not shown as a loss that nobody counted")
        check_limit("seconds until it delivers again", took, BACK_S)
        work.do("throw 1")
        return f"{sentence!r}, counts again {took:.2f} s after the kill"


@test
def session_daemon_killed(env):
    with Workload(env) as work:
        first = SessionDaemon(env)
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("lttng")
            wait_delivery(work, nettop, 5)
            first.process.kill()
            killed = time.monotonic()
            line = nettop.wait_for(lambda line: state_of(line, "lttng") != "delivering", SHARED_MACHINE_S, "the loss is seen")
            sentence = source_of(line, "lttng")["reason"]
            check(sentence, "no sentence says that the session daemon is gone")
            nettop.wait_for(lambda line: state_of(line, "lttng") == "delivering", SHARED_MACHINE_S, "delivers again")
            wait_delivery(work, nettop, BACK_S)
            took = time.monotonic() - killed
            summary = nettop.stop()
        check(summary["lost_unknown"], "the gap is not shown as a loss that nobody counted")
        check_limit("seconds until it delivers again", took, UST_PAUSE_S + BACK_S)
        work.do("throw 1")
        return f"{sentence!r}, counts again {took:.2f} s after the kill"


@test
def target_killed(env):
    with SessionDaemon(env), Workload(env) as work:
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("lttng", "perf", "eventpipe")
            work.do("throw 7")
            work.do("compute 300")
            os.kill(work.pid, signal.SIGKILL)
            work.process.wait(5)
            while nettop.read(SHARED_MACHINE_S):
                pass
            check_equal("exit status", nettop.process.wait(5), 4)
        check(nettop.summary, "no summary after the target's end")
        check_equal("exceptions before the end", nettop.summary["exceptions"]["count"], 7)
        check(nettop.process.stderr_text(), "no sentence says that the target has ended")
        return nettop.process.stderr_text()[-200:]


@test
def frozen_relay_does_not_hold_the_end(env):
    with SessionDaemon(env), Workload(env) as work:
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("lttng")
            relay = descendants_named("lttng-relayd")[0]
            os.kill(relay, signal.SIGSTOP)
            work.do("throw 5")
            nettop.wait_for(lambda line: True, 5, "an interval comes while the relay is frozen")
            start = time.monotonic()
            summary = nettop.stop(seconds=SHARED_MACHINE_S)
            took = time.monotonic() - start
        check_limit("seconds to the end", took, FINISH_S + STOP_S)
        check_equal("complete", summary["complete"], False)
        wait_until(lambda: not descendants_named("lttng-relayd"), 2, "the frozen relay has ended")
        work.do("throw 1")
        return f"the end took {took:.2f} s"

def check_end_is_lost(env, interval_s, fault, amend=lambda relay: None):
    """The relay has a fault by which the end of the program never comes to nettop: nothing of the summary may say that it was read."""
    with SessionDaemon(env), Workload(env, mode="N") as work:
        with Nettop(env, work.pid, "--source", "procfs,lttng", interval_s=interval_s) as nettop:
            nettop.wait_for_sources("lttng")
            work.do("gc 0 5")
            nettop.wait_for(lambda line: line["gc"]["gen0_count"], SHARED_MACHINE_S, "collections")
            relay = descendants_named("lttng-relayd")[0]
            os.kill(relay, fault)
            work.do("gc 0 3")
            work.quit()
            amend(relay)
            check_equal("exit status", nettop.read_to_end(SHARED_MACHINE_S), 4)
        gc = nettop.summary["gc"]
        check(gc["partial"], f"its collections are whole: {gc['covered_ns']} of {nettop.summary['interval_ns']}")
        check_equal("complete", nettop.summary["complete"], False)
        check(nettop.summary["lost_unknown"], f"the end is not shown as a loss that nobody counted: {source_of(nettop.summary, 'lttng')}")
        return f"{gc['covered_ns'] / 1e9:.2f} of {nettop.summary['interval_ns'] / 1e9:.2f} s, {source_of(nettop.summary, 'lttng')['reason']!r}"


@test
def end_is_lost_with_the_relay(env):
    return check_end_is_lost(env, 0.2, signal.SIGKILL)


@long_test
def end_is_late_in_the_relay(env):
    """By more than nettop waits for it."""
    def answer_late(relay):
        time.sleep(4)  # the fault itself, not a wait for something
        os.kill(relay, signal.SIGCONT)
    return check_end_is_lost(env, 6, signal.SIGSTOP, answer_late)


if __name__ == "__main__":
    main()
