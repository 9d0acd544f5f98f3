# SPDX-License-Identifier: GPL-2.0-only
"""
What being watched costs programs that are not ours: CPU time of theirs for an operation, and how many of them they do in a second, under nettop, each of its
sources, dotnet-trace and perf, against the same when nobody watches.

All take turns on one process, each for some windows of work, and nobody watches before and after each turn: what it costs is told against the mean of these two, because what
else happens on the machine, and how the program happens to batch its work, changes from minute to minute. The median of a watcher's turns counts. Nobody is told against nobody in
the same way: how far these ratios scatter says how uncertain a price is (noise).
"""
import dataclasses
import statistics
import time

from nt_live import Failure
from nt_live.environment import run_script

from .meter import cpu_ns
from .report import Row
from .servers import TOOL
from .watchers import (DOTNET_TRACE, NETTOP, NETTOP_EVENTPIPE, NETTOP_JSON, NETTOP_MAP, NETTOP_PERF, PERF_ALL, PERF_PID, watching)

# Those for information are in two rounds only.
JUDGED = (NETTOP, DOTNET_TRACE, NETTOP_JSON)
INFORMATION = (NETTOP_PERF, PERF_PID, NETTOP_EVENTPIPE, PERF_ALL, NETTOP_MAP)
INFORMATION_ROUNDS = (1, 3)
LIMITED = (NETTOP, NETTOP_JSON)
LIMIT_PCT, LIMIT_OF_PEER = 5, 1 / 4
MORE_ROUNDS = 3
WINDOW_S = 0.5
WARM, WARM_TURNS = 0.97, 4  # a turn that is not even so little cheaper than all before, so many times in a row
# Twice the standard error of a median of n figures, of which `scatter` is the median distance from their median, is so many times scatter / sqrt(n).
NOISE = 2 * 1.25 * 1.48


@dataclasses.dataclass(frozen=True)
class Window:
    ns: float  # CPU time of an operation
    s: float   # time for which each of them holds the others up


def _window(running):
    before_ns = cpu_ns(running.pid)
    done = running.work(WINDOW_S)
    return Window((cpu_ns(running.pid) - before_ns) / done.count, 1 / done.per_s)


def _windows(running, seconds):
    """What it costs in so much time: the median of its windows."""
    windows, end_s = [], time.monotonic() + seconds
    while not windows or time.monotonic() < end_s:
        windows.append(_window(running))
    return Window(statistics.median(window.ns for window in windows), statistics.median(window.s for window in windows))


@dataclasses.dataclass(frozen=True)
class Turn:
    watcher: object
    cost: Window
    of_nobody: Window  # before and after it

    def ratio(self, figure):
        return figure(self.cost) / figure(self.of_nobody)


def _ns(window):
    return window.ns


def _s(window):
    return window.s


def _mean(x, y):
    return Window((x.ns + y.ns) / 2, (x.s + y.s) / 2)


class Turns:
    """Of all watchers."""

    def __init__(self, bench, server, running):
        self._bench, self._server, self._running = bench, server, running
        self.turns, self.alone = [], []  # Turn; Window of nobody, before and after them
        self.rounds = 0

    def _watched(self, watcher):
        for _ in range(watcher.starts - 1):
            try:
                return self._watched_once(watcher)
            except Failure as failure:
                self._bench.say(f"started again: {failure}")
        return self._watched_once(watcher)

    def _watched_once(self, watcher):
        plan = self._bench.plan
        with watching(self._bench, self._running.pid, watcher):
            self._running.work(plan.server_settle_s)
            return _windows(self._running, plan.server_turn_s)

    def _nobody(self):
        """What the last watcher has left to be done is not measured."""
        _window(self._running)
        return _windows(self._running, self._bench.plan.server_alone_s)

    def warm_up(self, seconds):
        """Until what is compiled for it is compiled, for the watchers' sake too: the first sessions make a target compile code of its own, once."""
        for watcher in (NETTOP, DOTNET_TRACE):
            self._watched(watcher)
        end_s, best, dear = time.monotonic() + seconds, float("inf"), 0
        while dear < WARM_TURNS and time.monotonic() < end_s:
            cost = self._nobody().ns
            dear, best = (dear + 1 if cost > WARM * best else 0), min(best, cost)

    def add_round(self, watchers):
        """Another one comes first in each."""
        self.alone = self.alone or [self._nobody()]
        start = self.rounds % len(watchers)
        for watcher in watchers[start:] + watchers[:start]:
            cost = self._watched(watcher)
            self.alone.append(self._nobody())
            turn = Turn(watcher, cost, _mean(*self.alone[-2:]))
            self.turns.append(turn)
            self._bench.say(f"{self._server.name} {self.rounds + 1}  {watcher.title:26} {cost.ns / 1e3:9.4g} us per {self._server.operation}, nobody "
                            f"{turn.of_nobody.ns / 1e3:9.4g}: {100 * (turn.ratio(_ns) - 1):+.1f} %, throughput {100 * (1 / turn.ratio(_s) - 1):+.1f} %")
        self.rounds += 1

    def of_nobody(self, figure):
        return statistics.median(map(figure, self.alone))

    def _ratios(self, watcher, figure):
        return [turn.ratio(figure) for turn in self.turns if turn.watcher is watcher]

    def price_pct(self, watcher):
        """By how much an operation takes more CPU time than when nobody watches."""
        return 100 * (statistics.median(self._ratios(watcher, _ns)) - 1)

    def throughput_pct(self, watcher):
        return 100 * (1 / statistics.median(self._ratios(watcher, _s)) - 1)

    def of_nobody_against_nobody_pct(self):
        """The same as a price, of each turn of nobody between two others: (median, median distance from it)."""
        prices = [100 * (between.ns / _mean(before, after).ns - 1) for before, between, after in zip(self.alone, self.alone[1:], self.alone[2:])]
        middle = statistics.median(prices) if prices else 0.0
        return middle, statistics.median(abs(price - middle) for price in prices) if prices else 0.0

    def noise_pct(self, watcher):
        """Of its price."""
        return NOISE * self.of_nobody_against_nobody_pct()[1] / len(self._ratios(watcher, _ns)) ** 0.5


def _limits(turns):
    """In %: its own, and what the peer's price allows."""
    return LIMIT_PCT, LIMIT_OF_PEER * turns.price_pct(DOTNET_TRACE)


def _is_decided(turns, watcher, limit_pct):
    """Not when it is beyond the limit by no more than the noise."""
    price = turns.price_pct(watcher)
    return price <= limit_pct or price > limit_pct + turns.noise_pct(watcher)


def _limit_rows(server, turns, watcher):
    what = f"{server.name}: CPU per {server.operation} more than watched by nobody, `{watcher.title}`"
    price, theirs = turns.price_pct(watcher), turns.price_pct(DOTNET_TRACE)
    hidden = f"beyond its limit by no more than the noise of {turns.noise_pct(watcher):.1f} %: no limit"
    decided, decided_of_peer = (_is_decided(turns, watcher, limit) for limit in _limits(turns))
    return [Row(what, price, "%", limit=LIMIT_PCT if decided else None, note="" if decided else hidden),
            Row(what, price, "%", f"`{DOTNET_TRACE.title}`", theirs, LIMIT_OF_PEER if decided_of_peer else None, "" if decided_of_peer else hidden)]


def _information(server, turns, watcher):
    return [Row(f"{server.name}, `{watcher.title}`: CPU per {server.operation}", turns.price_pct(watcher), "%",
                note=f"noise {turns.noise_pct(watcher):.1f} %; throughput {turns.throughput_pct(watcher):+.1f} %")]


def measure(bench, notes, server):
    """Rows of one program."""
    bench.env.need_commands(*server.commands)
    bench.dotnet_trace = run_script(TOOL, "dotnet-trace")
    with server.start(bench.env) as running:
        turns = Turns(bench, server, running)
        turns.warm_up(bench.plan.server_warm_up_s)
        for number in range(bench.plan.server_rounds):
            turns.add_round(JUDGED + (INFORMATION if number in INFORMATION_ROUNDS or bench.plan.server_rounds == 1 else ()))
        for _ in range(MORE_ROUNDS):
            if not all(_is_decided(turns, watcher, limit) for watcher in LIMITED for limit in _limits(turns)):
                turns.add_round(JUDGED)
    middle, scatter = turns.of_nobody_against_nobody_pct()
    notes.append(f"{server.name}: {turns.rounds} rounds; watched by nobody {turns.of_nobody(_ns) / 1e3:.4g} us of CPU per {server.operation}, "
                 f"{1 / turns.of_nobody(_s):.4g} a second; nobody against nobody {middle:+.1f} %, half of them within {scatter:.1f} % of that.")
    return [row for watcher in LIMITED for row in _limit_rows(server, turns, watcher)] + [
        row for watcher in (*LIMITED, DOTNET_TRACE, *INFORMATION) for row in _information(server, turns, watcher)]
