#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Somebody does something to the perf map while nettop follows it: a sentence, no crash, no freeze, and names again when it is right again."""
import os
import time

from nt_live import *
from nt_live.nettop import source_of, state_of

SEEN_S = 5.0  # until the sentence is there
BACK_S = 3.0  # what the issue promises
INTERVAL_GAP_S = 2.0  # ten intervals: longer is a freeze
STRANGER_UID = 54321
SPIN = "Workload.Compute.Spin"


class Watched:
    """A busy workload whose perf map lies in a folder of its own, and nettop on it."""

    def __init__(self, env):
        self.folder = env.scratch / f"map-{time.monotonic_ns()}"
        self.folder.mkdir(mode=0o755)
        env.scratch.chmod(0o755)
        self.work = Workload(env, lttng=False, dotnet={"PerfMapJitDumpPath": str(self.folder)})
        self.path = self.folder / f"perf-{self.work.pid}.map"
        self.nettop = Nettop(env, self.work.pid, "--source", "perf,map")

    def __enter__(self):
        self.nettop.wait_for_sources("map")
        return self

    def __exit__(self, *_):
        self.nettop.process.kill()
        self.work.close()

    def reason_with(self, word):
        """The sentence that the map's state gets, with `word` in it."""
        line = self.nettop.wait_for(lambda line: word in (source_of(line, "map").get("reason") or ""), SEEN_S, f"a reason with {word!r}")
        return source_of(line, "map")["reason"]

    def goes_on(self, state):
        """Intervals come in time, in this state, while the target is asked for work and gives it."""
        before = self.work.mark()
        self.work.do("jit-expr 20")
        check(self.work.mark().since(before)["jit_method_count"] > 0, "the target did no work")
        for _ in range(5):
            line = self.nettop.wait_for(lambda _: True, INTERVAL_GAP_S, "the next interval")
        check_equal("state of the map", state_of(line, "map"), state)

    def end(self):
        summary = self.nettop.stop()
        check(self.work.process.alive(), "the target has ended")
        return summary


def names_new_code(watched):
    """A method that is compiled again from now on is named at its new places."""
    watched.work.process.send_line("compute-tiers 200 400 1500")
    watched.nettop.wait_for(lambda line: any(row["name"].startswith(SPIN) and row["tier"] in ("osr", "tier1") and row["self_samples"]
                                             for row in line["methods"]), BACK_S, "the new code of the hot method is named")
    watched.work._answer(20)


def replaced(env, put, word):
    """put(path) puts something else in the map's place; then the map comes back."""
    with Watched(env) as watched:
        aside = watched.path.with_suffix(".aside")
        os.rename(watched.path, aside)
        put(watched.path)
        sentence = watched.reason_with(word)
        watched.goes_on("stalled")
        os.rename(aside, watched.path)  # over whatever lies there
        start = time.monotonic()
        watched.nettop.wait_for(lambda line: state_of(line, "map") == "delivering", BACK_S, "delivers again")
        took = time.monotonic() - start
        names_new_code(watched)
        watched.end()
        return f"{sentence!r}, back after {took:.2f} s"


@long_test
def map_replaced_by_a_fifo(env):
    return replaced(env, os.mkfifo, "is a FIFO")


@long_test
def map_replaced_by_a_link(env):
    return replaced(env, lambda path: os.symlink("/etc/passwd", path), "symbolic link")


@test
def map_replaced_by_a_strangers_file(env):
    def put(path):
        path.write_text("7f0000000000 1000 int32 [A] Lie::Lie(int32)[Optimized]\n", encoding="ascii")
        os.chown(path, STRANGER_UID, STRANGER_UID)

    return replaced(env, put, str(STRANGER_UID))


@long_test
def map_taken_over_by_a_stranger(env):
    """The file itself changes its owner: who owns it can write lies into it."""
    with Watched(env) as watched:
        os.chown(watched.path, STRANGER_UID, STRANGER_UID)
        sentence = watched.reason_with(str(STRANGER_UID))
        watched.goes_on("stalled")
        os.chown(watched.path, 0, 0)
        watched.nettop.wait_for(lambda line: state_of(line, "map") == "delivering", BACK_S, "delivers again")
        names_new_code(watched)
        watched.end()
        return repr(sentence)


@test
def map_truncated(env):
    """The runtime writes on at its old place: what it writes then stands behind a hole of NUL bytes."""
    with Watched(env) as watched:
        os.truncate(watched.path, 0)
        sentence = watched.reason_with("truncated")
        watched.goes_on("delivering")
        names_new_code(watched)
        watched.end()
        return repr(sentence)


@long_test
def map_truncated_again_and_again(env):
    """At all moments of reading, by more and less."""
    with Watched(env) as watched:
        size = watched.path.stat().st_size
        for step in range(200):
            os.truncate(watched.path, step * 7919 % size)
            if step % 10 == 0:
                watched.nettop.wait_for(lambda _: True, INTERVAL_GAP_S, "the next interval")
        watched.goes_on("delivering")
        watched.end()


if __name__ == "__main__":
    main()
