#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Root's nettop has no more descriptors after many connections to a port of the stranger's than after the first: what was refused is closed, too. `DESCRIPTORS_S`: for so long each (2)."""
import os
import struct
import time

from nt_hostile import *

LOOKED_S = float(os.environ.get("DESCRIPTORS_S", "2"))
SETTLED_S = 1.5
MORE_MAX = 3  # a look may come upon a file that is just being read
CONNECTIONS_MIN = 2

# What a port answers with: nothing that is a stream; a stream that is cut in its first object; one that is refused later.
LIES = {
    "rubbish": (b"HTTP/1.1 400\r\n\r\n", b"\xff" * 64),
    "half": (b"Nettrace" + struct.pack("<I", 20) + b"!FastSerialization.1\5\5\1", b"\0"),
    "endless": (b"Nettrace" + struct.pack("<I", 20) + b"!FastSerialization.1\5\5\1" + struct.pack("<III", 2, 2, 10) + b"EventBlock\6", b"\xff" * 4096),
}


def descriptors(pid):
    return [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd") if os.path.lexists(f"/proc/{pid}/fd/{fd}")]


def least(nettop, seconds):
    """The fewest descriptors in this time."""
    counts = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        nettop.wait_for(lambda _: True, 10, "the next interval")
        counts.append(len(descriptors(nettop.process.pid)))
    return min(counts)


def watch(env, name):
    folder = folder_of_stranger(env, name)
    with Pretender(env, folder, version="10.0.0", stream=LIES[name]) as fake:
        with Nettop(env, fake.pid, "--source", "eventpipe,map,procfs") as nettop:
            before, came = least(nettop, SETTLED_S), fake.connections()
            after, came = least(nettop, LOOKED_S), fake.connections() - came
            check(came >= CONNECTIONS_MIN, f"{name}: only {came} connections in {LOOKED_S} s")
            check(after <= before + MORE_MAX, f"{name}: {before} descriptors, then {after}: {sorted(descriptors(nettop.process.pid))}")
            nettop.stop()
    return f"{name}: {before}, {after} after {came} connections"


@test
def ports_that_lie(env):
    return "; ".join(watch(env, name) for name in LIES)


if __name__ == "__main__":
    main()
