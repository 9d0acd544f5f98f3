#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A web service at work (tests/live/shop): nothing is wrong with it, until something is. What a person sees of all fifteen incidents: tests/long/test_incident_screens.py."""
from nt_live import Nettop, Shop, check, check_equal, main, test

QUIET_INTERVALS = 6
ANSWERED_S, ANNOUNCED_S = 60, 40
WARM = 150  # requests
NEIGHBOURS = "cpu_wait"  # what other tests use of this machine is no fault of the shop's


def texts_of(lines, kind=None):
    return [finding["text"] for line in lines for finding in line["findings"] if kind in (None, finding["kind"])]


@test
def a_busy_shop_is_healthy_until_it_throws(env):
    """The same requests: first no finding, then the one that says what is thrown."""
    with Shop(env) as shop:
        shop.wait_answered(WARM, ANSWERED_S)
        with Nettop(env, shop.pid, interval_s=1) as nettop:
            nettop.wait_for_sources("eventpipe")
            start = len(nettop.intervals)
            nettop.wait_for(lambda _: len(nettop.intervals) >= start + QUIET_INTERVALS, ANNOUNCED_S, "intervals")
            check_equal("findings of a healthy shop", [text for text in texts_of(nettop.intervals) if text not in texts_of(nettop.intervals, NEIGHBOURS)], [])
            served = sum(line["requests"]["count"] or 0 for line in nettop.intervals)
            check(served > QUIET_INTERVALS, f"{served} requests: it was not busy")
            shop.begin("exception-flood")
            nettop.wait_for(lambda line: texts_of([line], "exception_flood"), ANNOUNCED_S, "that exceptions are thrown")
            text = texts_of(nettop.intervals, "exception_flood")[-1]
            check("System.FormatException" in text, f"not what is thrown: {text}")
            nettop.stop(60)
    return f"{served} requests, then: {text}"


if __name__ == "__main__":
    main()
