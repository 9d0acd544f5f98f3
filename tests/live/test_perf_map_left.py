#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What is left of a perf map that nettop has switched on, after every end of nettop and of the target; and what lies in its folder that is not nettop's to remove."""
import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from nt_live import *
from nt_live.nettop import source_of, state_of
from nt_live.process import descendants

UNDONE_S = 10.0
SEEN_S = 20.0
FROZEN_S = 10.0  # each step of the end has a limit of its own
USER, STRANGER = 54321, 54322
AS_USER = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups")
LOCKS = (pathlib.Path("/run/nettop"), pathlib.Path(f"/dev/shm/nettop-{USER}"))


def start_ticks(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]


def locks_of(ticks):
    """By the start time of the target: its own pid may be 1."""
    return [str(path) for folder in LOCKS if folder.exists() for path in folder.glob(f"map-*-{ticks}")]


@contextlib.contextmanager
def in_a_shared_folder(env, under=()):
    """
    A target of another user, with pids and mounts of its own, whose folder for maps is one of the host's: what is left there stays when its namespaces are gone. Gives
    the target, the pid as we see it, and the folder.
    """
    env.need_commands("unshare", "mount", "setpriv")
    outer = pathlib.Path(tempfile.mkdtemp(prefix="maps.", dir=env.open_scratch))
    inner = env.open_scratch / "maps-inside"
    inner.mkdir(exist_ok=True)
    outer.chmod(0o1777)
    shell = f'mount --bind {outer} {inner} && exec "$@"'
    under = under or ("unshare", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc", "sh", "-c", shell, "sh")
    with Bare(env, under=(*under, *AS_USER), variables={"TMPDIR": str(inner), "HOME": "/", "DOTNET_CLI_HOME": "/"},
              dotnet={"PerfMapJitDumpPath": str(inner)}) as work:
        pid = next((pid for pid, name in descendants(work.pid).items() if name == "dotnet"), work.pid)
        yield work, pid, outer


def maps_in(folder):
    return sorted(path.name for path in folder.iterdir() if path.name.startswith(("perf-", "nettop", "jit-")))


def ends(env, kill_target, kill_nettop):
    """`kill_target`: before nettop ends. Both are killed: at once."""
    with in_a_shared_folder(env) as (_, pid, folder):
        ticks = start_ticks(pid)
        with Nettop(env, pid, "--source", "map") as nettop:
            nettop.wait_for_sources("map")
            check_equal("made in the folder", maps_in(folder), ["perf-1.map"])
            check_equal("the owner of the map", (folder / "perf-1.map").stat().st_uid, USER)
            if kill_target:
                os.kill(pid, signal.SIGKILL)
            if kill_nettop:
                nettop.process.signal(signal.SIGKILL)
            elif kill_target:
                nettop.read_to_end(SEEN_S)
            else:
                nettop.stop()
            wait_until(lambda: not maps_in(folder) and not locks_of(ticks), UNDONE_S,
                       lambda: f"nothing is left; still there: {maps_in(folder)} {locks_of(ticks)}")


@test
def nettop_ends(env):
    ends(env, kill_target=False, kill_nettop=False)


@test
def nettop_is_killed(env):
    ends(env, kill_target=False, kill_nettop=True)


@long_test
def target_dies_first(env):
    ends(env, kill_target=True, kill_nettop=False)


@long_test
def both_are_killed(env):
    ends(env, kill_target=True, kill_nettop=True)


def taken(env, plant):
    """The map was moved, and something else has its name when nettop ends: it stays, whatever it is."""
    env.need_commands("setpriv")
    with in_a_shared_folder(env) as (_, pid, folder):
        path = folder / "perf-1.map"
        with Nettop(env, pid, "--source", "map") as nettop:
            nettop.wait_for_sources("map")
            path.rename(folder / "moved")
            plant(path)
            nettop.stop()
            check(os.path.lexists(path), "what had the map's name is gone")
            check((folder / "moved").exists(), "the moved map is gone")


def plant_strangers(path):
    path.write_text("precious", encoding="ascii")
    os.chown(path, STRANGER, STRANGER)


@long_test
def name_taken_by_a_strangers_file(env):
    taken(env, plant_strangers)


@long_test
def name_taken_by_a_link(env):
    taken(env, lambda path: path.symlink_to("moved"))


@test
def planted_claim(env):
    """The target's user says that a stranger's file is the map: root's nettop believes nobody, and makes nothing in that folder."""
    with in_a_shared_folder(env) as (_, pid, folder):
        victim = folder / "perf-1.map"
        victim.write_text("precious", encoding="ascii")
        os.chown(victim, STRANGER, STRANGER)
        stat = victim.stat()
        planted = folder / f"nettop-maps-{USER}"
        planted.mkdir(mode=0o700)
        claim = planted / f"1-{start_ticks(pid)}"
        claim.write_text(f"on {stat.st_dev:20} {stat.st_ino:20}\n", encoding="ascii")
        claim.chmod(0o600)
        for path in (planted, claim):
            os.chown(path, USER, USER)
        before = sorted(folder.rglob("*"))
        with Nettop(env, pid, "--source", "map") as nettop:
            nettop.wait_for(lambda line: state_of(line, "map") not in ("starting", None), SEEN_S, "a word about the map")
            nettop.stop()
        check_equal("in the folder", sorted(folder.rglob("*")), before)
        check_equal("the stranger's file", victim.read_text(encoding="ascii"), "precious")
        return source_of(nettop.intervals[-1], "map")["reason"]


@test
def killed_with_its_keeper(env):
    """Nobody is left to undo it: the next nettop finds the lock file that nobody holds, and does."""
    with Bare(env) as work:
        ticks = start_ticks(work.pid)
        with Nettop(env, work.pid, "--source", "map") as nettop:
            nettop.wait_for_sources("map")
            nettop.process.signal(signal.SIGSTOP)  # a keeper that is killed is replaced
            for pid in (*descendants(nettop.process.pid), nettop.process.pid):
                os.kill(pid, signal.SIGKILL)
            nettop.process.wait(SEEN_S)
        check(work.map.exists() and locks_of(ticks), "somebody has cleaned up")
        with Nettop(env, work.pid, "--source", "map") as nettop:
            nettop.wait_for_sources("map")
            nettop.stop()
        check_equal("left behind", work.leftovers(), [])


@contextlib.contextmanager
def on_a_disk(env, folder):
    """A file system in a file, at `folder`, that can be frozen as for a backup; thawed at the end."""
    env.need_commands("mkfs.ext4", "mount", "fsfreeze")
    image = pathlib.Path(tempfile.mkdtemp(prefix="disk.", dir=env.open_scratch)) / "image"
    with image.open("wb") as file:
        file.truncate(32 << 20)
    subprocess.run(("mkfs.ext4", "-q", image), check=True)
    if subprocess.run(("mount", "-o", "loop", image, folder), check=False, stderr=subprocess.DEVNULL).returncode:
        raise Missing("no loop devices: nothing can be frozen")
    try:
        yield lambda frozen: subprocess.run(("fsfreeze", "-f" if frozen else "-u", folder), check=frozen, stderr=subprocess.DEVNULL)
    finally:
        subprocess.run(("fsfreeze", "-u", folder), check=False, stderr=subprocess.DEVNULL)
        subprocess.run(("umount", "-l", folder), check=True)


def is_dead_or_waiting(pid):
    """For a disk: nobody can end it."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] in "DZ"
    except FileNotFoundError:
        return True


def frozen(env, kill):
    """Whoever removes the map hangs, and cannot be killed: nettop and its keeper end all the same, and it is said. The next nettop removes it."""
    said = ""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="maps.", dir=env.open_scratch))
    with on_a_disk(env, folder) as freeze:
        folder.chmod(0o1777)
        with Bare(env, dotnet={"PerfMapJitDumpPath": str(folder)}) as work:
            ticks = start_ticks(work.pid)
            with Nettop(env, work.pid, "--source", "map") as nettop:
                nettop.wait_for_sources("map")
                path = folder / f"perf-{work.pid}.map"
                check(path.exists(), "there is no map")
                helpers = descendants(nettop.process.pid)
                freeze(True)
                began = time.monotonic()
                if kill:
                    nettop.process.signal(signal.SIGKILL)
                    nettop.process.wait(FROZEN_S)
                else:
                    nettop.stop(FROZEN_S)
                    said = source_of(nettop.summary, "map")["reason"] or ""
                took = time.monotonic() - began
                wait_until(lambda: all(is_dead_or_waiting(pid) for pid in helpers), FROZEN_S, f"the keeper ends: {helpers}")
                check(path.exists(), "the map of a frozen disk is gone")
                check(kill or "could not be removed" in said, f"the map says {said!r}")
                freeze(False)
            with Nettop(env, work.pid, "--source", "map") as nettop:
                nettop.wait_for_sources("map")
                nettop.stop()
            check_equal("left", maps_in(folder) + locks_of(ticks), [])
            work.do("compute 1")
        return f"{took:.1f} s; {said}"


@test
def frozen_file_system(env):
    return frozen(env, kill=False)


@long_test
def frozen_file_system_and_killed(env):
    return frozen(env, kill=True)


@contextlib.contextmanager
def started(env, *options, sources="map"):
    """`nettop run` of the workload, which sets the map at its start unless EventPipe or LTTng names the methods meanwhile. Gives it, the workload's pid, and where its map is."""
    with NettopRun(env, "dotnet", env.workload_dll, options=("--source", sources, *options)) as nettop:
        pid = nettop.answer(lambda answer: answer.get("ready"))["pid"]
        yield nettop, pid, pathlib.Path(f"/tmp/perf-{pid}.map")


def run_ends(env, end):
    """`end(nettop, pid)` ends one of them, or both."""
    with started(env) as (nettop, pid, path):
        ticks = start_ticks(pid)
        nettop.wait_for(lambda line: "switched on by nettop" in (source_of(line, "map").get("reason") or ""), SEEN_S, "the map is nettop's")
        check(path.exists(), "there is no map")
        end(nettop, pid)
        wait_until(lambda: not path.exists() and not locks_of(ticks), UNDONE_S, lambda: f"nothing is left; still there: {path} {locks_of(ticks)}")


def gives_the_program_time_to_start(env, sources):
    with started(env, sources=sources) as (nettop, pid, path):
        ticks = start_ticks(pid)
        environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
        check(b"PerfMapEnabled" not in environment, "the program is told at its start to write a map")
        if path.exists():  # or the machine was too busy to look within 2 s
            raise OutOfLimit("there is a map at once")
        nettop.wait_for(lambda line: "switched on by nettop" in (source_of(line, "map").get("reason") or ""), SEEN_S, "the map is nettop's")
        check("Workload.Program::Main()" in path.read_text(encoding="utf-8", errors="replace"), "Main is not in the map")
        nettop.send("quit")
        nettop.read_to_end(SEEN_S)
        check(not path.exists() and not locks_of(ticks), "something is left")


@test
def run_gives_the_program_time_to_start(env):
    """To write the map from the start on delays a program's first answer; told to write it later, it writes all that there is."""
    gives_the_program_time_to_start(env, "map,eventpipe")


@long_test
def run_gives_it_time_beside_lttng(env):
    """And whether one is needed is not known before: here nobody reads the runtime's data."""
    gives_the_program_time_to_start(env, "map,lttng")


@long_test
def run_and_the_program_ends(env):
    run_ends(env, lambda nettop, _: (nettop.send("quit"), nettop.read_to_end(SEEN_S)))


@test
def run_and_the_program_is_killed(env):
    run_ends(env, lambda nettop, pid: (os.kill(pid, signal.SIGKILL), nettop.read_to_end(SEEN_S)))


@test
def run_and_nettop_is_killed(env):
    run_ends(env, lambda nettop, _: nettop.process.signal(signal.SIGKILL))


@test
def run_and_a_limit(env):
    with started(env, "--max-map", "200K") as (nettop, _, path):
        nettop.wait_for_sources("map")

        def one_more(line):
            nettop.send("jit-dynamic 500")
            return state_of(line, "map") == "absent"

        line = nettop.wait_for(one_more, SEEN_S, "the map is switched off")
        check(not path.exists(), "the map is still there")
        nettop.send("quit")
        nettop.read_to_end(SEEN_S)
        return source_of(line, "map")["reason"]


@test
def run_with_a_map_of_somebodys(env):
    """Set in the environment before: it stays."""
    with NettopRun(env, "dotnet", env.workload_dll, options=("--source", "map"), variables={"DOTNET_PerfMapEnabled": "3"}) as nettop:
        pid = nettop.answer(lambda answer: answer.get("ready"))["pid"]
        nettop.wait_for_sources("map")
        nettop.send("quit")
        nettop.read_to_end(SEEN_S)
        path = pathlib.Path(f"/tmp/perf-{pid}.map")
        check(path.exists(), "the map is removed")
        path.unlink()


if __name__ == "__main__":
    main()
