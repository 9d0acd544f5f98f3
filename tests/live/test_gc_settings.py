#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""With which settings the runtime collects, against GCSettings, which the program itself asks."""
import json
import os
import pathlib

from nt_live import *
from nt_live.workload import SERVER_GC

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


# ---- each setting, and what is odd ----

WORK = ("alloc 300", "gc 2")
CONTAINER_BYTES = 512 << 20
# nettop's names, and those of GC.GetConfigurationVariables(); what the runtime leaves out of these is 0 there.
SAID = {"server": "ServerGC", "concurrent": "ConcurrentGC", "heaps": "HeapCount", "hard_limit_bytes": "GCHeapHardLimit", "loh_threshold_bytes": "LOHThreshold",
        "conserve_memory": "GCConserveMem", "retain_vm": "RetainVM", "no_affinitize": "NoAffinitize", "datas": "GCDynamicAdaptationMode",
        "hard_limit_pct": "GCHeapHardLimitPercent"}
# Variables, and the rules that hold then, on a machine with more than one CPU.
ODD = (
    ({}, ()),
    ({"gcServer": "1"}, ()),
    ({"gcServer": "1", "GCHeapCount": "1"}, ("datas_unlike_default",)),
    ({"gcServer": "1", "GCHeapCount": "200", "GCDynamicAdaptationMode": "0"}, ("heaps_not_taken", "datas_unlike_default")),
    ({"gcServer": "1", "GCNoAffinitize": "1", "GCHeapCount": "10", "PROCESSOR_COUNT": "16"}, ("heaps_not_taken", "processors_beyond_cpus", "datas_unlike_default")),
    ({"gcServer": "1", "PROCESSOR_COUNT": "1"}, ("server_not_taken",)),
    ({"PROCESSOR_COUNT": "16"}, ("workstation_on_many_cpus", "processors_beyond_cpus")),
    ({"gcConcurrent": "0", "GCHeapHardLimit": "10000000", "GCLOHThreshold": "30000", "GCgen0size": "2000000"}, ("concurrent_off",)),
    ({"GCConserveMemory": "9", "GCRetainVM": "1", "GCHeapHardLimitPercent": "1E"}, ("conserves_much",)),
    ({"GCLOHThreshold": "10"}, ("not_taken",)),
)
# The same in a container of CONTAINER_BYTES.
ODD_IN_CONTAINER = (
    ({}, ("hard_limit_of_container",)),
    ({"GCHeapHardLimit": "40000000"}, ("hard_limit_above_container",)),
    ({"GCHeapHardLimitPercent": "32", "GCRetainVM": "1"}, ("hard_limit_of_container", "retains_in_container")),
)


def seen(env, asked, told=True, started=lambda program: None, **options):
    """The settings as nettop has them while the program collects, and as the runtime says them; the odd things."""
    with Bare(env, dotnet=asked, **options) as program:
        started(program)
        with Nettop(env, program.pid) as nettop:
            nettop.wait_for(lambda line: line["gc"]["settings"]["loh_threshold_bytes"]["by"] == "runtime" if told else line["gc"]["covered_ns"], SOON_S, "that it is told")
            for command in WORK:
                program.do(command)
            line = nettop.wait_for(lambda line: line["gc"]["settings"]["heaps"]["by"] == "runtime" and line["gc"]["gen2_count"], SOON_S, "the collections")
            nettop.stop()
        return line["gc"]["settings"], program.do("gc-settings"), {one["rule"]: one["text"] for one in line["gc"]["odd"]}


def check_equal_to_the_runtime(asked, settings, runtime):
    known = 0
    for name, own in SAID.items():
        said = settings[name]["value"]
        if said is None:
            continue
        truth = runtime.get(own, 0)
        if own == "LOHThreshold" and not truth:  # .NET 8 does not say it
            continue
        check_equal(f"{name} with {asked}, by {settings[name]['by']}", said, bool(truth) if isinstance(said, bool) else truth)
        known += 1
    check_equal(f"processors with {asked}", settings["processors"]["value"], runtime["processor_count"])
    check_equal(f"concurrent with {asked}, by GCSettings", settings["concurrent"]["value"], runtime["concurrent"])
    if limit := settings["hard_limit_bytes"]["value"]:
        check_equal(f"hard limit with {asked}, by GCMemoryInfo", limit, runtime["total_available_bytes"])
    for variable, name in (("GCLOHThreshold", "loh_threshold_bytes"), ("GCHeapHardLimit", "hard_limit_bytes"), ("GCHeapCount", "heaps"), ("GCgen0size", "gen0_size_bytes")):
        if variable in asked:
            check_equal(f"{name} as asked", (settings[name]["asked"], settings[name]["asked_by"]), (int(asked[variable], 16), "environment"))
    return known


def compare_settings(env, cases, told=True, **options):
    if os.cpu_count() < 2:
        raise Missing("one CPU: the runtime has no server GC")
    known = 0
    for asked, rules in cases:
        settings, runtime, odd = seen(env, asked, told, **options)
        known += check_equal_to_the_runtime(asked, settings, runtime)
        missing = [rule for rule in rules if rule not in odd and (told or rule != "not_taken")]
        check(not missing, f"with {asked} {missing} holds: {odd}")
        more = odd.keys() - set(rules) - {"workstation_on_many_cpus"}
        check(not more, f"with {asked} nothing else is odd: {odd}")
    return f"{len(cases)} starts, {known} values equal to the runtime's own"


@test
def each_is_what_the_runtime_says(env):
    return compare_settings(env, ODD)


@test
def in_a_container(env):
    with memory_group() as group:
        bytes_ = group.limit(CONTAINER_BYTES)
        detail = compare_settings(env, ODD_IN_CONTAINER, under=group.under)
        settings, _, odd = seen(env, {}, under=group.under)
    check_equal("hard limit by default", settings["hard_limit_bytes"]["value"], bytes_ * 3 // 4)
    check_equal("as a sentence", odd["hard_limit_of_container"], "hard limit 384M, 75 % of the container's 512M: the runtime's default")
    return detail


@test
def cpus_that_are_taken_away(env):
    """At its start it makes no more heaps than it has CPUs."""
    cpu = min(os.sched_getaffinity(0))

    def take(program):
        for tid in os.listdir(f"/proc/{program.pid}/task"):
            os.sched_setaffinity(int(tid), {cpu})
    settings, _, odd = seen(env, SERVER_GC, started=take)
    check_equal("heaps", settings["heaps"]["value"], 2)
    check_equal("as a sentence", odd.get("heaps_beyond_cpus"), "2 heaps, each with a thread that collects, on 1 CPU")


@test
def by_the_file(env):
    """What runtimeconfig.json says, as a number and as text; a variable wins over it."""
    config = json.loads(pathlib.Path(env.workload_dll).with_suffix(".runtimeconfig.json").read_text(encoding="utf-8"))
    config["runtimeOptions"]["configProperties"] |= {"System.GC.HeapHardLimit": 300 << 20, "System.GC.LOHThreshold": "0x30000", "System.GC.Concurrent": False,
                                                     "System.GC.ConserveMemory": 8}
    own = env.scratch / "own.runtimeconfig.json"
    own.write_text(json.dumps(config), encoding="utf-8")
    own.chmod(0o644)
    settings, runtime, odd = seen(env, {"GCConserveMemory": "3"}, under=("sh", "-c", f'exec dotnet exec --runtimeconfig {own} "$1"'))
    check_equal_to_the_runtime({}, settings, runtime)
    asked = {name: (said["asked"], said["asked_by"]) for name, said in settings.items() if said["asked_by"]}
    check_equal("what is asked for", asked, {"hard_limit_bytes": (300 << 20, "runtimeconfig"), "loh_threshold_bytes": (0x30000, "runtimeconfig"),
                                             "concurrent": (False, "runtimeconfig"), "conserve_memory": (3, "environment")})
    check_equal("what is odd", set(odd), {"concurrent_off"})


@long_test
def each_with_dotnet_9(env):
    cases = [(asked, [rule for rule in rules if rule != "datas_unlike_default" or "GCHeapCount" not in asked]) for asked, rules in ODD]
    return compare_settings(env, cases, program=env.selfcontained("net9.0"))


@long_test
def each_with_dotnet_8(env):
    """Its runtime is not asked: that would list all of its methods. What was asked for, and the default, is what it has then, but where it does not take what was asked for."""
    cases = [(asked, rules) for asked, rules in ODD if "not_taken" not in rules and "GCDynamicAdaptationMode" not in asked]
    cases = [(asked, [rule for rule in rules if rule != "datas_unlike_default"]) for asked, rules in cases]
    return compare_settings(env, cases, told=False, program=env.selfcontained("net8.0"))


if __name__ == "__main__":
    main()
