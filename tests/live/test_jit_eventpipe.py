#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop jit over EventPipe, from a program's start and later, and what becomes of programs and ports when somebody is killed."""
import contextlib
import os
import pathlib
import signal

from nt_live import *
from nt_live.eventpipe import sessions_of
from nt_live.jit_report import SECTIONS, check_parts, named, script_of

COMPILER = ".NET Tiered Com"  # as the kernel cuts it
TICK_NS = 10**9 // os.sysconf("SC_CLK_TCK")
ENOUGH_NS = 8 * TICK_NS


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


if __name__ == "__main__":
    main()
