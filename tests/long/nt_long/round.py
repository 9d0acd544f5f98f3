# SPDX-License-Identifier: GPL-2.0-only
"""One fault round: a target at work, nettop watching it, a fault at a random moment; then nettop works or has ended, and nothing is left."""
import contextlib
import random
import signal

from nt_live import Failure, SessionDaemon, Workload, check, check_equal, wait_until
from nt_live.process import children

from .faults import DELIVERS, ENDING, ENDS, GOES_ON, SAYS_WHY, STARTING, WORKING, signal_all
from .feeder import A_LITTLE_OF_ALL, Feeder
from .leftovers import Leftovers
from .seats import PATIENCE_S, PipeSeat, ScreenSeat, failure_with

FIRST_MOMENTS_S = 0.3
SEATS = {"screen": ScreenSeat, "json": PipeSeat}


class Scene:
    """What a fault may look at and change."""

    def __init__(self, env, rng, fault, at_end):
        self.env, self.rng, self.fault, self.at_end = env, rng, fault, at_end
        self.moment = rng.choice(fault.moments)
        self.notes = []          # for the line about this round
        self.prefix = ()         # a program that runs nettop
        self.variables = {}      # for nettop only
        self.commands = A_LITTLE_OF_ALL
        self.struck_with = None  # the signal that nettop got
        self.target_was_killed = False
        self.told_to_end = False
        self.of_daemon = []  # helpers of a daemon that was killed, and not nettop's
        self.must_be_noticed = False  # the loss must be shown before events come again
        daemon = at_end.enter_context(SessionDaemon(env)) if rng.random() < 0.5 else None
        self.daemon = daemon
        self.work = at_end.enter_context(Workload(env, mode="N"))
        if daemon:
            daemon.wait_for_app(self.work.pid)
        self.seat = at_end.enter_context(SEATS[rng.choice(fault.seats)](env))
        self.notes += [self.moment, self.seat.name, "session daemon there before" if daemon else "own session daemon"]

    def linger_randomly(self, most_s):
        seconds = self.rng.uniform(0, most_s)
        self.seat.linger(seconds)
        return seconds

    def end_in_order(self):
        self.seat.tell_to_end()
        self.told_to_end = True

    def take_over_from_daemon(self):
        """What a killed session daemon leaves behind is LTTng's own affair, unless nettop started it."""
        if self.daemon:
            self.daemon.process.wait(PATIENCE_S)
            self.of_daemon = [pid for pid, name in children().items() if name.startswith("lttng-")]

    def come_to_moment(self):
        """What follows strikes at a moment nobody chose: that is what these waits are for."""
        if self.moment != STARTING and self.fault.needs_delivery:
            self.seat.wait_until_works()
        if self.moment == WORKING:
            return self.linger_randomly(2.0)
        if self.moment == ENDING:
            self.end_in_order()
        return self.linger_randomly(FIRST_MOMENTS_S)

    def check_what_holds(self):
        """Afterwards it is told to end, unless it has to end by itself."""
        if self.told_to_end or (self.fault.then == ENDS and not self.only_screen_stays()):
            return
        if self.must_be_noticed:
            self.seat.wait_until_noticed()
        if self.fault.then == DELIVERS:
            self.seat.wait_until_works()
        if self.fault.then in (DELIVERS, GOES_ON):
            self.seat.check_alive()
        if self.seat.runs():
            self.end_in_order()

    def only_screen_stays(self):
        """A screen keeps what it has seen of a target that has ended."""
        return self.target_was_killed and self.seat.name == "screen"

    def check_end(self):
        status = self.seat.wait_for_end()
        allowed = set(self.fault.statuses) | ({128 + self.struck_with} if self.struck_with else set())
        check(status is None or status in allowed, f"nettop ended with {status}, expected {sorted(allowed)}")
        if self.fault.then == SAYS_WHY and status:
            check("nettop: " in self.seat.last_words(), "nettop ended without a sentence that says why")
        return status

    def check_target(self, feeder):
        if self.target_was_killed:
            return
        check(self.work.process.alive(), "the target has ended")
        feeder.stop()
        check(self.work.mark()["mono_ns"] > 0, "the target does not answer")


def play(env, fault, seed):
    """One round; a line about it."""
    rng = random.Random(seed)
    with contextlib.ExitStack() as at_end:
        scene = Scene(env, rng, fault, at_end)
        try:
            fault.prepare(scene)
            left = Leftovers(scene.work.pid, scene.seat, scene.daemon.process.pid if scene.daemon else None)
            with Feeder(scene.work, scene.commands) as feeder:
                scene.seat.start(scene.work.pid, scene.prefix, scene.variables)
                after = scene.come_to_moment()
                scene.notes.append(f"{fault.strike(scene)} after {after:.2f} s")
                scene.check_what_holds()
                status = scene.check_end()
                signal_all(scene.of_daemon, signal.SIGKILL)
                wait_until(lambda: not left.found(), PATIENCE_S, lambda: f"left behind: {', '.join(left.found())}")
                scene.check_target(feeder)
            scene.notes.append(f"status {status}" if status is not None else "no status")
        except Failure as failure:
            raise failure_with(scene.seat, Failure(f"[{', '.join(scene.notes)}] {failure}")) from None
        return ", ".join(scene.notes)
