#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop ps` against real processes: what it says of them, whoever's and wherever they are."""
import contextlib
import glob
import os
import shutil
import signal
import struct
import subprocess
import time

from nt_live import *
from nt_live.bare import contained
from nt_live.process import descendants, run, running, wait_until
from nt_live.ps import listed, wait_for_row
from nt_live.runner import check, check_equal

NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


# What tells a runtime that is linked into an executable: the symbol, with a place for where the bundle is, or the section.
SINGLE_FILE = """
#include <unistd.h>
int DotNetRuntimeInfo = 1;
struct { unsigned long long offset; unsigned char signature[32]; } bundle = { 1, { %s } };
int main(void) { return pause(); }
"""
NATIVE_AOT = """
#include <unistd.h>
__attribute__((section("__managedcode"))) int code = 1;
int main(void) { return pause(); }
"""
SIGNATURE = bytes.fromhex("8b1202b96a612038727b930214d7a03213f5b9e6efae3318ee3b2dce24b36aae")
CONFIG = b'{"runtimeOptions":{"includedFrameworks":[{"name":"Microsoft.NETCore.App","version":"10.0.7"}]}}'


def program(env, name, source):
    path = env.scratch / name
    subprocess.run(["gcc", "-x", "c", "-rdynamic", "-o", path, "-"], input=source, text=True, check=True)
    return path


def single_file(env, name):
    """As the SDK makes them: the bundle's header, and what it says, behind the program."""
    path = program(env, name, SINGLE_FILE % ",".join(map(str, SIGNATURE)))
    whole = bytearray(path.read_bytes())
    at, header = whole.index(SIGNATURE), len(whole)
    whole[at - 8:at] = struct.pack("<Q", header)
    whole += struct.pack("<III", 6, 0, 1) + b"\x0cVUNo3WCpaA8p" + struct.pack("<QQQQQ", 0, 0, header + 128, len(CONFIG), 0)
    path.write_bytes(whole.ljust(header + 128, b"\0") + CONFIG)
    return path


def check_row(row, **expected):
    for key, value in expected.items():
        check_equal(key, row[key], value)


@test
def the_workload(env):
    """Every column, against what the process itself and /proc say; and no other process of this test is taken for .NET."""
    with Workload(env, mode="N") as work, running("sleep", "1000") as other:
        row = wait_for_row(env, work.pid, lambda row: row["lttng"] == "ok" and row["eventpipe"] == "ok", "LTTng and EventPipe would deliver")
        check_row(row, name="workload", kind="shared", mode="N", user="root", perf="ok", map="ok", sources="LEPM", lttng_reason=None,
                  runtime=os.path.basename(os.path.dirname(next(line.split(None, 5)[5].strip() for line in open(f"/proc/{work.pid}/maps", encoding="utf-8")
                                                                if "/libcoreclr.so" in line))))
        check(row["command"].startswith("dotnet ") and row["command"].endswith("workload.dll"), f"command is {row['command']}")
        check(0 < row["uptime_ns"] < 600e9 and row["rss_bytes"] > 1 << 20 and row["thread_count"] > 3, f"uptime, memory, threads: {row}")
        check(other.pid not in listed(env), "sleep is no .NET process")
        work.do("compute 500")
        check(listed(env)[work.pid]["cpu_ns"] >= row["cpu_ns"] + 400e6, "CPU time of 500 ms of work")
    check(work.pid not in listed(env), "it has ended")
    return f"{row['sources']} .NET {row['runtime']}"


@test
def as_text(env):
    with Workload(env, mode="none", lttng=False, perf_map=False) as work:
        wait_for_row(env, work.pid, lambda row: row["eventpipe"] == "ok", "EventPipe would deliver")
        lines = run([str(env.nettop), "ps"]).stdout.splitlines()
    check_equal("titles", lines[0].split(), "PID NAME RUNTIME KIND MODE USER UP CPU% RSS THR SRC COMMAND".split())
    words = next(line.split() for line in lines if line.split()[0] == str(work.pid))
    check_equal("name, kind, mode, sources", [words[1], words[3], words[4], words[10]], ["workload", "shared", "none", "-EPM"])


@test
def without_a_terminal(env):
    """nettop without a process and without a terminal is nettop ps."""
    with Workload(env, mode="none", lttng=False, perf_map=False) as work:
        wait_for_row(env, work.pid, lambda row: True, "it is listed")
        done = run([str(env.nettop)])
        check_equal("exit status and messages", (done.returncode, done.stderr), (0, ""))
        check(any(line.split()[:2] == [str(work.pid), "workload"] for line in done.stdout.splitlines()), f"the workload in {done.stdout}")


@test
def of_another_user(env):
    """Who may not read a process still learns that it is there and what it uses."""
    env.need_commands("setpriv")
    program = env.open_scratch / "nettop"
    shutil.copy(env.nettop, program)
    with Workload(env, mode="N") as work:
        row = wait_for_row(env, work.pid, lambda row: True, "it is listed", prefix=NOBODY, program=program)
    check_row(row, name="workload", runtime=None, kind=None, mode=None, user="root", perf="forbidden", lttng="forbidden", sources="----")
    check(row["thread_count"] > 3 and row["rss_bytes"] > 1 << 20 and row["cpu_ns"] > 0, f"threads, memory, CPU time: {row}")
    check(row["perf_reason"].endswith("run nettop as that user or as root"), row["perf_reason"])


@test
def in_namespaces_of_its_own(env):
    with contained(env) as (_, pid, _):
        row = wait_for_row(env, pid, lambda row: row["eventpipe"] == "ok", "EventPipe would deliver")
        check_row(row, name="workload", kind="shared", mode="none")


@test
def a_runtime_in_the_executable(env):
    """Which kind it is, and which runtime, is read by a process without rights."""
    env.need_commands("gcc")
    with running(str(single_file(env, "single"))) as single, running(str(program(env, "aot", NATIVE_AOT))) as aot:
        check_row(wait_for_row(env, single.pid, lambda row: True, "the single file is listed"), name="single", kind="single", runtime="10.0.7")
        check_row(wait_for_row(env, aot.pid, lambda row: True, "the program of Native AOT is listed"), name="aot", kind="aot", runtime=None)


def reader_of(env, pid):
    """One of the processes that read executables for this nettop, without its rights already: then it ends with it."""
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        with contextlib.suppress(OSError), open(path, encoding="ascii") as file:
            for child in file.read().split():
                with open(f"/proc/{child}/status", encoding="ascii", errors="replace") as status:
                    text = status.read()
                if text.startswith("Name:\tnettop-decoder\n") and (env.sanitized or "\nSeccomp:\t2\n" in text):
                    return int(child)
    return None


@test
def a_reader_that_stands_still(env):
    """It costs the one process whose executable it has: the others are listed, and nobody waits longer than a second for it."""
    env.need_commands("gcc")
    with contextlib.ExitStack() as stack:
        aot = [stack.enter_context(running(str(program(env, f"aot{number}", NATIVE_AOT)))).pid for number in range(2)]
        for pid in aot:
            wait_for_row(env, pid, lambda row: True, "it is listed")
        for _ in range(50):
            stack.enter_context(running("sleep", "1000"))  # so that there is something to read for a while
        for _ in range(20):
            begin = time.monotonic()
            with subprocess.Popen([env.nettop, "ps"], stdout=subprocess.PIPE, text=True) as nettop:
                reader = wait_until(lambda: reader_of(env, nettop.pid) or nettop.poll() is not None, 10, "a reader", step=0)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(reader, signal.SIGSTOP) if reader is not True else None
                output = nettop.communicate(timeout=20)[0]
            took = time.monotonic() - begin
            if took > 1:
                break
        check(1 < took < 5, f"a reader is stopped while it reads, and nettop ps takes {took:.1f} s")
        check_equal("exit status", nettop.returncode, 0)
        left = [pid for pid in aot if any(line.split()[0] == str(pid) for line in output.splitlines())]
        check(left, f"the others are listed: {output}")
        wait_until(lambda: reader not in descendants(), 5, "it ends with nettop")
    return f"{took:.1f} s"


@test
def nobody_there(env):
    """In a pid namespace of nettop's own there is no .NET process: a sentence, and a status for scripts."""
    env.need_commands("unshare")
    done = run(["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--mount-proc", str(env.nettop), "ps"])
    check_equal("exit status", done.returncode, 1)
    check_equal("what it says", (done.stdout, done.stderr), ("", "nettop: there is no .NET process here that uid 0 can see\n"))


if __name__ == "__main__":
    main()
