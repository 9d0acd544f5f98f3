#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop threads`: what every thread does, read from outside, of a program of 120 threads that wait in twelve ways."""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import time

from nt_live import Failure, Incident, Missing, Nettop, check, check_equal, check_limit, descendants, long_test, main, test, wait_until
from nt_live.environment import REPO, run_script
from nt_live.eventpipe import Session
from nt_live.process import run
from nt_live.threads import run_counts, settled
from nt_live.workload import SERVER_GC, Waiting

EACH, SEEN_S = 10, 20
STARTED, LOOKS, LOOK_MS = 3, 6, 10  # intervals, looks, and what one of them may cost
# What threads of a name wait for; the method of the program they wait in is called like that, too.
KINDS = {"monitor": "monitor", "lock": "lock", "semaphore": "signal", "task": "task", "join": "join", "sleep": "sleep", "socket": "socket", "file": "file", "pipe": "pipe",
         "process": "process", "native": "native", "pulse": "pulse"}
# The innermost frame of managed code, as it is called in .NET 10.
LEAVES = {"monitor": "Monitor.Enter_Slowpath", "lock": "WaitHandle.WaitOneNoCheck", "semaphore": "Monitor.Wait", "task": "Monitor.Wait", "join": "Thread.Join",
          "sleep": "Thread.Sleep", "socket": "Interop.Sys.ReceiveMessage", "file": "Waiting.ForFile", "pipe": "Interop.Sys.Read", "process": "WaitHandle.WaitOneNoCheck",
          "native": "Waiting.ForNative", "pulse": "Monitor.Wait"}
WHAT = {"monitor": "object", "lock": "System.Threading.Lock"}
PORT_THREAD = ".NET EventPipe"
SAMPLER = "Microsoft-DotNETCore-SampleProfiler"
SAMPLES_BYTES = 100_000  # some rounds of all threads
# They come to managed code while a session begins or ends, or look around: what they do is not the same a moment later.
RUNTIMES_OWN = {".NET EventPipe", ".NET Finalizer", ".NET Tiered Com"}
CALLERS = ["Waiting.Main → lambda()", "Waiting.Start → lambda()", "System.Threading.Thread.StartCallback()"]


def threads(env, pid, *options):
    done = run([str(env.nettop), "threads", "-p", str(pid), *options])
    if done.returncode != 0:
        raise Failure(f"nettop threads: exit status {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def groups(env, pid, *options):
    return json.loads(threads(env, pid, "--json", *options))["groups"]


def tids_by_name(pid):
    return {task.joinpath("comm").read_text(encoding="utf-8").strip(): int(task.name) for task in pathlib.Path(f"/proc/{pid}/task").iterdir()}


def waiting_tids(pid):
    return {name: tid for name, tid in tids_by_name(pid).items() if re.fullmatch(r"[a-z]+-\d", name)}


def check_kind(kind, found, names):
    """The one group that has these threads."""
    mine = [group for group in found if {thread["name"] for thread in group["threads"]} & names]
    check_equal(f"groups of threads that wait for a {kind}", len(mine), 1)
    group = mine[0]
    check_equal(f"threads in the group of {kind}", {thread["name"] for thread in group["threads"]}, names)
    check_equal(f"what {kind} waits for", [group["doing"], group["count"], group["for"], group["partial"]], ["waiting", EACH, KINDS[kind], False])
    methods = [frame["method"] for frame in group["frames"]]
    check(LEAVES[kind] in methods[0], f"the innermost frame of {kind}: {methods}")
    check_equal(f"the method that waits for a {kind}", methods[group["site"]], f"Waiting.For{kind.capitalize()}(int)")
    check_equal(f"who called that of {kind}", methods[group["site"] + 1:], CALLERS)
    return group


@test
def each_thread_says_what_it_waits_for(env):
    with Waiting(env) as work:
        tids = tids_by_name(work.pid)
        settled(work.pid, waiting_tids(work.pid).values())
        found = groups(env, work.pid)
        for kind in KINDS:
            group = check_kind(kind, found, {f"{kind}-{i}" for i in range(EACH)})
            check(all(thread["tid"] == tids[thread["name"]] and thread["managed_id"] for thread in group["threads"]), f"numbers of the threads of {kind}")
            owners = {thread["owner_tid"] for thread in group["threads"]}
            if kind in ("monitor", "lock"):
                check_equal(f"who holds the {kind}", owners, {tids[f"holder-{kind}"]})
                check_equal(f"what the {kind} is", {thread["what"] for thread in group["threads"]}, {WHAT[kind]})
            if kind == "socket":
                check(all(re.fullmatch(r"127\.0\.0\.1:\d+|clients of :\d+", thread["what"] or "") for thread in group["threads"]), f"who is at the other end: {group['threads']}")
            if kind == "file":
                check(all(thread["what"].endswith(".tmp") for thread in group["threads"]), "the file that is waited for")
        seen = sorted(thread["tid"] for group in found for thread in group["threads"])
        check_equal("threads that are in a group", seen, sorted(tids.values()))
        text = threads(env, work.pid)
        for kind in KINDS:
            check(re.search(rf"^ x{EACH}  waits: {KINDS[kind]}.*\n(?: {{6}}.*\n)*      > waiting!Waiting\.For{kind.capitalize()}\(int\)$", text, re.M),
                  f"the text has no group of {kind}: {text}")


@test
def places_where_threads_wait_say_for_what(env):
    """Screen 8, by JSON: of what has a name, for whom or for what; of what has none, nothing."""
    with Waiting(env) as work, Nettop(env, work.pid, "--source", "runtime", "--readonly", interval_s=1) as nettop:
        def told(line):
            return {row["for"]: row["what"] for row in line["waits"]["sites"] if row["site"] and row["site"].startswith("Waiting.For") and row["waiting_count"] == EACH}
        line = nettop.wait_for(lambda line: len(told(line)) == len(KINDS), SEEN_S, "all kinds are seen to wait")
        what = told(line)
        check(re.fullmatch(r"127\.0\.0\.1:\d+|clients of :\d+", what["socket"]) and what["file"].endswith(".tmp"), f"the socket and the file: {what}")
        check_equal("of the others", {kind: text for kind, text in what.items() if text and kind not in ("socket", "file")}, WHAT)


@test
def places_where_threads_wait_for_a_lock_say_who_has_it(env):
    with Waiting(env) as work, Nettop(env, work.pid, "--source", "procfs,runtime", "--readonly", interval_s=1) as nettop:
        tids = tids_by_name(work.pid)

        def told(line):
            return {row["for"]: (row["holder"], row["holder_tid"]) for row in line["waits"]["sites"]
                    if row["site"] and row["site"].startswith("Waiting.For") and row["waiting_count"] == EACH}
        line = nettop.wait_for(lambda line: len(told(line)) == len(KINDS), SEEN_S, "all kinds are seen to wait")
        holders = told(line)
        for kind in ("monitor", "lock"):
            name = f"holder-{kind}"
            check_equal(f"who has the {kind}", holders.pop(KINDS[kind]), (name, tids[name]))
        check_equal("of what nobody has", set(holders.values()), {(None, None)})


@test
def nobody_runs_for_it(env):
    """None of the target's waiting threads, and not the one that its diagnostics port has: nothing is asked of it. And what it costs nettop. (Others of the runtime's own threads look around now and then.)"""
    with Waiting(env) as work:
        tids = [*waiting_tids(work.pid).values(), tids_by_name(work.pid)[PORT_THREAD]]
        before = settled(work.pid, tids)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = groups(env, work.pid)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        after = run_counts(work.pid, tids)
        check_equal("threads that have run, by run time and slices", {tid: (before[tid], after[tid]) for tid in tids if after[tid] != before[tid]}, {})
        check(sum(group["count"] for group in found if group["doing"] == "waiting") >= EACH * len(KINDS), "all of them are seen to wait")
        own_ms = 1000 * (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)
        return f"{len(tids)} threads; nettop, from its start to its end, used {own_ms:.0f} ms of CPU time"


@long_test
def a_look_at_all_of_them_costs_little(env):
    """While nobody looks at waits all threads are looked at once a second. All that nettop and its helpers use in that time, from looks to JSON, divided by the looks."""
    with Waiting(env) as work, Nettop(env, work.pid, "--source", "runtime,procfs", "--top", "1", interval_s=1) as nettop:
        def looks():
            return sum(source["events"] for line in nettop.intervals for source in line["sources"] if source["name"] == "runtime") / len(waiting_tids(work.pid))

        def used_ms():
            return sum(time.clock_gettime_ns((~pid << 3) | 2) / 1e6 for pid in [nettop.process.pid, *descendants(nettop.process.pid)])
        nettop.wait_for(lambda _: len(nettop.intervals) >= STARTED, SEEN_S, "its start is over")
        before, used = looks(), used_ms()
        nettop.wait_for(lambda _: looks() >= before + LOOKS, SEEN_S, f"{LOOKS} looks")
        each_ms = (used_ms() - used) / (looks() - before)
        nettop.stop()
    check_limit("ms of CPU time for a look", each_ms, LOOK_MS)
    return f"{each_ms:.1f} ms for each of {LOOKS} looks"


def sampled(env, pid):
    """{tid: addresses, innermost first} by the runtime's own sampler: it stops all threads, and walks them itself."""
    session = Session(pid, [(SAMPLER, 0, 5)])
    path = env.scratch / "sampled.nettrace"
    wait_until(lambda: len(session.data) > SAMPLES_BYTES, 20, "the sampler has told of all threads")
    path.write_bytes(session.stop())
    words = [line.split() for line in run([env.nettop.parent / "tests/tools/nettrace_dump", "--stacks", path]).stdout.splitlines()]
    return {int(word[0]): [int(address, 16) for address in word[3:]] for word in words if word[1] == SAMPLER}


def from_outside(env, pid):
    """The same as the runtime's data in the target's memory has it."""
    stacks = {}
    for line in run([env.nettop.parent / "tests/tools/contract_dump", str(pid)]).stdout.splitlines():
        word = line.split()
        if word[0] == "thread":
            frames = stacks[int(word[1])] = []
        elif word[0] == "frame":
            frames.append(int(word[1], 16))
    return stacks


def as_the_sampler_says(env, **how):
    with Waiting(env, **how) as work:
        settled(work.pid, waiting_tids(work.pid).values())
        before = from_outside(env, work.pid)
        truth = sampled(env, work.pid)
        after = from_outside(env, work.pid)
        names = {tid: name for name, tid in tids_by_name(work.pid).items()}
        check_equal("threads that the sampler tells of, and that wait", {name for tid, name in names.items() if tid in truth} & set(waiting_tids(work.pid)), set(waiting_tids(work.pid)))
        for seen, when in ((before, "before"), (after, "afterwards")):
            different = {names.get(tid): (seen.get(tid), stack) for tid, stack in truth.items() if seen.get(tid) != stack and names.get(tid) not in RUNTIMES_OWN}
            check_equal(f"threads with another stack, {when}", different, {})
            more = {names.get(tid) for tid, stack in seen.items() if stack and tid not in truth and names.get(tid) not in RUNTIMES_OWN}
            check_equal(f"threads with a stack that the sampler knows nothing of, {when}", more, set())
        return f"{len(truth)} threads, {sum(map(len, truth.values()))} frames"


@test
def stacks_are_those_of_the_runtimes_sampler(env):
    return as_the_sampler_says(env)


def named_and_as_the_sampler_says(env, **how):
    """Methods of a precompiled program may be within each other: which they are, the sampler says. All frames have names, and each kind of wait has its method."""
    with Waiting(env, **how) as work:
        tids = waiting_tids(work.pid)
        before = settled(work.pid, tids.values())
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = groups(env, work.pid)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        check_equal("threads that have run for it", {tid for tid, count in run_counts(work.pid, tids.values()).items() if count != before[tid]}, set())
        for kind in KINDS:
            mine = [group for group in found if any(thread["name"].startswith(f"{kind}-") for thread in group["threads"])]
            told = [(group["for"], group["partial"], sum(thread["name"].startswith(f"{kind}-") for thread in group["threads"])) for group in mine]
            check(sum(count for _, _, count in told) == EACH and {(what, partial) for what, partial, _ in told} == {(KINDS[kind], False)}, f"{kind}: {told}")
            methods = [frame["method"] for group in mine for frame in group["frames"]]
            check(all(group["frames"][group["site"]]["method"].startswith("Waiting.") for group in mine), f"the program's method that waits for a {kind}: {methods}")
            check(not [method for method in methods if re.match(r"\[|.*!0x", method)], f"frames without a name: {methods}")
        own_ms = 1000 * (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)
    return f"{as_the_sampler_says(env, **how)}; nettop, from its start to its end, used {own_ms:.0f} ms of CPU time"


def precompiled(form):
    return run_script(REPO / "tests/long/precompiled.sh", form, REPO / "build/precompiled", "waiting")


@long_test
def and_under_server_gc(env):
    return named_and_as_the_sampler_says(env, dotnet=SERVER_GC)


@long_test
def and_in_a_single_file(env):
    return named_and_as_the_sampler_says(env, program=precompiled("single"), variables={"DOTNET_ROOT": os.path.dirname(os.path.realpath(shutil.which("dotnet")))})


@long_test
def and_in_one_with_its_own_runtime(env):
    return named_and_as_the_sampler_says(env, program=precompiled("alone"))


@long_test
def and_in_one_that_is_packed(env):
    return named_and_as_the_sampler_says(env, program=precompiled("compressed"))


@long_test
def and_in_a_composite_image(env):
    return named_and_as_the_sampler_says(env, program=precompiled("composite"))


def circle(env, kind, names, what):
    """Threads that wait for each other, each for a lock of the next one's."""
    with Incident(env, kind) as incident:
        incident.begin()
        wait_until(lambda: set(names) <= set(tids_by_name(incident.pid)), 20, "the threads are there")
        found = wait_until(lambda: (first := groups(env, incident.pid)[:len(names)])[-1]["doing"] == "deadlocked" and first, 30, "it is seen")
        waits = {thread["name"]: thread for group in found for thread in group["threads"]}
        tids = {name: thread["tid"] for name, thread in waits.items()}
        check_equal("threads in it", set(waits), set(names))
        check_equal("who holds what", {name: waits[name]["owner_tid"] for name in names}, {name: tids[names[(i + 1) % len(names)]] for i, name in enumerate(names)})
        check_equal("of what the locks are", {name: waits[name]["what"] for name in names}, dict(zip(names, what)))
        return [group["for"] for group in found]


@test
def three_threads_in_a_circle(env):
    check_equal("what they wait for", circle(env, "deadlock-three", ["orders", "stock", "ledger"], ["Incidents.Stock", "Incidents.Ledger", "Incidents.Orders"]), 3 * ["monitor"])


@test
def two_threads_and_two_locks(env):
    check_equal("what they wait for", circle(env, "deadlock-lock", ["orders", "stock"], 2 * ["System.Threading.Lock"]), 2 * ["lock"])


@test
def a_deadlock_is_first(env):
    with Incident(env, "deadlock") as incident:
        incident.begin()
        wait_until(lambda: {"orders", "stock"} <= set(tids_by_name(incident.pid)), 20, "the threads are there")
        first = wait_until(lambda: (found := groups(env, incident.pid)[:2])[0]["doing"] == "deadlocked" and found, 30, "it is seen")
        check_equal("what the first two groups do", [group["doing"] for group in first], 2 * ["deadlocked"])
        one, other = (thread for group in first for thread in group["threads"])
        check_equal("threads in them", {one["name"], other["name"]}, {"orders", "stock"})
        check_equal("who holds what", [one["owner_tid"], other["owner_tid"]], [other["tid"], one["tid"]])
        text = threads(env, incident.pid)
        check(len(re.findall(r"^!x1  deadlocked, waits: monitor", text, re.M)) == 2, f"the text does not say it: {text}")


# In gdb, which stops all threads: of each frame that is on the stack (no inlined ones, none that it infers from a jump) where it is, whose code that is, and its name.
IN_GDB = """
import gdb, json
stacks = {}
for thread in gdb.selected_inferior().threads():
    thread.switch()
    frame, frames = gdb.newest_frame(), []
    while frame is not None and len(frames) < 60:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            frames.append((frame.pc(), gdb.solib_name(frame.pc()), frame.name()))
        try:
            frame = frame.older()
        except gdb.error:
            break
    stacks[thread.ptid[1]] = frames
print("STACKS " + json.dumps(stacks))
"""
NEAR = 0x20000  # bytes of one function, at most


def in_gdb(env, pid):
    script = env.scratch / "stacks.py"
    script.write_text(IN_GDB, encoding="ascii")
    out = run(["gdb", "-nx", "-p", str(pid), "-batch", "-x", str(script)]).stdout
    line = next((line for line in out.splitlines() if line.startswith("STACKS ")), None)
    if line is None:
        raise Missing("this gdb cannot tell stacks")
    return {int(tid): frames for tid, frames in json.loads(line[7:]).items()}


def bases(pid):
    """{path: where its first byte is mapped}"""
    lines = [line.split() for line in pathlib.Path(f"/proc/{pid}/maps").read_text(encoding="utf-8").splitlines()]
    return {line[5]: int(line[0].split("-")[0], 16) for line in lines if len(line) == 6 and int(line[2], 16) == 0}


def plain(name):
    """Functions of libc have several names."""
    return re.sub(r"^_*(GI_)?_*(libc_)?|64$", "", name)


def same_function(frame, place, starts):
    """frame: nettop's. Of a function without a name it says where that begins."""
    pc, module, name = place
    if frame["module"] != pathlib.Path(module).name:
        return False
    bare = re.fullmatch(r".*!0x([0-9a-f]+)", frame["method"])
    if bare:
        return 0 <= pc - starts[module] - int(bare[1], 16) < NEAR  # without its table of symbols gdb gives the function a neighbour's name
    return name is not None and plain(name) == plain(frame["method"])


@test
def native_frames_are_those_that_gdb_sees(env):
    """From the innermost frame to managed code, or where there is none to where the thread began; gdb looks afterwards, because it stops all threads."""
    env.need_commands("gdb")
    with Waiting(env) as work:
        names = tids_by_name(work.pid)
        before = settled(work.pid, waiting_tids(work.pid).values())
        every = run_counts(work.pid, names.values())
        found = groups(env, work.pid, "--native")
        after = run_counts(work.pid, names.values())
        check_equal("waiting threads that have run", {tid for tid in before if before[tid] != after[tid]}, set())
        truth, starts = in_gdb(env, work.pid), bases(work.pid)
        stacks = {thread["tid"]: group for group in found for thread in group["threads"]}
        wrong, short, whole, native_only = {}, [], 0, 0
        for name, tid in names.items():
            if name in RUNTIMES_OWN or every[tid] != after[tid] or tid not in truth or not stacks[tid]["frames"]:
                continue
            frames = stacks[tid]["frames"]
            own = [frame for i, frame in enumerate(frames) if all(inner["native"] for inner in frames[:i + 1])]
            native_only += len(own) == len(frames)
            seen = []
            for place in truth[tid]:
                if place[1] is None:
                    break
                seen.append(place)
            if stacks[tid]["partial"]:  # it says so: what is there has to be right
                short.append(name)
                seen = seen[:len(own)]
            elif len(own) == len(frames):
                seen = seen[:len(own)]  # gdb has clone3 too
            whole += not stacks[tid]["partial"]
            if len(own) != len(seen) or not all(map(same_function, own, seen, len(own) * [starts])):
                wrong[name] = ([frame["method"] for frame in own], [(hex(pc), function) for pc, _module, function in seen])
        check_equal("threads with other native frames than gdb has", wrong, {})
        check(whole >= 0.9 * EACH * len(KINDS), f"threads whose stacks are not whole: {short}")
        check(native_only > 0, "no thread without managed code has a stack")
        managed = {thread["tid"]: [frame["method"] for frame in group["frames"] or [] if not frame["native"]] for group in groups(env, work.pid) for thread in group["threads"]}
        waiting = waiting_tids(work.pid)
        different = {name for name, tid in waiting.items() if [frame["method"] for frame in stacks[tid]["frames"] if not frame["native"]] != managed[tid]}
        check_equal("threads with other managed frames than without --native", different, set())
        return f"{whole} whole, {len(short)} not: {short}; {native_only} without managed code"


@test
def who_may_not_look_is_told(env):
    if os.geteuid() != 0:
        raise Missing("no root here")
    env.need_commands("setpriv")
    with Waiting(env) as work:
        done = subprocess.run(["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups", str(env.nettop), "threads", "-p", str(work.pid)],
                              capture_output=True, text=True, timeout=30, check=False)
        check_equal("exit status", done.returncode, 3)
        check_equal("what is written", done.stdout, "")
        check("run it as that user or as root" in done.stderr, f"it does not say what would help: {done.stderr}")


if __name__ == "__main__":
    main()
