# SPDX-License-Identifier: GPL-2.0-only
"""The rows about CPU time and memory."""
import contextlib
import time

from nt_live import Failure

from .contenders import BABELTRACE, NETTOP_ALL, NETTOP_PERF, PERF_RECORD, PERF_TOP, PERF_TOP_BY_DEFAULT, TOP, started
from .cost import SPIN_CPUS, Span, measure
from .load import CHURN, STEADY, working
from .machine import is_dear
from .meter import MB, NS_PER_S, resident_limit_mb
from .report import Row

START_UP_S = 2
PERF_STARTS = 4
SHARE_BY_DEFAULT = 0.01  # of one CPU, that who leaves nettop open beside this program gives for it


@contextlib.contextmanager
def _busy(bench):
    with working(bench.work, STEADY):
        time.sleep(bench.plan.warm_up_s)
        yield


def _note(costs, span, notes):
    for contender in costs.contenders:
        runs = costs.runs[contender]
        apart = [f"{count} {why}" for count, why in ((costs.spins(contender), "spun"), (costs.starved(contender), "with a starved target"))
                 if count]
        notes.append(f"{span.title}: `{contender.title}` {costs.least_s(contender):.3f} to {costs.most_s(contender):.3f} s in "
                     f"{len(runs)} runs{', of these not counted: ' + ', '.join(apart) if apart else ''}.")


def _cpu(costs, span, what, nettop, peers, limit=None):
    own_s, peers_s = costs.pair_s(nettop, peers)
    return Row(f"CPU, {span.title}, {what}", own_s, "s", " + ".join(f"`{peer.title}`" for peer in peers), peers_s, limit)


def _daemons(costs, span):
    return Row(f"CPU of the LTTng daemons, {span.title}", costs.median_daemons_s(NETTOP_ALL), "s", f"with `{BABELTRACE.title}`",
               costs.median_daemons_s(BABELTRACE))


def _memory(costs, span, contenders):
    """nettop's most against its limit, and against that of each peer."""
    own = costs.rss_bytes(NETTOP_ALL) / MB
    return [Row("memory, most resident", own, "MB", limit=resident_limit_mb(span.until_s), note="the past that the screen keeps among it")] + [
        Row("memory, most resident", own, "MB", f"`{peer.title}`", costs.rss_bytes(peer) / MB) for peer in contenders]


def _of_whole(usual, dear):
    """
    The limit of a whole run. Two thirds of nettop's are its start, and half of that is the kernel's work: some 2000 first touches of pages and 5000
    system calls, in five processes. perf's is reading symbols, in user space. So their ratio tells more of the machine than of either where
    a first touch costs ten times of what is usual; there the limit only holds off what would be worse than that. For the same reason it is three twentieths
    with `--source perf`, not the tenth that once held: a newer CPU halves what perf takes to read symbols, and nettop's part in the kernel much less.
    """
    return dear if is_dear() else usual


def whole(bench, notes):
    """From start to end, all contenders."""
    span = Span(f"whole {bench.plan.whole_s:g} s run", min(START_UP_S, bench.plan.whole_s / 2), bench.plan.whole_s, whole=True)
    with _busy(bench):
        costs = measure(bench, [NETTOP_PERF, PERF_TOP, PERF_TOP_BY_DEFAULT, PERF_RECORD, NETTOP_ALL, BABELTRACE, TOP], span)
    _note(costs, span, notes)
    for contender in (NETTOP_PERF, PERF_TOP, PERF_RECORD):
        notes.append(f"{span.title}, after its start: `{contender.title}` least {1e3 * costs.least_cpus(contender):.1f} ms a second.")
    return [
        _cpu(costs, span, "`--source perf`", NETTOP_PERF, [PERF_TOP], _of_whole(3 / 20, 1 / 4)),
        _cpu(costs, span, "`--source perf`", NETTOP_PERF, [PERF_RECORD], 1),
        _cpu(costs, span, "`--source perf`", NETTOP_PERF, [PERF_TOP_BY_DEFAULT]),
        _cpu(costs, span, "everything", NETTOP_ALL, [PERF_TOP, BABELTRACE], _of_whole(1 / 3, 0.4)),
        _cpu(costs, span, "everything", NETTOP_ALL, [TOP]),
        _daemons(costs, span),
        *_memory(costs, span, [PERF_TOP, PERF_RECORD, BABELTRACE, TOP]),
    ]


def _steady(bench, contenders, notes):
    plan = bench.plan
    span = Span(f"second {plan.steady_from_s:g} to {plan.steady_until_s:g}", plan.steady_from_s, plan.steady_until_s, whole=False)
    with _busy(bench):
        costs = measure(bench, contenders, span)
    _note(costs, span, notes)
    return costs, span


def steady_perf(bench, notes):
    costs, span = _steady(bench, [NETTOP_PERF, PERF_TOP], notes)
    return [_cpu(costs, span, "`--source perf`", NETTOP_PERF, [PERF_TOP], 1 / 5)]


def steady_all(bench, notes):
    costs, span = _steady(bench, [NETTOP_ALL, BABELTRACE], notes)
    return [
        Row(f"share of a CPU, {span.title}, as it is started by default", costs.median_cpus(NETTOP_ALL), "CPU", limit=SHARE_BY_DEFAULT),
        _cpu(costs, span, "everything", NETTOP_ALL, [BABELTRACE]),
        _daemons(costs, span),
        *_memory(costs, span, []),
    ]


def _cpus_of_churn(bench, contender):
    with started(bench, contender) as program:
        program.run(START_UP_S)
        with working(bench.work, CHURN):
            before_ns = program.sample()
            program.run(START_UP_S + bench.plan.churn_s)
            cpus = (program.sample() - before_ns) / NS_PER_S / bench.plan.churn_s
        program.end()
    bench.say(f"threads come and go  {contender.title:22} {cpus:7.3f} CPUs")
    return cpus


def _cpus_of_perf(bench, contender, notes):
    """perf gives up when a thread of the round before ends while it attaches: it starts again, some times."""
    for _ in range(PERF_STARTS - 1):
        try:
            return _cpus_of_churn(bench, contender)
        except Failure as failure:
            notes.append(f"started again: {str(failure).splitlines()[0]}")
    return _cpus_of_churn(bench, contender)


def churn(bench, notes):
    """Share of a CPU while threads begin and end. All are attached before: perf cannot attach while threads end."""
    own = _cpus_of_churn(bench, NETTOP_ALL)
    peers = {peer: _cpus_of_perf(bench, peer, notes) for peer in (PERF_TOP, PERF_RECORD)}
    what = "share of a CPU while threads come and go"
    return [Row(what, own, "CPU", limit=SPIN_CPUS)] + [Row(what, own, "CPU", f"`{peer.title}`", cpus) for peer, cpus in peers.items()]
