# SPDX-License-Identifier: GPL-2.0-only
"""
What being watched costs programs that are not ours: CPU time of theirs for an operation, and how many of them they do in a second, under nettop, each of its
sources, dotnet-trace and perf, against the same when nobody watches.

All take turns on one process. In each round nobody watches twice: the round's figures are told against the mean of these two, and by how much they differ from each
other is the noise.
"""
import dataclasses
import statistics

from nt_live.environment import run_script

from .meter import cpu_ns
from .report import Row
from .servers import TOOL
from .watchers import (DOTNET_TRACE, NETTOP, NETTOP_EVENTPIPE, NETTOP_JSON, NETTOP_MAP, NETTOP_PERF, NOBODY, NOBODY_AGAIN, PERF_ALL, PERF_PID, watching)

# The second one stands in the middle of a round. Those for information are in every other round only.
JUDGED = (NOBODY, NETTOP, DOTNET_TRACE, NOBODY_AGAIN, NETTOP_JSON)
INFORMATION = (NETTOP_PERF, PERF_PID, NETTOP_EVENTPIPE, PERF_ALL, NETTOP_MAP)
LIMITED = (NETTOP, NETTOP_JSON)
LIMIT_PCT, LIMIT_OF_PEER = 5, 1 / 4
MORE_ROUNDS = 3
# A median of n turns is uncertain by about so many times what two turns differ by, divided by the root of n.
UNCERTAIN = 1.5


@dataclasses.dataclass(frozen=True)
class Turn:
    ns: float     # CPU time of an operation
    per_s: float


def _turn(bench, running, watcher):
    with watching(bench, running.pid, watcher):
        running.work(bench.plan.server_settle_s)
        before_ns = cpu_ns(running.pid)
        done = running.work(bench.plan.server_turn_s)
        return Turn((cpu_ns(running.pid) - before_ns) / done.count, done.per_s)


class Turns:
    """Of all watchers, round by round."""

    def __init__(self, bench, server, running):
        self._bench, self._server, self._running = bench, server, running
        self.rounds = []  # {watcher: Turn}

    def add_round(self, watchers):
        """Another one comes first in each."""
        number, turns = len(self.rounds), {}
        for watcher in watchers[number % len(watchers):] + watchers[:number % len(watchers)]:
            turn = turns[watcher] = _turn(self._bench, self._running, watcher)
            self._bench.say(f"{self._server.name} {number + 1}  {watcher.title:26} {turn.ns / 1e3:9.3f} us per {self._server.operation}, {turn.per_s:9.1f} a second")
        self.rounds.append(turns)

    def median_of_nobody(self, figure):
        return statistics.median(figure(turns[who]) for turns in self.rounds for who in (NOBODY, NOBODY_AGAIN))

    def price_pct(self, watcher, figure):
        """By how much a figure is more than when nobody watches: the median of the rounds."""
        return statistics.median(100 * (figure(turns[watcher]) / _nobody(turns, figure) - 1) for turns in self.rounds if watcher in turns)

    def noise_pct(self, figure):
        """How uncertain a median of all rounds is."""
        apart = statistics.median(100 * abs(figure(turns[NOBODY]) - figure(turns[NOBODY_AGAIN])) / _nobody(turns, figure) for turns in self.rounds)
        return UNCERTAIN * apart / len(self.rounds) ** 0.5


def _nobody(turns, figure):
    return (figure(turns[NOBODY]) + figure(turns[NOBODY_AGAIN])) / 2


def _ns(turn):
    return turn.ns


def _per_s(turn):
    return turn.per_s


def _decided(value, limit, noise):
    """Whether it holds: not when it is beyond the limit by no more than the noise."""
    return value <= limit or value > limit + noise


def _judge(turns, watcher):
    """[(price, limit, decided)]: against the limit itself, and against a quarter of the peer's price."""
    ours, theirs, noise = turns.price_pct(watcher, _ns), turns.price_pct(DOTNET_TRACE, _ns), turns.noise_pct(_ns)
    return [(LIMIT_PCT, _decided(ours, LIMIT_PCT, noise)), (LIMIT_OF_PEER, _decided(ours, LIMIT_OF_PEER * theirs, noise))]


def _limit_rows(server, turns, watcher):
    what = f"{server.name}: CPU per {server.operation} more than watched by nobody, `{watcher.title}`"
    ours, theirs, noise = turns.price_pct(watcher, _ns), turns.price_pct(DOTNET_TRACE, _ns), turns.noise_pct(_ns)
    (limit, decided), (of_peer, decided_of_peer) = _judge(turns, watcher)
    hidden = f"within the noise of {noise:.1f} %: no limit"
    return [Row(what, ours, "%", limit=limit if decided else None, note="" if decided else hidden),
            Row(what, ours, "%", f"`{DOTNET_TRACE.title}`", theirs, of_peer if decided_of_peer else None, "" if decided_of_peer else hidden)]


def _information(server, turns, watcher):
    return [Row(f"{server.name}, `{watcher.title}`: CPU per {server.operation}", turns.price_pct(watcher, _ns), "%", note=f"throughput {turns.price_pct(watcher, _per_s):+.1f} %")]


def measure(bench, notes, server):
    """Rows of one program."""
    bench.env.need_commands(*server.commands)
    bench.dotnet_trace = run_script(TOOL, "dotnet-trace")
    with server.start(bench.env) as running:
        for watcher in (NOBODY, NETTOP, DOTNET_TRACE):  # the first sessions make the target compile code of its own, once
            with watching(bench, running.pid, watcher):
                running.work(bench.plan.server_warm_up_s)
        turns = Turns(bench, server, running)
        for number in range(bench.plan.server_rounds):
            turns.add_round(JUDGED + (INFORMATION if number % 2 == 1 or bench.plan.server_rounds == 1 else ()))
        for _ in range(MORE_ROUNDS):
            if not all(decided for watcher in LIMITED for _, decided in _judge(turns, watcher)):
                turns.add_round(JUDGED)
    notes.append(f"{server.name}: {len(turns.rounds)} rounds; watched by nobody {turns.median_of_nobody(_ns) / 1e3:.3f} us of CPU per {server.operation}, "
                 f"{turns.median_of_nobody(_per_s):.0f} a second; noise {turns.noise_pct(_ns):.1f} % of the CPU, {turns.noise_pct(_per_s):.1f} % of the throughput.")
    return [row for watcher in LIMITED for row in _limit_rows(server, turns, watcher)] + [
        row for watcher in (*LIMITED, DOTNET_TRACE, *INFORMATION) for row in _information(server, turns, watcher)]
