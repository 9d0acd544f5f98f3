#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop run in a terminal: the log, Ctrl-C, Ctrl-Z, what is left on the terminal. Counts and exit statuses: tests/live/test_run.py, test_run_counts.py."""
import re

from nt_pty import *

SCRIPT = 'echo "hello from the program"; echo "\033[31mtrouble\033[0m" >&2; exec "$0" --play'


def start(terminal, env, variables=None):
    """nettop run until its first full frame. Its pid, and that of the program, which goes on until it is told to end."""
    terminal.run(env.nettop, "run", "-d", 0.2, "--", "sh", "-c", SCRIPT, env.fakeclr, variables=variables)
    nettop = wait_until(terminal.nettop_pid, 15, "nettop starts")
    terminal.wait_for(lambda screen: re.match(r"\d+ fakeclr ", screen) and terminal.in_full_screen(), "the program stands in line 1")
    return nettop, int(terminal.lines()[0].split()[0])


def state(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


@test
def log_of_a_program(env):
    with Terminal(env) as terminal:
        _, program = start(terminal, env, {"DOTNET_EnableEventLog": "0"})
        terminal.wait_for("There are notices: L shows them")
        terminal.wait_for("lttng●", "LTTng delivers")
        terminal.keys("L")
        terminal.wait_for(re.compile(r"^ \d\d:\d\d:\d\d nettop DOTNET_EnableEventLog=0 was set by you and stays", re.M))
        terminal.wait_for(re.compile(r"^ \d\d:\d\d:\d\d out +hello from the program$", re.M), "its output is in the log")
        terminal.wait_for(re.compile(r"^ \d\d:\d\d:\d\d err +trouble$", re.M), "its errors are, without their colours")
        terminal.keys("q")
        terminal.wait_for_shell()
        check(program not in descendants(), "the program runs on after q")
        check_equal("exit status", terminal.last_status(), 0)
        check(terminal.is_restored(), "the terminal is not as it was")


@test
def ctrl_c_goes_to_the_program_first(env):
    with Terminal(env) as terminal:
        _, program = start(terminal, env)
        terminal.keys("C-c")
        terminal.wait_for(re.compile(r"ENDED|The program has ended: killed by SIGINT"), "the program has ended, nettop has not")
        wait_until(lambda: program not in descendants(), 15, "the program has ended")
        check(terminal.in_full_screen(), "nettop has ended with the first Ctrl-C")
        terminal.keys("C-c")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 130)


@test
def ctrl_z_stops_both(env):
    with Terminal(env) as terminal:
        nettop, program = start(terminal, env)
        terminal.keys("C-z")
        terminal.wait_for_shell("suspended")
        wait_until(lambda: state(nettop) == state(program) == "T", 15, "both stand still")
        terminal.type("fg")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: screen.startswith(f"{program} ") and terminal.in_full_screen(), "back in full screen")
        wait_until(lambda: state(program) != "T", 15, "the program goes on")
        terminal.keys("q")
        terminal.wait_for_shell()


@test
def no_screen_without_a_program(env):
    """What the command wrote, and why there is nothing to see, stand on the terminal."""
    with Terminal(env) as terminal:
        terminal.run(env.nettop, "run", "--", "sh", "-c", "echo all I have to say; exit 5")
        terminal.wait_for("all I have to say")
        terminal.wait_for("before there was a .NET program to watch: exit status 5")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 5)
        check(terminal.is_restored(), "the terminal is not as it was")


if __name__ == "__main__":
    main(without_root=True)
