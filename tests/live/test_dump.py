#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop dump`: what the runtime writes is what was asked for, in the hands of who asked, and whatever becomes of nettop the process goes on and nothing is left behind."""
import json
import os
import pathlib
import signal
import stat
import struct
import subprocess

from nt_live import check, check_equal, main, test, wait_until
from nt_live.environment import REPO, run_script
from nt_live.process import LineProcess, running
from nt_live.workload import Holding

ORDERS, END_S, CORE, UID = 10_000, 60, 4, 54321
FILL_MB = 300


def dump(env, pid, *options, status=0, cwd=None):
    done = subprocess.run([str(env.nettop), "dump", "--yes", "-p", str(pid), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=END_S, check=False, cwd=cwd)
    check_equal(f"exit status of nettop dump ({done.stderr[-600:]})", done.returncode, status)
    return done.stderr


def left_in(folder):
    return [name for name in os.listdir(folder) if name.startswith("nettop-")]


def goes_on(work, more):
    check_equal("what the program has afterwards", work.do("grow 1", END_S)["orders"], ORDERS + more)


def check_file(path, kind):
    found = path.stat()
    check_equal(f"owner of a {kind} dump", found.st_uid, os.getuid())
    check_equal(f"rights of a {kind} dump", stat.S_IMODE(found.st_mode), 0o600)
    head = path.open("rb").read(20)
    check_equal(f"{kind}: ELF of what kind", (head[:4], struct.unpack_from("<H", head, 16)[0]), (b"\x7fELF", CORE))


def as_clrmd_says(core):
    reader = run_script(REPO / "tests/tools/nuget-program.sh", "clrmd")
    done = subprocess.run(["dotnet", reader, str(core)], stdout=subprocess.PIPE, text=True, timeout=120, check=True)
    return {name: int(count) for count, _, name in (line.split(" ", 2) for line in done.stdout.splitlines())}


@test
def each_type_of_dump(env):
    with Holding(env) as work:
        sizes = {}
        for more, kind in enumerate(("full", "heap", "mini", "triage"), 1):
            path = env.scratch / f"{kind}.core"
            dump(env, work.pid, "--type", kind, "-o", str(path))
            check_file(path, kind)
            sizes[kind] = path.stat().st_size
            check_equal(f"what lies beside the {kind} dump", left_in(env.scratch), [])
            if kind in ("full", "heap"):
                check_equal(f"orders in the {kind} dump, by ClrMD", as_clrmd_says(path)["Holding.Order"], ORDERS + more - 1)
            path.unlink()
            goes_on(work, more)
        print(sizes)
        check(sizes["full"] >= sizes["heap"] > sizes["mini"], f"sizes: {sizes}")


@test
def a_crash_report(env):
    with Holding(env) as work:
        path = env.scratch / "report.json"
        dump(env, work.pid, "--type", "report", "-o", str(path))
        report = json.loads(path.read_text(encoding="utf-8"))
        threads = report["payload"]["threads"]
        check(any(thread.get("is_managed") == "true" for thread in threads), f"no managed thread among {len(threads)}")
        check_equal("what is left", left_in(env.scratch), [])
        goes_on(work, 1)


@test
def a_process_of_another_user(env):
    folder = env.open_scratch / "home"
    folder.mkdir(exist_ok=True)
    os.chown(folder, UID, UID)
    with Holding(env, under=("setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups"), variables={"HOME": str(folder)}) as work:
        path = env.scratch / "other.core"
        said = dump(env, work.pid, "--type", "mini", "-o", str(path))
        check(f"as its user (uid {UID})" in said, f"nothing of its user: {said}")
        check_file(path, "mini")
        check_equal("what is left in /tmp", [name for name in left_in("/tmp") if os.stat(f"/tmp/{name}").st_uid == UID], [])
        goes_on(work, 1)


@test
def a_process_with_a_tmp_of_its_own(env):
    # The program may lie below /tmp itself.
    own = 'mount --bind "$(dirname "$2")" /mnt && mount -t tmpfs tmpfs /tmp && export TMPDIR=/tmp && exec "$1" "/mnt/$(basename "$2")"'
    with Holding(env, under=("unshare", "--mount", "--propagation", "private", "sh", "-c", own, "sh")) as work:
        path = env.scratch / "own.core"
        dump(env, work.pid, "--type", "mini", "-o", str(path))
        check_file(path, "mini")
        check_equal("what is left in its /tmp", left_in(f"/proc/{work.pid}/root/tmp"), [])
        goes_on(work, 1)


@test
def nothing_is_done_where_nobody_can_be_asked(env):
    with Holding(env) as work:
        path = env.scratch / "unasked.core"
        done = subprocess.run([str(env.nettop), "dump", "-p", str(work.pid), "-o", str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=END_S, check=False)
        check_equal("exit status", done.returncode, 2)
        check("--yes" in done.stderr and "stands still" in done.stderr, f"neither price nor what to do: {done.stderr}")
        check(not path.exists() and not left_in(env.scratch), "something was written")


@test
def a_file_that_nobody_named_takes_no_others_place(env):
    with Holding(env) as work:
        there = env.scratch / f"holding.{work.pid}.core"
        there.write_text("mine", encoding="ascii")
        said = dump(env, work.pid, "--type", "mini", status=2, cwd=env.scratch)
        check("is there; name another file with -o" in said, said)
        check_equal("the file", there.read_text(encoding="ascii"), "mine")
        there.unlink()
        dump(env, work.pid, "--type", "mini", cwd=env.scratch)
        check_file(there, "mini")


@test
def a_disk_that_is_too_small(env):
    small = "mkdir -p $0 && mount -t tmpfs -o size=1m tmpfs $0 && exec \"$@\""
    with Holding(env, under=("unshare", "--mount", "--propagation", "private", "sh", "-c", small, str(env.open_scratch / "small"))) as work:
        said = dump(env, work.pid, "-o", str(env.scratch / "none.core"), "--in", str(env.open_scratch / "small"), status=1)
        check("are free in" in said and "--in DIR" in said, said)
        check_equal("what is left", left_in(f"/proc/{work.pid}/root{env.open_scratch}/small"), [])
        goes_on(work, 1)


@test
def one_that_somebody_traces(env):
    env.need_commands("strace")
    with Holding(env) as work, running("strace", "-o", "/dev/null", "-p", str(work.pid)) as tracer:
        status = pathlib.Path(f"/proc/{work.pid}/status")
        wait_until(lambda: f"TracerPid:\t{tracer.pid}\n" in status.read_text(encoding="ascii"), END_S, "it is traced")
        said = dump(env, work.pid, "-o", str(env.scratch / "none.core"), status=1)
        check(f"traced by process {tracer.pid}" in said, said)


def createdump_of(pid):
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            children = task.joinpath("children").read_text(encoding="ascii").split()
        except OSError:
            continue
        for child in children:
            if pathlib.Path(f"/proc/{child}/comm").read_text(encoding="utf-8").startswith("createdump"):
                return int(child)
    return None


def goes_on_after(env, number):
    with Holding(env) as work:
        orders = work.do(f"fill {FILL_MB}", END_S)["orders"]
        path = env.scratch / "cut.core"
        child = LineProcess([str(env.nettop), "dump", "--yes", "-p", str(work.pid), "-o", str(path)], os.environ.copy(), env.scratch / "dump.err")
        wait_until(lambda: createdump_of(work.pid), END_S, "createdump runs")
        child.signal(number)
        check_equal("orders of the process that goes on", work.do("grow 1", END_S)["orders"], orders + 1)
        child.wait(END_S)
        wait_until(lambda: not left_in(env.scratch), END_S, lambda: f"nothing is left: {left_in(env.scratch)}")
        check(not path.exists(), "a part of a file was left")
        check_equal("exit status of the program", work.quit(END_S), 0)
        return child.stderr_text()


@test
def a_process_goes_on_when_nettop_is_killed(env):
    goes_on_after(env, signal.SIGKILL)


@test
def a_process_goes_on_when_nettop_is_interrupted(env):
    said = goes_on_after(env, signal.SIGINT)
    check("goes on to its end" in said, f"nothing of what goes on: {said}")


@test
def nettop_stands_still_for_a_while(env):
    """Ctrl-Z while the process is written: that goes on by itself, and so does nettop when it is continued."""
    with Holding(env) as work:
        work.do(f"fill {FILL_MB}", END_S)
        path = env.scratch / "stopped.core"
        child = LineProcess([str(env.nettop), "dump", "--yes", "-p", str(work.pid), "-o", str(path)], os.environ.copy(), env.scratch / "dump.err")
        wait_until(lambda: createdump_of(work.pid), END_S, "createdump runs")
        child.signal(signal.SIGTSTP)
        wait_until(lambda: "\nState:\tT" in pathlib.Path(f"/proc/{child.pid}/status").read_text(encoding="ascii"), END_S, "nettop stands still")
        wait_until(lambda: not createdump_of(work.pid), END_S, "the process has been written")
        child.signal(signal.SIGCONT)
        check_equal(f"exit status ({child.stderr_text()[-400:]})", child.wait(END_S), 0)
        check(path.stat().st_size > FILL_MB << 20, f"{path.stat().st_size} bytes")
        goes_on(work, 1)


if __name__ == "__main__":
    main()
