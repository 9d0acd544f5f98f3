# SPDX-License-Identifier: GPL-2.0-only
"""Work that goes on before, while and after nettop watches, and what of it was done in which time."""
import os
import signal
import time

from .nettop import Nettop
from .runner import check, check_equal

THROWS, ALLOC_MB = 20, 10
STALL_S = 6             # longer than the keeper waits before it lets an unread stream go
LATE_NS = 600_000_000   # after its end an interval may have been read
# The stream's clock begins a little before the runtime has switched its events on; /proc is read some ms before the end.
EDGE_NS = 60_000_000


class Diary:
    """Work that goes on, and when each piece of it was done."""

    def __init__(self, work):
        self.work = work
        self.entries = []  # begin ns, end ns
        self.marks = []    # the runtime's own counters in between

    def go_on(self, seconds, until=None):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (until and until()):
            begin = time.monotonic_ns()
            self.work.do(f"throw {THROWS}")
            self.work.do("gc 0")
            self.work.do(f"alloc {ALLOC_MB}")
            self.entries.append((begin, time.monotonic_ns()))
            self.marks.append(self.work.mark())

    def bounds(self, pieces, of_each):
        """The least and the most that can have been done within these pieces of time."""
        def done(fits):
            return of_each * sum(any(fits(entry, piece) for piece in pieces) for entry in self.entries)

        return (done(lambda entry, piece: entry[0] >= piece[0] + EDGE_NS and entry[1] <= piece[1]),
                done(lambda entry, piece: entry[1] >= piece[0] and entry[0] <= piece[1]))

    def counted(self, pieces, of):
        """The same by the runtime's own counters; `of`: of a mark. The ends of the pieces are known to EDGE_NS."""
        least = most = 0
        for begin, end in joined(pieces):
            inside = [of(mark) for mark in self.marks if begin + EDGE_NS <= mark["mono_ns"] <= end - EDGE_NS]
            before = [of(mark) for mark in self.marks if mark["mono_ns"] <= begin - EDGE_NS] or [of(self.marks[0])]
            after = [of(mark) for mark in self.marks if mark["mono_ns"] >= end + EDGE_NS] or [of(self.marks[-1])]
            least += inside[-1] - inside[0] if inside else 0
            most += after[0] - before[-1]
        return least, most

    def cpu_bounds(self, piece):
        return self.counted([piece], lambda mark: mark["process_cpu_ns"])


def joined(pieces):
    """Those that follow each other are one."""
    whole = []
    for begin, end in pieces:
        if whole and begin <= whole[-1][1] + 1_000_000:
            whole[-1] = whole[-1][0], end
        else:
            whole.append((begin, end))
    return whole


def check_between(what, seen, bounds):
    check(seen is not None and bounds[0] <= seen <= bounds[1], f"{what}: {seen}, {bounds[0]} to {bounds[1]} were done in the time that is covered")


def piece_of(line, section, follows):
    """The time that a section covers: an interval that follows one that was covered has its gap at the end, else at the begin."""
    covered = line[section]["covered_ns"]
    if covered is None:
        return None
    return (line["t0_ns"], line["t0_ns"] + covered) if follows else (line["t1_ns"] - covered, line["t1_ns"])


def pieces_of(intervals, section):
    pieces, follows = [], False
    for line in intervals:
        pieces.append(piece_of(line, section, follows))
        follows = pieces[-1] is not None
    return [piece for piece in pieces if piece]


def watched(env, work, seconds, *options):
    diary = Diary(work)
    diary.go_on(0.3)
    with Nettop(env, work.pid, *options, interval_s=1) as nettop:
        diary.go_on(seconds)
        nettop.interrupt()
        diary.go_on(10, until=lambda: not nettop.process.alive())
        diary.go_on(0.1)
        check_equal("exit status", nettop.read_to_end(), 0)
        check(nettop.summary is not None, "no summary")
        return diary, nettop.summary, nettop.intervals


def stalled(env, work, stall_s=STALL_S):
    """The same while nettop is stopped for a while; and when it was, when it went on."""
    diary = Diary(work)
    diary.go_on(0.3)
    with Nettop(env, work.pid, interval_s=1) as nettop:
        diary.go_on(1.5)
        os.kill(nettop.process.pid, signal.SIGSTOP)
        stopped = time.monotonic_ns()
        diary.go_on(stall_s)
        os.kill(nettop.process.pid, signal.SIGCONT)
        resumed = time.monotonic_ns()
        diary.go_on(3)
        nettop.interrupt()
        diary.go_on(10, until=lambda: not nettop.process.alive())
        diary.go_on(0.1)
        nettop.read_to_end()
        return diary, nettop.summary, nettop.intervals, stopped, resumed


def lines_within(intervals, begin, end):
    """Of a time in which nobody read."""
    return [line for line in intervals if line["t0_ns"] >= begin and line["t1_ns"] <= end - LATE_NS]
