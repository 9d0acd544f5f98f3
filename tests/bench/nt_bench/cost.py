# SPDX-License-Identifier: GPL-2.0-only
"""CPU time of nettop and of its peers on the same busy target, one after the other, round by round."""
import contextlib
import dataclasses
import statistics

from .live_session import live_session
from .load import CHURN, working
from .meter import NS_PER_S, cpu_ns
from .program import Program

# A perf that uses this much of a CPU long after its start polls in a loop: a thread it was attached to has ended, and it does not sleep again.
# Without that it stays below a tenth of it.
SPIN_CPUS = 0.2
START_UP_S = 2
# A run in which the target got less than this part of its usual CPU time says little: others had the machine.
STARVED = 0.75
PERF = ("-e", "cpu-clock", "-F", "999")


@dataclasses.dataclass(frozen=True)
class Contender:
    title: str
    argv: object  # (bench, URL of the session) -> words
    terminal: bool = True
    session: bool = False  # reads a live session that is there before it
    is_perf: bool = False


def _nettop(*options):
    return lambda bench, _: [bench.env.nettop, "-p", bench.work.pid, *options]


def _babeltrace(*options):
    return lambda bench, url: ["babeltrace2", "--input-format=lttng-live", url, *options]


PERF_TOP, PERF_RECORD, BABELTRACE, TOP = "perf top -g", "perf record -g", "babeltrace2 text", "top"
NETTOP_PERF, NETTOP_ALL = "nettop --source perf", "nettop"
CONTENDERS = [
    Contender(NETTOP_PERF, _nettop("--source", "perf")),
    Contender(PERF_TOP, lambda b, _: ["perf", "top", "--stdio", "-g", *PERF, "-p", b.work.pid], is_perf=True),
    Contender(PERF_RECORD, lambda b, _: ["perf", "record", "-g", *PERF, "-p", b.work.pid, "-o", b.env.scratch / "perf.data"],
              terminal=False, is_perf=True),
    Contender(NETTOP_ALL, _nettop()),
    Contender(BABELTRACE, _babeltrace(), terminal=False, session=True),
    Contender(TOP, lambda b, _: ["top", "-d", "1", "-p", b.work.pid]),
]


@dataclasses.dataclass(frozen=True)
class Cost:
    cpu_s: float
    daemons_s: float
    rss_bytes: int
    target_cpus: float  # what the target used meanwhile
    spun: bool


class Costs:
    """The runs of all contenders."""

    def __init__(self):
        self.runs = {contender.title: [] for contender in CONTENDERS}

    def spins(self, title):
        return sum(run.spun for run in self.runs[title])

    def least_s(self, title):
        """A peer's figure: its least run; one that spins counts only when all do."""
        return min(run.cpu_s for run in self._fair(title))

    def median_s(self, title):
        """nettop's figure."""
        return statistics.median(run.cpu_s for run in self._fair(title))

    def median_daemons_s(self, title):
        return statistics.median(run.daemons_s for run in self._fair(title))

    def rss_bytes(self, title):
        return max(run.rss_bytes for run in self._fair(title))

    def range_s(self, title):
        runs = [run.cpu_s for run in self._fair(title)]
        return min(runs), max(runs)

    def starved(self):
        """(runs in which the target did not get its CPU time, all runs)"""
        runs = [run for runs in self.runs.values() for run in runs]
        return sum(self._is_starved(run) for run in runs), len(runs)

    def _is_starved(self, run):
        """A spinning perf takes CPU time from the target: that is its own doing."""
        usual = statistics.median(run.target_cpus for runs in self.runs.values() for run in runs if not run.spun)
        return not run.spun and run.target_cpus < STARVED * usual

    def _fair(self, title):
        undisturbed = [run for run in self.runs[title] if not self._is_starved(run)] or self.runs[title]
        return [run for run in undisturbed if not run.spun] or undisturbed


@contextlib.contextmanager
def started(bench, contender):
    """The contender at work; with a session of its own where it needs one."""
    with contextlib.ExitStack() as stack:
        url = None
        if contender.session:
            url = bench.relay.url(stack.enter_context(live_session(bench.relay, bench.work.pid, bench.events)))
        yield stack.enter_context(Program(contender.argv(bench, url), bench.home, contender.terminal))


def _run(bench, contender, from_s, until_s, to_the_end):
    """CPU time between two ages, or from the start to the end of the process."""
    with started(bench, contender) as program:
        program.run(from_s)
        before_ns, target_before_ns = program.sample(), cpu_ns(bench.work.pid)
        program.run(until_s)
        window_ns = program.sample() - before_ns
        target_ns = cpu_ns(bench.work.pid) - target_before_ns
        program.end()
        return Cost(cpu_s=(program.cpu_ns if to_the_end else window_ns) / NS_PER_S, daemons_s=program.daemons_cpu_ns / NS_PER_S,
                    rss_bytes=program.peak_rss_bytes, target_cpus=target_ns / NS_PER_S / (until_s - from_s),
                    spun=contender.is_perf and window_ns / NS_PER_S / (until_s - from_s) > SPIN_CPUS)


def _measure(bench, what, from_s, until_s, to_the_end):
    costs = Costs()
    for number in range(bench.plan.cost_runs):
        start = number % len(CONTENDERS)
        for contender in CONTENDERS[start:] + CONTENDERS[:start]:
            cost = _run(bench, contender, from_s, until_s, to_the_end)
            costs.runs[contender.title].append(cost)
            bench.say(f"{what} {number + 1}/{bench.plan.cost_runs}  {contender.title:22} {cost.cpu_s:7.3f} s   target {cost.target_cpus:.2f} CPUs"
                      f"{'   spins' if cost.spun else ''}")
    return costs


def whole_runs(bench):
    return _measure(bench, "whole run", min(START_UP_S, bench.plan.whole_s / 2), bench.plan.whole_s, to_the_end=True)


def steady_runs(bench):
    return _measure(bench, "steady", bench.plan.steady_from_s, bench.plan.steady_until_s, to_the_end=False)


def churn_cpus(bench):
    """{title: share of a CPU} of nettop and perf while threads begin and end. They are attached before: perf cannot attach while threads end."""
    found = {}
    for contender in CONTENDERS:
        if not contender.is_perf and contender.title != NETTOP_ALL:
            continue
        with started(bench, contender) as program:
            program.run(START_UP_S)
            with working(bench.work, CHURN):
                before_ns = program.sample()
                program.run(START_UP_S + bench.plan.churn_s)
                found[contender.title] = (program.sample() - before_ns) / NS_PER_S / bench.plan.churn_s
            program.end()
        bench.say(f"threads come and go  {contender.title:22} {found[contender.title]:7.3f} CPUs")
    return found
