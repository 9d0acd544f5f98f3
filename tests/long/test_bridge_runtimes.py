#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The bridge under each runtime that asks for liblttng-ust.so.0, self-contained from NuGet; and many exits."""
import os

from nt_long.payloads import payloads_are_equal  # nt_long tells where nt_live lies
from nt_live import main, test
from nt_live.old_abi import descriptions_are_equal, exit_dotnet_often, exit_often, sentinel_is_switched

FRAMEWORKS = ("net8.0", "net9.0", "net10.0")
EXITS = int(os.environ.get("EXITS", "200"))


def add(framework):
    def describes_its_events_the_same(env):
        return f"{descriptions_are_equal(env, env.selfcontained(framework))} events"

    def sentinel_alone(env):
        return "; ".join(f"mode {mode}: {sentinel_is_switched(env, mode, env.selfcontained(framework))}" for mode in ("none", "N"))

    def carries_the_same(env):
        return payloads_are_equal(env, env.selfcontained(framework))

    for function in (describes_its_events_the_same, carries_the_same, sentinel_alone):
        function.__name__ = f"{framework.replace('.', '_')}_{function.__name__}"
        test(function)


for name in FRAMEWORKS:
    add(name)


@test
def exits_with_threads_still_emitting(env):
    return exit_often(env, EXITS)


@test
def dotnet_exits_with_threads_still_emitting(env):
    return exit_dotnet_often(env, EXITS)


if __name__ == "__main__":
    main()
