#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop --ssh: over Debian's sshd on loopback, what it shows, how it ends, and that nothing is left there."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from nt_live import *
from nt_live.environment import mounted
from nt_live.far_machine import PERSON, FarMachine
from nt_live.process import run

SYSTEM_PATH = "/usr/bin:/bin"


def programs(env):
    """PATH over there, with nettop in a folder of its own, under its name."""
    folder = env.open_scratch / "far-bin"
    if not folder.exists():
        folder.mkdir()
        (folder / "nettop").symlink_to(env.nettop)
    return f"{folder}:{SYSTEM_PATH}"


def nettop_over(env, far, *options):
    return run([str(env.nettop), "--ssh", "far", *map(str, options)], far.variables)


@test
def json_is_what_it_is_there(env):
    with Bare(env) as work, FarMachine(env, programs(env)) as far:
        work.spin()
        with Nettop(env, work.pid, "--ssh", "far", variables=far.variables) as nettop:
            nettop.wait_for(lambda line: any(row["name"] and "Spin" in row["name"] for row in line["methods"]), 40, "the method that runs")
            summary = nettop.stop()
        check_equal("its summary is of", summary["target"]["pid"], work.pid)
        check_equal("left", far.left() + work.leftovers(), [])


@test
def the_exit_status_is_the_one_of_the_nettop_there(env):
    with Bare(env), FarMachine(env, programs(env)) as far:  # a list of none is a failure
        done = nettop_over(env, far, "-p", "no-such-program-there", "--json")
        here = run([str(env.nettop), "-p", "no-such-program-there", "--json"])
        check_equal("exit status", done.returncode, here.returncode)
        check_equal("what is said", done.stderr, here.stderr)
        check_equal("of a list", nettop_over(env, far, "ps", "--json").returncode, 0)
        check_equal("of one that is asked in the usual place", run([str(env.nettop), "ps", "--json", "--ssh=far"], far.variables).returncode, 0)


@test
def words_arrive_as_they_are(env):
    """Whatever the login shell over there is: each of these means something to one of them."""
    words = ["a b $(touch /tmp/harm) `id` it's back\\slash\\ \\' x;y & \"q\" %s é \\", "*", "~", "-p", "#no"]
    echo = env.open_scratch / "echo-bin"
    echo.mkdir()
    (echo / "nettop").write_text("#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done\n", encoding="ascii")
    (echo / "nettop").chmod(0o755)
    for shell in ("sh", "bash", "zsh", "fish"):
        env.need_commands(shell)
        # The shell gets the line as sshd would give it to a login shell.
        with FarMachine(env, f"{echo}:{SYSTEM_PATH}", shell=f"{shell} -c \"$SSH_ORIGINAL_COMMAND\"") as far:
            for word in words:
                done = nettop_over(env, far, "--json", "-p", word)
                check_equal(f"{shell}: {word}", done.stdout.split("\n"), ["--json", f"--pid={word}", "--", ""])


@test
def one_clear_sentence_for_what_is_not_there(env):
    with FarMachine(env, SYSTEM_PATH) as far:
        far.stop()
        done = nettop_over(env, far, "ps")
        check_equal("refused: exit status", done.returncode, 1)
        check("Connection refused" in done.stderr and done.stderr.count("\n") == 1, f"refused: {done.stderr}")
    done = run([str(env.nettop), "--ssh", "far", "ps"], {"PATH": "/nonexistent"})
    check_equal("no ssh", (done.returncode, done.stderr.startswith("nettop: there is no ssh on this machine")), (3, True))
    for host in ("-oProxyCommand=touch /tmp/harm", "-v", "", "a b", "a\x1b[2J"):
        done = run([str(env.nettop), f"--ssh={host}", "ps"])
        check_equal(f"{host!r}: exit status", done.returncode, 2)
        check("\x1b" not in done.stderr and "is no host" in done.stderr, f"{host!r}: {done.stderr}")


@test
def what_is_said_there_moves_nothing_here(env):
    """A hostile machine: its messages are text, its answers are checked."""
    for answer, expected in (("echo 'nettop-far program relative'; printf 'nettop-far program /x\\033[2Jy\\n'; echo nettop-far end", "there is no nettop on far"),
                             ("printf 'a\\033]0;title\\007b\\n' >&2; exit 3", "nobody execute sh"), ("head -c 200000 /dev/zero", "nobody execute sh")):
        with FarMachine(env, SYSTEM_PATH, shell=f"sh -c {json.dumps(answer)}") as far:
            done = nettop_over(env, far, "ps")
            check(expected in done.stderr and not {"\x1b", "\x07"} & set(done.stderr), f"{answer}: {done.stderr!r}")


@test
def it_ends_there_when_it_is_killed_here_or_the_connection_is_cut(env):
    with Bare(env) as work, FarMachine(env, programs(env)) as far:
        for how in ("killed", "cut"):
            with Nettop(env, work.pid, "--ssh", "far", variables=far.variables) as nettop:
                nettop.wait_for(lambda line: True, 40, "an interval")
                there = far.processes("nettop")
                check(there, "nettop does not run there")
                if how == "killed":
                    os.kill(nettop.process.pid, signal.SIGKILL)
                else:
                    check(far.cut() > 0, "there was no connection")
                    check_equal("exit status", nettop.read_to_end(30), 1)
                    check("the connection to far" in nettop.process.stderr_text(), nettop.process.stderr_text())
            wait_until(lambda: not there & set(descendants()), 20, lambda: f"{how}: nettop has ended there: {there & set(descendants())}")
            wait_until(lambda: not work.leftovers(), 10, lambda: f"left: {work.leftovers()}")
        check_equal("left", far.left(), [])


def find_copy(far):
    return next((name for name in far.left() if name.startswith("nettop.")), None)


@test
def a_copy_where_there_is_none(env):
    """Of this nettop: with its libraries and its loader, in a folder that only that user can look into; gone at the end."""
    with Bare(env) as work, FarMachine(env, SYSTEM_PATH) as far:
        work.spin()
        with Nettop(env, work.pid, "--ssh", "far", "--yes", variables=far.variables) as nettop:
            nettop.wait_for(lambda line: any(row["name"] and "Spin" in row["name"] for row in line["methods"]), 60, "the method that runs")
            folder = far.temporary / find_copy(far)
            check_equal("its rights", (folder.stat().st_mode & 0o777, (folder / "nettop").stat().st_mode & 0o077), (0o700, 0))
            mapped = {line.split(None, 5)[5].strip() for pid in far.processes("nettop") | far.processes(next(folder.glob("ld*")).name[:15])
                      for line in open(f"/proc/{pid}/maps", encoding="utf-8") if "/" in line and ("r-x" in line)}
            check(mapped and all(path.startswith((str(folder), "/memfd")) for path in mapped), f"code that is not of the copy: {mapped}")
            states = {source["name"]: source["state"] for source in nettop.intervals[-1]["sources"]}
            nettop.stop()
            check(states["lttng"] != "delivering" and states["perf"] == states["eventpipe"] == "delivering", f"sources: {states}")
            check("without LTTng" in nettop.process.stderr_text(), f"what it costs is not said: {nettop.process.stderr_text()}")
        check_equal("left", far.left() + work.leftovers(), [])


def as_person():
    return ("setpriv", f"--reuid={PERSON}", f"--regid={PERSON}", "--clear-groups")


@test
def a_plain_user_there_sees_his_own(env):
    """And of a program of root's he is told what is missing, with the command that brings it."""
    env.need_commands("setpriv", "unshare")
    with Bare(env, under=as_person(), variables={"HOME": "/nonexistent"}) as own, Bare(env) as roots:
        own.spin()
        with FarMachine(env, programs(env), user="person") as far:
            with Nettop(env, own.pid, "--ssh", "far", variables=far.variables) as nettop:
                nettop.wait_for(lambda line: any("Spin" in row["name"] and row["self_samples"] for row in line["methods"]), 40, "the method that runs")
                nettop.stop()
            done = nettop_over(env, far, "-p", roots.pid, "--json", "-n", 1)
            check(f"(sudo {env.nettop} -p {roots.pid})" in done.stderr, f"installed there: {done.stderr}")
        with FarMachine(env, SYSTEM_PATH, user="person") as far:
            for words in (("doctor", "-p", roots.pid), ("-p", roots.pid, "--json", "-n", 1)):
                done = nettop_over(env, far, *words, "--yes")
                said = done.stdout + done.stderr
                check(f"nettop --ssh root@far -p {roots.pid}" in said and f"{far.temporary}/" not in said, f"of a copy: {said}")
            check_equal("left", far.left(), [])
        check_equal("left", own.leftovers() + roots.leftovers(), [])


@test
def no_copy_without_a_yes(env):
    with FarMachine(env, SYSTEM_PATH) as far:
        done = nettop_over(env, far, "ps", "--json")
        check_equal("exit status", done.returncode, 2)
        check("say --yes" in done.stderr and f"{far.temporary}" in done.stderr and " MB " in done.stderr, done.stderr)
        check_equal("left", far.left(), [])


@test
def no_copy_stays_however_it_ends(env):
    with Bare(env) as work, FarMachine(env, SYSTEM_PATH) as far:
        for how in ("killed", "cut", "exit status"):
            options = ("-n", 1) if how == "exit status" else ()
            with Nettop(env, work.pid, "--ssh", "far", "--yes", *map(str, options), variables=far.variables) as nettop:
                nettop.wait_for(lambda line: True, 60, "an interval")
                if how == "killed":
                    os.kill(nettop.process.pid, signal.SIGKILL)
                elif how == "cut":
                    check(far.cut() > 0, "there was no connection")
                else:
                    check_equal("exit status", nettop.read_to_end(30), 0)
            wait_until(lambda: not far.left(), 20, lambda: f"{how}: left: {far.left()}")
            wait_until(lambda: not work.leftovers(), 10, lambda: f"{how}: left: {work.leftovers()}")


@test
def no_copy_where_it_cannot_be(env):
    """Another machine, no room, no place where a file may be executed."""
    other = env.open_scratch / "other-bin"
    other.mkdir()
    (other / "uname").write_text('#!/bin/sh\ncase $1 in -s) echo Linux;; *) echo riscv64;; esac\n', encoding="ascii")
    (other / "uname").chmod(0o755)
    with FarMachine(env, f"{other}:{SYSTEM_PATH}") as far:
        done = nettop_over(env, far, "ps", "--json", "--yes")
        check_equal("another machine", (done.returncode, "that is Linux riscv64" in done.stderr), (3, True))
    nowhere_else = env.open_scratch / "one-folder-bin"
    nowhere_else.mkdir()
    (nowhere_else / "mktemp").write_text(f'#!/bin/sh\nexec {shutil.which("mktemp")} -d "$TMPDIR/nettop.XXXXXXXXXX"\n', encoding="ascii")
    (nowhere_else / "mktemp").chmod(0o755)
    for options, path, expected in (("size=1m,mode=1777", f"{nowhere_else}:{SYSTEM_PATH}", "is there room"), ("noexec,mode=1777", f"{nowhere_else}:{SYSTEM_PATH}", "may files be executed"),
                                    ("ro", f"{nowhere_else}:{SYSTEM_PATH}", "no folder can be made")):
        with FarMachine(env, path) as far, mounted("-t", "tmpfs", "-o", options, "tmpfs", str(far.temporary)):
            done = nettop_over(env, far, "ps", "--json", "--yes")
            check_equal(f"{options}: exit status", done.returncode, 1)
            check(expected in done.stderr, f"{options}: {done.stderr}")
            check_equal("left", far.left(), [])


@test
def a_copy_where_nothing_in_tmp_is_executed_or_has_room(env):
    """Nor can the home be written to."""
    def places():
        return sorted(str(path) for folder in ("/var/tmp", "/dev/shm") for path in pathlib.Path(folder).glob("nettop.*"))
    before = places()
    for options in ("noexec,mode=1777", "size=1m,mode=1777"):
        with Bare(env), FarMachine(env, SYSTEM_PATH) as far, mounted("-t", "tmpfs", "-o", options, "tmpfs", str(far.temporary)), mounted("-t", "tmpfs", "-o", "ro", "tmpfs", str(far.home)):
            done = nettop_over(env, far, "ps", "--json", "--yes")
            check_equal(f"{options}: exit status ({done.stderr})", done.returncode, 0)
            check("/var/tmp" in done.stderr, f"where it goes is not said: {done.stderr}")
            check_equal(f"{options}: left", far.left() + [path for path in places() if path not in before], [])


@test
def a_key_that_has_changed(env):
    with FarMachine(env, programs(env)) as far:
        far.change_key()
        done = nettop_over(env, far, "ps")
        check_equal("exit status", done.returncode, 1)
        check("HAS CHANGED" in done.stderr and done.stderr.rstrip().endswith("nettop: no connection to far: Host key verification failed."), done.stderr)


@long_test
def a_machine_that_does_not_answer(env):
    """It takes the connection and says nothing; it is given up, and a signal does not wait for that."""
    with socket.socket() as silent, FarMachine(env, programs(env)) as far:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        far.move_to(silent.getsockname()[1])
        start = time.monotonic()
        done = nettop_over(env, far, "ps")
        check_equal("exit status", done.returncode, 1)
        check("no connection to far" in done.stderr and done.stderr.count("\n") == 1, done.stderr)
        check_within("given up after, s", time.monotonic() - start, 20, absolute=5)
        with subprocess.Popen([env.nettop, "--ssh", "far", "ps"], env=os.environ | far.variables, stderr=subprocess.PIPE) as waits:
            wait_until(lambda: "ssh" in descendants(waits.pid).values(), 10, "it tries")
            start = time.monotonic()
            waits.terminate()
            check_equal("ended by a signal", waits.wait(10), 1)
            check_limit("s", time.monotonic() - start, 5)


if __name__ == "__main__":
    main()
