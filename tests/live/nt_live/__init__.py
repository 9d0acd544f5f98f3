# SPDX-License-Identifier: GPL-2.0-only
"""What the live tests share: the watched .NET program, nettop, LTTng daemons of their own, and a small runner.

A live test is a program:

    from nt_live import *

    @test
    def pauses_are_right(env):
        with Workload(env, mode="N") as work: ...

    if __name__ == "__main__":
        main()
"""
from .bare import Bare
from .cpu_quota import HOG_NAME, cpu_quota, hogs_beside
from .environment import Environment, Missing
from .fullscreen import FullScreen
from .lttng import Recording, SessionDaemon, sessions
from .memory_limit import memory_group
from .nettop import MANY_HZ, MANY_SAMPLES, Nettop, NettopJit, NettopRun
from .process import Failure, OutOfLimit, descendants, descendants_named, proportional_bytes, wait_for_work, wait_until
from .runner import check, check_equal, check_limit, check_within, long_test, main, test
from .session import Session
from .shop import Shop
from .workload import EVERYTHING, FakeRuntime, FirstRent, Incident, Mark, WebServer, Workload

__all__ = [
    "Bare", "EVERYTHING", "Environment", "Failure", "FakeRuntime", "FirstRent", "FullScreen", "HOG_NAME", "Incident", "MANY_HZ", "MANY_SAMPLES", "Mark", "Missing", "Nettop", "NettopJit", "NettopRun", "OutOfLimit",
    "Recording", "Session", "SessionDaemon", "Shop", "WebServer", "Workload", "check", "check_equal", "check_limit", "check_within", "cpu_quota", "descendants", "descendants_named",
    "hogs_beside", "long_test", "main", "memory_group", "proportional_bytes", "sessions", "test", "wait_for_work", "wait_until",
]
