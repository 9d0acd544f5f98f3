#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop stacks`: its files as other programs read them, and what they say of a real process."""
import contextlib
import json
import platform
import re
import signal
import subprocess
import time

from nt_live import *
from nt_live.environment import REPO
from nt_live.process import run
from nt_live.saying import Saying
from nt_live.stack_files import ALL, FORMATS, npm_package, pprof_program, reader_of

SECONDS = 1
PERIOD_NS = 10**9 // MANY_HZ
SHOP = REPO / "tests/data/stacks"  # tests/unit/output/test_stacks.c: the program's own output
SHOP_SAMPLES = 62
OTHERS = 0.4  # share of the samples that may be something else, while one thread computes: the runtime writes its map, too
SAID = re.compile(r"nettop: (\d+) samples in [\d.]+ s, ([\d.]+) % of them with the whole call chain")


def read(format_name, path):
    return reader_of(format_name, PERIOD_NS)(path)


@test
def readers_agree(env):
    """All formats of the same tree, each by a reader that is not ours."""
    env.need_commands("protoc")
    expected = read("folded", SHOP / "shop.folded")
    check_equal("samples", expected.samples(), SHOP_SAMPLES)
    for format_name in FORMATS[1:]:
        check_equal(format_name, read(format_name, SHOP / f"shop.{format_name}"), expected)
        check(read(format_name, SHOP / f"nothing.{format_name}") == {}, f"{format_name} of nothing")
    check_equal("what pprof calls the profile", pprof_program(SHOP / "shop.pprof"), "shop")
    return f"{len(FORMATS)} formats, {sum(len(frames) for frames in expected.values())} frames of {len(expected)} threads"


class Stacks(Saying):
    """A `nettop stacks` that runs."""

    def __init__(self, env, pid, format_name, *options):
        self.format_name = format_name
        self.path = env.scratch / f"stacks.{format_name}"
        self.path.unlink(missing_ok=True)
        super().__init__(env.nettop, "stacks", "-p", str(pid), "-f", format_name, *MANY_SAMPLES, "-o", self.path, *options)

    def finish(self, seconds=30):
        """How many samples it says it wrote, and what a reader finds."""
        said = self.said(seconds)
        match = SAID.match(said)
        check(match, f"{self.format_name} says: {said}")
        check_limit(f"{self.format_name}: share without the whole call chain", 1 - float(match[2]) / 100, OTHERS)
        totals = read(self.format_name, self.path)
        check_equal(f"samples in {self.format_name}, and said", totals.samples(), int(match[1]))
        return totals


def check_is_computing(format_name, totals, tid):
    """Nearly all is the thread `compute`, in a managed method with its tier."""
    thread = f"compute/{tid}"
    check(thread in totals, f"{format_name}: {thread} is not among {list(totals)}")
    frames = totals[thread]
    check_limit(f"{format_name}: share of samples that are not {thread}'s", 1 - frames[ALL] / totals.samples(), OTHERS)
    spin = sum(samples for frame, samples in frames.items() if re.fullmatch(r"Workload\.Compute\.Spin\(.*\) \[(tier1|osr|tier0|instr|inst1|opt)\]", frame))
    check_limit(f"{format_name}: share of {thread} that is not in Spin ({frames.most_common(12)})", 1 - spin / frames[ALL], OTHERS)


@test
def every_format_of_a_process(env):
    """At the same time, of the same thread that computes; one is ended by SIGINT, and writes what there is."""
    env.need_commands("protoc")
    with Bare(env) as work, contextlib.ExitStack() as stack:
        tid = work.hello["compute_tid"]
        endless = stack.enter_context(Stacks(env, work.pid, "folded"))
        timed = [stack.enter_context(Stacks(env, work.pid, format_name, "-d", str(SECONDS))) for format_name in FORMATS[1:]]
        while any(one.process.poll() is None for one in timed):
            work.do("compute 300")
        for one in timed:
            check_is_computing(one.format_name, one.finish(), tid)
        check(not endless.path.exists(), "the file is there before it is whole")
        endless.process.send_signal(signal.SIGINT)
        totals = endless.finish()
        check_is_computing("folded", totals, tid)
        check_equal("what lies beside the files", [path.name for path in env.scratch.glob("stacks.*.*")], [])
    return f"{totals.samples()} samples until SIGINT"


@test
def times_of_samples(env):
    """perf script has each sample's time: those of work that is done twice lie in the time of either, and in order."""
    with Bare(env) as work, Stacks(env, work.pid, "perf-script", "-d", "4") as stacks:
        tid, spans = work.hello["compute_tid"], []
        time.sleep(0.7)  # until it samples; then what it must not see as work
        for _ in range(2):
            begun = time.monotonic()
            work.do("compute 300")
            spans.append((begun, time.monotonic()))
            work.do("idle 500")
        totals = stacks.finish()
    check(totals, "no samples")
    heads = [line for line in stacks.path.read_text(encoding="utf-8").splitlines() if re.match(r"\S", line)]
    times = [(re.search(r"/(\d+) +([\d.]+):", head)[1], float(re.search(r"/(\d+) +([\d.]+):", head)[2])) for head in heads]
    check_equal("in order of time", [at for _, at in times], sorted(at for _, at in times))
    work_times = [at for thread, at in times if thread == str(tid)]
    within = [sum(begun - 0.01 <= at <= ended + 0.01 for at in work_times) for begun, ended in spans]
    check_equal("samples of the thread beside its work", len(work_times) - sum(within), 0)
    for count in within:
        check_within("samples of 300 ms of work", count, 0.3 * MANY_HZ, relative=0.2)
    return f"{within} samples in the two"


@test
def broken_chains_have_a_remedy(env):
    """Where most chains break in code without frame pointers, the option that follows them is named; it is not where they do not, or where it is in use."""
    if platform.machine() != "x86_64":
        return "not on this machine"
    names = {}
    with Bare(env) as work:
        for command, options in (("sort 300", ()), ("sort 300", ("--call-graph", "hybrid", "-F", "199")), ("compute 300", ())):
            path = env.scratch / "stacks.folded"
            process = subprocess.Popen([env.nettop, "stacks", "-p", str(work.pid), *(options or MANY_SAMPLES), "-d", "1", "-o", path], stderr=subprocess.PIPE, text=True)
            while process.poll() is None:
                work.do(command)
            said = process.communicate()[1]
            check_equal(f"exit status of {options} ({said})", process.returncode, 0)
            names[command, options] = "--call-graph hybrid" in said
    check_equal("mentions of hybrid", list(names.values()), [True, False, False])


@test
def what_cannot_be(env):
    """One sentence with the fix each, before anything is watched."""
    def refused(status, words, *options):
        result = run([str(env.nettop), "stacks", *options])
        check_equal(f"exit status of {options}", result.returncode, status)
        check(words in result.stderr and result.stderr.count("\n") == 1, f"{options}: {result.stderr!r}")

    refused(2, "which process? Give its pid or name: nettop stacks -p PID")
    refused(2, "use folded, flamegraph, speedscope, pprof or perf-script", "-p", "1", "-f", "svg")
    refused(1, "cannot write /: Is a directory", "-p", "1", "-o", "/")
    refused(1, "cannot write /no/where: No such file or directory", "-p", "1", "-o", "/no/where")
    refused(1, "999999999", "-p", "999999999")


@long_test
def speedscope_imports_them(env):
    """The importer of the speedscope that npm has: folded, its own format, pprof, and perf script, of which it takes the times between samples."""
    package = npm_package(env, "speedscope@1.20.0") / "speedscope"
    paths = [str(SHOP / f"shop.{format_name}") for format_name in FORMATS if format_name != "flamegraph"]
    result = run(["node", str(REPO / "tests/tools/speedscope_totals.js"), str(package), *paths])
    check_equal(f"exit status ({result.stderr})", result.returncode, 0)
    groups = [json.loads(line)["profiles"] for line in result.stdout.splitlines()]
    plain, own, profile, script = groups
    expected = read("folded", SHOP / "shop.folded")
    check_equal("folded", [p["total"] for p in plain], [SHOP_SAMPLES])
    check_equal("its own", {p["name"]: p["total"] for p in own}, {thread: frames[ALL] * PERIOD_NS for thread, frames in expected.items()})
    check_equal("pprof", [(p["total"], p["unit"]) for p in profile], [(SHOP_SAMPLES * PERIOD_NS, "nanoseconds")])
    check_equal("a method in pprof", profile[0]["frames"]["Shop.Cart.Total(ref Cart) [tier1]"],
                sum(frames["Shop.Cart.Total(ref Cart) [tier1]"] for frames in expected.values()) * PERIOD_NS)
    # It knows no duration of a thread's last sample.
    check_equal("perf script", sorted(round(p["total"] * 1e9) for p in script),
                sorted((frames[ALL] - 1) * PERIOD_NS for frames in expected.values()))
    return f"{len(own)} threads"


def click(modules, name, label, words):
    result = run(["node", str(REPO / "tests/tools/flamegraph_clicks.js"), str(modules), str(SHOP / f"{name}.flamegraph"), label, words])
    check_equal(f"exit status ({result.stderr})", result.returncode, 0)
    seen = json.loads(result.stdout)
    check_equal("what is seen without the script", seen["unscripted"], seen["start"])
    check_equal("what is at the top", seen["start"]["highest"], "all")
    check_equal("what is seen after Esc", seen["reset"], seen["start"])
    check_equal("boxes when all are unfolded", seen["unfolded"]["shown"], seen["boxes"])
    check(sum(map(len, seen["narrow"]["captions"])) < sum(map(len, seen["start"]["captions"])), f"captions in a narrow window: {seen['narrow']}")
    return seen


@long_test
def flame_graph_works(env):
    """Its script in a browser's document: zoom, search, and all of it again; recursion and the runtime's frames at a thread's begin open with one click."""
    modules = npm_package(env, "jsdom@22")
    seen = click(modules, "shop", "Shop.Cart.Total(ref Cart) [tier1]", "total.*tier1")
    check_equal("clicks until the box fills the window", len(seen["clicks"]), 1)
    check(seen["clicks"][0]["shown"] < seen["boxes"], f"all {seen['boxes']} are shown after a zoom")
    share = sum(frames["Shop.Cart.Total(ref Cart) [tier1]"] for frames in read("folded", SHOP / "shop.folded").values()) / SHOP_SAMPLES
    check_equal("matched", seen["matched"], f"'total.*tier1': {100 * share:.1f} %")
    seen = click(modules, "recursive", "Shop.Tree.Walk(Node)", "nothing")
    check_equal("rows at first: all, thread, Main, Walk, Concat", seen["start"]["rows"], 5)
    check("[+4] Shop.Tree.Walk(Node) [tier0]" in seen["start"]["captions"], f"no box says what is folded: {seen['start']['captions']}")
    check_equal("clicks until the box fills the window: it opens, it is zoomed", len(seen["clicks"]), 2)
    check_equal("rows after the first", seen["clicks"][0]["rows"], 9)
    check_equal("rows of everything", seen["unfolded"]["rows"], 12)


if __name__ == "__main__":
    main()
