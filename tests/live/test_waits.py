#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How long threads wait, where, for what and for whom, each switch of a thread told (`--waits`): as the threads' own stopwatches say, and `perf sched`."""
import collections
import json
import pathlib
import re
import signal
import subprocess

from nt_live import *
from nt_live.bare import open_files
from nt_live.environment import REPO, run_script
from nt_live.process import run
from nt_live.saying import Saying

SEEN_S, HAND_MS, WARM_MS = 20, 3000, 2000
WITHIN = 0.03
OFTEN = 0.5  # of the time in a wait blocked: where less, others had the CPU that it spun on
# For what the place waits, and who ends most of its waits: "gives" the other thread, "interrupt" the clock; None: it may be either.
KINDS = {"monitor": ("Monitors", "monitor", "gives"), "semaphore": ("Semaphores", "signal", "gives"), "task": ("Tasks", "task", "gives"),
         "pipe": ("Pipes", "pipe", "gives"), "socket": ("Sockets", "socket", None), "sleep": ("Sleeps", "sleep", "interrupt")}
WITHOUT_BPF = ("setpriv", "--bounding-set=-sys_admin,-bpf")
AS_USER, AT_HOME = ("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"), {"HOME": "/", "DOTNET_CLI_HOME": "/"}
OWN_TRACEFS = ("unshare", "-m", "--propagation", "private", "sh", "-c", 'mount -t tracefs nodev /sys/kernel/tracing && exec "$@"', "sh")


def is_of(kind, row):
    place, what, _ = KINDS[kind]
    return row["for"] == what and f"{place}.Wait" in (row["site"] or "")


def was_blocked(wait):
    """Who spins before it waits is not blocked, nor is who waits for a CPU: where others want all CPUs, spinning threads are hardly ever."""
    return wait["blocked_ns"] >= OFTEN * wait["waited_ns"]


def sites(lines, kind):
    rows = [row for line in lines for row in line["waits"]["sites"] if is_of(kind, row)]
    check(rows, lambda: f"nobody waits for a {kind}: {[(row['site'], row['for']) for line in lines for row in line['waits']['sites']]}")
    return rows


def exact(env, work):
    # Precompiled methods may keep no frame pointer and hide their callers; what is called often is compiled anew, with one.
    work.do(f"hand {WARM_MS}")
    work.settle()
    return Nettop(env, work.pid, "--waits", "--top", "1000", interval_s=0.5)


def quiet(nettop, more=2, place=".Handing."):
    """Until the threads of `hand` have ended, or those that wait elsewhere, and so many intervals have passed without them."""
    seen = [0]

    def is_quiet(line):
        seen[0] = 0 if any(row["wait_ns"] and place in (row["site"] or "") for row in line["waits"]["sites"]) else seen[0] + 1
        return seen[0] > more

    nettop.wait_for(is_quiet, SEEN_S, "nobody waits any more")
    return len(nettop.intervals)


def hand(work, nettop):
    """What the threads say that they waited, while each switch of theirs is told; and the intervals of that."""
    nettop.wait_for(lambda line: line["waits"]["method"] == "exact", SEEN_S, "switches are told")
    # How to walk from a place where threads wait is learnt when they first wait there.
    work.do(f"hand {WARM_MS}")
    begin = quiet(nettop)
    told = {wait["kind"]: wait for wait in work.do(f"hand {HAND_MS}")["waits"]}
    end = quiet(nettop)
    return told, nettop.intervals[begin:end]


seen_once = []  # one run serves two tests; who tries again has one of its own


def hand_seen(env):
    """What the threads say, and the intervals of that."""
    with Bare(env) as work, exact(env, work) as nettop:
        seen = hand(work, nettop)
        nettop.stop()
    return seen


@test
def as_long_as_their_stopwatches_say(env):
    seen_once[:] = [hand_seen(env)]
    told, lines = seen_once[0]
    shares, places, givers = {}, 0, 0
    for kind, (_, _, ends) in KINDS.items():
        blocked, waited = told[kind]["blocked_ns"], told[kind]["waited_ns"]
        if not was_blocked(told[kind]):
            shares[kind] = f"blocked for {blocked / waited:.2f}"
            continue
        rows = sites(lines, kind)
        check(not any(row["p50_ns"] is None for row in rows if row["count"]), lambda: f"{kind}: how long its waits last: {rows}")
        shown = sum(row["wait_ns"] for row in rows)
        check_within(f"{kind}: ns waited", shown, blocked, absolute=WITHIN * waited)
        shares[kind] = round(shown / blocked, 4)
        said = [(row["waker"], row["waker_tid"], row["waker_at"]) for row in rows if row["count"] and row["waker"]]
        if ends == "gives":  # as long as it lives
            right = [where for name, tid, where in said if (name, tid) == (f"{kind}-gives", told[kind]["giver_tid"])]
            check(len(right) > 0.8 * len(said) > 3, lambda: f"{kind}: who ends its waits: {said}")
            check(all(f".{KINDS[kind][0]}.Give" in where for where in right if where), lambda: f"{kind}: where they are ended: {right}")
            places, givers = places + any(right), givers + 1
        elif ends:
            check(len([one for one in said if one == (ends, None, None)]) > 0.8 * len(said) > 3, lambda: f"{kind}: who ends its waits: {said}")
    check(len([share for share in shares.values() if isinstance(share, float)]) >= 3, lambda: f"hardly anybody was blocked: {shares}")
    check(places >= givers - 1, f"of {givers} who end waits only {places} are known to be somewhere")
    return f"of their stopwatches: {shares}"


def all_ns(rows):
    """All time of a grouping: as JSON has it, by interval."""
    return sum(row.get(part) or 0 for row in rows for part in ("wait_ns", "runq_ns", "idle_ns"))


@test
def all_groupings_have_the_same_sum(env):
    """To the ns. And each thread of the workload that waits was waiting, ready or working for work all the time but for what it ran, a few percent."""
    told, lines = seen_once.pop() if seen_once else hand_seen(env)
    waiters = {wait["waiter_tid"] for wait in told.values()}
    for line in lines:
        by_reason = all_ns(line["waits"]["reasons"])
        check_equal("ns by reason and by thread", by_reason, all_ns(line["waits"]["threads"]))
        check_equal("ns by reason and by method", by_reason, all_ns(line["waits"]["wall"]))
    # Of an interval in which they begin or end they have a part.
    shares = [{row["tid"]: all_ns([row]) / line["interval_ns"] for row in line["waits"]["threads"] if row["tid"] in waiters and all_ns([row])} for line in lines]
    whole = [share for before, share, after in zip(shares, shares[1:], shares[2:]) if len(before) == len(share) == len(after) == len(waiters)]
    check(len(whole) > 2, f"only {len(whole)} intervals have all of them")
    check(all(0.85 < part <= 1.001 for share in whole for part in share.values()), f"of the intervals: {whole}")
    return f"{len(lines)} intervals, {len(whole)} with all threads"


@long_test
def by_the_kernels_records_alone(env):
    """Without CAP_BPF, by the kernel's own records of switches: each thread has waited as long as its stopwatch says, naps are where they are, and what is not told is blank."""
    return by_records(env, WITHOUT_BPF, Bare(env))


@long_test
def by_the_records_of_a_users_own_program(env):
    """Likewise of the own threads, where a user may open events of these alone."""
    if int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text(encoding="ascii")) < 1:
        raise Missing("events of CPUs are allowed here")
    return by_records(env, AS_USER, Bare(env, under=AS_USER, variables=AT_HOME), variables=AT_HOME)


def by_records(env, prefix, bare, variables=None):
    env.need_commands("setpriv")
    with bare as work:
        work.settle()
        with Nettop(env, work.pid, "--waits", interval_s=0.5, prefix=prefix, variables=variables) as nettop:
            nettop.wait_for(lambda line: line["waits"]["method"] == "timed", SEEN_S, "switches are told")
            begin = len(nettop.intervals)
            told = {wait["kind"]: wait for wait in work.do(f"hand {HAND_MS}")["waits"]}
            quiet(nettop)
            end = len(nettop.intervals)
            slept = work.do("nap 4000 1000 200")["waited_ns"]
            after = len(nettop.intervals)
            nettop.wait_for(lambda _: len(nettop.intervals) > after + 2, SEEN_S, "the intervals of its end")
            nettop.stop()
    handing, napping = nettop.intervals[begin:end], nettop.intervals[end:]
    # An interval in which looks tell late of the time before is mixed.
    ways = collections.Counter(line["waits"]["method"] for line in handing + napping)
    check_equal("intervals in which each switch is told with its stack", ways["exact"], 0)
    if not ways["timed"]:
        raise OutOfLimit(f"how that is known: {ways}")
    shares = {}
    for kind in KINDS:
        rows = [row for line in handing for row in line["waits"]["threads"] if row["tid"] == told[kind]["waiter_tid"]]
        check(rows, f"{kind}: no row of its thread")
        check(all(row["runq_ns"] is None for row in rows if row["wait_ns"]), f"{kind}: the run queue is told: {rows}")
        # What it was ready and had no CPU is a part of the wait, but where it was preempted.
        blocked, delayed, shown = told[kind]["all_blocked_ns"], told[kind]["all_delayed_ns"], sum(row["wait_ns"] or 0 for row in rows)
        check_within(f"{kind}: ns waited", shown, blocked + delayed / 2, absolute=WITHIN * blocked + delayed / 2)
        shares[kind] = round(shown / blocked, 4)
    rows = [row for line in napping for row in line["waits"]["sites"] if row["for"] == "sleep" and "Napping." in (row["site"] or "")]
    named = sum(row["wait_ns"] or 0 for row in rows)
    if not 0.5 * slept < named < (1 + WITHIN) * slept + 1e8:
        raise OutOfLimit(f"{named} ns of {slept} asleep have their place: {rows}")
    rows = [row for line in handing + napping for row in line["waits"]["sites"]]
    check(all(row["waker"] is None and row["waker_tid"] is None and row["runq_ms_per_s"] is None for row in rows if row["count"]), f"more than is told: {rows}")
    said = {key: napping[-1]["waits"][key] for key in ("method_reason", "method_fix")}
    check("waits are exact only with CAP_BPF" in said["method_reason"] and "cap_bpf" in said["method_fix"], f"what would bring the rest: {said}")
    return f"of the stopwatches: {shares}; {named / slept:.3f} of the naps at their place"


@test
def places_that_lie_on_the_stack_alike(env):
    """Who waits thousands of times a second from two places in turn: the walk up its stack is left out where it is the one before, and each place keeps its own waits."""
    count, warm = 10_000, 3000
    with Bare(env) as work:
        work.do(f"pass-unevenly {warm}")
        work.settle()
        with Nettop(env, work.pid, "--waits", "--max-target-cost", "100", interval_s=0.5) as nettop:
            nettop.wait_for(lambda line: line["waits"]["method"] == "exact", SEEN_S, "switches are told")
            work.do(f"pass-unevenly {warm}")
            begin = quiet(nettop, place=".Answered")
            told = work.do(f"pass-unevenly {count}")
            end = quiet(nettop, place=".Answered")
            nettop.stop()
    rows = [row for line in nettop.intervals[begin:end] for row in line["waits"]["sites"] if row["for"] in ("pipe", "waits", "file")]
    counts, waited = ({place: sum(row[what] for row in rows if f".Answered{place}(" in (row["site"] or "")) for place in ("Soon", "Later")} for what in ("count", "wait_ns"))
    # On one CPU or a busy one the other thread may answer before anybody waits.
    check_within("waits to be answered later", counts["Later"], count, relative=0.05)
    check(0 < counts["Soon"] < 1.05 * count, lambda: f"waits to be answered soon: {counts}")
    # Its stopwatch has the way to the kernel and back as well, and the way from being woken to a CPU: some 25 to 40 us each.
    check_within("ns waited to be answered later", waited["Later"], told["later_ns"], absolute=50_000 * count)
    check(waited["Soon"] < 1.05 * told["soon_ns"], lambda: f"{waited['Soon']} ns waited to be answered soon, its stopwatch says {told['soon_ns']}")
    return f"{counts}, {waited['Later'] / counts['Later'] / 1000:.0f} and {waited['Soon'] / counts['Soon'] / 1000:.0f} us each; stopwatch {told['later_ns'] / count / 1000:.0f} and {told['soon_ns'] / count / 1000:.0f}"


def within_ns(path, thread, place):
    """How many ns the folded file has of a thread within a method."""
    return sum(ns for ns, stack in longest_stacks(path, thread) if f".{place}.Wait(" in stack)


def longest_stacks(path, thread):
    """The ns and stacks of a thread in the folded file, the longest first."""
    lines = (line.rsplit(" ", 1) for line in path.read_text(encoding="utf-8").splitlines())
    return sorted(((int(ns), stack) for stack, ns in lines if stack.startswith(thread)), reverse=True)


@test
def stacks_of_blocked_time(env):
    """`nettop stacks --off-cpu`: as long as the threads were blocked by the kernel's own clocks, all formats from one run."""
    path, shares = env.scratch / "off-cpu", {}
    env.scratch.mkdir(parents=True, exist_ok=True)
    with Bare(env) as work:
        work.do(f"hand {WARM_MS}")
        work.settle()
        watch = subprocess.Popen([env.nettop, "stacks", "-p", str(work.pid), "--off-cpu", "-f", "folded,flamegraph,perf-script,pprof", "-o", path],
                                 stderr=subprocess.PIPE, text=True)
        try:
            wait_until(lambda: any("bpf" in target for target in open_files(watch.pid)), SEEN_S, "switches are told")
            work.do(f"hand {WARM_MS}")  # how to walk from a place where threads wait is learnt when they first wait there
            told = {wait["kind"]: wait for wait in work.do(f"hand {HAND_MS}")["waits"]}
            watch.send_signal(signal.SIGINT)
            _, said = watch.communicate(timeout=60)
        finally:
            watch.kill()
            watch.wait()
    check_equal(f"exit status ({said})", watch.returncode, 0)
    check(re.match(r"nettop: \d+ waits(, and looks at threads that wait)? in ", said) and "not by each switch" not in said, said)
    for kind, (place, _, _) in KINDS.items():
        blocked, waited = told[kind]["blocked_ns"], told[kind]["waited_ns"]
        if blocked < OFTEN * waited:
            shares[kind] = f"blocked for {blocked / waited:.2f}"
            continue
        folded, thread = pathlib.Path(f"{path}.folded"), f"{kind}-waits/{told[kind]['waiter_tid']};"
        shown = within_ns(folded, thread, place)
        where = longest_stacks(folded, thread)[:3] or [(ns, stack.split(";")[:2]) for ns, stack in longest_stacks(folded, "")[:20]]
        check_within(f"{kind}: ns waited by {thread} mostly at {where}", shown, blocked, absolute=WITHIN * waited)
        shares[kind] = round(shown / blocked, 4)
    check(len([share for share in shares.values() if isinstance(share, float)]) >= 3, lambda: f"hardly anybody was blocked: {shares}")
    check(all(pathlib.Path(f"{path}.{ending}").stat().st_size > 1000 for ending in ("svg", "perf-script", "pb")), "the other formats")
    return f"of the kernel's clocks: {shares}"


@long_test
def a_threads_last_seconds(env):
    """The strip of a thread that sleeps for a second and computes for one in turn: as often as it does, each sleep as long to a slice, all of them as long as the kernel's own clocks say to half a slice an end."""
    turns, turn_ms, slice_ms = 3, 1000, 200
    with Bare(env) as work:
        work.settle()
        with Nettop(env, work.pid, "--waits", interval_s=0.5) as nettop:
            nettop.wait_for(lambda line: line["waits"]["method"] == "exact", SEEN_S, "switches are told")
            work.do("nap 2000 500 500")  # how to walk from there, and what is there, is learnt when it first waits
            told = work.do(f"nap {turns * 2 * turn_ms - turn_ms // 2} {turn_ms} {turn_ms}")
            end = len(nettop.intervals)
            nettop.wait_for(lambda _: len(nettop.intervals) > end + 2, SEEN_S, "the intervals of its end")
            nettop.stop()
    rows = [row for line in nettop.intervals for row in line["waits"]["threads"] if row["name"] == "napper" and row["strip"]]
    check(rows, "no strip of it")
    rows = [row for row in rows if row["tid"] == rows[-1]["tid"]]
    other = [(row["strip_method"], row["strip"]) for row in rows if row["strip_method"] != "exact"]
    if other:
        raise OutOfLimit(f"not each switch was told: {other[-1]}")
    check_equal("cells of a strip", {len(row["strip"]) for row in rows}, {50})
    cells = max((row["strip"].strip() for row in rows), key=len)
    sleeps = re.findall("z+", cells)
    if len(sleeps) != turns or any(abs(len(cell) - turn_ms / slice_ms) > 1 for cell in sleeps):
        raise OutOfLimit(f"its sleeps: {cells!r}")
    check_within("ms of its sleeps", cells.count("z") * slice_ms, told["waited_ns"] / 1e6, absolute=2 * turns * slice_ms / 2)
    awake = sum(cells.count(mark) for mark in "r.")
    check_within(f"ms awake in {cells!r}", awake * slice_ms, (told["took_ns"] - told["waited_ns"]) / 1e6, absolute=(2 * turns + 1) * slice_ms / 2)
    return f"{cells!r}, asleep for {told['waited_ns'] / 1e9:.2f} s of {told['took_ns'] / 1e9:.2f} s"


class PerfSched(Saying):
    """`perf sched record` of the whole machine."""

    def __init__(self, path):
        self.path = path
        super().__init__(*OWN_TRACEFS, "perf", "sched", "record", "-q", "-m", "16M", "-o", path, "--", "sleep", "600", stdout=subprocess.DEVNULL)

    def __enter__(self):
        wait_until(lambda: any(target == "anon_inode:[perf_event]" for target in open_files(self.process.pid)), SEEN_S, "perf records")
        return self

    def finish(self):
        """How many ns each thread waited until it was woken."""
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=60)
        listed = run([*OWN_TRACEFS, "perf", "sched", "timehist", "-i", str(self.path)])
        sums = {}
        for tid, pid, wait_ms in re.findall(r"\[(\d+)(?:/(\d+))?\] +([\d.]+) +[\d.]+ +[\d.]+", listed.stdout):
            sums[int(tid)] = sums.get(int(tid), 0) + round(float(wait_ms) * 1e6)
        check(sums, lambda: f"perf sched says nothing: {said[-300:]} {listed.stderr[-300:]}")
        return sums


class Bpftrace:
    """What a person writes to know how long each thread was off the CPUs."""

    SCRIPT = """tracepoint:sched:sched_switch /pid == $1/ { @begin[tid] = nsecs; }
tracepoint:sched:sched_switch /@begin[args->next_pid]/ { @off[args->next_pid] = sum(nsecs - @begin[args->next_pid]); delete(@begin[args->next_pid]); }
BEGIN { printf("ready\\n"); }
END { clear(@begin); }"""

    def __init__(self, pid):
        self.process = subprocess.Popen([*OWN_TRACEFS, "bpftrace", "-f", "json", "-e", self.SCRIPT, str(pid)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self):
        for line in self.process.stdout:
            if "ready" in line:
                return self
        raise Failure("bpftrace does not begin")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def finish(self):
        """{thread: ns}."""
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=60)
        maps = [json.loads(line)["data"] for line in said.splitlines() if '"@off"' in line]
        check(maps, f"bpftrace says nothing: {said[-300:]}")
        return {int(tid): ns for tid, ns in maps[-1]["@off"].items()}


def callers_of_precompiled_methods(env, **how):
    with Bare(env, dotnet={"TC_CallCountThreshold": "1000000"}, **how) as work, Nettop(env, work.pid, "--waits", interval_s=0.5) as nettop:
        told, lines = hand(work, nettop)
        nettop.stop()

    def waits_at(place):
        return sum(row["count"] or 0 for line in lines for row in line["waits"]["sites"] if f"{place}(" in (row["site"] or "") and row["for"] != "cpu")

    waits, hidden = {kind: waits_at(f"{place}.Wait") for kind, (place, _, _) in KINDS.items()}, waits_at("Pair.WaitFor")
    every = sum(row["count"] or 0 for line in lines for row in line["waits"]["sites"])
    unnamed = sum(row["count"] or 0 for line in lines for row in line["waits"]["sites"] if re.match(r"\[|workload!", row["site"] or ""))
    often = [waits[kind] for kind in KINDS if was_blocked(told[kind])]
    check(len(often) >= 3 and min(often) > 0.2 * max(often), f"waits by caller: {waits}, {len(often)} of them of threads that were mostly blocked")
    check(hidden <= 0.03 * sum(waits.values()), f"{hidden} waits by a caller that hides another one, beside {waits}")
    check(unnamed <= 0.1 * every, lambda: f"{unnamed} of {every} waits at a place without a name: {collections.Counter((row['site'], row['for']) for line in lines for row in line['waits']['sites'])}")
    return f"{waits}, {hidden} by another caller, {unnamed} of {every} at places without a name"


@test
def callers_of_precompiled_methods_are_there(env):
    """Methods of the framework that wait keep no frame pointer, some of them, as long as they are precompiled. Here they are never compiled anew, and who called them is told: without it it would be his caller."""
    return callers_of_precompiled_methods(env)


def stacks_have_all_callers(env, **how):
    """Of the time blocked in each place, how much has the method that called that one: without the rule of the frame between it would be missing."""
    path = env.scratch / "callers"
    env.scratch.mkdir(parents=True, exist_ok=True)
    with Bare(env, dotnet={"TC_CallCountThreshold": "1000000"}, **how) as work:
        watch = subprocess.Popen([env.nettop, "stacks", "-p", str(work.pid), "--off-cpu", "-f", "folded", "-o", path], stderr=subprocess.PIPE, text=True)
        try:
            wait_until(lambda: any("bpf" in target for target in open_files(watch.pid)), SEEN_S, "switches are told")
            for _ in range(2):  # how to walk from a place where threads wait is learnt when they first wait there
                told = {wait["kind"]: wait for wait in work.do(f"hand {WARM_MS}")["waits"]}
            watch.send_signal(signal.SIGINT)
            watch.communicate(timeout=60)
        finally:
            watch.kill()
            watch.wait()
    shares = {}
    for kind, (place, _, _) in KINDS.items():
        thread = f"{kind}-waits/{told[kind]['waiter_tid']};"
        every = within_ns(path, thread, place)
        called = sum(int(line.rsplit(" ", 1)[1]) for line in path.read_text(encoding="utf-8").splitlines()
                     if line.startswith(thread) and re.search(rf"\.Pair\.WaitFor\([^;]*;[^;]*\.{place}\.Wait\(", line))
        shares[kind] = round(called / every, 3) if every else 0
    check(min(shares.values()) >= 0.9, f"time in each place that has its caller: {shares}")
    return f"with its caller: {shares}"


@long_test
def and_in_a_single_file(env):
    """The program itself is precompiled, too, and all lies in one file."""
    program = run_script(REPO / "tests/long/precompiled.sh", "alone")
    return callers_of_precompiled_methods(env, program=program) + "; " + stacks_have_all_callers(env, program=program)


@long_test
def and_in_one_that_is_packed(env):
    """Its assemblies lie in memory that is no file's: names and rules of call chains come from there."""
    program = run_script(REPO / "tests/long/precompiled.sh", "compressed")
    return callers_of_precompiled_methods(env, program=program) + "; " + stacks_have_all_callers(env, program=program)


@long_test
def and_in_a_composite_image(env):
    return callers_of_precompiled_methods(env, program=run_script(REPO / "tests/long/precompiled.sh", "composite"))


@long_test
def as_bpftrace_says(env):
    """All time that each thread was off the CPUs, waiting or ready."""
    env.need_commands("bpftrace", "unshare")
    with Bare(env) as work, exact(env, work) as nettop, Bpftrace(work.pid) as bpftrace:
        told, lines = hand(work, nettop)
        off = bpftrace.finish()
        nettop.stop()
    shares = {}
    for kind, wait in told.items():
        rows = [row for line in lines for row in line["waits"]["threads"] if row["tid"] == wait["waiter_tid"]]
        check_within(f"{kind}: ns off the CPUs, and by bpftrace", all_ns(rows), off[wait["waiter_tid"]], WITHIN)
        shares[kind] = round(all_ns(rows) / off[wait["waiter_tid"]], 4)
    return f"of bpftrace's: {shares}"


@long_test
def as_perf_sched_says(env):
    env.need_commands("perf", "unshare")
    env.scratch.mkdir(parents=True, exist_ok=True)
    with Bare(env) as work, exact(env, work) as nettop, PerfSched(env.scratch / "sched.data") as sched:
        told, lines = hand(work, nettop)
        sums = sched.finish()
        nettop.stop()
    shares = {}
    for kind in KINDS:
        if kind == "sleep":
            continue  # of some sleeps perf takes 6 to 11 of 25 ms for running, while the thread has used no CPU time
        if not was_blocked(told[kind]):
            continue
        waited, by_perf = sum(row["wait_ns"] for row in sites(lines, kind)), sums[told[kind]["waiter_tid"]]
        check_within(f"{kind}: ns waited, and by perf sched", waited, by_perf, WITHIN)
        shares[kind] = round(waited / by_perf, 4)
    return f"of perf sched's: {shares}"


main()
