#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""--readonly, by the word of strace: whatever is pressed or asked for, nettop asks nothing of the target, starts no session, and writes no file but in a folder of its own."""
import re
import subprocess

from nt_pty import *
from nt_live import long_test

# What would reach into another process, or change a file: each call, with its arguments as strace writes them.
CALLS = "connect,openat,open,creat,openat2,mkdir,mkdirat,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,process_vm_writev,ptrace,kill,tgkill,pidfd_send_signal,prlimit64,setns,bpf"
LINE = re.compile(r"^(\d+) +(?:\[[^\]]*\] )?(\w+)\((.*)$")
# It may write to terminals, to its own memory files and folder, and what a person names in the dialog of a file.
OWN = re.compile(r"^(/dev/(null|tty|pts/\d+)|/memfd|/proc/self/.*|(/tmp|TMPDIR(/[^/]+)?)/nettop-\w{6}(/.*)?)$")
# Keys that write a file of the person's, in the folder that is current or of settings: not of the target, and not of the machine.
PERSONS = {"w", "W"}


def changes(log, pid, own_folder):
    """What it did that it should not have, of a log of strace -f."""
    found = []
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        match = LINE.match(line)
        if not match or " = -1 " in line:
            continue
        _, call, arguments = match.groups()
        quoted = re.search(r'"([^"]*)"', arguments)
        path = quoted[1].replace(str(own_folder), "TMPDIR") if quoted else ""
        if call == "connect":
            if "dotnet-diagnostic" in arguments or "lttng" in arguments or "AF_INET" in arguments:
                found.append(line)
        elif call in ("open", "openat", "openat2", "creat"):
            if re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", arguments) and not OWN.match(path):
                found.append(line)
        elif call == "prlimit64":
            if re.match(rf"{pid}, \w+, \{{", arguments):
                found.append(line)
        elif call in ("kill", "tgkill", "pidfd_send_signal"):
            if re.match(rf"{pid}\b", arguments):
                found.append(line)
        elif call == "bpf":
            if "UPROBE" in arguments:
                found.append(line)
        elif not OWN.match(path):
            found.append(line)
    return found


def check_log(env, log, target, what):
    check(log.stat().st_size, f"{what}: strace has written nothing")
    found = changes(log, target.pid, env.scratch)
    check(not found, f"{what}: " + "\n".join(found[:10]))


def strace(log):
    return ["strace", "-f", "-qq", "-s", "200", "-e", f"trace={CALLS}", "-o", log]


def press_everything(env, share):
    env.need_commands("strace")
    keys = [key for key in keys_of_manual() if key not in END_IT and key != STOPS_IT and key not in PERSONS]
    log = env.scratch / "readonly.strace"
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        terminal.run(*strace(log), env.nettop, "-p", target.pid, "--readonly", "--no-config", "-d", 0.5)
        terminal.wait_for(lambda screen: screen.startswith(f"{target.pid} ") and terminal.in_full_screen(), "the identity line stands in line 1", 60)
        wait_for_methods(terminal, target)
        for at, screen in enumerate(SCREENS):
            go_to(terminal, screen)
            press_all(terminal, keys[at % share::share])
        terminal.keys("q")
        terminal.wait_for_shell("nettop has ended", 60)
        check_log(env, log, target, "keys")


@test
def no_key_changes_the_target(env):
    press_everything(env, 5)


@long_test
def no_key_on_any_screen_changes_the_target(env):
    press_everything(env, 1)


@test
def no_option_changes_the_target(env):
    """All that ask for more than a watch does, at once and by the commands that take --readonly."""
    env.need_commands("strace")
    more = ("--alloc", "--calls", "--jit-callers", "--pool-items", "--requests", "--request-cpu", "--waits", "--wall", "--counters", "System.Runtime", "--catches", "--exceptions",
            "--event-source", "clr")
    with Target(env) as target:
        for number, words in enumerate((("-p", target.pid, "--json", "-n", 4, "-d", 0.5, *more), ("stacks", "-p", target.pid, "-d", 1, "--wall"), ("map", "-p", target.pid), ("threads", "-p", target.pid), ("report", "-p", target.pid, "-d", 1), ("doctor", "-p", target.pid),
                                        ("--all", "--json", "-n", 3, "-d", 0.5))):
            log = env.scratch / f"option-{number}.strace"
            done = subprocess.run([*map(str, strace(log)), str(env.nettop), *map(str, words), "--readonly"], capture_output=True, text=True, timeout=120, check=False)
            check(done.returncode in (0, 3), f"{words}: exit status {done.returncode}: {done.stderr[-500:]}")
            check_log(env, log, target, words)


@test
def what_would_change_it_is_refused(env):
    with Target(env) as target:
        for words, reason in ((("-p", target.pid, "--map", "--json"), "a perf map would be written"), (("stacks", "-p", target.pid, "-e", "u:libc.so.6:malloc"), "a probe would change")):
            done = subprocess.run([str(env.nettop), *map(str, words), "--readonly"], capture_output=True, text=True, timeout=60, check=False)
            check_equal(f"{words}: exit status", done.returncode, 2)
            check(f"--readonly: {reason}" in done.stderr, done.stderr)


if __name__ == "__main__":
    main()
