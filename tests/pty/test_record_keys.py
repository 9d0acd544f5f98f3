#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Key w: all of a process recorded from now on, and what --flight keeps of it; what line 1 says meanwhile; how both are played."""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

from nt_pty import *
from nt_live import wait_until


def choose(terminal, word):
    """The line of the menu."""
    terminal.keys("w")
    terminal.wait_for("WRITE TO A FILE")
    lines = [line.strip() for line in terminal.screen().split("\n")]
    first = next(i for i, line in enumerate(lines) if line.startswith("this screen"))
    chosen = next(i for i, line in enumerate(lines) if line.startswith(word))
    terminal.keys(*["Down"] * (chosen - first), "Enter")


def played(env, path, target):
    done = subprocess.run([str(env.nettop), "replay", str(path), "--json"], capture_output=True, text=True, timeout=60, check=False)
    check_equal(f"exit status of replay, which says {done.stderr}", (done.returncode, done.stderr), (0, ""))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    check(any(target.hot in row["name"] for row in lines[-1]["methods"]), f"{path} does not name {target.hot}")
    return lines


@test
def a_recording_begins_and_ends_and_the_last_minutes_are_written(env):
    with Target(env) as target, Terminal(env, 120, 24) as terminal:
        folder = pathlib.Path(tempfile.mkdtemp(dir=env.scratch))
        terminal.run("cd", folder)
        nettop = terminal.start_nettop(target.pid, "--flight", "1", "--readonly")
        wait_for_methods(terminal, target)
        choose(terminal, "recording")
        terminal.wait_for(lambda screen: context_line(screen).startswith(f"File: nettop-{target.pid}-2"), "a name is suggested")
        terminal.keys("Enter")
        terminal.wait_for(re.compile(r"^Recording into \./nettop-.*\.nettop: w ends it", re.M))
        terminal.wait_for(lambda screen: re.search(r"REC [\d.]+[KM]? LIVE", identity(screen)), "line 1 says how much is recorded")
        choose(terminal, "no recording")
        terminal.wait_for(lambda screen: context_line(screen).startswith("recorded ") and "REC" not in identity(screen), "it ends")
        (recording,) = folder.iterdir()
        lines = played(env, recording, target)
        check(len(lines) >= 2 and lines[-1]["type"] == "summary", f"{len(lines)} lines")
        choose(terminal, "last minutes")
        terminal.keys("C-u")
        terminal.type("last.nettop")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: "in last.nettop" in context_line(screen), "what was kept is written")
        check(len(played(env, folder / "last.nettop", target)) >= len(lines), "what is kept begins before the recording")
        choose(terminal, "last minutes")
        terminal.keys("C-u")
        terminal.type("last.nettop")
        terminal.keys("Enter")
        terminal.wait_for(re.compile(r"^last\.nettop is there already", re.M))
        os.kill(nettop, signal.SIGUSR2)
        wait_until(lambda: len(list(folder.iterdir())) == 3, 30, "a signal writes it, too")
        for path in folder.iterdir():
            check_equal(f"rights of {path}", path.stat().st_mode & 0o777, 0o600)
        choose(terminal, "recording")
        terminal.keys("Enter")
        terminal.wait_for(re.compile(r"^Recording into", re.M))
        terminal.keys("q")
        terminal.wait_for_shell()
        terminal.wait_for(re.compile(r"^nettop: recorded ", re.M))
        return f"{recording.stat().st_size} and {(folder / 'last.nettop').stat().st_size} bytes"


if __name__ == "__main__":
    main()
