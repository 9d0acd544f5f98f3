#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# alone: whoever lists all processes meanwhile waits for the one whose files do not answer
"""
The runtime's library, the folder for temporary files and with it the diagnostics port and the perf map of a stranger's process lie in a file system of the stranger's own (FUSE), which answers nobody any more: root's
nettop shows what it sees without them, and ends when it is told to. Also where root is let in, and nothing can end who waits there.
"""
import contextlib
import signal
import subprocess
import time

from nt_hostile import *
from nt_live.nettop import source_of
from nt_live.process import LineProcess, wait_until

FIRST_S = 10.0
END_S = 2.0
WHOLE_S = 20.0
FOLDERS = 12
LEFT_BEHIND = 2  # NT_APART_HUNG_OF_DEVICE_MAX


@contextlib.contextmanager
def frozen(env, name, root_too=False):
    """The process runs in the file `busy` of that folder, and its runtime was told to write a perf map there."""
    folder = folder_of_stranger(env, name)
    source, place = folder / "source", folder / "place"
    run_as_stranger("mkdir", source, place)
    run_as_stranger("cp", "/usr/bin/python3", source / "busy")
    settings = {"PerfMapEnabled": "1", "PerfMapJitDumpPath": str(place)}
    with FrozenFolder(source, place, root_too) as files, Pretender(env, source, seen_at=place, busy=place / "busy", settings=settings) as fake:
        try:
            yield files, fake
        finally:
            files.end()  # a process that waits there cannot be killed


def told_to_end(nettop, files):
    began = time.monotonic()
    nettop.process.signal(signal.SIGTERM)
    nettop.read_to_end(END_S)
    return f"{files.waiting()} wait; the end took {time.monotonic() - began:.1f} s"


@test
def frozen_before_it_is_watched(env):
    with frozen(env, "before") as (files, fake):
        files.freeze()
        with Nettop(env, fake.pid) as nettop:
            nettop.wait_for(lambda _: True, FIRST_S, "a first interval")
            return told_to_end(nettop, files)


@test
def frozen_while_it_is_watched(env):
    with frozen(env, "meanwhile") as (files, fake):
        with Nettop(env, fake.pid) as nettop:
            nettop.wait_for(lambda _: True, FIRST_S, "a first interval")
            files.freeze()
            for _ in range(10):
                nettop.wait_for(lambda _: True, FIRST_S, "the next interval")
            return told_to_end(nettop, files)


@test
def other_commands(env):
    """They come to an end by themselves."""
    with frozen(env, "commands") as (files, fake):
        files.freeze()
        took = {}
        for word, *more in (["ps"], ["doctor"], ["env"], ["symbols"], ["map"], ["stacks", "--duration", "1"]):
            words = [word, *more] if word == "ps" else [word, "-p", str(fake.pid), *more]
            began = time.monotonic()
            try:
                answer = subprocess.run([env.nettop, *words], timeout=WHOLE_S, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            except subprocess.TimeoutExpired:
                raise Failure(f"{word}: not within {WHOLE_S} s; {files.waiting()} wait") from None
            check(answer.returncode in (0, 1, 3) and (answer.stdout or answer.stderr), f"{word}: {answer}")
            if word == "doctor":
                check("cannot be looked at" in answer.stdout, f"what is not seen is not there: {answer.stdout}")
            took[word] = f"{answer.returncode} after {time.monotonic() - began:.1f} s"
    return str(took)


# Arguments: a file, and one that is some pages long. The file lies where the kernel has put that: whoever reads the arguments reads the file.
ARGUMENT_BYTES = 4 * 4096
FORGETS = """
import ctypes, os, sys
with open("/proc/self/stat", encoding="ascii") as file:
    stat = file.read().rsplit(")", 1)[1].split()
first, last = (int(stat[45]) + 4095) & ~4095, int(stat[46]) & ~4095
library = ctypes.CDLL(None, use_errno=True)
library.mmap.restype = ctypes.c_void_p
library.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
file = os.open(sys.argv[1], os.O_RDONLY)
if library.mmap(first, last - first, 1, 0x12, file, 0) != first:
    sys.exit(os.strerror(ctypes.get_errno()))
print("ready", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def without_arguments(env, name):
    """A process of the stranger's whose arguments are in a file that nobody gets; root is not let in, and asks all the same."""
    folder = folder_of_stranger(env, name)
    source, place = folder / "source", folder / "place"
    run_as_stranger("mkdir", source, place)
    (source / "arguments").write_bytes(bytes(1 << 20))
    with FrozenFolder(source, place) as files:
        process = LineProcess(as_stranger("/usr/bin/python3", "-c", FORGETS, place / "arguments", "x" * ARGUMENT_BYTES), {}, env.scratch / "forgets.err")
        try:
            answer = process.read_line(20)
            check(answer == "ready", f"the process that forgets its arguments has not begun: {answer} {process.stderr_text()[-500:]}")
            files.freeze()
            yield files, process
        finally:
            files.end()
            process.kill()


@test
def arguments_that_nobody_gets(env):
    """The kernel itself sees to it (since 4.17): of a process's arguments it reads what is in no file."""
    with without_arguments(env, "arguments") as (files, process), Pretender(env, folder_of_stranger(env, "beside")) as beside:
        took = {}
        for words in (["ps"], ["-p", "no-such-program", "-b", "-n", "1"], ["-p", str(process.pid), "-b", "-n", "1"], ["doctor", "-p", str(process.pid)]):
            began = time.monotonic()
            nettop = subprocess.Popen([env.nettop, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            try:
                said, _ = nettop.communicate(timeout=WHOLE_S)
            except subprocess.TimeoutExpired:
                raise Failure(f"{words}: not within {WHOLE_S} s; {files.waiting()} wait") from None
            finally:
                nettop.kill()
            check(said, f"{words}: {nettop.returncode}, not a word")
            check(words != ["ps"] or str(beside.pid) in said, f"the other process is not there: {said}")
            took[" ".join(words[:2])] = f"{nettop.returncode} after {time.monotonic() - began:.1f} s"
        check_equal("requests for the arguments", files.waiting(), 0)
    return str(took)


def named_code(line):
    return [row["name"] for row in line["methods"] if row["name"].startswith("_PyEval_") and row["module"] == "busy"]


@test
def one_that_answers(env):
    """What lies there is read, from a copy: its code has names."""
    with frozen(env, "answers", root_too=True) as (files, fake), Nettop(env, fake.pid) as nettop:
        line = nettop.wait_for(lambda line: named_code(line), FIRST_S, "the code of busy has names")
        return f"{named_code(line)}; the end: {told_to_end(nettop, files)}"


def code_has_the_reason(line):
    return any("timed out" in (row["reason"] or "") for row in line["methods"])


def map_has_the_reason(line):
    return "does not answer" in (source_of(line, "map").get("reason") or "")


# Names of files, whether nettop looks at them in any case, and what is said of it, or there all the same. Each alone, where the others answer; all at once.
ONE_OF_THEM = (
    ("libcoreclr.so", False, None),
    (".runtimeconfig.json", True, None),
    ("dotnet-diagnostic-", True, None),
    ("perf-", True, map_has_the_reason),
    ("busy", True, code_has_the_reason),
    (".dbg", True, named_code),
)
ALL_OF_THEM = ("", True, map_has_the_reason)


def is_watched_and_left(env, name, looks, has_reason):
    with frozen(env, "root", root_too=True) as (files, fake):
        files.freeze(name)
        with Nettop(env, fake.pid) as nettop:
            try:
                nettop.wait_for(lambda _: True, FIRST_S, f"a first interval beside {name}")
                nettop.wait_for(lambda _: True, FIRST_S, f"a second interval beside {name}")
                if has_reason:
                    nettop.wait_for(has_reason, FIRST_S, f"the reason why {name} is not there")
                if looks:
                    wait_until(files.waiting, FIRST_S, f"nobody has asked for {name}")
                return f"{name or 'all'}: {told_to_end(nettop, files)}"
            finally:
                files.end()  # before nettop's end is waited for


@test
def root_is_let_in(env):
    return is_watched_and_left(env, *ALL_OF_THEM)


@long_test
def root_is_let_in_and_one_file_does_not_answer(env):
    return "; ".join(is_watched_and_left(env, *look) for look in ONE_OF_THEM)


@test
def root_is_let_in_by_other_commands(env):
    took = {}
    with frozen(env, "root-commands", root_too=True) as (files, fake):
        files.freeze()
        for words in (["ps"], ["doctor", "-p", str(fake.pid)], ["env", "-p", str(fake.pid)]):
            began = time.monotonic()
            process = subprocess.Popen([env.nettop, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            try:
                said, _ = process.communicate(timeout=WHOLE_S)
            except subprocess.TimeoutExpired:
                raise Failure(f"{words}: not within {WHOLE_S} s; {files.waiting()} wait") from None
            finally:
                process.kill()
            check(process.returncode in (0, 1, 3) and said, f"{words}: {process.returncode} {said}")
            took[words[0]] = f"{process.returncode} after {time.monotonic() - began:.1f} s"
    return str(took)


@test
def many_folders_of_one_that_hangs(env):
    """However many there are, two processes are left behind there, and none is missing elsewhere."""
    folder = folder_of_stranger(env, "many")
    source, place = folder / "source", folder / "place"
    run_as_stranger("mkdir", source, place)
    names = [f"folder{index}" for index in range(FOLDERS)]
    for name in names:
        run_as_stranger("mkdir", source / name)
    with contextlib.ExitStack() as stack:
        files = stack.enter_context(FrozenFolder(source, place, root_too=True))
        for name in names:
            stack.enter_context(Pretender(env, source / name, seen_at=place / name))
        beside = stack.enter_context(Pretender(env, folder_of_stranger(env, "beside-many"), version="10.0.0"))
        stack.callback(files.end)
        files.freeze()
        process = subprocess.Popen([env.nettop, "ps"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            said, _ = process.communicate(timeout=WHOLE_S)
        finally:
            process.kill()
        check_equal("processes that wait", files.waiting(), LEFT_BEHIND)
        line = next((line for line in said.splitlines() if str(beside.pid) in line.split()), "")
        check("10.0.0" in line, f"the other process is not told as it is: {said}")
        return line.strip()[:60]


if __name__ == "__main__":
    main()
