#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Fifteen things that go wrong in a shop at work, and what a person sees who starts `nettop -p PID` in a terminal of 80x24, before each begins and afterwards: the first screen must name it, and
a key from there the method, type, lock or peer. What was seen is kept below tests/data/incidents; `make doc/INCIDENTS.md` makes the page of it, also when one of them was tried alone:

    tests/long/test_incident_screens.py --only lock_convoy && make doc/INCIDENTS.md

INCIDENT_S shortens a trial: nothing is waited for longer. What nettop is known not to name (`gap` in nt_long/incidents.py) is kept as that, and is no failure.
"""
import datetime
import os
import re
import time

from nt_long.incidents import INCIDENTS  # nt_long tells where nt_live lies
from nt_live import OutOfLimit, check, check_equal, main, test
from nt_long.incidents_page import PAGE, PARTS, Sight, keep, page, read
from nt_pty import Terminal

MOST_S = float(os.environ.get("INCIDENT_S", "1000"))
KEY_S, READY_S, ANSWERED_S, POLL_S = 30, 30, 90, 0.1
WATCHED = 100  # requests that are answered while nettop watches and nothing is wrong: its first seconds are over


def look(terminal, pattern, seconds):
    """The screen as soon as it says so, or the last one, when that took too long."""
    start = time.monotonic()
    while True:
        screen, took = terminal.screen(), time.monotonic() - start
        if re.search(pattern, screen):
            return Sight(round(took, 1), screen)
        if took > min(seconds, MOST_S):
            return Sight(None, screen)
        time.sleep(POLL_S)


def start_nettop(terminal, shop):
    """As a person does who knows nothing of it."""
    terminal.start_nettop(shop.pid, delay_s=None)
    terminal.wait_for(re.compile(r"\A.* (?:LIVE|ENDED [\d:]+)\s*$", re.M), "the state word", READY_S)


def watch(env, row):
    """What was seen, by part."""
    with row.shop(env) as shop, Terminal(env, 80, 24) as terminal:
        shop.wait_answered(row.warm, ANSWERED_S)
        start_nettop(terminal, shop)
        shop.wait_answered(WATCHED, ANSWERED_S)
        calm = terminal.screen()
        check(not re.search(row.first, calm), f"it says so before anything is wrong:\n{calm}")
        with row.around(shop.pid):
            shop.begin(row.wrong, *row.world)
            seen = {"before": look(terminal, row.first, row.within_s)}
            if row.key:
                terminal.keys(row.key)
                seen["key"] = look(terminal, row.there, KEY_S)
            if row.lives:
                terminal.keys("q")
                terminal.wait_for_shell()
                start_nettop(terminal, shop)
                seen["after"] = look(terminal, row.first, row.within_s)
        return seen


def add(row):
    def is_named(env):
        seen = watch(env, row)
        keep(row, seen, datetime.date.today().isoformat())
        unnamed = [part for part in PARTS if part in seen and seen[part].seconds is None]
        if unnamed and not row.gap:
            raise OutOfLimit("; ".join(f"{PARTS[part]}: not {row.there if part == 'key' else row.first}:\n{seen[part].screen}" for part in unnamed))
        return ", ".join(f"{PARTS[part]}: {'not named today' if sight.seconds is None else f'{sight.seconds} s'}" for part, sight in seen.items())

    is_named.__name__ = row.name
    test(is_named)


for each in INCIDENTS:
    add(each)


@test
def page_is_written(env):
    """Of what was seen, now or before."""
    PAGE.write_text(page(INCIDENTS), encoding="utf-8")
    check_equal("not tried yet", [row.name for row in INCIDENTS if not read(row)[0]], [])


if __name__ == "__main__":
    main()
