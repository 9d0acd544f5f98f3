#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The runtime's library, the folder for temporary files and with it the diagnostics port and the perf map of a stranger's process lie in a file system of the stranger's own (FUSE), which answers nobody any more: root's
nettop shows what it sees without them, and ends when it is told to. Also where root is let in, and nothing can end who waits there.
"""
import contextlib
import signal
import subprocess
import time

from nt_hostile import *

FIRST_S = 10.0
END_S = 2.0
WHOLE_S = 20.0


@contextlib.contextmanager
def frozen(env, name, root_too=False):
    folder = folder_of_stranger(env, name)
    source, place = folder / "source", folder / "place"
    run_as_stranger("mkdir", source, place)
    with FrozenFolder(source, place, root_too) as files, Pretender(env, source, seen_at=place) as fake:
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


LOOKS = ("libcoreclr.so", ".runtimeconfig.json", "dotnet-diagnostic-", "perf-", "")


def is_watched_and_left(env, name):
    with frozen(env, "root", root_too=True) as (files, fake):
        files.freeze(name)
        with Nettop(env, fake.pid) as nettop:
            try:
                nettop.wait_for(lambda _: True, FIRST_S, f"a first interval beside {name}")
                nettop.wait_for(lambda _: True, FIRST_S, f"a second interval beside {name}")
                return f"{name or 'all'}: {told_to_end(nettop, files)}"
            finally:
                files.end()  # before nettop's end is waited for


@test
def root_is_let_in(env):
    return "; ".join(is_watched_and_left(env, name) for name in LOOKS)


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


if __name__ == "__main__":
    main()
