#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop run without LTTng: counts and names from the first event on, launchers, and commands that are no program to watch. Over LTTng, and signals: test_run.py."""
import os
import pathlib
import resource
import signal
import time

from nt_live import *
from nt_live.launched import run_shortly
from nt_live.made_files import MadeFiles
from nt_live.nettop import WORK, source_of

# Ends with a status of its own, so that it is told from that of the program in it.
SCRIPT = '#!/bin/sh\necho building\n"$@"\necho "done $?"\nexit 7\n'
LOCKS = next(int(command.split()[1]) for command in WORK if command.startswith("locks "))
PENDING_SHARE = 0.01


def check_contentions(contention, all_of_them):
    """Equal, too, where they are covered from the start. Over LTTng alone those for a System.Threading.Lock are not: the runtime may have had some of its own."""
    least = LOCKS if contention["partial"] else all_of_them
    check(least <= (contention["count"] or 0) <= all_of_them, f"contentions since the start: {contention['count']}, expected {least} to {all_of_them}")


def check_counts(summary, mark):
    """From the very first: equal to the runtime's counters since its start."""
    gc = summary["gc"]
    methods, least, most = summary["jit"]["method_count"], mark["jit_method_count"], mark["jit_method_count_most"]
    check(methods is not None and least <= methods <= most, f"methods compiled since the start: {methods}, expected {least} to {most}")
    check_equal("collections since the start", [gc[f"gen{n}_count"] for n in range(3)],
                [mark["gc0_count"] - mark["gc1_count"], mark["gc1_count"] - mark["gc2_count"], mark["gc2_count"]])
    check_equal("exceptions since the start", summary["exceptions"]["count"], mark["exception_count"])
    check_contentions(summary["contention"], mark["contention_count"])
    names = [row["name"] for row in summary["jit"]["methods"]]
    check("Workload.Program.Main()" in names, f"Main is not among the compiled methods: {names[:20]}")
    for source in summary["sources"]:
        check_equal(f"losses of {source['name']}", source["lost"], 0)
    return f"{mark['jit_method_count']} methods, {mark['gc0_count']} collections"


@test
def counts_from_the_first_event(env):
    """As it is without a word: the program waits until EventPipe reads, and LTTng has no part in it."""
    env.need_commands("dotnet")
    with NettopRun(env, "dotnet", env.workload_dll) as nettop:
        # What the runtime has written is read a tenth of a second later: the rest is lost with a process that is killed.
        mark = nettop.work_and_kill(1500, counters=True)
        check_equal("exit status", nettop.read_to_end(), 128 + signal.SIGKILL)
        check_equal("state of LTTng", source_of(nettop.summary, "lttng")["state"], "unused")
        return check_counts(nettop.summary, mark)


@long_test
def counts_from_the_first_event_over_lttng(env):
    env.need_commands("dotnet")
    with NettopRun(env, "dotnet", env.workload_dll, options=("--source", "perf,lttng,eventpipe,map")) as nettop:
        mark = nettop.work_and_kill()
        check_equal("exit status", nettop.read_to_end(), 128 + signal.SIGKILL)
        return check_counts(nettop.summary, mark)


@test
def a_script_is_followed(env):
    env.need_commands("dotnet")
    script = env.scratch / "start.sh"
    script.write_text(SCRIPT, encoding="ascii")
    script.chmod(0o755)
    with NettopRun(env, script, "dotnet", env.workload_dll) as nettop:
        mark = nettop.work_and_kill()
        check_equal("exit status, the script's own", nettop.read_to_end(), 7)
        check("done 137" in nettop.process.stderr_text(), f"the script did not go on: {nettop.process.stderr_text()[-500:]}")
        return check_counts(nettop.summary, mark)


def dotnet_run():
    """The command that starts the workload as somebody at his desk does."""
    return "dotnet", "run", "--no-build", "-c", "Release", "--project", pathlib.Path(__file__).resolve().parent / "workload/workload.csproj"


def variables_of_sdk(env):
    build = pathlib.Path(env.workload_dll).parents[3]
    return {"HOME": str(build / "home"), "DOTNET_CLI_HOME": str(build / "home"), "ArtifactsPath": str(build), "DOTNET_NOLOGO": "1",
            "DOTNET_CLI_TELEMETRY_OPTOUT": "1"}


@test
def dotnet_run_is_followed(env):
    """The SDK's own process is a .NET process, too, and not the one to watch."""
    env.need_commands("dotnet")
    with NettopRun(env, *dotnet_run(), variables=variables_of_sdk(env)) as nettop:
        mark = nettop.work_and_kill()
        nettop.read_to_end()
        check_equal("name of the target", nettop.summary["target"]["name"], "workload")
        return check_counts(nettop.summary, mark)


@long_test
def dotnet_run_over_eventpipe(env):
    """The program does not know the port at which nettop would hold it: nobody waits for it there, nor for a program that has died."""
    env.need_commands("dotnet")
    for killed in (False, True):
        with NettopRun(env, *dotnet_run(), variables=variables_of_sdk(env), options=("--source", "eventpipe")) as nettop:
            pid = nettop.answer(lambda answer: answer.get("ready"))["pid"]
            ready = time.monotonic()
            if killed:
                wait_until(lambda: "its first events are missed" in nettop.process.stderr_text(), 8, "nettop has found the program")
            else:
                nettop.wait_for_sources("eventpipe", seconds=8)
                check("its first events are missed" in nettop.process.stderr_text(), f"not told: {nettop.process.stderr_text()[-500:]}")
            os.kill(pid, signal.SIGKILL)
            nettop.read_to_end(15)
    return f"{time.monotonic() - ready:.1f} s from the start to the end"


@test
def commands_that_are_no_program_to_watch(env):
    for command, expected, words in (
            (("no-such-program",), 127, "there is no such program"),
            ((env.scratch,), 126, "Permission denied"),
            (("sh", "-c", "echo told; exit 3"), 3, "before there was a .NET program to watch: exit status 3"),
            (("sh", "-c", "kill -SEGV $$"), 128 + signal.SIGSEGV, "killed by SIGSEGV"),
            (("false",), 1, "exit status 1")):
        status, said, summary = run_shortly(env, *command, options=("--source", "perf"))
        check_equal(f"exit status of {command}", status, expected)
        check(words in said, f"{command}: '{words}' is not in: {said}")
        check(summary is None, f"{command}: a summary of nothing")
    check("told" in run_shortly(env, "sh", "-c", "echo told")[1], "the program's output does not come through")


@test
def room_for_the_descriptors_of_the_program(env):
    """It need not make room when it has threads, which takes an RCU grace period each time; unless it may not have as many."""
    def room():
        status, said, _ = run_shortly(env, "grep", "FDSize", "/proc/self/status", options=("--source", "perf"))
        check_equal(f"exit status ({said})", status, 0)
        return int(said.partition("FDSize:")[2].split()[0])
    check(room() >= 512, f"room for {room()} descriptors only")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, limits[1]))
    try:
        check(room() <= 256, f"room for {room()} descriptors, of 200")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@test
def without_lttng_nothing_is_set_for_it(env):
    """The variables of mode N cost the program something, and nobody would read what they bring."""
    env.need_commands("dotnet")
    with NettopRun(env, "dotnet", env.workload_dll, options=("--source", "perf,map")) as nettop:
        pid = nettop.answer(lambda answer: answer.get("ready"))["pid"]
        names = [word.partition("=")[0] for word in pathlib.Path(f"/proc/{pid}/environ").read_text(encoding="utf-8", errors="replace").split("\0")]
        nettop.send("quit")
        nettop.read_to_end()
        check_equal("variables of the runtime that were set", [name for name in names if name.startswith("DOTNET_") and name != "DOTNET_ROOT"],
                    ["DOTNET_PerfMapEnabled"])
        check_equal("a folder of libraries", "LD_LIBRARY_PATH" in names, "LD_LIBRARY_PATH" in os.environ)


def first_second(env, *command, options=()):
    """Of a program that computes for a second and ends: the perf maps that it made, and what nettop says in the end."""
    with MadeFiles() as made, NettopRun(env, *command, options=(*MANY_SAMPLES, *options)) as nettop:
        pid = nettop.answer(lambda answer: answer.get("ready"))["pid"]
        nettop.send("compute 1000")
        nettop.answer(lambda answer: answer.get("cmd") == "compute")
        nettop.send("quit")
        nettop.read_to_end()
        return made.maps_of(pid), nettop.summary


@test
def named_from_the_start_without_a_map(env):
    """The runtime's own data name its code, and events until somebody reads them: held at its start or followed through a script, it writes no map, and no sample lacks a name for want of one."""
    named_from_the_start(env, (script_of(env), (), False))


@long_test
def named_from_the_start_each_way(env):
    named_from_the_start(env, (("dotnet", env.workload_dll), (), False), (script_of(env), ("--map",), True))


def script_of(env):
    return "sh", "-c", 'dotnet "$0"; true', env.workload_dll


def named_from_the_start(env, *ways):
    env.need_commands("dotnet")
    for command, options, has_map in ways:
        made, summary = first_second(env, *command, options=options)
        check_equal(f"maps that {command[0]} {options} made", len(made), has_map)
        reasons = summary["naming"]["reasons"]
        check_equal(f"reasons by {command[0]} {options}", {key: count for key, count in reasons.items() if key.startswith("perf_map") or key == "code_without_name"}, {})
        # Where others want the CPUs as well, whoever looks up the last one may not get one before the program has ended.
        check_limit("share of samples whose names were still asked for in the end", reasons.get("pending", 0) / summary["cpu"]["samples"], PENDING_SHARE)
        spin = next((row for row in summary["methods"] if row["name"].startswith("Workload.Compute.Spin(")), None)
        check(spin and spin["self_samples"] > 0.5 * MANY_HZ, f"what it computed in is not named: {[row['name'] for row in summary['methods'][:6]]}")


if __name__ == "__main__":
    main()
