#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The start of a program in order, and what would have spared it compilations: against the runtime's own counts (JitInfo), and against the same program with its own precompiled code, which is
what ReadyToRun really spares.
"""
import json
import os
import pathlib
import shutil
import sys
import time

from nt_live import *
from nt_live.environment import REPO, run_script
from nt_live.jit_report import check_parts, script_of

sys.path.insert(0, str(REPO / "tests/pty"))
from nt_pty import Terminal  # noqa: E402

COMMANDS = ("written 60", "async 50", "throw 5", "locks 5", "pool 20", "compute 20", "mark end")
HOT = (*COMMANDS[:-1], "compute 300", "written 600", "async 200", "compute 300", "written 600", "mark end")  # long enough for tier 1
EVENTPIPE = ("--source", "eventpipe,perf")
SEEN_S = 30


def started(env, dll, variables=None, options=EVENTPIPE, commands=COMMANDS):
    """The report of a run, and what the program itself said at its end."""
    env.need_commands("dotnet")
    answers = env.scratch / "answers"
    lines = "\\n".join((*commands, "quit"))
    script = script_of(env, "start.sh", f"""printf '{lines}\\n' | "$@" >{answers}""")
    root = {"DOTNET_ROOT": os.path.dirname(os.path.realpath(shutil.which("dotnet")))}
    with NettopJit(env, script, "dotnet", dll, options=options, variables=root | (variables or {})) as nettop:
        check_equal(f"exit status ({nettop.process.stderr_text()})", nettop.read_to_end(), 0)
        check_parts(nettop.report)
    said = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    return nettop.report, next(line for line in said if line.get("cmd") == "mark")


def causes(report, cause, module=None):
    return [line for line in report["startup_causes"] if line["cause"] == cause and (not module or line["module"] == module)]


def total(lines, key):
    return sum(line[key] for line in lines)


def check_start(report, mark):
    """All that the runtime counts is there, once, in order (after its last word a few more are compiled); the sums by cause are those of the list."""
    rows = report["startup"]
    check_equal("compilations of the start", len(rows), report["total"]["method_count"])
    check(len(rows) - 10 <= mark["jit_method_count"] <= len(rows), f"the runtime counts {mark['jit_method_count']}, in the list are {len(rows)}")
    check([row["at_ns"] for row in rows] == sorted(row["at_ns"] for row in rows), "they are not in order")
    check_within("time by the clock, all of it", sum(row["time_ns"] for row in rows), mark["jit_time_ns"], relative=0.1, absolute=2_000_000)
    for cause in {row["cause"] for row in rows}:
        listed = [row for row in rows if row["cause"] == cause]
        check_equal(f"of these {cause}", total(causes(report, cause), "count"), len(listed))
        check_equal(f"their time, {cause}", total(causes(report, cause), "time_ns"), sum(row["self_ns"] for row in listed))
    check(all(row["cause"] for row in rows), f"without a cause: {[row for row in rows if not row['cause']][:3]}")


def names(rows):
    return {row["name"] for row in rows}


@test
def what_its_own_precompiled_code_spares(env):
    """What nettop says ReadyToRun would spare at most, against what it does spare: the difference to the same program with it, in methods and in CPU time."""
    precompiled = run_script(REPO / "tests/long/precompiled.sh", "pdb") + ".dll"
    before, mark = started(env, env.workload_dll)
    after, mark_after = started(env, precompiled)
    check_start(before, mark)
    check_start(after, mark_after)
    mine = causes(before, "no r2r")
    check_equal("modules without precompiled code, and what would spare that", [(line["module"], line["remedy"]) for line in mine], [("workload", "ReadyToRun")])
    check_equal("of these with it", causes(after, "no r2r"), [])
    left = causes(after, "not in r2r", "workload")
    could = names(row for row in before["startup"] if row["cause"] == "no r2r")
    check(names(row for row in after["startup"] if row["module"] == "workload" and row["cause"] == "not in r2r") <= could, "with it something else is compiled first")
    spared = mine[0]["count"] - total(left, "count")
    check_within("methods spared, by the runtime's count", mark["jit_method_count"] - mark_after["jit_method_count"], spared, absolute=10)
    check(0 < spared <= mine[0]["count"], f"{spared} of at most {mine[0]['count']} methods are spared")
    really_ms, at_most_ms = ((mine[0]["cpu_ns"] - total(left, "cpu_ns")) / 1e6, mine[0]["cpu_ns"] / 1e6)
    runtime_ms = (before["total"]["jit_cpu_ns"] - after["total"]["jit_cpu_ns"]) / 1e6
    check(runtime_ms <= at_most_ms + 2, f"{runtime_ms:.1f} ms are spared, at most {at_most_ms:.1f} ms was said")
    check(runtime_ms >= 0.2 * at_most_ms, f"{runtime_ms:.1f} ms are spared of {at_most_ms:.1f} ms")
    return f"at most {mine[0]['count']} methods, {at_most_ms:.1f} ms; really {spared}, {really_ms:.1f} ms of the same methods, {runtime_ms:.1f} ms altogether"


@test
def readytorun_switched_off(env):
    report, mark = started(env, env.workload_dll, {"DOTNET_ReadyToRun": "0"})
    check_start(report, mark)
    off = causes(report, "r2r off")
    check(total(off, "count") > 1000 and {line["remedy"] for line in off} == {"ReadyToRun=1"}, f"{off[:2]}")
    check("System.Private.CoreLib" in {line["module"] for line in off} and not causes(report, "no r2r"), "the core library is not among them")


def cpu_ms(report, tiers, methods):
    return sum(row["cpu_ns"] for row in report["startup"] if row["tier"] in tiers and row["name"] in methods) / 1e6


def called(report, *tiers):
    return names(row for row in report["startup"] if row["tier"] in tiers)


@long_test
def what_tieredpgo_off_spares(env):
    """What it would spare at most, against what it does spare: in all, and of the methods that got as far as tier 1 in both runs."""
    before, mark = started(env, env.workload_dll, commands=HOT)
    after, mark_after = started(env, env.workload_dll, {"DOTNET_TieredPGO": "0"}, commands=HOT)
    check_start(before, mark)
    check_start(after, mark_after)
    mine = causes(before, "instr")
    check_equal("what would spare that", [(line["module"], line["remedy"]) for line in mine], [(None, "TieredPGO=0")])
    counted = called(before, "instr", "inst1")
    check(mine[0]["count"] >= len(counted) > 20, f"{mine[0]['count']} compilations so as to count, of {len(counted)} methods")
    check_equal("of these without it", (causes(after, "instr"), called(after, "instr", "inst1")), ([], set()))
    said_ms = mine[0]["cpu_ns"] / 1e6
    really_ms = (total(causes(before, "instr") + causes(before, "again"), "cpu_ns") - total(causes(after, "again"), "cpu_ns")) / 1e6
    check(really_ms <= said_ms + 2, f"{really_ms:.1f} ms are spared, at most {said_ms:.1f} ms was said")
    both = counted & called(before, "tier1") & called(after, "tier1")
    said_both_ms = cpu_ms(before, ("instr", "inst1"), both)
    both_ms = said_both_ms + cpu_ms(before, ("tier1",), both) - cpu_ms(after, ("tier1",), both)
    check(len(both) > 3, f"{len(both)} of {len(counted)} methods came to tier 1 in both")
    check_within("of methods that came to tier 1 in both, ms", both_ms, said_both_ms, relative=0.6, absolute=2)
    return f"at most {mine[0]['count']} compilations, {said_ms:.1f} ms; really {really_ms:.1f} ms; of {len(both)} methods that came to tier 1 in both {both_ms:.1f} of {said_both_ms:.1f} ms"


def costs(env, before, name, by, variables=None, dll=None):
    """What a setting costs at most, against what the same methods cost without it."""
    after, mark = started(env, dll or env.workload_dll, variables)
    check_start(after, mark)
    told = after["startup_setting"]
    check_equal("the setting", (told["name"], told["by"]), (name, by))
    mine = [row for row in after["startup"] if row["tier"] == "opt" and row["cause"] not in ("dynamic", "again")]
    check_equal("what it costs", (told["count"], told["self_ns"], told["cpu_ns"]), (len(mine), sum(row["self_ns"] for row in mine), sum(row["cpu_ns"] for row in mine)))
    same = names(mine) & called(before, "tier0") - called(before, "opt")
    check(len(same) > 3, f"{len(same)} methods are optimized at once because of it")
    more_ms = cpu_ms(after, ("opt",), same) - cpu_ms(before, ("tier0",), same)
    check(0 < more_ms <= told["cpu_ns"] / 1e6, f"the same {len(same)} methods cost {more_ms:.1f} ms more, at most {told['cpu_ns'] / 1e6:.1f} ms was said")
    return f"{name}: at most {told['count']} methods, {told['cpu_ns'] / 1e6:.1f} ms; {len(same)} because of it, {more_ms:.1f} ms more"


@test
def what_a_setting_costs(env):
    before, _ = started(env, env.workload_dll)
    check_equal("with nothing set", before["startup_setting"], {"name": None, "by": None, "count": 0, "self_ns": 0, "cpu_ns": None})
    folder = env.scratch / "app"
    shutil.copytree(pathlib.Path(env.workload_dll).parent, folder)
    file = folder / "workload.runtimeconfig.json"
    config = json.loads(file.read_text(encoding="utf-8"))
    config["runtimeOptions"].setdefault("configProperties", {})["System.Runtime.TieredCompilation.QuickJit"] = False
    file.write_text(json.dumps(config), encoding="utf-8")
    said = [costs(env, before, f"{name}=0", "environment", {f"DOTNET_{name}": "0"}) for name in ("TieredCompilation", "TC_QuickJit", "TC_QuickJitForLoops")]
    said.append(costs(env, before, "TieredCompilation.QuickJit=false", "runtimeconfig", dll=folder / "workload.dll"))
    return "; ".join(said)


@test
def of_a_process_that_ran_nothing_is_said(env):
    with Workload(env, mode="none", lttng=False) as work:
        with NettopJit(env, options=("--source", "eventpipe", "-p", work.pid, "-d", "3")) as nettop:
            nettop.read_to_end()
        check_equal("its start", [nettop.report[key] for key in ("startup", "startup_causes", "startup_setting")], [None, [], None])
        with Nettop(env, work.pid, "--source", "eventpipe") as watching:
            watching.wait_for(lambda line: line["jit"]["method_count"] is not None, SEEN_S, "compilations are told")
            check_equal("compilations of its start", watching.stop()["jit"]["startup_count"], None)


@test
def on_the_screen_of_a_program_that_nettop_starts(env):
    """Nobody looks at compilations at the start; the screen that is opened later tells them all the same."""
    env.need_commands("dotnet")
    with Terminal(env, columns=120) as terminal:
        terminal.run(env.nettop, "run", "--prefer", "eventpipe", "-d", 0.5, "--", "dotnet", env.workload_dll)
        terminal.wait_for("CPU", "the program is watched", SEEN_S)
        terminal.keys("3", "V", "V", "V")
        terminal.wait_for(lambda screen: "first 10 s" in screen and "compilations, " in screen, "its first methods", SEEN_S)
        terminal.keys("/")
        terminal.type("Workload.Program")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: "no r2r" in screen and "Workload.Program" in screen, "its own among them", SEEN_S)
        terminal.keys("v")
        terminal.wait_for(lambda screen: "by cause" in screen and "ReadyToRun" in screen and "spared at most by ReadyToRun" in screen, "what would spare them", SEEN_S)
        terminal.keys("q")


WHOLE_S = 7 # of the 11 s for which compilations are asked for


def tile_of_jit(screen):
    return next((line for line in screen.splitlines() if line.startswith(" JIT ")), "")


def while_nobody_looks(env, most_pct, condition):
    """Of a program that does nothing but compile and that nettop starts. `condition`: of what the tile says, and of the seconds since it says how much is compiled."""
    commands = env.scratch / "compile"
    commands.write_text("jit-lambda 3000000\n", encoding="utf-8")
    with Terminal(env, columns=120) as terminal:
        terminal.run(env.nettop, "run", "--prefer", "eventpipe", "--max-target-cost", most_pct, "-d", 0.5, "--", "sh", "-c", f"exec dotnet {env.workload_dll} <{commands}")
        terminal.wait_for(lambda screen: " t0 " in tile_of_jit(screen), f"at most {most_pct} %: compilations are told, by tier", SEEN_S)
        begin = time.monotonic()
        terminal.wait_for(lambda screen: condition(tile_of_jit(screen), time.monotonic() - begin), f"at most {most_pct} %: the first seconds", WHOLE_S)
        terminal.keys("q")


@test
def what_nobody_looks_at_costs_no_more_than_it_may(env):
    """The runtime's counters go on to say how much is compiled: of tiers they know nothing."""
    env.need_commands("dotnet")
    while_nobody_looks(env, 1, lambda tile, _: "/s" in tile and " t0 " not in tile)
    while_nobody_looks(env, 100, lambda tile, seconds: " t0 " in tile and seconds > WHOLE_S / 2)


if __name__ == "__main__":
    main()
