#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The instructions of a method (key a), with source lines beside them: the lines of its source are the truth."""
import os
import re
import shutil
import sys

from nt_live import Workload, check, long_test, main
from nt_live.environment import REPO, run_script

sys.path.insert(0, str(REPO / "tests/pty"))
from nt_pty import Terminal, wait_for_methods  # noqa: E402

SOURCE = REPO / "tests/live/workload/Compute.cs"
BUSY_MS = 10 * 60 * 1000  # longer than any test
HOT = "Workload.Compute.Spin"
# share, address offset, IL offset, line, instruction
ROW = re.compile(r"^!? +(\d+\.\d) .*? ([\da-f]+) +([\da-f]+) +Compute\.cs:(\d+) +[a-z]", re.M)

# share, instruction
INSTRUCTION = re.compile(r"^!? +[1-9]\d*\.\d .*? [\da-f]+ +.*(?:xor|add|imul|mov|cmp|j[a-z]+) ", re.M)


class Spinning(Workload):
    """The workload precompiled, with its PDB as `form` says; without tiers, so that its precompiled code stays."""

    hot = HOT

    def __init__(self, env, form, **settings):
        program = run_script(REPO / "tests/long/precompiled.sh", form)
        root = os.path.dirname(os.path.realpath(shutil.which("dotnet")))
        perf_map = settings.get("EnableDiagnostics") != "0"
        super().__init__(env, mode="none", lttng=False, perf_map=perf_map, dotnet={"TieredCompilation": "0"} | settings, program=program,
                         variables={"DOTNET_ROOT": root})
        self.process.send_line(f"compute {BUSY_MS}")


def hot_lines():
    """The lines of the loop in which the hot method spends its time."""
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    marked = next(number for number, line in enumerate(lines, 1) if "// a hot line" in line)
    return range(marked - 5, marked + 4)  # for, {, x ^= ... x += turn


def check_lines(env, form, options=(), **settings):
    with Spinning(env, form, **settings) as work, Terminal(env, columns=120) as terminal:
        terminal.start_nettop(work.pid, *options)
        wait_for_methods(terminal, work)
        terminal.type("/" + HOT)
        terminal.keys("Enter", "g", "a")
        terminal.wait_for(ROW, "sampled instructions with their source lines", 60)
        found = [(float(share), int(line)) for share, _, _, line in ROW.findall(terminal.screen())]
        wrong = [(share, line) for share, line in found if share >= 1 and line not in hot_lines()]
        check(not wrong, f"hot lines outside of {hot_lines()}: {wrong}\n{terminal.show()}")
        share, line = max(found)
        return f"{share} % in line {line}"


@long_test
def precompiled_code_with_a_pdb_beside(env):
    return check_lines(env, "pdb")


@long_test
def precompiled_code_with_an_embedded_pdb(env):
    return check_lines(env, "embedded")


@long_test
def jitted_code(env):
    """Which IL the JIT made code of, nothing but the runtime knows: its memory (.NET 10), else its list of methods."""
    return check_lines(env, "pdb", ReadyToRun="0")


@long_test
def jitted_code_without_a_port(env):
    """Nobody may ask such a target for anything, and it has no perf map: its memory alone says it all."""
    return check_lines(env, "pdb", ReadyToRun="0", EnableDiagnostics="0")


@long_test
def jitted_code_by_the_runtimes_own_list(env):
    """Without its memory."""
    return check_lines(env, "pdb", ("--source", "perf,eventpipe,map"), ReadyToRun="0")


@long_test
def the_code_of_a_target_that_ended(env):
    """Its memory is gone; the jitdump has the code."""
    with Spinning(env, "pdb", ReadyToRun="0", PerfMapEnabled="2", PerfMapStubGranularity="2") as work, Terminal(env, columns=120) as terminal:
        terminal.start_nettop(work.pid)
        wait_for_methods(terminal, work)
        terminal.type("/" + HOT)
        terminal.keys("Enter", "g")
        work.process.kill()
        terminal.wait_for("ended", "the end of the target", 20)
        terminal.keys("a")
        terminal.wait_for(INSTRUCTION, "sampled instructions", 60)
        return f"{len(INSTRUCTION.findall(terminal.screen()))} sampled instructions on the screen"


if __name__ == "__main__":
    main()
