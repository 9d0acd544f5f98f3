#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A source that brings the runtime's events falls silent for long, and another takes its place: each event counts once."""
import glob
import os
import shutil

from nt_live import *
from nt_live.environment import mounted
from nt_live.nettop import source_of, state_of

PATIENCE_S = 60  # LTTng has to be silent for 5 s, and to deliver for 8 s


def owned(line):
    """What EventPipe tells of: beside LTTng what that cannot tell, which is not the same in each version of .NET."""
    return set((source_of(line, "eventpipe").get("owns") or "").split())


def wait_owner(nettop, all_of_it):
    nettop.wait_for(lambda line: state_of(line, "eventpipe") == "delivering" and {"exc", "pool"} <= owned(line) and ("gc" in owned(line)) == all_of_it, PATIENCE_S,
                    f"EventPipe delivers {'all' if all_of_it else 'what LTTng does not'}")


@long_test
def lttng_falls_silent_and_comes_back(env):
    """The session daemon is killed and cannot be started; later there is one again."""
    collected = 0

    def collect(count):
        nonlocal collected
        work.do(f"gc 0 {count}")
        collected += count

    with Workload(env, mode="N") as work:
        first = SessionDaemon(env)
        work.settle()
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("lttng", "eventpipe")
            wait_owner(nettop, False)
            collect(10)
            nettop.wait_for(lambda line: (line["gc"]["gen0_count"] or 0) > 0, 20, "LTTng delivers collections")
            with mounted("--bind", shutil.which("false"), shutil.which("lttng-sessiond")):
                first.process.kill()
                nettop.wait_for(lambda line: state_of(line, "lttng") == "stalled", PATIENCE_S, "LTTng is silent")
                wait_owner(nettop, True)
                collect(30)
            with SessionDaemon(env):
                nettop.wait_for_sources("lttng", seconds=PATIENCE_S)
                while "gc" in owned(nettop.intervals[-1]):
                    collect(1)
                    nettop.wait_for(lambda line: True, 20, "an interval")
                collect(20)
                summary = nettop.stop()
        # The runtime makes a collection of generation 0 one of an older generation when it is time for one.
        check_equal("collections", sum(summary["gc"][f"gen{generation}_count"] for generation in range(3)), collected)
        check(summary["lost_unknown"], "the gap is not shown")
        return f"{collected} collections, {source_of(summary, 'lttng')['duplicate']} twice by LTTng, {source_of(summary, 'eventpipe')['duplicate']} by EventPipe"


@long_test
def eventpipe_that_cannot_be_had(env):
    """LTTng was left out because EventPipe brings more; then there is no EventPipe."""
    with SessionDaemon(env), Workload(env, mode="none") as work:
        for path in glob.glob(f"{os.environ.get('TMPDIR', '/tmp')}/dotnet-diagnostic-{work.pid}-*-socket"):
            os.unlink(path)
        with Nettop(env, work.pid) as nettop:
            line = nettop.wait_for(lambda line: state_of(line, "eventpipe") == "absent", PATIENCE_S, "EventPipe is not there")
            nettop.wait_for_sources("lttng", seconds=PATIENCE_S)
            nettop.stop()
        return source_of(line, "eventpipe")["reason"]


if __name__ == "__main__":
    main()
