#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What the past tells of a part of a second: a burst that a real process makes is bright at its time, and its method is first there."""
import json
import time

from nt_live import *
from nt_live.perf_dump import tool
from nt_live.process import LineProcess

BURST_MS = 300
DEADLINE_S = 30


class Spans:
    """A run of span_dump beside a process."""

    def __init__(self, env, pid):
        self.process = LineProcess([tool(env, "span_dump"), str(pid)])
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

    def methods(self, begin_ns, end_ns):
        self.process.send_line(f"{begin_ns} {end_ns}")
        while True:
            line = self._line()
            if "span" in line:
                return line
            self.intervals.append(line)

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


if __name__ == "__main__":
    main()
