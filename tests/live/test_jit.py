#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# alone: LTTng declares events late on a busy machine, and babeltrace 2.0 writes beyond an array then (doc/ARCHITECTURE.md, source/lttng)
"""nettop jit: counts and times of the runtime's JitInfo, its parts, comparisons, and commands that are no program to report of."""
import contextlib
import json
import os
import shutil
import signal
import subprocess

from nt_live import *
from nt_live.jit_report import SECTIONS, check_parts, named, script_of

COMPILER = ".NET Tiered Com"  # as the kernel cuts it
TICK_NS = 10**9 // os.sysconf("SC_CLK_TCK")
ENOUGH_NS = 8 * TICK_NS


@test
def what_lttng_does_not_bring_eventpipe_does(env):
    """Which is known when the runtime is up. The program of a script; the next one, which waits at its start as well, goes on."""
    env.need_commands("dotnet")
    script = script_of(env, "start.sh", '"$@" </dev/null', '"$@" </dev/null')
    with NettopJit(env, script, "dotnet", env.workload_dll, variables={"DOTNET_LTTng": "0"}) as nettop:
        check_equal(f"exit status ({nettop.process.stderr_text()})", nettop.read_to_end(), 0)
        check_parts(nettop.report)
        check(named(nettop.report, "methods", "Workload.Program.Main()"), "no Main")


@test
def a_process_that_runs(env):
    with Workload(env) as work:
        with NettopJit(env, options=("-p", work.pid)) as nettop:
            wait_until(sessions, 20, "nettop has a session")
            work.settle()
            # Until some of it was seen for certain: what is compiled before the first event is not counted.
            before = work.mark()
            for _ in range(5):
                work.do("jit-dynamic 30")
            seen = work.mark().since(before)["jit_method_count"]
            nettop.process.signal(signal.SIGINT)
            check_equal("exit status", nettop.read_to_end(), 0)
            report = nettop.report
    check_parts(report)
    check(not report["from_start"], "it is said to be from the start")
    check(0 < report["total"]["dynamic_count"] <= seen, f"{report['total']['dynamic_count']} dynamic methods of {seen} compilations")


@test
def for_some_time_and_compared(env):
    """Of the stand-in, which compiles the same each time."""
    old = env.scratch / "old.json"
    with NettopJit(env, env.fakeclr, "jit-dynamic 20", "quit") as nettop:
        status = nettop.read_to_end()
        check_equal(f"exit status ({nettop.process.stderr_text()})", status, 0)
        check_parts(nettop.report)
        old.write_text(json.dumps(nettop.report), encoding="utf-8")
        before = nettop.report
    with NettopJit(env, env.fakeclr, "jit-dynamic 25", "generics 3", options=("-d", "2", "--compare", old)) as nettop:
        nettop.read_to_end()
        check(descendants_named("fakeclr") == [], "the program goes on")
        compared = nettop.report
    check_equal("type", compared["type"], "jit_compare")
    methods = compared["total"]["method_count"]
    check_equal("methods before", methods["old"], before["total"]["method_count"])
    check_equal("methods more", methods["difference"], methods["new"] - methods["old"])
    dynamic = compared["total"]["dynamic_count"]
    check_equal("dynamic methods", [dynamic["old"], dynamic["new"], dynamic["difference"]], [20, 25, 5])
    appeared = [line for line in compared["methods"] if line["old"] is None]
    check(appeared and all(line["count_difference"] == line["new"]["count"] for line in appeared), f"nothing new: {appeared}")


COMPILES = """printf 'jit-dynamic 30\\nquit\\n' | "$@" >/dev/null"""


@contextlib.contextmanager
def others_that_want_the_cpu(cpu):
    busy = [subprocess.Popen(["taskset", "-c", str(cpu), "sh", "-c", "while :; do :; done"]) for _ in range(3)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def compiled_on_one_cpu(env, cpu):
    script = script_of(env, "start.sh", COMPILES)
    with NettopJit(env, "taskset", "-c", cpu, script, "dotnet", env.workload_dll) as nettop:
        check_equal(f"exit status ({nettop.process.stderr_text()})", nettop.read_to_end(), 0)
        check_parts(nettop.report)
        total = nettop.report["total"]
        for section in SECTIONS:
            check_equal(f"sum of CPU time of the {section}", sum(line["cpu_ns"] for line in nettop.report[section]), total["jit_cpu_ns"])
        check_equal("compilations whose CPU time is known", total["jit_cpu_count"], total["method_count"])
        check(total["jit_cpu_ns"] < total["cpu_ns"] and total["cpu_pct"] < 100, f"more than all: {total}")
        return total


@test
def a_cpu_that_others_want_as_well(env):
    """Time by the clock is then mostly theirs; what compiling takes is as much as when it is alone."""
    env.need_commands("dotnet", "taskset")
    cpu = min(os.sched_getaffinity(0))
    alone = compiled_on_one_cpu(env, cpu)
    with others_that_want_the_cpu(cpu):
        beside = compiled_on_one_cpu(env, cpu)
    check_limit("CPU time of compiling beside time by the clock", beside["jit_cpu_ns"] / beside["time_ns"], 0.6)
    check_within("CPU time of compiling beside others, ns", beside["jit_cpu_ns"], alone["jit_cpu_ns"], relative=0.6)
    check_within("share of compiling beside others, %", beside["cpu_pct"], alone["cpu_pct"], absolute=15)
    return f"share {alone['cpu_pct']:.0f} % alone, {beside['cpu_pct']:.0f} % beside three; by the clock {100 * beside['time_ns'] / beside['cpu_ns']:.0f} %"


@long_test
def several_runs_compared_with_themselves(env):
    """Of the stand-in, which compiles the same each time; the setting is told, and that it differs."""
    runs, command = ("--repeat", "2"), (env.fakeclr, "jit-dynamic 20", "quit")
    old = env.scratch / "old.json"
    with NettopJit(env, *command, options=runs) as nettop:
        check_equal(f"exit status ({nettop.process.stderr_text()})", nettop.read_to_end(), 0)
        check_equal("runs", nettop.report["runs"], 2)
        for side in ("least", "total", "most"):
            check_equal(f"dynamic methods, {side}", nettop.report[side]["dynamic_count"], 20)
        check_equal("settings", nettop.report["settings"], {})
        old.write_text(json.dumps(nettop.report), encoding="utf-8")
    with NettopJit(env, *command, options=(*runs, "--compare", old), variables={"DOTNET_ReadyToRun": "0"}) as nettop:
        check_equal(f"exit status ({nettop.process.stderr_text()})", nettop.read_to_end(), 0)
        count = nettop.report["total"]["method_count"]
        check_equal("methods", [count["difference"], count["within_spread"]], [0, True])
        check_equal("settings", [nettop.report[side]["settings"] for side in ("old", "new")], [{}, {"DOTNET_ReadyToRun": "0"}])
    done = subprocess.run([env.nettop, "jit", "--compare", old, "--", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          text=True, timeout=60, check=False, env=os.environ | {"DOTNET_ReadyToRun": "0"})
    for words in ("new settings: ReadyToRun was off (DOTNET_ReadyToRun=0)", "THE SETTINGS DIFFER", "how much runs differ by themselves is not known"):
        check(words in done.stdout, f"'{words}' is not in:\n{done.stdout}")


@test
def settings_of_a_runtimeconfig(env):
    """What the file sets is told where no variable says otherwise, and of the runtime: here that nothing is compiled twice."""
    env.need_commands("dotnet")
    folder = env.scratch / "configured"
    shutil.copytree(os.path.dirname(env.workload_dll), folder)
    file = folder / "workload.runtimeconfig.json"
    config = json.loads(file.read_text(encoding="utf-8"))
    config["runtimeOptions"].setdefault("configProperties", {}).update(
        {"System.Runtime.TieredCompilation": False, "System.Runtime.TieredPGO": False, "System.GC.Concurrent": False})
    file.write_text(json.dumps(config), encoding="utf-8")
    with NettopJit(env, "dotnet", folder / "workload.dll", variables={"DOTNET_TieredPGO": "1"}) as nettop:
        nettop.send("quit")
        check_equal(f"exit status ({nettop.process.stderr_text()})", nettop.read_to_end(), 0)
        report = nettop.report
    check_equal("settings", report["settings"], {"DOTNET_TieredPGO": "1", "System.GC.Concurrent": "false", "System.Runtime.TieredCompilation": "false"})
    check_equal("settings that a variable overrules", report["settings_overruled"], {"System.Runtime.TieredPGO": "false"})
    check_equal("methods by tier 0", [tier["count"] for tier in report["tiers"] if tier["name"].lower().startswith("tier")], [])
    return ", ".join(tier["name"] for tier in report["tiers"])


@test
def runs_that_do_not_end_well(env):
    with NettopJit(env, "sh", "-c", "exit 3", options=("--repeat", "2")) as nettop:
        check_equal("exit status", nettop.read_to_end(), 3)
        said = nettop.process.stderr_text()
        check("run 1 of 2 failed (exit status 3)" in said, said)
        check(nettop.report is None, "a report of nothing")
    with NettopJit(env, env.fakeclr, options=("--repeat", "2")) as nettop:
        wait_until(lambda: descendants_named("fakeclr"), 20, "the program runs")
        nettop.process.signal(signal.SIGTERM)
        nettop.read_to_end()
        said = nettop.process.stderr_text()
        check("run 1 of 2 was ended" in said, said)
        check_equal("programs left", descendants_named("fakeclr"), [])


@test
def limits_for_a_pipeline(env):
    for limits, expected, words in (
            ("methods=1000,ms=60000", 0, None),
            ("methods=5", 1, "methods were compiled, more than 5 (--fail-above)"),
            ("ms=0", 1, "compiling took ")):
        with NettopJit(env, env.fakeclr, "jit-dynamic 20", "quit", options=("--fail-above", limits)) as nettop:
            status = nettop.read_to_end()
            said = nettop.process.stderr_text()
            check_equal(f"exit status of {limits} ({said})", status, expected)
            check(nettop.report, f"{limits}: no report")
            check(words in said if words else "--fail-above" not in said, f"{limits}: {said}")


@test
def the_table_for_people(env):
    done = subprocess.run([env.nettop, "jit", "--", env.fakeclr, "jit-dynamic 20", "quit"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, timeout=60, check=False)
    check_equal(f"exit status ({done.stderr})", done.returncode, 0)
    for words in ("nettop jit: fakeclr", "from its start on", "methods made at run time                    20", "(dynamic)", "SLOWEST: "):
        check(words in done.stdout, f"'{words}' is not in:\n{done.stdout}")


@test
def commands_that_are_no_program_to_report_of(env):
    for command, expected, words in (
            (("no-such-program",), 127, "there is no such program"),
            (("true",), 1, "before there was a .NET program to watch"),
            (("sh", "-c", "exit 3"), 3, "before there was a .NET program to watch")):
        with NettopJit(env, *command) as nettop:
            check_equal(f"exit status of {command}", nettop.read_to_end(), expected)
            said = nettop.process.stderr_text()
            check(words in said, f"{command}: '{words}' is not in: {said}")
            check(nettop.report is None, f"{command}: a report of nothing")


@test
def a_process_that_tells_nothing(env):
    with FakeRuntime(env, mode="none") as fake:
        with NettopJit(env, options=("-p", fake.pid, "-d", "1")) as nettop:
            check_equal("exit status", nettop.read_to_end(), 3)
            said = nettop.process.stderr_text()
            check("no compilations were seen" in said, said)
            check(nettop.report is None, "a report of nothing")


if __name__ == "__main__":
    main()
