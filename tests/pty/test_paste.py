#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What is pasted is text, and no key."""
import os
import re
import signal

from nt_pty import *

ON, OFF = b"\x1b[?2004h", b"\x1b[?2004l"


@test
def a_paste_is_text(env):
    """In a prompt it is what was asked for; elsewhere each of its characters would be a key. This one would end nettop."""
    with Target(env) as target, Terminal(env) as terminal:
        terminal.start_nettop(target.pid)
        wait_for_methods(terminal, target)
        terminal.paste("q2?\rZ")
        terminal.wait_for("What is pasted is text", "a word about it")
        check("[1 Methods]" in terminal.screen(), f"a character was a key:\n{terminal.show()}")
        terminal.keys("/")
        terminal.wait_for(lambda screen: context_line(screen).startswith("/"), "the filter's prompt")
        terminal.paste(f"{target.hot}\n\x03q\x1bOB")
        terminal.wait_for(lambda screen: context_line(screen).startswith(f"/ {target.hot}q"), "the text without what is none")
        terminal.keys("BSpace")
        terminal.wait_for(lambda screen: re.search(r"regexp: [1-9]\d* of ", context_line(screen)) and target.hot in screen, "the rows that match")
        terminal.keys("Enter")
        terminal.keys("q")
        terminal.wait_for_shell()
        check(terminal.is_restored(), f"the terminal is not as before: {terminal.show()}")


@test
def the_terminal_is_left_as_it_was(env):
    """Whoever pastes into the shell afterwards sees no mark of it, however nettop ended. (Ctrl-Z: tests/unit/ui/test_term.c.)"""
    with Target(env) as target:
        for how in ("q", "SIGKILL"):
            with Line(env, "-p", target.pid) as line:
                line.wait_for(ON, "it is switched on", 30)
                line.wait_for(target.hot.encode(), "the hot method", 30)
                start = len(line.sent)
                if how == "q":
                    line.type(b"q")
                else:
                    os.kill(line.process.pid, signal.SIGKILL)
                line.wait_for(OFF, f"it is switched off after {how}", start=start)
                check(line.sent.rfind(ON) < line.sent.rfind(OFF), f"it is switched on again after {how}")
        with Line(env, "-p", target.pid, variables={"TERM": "vt100"}) as line:
            line.wait_for(target.hot.encode(), "the hot method", 30)
            check(b"2004" not in line.sent, "a terminal that does not know of it is sent it")


if __name__ == "__main__":
    main(without_root=True)
