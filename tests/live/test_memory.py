#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What the memory of a program consists of: against the kernel's own count of a program that stands still, and what the runtime says of its collector."""
import re
import sys

from nt_live import Nettop, Workload, check, check_equal, main, test
from nt_live.process import LineProcess

SEEN_S = 20
MB = 1 << 20
PRIVATE_MB, SHARED_MB = 48, 24
ROUNDED = 2  # bytes: the runtime tells millions of them as a floating-point number

# So much memory of its own, and so much that can be shared; then it stands still.
PROGRAM = r"""
import mmap, os, sys
private = mmap.mmap(-1, %d, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
shared_fd = os.memfd_create("shared")
os.ftruncate(shared_fd, %d)
shared = mmap.mmap(shared_fd, %d)
for memory in private, shared:
    for at in range(0, len(memory), 4096):
        memory[at] = 1
print("ready", flush=True)
sys.stdin.readline()
""" % (PRIVATE_MB * MB, SHARED_MB * MB, SHARED_MB * MB)


def counted(pid):
    """The kernel's word, in bytes."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        sizes = dict(re.findall(r"^(\w+):\s+(\d+) kB$", file.read(), re.M))
    return {ours: int(sizes[theirs]) << 10 for ours, theirs in
            (("rss_bytes", "VmRSS"), ("anon_bytes", "RssAnon"), ("file_bytes", "RssFile"), ("shared_bytes", "RssShmem"), ("swap_bytes", "VmSwap"))}


@test
def as_the_kernel_counts(env):
    env.scratch.mkdir(parents=True, exist_ok=True)
    process = LineProcess([sys.executable, "-c", PROGRAM], None, env.scratch / "program.err")
    try:
        check_equal("its first word", process.read_line(SEEN_S).strip(), "ready")
        with Nettop(env, process.pid, "--source", "procfs", interval_s=0.5) as nettop:
            # A machine that lacks memory may take some of it meanwhile: then both say so.
            line = nettop.wait_for(lambda line: {key: line["memory"][key] for key in counted(process.pid)} == counted(process.pid), SEEN_S, "what the kernel says")
            nettop.stop()
        memory = line["memory"]
        check_equal("the sum", memory["anon_bytes"] + memory["file_bytes"] + memory["shared_bytes"], memory["rss_bytes"])
        check(memory["anon_bytes"] + memory["swap_bytes"] >= PRIVATE_MB * MB and memory["shared_bytes"] >= SHARED_MB * MB * 3 // 4, f"{PRIVATE_MB}M, {SHARED_MB}M: {memory}")
        check_equal("what the GC has, of a program without one", line["gc"]["committed_bytes"], None)
    finally:
        process.kill()
    return f"{memory['rss_bytes'] >> 20}M = {memory['anon_bytes'] >> 20}M + {memory['file_bytes'] >> 20}M + {memory['shared_bytes'] >> 20}M"


@test
def what_the_gc_has_is_the_runtimes_word(env):
    """At its last collection, whatever is allocated since."""
    with Workload(env, mode="none", lttng=False) as work, Nettop(env, work.pid, "--source", "eventpipe,procfs", interval_s=0.5) as nettop:
        work.do("loh 64")
        work.do("gc 2")
        committed = work.mark()["gc_committed_bytes"]
        line = nettop.wait_for(lambda line: abs((line["gc"]["committed_bytes"] or 0) - committed) <= ROUNDED, SEEN_S, f"{committed} bytes")
        nettop.stop()
    check(line["memory"]["shared_bytes"] > 0, f"code of the JIT is in memory that can be shared: {line['memory']}")
    return f"{committed >> 20}M of {line['memory']['anon_bytes'] >> 20}M"


if __name__ == "__main__":
    main()
