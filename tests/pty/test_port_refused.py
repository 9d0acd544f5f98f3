#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A target whose diagnostics port does not answer, in full screen: a sentence on the Sources screen, the keys obey, and what comes back is seen."""
import os
import pathlib
import re
import signal
import socket

from nt_pty import *  # makes the modules below known
from nt_live import Bare
from nt_live.bare import contained

WIDE = (300, 50)  # columns, lines: whole sentences
SEEN_S = 30.0  # asked again after 10 s at most
USER = ("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups")


def port_of(pid):
    return next(pathlib.Path(os.environ["TMPDIR"]).glob(f"dotnet-diagnostic-{pid}-*-socket"))


def obeys(terminal):
    """It draws what is asked for."""
    for key, tab in (("1", "[1 M"), ("2", "[2 G"), ("0", "[0 S")):
        terminal.keys(key)
        terminal.wait_for(tab, f"key {key} brings its screen", SEEN_S)


def says(terminal, *words, source="eventpipe"):
    """The row of a source on the Sources screen."""
    terminal.wait_for(lambda screen: any(re.match(rf"\W*{source} ", row) and all(word in row for word in words) for row in screen.split("\n")),
                      f"{source}: {', '.join(words)}", SEEN_S)


@test
def what_comes_and_goes(env):
    """One target through all of it: a dead socket in the place of its own, delivering, stopped, killed."""
    with Bare(env) as target, Terminal(env, *WIDE) as terminal:
        own, hidden = port_of(target.pid), pathlib.Path(os.environ["TMPDIR"]) / "hidden"
        own.rename(hidden)
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(own))
        terminal.start_nettop(target.pid)
        obeys(terminal)
        says(terminal, "nobody listens")
        own.unlink()
        hidden.rename(own)
        says(terminal, "delivering")
        os.kill(target.pid, signal.SIGSTOP)
        obeys(terminal)
        os.kill(target.pid, signal.SIGCONT)
        says(terminal, "delivering")
        os.kill(target.pid, signal.SIGKILL)
        target.process.wait(SEEN_S)
        terminal.wait_for(re.compile(r"Target ended at .*SIGKILL"), "a sentence says how it ended", SEEN_S)
        obeys(terminal)


@test
def stopped_before_it_is_asked(env):
    with Bare(env) as target, Terminal(env, *WIDE) as terminal:
        os.kill(target.pid, signal.SIGSTOP)
        terminal.start_nettop(target.pid)
        obeys(terminal)
        says(terminal, "is stopped", f"kill -CONT {target.pid}")
        os.kill(target.pid, signal.SIGCONT)
        says(terminal, "delivering")


@test
def switched_off(env):
    with Bare(env, dotnet={"EnableDiagnostics": "0"}) as target, Terminal(env, *WIDE) as terminal:
        terminal.start_nettop(target.pid)
        obeys(terminal)
        says(terminal, "switched off", "DOTNET_EnableDiagnostics=1")


@test
def another_user(env):
    """As root: all is there. As somebody else: a sentence, no screen."""
    env.need_commands("setpriv")
    with Bare(env, under=USER, variables={"HOME": "/", "DOTNET_CLI_HOME": "/"}) as target, Terminal(env, *WIDE) as terminal:
        terminal.start_nettop(target.pid)
        obeys(terminal)
        says(terminal, "delivering")
        terminal.keys("q")
        terminal.wait_for_shell()
        terminal.run("setpriv", "--reuid=54322", "--regid=54322", "--clear-groups", env.nettop, "-p", target.pid)
        terminal.wait_for(re.compile(r"belongs to uid 54321 and nettop runs as uid 54322"))
        terminal.wait_for_shell()


@test
def in_namespaces_of_its_own(env):
    with contained(env) as (_, pid, _), Terminal(env, *WIDE) as terminal:
        terminal.start_nettop(pid, "--map")
        obeys(terminal)
        says(terminal, "delivering")
        says(terminal, "delivering", "switched on by nettop", source="map")


if __name__ == "__main__":
    main()
