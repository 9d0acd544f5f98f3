#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""An EventPipe stream that nobody reads makes the target hang: whatever becomes of nettop, the target serves others and exits as usual."""
import os
import pathlib
import signal
import socket
import struct
import time

from nt_live import *
from nt_live.eventpipe import sessions_of

EXIT_S = 2.0  # what the issue promises
SERVED_S = 10.0
DELIVERS_S = 20
THROWS = 100_000  # some 10 MB of events: much more than a socket holds


def served(pid):
    """Does the runtime answer another client? Seconds that it took."""
    path = next(pathlib.Path(os.environ["TMPDIR"]).glob(f"dotnet-diagnostic-{pid}-*-socket"))
    start = time.monotonic()
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(SERVED_S)
        client.connect(str(path))
        client.sendall(b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 20, 4, 0, 0))
        try:
            reply = client.recv(20)
        except TimeoutError:
            raise OutOfLimit(f"the target answers nobody else within {SERVED_S} s") from None
    check(reply.startswith(b"DOTNET_IPC_V1\0"), f"the target answered {reply!r}")
    return time.monotonic() - start


def exits(work):
    """It ends the orderly way. Seconds that it took."""
    start = time.monotonic()
    check_equal("exit status of the target", work.quit(), 0)
    return time.monotonic() - start


def unharmed(env, hurt, stop=False):
    """`hurt(nettop)` while events flow; `stop`: nettop is told to end right before, so that its session is just being stopped."""
    with Bare(env) as work, Nettop(env, work.pid, "--source", "eventpipe") as nettop:
        nettop.wait_for_sources("eventpipe", seconds=DELIVERS_S)
        work.process.send_line(f"throw {THROWS}")
        nettop.wait_for(lambda line: line["exceptions"]["count"], DELIVERS_S, "exceptions are seen")
        if stop:
            nettop.process.signal(signal.SIGINT)
        hurt(nettop.process.pid)
        answer = work._answer(60)
        check_equal("exceptions caught", answer["caught"], THROWS)
        waited = served(work.pid)
        took = exits(work)
        check_limit("seconds until the target's exit", took, EXIT_S)
        return f"answers others after {waited:.2f} s, exits after {took:.2f} s"


@test
def killed(env):
    return unharmed(env, lambda pid: os.kill(pid, signal.SIGKILL))


@test
def stopped(env):
    return unharmed(env, lambda pid: os.kill(pid, signal.SIGSTOP))


@long_test
def stopped_while_it_ends(env):
    return unharmed(env, lambda pid: os.kill(pid, signal.SIGSTOP), stop=True)


@long_test
def killed_while_it_ends(env):
    return unharmed(env, lambda pid: os.kill(pid, signal.SIGKILL), stop=True)


@long_test
def starved(env):
    """It gets the CPU when nobody else wants it, and everybody does."""
    def hurt(pid):
        for tid in os.listdir(f"/proc/{pid}/task"):
            os.sched_setscheduler(int(tid), os.SCHED_IDLE, os.sched_param(0))
            os.sched_setaffinity(int(tid), {min(os.sched_getaffinity(0))})

    return unharmed(env, hurt)


@test
def suspended_by_ctrl_z(env):
    """In full screen: it lets go by itself, and has the events again when it goes on."""
    with Bare(env) as work:
        with FullScreen(env, work.pid, "--source", "eventpipe") as nettop:
            nettop.wait_for(lambda _: sessions_of(work.pid) > 0, DELIVERS_S, "a session in the target")
            work.process.send_line(f"throw {THROWS}")
            nettop.type("\x1a")
            work._answer(60)
            waited = served(work.pid)
            took = exits(work)
            check_limit("seconds until the target's exit", took, EXIT_S)
            os.kill(nettop.pid, signal.SIGCONT)
            return f"answers others after {waited:.2f} s, exits after {took:.2f} s"


if __name__ == "__main__":
    main()
