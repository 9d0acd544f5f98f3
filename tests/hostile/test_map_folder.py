#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The folder of a stranger's perf map, exchanged for others while root's nettop switches the map on and removes it: nothing of root's goes there, nothing of root's goes. `RACE_S`: for so long (4)."""
import contextlib
import os
import signal
import subprocess
import time

from nt_hostile import *
from nt_live.nettop import state_of
from nt_live.process import LineProcess

RACE_S = int(os.environ.get("RACE_S", "4"))
SEEN_S = 20.0

# Exchanges two names for each other for as long as it lives: at no moment does one not exist.
EXCHANGE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
one, other = (os.fsencode(name) for name in sys.argv[1:])
print("ready", flush=True)
while True:
    if libc.renameat2(-100, one, -100, other, 2):
        sys.exit(os.strerror(ctypes.get_errno()))
"""


def tree(folder):
    """What there is, to the last right."""
    found = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        stat = path.lstat()
        found[str(path.relative_to(folder))] = (oct(stat.st_mode), stat.st_uid, stat.st_gid, stat.st_ino, stat.st_size if path.is_file() else None)
    return found


def roots_below(folder):
    """What root has made there."""
    return [str(path) for path in folder.rglob("*") if path.lstat().st_uid == 0]


def victim_of(env, pid):
    """A folder that only root may write to, with a file in it that has the map's name."""
    victim = env.open_scratch / f"roots-{pid}"
    victim.mkdir(mode=0o755)
    (victim / f"perf-{pid}.map").write_text("precious\n", encoding="ascii")
    return victim


@contextlib.contextmanager
def target_of_stranger(env, name, under=lambda maps: ()):
    """`under`: of the folder of its map, what it is started by."""
    folder = folder_of_stranger(env, name)
    run_as_stranger("mkdir", folder / "maps")
    with Bare(env, under=(*STRANGER, *under(folder / "maps")), variables={"TMPDIR": str(folder / "maps"), "HOME": "/", "DOTNET_CLI_HOME": "/"},
              dotnet={"PerfMapJitDumpPath": str(folder / "maps")}) as work:
        yield work, folder


def watch_again_and_again(env, pid, seconds):
    """Each time until nettop has something to say of the map, then to the end. Gives how often."""
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end:
        with Nettop(env, pid, "--source", "map") as nettop:
            nettop.wait_for(lambda line: state_of(line, "map") not in ("starting", None), SEEN_S, "a word about the map")
            nettop.process.signal(signal.SIGTERM)
            nettop.read_to_end(SEEN_S)
        count += 1
    return count


@test
def a_folder_that_is_exchanged(env):
    """For a link to a folder of root's, thousands of times a second."""
    with target_of_stranger(env, "exchanged") as (work, folder):
        victim = victim_of(env, work.pid)
        run_as_stranger("ln", "-s", victim, folder / "link")
        before = tree(victim)
        exchange = LineProcess(as_stranger("python3", "-c", EXCHANGE, folder / "maps", folder / "link"))
        try:
            check_equal("the stranger says", exchange.read_line(SEEN_S).strip(), "ready")
            count = watch_again_and_again(env, work.pid, RACE_S)
            check(exchange.alive(), f"the stranger has given up: {exchange.stderr_text()}")
        finally:
            exchange.kill()
        check_equal("root's folder", tree(victim), before)
        check_equal("root's in the stranger's folder", roots_below(folder), [])
        work.do("compute 1")
    return f"{count} times"


@test
def a_folder_over_which_another_is_mounted(env):
    """In a user namespace of the stranger's own, where they may mount what they like: root's folder, seen from within."""
    if not can_mount():
        print("note a stranger may have no user namespace on this machine: a_folder_over_which_another_is_mounted is left out")
        return "not possible here"
    victim = env.open_scratch / "mounted"
    victim.mkdir(mode=0o755)

    def under(maps):
        return ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", f'mount --bind {victim} {maps} && exec "$@"', "sh")

    with target_of_stranger(env, "over", under) as (work, folder):
        before = tree(victim)
        watch_again_and_again(env, work.pid, 1)
        check_equal("root's folder", tree(victim), before)
        check_equal("root's in the stranger's folder", roots_below(folder), [])
    return None


def can_mount():
    try:
        run_as_stranger("unshare", "--user", "--map-root-user", "--mount", "true")
    except subprocess.CalledProcessError:
        return False
    return True


if __name__ == "__main__":
    main()
