#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""With which settings the runtime collects, against GCSettings, which the program itself asks."""
import os

from nt_live import *

SOON_S = 20
# What it is asked for, how many CPUs it may run on (None: all), and what else is in its environment.
ASKED = (({}, None), ({"gcServer": "1"}, None), ({"gcServer": "1", "GCHeapCount": "1"}, None), ({"gcServer": "1"}, 1), ({"gcServer": "1", "PROCESSOR_COUNT": "1"}, None),
         ({"gcServer": "1", "PROCESSOR_COUNT": "2"}, 1), ({"gcServer": "0"}, None))


def on_cpus(count):
    """A command that runs another on so many CPUs."""
    if count is None:
        return ()
    return "taskset", "-c", ",".join(str(cpu) for cpu in sorted(os.sched_getaffinity(0))[:count])


def compare(env, **options):
    said = []
    for dotnet, count in ASKED:
        with Bare(env, dotnet=dotnet, under=on_cpus(count), **options) as work:
            with Nettop(env, work.pid) as nettop:
                line = nettop.wait_for(lambda line: True, SOON_S, "a first interval")
                nettop.stop()
            check_equal(f"server GC with {dotnet} on {count or 'all'} CPUs", line["target"]["server_gc"], work.hello["server_gc"])
            said.append(work.hello["server_gc"])
    check(True in said and False in said, "each of both was there")
    return f"{said.count(True)} with server GC, {said.count(False)} without"


@test
def server_gc_is_what_the_runtime_has(env):
    """Not what it was started with: with one CPU the runtime takes workstation GC, whatever it was asked for."""
    env.need_commands("taskset")
    return compare(env)


@long_test
def dotnet_9(env):
    env.need_commands("taskset")
    return compare(env, program=env.selfcontained("net9.0"))


@long_test
def dotnet_8(env):
    env.need_commands("taskset")
    return compare(env, program=env.selfcontained("net8.0"))


@test
def a_program_that_nettop_starts(env):
    """It has no heap when it is found: the mode is said as soon as there is one."""
    for asked in ("0", "1"):
        with NettopRun(env, "dotnet", env.workload_dll, variables={"DOTNET_gcServer": asked}) as nettop:
            hello = nettop.answer(lambda answer: answer.get("ready"))
            line = nettop.wait_for(lambda line: line["target"]["server_gc"] is not None, SOON_S, "which GC it has")
            nettop.send("quit")
            nettop.read_to_end()
        check_equal(f"server GC with gcServer={asked}", line["target"]["server_gc"], hello["server_gc"])
    return None


if __name__ == "__main__":
    main()
