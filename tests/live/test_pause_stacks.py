#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Call stacks of one side of the pauses, of a program of which one thread collects and says how much CPU time that took, and another one stands meanwhile."""
import contextlib
import re
import subprocess

from nt_live import *
from nt_live.saying import Saying
from nt_live.stack_files import ALL, reader_of
from nt_live.workload import Pausing

SECONDS = 4
PERIOD_NS = 10**9 // MANY_HZ
SAID = re.compile(r"nettop: (\d+) samples in [\d.]+ s, (\d+) in pauses for collections, (\d+) outside(?:, of (\d+) it is not told)?")
STOPS = 0.03  # of the samples in pauses: a thread runs on until the stop has come to it
EARLY = 0.03  # of the samples outside: who collects does so a moment before the pause has begun, and after its end


class Side(Saying):
    """`nettop stacks --during SIDE`, and what it says and writes."""

    def __init__(self, env, pid, during, *options):
        self.during, self.path = during, env.scratch / f"{during}.folded"
        super().__init__(env.nettop, "stacks", "-p", str(pid), "--during", during, *MANY_SAMPLES, "-d", str(SECONDS), "-o", self.path, *options)

    def finish(self):
        said = self.said(30)
        match = SAID.match(said)
        check(match, f"--during {self.during} says: {said}")
        self.all, self.in_pauses, self.outside, self.untold = (int(number or 0) for number in match.groups())
        check_equal("samples of both sides and of neither", self.in_pauses + self.outside + self.untold, self.all)
        self.threads = reader_of("folded", PERIOD_NS)(self.path)
        check_equal(f"samples in the file of {self.during}", self.threads.samples(), self.in_pauses if self.during == "gc-pauses" else self.outside)
        return self

    def of(self, thread, method=None):
        """
        Samples of a thread, or of its stacks that have this method, in whatever tier: it is compiled anew at any time. A stack may have it in two tiers, so they are at most all.
        """
        frames = self.threads.get(thread, {ALL: 0})
        in_tiers = sum(samples for frame, samples in frames.items() if method and frame.startswith(method))
        return min(in_tiers, frames[ALL]) if method else frames[ALL]


@test
def stacks_of_either_side(env):
    with Pausing(env) as work, contextlib.ExitStack() as stack:
        collects, computes = (f"{name}/{work.hello[tid]}" for name, tid in (("dotnet", "main_tid"), ("outside", "outside_tid")))
        sides = [stack.enter_context(Side(env, work.pid, during)) for during in ("gc-pauses", "outside")]
        done = []
        while any(side.process.poll() is None for side in sides):
            done.append(work.do("work 300"))
        paused, outside = (side.finish() for side in sides)
    collect_ns, between_ns, outside_ns = (sum(answer[of] for answer in done) for of in ("collect_ns", "between_ns", "outside_ns"))
    # Who stands in pauses, and who collects.
    check(paused.in_pauses > 100 and outside.outside > 100, f"{paused.in_pauses} samples in pauses, {outside.outside} outside")
    check_limit("samples of the thread that stands, in pauses", paused.of(computes), STOPS * paused.in_pauses)
    check_limit("samples of what is between collections, in pauses", paused.of(collects, "Pausing.Program.Between("), STOPS * paused.in_pauses)
    check_limit("samples in pauses that are not of who collects", 1 - paused.of(collects) / paused.in_pauses, 0.1)
    check_limit("samples of collections, outside", outside.of(collects, "System.GC.Collect("), EARLY * outside.outside)
    # How much of it, by the threads' own clocks: a collection and what is between two take the same CPU time each, however busy the machine is. The two do not watch
    # for quite the same time.
    collecting, between = paused.of(collects), outside.of(collects) * paused.outside / outside.outside
    check_within("share of collections in the CPU time of the thread that collects", collecting / (collecting + between), collect_ns / (collect_ns + between_ns), absolute=0.08)
    check_within("share of the thread that stands in what both do outside", outside.of(computes) / (outside.of(computes) + outside.of(collects)),
                 outside_ns / (outside_ns + between_ns), absolute=0.15)
    for thread, method in ((collects, "Pausing.Program.Between("), (computes, "Pausing.Program.Outside(")):
        check_limit(f"share of {thread} outside that is not in {method})", 1 - outside.of(thread, method) / outside.of(thread), 0.1)
    return (f"{paused.in_pauses} samples in pauses, of which {paused.of(computes)} of the thread that stands; {outside.outside} outside; "
            f"{paused.untold} and {outside.untold} on neither side")


@test
def what_does_not_go_together(env):
    """And of a program whose pauses nobody tells there is no file, and the reason."""
    with Pausing(env, variables={"DOTNET_EnableDiagnostics": "0"}) as work:
        path = env.scratch / "none.folded"
        done = subprocess.run([env.nettop, "stacks", "-p", str(work.pid), "--during", "gc-pauses", "-d", "5", "-o", path], stderr=subprocess.PIPE, text=True, timeout=30, check=False)
        check(done.returncode != 0 and "when the program is paused is not told" in done.stderr, f"status {done.returncode}: {done.stderr}")
        check(not path.exists(), "a file of what is not known")
        for options in (["--wall"], ["--off-cpu"], ["-e", "page-faults"]):
            refused = subprocess.run([env.nettop, "stacks", "-p", str(work.pid), "--during", "outside", *options], stderr=subprocess.PIPE, text=True, timeout=30, check=False)
            check(refused.returncode == 2 and "--during is for samples of CPU time" in refused.stderr, f"{options}: status {refused.returncode}: {refused.stderr}")
    return done.stderr.strip()


if __name__ == "__main__":
    main()
