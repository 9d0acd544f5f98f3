#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# alone: LTTng declares events late on a busy machine, and babeltrace 2.0 writes beyond an array then (doc/ARCHITECTURE.md, source/lttng)
"""nettop jit: counts and times of the runtime's JitInfo, its parts, comparisons, and commands that are no program to report of."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess

from nt_live import *
from nt_live.eventpipe import sessions_of

COMPILER = ".NET Tiered Com"  # as the kernel cuts it
TICK_NS = 10**9 // os.sysconf("SC_CLK_TCK")
ENOUGH_NS = 8 * TICK_NS
SECTIONS = ("tiers", "triggers", "modules", "methods")


def check_parts(report, complete=True):
    """Each section is all of the compilations, told apart in another way."""
    check_equal("type of the report", report["type"], "jit")
    check_equal(f"whether it is complete ({json.dumps(report)[:300]})", report["complete"], complete)
    total = report["total"]
    for section in SECTIONS:
        for key, expected in (("count", total["method_count"]), ("time_ns", total["time_ns"])):
            check_equal(f"sum of {key} of the {section}", sum(line[key] for line in report[section]), expected)


def named(report, section, name):
    """A line of a section; its names, when there is none such."""
    for line in report[section]:
        if line["name"] == name:
            return line
    raise Failure(f"no {name} among the {section}: {[line['name'] for line in report[section]][:20]}")


def launch(env, source, after_ms, program=None):
    """`program`: in place of the one that `dotnet` runs."""
    env.need_commands("dotnet")
    with NettopJit(env, *([program] if program else ["dotnet", env.workload_dll]), options=("--source", source)) as nettop:
        mark = nettop.work_and_kill(after_ms)
        check_equal("exit status", nettop.read_to_end(), 128 + signal.SIGKILL)
        report = nettop.report
    check_equal("how it ended", report["end"], "killed by SIGKILL")
    total = report["total"]
    check_equal("methods compiled", total["method_count"], mark["jit_method_count"])
    # What EventPipe's runtime kept back for a tenth of a second is gone with it.
    check_parts(report, complete=source.startswith("lttng"))
    check(report["from_start"], "it is not from the start")
    check_equal("dynamic methods", total["dynamic_count"], named(report, "modules", "(dynamic)")["count"])
    check(total["dynamic_count"] >= 30, f"{total['dynamic_count']} dynamic methods")
    check(named(report, "modules", "workload")["count"] > 10, "hardly anything of the workload itself")
    check_equal("module of Main", named(report, "methods", "Workload.Program.Main()")["module"], "workload")
    check_within("compile time, ns", total["time_ns"], mark["jit_time_ns"], relative=0.05)
    check_within("CPU time of the process, ns", total["cpu_ns"], mark["process_cpu_ns"], relative=0.1, absolute=60e6)
    return f"{total['method_count']} methods, {total['time_ns'] / mark['jit_time_ns']:.3f} of the runtime's time"


@long_test
def a_launch_over_lttng(env):
    return launch(env, "lttng,map", 1)


@test
def a_launch_over_eventpipe(env):
    return launch(env, "eventpipe", 1500)


@long_test
def a_launch_of_dotnet_8(env):
    return launch(env, "eventpipe", 1500, program=env.selfcontained("net8.0"))


@long_test
def a_launch_of_dotnet_9(env):
    return launch(env, "eventpipe,map", 1500, program=env.selfcontained("net9.0"))


@test
def what_lttng_does_not_bring_eventpipe_does(env):
    """Which is known when the runtime is up. The program of a script; the next one, which waits at its start as well, goes on."""
    env.need_commands("dotnet")
    script = script_of(env, "start.sh", '"$@" </dev/null', '"$@" </dev/null')
    with NettopJit(env, script, "dotnet", env.workload_dll, variables={"DOTNET_LTTng": "0"}) as nettop:
        check_equal(f"exit status ({nettop.process.stderr_text()})", nettop.read_to_end(), 0)
        check_parts(nettop.report)
        check(named(nettop.report, "methods", "Workload.Program.Main()"), "no Main")


def script_of(env, name, *lines):
    script = env.scratch / name
    script.write_text("\n".join(("#!/bin/sh", *lines, "")), encoding="ascii")
    script.chmod(0o755)
    return script


@test
def what_is_left_behind_waits_for_nobody(env):
    """A daemon has the variable of the port from nettop, and nobody can take it away; the program that it starts when nettop has ended goes on all the same."""
    env.need_commands("dotnet")
    go, said, away = env.scratch / "go", env.scratch / "said", env.scratch / "away"
    until = "until [ -e {} ]; do sleep 0.05; done".format
    later = script_of(env, "later.sh", f": >{away}", until(go), 'echo quit | "$@"')
    script = script_of(env, "start.sh", 'echo quit | "$@"', f'setsid {later} "$@" >{said} 2>&1 &', until(away))
    with NettopJit(env, script, "dotnet", env.workload_dll, options=("--source", "eventpipe"), variables={"TMPDIR": str(env.scratch)}) as nettop:
        check_equal(f"exit status ({nettop.process.stderr_text()})", nettop.read_to_end(), 0)
        check_parts(nettop.report)
    go.touch()
    wait_until(lambda: "ready" in said.read_text(encoding="utf-8"), 60, lambda: f"the second program runs: {said.read_text(encoding='utf-8')[-500:]}")
    wait_until(lambda: not descendants(), 30, lambda: f"nobody is left: {descendants()}")
    check_equal("folders left", list(env.scratch.glob("nettop-*")), [])


@test
def a_program_does_not_wait_for_a_nettop_that_is_dead(env):
    """nettop is killed before the program is started that it waits for."""
    env.need_commands("dotnet")
    go, said = env.scratch / "go", env.scratch / "said"
    script = script_of(env, "start.sh", f"until [ -e {go} ]; do sleep 0.05; done", f'echo quit | "$@" >{said} 2>&1')
    with NettopJit(env, script, "dotnet", env.workload_dll, options=("--source", "eventpipe"), variables={"TMPDIR": str(env.scratch)}) as nettop:
        wait_until(lambda: descendants_named("start.sh"), 20, "the script runs")
        nettop.process.signal(signal.SIGKILL)
        go.touch()
        wait_until(lambda: said.exists() and "ready" in said.read_text(encoding="utf-8"), 60, "the program runs")
        wait_until(lambda: not descendants(), 30, lambda: f"nobody is left: {descendants()}")


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
def a_process_that_was_started_with_nothing_set(env):
    with Bare(env) as work:
        with NettopJit(env, options=("-p", work.pid, "-d", "3")) as nettop:
            while nettop.process.alive():
                work.do("jit-dynamic 30")
                work.do("idle 100")  # not 20000 methods a second, of which some are lost where nettop is slow
            check_equal(f"exit status ({nettop.process.stderr_text()})", nettop.read_to_end(), 0)
            report = nettop.report
    check_parts(report)
    check(report["total"]["dynamic_count"], f"no dynamic methods: {report['total']}")


@test
def a_process_that_is_killed_is_said_to_be(env):
    """Attached to: the report is of what was seen, says how the process ended, and so does the exit status."""
    with Bare(env) as work:
        work.settle()
        with NettopJit(env, options=("-p", work.pid)) as nettop:
            wait_until(lambda: sessions_of(work.pid) > 0, 20, "nettop has a session")
            work.settle()
            for _ in range(5):
                work.do("jit-dynamic 30")
            work.settle()
            work.process.signal(signal.SIGKILL)
            check_equal("exit status", nettop.read_to_end(), 4)
            report, said = nettop.report, nettop.process.stderr_text()
    check_equal("how it ended", report["end"], "killed by SIGKILL")
    check("killed by SIGKILL" in said, f"nothing is said: {said}")
    check(report["total"]["dynamic_count"] > 0, f"no dynamic methods: {report['total']}")


@test
def for_some_time_and_compared(env):
    """Of the stand-in, which compiles the same each time."""
    old = env.scratch / "old.json"
    with NettopJit(env, env.fakeclr, "jit-dynamic 20", "quit") as nettop:
        check_equal("exit status", nettop.read_to_end(), 0)
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


def compilers_of(pid):
    """{tid: ns of CPU by the scheduler} of the threads that compile in the background."""
    found = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            if (task / "comm").read_text(encoding="utf-8", errors="replace").strip() == COMPILER:
                found[int(task.name)] = int((task / "schedstat").read_text(encoding="ascii").split()[0])
    return found


@test
def where_the_kernel_allows_no_events(env):
    """As in a container: nobody tells what compiling in the foreground costs, which is unknown and not 0; of the thread that compiles in the background /proc does."""
    env.need_commands("dotnet")
    program = env.nettop.parent / "tests/tools/seccomp"
    if not program.exists():
        raise Missing(f"{program} is not built (make tools)")
    used = {}
    with NettopJit(env, "dotnet", env.workload_dll, options=("--source", "perf,eventpipe"), prefix=(program,)) as nettop:
        pid = nettop.answer(lambda answer: answer.get("ready"))["pid"]
        for step in range(20):
            for command in ("compute-tiers 5 5 50", "jit-lambda 200", "async 2000", "pool 2000", "enumerate 4", "throw 20", "locks 20", f"mark {step}"):
                nettop.send(command)
            nettop.answer(lambda answer, step=step: answer.get("name") == str(step))
            used |= compilers_of(pid)
            if sum(used.values()) >= ENOUGH_NS:
                break

        def is_over():
            living = compilers_of(pid)
            used.update(living)
            return not living

        # It ends when it has had nothing to do for four seconds, in which nettop has looked at it for the last time.
        wait_until(is_over, 60, lambda: f"nothing is compiled in the background: {used}")
        nettop.send("quit")
        check_equal(f"exit status ({nettop.process.stderr_text()[-800:]})", nettop.read_to_end(), 0)
        report = nettop.report
    total, truth = report["total"], sum(used.values())
    check(truth >= ENOUGH_NS, f"too little is compiled in the background: {used}")
    check_parts(report)
    check_equal("CPU time of compilations", [total["jit_cpu_ns"], total["jit_cpu_count"], total["cpu_pct"]], [None] * 3)
    check_equal("CPU time of parts", {line["cpu_ns"] for section in SECTIONS for line in report[section]}, {None})
    check("seccomp" in (report["jit_cpu_reason"] or ""), f"why it is not known: {report['jit_cpu_reason']}")
    check_within("CPU time in the background, ns", total["jit_background_cpu_ns"], truth, absolute=2 * TICK_NS * len(used))
    return f"{total['jit_background_cpu_ns'] / 1e6:.0f} ms in the background, by the scheduler {truth / 1e6:.1f}; by the clock {total['time_ns'] / 1e6:.0f} ms in all"


@test
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
