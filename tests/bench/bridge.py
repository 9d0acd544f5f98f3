#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What an event costs the program that emits it: over the bridge, with the genuine lttng-ust 2.12, and from a program of 2.13 ("native").

usage: tests/bench/bridge.py [RUNS [EVENTS]]    the programs take turns; the least of the runs counts. Fails when the bridge costs more than its limits allow.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))

from nt_live import Environment, Missing, SessionDaemon  # noqa: E402
from nt_live.environment import enter_private_namespace  # noqa: E402
from nt_live.lttng import command  # noqa: E402
from nt_live.old_abi import OLD, OldProvider  # noqa: E402
from nt_live.process import adopt_orphans, end_descendants  # noqa: E402

RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 10
EVENTS = int(sys.argv[2]) if len(sys.argv) > 2 else 300_000
LIMITS = {1: 1.05, 2: 1.15}  # sessions: at most so many times the cost of a native event
KINDS = ("one field", "ten fields")


def start_sessions(count):
    """Ring buffers that are overwritten: nobody reads, nothing is lost, and nothing else takes CPU."""
    for number in range(count):
        command("lttng", "create", f"cost-{number}", "--snapshot")
        command("lttng", "enable-channel", "-s", f"cost-{number}", "-u", "--overwrite", "--subbuf-size=256k", "--num-subbuf=4", "all")
        command("lttng", "enable-event", "-s", f"cost-{number}", "-u", "-c", "all", f"{OLD}:*")
        command("lttng", "start", f"cost-{number}")


def run(env, libraries, program):
    """CPU ns of an event of each kind."""
    with OldProvider(env, libraries, program=program) as provider:
        # Registered and enabled before it says that it is ready: its constructors wait for the session daemon.
        provider.send_line("time 20000")
        provider.read_line(60)
        provider.read_line(60)
        provider.send_line(f"time {EVENTS}")
        result = [float(word) for word in provider.read_line(120).split()]
        provider.read_line(10)
        provider.quit()
    return result


def measure(env, sessions):
    programs = {"native": ("", env.build_provider0("native")), "genuine": (env.genuine_dir, env.provider0), "bridge": (env.bridge_dir, env.provider0)}
    least = {}
    with SessionDaemon(env):
        start_sessions(sessions)
        for _ in range(RUNS):
            for name, (libraries, program) in programs.items():
                seen = run(env, libraries, program)
                least[name] = [min(pair) for pair in zip(least.get(name, seen), seen)]
        command("lttng", "destroy", "--all")
    return least


def main():
    enter_private_namespace()
    adopt_orphans()
    env = Environment()
    within = True
    try:
        for sessions, limit in LIMITS.items():
            least = measure(env, sessions)
            for at, kind in enumerate(KINDS):
                ratio = least["bridge"][at] / least["native"][at]
                within &= ratio <= limit
                print(f"{sessions} session(s), {kind}: native {least['native'][at]:.0f} ns, bridge {least['bridge'][at]:.0f} ns ({ratio:.3f}, limit {limit}), "
                      f"genuine 2.12 {least['genuine'][at]:.0f} ns", flush=True)
    except Missing as missing:
        print(f"skip: {missing}")
    finally:
        end_descendants()
        env.close()
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
