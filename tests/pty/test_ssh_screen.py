#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop --ssh in a real terminal: the screen is as it is here, keys and sizes reach it, and it leaves the terminal as it was."""
from nt_pty import *
from nt_live import long_test
from nt_live.far_machine import FarMachine

SYSTEM_PATH = "/usr/bin:/bin"


def programs(env):
    folder = env.open_scratch / "far-bin"
    if not folder.exists():
        folder.mkdir()
        (folder / "nettop").symlink_to(env.nettop)
    return f"{folder}:{SYSTEM_PATH}"


def start_over(terminal, env, far, target, *options):
    """Until its first whole frame."""
    terminal.run(env.nettop, "--ssh", "far", "-p", target.pid, *options, variables=far.variables)
    terminal.wait_for(lambda screen: screen.startswith(f"{target.pid} ") and terminal.in_full_screen(), "the identity line stands in line 1", 40)
    wait_for_methods(terminal, target)


@test
def the_screen_is_as_it_is_here(env):
    with Target(env) as target, FarMachine(env, programs(env)) as far, Terminal(env) as terminal:
        start_over(terminal, env, far, target, "-d", 0.2)
        check("─" in terminal.screen() or "▁" in terminal.screen() or "█" in terminal.screen(), f"it is drawn with ASCII characters:\n{terminal.show()}")
        for columns, lines in ((120, 40), (60, 18), (100, 30)):
            terminal.resize(columns, lines)
            terminal.wait_for(lambda screen, lines=lines: len(screen.rstrip("\n").split("\n")) == lines and "METHOD" in screen, f"{columns}x{lines} is filled")
        terminal.keys("2")
        terminal.wait_for(lambda screen: "[2 " in screen, "a key reaches it")
        terminal.type("~.")  # is nothing to ssh
        terminal.keys("1")
        terminal.wait_for(lambda screen: "[1 Methods]" in screen, "another one")
        terminal.keys("q")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 0)
        check(terminal.is_restored(), f"the terminal is not as before:\n{terminal.show()}")
        check_equal("folders left behind", [path.name for path in terminal.temporary.glob("nettop-*")] + far.left(), [])


@test
def a_connection_that_breaks(env):
    with Target(env) as target, FarMachine(env, programs(env)) as far, Terminal(env) as terminal:
        start_over(terminal, env, far, target, "--mouse")
        there = far.processes("nettop")
        check(there and far.cut(), "there is no connection")
        terminal.wait_for_shell()
        terminal.wait_for(lambda screen: "the connection to far" in screen, "why it ended")
        check_equal("exit status", terminal.last_status(), 1)
        check(terminal.is_restored(), f"the terminal is not as before:\n{terminal.show()}")
        wait_until(lambda: not there & set(descendants()), 20, lambda: f"nettop has ended there: {there & set(descendants())}")
        check_equal("left", far.left(), [])


@test
def ctrl_c_ends_it(env):
    with Target(env) as target, FarMachine(env, programs(env)) as far, Terminal(env) as terminal:
        start_over(terminal, env, far, target)
        terminal.keys("C-c")
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 0)
        check(terminal.is_restored(), f"the terminal is not as before:\n{terminal.show()}")


QUESTION = "Go on? [y/N]"


@test
def the_question_before_a_copy(env):
    """Whatever is no yes is a no: nothing is copied, nothing is left."""
    with Target(env) as target, FarMachine(env, SYSTEM_PATH) as far, Terminal(env) as terminal:
        for keys in (("n", "Enter"), ("Enter",), ("C-c",), ("C-d",), ("y", "e", "Enter")):
            terminal.run("clear")
            terminal.run(env.nettop, "--ssh", "far", "-p", target.pid, variables=far.variables)
            terminal.wait_for(QUESTION, "the question", 40)
            check_equal("before there is an answer", far.left(), [])
            terminal.keys(*keys)
            terminal.wait_for_shell(f"the shell, after {keys}")
            check_equal(f"{keys}: exit status", terminal.last_status(), 1)
            check(terminal.is_restored(), f"{keys}: the terminal is not as before:\n{terminal.show()}")
            check_equal(f"{keys}: left", [path.name for path in terminal.temporary.glob("nettop-*")] + far.left(), [])
        terminal.run("clear")
        terminal.run(env.nettop, "--ssh", "far", "-p", target.pid, variables=far.variables)
        terminal.wait_for(QUESTION, "the question", 40)
        terminal.keys("y", "Enter")
        terminal.wait_for(lambda screen: screen.startswith(f"{target.pid} ") and terminal.in_full_screen(), "the screen", 60)
        terminal.keys("q")
        terminal.wait_for_shell()
        check(terminal.is_restored(), f"the terminal is not as before:\n{terminal.show()}")
        wait_until(lambda: not far.left(), 10, lambda: f"left: {far.left()}")


@test
def ssh_asks_for_a_password_once(env):
    """It is asked by ssh, on the terminal; what is executed afterwards goes over the same connection."""
    env.need_commands("unshare", "openssl")
    password = "correct horse"
    with Target(env) as target, FarMachine(env, programs(env), user="person", password=password) as far, Terminal(env) as terminal:
        terminal.run(env.nettop, "--ssh", "far", "ps", variables=far.variables)
        terminal.wait_for("password:", "the question for it", 40)
        terminal.keys("C-c")
        terminal.wait_for_shell("the shell after Ctrl-C")
        check(terminal.is_restored(), f"the terminal is not as before:\n{terminal.show()}")
        terminal.run("clear")
        terminal.run(env.nettop, "--ssh", "far", "ps", variables=far.variables)
        terminal.wait_for("password:", "the question for it", 40)
        terminal.type(password)
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: f"{target.pid} " in screen, "the list", 40)
        terminal.wait_for_shell()
        check_equal("exit status", terminal.last_status(), 0)
        check(password not in terminal.screen() and terminal.screen().count("password:") == 1, f"it is asked once, and not shown:\n{terminal.show()}")
        check_equal("left", [path.name for path in terminal.temporary.glob("nettop-*")] + far.left(), [])


@test
def a_host_that_nobody_knows(env):
    """ssh asks whether the key is the right one, on the terminal; a no is one sentence more, and nothing is executed there."""
    with FarMachine(env, programs(env)) as far, Terminal(env) as terminal:
        far.forget_key()
        terminal.run(env.nettop, "--ssh", "far", "ps", variables=far.variables)
        terminal.wait_for("continue connecting", "ssh's question", 40)
        terminal.type("no")
        terminal.keys("Enter")
        terminal.wait_for_shell()
        terminal.wait_for(lambda screen: "nettop: no connection to far: Host key verification failed." in screen.replace("\n", ""), "why there is none")
        check_equal("exit status", terminal.last_status(), 1)
        check(terminal.is_restored(), f"the terminal is not as before:\n{terminal.show()}")


@long_test
def a_connection_that_goes_silent(env):
    """Nothing comes any more, and nobody says so: it is given up, and over there it ends when it can."""
    with Target(env) as target, FarMachine(env, programs(env)) as far, Terminal(env) as terminal:
        start_over(terminal, env, far, target, "--mouse")
        there = far.processes("nettop")
        with far.silent():
            terminal.wait_for_shell("the shell, after a while", 40)
            terminal.wait_for(lambda screen: "the connection to far" in screen, "why it ended")
            check_equal("exit status", terminal.last_status(), 1)
            check(terminal.is_restored(), f"the terminal is not as before:\n{terminal.show()}")
        wait_until(lambda: not there & set(descendants()), 20, lambda: f"nettop has ended there: {there & set(descendants())}")
        check_equal("left", far.left(), [])


if __name__ == "__main__":
    main()
