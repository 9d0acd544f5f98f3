# SPDX-License-Identifier: GPL-2.0-only
"""What is done to nettop and to those it depends on, one entry a fault; and what must hold afterwards."""
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import Callable

from nt_live.process import descendants_named, wait_until

from .feeder import A_LITTLE_OF_ALL

# When it strikes: in the first moments, when all sources deliver, or between the word to end and the end.
STARTING, WORKING, ENDING = "starting", "working", "ending"
ANY = (STARTING, WORKING, ENDING)
# What must hold: events come again; nettop at least goes on drawing or writing; it has ended by the fault; it ends in an orderly way, or said why not.
DELIVERS, GOES_ON, ENDS, SAYS_WHY = "delivers", "goes on", "ends", "says why"

MANY_THREADS = 2000
DISK_BYTES = 96 << 10  # room for the relay's folders, not for its first packet


def signal_all(pids, number):
    """To each of those that still live; how many there were."""
    struck = 0
    for pid in pids:
        try:
            os.kill(pid, number)
            struck += 1
        except ProcessLookupError:
            pass
    return struck


def relays(scene):
    """The relay; at its start nettop takes a moment to have one, at its end there may be none any more."""
    if scene.moment == STARTING:
        return wait_until(lambda: descendants_named("lttng-relayd"), 30, "nettop has a relay")
    return descendants_named("lttng-relayd")


def relay_killed(scene):
    scene.must_be_noticed = scene.moment == WORKING
    return f"SIGKILL to {signal_all(relays(scene), signal.SIGKILL)} relay"


def relay_frozen(scene):
    return f"SIGSTOP to {signal_all(relays(scene), signal.SIGSTOP)} relay"


def relay_frozen_nettop_killed(scene):
    text = relay_frozen(scene)
    scene.linger_randomly(1.0)
    return f"{text}, {nettop_signalled(scene, signal.SIGKILL)}"


def session_daemon_killed(scene):
    if scene.moment == STARTING:
        wait_until(lambda: descendants_named("lttng-sessiond"), 30, "there is a session daemon")
    scene.must_be_noticed = scene.moment == WORKING
    struck = signal_all(descendants_named("lttng-sessiond"), signal.SIGKILL)
    scene.take_over_from_daemon()
    return f"SIGKILL to {struck} session daemon"


def target_killed(scene):
    scene.target_was_killed = True
    os.kill(scene.work.pid, signal.SIGKILL)
    return "SIGKILL to the target"


def target_frozen(scene):
    os.kill(scene.work.pid, signal.SIGSTOP)
    scene.linger_randomly(2.0)
    if scene.moment == WORKING:
        scene.seat.check_alive()
    if scene.rng.random() < 0.5:
        scene.end_in_order()
    os.kill(scene.work.pid, signal.SIGCONT)
    return "the target stood still for a while"


def window_closed(scene):
    scene.seat.close()
    return "window closed"


def nettop_signalled(scene, number):
    scene.struck_with = number
    return f"{signal.Signals(number).name} to {signal_all([scene.seat.pid], number)} nettop"


def nettop_killed(scene):
    return nettop_signalled(scene, scene.rng.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGHUP, signal.SIGABRT)))


def nettop_frozen(scene):
    seconds = scene.rng.uniform(0.2, 4)
    scene.seat.freeze(seconds)
    return f"nettop stood still for {seconds:.1f} s"


def nettop_frozen_and_killed(scene):
    signal_all([scene.seat.pid], signal.SIGSTOP)
    scene.linger_randomly(1.0)
    return nettop_signalled(scene, signal.SIGKILL)


def nothing(scene):
    return "as prepared"


def disk_full(scene):
    """Said with its reason, not as if somebody had destroyed the session."""
    scene.seat.wait_for_reason("lttng", "is full")
    return "the relay's disk is full"


# ---- preparations

def small_disk(scene):
    """The relay's folder lies on a file system that is full at once."""
    folder = scene.env.scratch / f"small-{time.monotonic_ns()}"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", folder], check=True)
    scene.seat.temporary = folder
    scene.at_end.callback(subprocess.run, ["umount", "--lazy", folder], check=True)
    scene.variables["TMPDIR"] = str(folder)


def few_descriptors(scene):
    limit = scene.rng.randint(6, 80)
    scene.prefix = ("prlimit", f"--nofile={limit}:{limit}")
    scene.notes.append(f"{limit} descriptors")


def many_threads(scene):
    scene.work.do(f"threads {MANY_THREADS}")
    scene.notes.append(f"{MANY_THREADS} threads")


def flying_threads(scene):
    scene.commands = ("churn 400", *A_LITTLE_OF_ALL)


@dataclass(frozen=True)
class Fault:
    strike: Callable
    then: str
    moments: tuple = ANY
    seats: tuple = ("screen", "json")
    prepare: Callable = nothing
    needs_delivery: bool = True  # to be WORKING, all sources must deliver
    statuses: tuple = (0,)       # exit statuses besides that of the signal that ended it

    @property
    def name(self):
        return (self.prepare if self.strike is nothing else self.strike).__name__


FAULTS = (
    Fault(nettop_killed, ENDS),
    Fault(relay_killed, DELIVERS),
    Fault(session_daemon_killed, DELIVERS),
    Fault(nettop_killed, ENDS, moments=(STARTING,)),
    Fault(target_killed, ENDS, statuses=(0, 1, 4)),
    Fault(window_closed, ENDS, seats=("screen",)),
    Fault(relay_frozen, GOES_ON),
    Fault(target_frozen, DELIVERS),
    Fault(nettop_frozen, DELIVERS, moments=(WORKING,)),
    Fault(disk_full, GOES_ON, moments=(WORKING,), seats=("json",), prepare=small_disk, needs_delivery=False),
    Fault(nothing, SAYS_WHY, moments=(WORKING,), prepare=few_descriptors, needs_delivery=False, statuses=(0, 1, 3)),
    Fault(relay_frozen_nettop_killed, ENDS, moments=(STARTING, WORKING)),
    Fault(nothing, DELIVERS, moments=(WORKING,), prepare=many_threads),
    Fault(nothing, DELIVERS, moments=(WORKING,), prepare=flying_threads),
    Fault(nettop_killed, ENDS, moments=(ENDING,)),
    # The shell of the screen has its status from when it stopped.
    Fault(nettop_frozen_and_killed, ENDS, statuses=(0, 128 + signal.SIGSTOP)),
)
