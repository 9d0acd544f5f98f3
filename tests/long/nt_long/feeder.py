# SPDX-License-Identifier: GPL-2.0-only
"""Work for the target while something else is tested: a little of every kind of event, without end."""
import itertools
import threading

from nt_live.process import Failure

A_LITTLE_OF_ALL = ("compute 60", "alloc 20", "throw 5", "jit-dynamic 5", "locks 3", "pool 200", "gc 0")
ANSWER_S = 60


class Feeder:
    """`with Feeder(work): ...` The target must take no other command meanwhile. A target that has ended is no failure here."""

    def __init__(self, work, commands=A_LITTLE_OF_ALL):
        self._work, self._commands = work, commands
        self._enough = threading.Event()
        self._failure = None
        self._thread = threading.Thread(target=self._feed, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._enough.set()
        self._thread.join(ANSWER_S)

    def _feed(self):
        for command in itertools.cycle(self._commands):
            if self._enough.is_set():
                return
            try:
                self._work.do(command, ANSWER_S)
            except Failure as failure:
                self._failure = failure
                return

    def stop(self):
        """Until the last command has been answered; Failure when a target that lives did not answer one."""
        self._enough.set()
        self._thread.join(ANSWER_S + 5)
        if self._thread.is_alive() or (self._failure and self._work.process.alive()):
            raise Failure(f"the target does not answer: {self._failure or 'no end of a command'}")
