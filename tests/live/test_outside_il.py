#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Which IL the JIT's code was made of, read in the runtime's memory, held against what the runtime itself says."""
import collections
import subprocess

from nt_live import Workload, check, check_equal, main, test
from nt_live.eventpipe import RUNTIME, Session

READ_S = 60
JITTED = 8  # of MethodFlags
TIER_SHIFT, TIER_MASK = 7, 7
LEAST = 100
TIERS = {1: "minimal", 2: "optimized", 3: "tier-0", 4: "tier-1", 5: "OSR", 6: "instrumented", 7: "instrumented, of optimized code"}


def tool(env, name, *arguments):
    done = subprocess.run([env.nettop.parent / "tests/tools" / name, *arguments], check=True, capture_output=True, text=True, timeout=READ_S)
    return done.stdout.splitlines()


def told_by_the_runtime(env, pid):
    """{(start, size): (tier, [NATIVE:IL ...])} of the JIT's code, at the end of a session (MethodDCEndILToNativeMap). In another order than they lie in memory."""
    stream = env.scratch / "rundown.nettrace"
    stream.write_bytes(Session(pid, [(RUNTIME, 1, 1)], rundown=True).stop())
    told = {}
    for line in tool(env, "nettrace_dump", "--il", stream)[:-1]:
        start, size, flags, *offsets = line.split(" ")
        if int(flags, 16) & JITTED:
            told[int(start, 16), int(size, 16)] = TIERS.get(int(flags, 16) >> TIER_SHIFT & TIER_MASK, "?"), offsets
    return told


def steps(offsets):
    """{(native, IL)}: where the IL changes, in the order of the code. The runtime joins what follows each other of one IL offset when it tells of it."""
    found, before = set(), None
    for native, il in sorted(tuple(int(number, 16) for number in pair.split(":")) for pair in offsets):
        if il != before:
            found.add((native, il))
        before = il
    return found


def read_in_memory(env, pid):
    """{(start, size): [NATIVE:IL ...]}, and whether all heaps were read to their end."""
    lines = tool(env, "contract_dump", str(pid), "il")
    read = {}
    for line in lines:
        if line.startswith("il ") and line not in ("il whole", "il incomplete"):
            _, start, size, *offsets = line.split(" ")
            read[int(start, 16), int(size, 16)] = offsets
    return read, "il whole" in lines, [line for line in lines if line.startswith("no-il") and line.endswith("broken")]


@test
def all_code_is_of_the_il_that_the_runtime_says(env):
    """Of several tiers, with handlers, generic, in the middle of a method that was entered there (OSR)."""
    with Workload(env, lttng=False, perf_map=False) as work:
        for command in ("compute-tiers 50 300 500", "generics 20", "jit-lambda 10", "async 10", "throw 5", "locks 2"):
            work.do(command)
        work.settle()
        told = told_by_the_runtime(env, work.pid)
        read, whole, broken = read_in_memory(env, work.pid)
    check(whole, "not all heaps were read to their end")
    check_equal("code whose IL cannot be read", broken, [])
    tiers = collections.Counter(tier for tier, offsets in told.values() if offsets)
    check(sum(tiers.values()) >= LEAST and {"tier-0", "tier-1", "OSR", "optimized"} <= set(tiers), f"too little is compared: {dict(tiers)}")
    wrong = [(hex(place[0]), tier, sorted(steps(offsets) ^ steps(read.get(place, [])))) for place, (tier, offsets) in told.items()
             if offsets and steps(read.get(place, [])) != steps(offsets)]
    check_equal("code whose IL is another one in memory", wrong[:5], [])
    return f"{dict(tiers)}, of {len(read)} in memory"


if __name__ == "__main__":
    main()
