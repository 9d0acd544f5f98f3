#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Programs with nothing wrong, each watched for HEALTHY_S seconds (600): no finding. The environment variable shortens a trial."""
import os
import time

from nt_long import TESTS  # makes the modules below known  # noqa: F401
from nt_live import Incident, Nettop, Shop, WebServer, Workload, check, check_equal, main, test
from nt_long.feeder import Feeder

HEALTHY_S = float(os.environ.get("HEALTHY_S", "600"))
STARTS_S = 20  # a program that is started anew so often
WARM, ANSWERED_S = 400, 90  # requests
ANNOUNCED_S = 90
SERVICE = ("mixed 300", "requests 200")  # a second of work of many kinds, and small answers


class Stolen:
    """What the hypervisor keeps from the machine, by the kernel's own count: where it keeps much, that a program waits for a CPU is true."""
    MUCH = 0.2  # of a CPU, for some seconds: nettop says it from 0.1 on, of an interval
    OVER_S = 5

    def __init__(self):
        self._seen = []

    def note(self):
        if self._seen and time.monotonic() - self._seen[-1][0] < 1:
            return
        with open("/proc/stat", encoding="ascii") as stat:
            self._seen.append((time.monotonic(), int(stat.readline().split()[8]) / os.sysconf("SC_CLK_TCK")))

    def most(self):
        """CPUs, in any of these spans."""
        spans = [(t0, t1, s1 - s0) for i, (t0, s0) in enumerate(self._seen) for t1, s1 in self._seen[i + 1:] if self.OVER_S <= t1 - t0 < 2 * self.OVER_S]
        return max((stolen / (t1 - t0) for t0, t1, stolen in spans), default=0)


def findings_of(lines, stolen):
    """Each once, as it was first said; without what is the machine's."""
    of_machine = stolen.most() >= Stolen.MUCH
    return sorted({finding["kind"]: finding["text"] for line in reversed(lines) for finding in line["findings"]
                   if not (of_machine and finding["kind"] == "cpu_wait" and "the hypervisor gives" in finding["text"])}.values())


def watch(env, pid, seconds, *options):
    """Its lines, when it has been watched for so long; none of them may have a finding."""
    with Nettop(env, pid, *options, interval_s=1) as nettop:
        nettop.wait_for_sources("eventpipe")
        until, stolen = time.monotonic() + seconds, Stolen()

        def is_over(_):
            stolen.note()
            return time.monotonic() > until
        nettop.wait_for(is_over, seconds + ANNOUNCED_S, "that the time is over")
        nettop.stop(60)
        check_equal("findings", findings_of(nettop.intervals, stolen), [])
        return nettop.intervals


@test
def idle(env):
    with Workload(env, mode="none", lttng=False) as work:
        lines = watch(env, work.pid, HEALTHY_S)
    return f"{len(lines)} intervals"


@test
def busy_service(env):
    """Requests one after the other, answered with JSON, regular expressions, LINQ: up to a CPU of work."""
    with WebServer(env) as work:
        work.do("mixed 3000")  # its start is that of start_up
        with Feeder(work, SERVICE):
            lines = watch(env, work.pid, HEALTHY_S)
    served = sum(line["requests"]["count"] or 0 for line in lines)
    check(served > HEALTHY_S, f"{served} requests: it was not busy")
    return f"{served} requests in {len(lines)} intervals"


@test
def busy_shop(env):
    """A web service with customers, a cache, a lock, a payment provider: all of it as it should be."""
    with Shop(env) as shop:
        shop.wait_answered(WARM, ANSWERED_S)
        lines = watch(env, shop.pid, HEALTHY_S)
        served = sum(line["requests"]["count"] or 0 for line in lines)
        check(served > HEALTHY_S, f"{served} requests: it was not busy")
    return f"{served} requests in {len(lines)} intervals"


@test
def batch_job(env):
    """One thread that computes and allocates as it goes on."""
    with Workload(env, mode="none", lttng=False) as work, Feeder(work, ("compute 200", "alloc 20", "compute 300")):
        lines = watch(env, work.pid, HEALTHY_S)
    return f"{len(lines)} intervals"


@test
def modest_program(env):
    """A little of everything: threads, timers, collections, exceptions now and then."""
    with Incident(env, "modest") as incident:
        incident.begin()
        lines = watch(env, incident.pid, HEALTHY_S)
    return f"{len(lines)} intervals"


@test
def start_up_and_deploy(env):
    """A server that is started, warmed up, and replaced by the next: each is watched from its first second on."""
    until, starts = time.monotonic() + HEALTHY_S, 0
    while starts == 0 or time.monotonic() < until:
        with WebServer(env) as work, Feeder(work, SERVICE):
            watch(env, work.pid, min(STARTS_S, HEALTHY_S))
        starts += 1
    return f"{starts} starts"


if __name__ == "__main__":
    main()
