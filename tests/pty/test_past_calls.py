#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The call tree of a time that is over, where nobody looked at it then: of an interval one goes back to, and of a span, whose stacks can be written."""
import pathlib
import re
import tempfile

from nt_pty import *


def folded_of(path):
    """{a stack: its samples} of a file of folded stacks."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {stack: int(samples) for stack, samples in (line.rsplit(" ", 1) for line in lines)}


@test
def calls_of_an_interval_and_of_a_span(env):
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        folder = pathlib.Path(tempfile.mkdtemp(dir=env.scratch))  # empty, also when this is tried again
        hot = target.hot.split(".")[-1]
        terminal.run("cd", folder)
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        terminal.keys("m")
        terminal.wait_for(lambda screen: len(re.findall("[░▒▓█]", screen)) > 50, "samples of some intervals in the heat map", 30)
        terminal.keys("[", "m", "/")
        terminal.type(hot)
        terminal.keys("Enter", "Enter")
        terminal.wait_for(lambda screen: "PAUSED" in identity(screen) and len(tree_rows(screen)) > 1 and hot in "".join(tree_rows(screen)), "an interval that is over has its tree")
        terminal.keys("[")
        terminal.wait_for(lambda screen: "PAUSED" in identity(screen) and tree_rows(screen), "and the one before")
        terminal.keys("Escape", "m", "Up")
        terminal.wait_for("Enter shows it", "a part of an interval is chosen")
        terminal.keys("x", "Left", "Left", "Enter")
        terminal.wait_for(lambda screen: "SPAN " in identity(screen) and "SELF%" in screen and hot in screen, "the methods of a span")
        terminal.keys("a")
        terminal.wait_for(lambda screen: "SPAN " in identity(screen) and "not at which instructions" in screen and hot in screen, "its code is of no span, which stays")
        terminal.keys("Escape", "x", "o")
        terminal.wait_for(lambda screen: "SPAN " in identity(screen) and "only outside pauses" in screen and hot in screen, "the part outside of pauses, of the span")
        terminal.keys("Escape", "Enter")
        terminal.wait_for(lambda screen: "SPAN " in identity(screen) and "span of" in screen and len(tree_rows(screen)) > 1, "its call tree; it is still the span")
        terminal.keys("w")
        terminal.wait_for("folded")
        terminal.keys("Down", "Down", "Down", "Enter", "C-u")  # this screen, interval, flame graph, folded
        terminal.type("span.folded")
        terminal.keys("Enter")
        terminal.wait_for("Wrote ./span.folded")
        stacks = folded_of(folder / "span.folded")
        own = sum(samples for stack, samples in stacks.items() if hot in stack)
        check(own >= 0.5 * sum(stacks.values()) > 0, f"most samples are below the hot method: {own} of {sum(stacks.values())}")
        check(max(stack.count(";") for stack in stacks) >= 2, f"stacks from their thread on: {list(stacks)[:3]}")
        terminal.keys("Escape", "m", "x", "Left", "Left", "Enter")
        terminal.wait_for(lambda screen: "SPAN " in identity(screen) and "SELF%" in screen, "a span of whole intervals")
        terminal.keys("4")
        terminal.wait_for(lambda screen: "[4 Threads]" in screen and "ROLE" in screen, "its threads")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: "SPAN " in identity(screen) and "only t" in screen and "SELF%" in screen, "the methods of a thread in it")
        terminal.keys("Space")
        terminal.wait_for(lambda screen: identity(screen).endswith("LIVE"), "live again")


if __name__ == "__main__":
    main()
