#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Who causes compilations, against a program in which known methods do: as many as the runtime itself counts for their thread (JitInfo)."""
import re
import sys

from nt_live import *
from nt_live.environment import REPO
from nt_live.eventpipe import sessions_of
from nt_live.workload import Compiling

sys.path.insert(0, str(REPO / "tests/pty"))
from nt_pty import Terminal  # noqa: E402

SEEN_S = 30
OPENING_NS = 2_000_000_000  # what began while the session was opened is in no row
# What it is told to do; whose doing that is; what of the framework is called for it (None: nothing), and what is compiled last.
CAUSES = (
    ("rules 20", "Compiling.RuleEngine.Evaluate(int)", r"System\.Linq\.Expressions\.Expression<.*>\.Compile\(\)", r"lambda_method"),
    ("patterns 10", "Compiling.Addresses.Match(int)", r"System\.Text\.RegularExpressions\.Regex\b.*", r"Regex"),
    ("emit 15", "Compiling.Mapper.Emit(int)", None, r"Map\(int\)"),
    ("calls 2", "Compiling.Orders.Handle(int)", None, r"Compiling\.Orders\."),
)
INSTANCES = "Compiling.Boxes."


def caused_by(jit, site):
    return [row for row in jit["callers"] if row["site"] and row["site"].startswith(site)]


def check_causes(jit, told):
    for command, site, via, compiled in CAUSES:
        rows = caused_by(jit, site)
        check_equal(f"compilations by {site} ({rows})", sum(row["count"] for row in rows), told[command])
        main = max(rows, key=lambda row: row["count"])
        check(via is None and main["via"] is None or via and re.fullmatch(via, main["via"] or ""), f"{site} by way of {main['via']}: {rows}")
        check(re.search(compiled, main["compiled"]), f"{site} compiled {main['compiled']}")
        check(all(0 < row["max_ns"] <= row["time_ns"] for row in rows), f"times of {site}: {rows}")
    instances = caused_by(jit, INSTANCES)
    check_equal(f"instances of generic methods ({instances})", sum(row["count"] for row in instances), told["instances 8"])


def cause_all(work):
    return {command: work.do(command)["compiled"] for command in (*(command for command, *_ in CAUSES), "instances 8")}


def who_causes_them(env, *options, program=None, mode="none", runtime="10."):
    sources = ("eventpipe",) if mode == "none" else ("lttng", "eventpipe")
    if runtime == "8.":
        sources += ("map",)  # what names the program's methods there; a runtime that still starts would not survive being asked for one
    with Compiling(env, program, mode) as work, Nettop(env, work.pid, "--jit-callers", "--top", "1000", *options) as nettop:
        nettop.wait_for_sources(*sources)
        nettop.wait_for(lambda line: (line["jit"]["callers_covered_ns"] or 0) > 0 and line["jit"]["tier0_count"] is not None, SEEN_S, "callers are told")
        first = len(nettop.intervals)
        nettop.wait_for(lambda _: sum(line["jit"]["callers_covered_ns"] for line in nettop.intervals[first:]) > OPENING_NS, SEEN_S, "its session is open")
        told = cause_all(work)
        nettop.wait_for(lambda line: line["jit"]["method_count"] == 0 and not line["jit"]["callers"], SEEN_S, "nothing is compiled any more")
        summary = nettop.stop()
    check(summary["target"]["runtime"].startswith(runtime), f"the runtime is {summary['target']['runtime']}")
    jit = summary["jit"]
    check_causes(jit, told)
    background = [row for row in jit["callers"] if row["site"] == "(tiered compilation)"]
    seen = {row["name"]: row["count"] for row in jit["triggers"]}
    check(not background or background[0]["count"] <= seen["background"], f"in the background: {background}, {seen}")
    return ", ".join(f"{command}: {count}" for command, count in told.items())


@test
def over_eventpipe(env):
    return who_causes_them(env)


@long_test
def the_model_makes_the_same_of_it_again(env):
    return who_causes_them(env, "--check-replay")


@test
def beside_lttng(env):
    """Which brings the compilations themselves."""
    return who_causes_them(env, mode="N")


@long_test
def dotnet_8(env):
    return who_causes_them(env, program=env.selfcontained("net8.0", "compiling"), runtime="8.")


@long_test
def dotnet_9(env):
    return who_causes_them(env, program=env.selfcontained("net9.0", "compiling"), runtime="9.")


@test
def while_it_is_looked_at(env):
    """The target is asked when the grouping is opened, which is said with its price, and no more when it is left."""
    with Compiling(env) as work, Terminal(env, columns=140) as terminal:
        terminal.start_nettop(work.pid)
        terminal.keys("3")
        terminal.wait_for("[3 JIT]", "the compilations")
        terminal.wait_for(lambda screen: "backlog 0" in screen and sessions_of(work.pid) > 1, "their session, and what it brings", SEEN_S)
        usual = sessions_of(work.pid)
        terminal.keys("V")
        terminal.wait_for(lambda screen: "by caller" in screen and "5 us or more of each" in screen, "the price")
        terminal.wait_for(lambda _: sessions_of(work.pid) == usual + 1, "one session more", SEEN_S)

        def named(screen):
            work.do("rules 1")
            return "RuleEngine.Evaluate" in screen and "Compile" in screen
        terminal.wait_for(named, "the method, and what it calls", SEEN_S)
        terminal.keys("/")
        terminal.type("Evaluate")
        terminal.keys("Enter", "Enter")
        terminal.wait_for("Compiling.Program.Main", "its stack", SEEN_S)
        terminal.keys("Escape", "Escape", "v")
        terminal.wait_for(lambda screen: "by caller" not in screen and "no longer asked" in screen, "by method again, and that is said")
        terminal.wait_for(lambda _: sessions_of(work.pid) == usual, "the session has ended", SEEN_S)
        terminal.keys("q")
        terminal.wait_for(lambda _: sessions_of(work.pid) == 0, "no session is left", SEEN_S)


if __name__ == "__main__":
    main()
