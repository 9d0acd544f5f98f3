#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What the past tells of a part of a second: a burst that a real process makes is bright at its time, and its method is first there."""
import json
import time

from nt_live import *
from nt_live.perf_dump import tool
from nt_live.process import LineProcess
from nt_live.workload import Deploying

BURST_MS = 300
DEADLINE_S = 30


class Spans:
    """A run of span_dump beside a process."""

    def __init__(self, env, pid, hz=99, events=False):
        """`events`: with what the runtime tells, allocations among it."""
        self.process = LineProcess([tool(env, "span_dump"), *(["-e"] if events else []), "-F", str(hz), str(pid)])
        self.intervals = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()

    def _line(self):
        line = self.process.read_line(DEADLINE_S)
        check(line is not None, "span_dump goes on")
        return json.loads(line)

    def wait_past(self, moment_ns):
        """Until an interval is told that ended after this moment."""
        while not self.intervals or self.intervals[-1]["t1"] <= moment_ns:
            self.intervals.append(self._line())

    def _ask(self, question, member):
        self.process.send_line(question)
        while True:
            line = self._line()
            if member in line:
                return line
            self.intervals.append(line)

    def methods(self, begin_ns, end_ns):
        return self._ask(f"{begin_ns} {end_ns}", "span")

    def difference(self, span, against):
        """What is not in `span`, (begin, end), as it was in `against`."""
        return self._ask(f"{span[0]} {span[1]} {against[0]} {against[1]}", "difference")

    def cells(self):
        """(beginning, end, samples) of each part of each interval."""
        for interval in self.intervals:
            size = (interval["t1"] - interval["t0"]) / len(interval["parts"])
            for number, samples in enumerate(interval["parts"]):
                begin = interval["t0"] + number * size
                yield begin, begin + size, samples


@test
def burst_is_bright_at_its_time_and_its_method_first(env):
    with Workload(env, perf_map=True) as work, Spans(env, work.pid) as spans:
        work.do("compute 500")
        work.settle()
        spans.wait_past(time.monotonic_ns())
        spans.wait_past(time.monotonic_ns() + 500_000_000)
        begin = time.monotonic_ns()
        work.do(f"compute {BURST_MS}")
        end = time.monotonic_ns()
        spans.wait_past(end + 2_000_000_000)
        cells = [cell for cell in spans.cells() if cell[1] > begin - 400_000_000 and cell[0] < end + 400_000_000]
        inside = [samples for first, last, samples in cells if first >= begin and last <= end]
        outside = [samples for first, last, samples in cells if last <= begin or first >= end]
        spent = (end - begin) / 1e9
        print(f"burst of {spent:.3f} s: {sum(inside)} samples in {len(inside)} cells in it, {sum(outside)} in {len(outside)} around it")
        check(sum(inside) >= BURST_MS / 1000 * 99 * 0.8, f"its samples are in its cells: {inside}")
        check(sum(1 for samples in inside if samples) >= 0.8 * len(inside) * BURST_MS / 1000 / spent, f"all its time is bright: {inside}")
        check(sum(outside) <= 0.2 * sum(inside), f"around it is little: {outside}")
        told = spans.methods(begin, end)
        print(told)
        check("Compute.Spin" in told["methods"][0]["name"], f"the burst's method is first: {told}")
        check(told["methods"][0]["self"] >= 0.8 * told["samples"], f"with most samples: {told}")
        check_equal("samples in the call tree", told["stacks"], told["samples"])
        check("Compute.Spin" in told["hottest"][-1] and len(told["hottest"]) > 3, f"its hottest path leads from a thread to that method: {told}")
        before = spans.methods(begin - 400_000_000, begin - 100_000_000)
        print(before)
        check(not any("Compute.Spin" in row["name"] for row in before["methods"]), f"and was not there before it: {before}")


# Above the usual rate: a tenth of a CPU's time that takes a fifth more is not to be told from chance by a minute of 99 samples in a second (test_span_compare.c says of how many it is).
COMPARE_HZ = 999


class Stretch:
    """So many seconds of a process of tests/live/deploying, which says itself of how much work they were."""

    def __init__(self, work, spans, seconds):
        work.do("mark")
        begin = time.monotonic_ns()
        self.span = (begin, begin + int(seconds * 1e9))
        spans.wait_past(self.span[1] + 2_000_000_000)
        told = work.do("mark")
        self.share = told["discounted"] / told["all"]
        self.by_others = told["discounted"] / (told["all"] - told["discounted"])


def check_discounts_first(told, after, before):
    check(told["difference"] and "Work.Discount" in told["difference"][0]["name"], f"what takes more is first: {told}")
    row, change_pct = told["difference"][0], 100 * (after.by_others / before.by_others - 1)
    check(abs(row["change_pct"] - change_pct) < 4 * row["error_pct"], f"by {change_pct:.1f}%, as the program says: {row}")


# As enum nt_difference_kind has them.
BYTES, THROWN = 1, 5


def check_carts_told(told):
    """The type and the exception of which there are three times as many, and no other one."""
    named = {(row["kind"], row["name"].split(".")[-1].split("+")[-1]): row for row in told["difference"] if row["kind"] in (BYTES, THROWN)}
    check_equal("what differs", sorted(named), [(BYTES, "Line[]"), (THROWN, "RefusedException")])
    for row in named.values():
        check(abs(row["change_pct"] - 200) < 4 * row["error_pct"] + 2, f"three times as much: {row}")
    check(told["compared"][BYTES] >= 5, f"the others were looked at: {told}")


@test
def what_takes_more_is_first_among_what_differs(env):
    with Deploying(env) as work, Spans(env, work.pid, COMPARE_HZ, events=True) as spans:
        work.do("carts 1")
        spans.wait_past(time.monotonic_ns() + 2_000_000_000)
        before = Stretch(work, spans, 10)
        work.do("slower 6")
        work.do("carts 3")
        after = Stretch(work, spans, 10)
        told = spans.difference(after.span, before.span)
        print(told)
        check_discounts_first(told, after, before)
        check_carts_told(told)
        middle = sum(before.span) // 2
        told = spans.difference((middle, before.span[1]), (before.span[0], middle))
        print(told)
        check_equal("what differs between halves of the same", told["difference"], [])


def serve(web, seconds, slow_ms):
    """The same requests in each quarter of a second, one route of which takes so long."""
    begin = time.monotonic()
    span = (time.monotonic_ns(), time.monotonic_ns() + int(seconds * 1e9))
    for number in range(int(seconds * 4)):
        web.do(f"call 2 /slow/{slow_ms}")
        web.do("call 3 /hello")
        time.sleep(max(0, begin + (number + 1) / 4 - time.monotonic()))
    return span


@long_test
def a_route_that_takes_longer_is_told_alone(env):
    """Three times as long, as often as before; the other route is not told."""
    with WebServer(env) as web, Spans(env, web.pid, events=True) as spans:
        serve(web, 3, 20)
        before = serve(web, 15, 20)
        spans.wait_past(before[1] + 2_000_000_000)
        after = serve(web, 15, 60)
        spans.wait_past(after[1] + 2_000_000_000)
        told = spans.difference(after, before)
        print(told)
        routes = [row for row in told["difference"] if row["name"].startswith("GET ")]
        check(routes and all("/slow/" in row["name"] for row in routes), f"the route that takes longer, and no other: {told}")
        row = routes[0]
        check(100 < row["change_pct"] < 250, f"it takes some three times as long: {row}")
        equal = spans.difference((sum(before) // 2, before[1]), (before[0], sum(before) // 2))
        print(equal)
        check_equal("routes that differ between halves of the same", [row for row in equal["difference"] if row["name"].startswith("GET ")], [])


@long_test
def twenty_pairs_of_equal_minutes_and_a_deploy(env):
    with Deploying(env) as work, Spans(env, work.pid, COMPARE_HZ) as spans, Spans(env, work.pid) as usual:
        spans.wait_past(time.monotonic_ns() + 5_000_000_000)
        minutes = [Stretch(work, spans, 60) for _ in range(7)]
        work.do("slower 1.2")
        slower = Stretch(work, spans, 60)
        usual.wait_past(slower.span[1] + 2_000_000_000)
        pairs = [(after.span, before.span) for number, after in enumerate(minutes) for before in minutes[:number]]
        named = [told for pair in pairs if (told := spans.difference(*pair))["difference"]]
        for before in minutes:
            told = spans.difference(slower.span, before.span)
            print(f"discounts were {100 * before.share:.1f}% of the work, are {100 * slower.share:.1f}%: {told}")
            print("at the usual rate:", usual.difference(slower.span, before.span))
        print("at the usual rate, against all seven:", usual.difference(slower.span, (minutes[0].span[0], minutes[-1].span[1])))
        print(f"{len(pairs)} pairs of equal minutes: {len(named)} with something that differs")
        check_equal("pairs of equal minutes in which something differs", named, [])
        # A busy machine gives the program less CPU time than it has work for: then a minute is too short, and that is said.
        told = [(spans.difference(slower.span, before.span), before) for before in minutes]
        enough = [(difference, before) for difference, before in told if difference["needs"] <= 1]
        if not enough:
            raise OutOfLimit(f"minutes with samples enough: none, {[difference['needs'] for difference, _ in told]}")
        for difference, before in enough:
            check_discounts_first(difference, slower, before)


if __name__ == "__main__":
    main()
