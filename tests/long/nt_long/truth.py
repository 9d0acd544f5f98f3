# SPDX-License-Identifier: GPL-2.0-only
"""What the table of doc/TRUTH.md is made of: kinds of events, ways to have them, and what is right for each."""
import dataclasses
import signal
import time

from nt_live import Nettop, SessionDaemon, Workload, check, check_equal
from nt_live import eventpipe
from nt_live.bare import Bare

SEEN_S = 20
LTTNG_ALONE = ("--source", "perf,lttng,map")
LOCKS, NEW_LOCKS, THROWS = 60, 70, 120
# One after the other, from idle to idle. The methods that a session makes the runtime compile have been compiled by the first.
PHASES = {
    "warm": ("gc 0", "throw 1", "locks 1", "new-locks 1", "pool 100", "jit-dynamic 1"),
    "collections": ("alloc 100", "loh 32", "gc 0 4", "gc 1 3", "gc 2 2", "gc-background"),
    "compilations": ("jit-dynamic 60", "generics 40", "jit-expr 40"),
    "exceptions": (f"throw {THROWS}",),
    "monitor": (f"locks {LOCKS}",),
    "lock": (f"new-locks {NEW_LOCKS}",),
    "pool": ("pool 2000",),
}


@dataclasses.dataclass
class Kind:
    """
    `own`, `seen`: of the counters of a phase. `relative`, `absolute`: by how much they may differ; neither: not at all. `around`: the runtime does some of it at moments of its
    own (what publishes counters is compiled again after 30 periods), so nettop's may be as much as was counted from before its first interval to after its last.
    """
    title: str
    phase: str
    own: object
    seen: object
    relative: float = 0
    absolute: float = 0
    first_major: int = 8
    around: bool = False

    def tolerance(self):
        parts = [f"{self.relative:.0%}"] if self.relative else []
        return " or ".join(parts + ([f"{self.absolute:g}"] if self.absolute else [])) or "none"

    def is_right(self, least, most, seen):
        return least - max(self.relative * least, self.absolute) <= seen <= most + max(self.relative * most, self.absolute)


def field(part, key):
    return lambda seen: seen[part, key]


KINDS = (
    Kind("collections of generation 0", "collections", lambda own: own.gc_counts()[0], field("gc", "gen0_count")),
    Kind("of generation 1", "collections", lambda own: own.gc_counts()[1], field("gc", "gen1_count")),
    Kind("of generation 2", "collections", lambda own: own.gc_counts()[2], field("gc", "gen2_count")),
    Kind("their pauses, ms", "collections", lambda own: own["gc_pause_ns"] / 1e6, lambda seen: seen["gc", "pause_ns"] and seen["gc", "pause_ns"] / 1e6, 0.03, 1),
    Kind("methods compiled", "compilations", lambda own: own["jit_method_count"], field("jit", "method_count"), around=True),
    Kind("JIT time, ms", "compilations", lambda own: own["jit_time_ns"] / 1e6, lambda seen: seen["jit", "time_ns"] and seen["jit", "time_ns"] / 1e6, 0.05, 2, around=True),
    Kind("exceptions", "exceptions", lambda own: own["exception_count"], field("exceptions", "count")),
    Kind("waits for a Monitor", "monitor", lambda own: own["contention_count"], field("contention", "count")),
    Kind("waits for a Lock", "lock", lambda own: own["contention_count"], field("contention", "count"), first_major=9),
    Kind("workers of the pool", "pool", lambda own: own["pool_thread_count"], field("threadpool", "worker_count")),
)
SUMMED = (("gc", "gen0_count"), ("gc", "gen1_count"), ("gc", "gen2_count"), ("gc", "pause_ns"), ("jit", "method_count"), ("jit", "time_ns"),
          ("exceptions", "count"), ("contention", "count"))
EXCEPTIONS, WAITS = {"exceptions"}, {"waits for a Monitor", "waits for a Lock"}


@dataclasses.dataclass
class Way:
    """How the events are had. `unknown(major)`: titles of kinds that cannot be known that way, and must say why."""
    title: str
    mode: str = "none"
    options: tuple = ()
    sources: tuple = ("eventpipe",)
    unknown: object = lambda major: set()
    beside: bool = False     # other sessions, and another nettop
    suspended: bool = False  # the target is stopped for 2 s before each phase


def over_lttng_alone(major):
    return EXCEPTIONS | (WAITS if major >= 9 else set())


WAYS = (
    Way("EventPipe"),
    Way("mode N", "N", sources=("lttng", "eventpipe")),
    Way("mode F", "F", sources=("lttng", "eventpipe")),
    Way("mode N, LTTng alone", "N", LTTNG_ALONE, ("lttng",), over_lttng_alone),
    Way("mode F, LTTng alone", "F", LTTNG_ALONE, ("lttng",), over_lttng_alone),
    Way("no log, LTTng alone", "none", LTTNG_ALONE, ("lttng",), lambda _: EXCEPTIONS | WAITS | {"methods compiled", "JIT time, ms"}),
    Way("EventPipe, target suspended", suspended=True),
    Way("EventPipe, beside other sessions and another nettop", beside=True),
    Way("mode N, beside other sessions and another nettop", "N", sources=("lttng", "eventpipe"), beside=True),
    Way("mode N, target suspended", "N", sources=("lttng", "eventpipe"), suspended=True),
)


def start(env, way, program):
    if way.mode == "none" and not way.options:
        return Bare(env, program=program)
    return Workload(env, mode=way.mode, program=program, perf_map=False)


def quiet_interval(nettop):
    """Until an interval has passed that began after now, and one more, in which late events are."""
    for _ in range(2):
        now = time.monotonic_ns()
        nettop.wait_for(lambda line, now=now: line["t0_ns"] > now, SEEN_S, "an interval after that")


def sums(lines):
    """Of the intervals of a phase. What one of them does not know is not known."""
    said = {(part, key): [line[part][key] for line in lines] for part, key in SUMMED}
    seen = {what: None if None in values else sum(values) for what, values in said.items()}
    return seen | {("threadpool", "worker_count"): lines[-1]["threadpool"]["worker_count"], "reasons": {part: lines[-1][part]["reason"] for part in lines[-1]
                                                                                                      if isinstance(lines[-1][part], dict) and "reason" in lines[-1][part]}}


def suspend(work):
    work.process.signal(signal.SIGSTOP)
    time.sleep(2)  # this is what is tested: it does nothing for so long
    work.process.signal(signal.SIGCONT)


def run_phases(work, nettop, way):
    """For each phase what the runtime counted, and from before to after all of its intervals, and what nettop did."""
    found = {}
    for name, commands in PHASES.items():
        earlier = work.mark("earlier")
        quiet_interval(nettop)
        first = len(nettop.intervals)
        if way.suspended:
            suspend(work)
        own, _ = work.measure(*commands)
        quiet_interval(nettop)
        found[name] = own, work.mark("later").since(earlier), sums(nettop.intervals[first:])
    return found


def observe(env, way, program):
    with SessionDaemon(env), start(env, way, program) as work:
        work.settle()
        others = [eventpipe.Session(work.pid, [(eventpipe.RUNTIME, keywords, level)], old=True) for keywords, level in ((0x8000, 2), (0x14001, 4))
                  ] if way.beside else []
        with Nettop(env, work.pid, *way.options) as nettop:
            nettop.wait_for_sources(*way.sources)
            if way.beside:
                with Nettop(env, work.pid, *way.options) as second:
                    second.wait_for_sources(*way.sources)
                    found = run_phases(work, nettop, way)
                    second.stop()
            else:
                found = run_phases(work, nettop, way)
            nettop.stop()
        for other in others:
            other.stop()
        return found


def judge(way, major, found):
    """The cells of the table, {title: [least and most of the runtime's own count, nettop's or None]}, and what is wrong with them."""
    cells, wrong = {}, []
    for kind in KINDS:
        if major < kind.first_major:
            continue
        own, around, seen = found[kind.phase]
        least, said = kind.own(own), kind.seen(seen)
        most = kind.own(around) if kind.around else least
        cells[kind.title] = [least, most, said]
        if kind.title in way.unknown(major):
            part = "exceptions" if kind.title in EXCEPTIONS else "contention" if kind.title in WAITS else "jit"
            if said is not None or not seen["reasons"][part]:
                wrong.append(f"{kind.title}: {said}, must not be known, with a reason ({seen['reasons'][part]})")
        elif said is None or not kind.is_right(least, most, said):
            wrong.append(f"{kind.title}: {said}, expected {least} to {most}")
    return cells, wrong
