# SPDX-License-Identifier: GPL-2.0-only
"""
Which keys there are, and which of them a test presses. The manual has them all: it is made from the program's key table, and `make lint` says when it is
not up to date.
"""
import functools
import pathlib
import re

from nt_live.process import Failure
from nt_live.runner import test

MANUAL = pathlib.Path(__file__).resolve().parents[3] / "doc/nettop.1"
# As tmux calls them; the others have the manual's name.
TMUX = {"Shift-Tab": "BTab", "Esc": "Escape", "Backspace": "BSpace"}

# These end the session, or stop nettop: the latter is tested apart.
END_IT = ("q", "Q", "F10", "Ctrl-C", "O")
STOPS_IT = "Ctrl-Z"
SCREENS = {"1": "1 M", "2": "2 G", "3": "3 J", "4": "4 T", "5": "5 A", "6": "6 E", "7": "7 L", "0": "0 S", "c": "c C"}
# What follows a key that asks for something. Esc closes what any key may have opened.
ANSWERS = {"d": ("0.3", "Enter"), "/": ("Spin", "Enter"), "F3": ("o", "Enter"), "x": ("k",)}

_covered = {}  # key -> the tests that press it


def keys_of_manual():
    """As they are written there: Up, k, Ctrl-L."""
    section = re.search(r"^\.SH KEYS\n(.*?)^\.SH ", MANUAL.read_text(encoding="utf-8"), re.M | re.S)[1]
    found = []
    for line in re.findall(r"^\.TP\n(.*)$", section, re.M):
        found += [name.replace("\\-", "-").replace("\\e", "\\").replace("\\&", "") for name in re.findall(r"\\fB(.+?)\\fR", line)]
    return found


def keys_without_a_test():
    return [key for key in keys_of_manual() if key not in _covered]


def keys_not_in_the_manual():
    return [key for key in _covered if key not in keys_of_manual()]


def name_for_tmux(key):
    control = re.fullmatch(r"Ctrl-(.)", key)
    return f"C-{control[1].lower()}" if control else TMUX.get(key, key)


def go_to(terminal, key):
    terminal.keys("Escape")
    terminal.wait_for(lambda screen: "[" in screen)
    terminal.keys(key)
    terminal.wait_for(f"[{SCREENS[key]}", f"{key}: its screen")


def press_all(terminal, keys):
    for key in keys:
        terminal.keys(name_for_tmux(key))
        for word in ANSWERS.get(key, ()):
            terminal.keys(word)
        terminal.keys("Escape")


def presses(*keys):
    """Marks a test, function(env, press), that presses these keys: press(terminal, key). It fails when it leaves one out."""

    def wrap(function):
        for key in keys:
            _covered.setdefault(key, []).append(function.__name__)

        @functools.wraps(function)
        def run(env):
            left = set(keys)

            def press(terminal, key):
                terminal.keys(name_for_tmux(key))
                left.discard(key)

            detail = function(env, press)
            if left:
                raise Failure(f"says that it presses {' '.join(sorted(left))}, and does not")
            return detail

        return test(run)

    return wrap
