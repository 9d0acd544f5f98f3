#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What is chosen on the screens is there again the next time: key W, nettop config."""
import os
import re
import subprocess

from nt_pty import *


def config_of(env, folder):
    """What `nettop config` prints there: status, lines, and what it says is wrong."""
    done = subprocess.run([env.nettop, "config"], env=os.environ | {"XDG_CONFIG_HOME": str(folder)}, timeout=20, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout.splitlines(), done.stderr


@presses("W")
def what_is_chosen_is_there_the_next_time(env, press):
    home = env.scratch / "settings"
    variables = {"XDG_CONFIG_HOME": str(home)}
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(target.pid, variables=variables, delay_s=None)
        wait_for_methods(terminal, target)
        for keys in (">", "B", ("C", "Space", "Escape"), "o", ("8", "v", "v")):
            terminal.keys(*keys)
        terminal.wait_for("since attach")
        chosen = terminal.lines()
        terminal.keys("1")
        methods = terminal.wait_for(lambda screen: "[1 Methods]" in screen and next(line for line in screen.split("\n") if "METHOD" in line), "the titles of the methods")
        press(terminal, "W")
        terminal.wait_for(f"Wrote {home}/nettop/config")
        terminal.keys("q")
        terminal.wait_for_shell()
        status, lines, wrong = config_of(env, home)
        check_equal("nettop config", (status, wrong), (0, ""))
        for setting in ("window = attach", "header = short", "group.waits = wait_threads", "sort.methods = total_pct descending"):
            check(any(re.fullmatch(rf"{setting}  # {home}/nettop/config:\d+", line) for line in lines), f"nettop config does not have '{setting}' of the file:\n" + "\n".join(lines))
        check(any(re.fullmatch(r"#delay = 1  # as usual", line) for line in lines), "the interval is not as usual")

        terminal.start_nettop(target.pid, variables=variables, delay_s=None)
        wait_for_methods(terminal, target)
        again = next(line for line in terminal.lines() if "METHOD" in line)
        check_equal("the titles of the methods the next time", *(re.sub(r"0\.\.\S+", "TREND", titles).split()[:4] for titles in (again, methods)))
        terminal.keys("8")
        titles = next(at for at, line in enumerate(chosen) if "since attach" in line)
        terminal.wait_for(lambda _: terminal.lines()[titles].split()[:3] == chosen[titles].split()[:3], "key 8 opens the grouping by thread")
        terminal.keys("q")
        terminal.wait_for_shell()


@test
def what_is_wrong_is_said_and_the_rest_is_taken(env):
    home = env.scratch / "wrong-settings"
    (home / "nettop").mkdir(parents=True, exist_ok=True)
    path = home / "nettop/config"
    path.write_text("header = line\ndelay = soon\nof.later = 1\n", encoding="ascii")
    sentence = f"{path}:2: delay: 'soon' is no interval; say seconds from 0.1 to 3600"
    check_equal("what nettop config says is wrong", config_of(env, home)[::2], (1, sentence + "\n"))
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(target.pid, variables={"XDG_CONFIG_HOME": str(home)})
        terminal.wait_for(lambda screen: context_line(screen).startswith(sentence[:80]), "the line that is wrong")
        check("[1 Methods]" in terminal.lines()[1], f"the header is not one line:\n{terminal.show()}")
        terminal.keys("q")
        terminal.wait_for_shell()
        check(sentence in re.sub(r"\n", "", terminal.screen()), f"it is not there when the screen has gone:\n{terminal.show()}")
        terminal.start_nettop(target.pid, "--no-config", variables={"XDG_CONFIG_HOME": str(home)})
        terminal.wait_for(lambda screen: "[1 Methods]" in screen.split("\n")[7], "the header in full")
        terminal.keys("W")
        terminal.wait_for("nothing is kept: nettop runs with --no-config")
        terminal.keys("q")
        terminal.wait_for_shell()
    check_equal("the file", path.read_text(encoding="ascii"), "header = line\ndelay = soon\nof.later = 1\n")


if __name__ == "__main__":
    main(without_root=True)
