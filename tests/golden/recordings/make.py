#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Makes the recordings of tests/data/recordings anew (`make recordings`; root, dotnet): programs of tests/live/incidents and tests/live/shop in which something goes wrong, from before it does until
nettop has said so. They are what they were when they were made, so golden files of them change with what nettop makes of them alone; they are made anew when their form is another one, and those files with them.

They are public: the programs lie in a folder that says nothing of who made them, and see no other processes (a namespace of pids of their own).
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "live"))

from nt_live import Incident, Shop, check, check_equal, main, test, wait_until  # noqa: E402
from nt_live.recorded import Recorded  # noqa: E402

REPO = HERE.parents[2]
RECORDINGS = REPO / "tests/data/recordings"
LARGEST = 150_000
WITHIN_S = 60
ROOMS = "/srv"


def moved(env, dll):
    """The program, in a folder of this namespace alone; nettop likewise, which says where a file of its own lies."""
    if not pathlib.Path(ROOMS).is_mount():
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", ROOMS], check=True)
        os.environ["NETTOP"] = shutil.copy(env.nettop, ROOMS)
    dll = pathlib.Path(dll)
    if dll.is_relative_to(ROOMS):
        return str(dll)
    folder = pathlib.Path(ROOMS) / dll.stem
    shutil.copytree(dll.parent, folder, dirs_exist_ok=True)
    return str(folder / dll.name)


@contextlib.contextmanager
def recorded(env, name, process, *options):
    """What is recorded while the block runs, which says what it waits for, is that file."""
    path = env.scratch / f"{name}.nettop"
    with Recorded(env, process.pid, path, *options) as recording:
        recording.wait_for_lines(2)
        yield recording
        recording.end()
    check(path.stat().st_size <= LARGEST, f"{name}: {path.stat().st_size} bytes are more than {LARGEST}")
    lines, said, status = recording.replayed()
    check_equal(f"{name}: what replay says", (status, said), (0, ""))
    check(lines == recording.lines_path.read_bytes(), f"{name}: what is replayed is not what was written")
    texts = subprocess.run(["zstd", "-dcf", path], capture_output=True, check=False).stdout
    found = re.search(rb"[!-~]*" + re.escape(str(REPO).encode()) + rb"[!-~]*", texts)
    check(not found, f"{name}: it has a path of who made it in it: {found}")
    RECORDINGS.mkdir(exist_ok=True)
    shutil.copyfile(path, RECORDINGS / f"{name}.nettop")


def wait_for(recording, kind):
    """A finding, and one interval more."""
    def found():
        return [line for line in map(json.loads, recording.lines()) if any(finding["kind"] == kind for finding in line["findings"])]
    wait_until(lambda: len(found()) >= 2, WITHIN_S, lambda: f"{kind}; the lines have {[f['kind'] for line in map(json.loads, recording.lines()) for f in line['findings']]}")


def of_incident(env, name, what, kind, *options):
    env._incidents_dll = moved(env, env.incidents_dll)
    with Incident(env, what) as incident, recorded(env, name, incident, *options) as recording:
        incident.begin()
        wait_for(recording, kind)


def of_shop(env, name, mistake, kind, *commands):
    env._shop_dll = moved(env, env.shop_dll)
    with Shop(env) as shop:
        shop.wait_answered(100, WITHIN_S)
        with recorded(env, name, shop) as recording:
            shop.begin(mistake, *commands)
            wait_for(recording, kind)


@test
def pool_starvation(env):
    of_incident(env, "pool_starvation", "result", "pool_starvation")


@test
def deadlock(env):
    of_incident(env, "deadlock", "deadlock", "deadlock", "--waits")


@test
def gc_pauses(env):
    of_incident(env, "gc_pauses", "pause", "gc_storm")


@test
def lock_convoy(env):
    of_shop(env, "lock_convoy", "lock-convoy", "lock_convoy", "rate cart 40")


@test
def exception_flood(env):
    of_shop(env, "exception_flood", "exception-flood", "exception_flood")


if __name__ == "__main__":
    main()
