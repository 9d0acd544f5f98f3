#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Whatever is pressed, the model is told by batches and ticks alone: these, kept by --check-replay, make the same snapshots again."""
import re

from nt_pty import *
from nt_live import long_test


def is_replayed(terminal, least):
    """nettop has ended: what it says of its snapshots."""
    terminal.wait_for_shell("nettop has ended, and compared", 60)
    said = terminal.wait_for(re.compile(r"^nettop: replay_equal: (\w+) \((\d+) snapshots\)$", re.M))
    check_equal("replay_equal", said[1], "true")
    check(int(said[2]) >= least, f"only {said[2]} snapshots were compared")
    return f"{said[2]} snapshots"


def keys_on_screens(env, share):
    """`share`: of so many screens that follow each other each has its part of the keys."""
    keys = [key for key in keys_of_manual() if key not in END_IT and key != STOPS_IT]
    check(len(keys) > 60 and set(SCREENS) < set(keys), f"the keys of the manual: {keys}")
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        nettop = terminal.start_nettop(target.pid, "--check-replay")
        wait_for_methods(terminal, target)
        for at, screen in enumerate(SCREENS):
            go_to(terminal, screen)
            wait_for_work(nettop, rounds=4)
            press_all(terminal, keys[at % share::share])
        terminal.keys("q")
        return is_replayed(terminal, 2 * len(SCREENS) // share)


@test
def every_key_on_some_screen(env):
    """Three times each."""
    return keys_on_screens(env, 3)


@long_test
def every_key_on_every_screen(env):
    return keys_on_screens(env, 1)


@test
def what_the_model_is_asked_for(env):
    """The keys that change what it keeps, each until there is something to see of it."""
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        nettop = terminal.start_nettop(target.pid, "--check-replay")
        wait_for_methods(terminal, target)
        terminal.keys("d")
        terminal.type("0.4")
        terminal.keys("Enter")
        terminal.keys("g", "Enter")
        terminal.wait_for(tree_rows, "the call tree of a method", 30)
        terminal.keys("z")
        terminal.keys("Escape")
        terminal.wait_for(lambda screen: "SELF%" in screen and not tree_rows(screen), "the methods")
        terminal.type("/" + target.hot)
        terminal.keys("Enter", "g", "a")
        terminal.wait_for(lambda screen: "INSTRUCTION" in screen and re.search(r"[\da-f]+ +[a-z]{2}", screen), "its instructions", 30)
        terminal.keys("z")
        terminal.keys("a")
        terminal.wait_for(lambda screen: "METHOD" in screen and "INSTRUCTION" not in screen, "the methods again")
        terminal.keys(name_for_tmux(STOPS_IT))
        terminal.wait_for_shell("Ctrl-Z leads back to the shell")
        terminal.run("fg")
        terminal.wait_for(lambda screen: screen.startswith(f"{target.pid} ") and terminal.in_full_screen(), "fg brings the screen back")
        for screen in SCREENS:
            go_to(terminal, screen)
            wait_for_work(nettop, rounds=12)
        terminal.keys("q")
        return is_replayed(terminal, len(SCREENS))


if __name__ == "__main__":
    main(without_root=True)
