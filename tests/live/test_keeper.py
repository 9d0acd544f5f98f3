#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The keeper itself is killed: another one takes its place within a second, knows all that it knew, and undoes it when nettop is killed."""
import os
import pathlib
import signal
import time

from nt_live import *
from nt_live.process import descendants

NOTICED_S = 1.0  # what the issue promises
UNDONE_S = 10.0
THROWS = 100_000  # some 10 MB of events: much more than a socket holds
REPLACED, ALONE = "another one has taken its place", "no other can take its place"


def keepers_of(nettop):
    """Itself and the spare, in the order in which they were made."""
    return sorted(pid for pid, name in descendants(nettop.process.pid).items() if name == "nettop-keeper")


def both_keepers(nettop):
    return wait_until(lambda: len(pids := keepers_of(nettop)) == 2 and pids, UNDONE_S, lambda: f"a keeper and a spare: {keepers_of(nettop)}")


def folders_of(nettop):
    """The runtime folder, by nettop's relay's command line."""
    for pid, name in descendants(nettop.process.pid).items():
        if name == "lttng-relayd":
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            return pathlib.Path(words[words.index("-o") + 1]).parent
    raise Failure("nettop has no relay")


def times_said(nettop, sentence):
    return nettop.process.stderr_text().count(sentence)


def kill_keeper(nettop, times):
    keeper = both_keepers(nettop)[0]
    os.kill(keeper, signal.SIGKILL)
    start = time.monotonic()
    wait_until(lambda: times_said(nettop, REPLACED) == times and keeper not in keepers_of(nettop) and len(keepers_of(nettop)) == 2, NOTICED_S,
               lambda: f"the keeper is replaced: {keepers_of(nettop)} {nettop.process.stderr_text()[-400:]}")
    return time.monotonic() - start


@test
def a_killed_keeper_is_replaced(env):
    """Twice; then nettop is killed, with a session daemon, a relay, a session, streams and a perf map of its own."""
    with Workload(env, mode="N", perf_map=False) as work:
        with Nettop(env, work.pid, "--map") as nettop:
            nettop.wait_for_sources("lttng", "map", "eventpipe", seconds=30)
            folder, perf_map = folders_of(nettop), pathlib.Path(f"/tmp/perf-{work.pid}.map")
            nettop.wait_for(lambda line: perf_map.exists(), 30, "the map is on")
            check(sessions() and perf_map.exists() and folder.exists(), "nothing is there that could be left")
            took = max(kill_keeper(nettop, 1), kill_keeper(nettop, 2))
            nettop.wait_for(lambda line: True, 10, "nettop goes on")
            nettop.wait_for_sources("lttng", "map", "eventpipe")
            nettop.process.signal(signal.SIGKILL)

            def left():
                daemons = [name for name in descendants().values() if name.startswith(("lttng-", "nettop"))]
                return daemons + [str(path) for path in (folder, perf_map) if path.exists()]

            wait_until(lambda: not left(), UNDONE_S, lambda: f"all is undone; left: {left()}")
        work.do("throw 1")
        return f"{took:.2f} s"


@test
def and_the_end_is_as_ever(env):
    with Bare(env) as work:
        with Nettop(env, work.pid, "--map") as nettop:
            nettop.wait_for_sources("map", "eventpipe")
            kill_keeper(nettop, 1)
            nettop.stop()
        check_equal("left behind", work.leftovers(), [])


@test
def what_the_new_one_holds_it_shuts_down(env):
    """A stream of EventPipe's: nettop stands still, and the target must not."""
    with Bare(env) as work, Nettop(env, work.pid, "--source", "eventpipe") as nettop:
        nettop.wait_for_sources("eventpipe")
        kill_keeper(nettop, 1)
        work.process.send_line(f"throw {THROWS}")
        nettop.wait_for(lambda line: line["exceptions"]["count"], 20, "exceptions are seen")
        nettop.process.signal(signal.SIGSTOP)
        check_equal("exceptions caught", work._answer(60)["caught"], THROWS)
        check_equal("exit status of the target", work.quit(), 0)


@test
def a_killed_spare_is_replaced_without_a_word(env):
    with Bare(env) as work, Nettop(env, work.pid, "--source", "procfs") as nettop:
        nettop.wait_for_sources("procfs")
        keeper, spare = both_keepers(nettop)
        os.kill(spare, signal.SIGKILL)
        wait_until(lambda: (pids := keepers_of(nettop)) and len(pids) == 2 and keeper in pids and spare not in pids, 5, lambda: f"another spare: {keepers_of(nettop)}")
        nettop.stop()
        check_equal("said", nettop.process.stderr_text(), "")


@test
def without_any_nettop_says_so_and_goes_on(env):
    with Bare(env) as work:
        with Nettop(env, work.pid, "--source", "eventpipe,procfs") as nettop:
            nettop.wait_for_sources("eventpipe")
            both = both_keepers(nettop)
            nettop.process.signal(signal.SIGSTOP)
            for pid in both:
                os.kill(pid, signal.SIGKILL)
            nettop.process.signal(signal.SIGCONT)
            wait_until(lambda: times_said(nettop, ALONE) == 1, NOTICED_S, lambda: f"it is said: {nettop.process.stderr_text()[-400:]}")
            nettop.wait_for(lambda line: True, 10, "nettop goes on")
            nettop.stop()
            check_equal("how often it is said", times_said(nettop, ALONE), 1)
        check_equal("left behind", work.leftovers(), [])


if __name__ == "__main__":
    main()
