# SPDX-License-Identifier: GPL-2.0-only
"""
What being watched costs programs that are not ours: CPU time of theirs for an operation, and how many of them they do in a second, under nettop, each of its
sources, dotnet-trace and perf, against the same when nobody watches.

nettop watches eight times at once, and its price is that of one: what one costs is less than the differences of an operation's cost from second to second. Samples cost each copy the
same. An event of EventPipe is made once for all of them, so of its price (about 2 us) only what each session takes is counted eight times.
All take turns on one process that is warm, in random order, and nobody watches before and after each turn: a turn is told against the mean of these two. How fast the machine is
changes from second to second when others share its cores, and with it what an operation costs, by much more than a price: a probe measures that in the same seconds (speed.py), and what
nobody's turns say about how the one follows the other is taken off. How a program happens to batch its work changes, too; that remains, and widens the interval that each price has (paired.py).

What is taken off must not be a part of the price. The probe is a median, so the interrupts of whoever samples are not in it; but it is slower while a watcher works on the same core. That is at
most as if all stood still while it works: so much is added again to the prices that have a limit, and not to their peer's.

A watcher comes and goes while the program has nothing to do: what that costs is a figure of its own.
"""
import dataclasses
import math
import os
import random
import statistics
import time

from nt_live import Failure
from nt_live.environment import run_script

from . import paired
from .meter import NS_PER_S, cpu_ns
from .report import Row
from .servers import TOOL
from .speed import probing
from .watchers import (COMPANY, DOTNET_TRACE, NETTOP, NETTOP_EVENTPIPE, NETTOP_JSON, NETTOP_MAP, NETTOP_PERF, PERF_ALL, PERF_PID, watching)

JUDGED = (NETTOP, NETTOP_JSON, DOTNET_TRACE, DOTNET_TRACE)  # of whom there is one copy: twice in a round
# Once each, when what is judged is known: they say in which of its parts a price may lie.
INFORMATION = (NETTOP_PERF, NETTOP_EVENTPIPE, NETTOP_MAP, PERF_PID, PERF_ALL)
LIMITED = (NETTOP, NETTOP_JSON)
LIMIT_PCT = 5
LIMIT_OF_PEER = {NETTOP: 1 / 4}  # as people start it. JSON asks for more than the first screen does: compilations, allocations, stacks of what throws
WINDOW_S = 0.5
COMING_S = 2.0  # after its sessions are there: the rundown, and eight that start at once
GOING_S = 0.3
WARM, WARM_TURNS = 0.97, 3  # a turn that is not even so little cheaper than all before, so many times in a row
SEED = 1


@dataclasses.dataclass(frozen=True)
class Window:
    ns: float     # CPU time of an operation
    s: float      # time for which each of them holds the others up
    speed_ns: float


def _mean(windows):
    """Geometric: what makes the machine slower is a factor."""
    return Window(*(statistics.geometric_mean(figures) for figures in zip(*map(dataclasses.astuple, windows))))


@dataclasses.dataclass(frozen=True)
class Step:
    """From what it is between its two neighbours, as logarithms."""
    ns: float
    s: float
    speed: float


def _step(window, neighbours):
    of_nobody = _mean(neighbours)
    return Step(*(math.log(mine / theirs) for mine, theirs in zip(dataclasses.astuple(window), dataclasses.astuple(of_nobody))))


def _pct(logarithm):
    return 100 * math.expm1(logarithm)


def _sampled_ns(programs):
    return sum(program.sample() for program in programs)


@dataclasses.dataclass(frozen=True)
class Turn:
    round: int
    watcher: object
    step: Step
    coming_ms: float  # CPU time of the program
    going_ms: float
    own_pct: float    # the watchers' own CPU time, of one CPU

    def pct_of_one(self, logarithm):
        """What one of the copies adds."""
        return _pct(logarithm / self.watcher.copies)


class Turns:
    """Of all watchers."""

    def __init__(self, bench, server, running, speed):
        self._bench, self._server, self._running, self._speed = bench, server, running, speed
        self._random = random.Random(SEED)
        self.turns, self.alone = [], []  # Turn; Window of nobody, before and after them
        self.rounds = 0

    def _window(self):
        self._speed.begin()
        before_ns = cpu_ns(self._running.pid)
        done = self._running.work(WINDOW_S)
        return Window((cpu_ns(self._running.pid) - before_ns) / done.count, 1 / done.per_s, self._speed.ns())

    def _windows(self, seconds):
        """What it costs in so much time. Many short pieces of work: clients and server fall into another step in each."""
        windows, end_s = [], time.monotonic() + seconds
        while not windows or time.monotonic() < end_s:
            windows.append(self._window())
        return _mean(windows)

    def _watched(self, watcher):
        """Window, and what the rest of a Turn needs."""
        for _ in range(watcher.starts - 1):
            try:
                return self._watched_once(watcher)
            except Failure as failure:
                self._bench.say(f"started again: {failure}")
        return self._watched_once(watcher)

    def _watched_once(self, watcher):
        plan, pid = self._bench.plan, self._running.pid
        before_ns = cpu_ns(pid)
        with watching(self._bench, pid, watcher) as programs:
            time.sleep(COMING_S)
            coming_ns = cpu_ns(pid) - before_ns
            self._running.work(plan.server_settle_s)
            own_ns, start_s = _sampled_ns(programs), time.monotonic()
            window = self._windows(plan.server_turn_s)
            own_pct = 100 * (_sampled_ns(programs) - own_ns) / NS_PER_S / (time.monotonic() - start_s)
            before_ns = cpu_ns(pid)
        time.sleep(GOING_S)
        return window, coming_ns / 1e6, (cpu_ns(pid) - before_ns) / 1e6, own_pct

    def _nobody(self):
        """What the last watcher has left to be done is not measured."""
        self._running.work(WINDOW_S)
        return self._windows(self._bench.plan.server_alone_s)

    def warm_up(self, seconds):
        """Until what is compiled for it is compiled, for the watchers' sake too: the first sessions make a target compile code of its own, once."""
        for watcher in (NETTOP, DOTNET_TRACE):
            self._watched(watcher)
        end_s, best, dear = time.monotonic() + seconds, float("inf"), 0
        while dear < WARM_TURNS and time.monotonic() < end_s:
            cost = self._nobody().ns
            dear, best = (dear + 1 if cost > WARM * best else 0), min(best, cost)

    def add_round(self, watchers):
        self.alone = self.alone or [self._nobody()]
        for watcher in self._random.sample(watchers, len(watchers)):
            window, *others = self._watched(watcher)
            self.alone.append(self._nobody())
            turn = Turn(self.rounds, watcher, _step(window, self.alone[-2:]), *others)
            self.turns.append(turn)
            if watcher is NETTOP:
                self._bench.company_pct = self.own_pct(NETTOP)
            self._bench.say(f"{self._server.name} {self.rounds + 1}  {watcher.title:26} {window.ns / 1e3:9.4g} us per {self._server.operation}: {_pct(turn.step.ns):+.1f} % of {watcher.copies}, "
                            f"machine {_pct(turn.step.speed):+.1f} %, throughput {_pct(-turn.step.s):+.1f} %, own {turn.own_pct:.1f} %")
        self.rounds += 1

    def _between(self):
        """Nobody, told against nobody before and after."""
        return [_step(middle, (before, after)) for before, middle, after in zip(self.alone, self.alone[1:], self.alone[2:])]

    def follows(self):
        """How much of what the probe takes longer an operation takes longer: of nobody's turns alone, so no price is in it."""
        return paired.slope([(step.speed, step.ns) for step in self._between()])

    def of_nobody(self, figure):
        return statistics.median(getattr(window, figure) for window in self.alone)

    def _of(self, watcher):
        return [turn for turn in self.turns if turn.watcher is watcher]

    def _price_pct(self, turn):
        felt = turn.own_pct / 100 / os.cpu_count() if turn.watcher in LIMITED else 0
        return turn.pct_of_one(turn.step.ns - self.follows() * (turn.step.speed - felt))

    def _prices_pct(self, watcher):
        return [self._price_pct(turn) for turn in self._of(watcher)]

    def _in_round_pct(self, watcher, number):
        return statistics.mean(self._price_pct(turn) for turn in self._of(watcher) if turn.round == number)

    def price(self, watcher):
        """By how many % an operation takes more CPU time than when nobody watches."""
        return paired.estimate(self._prices_pct(watcher))

    def measured(self, watcher):
        """The same with nothing taken off."""
        return paired.estimate([turn.pct_of_one(turn.step.ns) for turn in self._of(watcher)])

    def excess(self, watcher, limit, peer=DOTNET_TRACE):
        """By how much that is more than so much of the peer's, round by round."""
        return paired.estimate([self._in_round_pct(watcher, number) - limit * self._in_round_pct(peer, number) for number in {turn.round for turn in self._of(watcher)}])

    def slower(self, watcher):
        """By how many % the probe is slower than when nobody watches."""
        return paired.estimate([turn.pct_of_one(turn.step.speed) for turn in self._of(watcher)])

    def throughput(self, watcher):
        return paired.estimate([turn.pct_of_one(-turn.step.s) for turn in self._of(watcher)])

    def own_pct(self, watcher):
        return statistics.median(turn.own_pct / watcher.copies for turn in self._of(watcher))

    def visit(self, watcher):
        """What its coming and going cost the program, in ms."""
        return [statistics.median(getattr(turn, name) / watcher.copies for turn in self._of(watcher)) for name in ("coming_ms", "going_ms")]

    def scatter_pct(self):
        """Of nobody against nobody: median distance from the median, as measured and without what the machine's speed explains."""
        follows, steps = self.follows(), self._between()
        return [statistics.median(abs(_pct(step.ns - part * step.speed)) for step in steps) if steps else 0.0 for part in (0, follows)]

    def _is_decided(self, watcher):
        is_against_peer = watcher not in LIMIT_OF_PEER or self.excess(watcher, LIMIT_OF_PEER[watcher]).is_within(0) is not None
        return is_against_peer and self.price(watcher).is_within(LIMIT_PCT) is not None

    def undecided(self):
        """Who takes turns still: the peer with them."""
        return [watcher for watcher in JUDGED if watcher in LIMITED and not self._is_decided(watcher)]


def _limit_rows(server, turns, watcher):
    what = f"{server.name}: CPU per {server.operation} more than watched by nobody, `{watcher.title}`"
    price, limit = turns.price(watcher), LIMIT_OF_PEER.get(watcher)
    excess = turns.excess(watcher, limit) if limit else None
    return [Row(what, price.value, "%", limit=LIMIT_PCT, interval=price.interval, excess=(price.low - LIMIT_PCT, price.high - LIMIT_PCT)),
            Row(what, price.value, "%", f"`{DOTNET_TRACE.title}`", turns.price(DOTNET_TRACE).value, limit, interval=price.interval,
                excess=(excess.low, excess.high) if excess else None)]


def information(server, turns, watcher):
    price, (coming_ms, going_ms) = turns.price(watcher), turns.visit(watcher)
    return Row(f"{server.name}, `{watcher.title}`: CPU per {server.operation}", price.value, "%", interval=price.interval,
               note=f"{price.count} turns; with nothing taken off {turns.measured(watcher).text()}; throughput {turns.throughput(watcher).text()}; the probe slower by {turns.slower(watcher).text()}; own CPU {turns.own_pct(watcher):.1f} % of one; to come {coming_ms:.0f} ms, to go {going_ms:.0f} ms of the program's")


def measure(bench, notes, server):
    """Rows of one program."""
    bench.env.need_commands(*server.commands)
    bench.dotnet_trace = run_script(TOOL, "dotnet-trace")
    plan = bench.plan
    with server.start(bench.env) as running, probing(bench) as speed:
        turns = Turns(bench, server, running, speed)
        turns.warm_up(plan.server_warm_up_s)
        end_s = time.monotonic() + plan.server_s
        for _ in range(plan.server_rounds):
            turns.add_round(JUDGED)
        while time.monotonic() < end_s and (undecided := turns.undecided()):
            turns.add_round((*undecided, DOTNET_TRACE, DOTNET_TRACE))
        judged = turns.rounds
        turns.add_round((COMPANY, *INFORMATION))
    measured, explained = turns.scatter_pct()
    notes.append(f"{server.name}: {judged} rounds; watched by nobody {turns.of_nobody('ns') / 1e3:.4g} us of CPU per {server.operation}, {1 / turns.of_nobody('s'):.4g} a second; nobody against "
                 f"nobody: half within {measured:.1f} %, without the machine's speed {explained:.1f} % (when the probe is 1 % slower, an operation takes {turns.follows():.2f} % more).")
    return [row for watcher in LIMITED for row in _limit_rows(server, turns, watcher)] + [
        information(server, turns, watcher) for watcher in (*dict.fromkeys(JUDGED), COMPANY, *INFORMATION)]
