# SPDX-License-Identifier: GPL-2.0-only
"""CPU time of several contenders on the same busy target, one after the other, round by round."""
import dataclasses
import statistics

from nt_live import Failure

from .contenders import started
from .meter import NS_PER_S, cpu_ns
from .paired import middle

# A perf that uses this much of a CPU long after its start polls in a loop: a thread it was attached to has ended, and it does not sleep again.
# Without that it stays below half of it.
SPIN_CPUS = 0.2
# A run in which the target got less than this part of its usual CPU time says little: others had the machine.
STARVED = 0.75
# Rounds without a spin or a starved target that there should be at least, and how many more are made for that.
FAIR_ROUNDS, MORE_ROUNDS = 3, 4


@dataclasses.dataclass(frozen=True)
class Span:
    """What is measured of a run: its CPU time from one age to another, or, with `whole`, all of it."""
    title: str
    from_s: float
    until_s: float
    whole: bool


@dataclasses.dataclass(frozen=True)
class Run:
    cpu_s: float
    cpus: float         # share of a CPU between the two ages
    daemons_s: float
    rss_bytes: int
    target_cpus: float  # what the target used meanwhile
    spun: bool


class Costs:
    """The runs of some contenders."""

    def __init__(self, contenders):
        self.contenders = contenders
        self.runs = {contender: [] for contender in contenders}

    def spins(self, contender):
        return sum(run.spun for run in self.runs[contender])

    def starved(self, contender):
        return sum(self._is_starved(run) for run in self.runs[contender])

    def fair_rounds(self, contenders):
        """The runs that count of those of these: a tuple for each round in which all of them do."""
        return [round_ for round_ in zip(*(self.runs[contender] for contender in contenders)) if all(map(self._is_fair, round_))]

    def pair_s(self, own, peers):
        """nettop's figure, and that of its peers together, in the same round: of the rounds the one with the median ratio."""
        rounds = self.fair_rounds([own, *peers])
        if not rounds:
            raise Failure(f"{own.title} beside {' and '.join(peer.title for peer in peers)}: no round without a spin or a starved target")
        return middle([(first.cpu_s, sum(run.cpu_s for run in others)) for first, *others in rounds])

    def least_s(self, contender):
        return min(run.cpu_s for run in self._some(contender))

    def most_s(self, contender):
        return max(run.cpu_s for run in self._some(contender))

    def median_daemons_s(self, contender):
        return statistics.median(run.daemons_s for run in self._some(contender))

    def least_cpus(self, contender):
        return min(run.cpus for run in self._some(contender))

    def median_cpus(self, contender):
        return statistics.median(run.cpus for run in self._some(contender))

    def rss_bytes(self, contender):
        return max(run.rss_bytes for run in self.runs[contender])

    def _is_starved(self, run):
        """A spinning perf takes CPU time from the target: that is its own doing."""
        usual = statistics.median(run.target_cpus for runs in self.runs.values() for run in runs if not run.spun)
        return not run.spun and run.target_cpus < STARVED * usual

    def _is_fair(self, run):
        return not run.spun and not self._is_starved(run)

    def _some(self, contender):
        runs = [run for run in self.runs[contender] if self._is_fair(run)]
        if not runs:
            raise Failure(f"{contender.title}: no run of {len(self.runs[contender])} without a spin or a starved target")
        return runs


def _run(bench, contender, span):
    with started(bench, contender) as program:
        program.run(span.from_s)
        before_ns, target_before_ns = program.sample(), cpu_ns(bench.work.pid)
        program.run(span.until_s)
        length_s = span.until_s - span.from_s
        window_s = (program.sample() - before_ns) / NS_PER_S
        target_s = (cpu_ns(bench.work.pid) - target_before_ns) / NS_PER_S
        program.end()
        return Run(cpu_s=program.cpu_ns / NS_PER_S if span.whole else window_s, cpus=window_s / length_s,
                   daemons_s=program.daemons_cpu_ns / NS_PER_S, rss_bytes=program.peak_rss_bytes, target_cpus=target_s / length_s,
                   spun=contender.is_perf and window_s / length_s > SPIN_CPUS)


def _add_run(bench, costs, contender, span):
    run = _run(bench, contender, span)
    costs.runs[contender].append(run)
    bench.say(f"{span.title} {len(costs.runs[contender])}  {contender.title:22} {run.cpu_s:7.3f} s   target {run.target_cpus:.2f} CPUs"
              f"{'   spins' if run.spun else ''}")


def measure(bench, contenders, span):
    """All take turns, another first in each round; when too few rounds count there are some more."""
    costs = Costs(contenders)
    wanted = min(FAIR_ROUNDS, bench.plan.cost_runs)
    for number in range(bench.plan.cost_runs + MORE_ROUNDS):
        if number >= bench.plan.cost_runs and len(costs.fair_rounds(contenders)) >= wanted:
            break
        start = number % len(contenders)
        for contender in contenders[start:] + contenders[:start]:
            _add_run(bench, costs, contender, span)
    return costs
