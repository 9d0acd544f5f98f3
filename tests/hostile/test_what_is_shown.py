#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Names that are written to be printed: what a stranger calls his programs, files, threads and methods does nothing to the terminal of root."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import unicodedata

from nt_hostile import *
from nt_live.process import LineProcess, wait_until
from nt_live.workload import settings_as_variables

FORGED = "FORGED"
# No colon, which separates paths. A title for the terminal, CSI in both forms, what reorders and what separates lines, a line of its own, a byte that is no character.
NASTY = f"\x1b]0;x\x07\u009b2J\u202e\u2066\u200f\u061c\u206a\u2028\x7f\r\n{FORGED}\t".encode() + b"\xff\x9b"
SHORT = b"\x1b[2J\xc2\x9b\xe2\x80\xae\xd8\x9c\n\xff"  # as long as a thread's name may be

REORDERS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
MARKS = "\u200e\u200f\u061c\u206a\u206b\u206c\u206d\u206e\u206f\ufeff"

LIBRARY = """
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
void spin(volatile unsigned long *turns)
{
	for (;;)
		++*turns;
}
static void *thread(void *turns)
{
	prctl(PR_SET_NAME, getenv("THREAD_NAME"));
	spin(turns);
	return 0;
}
__attribute__((constructor)) static void begin(void)
{
	static unsigned long turns;
	pthread_t id;
	pthread_create(&id, 0, thread, &turns);
}
"""


def raw_controls(text):
    """The characters of it that do more than stand there. By Unicode's tables, not by nettop's."""
    return [character for character in text if unicodedata.category(character) in ("Cc", "Zl", "Zp") or
            unicodedata.bidirectional(character) in REORDERS or character in MARKS]


def library(folder):
    """One that spins, in a function with such a name, in a thread with such a name."""
    plain, named, made = (os.path.join(os.fsencode(folder), name) for name in (b"plain.o", b"named.o", b"lib" + NASTY + b".so"))
    subprocess.run(["gcc", "-x", "c", "-O1", "-fPIC", "-c", "-o", plain, "-"], input=LIBRARY.encode(), check=True)
    subprocess.run(["objcopy", b"--redefine-sym", b"spin=" + b"spin" + NASTY, plain, named], check=True)
    subprocess.run(["gcc", "-shared", "-Wl,--build-id", "-o", made, named, "-lpthread"], check=True)
    os.unlink(plain)
    os.unlink(named)
    return made


def program(env, folder):
    """The stand-in for a .NET process, called so, in the given folder."""
    made = os.path.join(os.fsencode(folder), NASTY)
    shutil.copy(env.fakeclr, made)
    shutil.copytree(pathlib.Path(env.fakeclr).parent / "fakeclr-runtime", pathlib.Path(folder) / "fakeclr-runtime")
    return made


def rename_methods(folder, pid):
    """As the runtime would append them: each method of the map once more, with such a name."""
    path = os.path.join(os.fsencode(folder), f"perf-{pid}.map".encode())
    wait_until(lambda: os.path.exists(path) and os.path.getsize(path), 20, "the stand-in writes its perf map")
    with open(path, "rb") as file:
        lines = file.read().splitlines()
    nasty = NASTY.replace(b"\n", b"").replace(b"\r", b"")
    with open(path, "ab") as file:
        file.writelines(b" ".join([*line.split(b" ")[:2], b"void [Shop] Cart" + nasty + b"::Total()[Tier1]\n"]) for line in lines)


@contextlib.contextmanager
def nasty_process(env):
    """A process of the stranger's in which whatever can have such a name has one. Its pid, and the folder."""
    env.need_commands("gcc", "objcopy", "setpriv")
    outer = folder_of_stranger(env, "nasty")
    folder = os.path.join(os.fsencode(outer), NASTY)
    os.mkdir(folder)
    preloaded, called = library(folder), program(env, os.fsdecode(folder))
    for path in (folder, preloaded, called):
        os.chown(path, UID, UID)
    settings = settings_as_variables({"PerfMapEnabled": "3", "LTTng": "0"})
    variables = {os.fsencode(name): os.fsencode(value) for name, value in settings.items()}
    variables |= {b"TMPDIR": folder, b"LD_LIBRARY_PATH": folder, b"DOTNET_PerfMapJitDumpPath": os.fsencode(outer), b"DOTNET_EventSourceFilter": NASTY,
                  b"DOTNET_LTTngConfig": NASTY, b"THREAD_NAME": SHORT}
    # LD_PRELOAD has no way to quote, and is for the program only.
    argv = [os.fsencode(word) for word in STRANGER] + [b"env", b"LD_PRELOAD=" + preloaded, called, NASTY, b"compute 600000"]
    process = LineProcess(argv, variables, env.scratch / "nasty.err")
    try:
        check(json.loads(process.read_line(20))["ready"], "the stand-in is not ready")
        rename_methods(outer, process.pid)
        yield process.pid, folder
    finally:
        process.kill()
        shutil.rmtree(outer)


def shown(env, *words):
    """What nettop says to these words: the exit status, standard output, standard error."""
    try:
        done = subprocess.run([str(env.nettop), *words], stdin=subprocess.DEVNULL, cwd=env.scratch, capture_output=True, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f"{words}: no end") from None
    return done.returncode, done.stdout, done.stderr


def strings_of(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_of(inner)
    elif isinstance(value, str):
        yield value


def check_clean(what, raw, layout="\n"):
    """Whole characters, none of them raw but what lines are made of; and no line that somebody else has begun."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Failure(f"{what}: not UTF-8: {raw[error.start - 40:error.end + 10]!r}") from None
    left = [character for character in raw_controls(text) if character not in layout]
    at = text.find(left[0]) if left else 0
    check(not left, f"{what}: {left[:5]!r} is raw: {text[max(0, at - 60):at + 20]!r}")
    forged = [line for line in text.split("\n") if line.strip().startswith(FORGED)]
    check(not forged, f"{what}: a line that a name has begun: {forged[:1]}")
    return text


def check_json(what, raw):
    """Besides, whoever takes the texts out of it has clean ones."""
    for line in check_clean(what, raw).splitlines():
        for text in strings_of(json.loads(line)):
            check(not raw_controls(text), f"{what}: a raw {raw_controls(text)!r} within {text[:200]!r}")


# What is asked of the process.
QUESTIONS = (
    ("ps",),
    ("doctor", "-p", "PID"),
    ("env", "-p", "PID"),
    ("env", "-p", "PID", "--format", "docker"),
    ("symbols", "-p", "PID", "--server", "http://127.0.0.1:1"),
    ("-p", "PID", "-b", "-n", "3", "-d", "0.5"),
    ("-p", "PID", "-b", "-n", "2", "-d", "0.5", "--alloc"),
    ("stacks", "-p", "PID", "-d", "1", "-f", "folded"),
    ("map", "-p", "PID"),
)
JSON_QUESTIONS = (
    ("ps", "--json"),
    ("doctor", "-p", "PID", "--json"),
    ("symbols", "-p", "PID", "--json", "--server", "http://127.0.0.1:1"),
    ("-p", "PID", "--json", "-n", "3", "-d", "0.5"),
    ("stacks", "-p", "PID", "-d", "1", "-f", "speedscope"),
)


@test
def what_is_said_of_a_process_is_clean(env):
    with nasty_process(env) as (pid, _):
        for words in QUESTIONS:
            status, out, err = shown(env, *(str(pid) if word == "PID" else word for word in words))
            check(out, f"{words}: nothing was said, exit status {status}: {err[-300:]!r}")
            check(r"\x1b" in check_clean(f"{words}", out), f"{words}: no name of the stranger's is in it")
            check_clean(f"{words}, standard error", err)
        for form in ("perf-script", "flamegraph"):  # have tabs of their own
            text = check_clean(form, shown(env, "stacks", "-p", str(pid), "-d", "1", "-f", form)[1], layout="\n\t")
            check(r"\x1b" in text, f"{form}: no name of the stranger's is in it")


@test
def so_is_json(env):
    with nasty_process(env) as (pid, _):
        for words in JSON_QUESTIONS:
            status, out, err = shown(env, *(str(pid) if word == "PID" else word for word in words))
            check(rb"\\x1b" in out, f"{words}: no name of the stranger's is in it, exit status {status}: {err[-300:]!r}")
            if "speedscope" in words:
                out = json.dumps(json.loads(check_clean(f"{words}", out))).encode()
            check_json(f"{words}", out)
            check_clean(f"{words}, standard error", err)


@test
def so_are_refusals(env):
    folder = os.fsencode(env.scratch)
    with nasty_process(env) as (pid, place):
        number = str(pid).encode()
        name = pathlib.Path(f"/proc/{pid}/comm").read_bytes().removesuffix(b"\n")
        for words in ((b"-p", NASTY + b"?"), (b"doctor", b"-p", NASTY + b"?"), (b"stacks", b"-p", number, b"-o", folder + b"/" + NASTY + b"/file"),
                      (b"map", b"-p", number, b"-o", place), (b"map", b"-p", number, b"-o", b"/none/" + NASTY), (b"-p", name, b"--source", NASTY),
                      (b"symbols", b"-p", number, b"--server", b"http://127.0.0.1:1", b"-o", NASTY + b"/x/y"), (b"symbols", b"-p", number, b"--server", NASTY),
                      (b"map", b"-p", number, b"--symfs", b"/none/" + NASTY), (b"run", b"-b", b"--", b"/none/" + NASTY), (b"jit", b"--compare", NASTY, b"-p", number),
                      (NASTY + b"?",), (b"--" + NASTY,), (b"-d", NASTY)):
            status, out, err = shown(env, *words)
            check(status != 0, f"{words}: not refused: {status} {out[-200:]!r}")
            check_clean(f"{words}", err)
            check_clean(f"{words}, standard output", out)


def varint(content, at):
    value = shift = 0
    while True:
        value |= (content[at] & 0x7f) << shift
        shift, at = shift + 7, at + 1
        if not content[at - 1] & 0x80:
            return value, at


def fields_of(content):
    """How many fields a message of protobuf has; an error where it is none."""
    at = count = 0
    while at < len(content):
        tag, at = varint(content, at)
        value, at = varint(content, at)
        check(tag & 7 in (0, 2), f"wire type {tag & 7}")
        at += value if tag & 7 == 2 else 0
        count += 1
    check_equal("its end", at, len(content))
    return count


@test
def bytes_that_are_no_text_go_out_as_they_are(env):
    with nasty_process(env) as (pid, _):
        status, out, err = shown(env, "stacks", "-p", str(pid), "-d", "1", "-f", "pprof")
        check_equal(f"exit status ({err[-200:]!r})", status, 0)
        check(fields_of(out) > 10, f"not a profile: {out[:60]!r}")


if __name__ == "__main__":
    main()
