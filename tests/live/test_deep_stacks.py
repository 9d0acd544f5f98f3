#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Stacks deeper than the kernel's call chains: what is called from far above is known in part only, and is shown so."""
import contextlib
import json
import pathlib
import re

from nt_live import *
from nt_live.process import run

MAX_STACK = pathlib.Path("/proc/sys/kernel/perf_event_max_stack")
BESIDES = 60  # so much deeper
MOST_ASKED = 1024  # NT_PERF_STACK_MAX
LOOK_MS = 2500
MOST = 80  # percent of the samples; others are of threads that compile and write the map


def above(line):
    """The row of the method that calls the recursion."""
    return next((row for row in line["methods"] if row["name"].startswith("Workload.Deep.Run(")), None)


def watch(env, depth, ms):
    """Summary of nettop beside that work."""
    with Bare(env) as work:
        work.do(f"deep {depth} 300")
        with Nettop(env, work.pid, "--source", "perf", *MANY_SAMPLES) as nettop:
            nettop.wait_for_sources("perf", "map")
            work.do(f"deep {depth} {ms}")
            return nettop.stop()


@test
def callers_of_cut_chains_are_lower_bounds(env):
    """JSON has the share that was cut; text has `>` before the totals that may be larger."""
    depth = min(int(MAX_STACK.read_text()), MOST_ASKED) + BESIDES
    summary = watch(env, depth, 700)
    check_limit("share of cut chains is less than their part of the work by", MOST - (summary["chains_cut_pct"] or 0), 0)
    with Bare(env) as work:
        for command, cut in ((f"deep {depth} {LOOK_MS}", True), (f"compute {LOOK_MS}", False)):
            work.process.send_line(command)
            looked = run([str(env.nettop), "-p", str(work.pid), "-b", "-n", "2", "-d", "0.5", "--source", "perf", *MANY_SAMPLES])
            check_equal(f"{command}, exit status of nettop ({looked.stderr})", looked.returncode, 0)
            check(json.loads(work.process.read_line(20))["cmd"] in command, "the workload answered something else")
            # Of a method that is in nearly all samples anyway the total can be no larger: which rows have it, depends on that.
            bounded = re.findall(r"^.*>\d+\.\d" if cut else r"^.*>\d+\.\d.* Workload\.\S+", looked.stdout, re.M)
            check_equal(f"{command}: totals have a > ({looked.stdout})", bool(bounded), cut)
    return f"{summary['chains_cut_pct']:.1f} % of chains cut at {MAX_STACK.read_text().strip()} frames, where the caller is {above(summary)}"


@long_test
def deeper_chains_where_the_kernel_permits_them(env):
    """The setting is the machine's: it is put back."""
    before = MAX_STACK.read_text()
    with contextlib.ExitStack() as stack:
        try:
            MAX_STACK.write_text("600")
        except OSError as error:  # somebody else watches call chains now
            raise Missing(f"{MAX_STACK} cannot be set: {error.strerror}") from None
        stack.callback(MAX_STACK.write_text, before)
        summary = watch(env, 500, 700)
    check_limit("share of cut chains", summary["chains_cut_pct"], 100 - MOST)
    check_limit("share of samples not known to be below the caller", 100 - above(summary)["total_pct"], 100 - MOST)
    return f"{above(summary)['total_pct']:.1f} % below {above(summary)['name']}"


if __name__ == "__main__":
    main()
