#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Names of the stranger's lead to something that is no file: root's nettop looks before it opens. Opening a watchdog restarts the machine, and here it would let
somebody go on who waits at a FIFO.
"""
import os
import subprocess

from nt_hostile import *
from nt_live.nettop import source_of
from nt_live.ps import listed


def ask(env, *words):
    return subprocess.run([str(env.nettop), *words], text=True, capture_output=True, timeout=60, check=False)


@test
def as_perf_map(env):
    """The map of a program of theirs is renamed, and a trap takes its name."""
    env.need_commands("setpriv")
    folder = folder_of_stranger(env, "maps")
    with Workload(env, lttng=False, under=STRANGER, dotnet={"PerfMapJitDumpPath": str(folder)}) as work:
        path = folder / f"perf-{work.pid}.map"
        with Nettop(env, work.pid, "--source", "perf,map") as nettop:
            nettop.wait_for_sources("map")
            os.rename(path, folder / "aside")
            with Trap(path) as trap:
                line = nettop.wait_for(lambda line: "is a FIFO" in (source_of(line, "map").get("reason") or ""), 10, "the FIFO is seen")
                nettop.wait_for(lambda later: later is not line, 10, "one more look")
                trap.check_not_opened("as perf map")
                nettop.stop()
                trap.check_not_opened("as perf map, at the end")


@test
def as_symbols_of_an_image(env):
    """Beside an image is looked for its debug file, under names that its owner may fill."""
    folder = folder_of_stranger(env, "symbols")
    with Pretender(env, folder) as fake, Trap(folder / "libcoreclr.so.debug") as beside, Trap(folder / "libcoreclr.so.dbg") as other:
        answer = ask(env, "symbols", "-p", str(fake.pid))
        check("libcoreclr.so" in answer.stdout, f"the image is not in the list: {answer}")
        beside.check_not_opened("as debug file")
        other.check_not_opened("as debug file")


@test
def as_settings(env):
    """Which runtime it is stands in a file beside the library that is mapped."""
    folder = folder_of_stranger(env, "settings")
    with Pretender(env, folder) as fake:
        row = listed(env)[fake.pid]
        with Trap(folder / f"{row['name']}.runtimeconfig.json") as trap:
            check_equal("kind", listed(env)[fake.pid]["kind"], "self")
            trap.check_not_opened("as runtimeconfig.json")


if __name__ == "__main__":
    main()
