#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop threads --core`, `nettop stacks --core`: who was where when the memory of a process was written to a file, by ClrMD's word and by the program's own."""
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import time

from nt_live import Failure, Missing, WebServer, check, check_equal, long_test, main, test, wait_until
from nt_live.environment import REPO, run_script
from nt_live.process import run
from nt_live.workload import Dying, Workload

UID, END_S, DEEP, STARTED_S, REST_S = 54321, 60, 61, 30, 0.5
LEAST = (14, 14 + DEEP)  # threads and frames of the program
KINDS = {"full": "--full", "heap": "--withheap", "mini": "--normal", "triage": "--triage"}
# DOTNET_DbgMiniDumpType
CRASH_KINDS = {"heap": "2", "full": "4"}
# How it ends, a method that the thread that ended it was in, and which exception it had, with its message.
ENDS = {"unhandled": ("Dying.Ends", "System.InvalidOperationException", "nobody catches this"), "abort": ("Dying.Ends", "System.ExecutionEngineException", None),
        "native": ("Dying.Ends", None, None)}
NAMES = {"holder", "monitor", "lock", "native", "spins", "deep", "catch", "finally", "callback", "task"}
# The method of the program that is innermost on a stack, by what it waits for, in nettop's words.
PLACES = {"Dying.WaitsForMonitor": "monitor", "Dying.WaitsForLock": "lock", "Dying.InNativeCode": "native", "Dying.Spins": "stopped", "Dying.WaitsForTask": "task"}


def started(work):
    """All of its threads are where they stay: for half a second none has run but the one that spins."""
    seen = [{}, time.monotonic()]

    def at_rest():
        now = {task.name: task.joinpath("schedstat").read_text(encoding="ascii").split()[2] for task in pathlib.Path(f"/proc/{work.pid}/task").iterdir()}
        if now.keys() != seen[0].keys() or sum(now[tid] != seen[0][tid] for tid in now) > 1:
            seen[:] = [now, time.monotonic()]
        return time.monotonic() - seen[1] > REST_S

    wait_until(at_rest, STARTED_S, "its threads are at rest")


def tids(work):
    return {int(task.name) for task in pathlib.Path(f"/proc/{work.pid}/task").iterdir()}


def createdump(work, kind, path):
    with open(f"/proc/{work.pid}/maps", encoding="utf-8") as maps:
        folder = re.search(r"(/\S+)/libcoreclr\.so", maps.read())[1]
    done = run([f"{folder}/createdump", KINDS[kind], "-f", str(path), str(work.pid)])
    if done.returncode != 0:
        raise Failure(f"createdump: {done.stdout[-500:]} {done.stderr[-500:]}")
    return path


def nettop(env, command, core, *options, status=0, under=()):
    done = subprocess.run([*under, str(env.nettop), command, "--core", str(core), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=END_S, check=False)
    check_equal(f"exit status of nettop {command} ({done.stderr[-500:]})", done.returncode, status)
    return done


def threads(env, core, *options):
    done = nettop(env, "threads", core, "--json", *options)
    return json.loads(done.stdout), done.stderr


def without(text, opening, closing):
    """What stands between these is left out, with what is in it."""
    kept, depth = "", 0
    for letter in text:
        depth += letter == opening
        kept += "" if depth else letter
        depth -= letter == closing
    return kept


def as_people_call(signature):
    """ClrMD's signature of a method as nettop calls it, without types of arguments and instances."""
    name = re.sub(r"`\d+", "", without(signature.split("(")[0], "[", "]"))
    name = re.sub(r"\+<>c(__DisplayClass\w+)?\.<(\w+)>b__\w+", r".\2 → lambda", name)
    name = re.sub(r"^(.*)\+<(\w+)>d__\w+\.MoveNext$", r"async \1.\2", name)
    return {"ILStubClass.IL_STUB_PInvoke": "P/Invoke stub"}.get(name) or re.sub(r"\.<(\w+)>", r".\1", name).replace("+", ".")


def as_called_here(method):
    return without(re.sub(r"\.<(\w+)>", r".\1", re.sub(r" #\d+", "", method)).split("(")[0], "<", ">")


def by_clrmd(core):
    """Frames of managed code by thread, and exceptions."""
    reader = run_script(REPO / "tests/tools/nuget-program.sh", "clrmd")
    done = subprocess.run(["dotnet", reader, str(core), "stacks"], stdout=subprocess.PIPE, text=True, timeout=120, check=True)
    stacks, thrown = {}, {}
    for line in done.stdout.splitlines():
        if line.startswith("thread "):
            frames = stacks[int(line.split()[1])] = []
        elif line.startswith(" "):
            frames.append(as_people_call(line[1:]))
        elif line.startswith("exception "):
            thrown[int(next(reversed(stacks)))] = line.removeprefix("exception ")
    return stacks, thrown


def by_nettop(said):
    stacks = {}
    for group in said["groups"]:
        check_equal(f"a stack that is not whole: {group}", group["partial"], False)
        frames = [as_called_here(frame["method"]) for frame in group["frames"] if not frame["native"]]
        stacks |= {thread["tid"]: frames for thread in group["threads"] if thread["managed_id"]}
    return stacks


def same_frames(ours, theirs):
    """Where ClrMD does not know which method it is, nettop may."""
    return len(ours) == len(theirs) and all(theirs[i] in ("?", frame) for i, frame in enumerate(ours))


def check_as_clrmd_says(env, core, least=LEAST):
    theirs, thrown = by_clrmd(core)
    check(len(theirs) >= least[0] and sum(map(len, theirs.values())) >= least[1], f"ClrMD found too little in it: {theirs}")
    for options in ((), ("--native",)):
        said, stderr = threads(env, core, *options)
        check_equal(f"what is said besides {options}", stderr, "")
        ours = by_nettop(said)
        check_equal(f"managed threads {options}", sorted(ours), sorted(theirs))
        for tid, frames in theirs.items():
            check(same_frames(ours[tid], frames), f"frames of thread {tid} {options}: {ours[tid]}, by ClrMD {frames}")
    exception = thrown.get(said["core"]["signal_tid"], " ").split(" ", 1)
    check_equal("the exception of the thread that ended it, by ClrMD", said["core"]["exception"], exception[0] or None)
    return said, theirs


@test
def each_kind_is_as_clrmd_says(env):
    with Dying(env) as work:
        started(work)
        counts = {}
        for kind in KINDS:
            before = tids(work)
            core = createdump(work, kind, env.scratch / f"{kind}.core")
            said, theirs = check_as_clrmd_says(env, core)
            check_equal("whose core it is", [said["pid"], said["core"]["signal"], said["core"]["no_managed"]], [work.pid, None, None])
            seen = {thread["tid"] for group in said["groups"] for thread in group["threads"]}
            check_equal(f"threads that a {kind} core lacks", sorted(before & tids(work) - seen), [])
            check(any("futex" in frame["method"] for group in said["groups"] for frame in group["frames"] if frame["native"]), f"no native frame in a {kind} core")
            core.unlink()
            counts[kind] = [len(theirs), sum(map(len, theirs.values()))]
        return f"threads and frames, equal to ClrMD's: {counts}"


@test
def a_web_server_is_as_clrmd_says(env):
    """It was not written for this."""
    with WebServer(env) as work:
        started(work)
        counts = {}
        for kind in KINDS:
            core = createdump(work, kind, env.scratch / f"web.{kind}.core")
            _, theirs = check_as_clrmd_says(env, core, (5, 20))
            core.unlink()
            counts[kind] = [len(theirs), sum(map(len, theirs.values()))]
        return f"threads and frames: {counts}"


@test
def each_thread_is_where_the_program_has_put_it(env):
    with Dying(env) as work:
        started(work)
        core = createdump(work, "full", env.scratch / "places.core")
        said, _ = threads(env, core)
        found = {}
        for group in said["groups"]:
            own = [as_called_here(frame["method"]) for frame in group["frames"] if frame["module"] == "dying"]
            found |= {own[0]: group["for"]} if own else {}
        check_equal("what is waited for", {place: found.get(place) for place in PLACES}, PLACES)
        check_equal("names that the program gave", NAMES - {thread["name"] for group in said["groups"] for thread in group["threads"]}, set())
        deep = [frame["method"] for group in said["groups"] for frame in group["frames"] if "GoesDeep" in frame["method"]]
        check_equal("frames of a deep stack", collections.Counter(deep), {"Dying.GoesDeep<double>(int, List<double>)": DEEP})
        text = nettop(env, "threads", core).stdout
        check(re.search(r"^ x1  waits: monitor.*\n.*\n.*Monitor\.Enter_Slowpath.*\n.*\n      > dying!Dying\.WaitsForMonitor\(\)$", text, re.M), text)


@test
def a_crash_says_what_ended_it_and_where(env):
    for how, (method, exception, message) in ENDS.items():
        for kind, number in CRASH_KINDS.items():
            core = env.scratch / f"{how}.{kind}.core"
            with Dying(env, {"DOTNET_DbgEnableMiniDump": "1", "DOTNET_DbgMiniDumpType": number, "DOTNET_DbgMiniDumpName": str(core)}) as work:
                started(work)
                check_equal(f"how it ended by {how}", work.end(how, END_S), -signal.SIGABRT)
                said, _ = check_as_clrmd_says(env, core)
                check_equal("what ended it", [said["core"]["signal"], said["core"]["exception"], said["core"]["message"] or None], [signal.SIGABRT, exception, message])
                frames = [as_called_here(frame["method"]) for group in said["groups"] for frame in group["frames"]
                          if said["core"]["signal_tid"] in [thread["tid"] for thread in group["threads"]]]
                check(method in frames, f"the thread that ended it by {how}, in a {kind} core: {frames}")
                text = nettop(env, "threads", core).stdout
                check(f": ended by signal 6 (SIGABRT) in t{said['core']['signal_tid']}/" in text and (not message or f", in which was thrown: {exception}: {message}\n" in text), text[:500])
            core.unlink()


def core_of_the_kernel(env, parts):
    """What the kernel writes of these parts of memory (core(5), coredump_filter)."""
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text(encoding="ascii").strip()
    if pattern.startswith("|") or "/" in pattern:
        raise Missing(f"cores go elsewhere here: kernel.core_pattern is {pattern}")
    folder = env.scratch / f"kernel.{parts}"
    folder.mkdir()
    under = ("sh", "-c", 'ulimit -c unlimited && echo "$1" >/proc/self/coredump_filter && cd "$2" && shift 2 && exec "$@"', "sh", parts, str(folder))
    with Dying(env, under=under) as work:
        started(work)
        check_equal("how it ended", work.end("native", END_S), -signal.SIGABRT)
    return next(folder.iterdir())


@test
def a_core_of_the_kernel(env):
    core = core_of_the_kernel(env, "0x3f")  # with what is mapped of files
    said, _ = check_as_clrmd_says(env, core)
    check_equal("signal", said["core"]["signal"], signal.SIGABRT)
    core.unlink()
    core = core_of_the_kernel(env, "0x33")  # the default: without, and so without what assemblies say of themselves
    said, stderr = threads(env, core)
    check("coredump_filter" in stderr, f"nothing of what it lacks: {stderr}")
    whole = [thread["tid"] for group in said["groups"] for thread in group["threads"] if thread["managed_id"] and not group["partial"]]
    partial = [thread["tid"] for group in said["groups"] for thread in group["threads"] if thread["managed_id"] and group["partial"]]
    # Two of the runtime's own run no managed code.
    check(len(partial) > len(NAMES) and len(whole) <= 2, f"stacks that cannot be read are called whole: {whole} of {said['groups']}")
    core.unlink()


@test
def stacks_are_one_for_each_thread(env):
    with Dying(env) as work:
        started(work)
        core = createdump(work, "mini", env.scratch / "stacks.core")
        lines = nettop(env, "stacks", core).stdout.splitlines()
        said, _ = threads(env, core)
        check_equal("threads", sum(int(line.rpartition(" ")[2]) for line in lines), said["thread_count"])
        check(any(re.search(r";Dying\.WaitsInCatch\(\)[^;]*;Dying\.WaitsInCatch\(\)[^;]*;Dying\.Sleeps\(\)", line) for line in lines), f"no stack of the thread in a catch block: {lines}")
        for form, begin in (("flamegraph", b"<?xml"), ("speedscope", b"{")):
            path = env.scratch / f"stacks.{form}"
            nettop(env, "stacks", core, "-f", form, "-o", str(path))
            check(path.read_bytes().startswith(begin), f"a file of the form {form}")


def mapped(work):
    """Files of native code."""
    lines = pathlib.Path(f"/proc/{work.pid}/maps").read_text(encoding="utf-8").splitlines()
    found = {pathlib.Path(line.split()[-1]) for line in lines if " r-xp " in line and line.split()[-1].startswith("/")}
    return [path for path in found if path.suffix != ".dll" and path.is_file()]


def copy_below(folder, path):
    copy = folder / path.relative_to("/")
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, copy)
    return copy


@test
def files_of_another_build_are_not_believed(env):
    with Dying(env) as work:
        started(work)
        core = createdump(work, "mini", env.scratch / "files.core")
        folder = env.scratch / "root"
        runtime = next(path for path in mapped(work) if path.name == "libcoreclr.so")
        for path in mapped(work):
            if path != runtime:
                copy_below(folder, path)
        said, stderr = threads(env, core, "--symfs", str(folder))
        check(said["core"]["no_managed"] and "libcoreclr.so is not there" in stderr and "/elf-buildid-" in stderr, f"of a file that is not there: {stderr}")
        check_equal("who is said to be managed", [thread["managed_id"] for group in said["groups"] for thread in group["threads"] if thread["managed_id"]], [])
        placed = copy_below(folder, runtime)
        said, stderr = threads(env, core, "--symfs", str(folder))
        check_equal("with the file of the same build", [said["core"]["no_managed"], stderr], [None, ""])
        with open(placed, "r+b") as file:  # another build id
            at = file.read(4096).index(b"GNU\0") + 4
            file.seek(at)
            file.write(bytes(20))
        said, stderr = threads(env, core, "--symfs", str(folder))
        check(said["core"]["no_managed"] and "libcoreclr.so is another build than that of the core" in stderr, f"of a file of another build: {stderr}")


def check_refused(env, path, words, status=2, under=()):
    done = nettop(env, "threads", path, status=status, under=under)
    check(words in done.stderr and done.stderr.count("\n") == 1 and not done.stdout, f"of {path}: {done.stderr}")


@test
def what_is_no_core_is_refused_in_a_sentence(env):
    with Dying(env) as work:
        started(work)
        core = createdump(work, "mini", env.scratch / "whole.core")
        bytes_of = core.read_bytes()
        cut = env.scratch / "cut.core"
        for size in (len(bytes_of) - 1, len(bytes_of) // 2, 1000, 70):
            cut.write_bytes(bytes_of[:size])
            check_refused(env, cut, "is cut: it should have")
        other = bytearray(bytes_of[:100])
        other[4] = 1
        cut.write_bytes(other)
        check_refused(env, cut, "is of another machine", status=3)
        cut.write_bytes(bytes_of[:64] + bytes(len(bytes_of) - 64))
        check_refused(env, cut, "is broken")
        cut.write_bytes(b"no core at all")
        check_refused(env, cut, "is no core dump")
        check_refused(env, "/proc/self/exe", "is no core dump")
        check_refused(env, env.scratch / "nothing", "No such file")
        check_refused(env, env.scratch, "is no regular file")
        fifo = env.scratch / "fifo"
        os.mkfifo(fifo)
        check_refused(env, fifo, "is no regular file")
        os.chmod(core, 0o600)
        shown = env.open_scratch / "of_others.core"
        shutil.copy(core, shown)
        os.chmod(shown, 0o600)
        check_refused(env, shown, "Permission denied", status=3, under=("setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups"))
        nettop(env, "heap", core)


@test
def a_core_of_no_dotnet_program(env):
    env.need_commands("gcore")
    with subprocess.Popen(["sleep", "1000"]) as child:
        try:
            wait_until(lambda: pathlib.Path(f"/proc/{child.pid}/comm").read_text(encoding="ascii") == "sleep\n", END_S, "it is executed")
            done = run(["gcore", "-o", str(env.scratch / "sleep"), str(child.pid)])
            if done.returncode != 0:
                raise Missing(f"gcore: {done.stderr[-300:]}")
        finally:
            child.kill()
    check_refused(env, env.scratch / f"sleep.{child.pid}", "is of no .NET program", status=3)


@test
def bytes_that_lie_harm_nobody(env):
    """Numbers of the notes and tables of a core, one after the other: whatever is said then, it is an answer."""
    with Dying(env) as work:
        started(work)
        core = createdump(work, "mini", env.scratch / "lies.core")
        good = core.read_bytes()
        count, = struct.unpack_from("<H", good, 56)
        ends = 64 + 56 * count
        for at in (*range(24, 64, 8), *range(64, ends, 56 * 37), *range(ends, ends + 0x3000, 0x191)):
            for value in (0xff, 0x7f, 0):
                lie = bytearray(good)
                lie[at:at + 8] = bytes([value] * 8)
                core.write_bytes(lie)
                done = subprocess.run([str(env.nettop), "threads", "--core", str(core), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=END_S, check=False)
                check(done.returncode in (0, 2, 3) and ("has ended" not in done.stderr), f"byte {at:#x} as {value:#x}: {done.returncode}: {done.stderr[-300:]}")


@long_test
def older_runtimes_say_that_they_do_not_describe_themselves(env):
    for framework in ("net8.0", "net9.0"):
        program = env.selfcontained(framework)
        with Workload(env, mode="none", program=program, lttng=False) as work:
            core = createdump(work, "full", env.scratch / f"{framework}.core")
            said, stderr = threads(env, core)
            check("describe" in said["core"]["no_managed"] and said["core"]["no_managed"] in stderr, f"{framework}: {stderr}")
            check(any(frame["native"] for group in said["groups"] for frame in group["frames"]), "no native frames")
            core.unlink()


if __name__ == "__main__":
    main()
