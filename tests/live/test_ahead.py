#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Programs that were compiled ahead of time (Native AOT), and which commands of the diagnostics protocol a runtime of which kind survives."""
import os
import re

from nt_live import *
from nt_live.environment import REPO, run_script
from nt_live.nettop import source_of
from nt_live.process import LineProcess
from nt_live.startup_port import COMMANDS, StartupPort, table


def tiny(form, framework="net10.0"):
    """
    A small program, published with its runtime; "aot" has no diagnostics port, "aot-port" has one, "aot-symbols" keeps its table of symbols in place of what stack traces of
    exceptions would need.
    """
    return run_script(REPO / "tests/long/tiny.sh", form, framework, os.environ.get("NT_TINY_OUT", str(REPO / "build/tiny")))


def expected(entry, major):
    """Is it carried out? By an entry of the table."""
    since = re.fullmatch(r"SINCE\((\d+)\)", entry)
    return bool(since) and major >= int(since[1])


# A runtime before .NET 10 that waits at its start does not survive EnablePerfMap; nobody is sent it there.
LAST = ("ENABLE_PERF_MAP", "DISABLE_PERF_MAP", "RESUME_RUNTIME")


def word_of(process):
    """Its first line that is not of the tool which writes its core: that has the same standard output."""
    line = process.read_line(30)
    while line and line.startswith("[createdump]"):
        line = process.read_line(30)
    return line


def survives(env, form, framework):
    """Everything that the table does not forbid, to one program; it does its work then as if nothing had been."""
    major, column = int(re.search(r"\d+", framework)[0]), 1 if form.startswith("aot") else 0
    rows = table()
    check_equal("commands", sorted(COMMANDS), sorted(rows))
    names = [name for name in rows if rows[name][column] != "KILLS" and name not in LAST] + ["RESUME_RUNTIME"]
    done = []
    with StartupPort(env, tiny(form, framework)) as port:
        for name in names:
            refused = port.send(name)
            check_equal(f"{name} is carried out (else: {refused})", refused is None or name == "STOP_TRACING", expected(rows[name][column], major))
            done += [name] if refused is None else []
        check_equal("the program's word", word_of(port.process), "ready")
        for line in ("gc", "throw", "alloc"):
            port.process.send_line(line)
            check_equal("what it did", port.process.read_line(30), f"done {line}")
        port.process.child.stdin.close()
        check_equal("exit status", port.process.wait(20), 0)
    return f"{len(done)} of {len(names)} carried out"


@test
def core_clr_survives_what_it_is_sent(env):
    return survives(env, "self", "net10.0")


@test
def native_aot_survives_what_it_is_sent(env):
    return survives(env, "aot-port", "net10.0")


@long_test
def core_clr_9_survives_what_it_is_sent(env):
    return survives(env, "self", "net9.0")


@long_test
def core_clr_8_survives_what_it_is_sent(env):
    return survives(env, "self", "net8.0")


@long_test
def native_aot_9_survives_what_it_is_sent(env):
    return survives(env, "aot-port", "net9.0")


@long_test
def native_aot_8_survives_what_it_is_sent(env):
    return survives(env, "aot-port", "net8.0")


WORK = ("gc", "gc", "gc", "throw", "child /usr/bin/env", "gc")


def work(nettop):
    """The program does its work, nettop has seen it, the program ends. What the program wrote is among nettop's own words."""
    for line in WORK:
        nettop.send(line)
    wait_until(lambda: nettop.process.stderr_text().count("done ") == len(WORK) or not nettop.process.alive(), 30, nettop.process.stderr_text)
    said = nettop.process.stderr_text()
    check_equal(f"what the program did ({said[-500:]})", said.count("done "), len(WORK))


def port_of_children(said):
    """The value of the variable that its child was given, among what that printed."""
    found = re.search(r"^DOTNET_DiagnosticPorts=(.*)$", said, re.M)
    return found[1] if found else None


def jit_leaves_it_alone(env, form, framework):
    with NettopJit(env, tiny(form, framework), options=("--source", "eventpipe")) as nettop:
        work(nettop)
        wait_until(lambda: "compiled ahead of time (Native AOT): it has no JIT" in nettop.process.stderr_text(), 20, nettop.process.stderr_text)
        nettop.process.child.stdin.close()
        check_equal("exit status: no report", nettop.read_to_end(), 1)
        said = nettop.process.stderr_text()
        check(nettop.report is None, "a report of nothing")
    return port_of_children(said)


@test
def jit_has_nothing_to_report_and_harms_nobody(env):
    check_equal("the port that its children get", jit_leaves_it_alone(env, "aot-port", "net10.0"), "")


@long_test
def jit_does_not_wait_for_who_has_no_port(env):
    jit_leaves_it_alone(env, "aot", "net10.0")


@long_test
def jit_of_native_aot_8_and_9(env):
    for framework in ("net8.0", "net9.0"):
        check_equal(f"the port that children get, {framework}", jit_leaves_it_alone(env, "aot-port", framework), "")


@test
def the_variable_is_taken_away_from_children_of_core_clr(env):
    with NettopJit(env, tiny("self"), options=("--source", "eventpipe")) as nettop:
        work(nettop)
        nettop.process.child.stdin.close()
        check_equal("exit status", nettop.read_to_end(), 0)
        check_equal("the port that its children get", port_of_children(nettop.process.stderr_text()), None)


def counts_from_the_first_event(env, framework):
    with NettopRun(env, tiny("aot-port", framework), options=("--source", "eventpipe")) as nettop:
        work(nettop)
        line = nettop.wait_for(lambda line: (line["gc"]["gen2_count"] or 0) >= 0 and source_of(line, "eventpipe").get("state") == "delivering", 20, "EventPipe delivers")
        check_equal("kind", line["target"]["kind"], "aot")
        nettop.process.child.stdin.close()
        check_equal(f"exit status ({nettop.process.stderr_text()[-500:]})", nettop.read_to_end(), 0)
        gc = nettop.summary["gc"]
    check_equal("collections", (gc["gen0_count"], gc["gen1_count"], gc["gen2_count"]), (0, 0, WORK.count("gc")))
    check_equal("exceptions", nettop.summary["exceptions"]["count"], WORK.count("throw"))
    check_equal("compilations", nettop.summary["jit"]["methods"], [])


@test
def a_start_without_lttng(env):
    counts_from_the_first_event(env, "net10.0")


@long_test
def a_start_without_lttng_of_8_and_9(env):
    for framework in ("net8.0", "net9.0"):
        counts_from_the_first_event(env, framework)


@test
def a_start_as_usual(env):
    """With and without a port: CPU, threads, the program's end are seen."""
    for form, state in (("aot-port", "delivering"), ("aot", "absent")):
        with NettopRun(env, tiny(form)) as nettop:
            work(nettop)
            line = nettop.wait_for(lambda line, state=state: source_of(line, "eventpipe").get("state") == state, 20, f"EventPipe is {state}")
            check_equal("kind", line["target"]["kind"], "aot")
            check(line["threads"], f"no threads: {line['threads']}")
            map_reason = source_of(line, "map")["reason"]
            check("compiled ahead of time" in map_reason, map_reason)
            if form == "aot":
                check("without EventSourceSupport" in source_of(line, "eventpipe")["reason"], source_of(line, "eventpipe")["reason"])
            nettop.process.child.stdin.close()
            check_equal(f"exit status ({nettop.process.stderr_text()[-500:]})", nettop.read_to_end(), 0)


@test
def one_that_runs(env):
    process = LineProcess([tiny("aot-port")], os.environ.copy())
    try:
        check_equal("the program's word", process.read_line(30), "ready")
        with Nettop(env, process.pid) as nettop:
            nettop.wait_for_sources("eventpipe")
            for _ in range(3):
                process.send_line("gc")
            check_equal("kind", nettop.intervals[-1]["target"]["kind"], "aot")
            nettop.wait_for(lambda _: sum(line["gc"]["gen2_count"] or 0 for line in nettop.intervals) >= 3, 20, "3 collections")
            check_equal("collections", nettop.stop()["gc"]["gen2_count"], 3)
    finally:
        process.kill()


# What is called in tests/long/tiny/Names.cs, as C# has it.
NAMES = (
    "Outside.Global()",
    "Shop_Floor.Goods.Under_Score.Sum_All()",
    "Shop_Floor.Goods.Under_Score.__Two__()",
    "Shop_Floor.Goods.Under_Score.Shop_Floor.Goods.ICounted.Count(int)",
    "Shop_Floor.Goods.Under_Score.Nested_One..ctor()",
    "Shop_Floor.Goods.Under_Score.Nested_One.Price(string)",
    "Shop_Floor.Goods.Under_Score.Nested_One.Price(long, ref int[])",
    "Shop_Floor.Goods.Box<T>.Put(T)",
    "Shop_Floor.Goods.Box<T>.Map<T0>(T, T0)",
    "Shop_Floor.Goods.Box<TA>.Lid<TB>.Shut(TA, TB)",
    "Shop_Floor.Goods.Cart.Many<T0, T1>(T0, List<T1>)",
    "async Shop_Floor.Goods.Cart.TotalAsync",
    "iterator Shop_Floor.Goods.Cart.Rows",
    "Shop_Floor.Goods.Cart.Lambda → lambda()",
    "async Shop_Floor.Goods.Cart.AsyncLambda → lambda",
    "Shop_Floor.Goods.Cart.Outer → Local(int)",
    "Shop_Floor.Goods.Cart.Größe(object)",
    "Shop_Floor.Goods.Careful.Handle(object)",
    "Shop_Floor.Goods.Reflected.Found(int)",
)

# Of its symbols alone little is certain, all else stays as the compiler wrote it; what reflection finds still has its name.
SYMBOLS = (
    "tiny_Outside.Global",
    "tiny_Shop_Floor_Goods_Under_Score.Sum_All",
    "tiny_Shop_Floor_Goods_Under_Score.Shop_Floor_Goods_ICounted_Count",
    "tiny_Shop_Floor_Goods_Under_Score_Nested_One___ctor",
    "tiny_Shop_Floor_Goods_Box_1_Lid_1<System___Canon__Int32>.Shut",
    "tiny_Shop_Floor_Goods_Under_Score____Two__",
    "tiny_Shop_Floor_Goods_Cart___Outer_g__Local_5_0",
    "Shop_Floor.Goods.Reflected.Found(int)",
)


def methods_of(env, form, framework):
    """The rows of a program that calls all of these methods, by name."""
    process = LineProcess([tiny(form, framework)], os.environ.copy())
    try:
        check_equal("the program's word", process.read_line(30), "ready")
        with Nettop(env, process.pid, "--source", "perf", "-F", "999") as nettop:
            nettop.wait_for_sources("perf")
            process.send_line("names 3000")
            check_equal("what it did", process.read_line(60), "done names 3000")
            nettop.wait_for(lambda line: True, 20, "one more interval")
            summary = nettop.stop()
    finally:
        process.kill()
    return {row["name"]: row for row in summary["methods"] if row["self_samples"]}


def names_are_those_of_the_source(env, framework):
    rows = methods_of(env, "aot", framework)
    missing = [name for name in NAMES if name not in rows]
    check(not missing, f"no rows {missing} among {sorted(name for name in rows if 'Shop' in name or 'Outside' in name)}")
    for name in NAMES:
        check_equal(f"kind and module of {name}", (rows[name]["kind"], rows[name]["module"]), ("r2r", "tiny"))
    mangled = [name for name, row in rows.items() if row["kind"] == "r2r" and "__" in name and name not in NAMES]
    check_equal("names with underscores of the compiler", mangled, [])
    return f"{len(NAMES)} of {len(rows)} rows"


@test
def names_of_native_aot(env):
    return names_are_those_of_the_source(env, "net10.0")


@long_test
def names_of_native_aot_9(env):
    return names_are_those_of_the_source(env, "net9.0")


@long_test
def names_of_native_aot_8(env):
    return names_are_those_of_the_source(env, "net8.0")


@long_test
def names_without_stack_traces(env):
    rows = methods_of(env, "aot-symbols", "net10.0")
    missing = [name for name in SYMBOLS if name not in rows]
    check(not missing, f"no rows {missing} among {sorted(name for name in rows if 'Shop' in name or 'Outside' in name)}")


def perf_map_waits(env, framework):
    """nettop comes while the program waits at its start: the command for the perf map would be its end."""
    with StartupPort(env, tiny("self", framework)) as port:
        port.await_it()
        with Nettop(env, port.process.pid, "--map") as nettop:
            nettop.wait_for(lambda line: "waits at its start" in (source_of(line, "map")["reason"] or ""), 20, "the map says why there is none")
            port.send("RESUME_RUNTIME")
            check_equal("the program's word", port.process.read_line(30), "ready")
            nettop.wait_for_sources("map", seconds=30)
            port.process.send_line("gc")
            check_equal("what it did", port.process.read_line(30), "done gc")
            nettop.stop()
        port.process.child.stdin.close()
        check_equal("exit status", port.process.wait(20), 0)


@long_test
def perf_map_of_8_waits_for_its_start(env):
    perf_map_waits(env, "net8.0")


@long_test
def perf_map_of_9_waits_for_its_start(env):
    perf_map_waits(env, "net9.0")


if __name__ == "__main__":
    main()
