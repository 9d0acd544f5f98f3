#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The perf map of a target that was started with nothing: switched on through its diagnostics port, and everything as before when nobody watches any more."""
import os
import pathlib
import signal
import socket
import time

from nt_live import *
from nt_live.bare import contained, open_files
from nt_live.nettop import source_of, state_of

NAMED_S = 15.0  # until a busy method has its name; measured and printed, the aim is 2 s
UNDONE_S = 10.0  # until the keeper has undone what a killed nettop did
SEEN_S = 20.0
SPIN = "Workload.Compute.Spin"


def named(nettop):
    return nettop.wait_for(lambda line: any(row["name"].startswith(SPIN) and row["kind"] == "jit" and row["self_samples"] for row in line["methods"]),
                           NAMED_S, "the busy method has its name")


def names_and_leaves_nothing(env, **options):
    with Bare(env, **options) as work:
        work.spin()
        start = time.monotonic()
        with Nettop(env, work.pid, "--source", "perf,map") as nettop:
            line = named(nettop)
            took = time.monotonic() - start
            check("switched on by nettop" in source_of(line, "map")["reason"], f"the map says {source_of(line, 'map')}")
            check(work.writes_map() and work.map.exists(), "the target writes no map")
            nettop.stop()
        check_equal("left behind", work.leftovers(), [])
        return f"named after {took:.2f} s"


@test
def named_without_a_restart(env):
    return names_and_leaves_nothing(env)


@long_test
def dotnet_8(env):
    return names_and_leaves_nothing(env, program=env.selfcontained("net8.0"))


@long_test
def dotnet_9(env):
    return names_and_leaves_nothing(env, program=env.selfcontained("net9.0"))


@test
def readonly_changes_nothing(env):
    with Bare(env) as work, Nettop(env, work.pid, "--source", "perf,map", "--readonly") as nettop:
        nettop.wait_for(lambda line: state_of(line, "map") == "absent", SEEN_S, "the map is absent")
        check_equal("changed", work.leftovers(), [])
        nettop.stop()
        check_equal("changed", work.leftovers(), [])


@test
def killed(env):
    """The keeper undoes it."""
    with Bare(env) as work, Nettop(env, work.pid, "--source", "perf,map") as nettop:
        nettop.wait_for_sources("map")
        check(work.writes_map(), "the target writes no map")
        nettop.process.signal(signal.SIGKILL)
        wait_until(lambda: not work.leftovers(), UNDONE_S, lambda: f"nothing is left; still there: {work.leftovers()}")
        work.do("jit-expr 20")


def two(env, first_leaves, kill):
    """Two on one target: the map stays until the second one leaves, and its methods are there once."""
    with Bare(env) as work, Nettop(env, work.pid, "--source", "perf,map") as one:
        one.wait_for_sources("map")
        with Nettop(env, work.pid, "--source", "perf,map") as other:
            other.wait_for_sources("map")
            lines = [line.split(" ", 2)[2] + line.split(" ")[0] for line in work.map.read_text("utf-8", "replace").splitlines()]
            check_equal("lines that are there twice", len(lines) - len(set(lines)), 0)
            early, late = (one, other) if first_leaves else (other, one)
            if kill:
                early.process.signal(signal.SIGKILL)
                early.process.wait(SEEN_S)
            else:
                early.stop()
            check(work.writes_map() and work.map.exists(), "the map is gone while somebody watches")
            late.wait_for(lambda line: state_of(line, "map") == "delivering", SEEN_S, "the one that is left still delivers")
            late.stop()
        wait_until(lambda: not work.leftovers(), UNDONE_S, lambda: f"nothing is left; still there: {work.leftovers()}")


@long_test
def two_and_the_first_leaves(env):
    two(env, first_leaves=True, kill=False)


@long_test
def two_and_the_second_leaves(env):
    two(env, first_leaves=False, kill=False)


@test
def two_and_the_first_is_killed(env):
    two(env, first_leaves=True, kill=True)


@test
def on_for_somebody_else(env):
    """A map that the target was started with is nobody's to switch off."""
    with Workload(env, mode="none", lttng=False) as work, Nettop(env, work.pid, "--source", "perf,map") as nettop:
        nettop.wait_for_sources("map")
        nettop.stop()
        check(any(f"perf-{work.pid}.map" in target for target in open_files(work.pid)), "the map is off")
        check(pathlib.Path(f"/tmp/perf-{work.pid}.map").exists(), "the map is removed")


@test
def stopped_target(env):
    """A sentence, intervals in time, and names when it goes on."""
    with Bare(env) as work:
        os.kill(work.pid, signal.SIGSTOP)
        with Nettop(env, work.pid, "--source", "perf,map") as nettop:
            line = nettop.wait_for(lambda line: "is stopped" in (source_of(line, "map").get("reason") or ""), SEEN_S, "a word about the stopped target")
            check_equal("fix", source_of(line, "map")["fix"], f"kill -CONT {work.pid}")
            for _ in range(5):
                nettop.wait_for(lambda _: True, SEEN_S, "the next interval")
            os.kill(work.pid, signal.SIGCONT)
            work.spin()
            named(nettop)
            os.kill(work.pid, signal.SIGSTOP)
            nettop.stop()
            check(not work.map.exists(), "the map is still there")
            os.kill(work.pid, signal.SIGCONT)
            wait_until(lambda: not work.leftovers(), UNDONE_S, lambda: f"nothing is left; still there: {work.leftovers()}")
        return source_of(line, "map")["reason"]


@test
def diagnostics_switched_off(env):
    with Bare(env, dotnet={"EnableDiagnostics": "0"}) as work, Nettop(env, work.pid, "--source", "perf,map") as nettop:
        line = nettop.wait_for(lambda line: "switched off" in (source_of(line, "map").get("reason") or ""), SEEN_S, "a word about the port")
        return source_of(line, "map")["reason"]


@test
def dead_socket(env):
    """One that a former process of this pid left behind, in place of the target's own."""
    with Bare(env) as work:
        own = next(pathlib.Path(os.environ["TMPDIR"]).glob(f"dotnet-diagnostic-{work.pid}-*-socket"))
        own.unlink()
        with Nettop(env, work.pid, "--source", "perf,map") as nettop:
            line = nettop.wait_for(lambda line: "no dotnet-diagnostic-" in (source_of(line, "map").get("reason") or ""), SEEN_S, "a word about the socket")
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(own))
        with Nettop(env, work.pid, "--source", "perf,map") as nettop:
            line = nettop.wait_for(lambda line: "nobody listens" in (source_of(line, "map").get("reason") or ""), SEEN_S, "a word about the dead socket")
        return source_of(line, "map")["reason"]


@test
def another_users_process(env):
    """As that user, who may do this; and as root, whose request is as good, but whose files must be the user's."""
    env.need_commands("setpriv")
    user = ("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups")
    variables = {"HOME": "/", "DOTNET_CLI_HOME": "/"}
    detail = names_and_leaves_nothing(env, under=user, variables=variables)
    with Bare(env, under=user, variables=variables) as work:
        with Nettop(env, work.pid, "--source", "map", prefix=user) as nettop:
            nettop.wait_for_sources("map")
            check(work.writes_map(), "the target writes no map")
            with Nettop(env, work.pid, "--source", "map") as root:
                root.wait_for_sources("map")
                nettop.stop()
                check(work.writes_map() and work.map.exists(), "the map is gone while root watches")
                root.stop()
        check_equal("left behind", work.leftovers(), [])
    return detail


@test
def container(env):
    with contained(env) as (work, pid, view):
        before = sorted(path.name for path in view.iterdir())
        work.spin()
        with Nettop(env, pid, "--source", "perf,map") as nettop:
            named(nettop)
            check(any(path.name.startswith("perf-") for path in view.iterdir()), f"no map in the container: {list(view.iterdir())}")
            nettop.stop()
        check_equal("what is in the container's folder", sorted(path.name for path in view.iterdir()), before)


if __name__ == "__main__":
    main()
