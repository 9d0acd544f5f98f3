#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Colours: by the terminal's background, which it is asked for; by option, key and settings. What each theme sends: the golden screens theme-*."""
import re
import time

from nt_pty import *

QUESTION = b"\x1b]11;?"
KIND = b"\x1b[?62;4;22c"  # what a terminal says of itself, behind whatever else it was asked
WHITE, BLACK = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", b"\x1b]11;rgb:0000/0000/0000\x07"
LIGHT, DARK = b"\x1b[48;5;252m", b"\x1b[48;5;237m"  # the row of titles
QUIT_HINT = "q quits".encode()


def ready(line):
    line.wait_for(b"METHOD", "the titles of the methods")


def quits(line):
    """It is still on the methods, and the first key that is one is the one that ends it."""
    start = len(line.sent)
    line.type(b"\x1b")
    line.wait_for(QUIT_HINT, "Esc says what quits: no part of an answer was a key", start=start)
    check(b"[1 Methods]" in line.sent, "nettop is on the methods")
    line.type(b"q")
    check_equal("exit status", line.rest(), 0)


@test
def a_light_background_is_answered_at_once(env):
    with Target(env) as target, Line(env, "-p", target.pid, "-d", 0.5) as line:
        line.wait_for(QUESTION, "it asks for the background")
        line.type(WHITE + KIND)
        line.wait_for(LIGHT, "the titles on a light background")
        start = len(line.sent)
        line.read_for(1.5)
        check(DARK not in line.sent[start:], "it goes back to the colours for a dark background")
        quits(line)


@test
def who_chooses_the_background_later_is_asked_then(env):
    with Target(env) as target, Line(env, "-p", target.pid, "-d", 0.5, "--theme", "contrast") as line:
        ready(line)
        line.type(b"Z")
        line.wait_for(b"COLOURS", "the menu")
        check(QUESTION not in line.sent, "a theme that does not depend on it")
        line.type(b"g\r")
        line.wait_for(QUESTION, "auto: it asks for the background")
        line.type(WHITE + KIND)
        line.wait_for(LIGHT, "the titles on a light background")
        line.type(b"\x1b")
        quits(line)


@test
def a_dark_background(env):
    with Target(env) as target, Line(env, "-p", target.pid, "-d", 0.5) as line:
        line.wait_for(QUESTION, "it asks for the background")
        line.type(BLACK + KIND)
        ready(line)
        line.read_for(1)
        check(DARK in line.sent and LIGHT not in line.sent, "the colours are not those for a dark background")
        quits(line)


@test
def an_answer_in_pieces_is_no_key(env):
    with Target(env) as target, Line(env, "-p", target.pid, "-d", 0.5) as line:
        line.wait_for(QUESTION, "it asks for the background")
        for byte in WHITE + KIND:
            line.type(bytes([byte]))
            line.read_for(0.02)
        line.wait_for(LIGHT, "the titles on a light background")
        quits(line)


@test
def a_late_answer_is_no_key_and_changes_nothing(env):
    with Target(env) as target, Line(env, "-p", target.pid, "-d", 0.5) as line:
        line.wait_for(QUESTION, "it asks for the background")
        ready(line)
        line.read_for(2)
        line.type(WHITE + KIND)
        line.read_for(1.5)
        check(LIGHT not in line.sent, "a late answer changes the colours under somebody's eyes")
        quits(line)


@test
def a_broken_answer_is_no_key(env):
    """One that says no colour, and one that has no end: two seconds later keys are keys again."""
    with Target(env) as target, Line(env, "-p", target.pid, "-d", 0.5) as line:
        line.wait_for(QUESTION, "it asks for the background")
        line.type(b"\x1b]11;rgb:q/q\x07\x1b]11;rgb:ffff/ffff/ffff q q")
        ready(line)
        line.read_for(2.5)
        check(LIGHT not in line.sent, "an answer without end is believed")
        quits(line)


@test
def no_answer_at_all(env):
    with Target(env) as target, Line(env, "-p", target.pid, "-d", 0.5) as line:
        ready(line)
        check(DARK in line.sent, "the usual colours")
        quits(line)


@test
def who_quits_before_the_answer_leaves_none_to_the_shell(env):
    with Target(env) as target, Line(env, "-p", target.pid) as line:
        line.wait_for(QUESTION, "it asks for the background")
        line.type(b"q")
        time.sleep(0.1)  # the way to the terminal and back
        line.type(WHITE + KIND)
        check_equal("exit status", line.rest(), 0)
        check_equal("what a shell would read", line.unread(), 0)


@test
def who_is_not_asked(env):
    """A line that is not xterm's like, and where the theme does not depend on it."""
    cases = (({"TERM": "vt100"}, ()), ({"TERM": "linux"}, ()), ({"NO_COLOR": "1"}, ()), ({}, ("--theme", "light")), ({}, ("--theme", "mono")))
    with Target(env) as target:
        for variables, options in cases:
            with Line(env, "-p", target.pid, *options, variables=variables) as line:
                line.wait_for(b"METHOD", f"a screen with {variables} {options}")
                line.read_for(0.5)
                check(QUESTION not in line.sent, f"with {variables} {options} the terminal is asked")


@presses("Z")
def colours_by_key_option_and_settings(env, press):
    home = env.scratch / "themed"
    variables = {"XDG_CONFIG_HOME": str(home)}
    with Target(env) as target, Terminal(env) as terminal:
        def titles():
            return next((line for line in terminal.screen(colours=True).split("\n") if "METHOD" in line), "")

        terminal.start_nettop(target.pid, "--theme", "dark", variables=variables)
        wait_for_methods(terminal, target)
        check("48;5;237" in titles(), f"--theme dark: {titles()!r}")
        press(terminal, "Z")
        terminal.wait_for("COLOURS")
        terminal.keys("Down", "Enter")
        terminal.wait_for(re.compile(r"\* light"), "light is chosen")
        terminal.keys("Escape", "W")
        terminal.wait_for("Wrote ")
        terminal.wait_for(lambda _: "48;5;252" in titles(), "the titles on a light background")
        terminal.keys("q")
        terminal.wait_for_shell()
        terminal.start_nettop(target.pid, variables=variables)
        terminal.wait_for(lambda _: "48;5;252" in titles(), "they are so the next time")
        terminal.keys("q")
        terminal.wait_for_shell()
        terminal.start_nettop(target.pid, "--theme", "mono", variables=variables)
        wait_for_methods(terminal, target)
        check("48;5" not in terminal.screen(colours=True) and "38;5" not in terminal.screen(colours=True), f"--theme mono has colours:\n{terminal.screen(colours=True)!r}")
        terminal.keys("q")
        terminal.wait_for_shell()


if __name__ == "__main__":
    main(without_root=True)
