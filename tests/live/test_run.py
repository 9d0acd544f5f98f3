#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# alone: a program that is launched over LTTng, as in test_jit.py
"""nettop run of a program that LTTng is read of: its first events, signals, who ends first. Counts and names of real programs: test_run_counts.py; on the screen: tests/pty/test_run_screen.py."""
import os
import signal

from nt_live import *
from nt_live.launched import run_shortly
from nt_live.nettop import source_of


@test
def a_program_that_ends_at_once(env):
    """Its events are not lost with it."""
    status, said, summary = run_shortly(env, env.fakeclr, "jit-dynamic 3", "quit")
    check_equal(f"exit status ({said})", status, 0)
    check(summary, f"nothing was seen of it: {said}")
    check_equal("compilations", summary["jit"]["method_count"], 3)
    check_equal("name and mode of the target", [summary["target"]["name"], summary["target"]["mode"]], ["fakeclr", "N"])


def child_that_ended(pid, name):
    """A child of this process that ended and was not collected."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        children = file.read().split()
    for child in children:
        with open(f"/proc/{child}/stat", encoding="utf-8", errors="replace") as file:
            if f"({name}) Z" in file.read():
                return child
    return None


@test
def a_program_that_was_over_before_it_was_looked_at(env):
    """It stops nettop before it begins; nettop goes on when it has ended."""
    with NettopRun(env, "sh", "-c", 'kill -STOP $PPID; exec "$0" "jit-dynamic 3" quit', env.fakeclr) as nettop:
        wait_until(lambda: child_that_ended(nettop.process.pid, "fakeclr"), 20, "the program has ended")
        nettop.process.signal(signal.SIGCONT)
        check_equal("exit status", nettop.read_to_end(), 0)
        check(nettop.summary, f"nothing was seen of it: {nettop.process.stderr_text()}")
        check_equal("compilations", nettop.summary["jit"]["method_count"], 3)
        check_equal("mode of the target", nettop.summary["target"]["mode"], "N")
        check_equal("end of the target", nettop.summary["target"]["end"], "exit status 0")


@test
def what_the_person_set_stays(env):
    with NettopRun(env, env.fakeclr, variables={"DOTNET_EnableEventLog": "0"}) as nettop:
        nettop.answer(lambda answer: answer.get("ready"))
        said = nettop.process.stderr_text()
        check("DOTNET_EnableEventLog=0 was set by you and stays" in said, f"no notice: {said}")
        line = nettop.wait_for(lambda line: source_of(line, "lttng").get("state") == "delivering", 20, "LTTng delivers")
        check_equal("mode of the target", line["target"]["mode"], "none")
        nettop.send("quit")
        check_equal("exit status", nettop.read_to_end(), 0)


@test
def signals_go_to_the_program_first(env):
    """Ctrl-C: tests/pty/test_run_screen.py."""
    with NettopRun(env, env.fakeclr) as nettop:
        nettop.wait_for_sources("lttng")
        nettop.process.signal(signal.SIGTERM)
        check_equal("exit status", nettop.read_to_end(), 128 + signal.SIGTERM)
        check(nettop.summary["complete"], "the summary is not complete")


@test
def the_second_signal_ends_nettop(env):
    """A program that will not hear is ended with it."""
    with NettopRun(env, "sh", "-c", 'trap "" INT TERM; echo "{\\"ready\\":1}"; while :; do sleep 0.1; done') as nettop:
        nettop.answer(lambda answer: answer.get("ready"))
        nettop.process.signal(signal.SIGINT)
        os.kill(nettop.process.pid, signal.SIGINT)  # merged with the first while that is not taken: hence the third
        wait_for_work(nettop.process.pid)
        nettop.process.signal(signal.SIGINT)
        check_equal("exit status", nettop.read_to_end(), 128 + signal.SIGKILL)


def states(*pids):
    found = []
    for pid in pids:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            found.append(file.read().rsplit(")", 1)[1].split()[0])
    return found


@test
def suspended_and_continued_together(env):
    with NettopRun(env, env.fakeclr) as nettop:
        pid = nettop.answer(lambda answer: answer.get("ready"))["pid"]
        nettop.wait_for_sources("lttng")
        nettop.process.signal(signal.SIGTSTP)
        wait_until(lambda: states(nettop.process.pid, pid) == ["T", "T"], 15, "both stand still")
        nettop.process.signal(signal.SIGCONT)
        nettop.send("jit-dynamic 5")
        nettop.wait_for(lambda line: line["jit"]["method_count"], 20, "it is watched again")
        nettop.send("quit")
        check_equal("exit status", nettop.read_to_end(), 0)


@test
def killed_while_suspended_leaves_no_program_behind(env):
    """It would stand still for ever: the keeper hangs up on it."""
    with NettopRun(env, env.fakeclr) as nettop:
        pid = nettop.answer(lambda answer: answer.get("ready"))["pid"]
        nettop.process.signal(signal.SIGTSTP)
        wait_until(lambda: states(nettop.process.pid, pid) == ["T", "T"], 15, "both stand still")
        nettop.process.signal(signal.SIGKILL)
        wait_until(lambda: pid not in descendants(), 15, "the program has ended")


@test
def nettop_ends_first(env):
    """After so many intervals it ends the program, too."""
    with NettopRun(env, env.fakeclr, options=("-n", "2", "--events", "full")) as nettop:
        pid = nettop.answer(lambda answer: answer.get("ready"))["pid"]
        check_equal("exit status", nettop.read_to_end(), 0)
        check_equal("intervals", len(nettop.intervals), 2)
        check_equal("mode of the target", nettop.summary["target"]["mode"], "F")
        check(pid not in descendants(), "the program runs on")


if __name__ == "__main__":
    main()
