# SPDX-License-Identifier: GPL-2.0-only
"""Where nettop runs in a fault round: in full screen on a real terminal, or as a program that writes JSON into a pipe. Both answer the same questions."""
import os
import signal
import time

from nt_live.nettop import Nettop, source_of, state_of
from nt_live.process import Failure, OutOfLimit, descendants, wait_until
from nt_pty.terminal import Terminal

INTERVAL_S = 0.3
# For what has its promised time tested elsewhere: here it must come at all, on any machine.
PATIENCE_S = 30.0


class ScreenSeat:
    """Full screen in tmux."""

    name = "screen"

    def __init__(self, env):
        self.terminal = Terminal(env)
        self.env = env
        self.temporary = self.terminal.temporary
        self.pid = None
        self.closed = False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.terminal.__exit__(*error)

    def start(self, target, prefix=(), variables=None):
        self.terminal.run(*prefix, self.env.nettop, "-p", target, "-d", INTERVAL_S, variables=variables)
        self.pid = wait_until(self.terminal.nettop_pid, PATIENCE_S, "nettop starts")

    def runs(self):
        return self.pid in descendants()

    def linger(self, seconds):
        time.sleep(seconds)

    def wait_until_works(self):
        self.terminal.wait_for("lttng●", "the runtime's events are delivered", PATIENCE_S)

    def wait_until_noticed(self):
        self.terminal.wait_for(lambda screen: "lttng●" not in screen, "the loss is shown", PATIENCE_S)

    def check_alive(self):
        """It obeys keys and draws."""
        for key, tab in (("0", "[0 S"), ("1", "[1 M")):
            self.terminal.keys(key)
            self.terminal.wait_for(tab, f"key {key} brings its screen", PATIENCE_S)

    def freeze(self, seconds):
        os.kill(self.pid, signal.SIGSTOP)
        self.linger(seconds)
        # The shell has the terminal now, in the modes of a program that could not give them back: no carriage return becomes a new line.
        self.terminal.type("fg")
        self.terminal.keys("C-j")

    def tell_to_end(self):
        self.terminal.keys("q")

    def close(self):
        self.closed = True
        self.terminal.close_window()

    def wait_for_end(self):
        """Its exit status, as the shell has it: 128 + the signal for a killed one. None when nobody is left to ask."""
        wait_until(lambda: not self.runs(), PATIENCE_S, lambda: f"nettop ends; on the screen:\n{'' if self.closed else self.terminal.show()}")
        if self.closed:
            return None
        # A shell that wrote its prompt on the other screen writes another one.
        wait_until(lambda: not self.terminal.in_full_screen(), PATIENCE_S, "the alternate screen is left")
        self.terminal.keys("Enter")
        return self.terminal.last_status()

    def problems(self):
        """What is wrong with the terminal; nothing when it is as it was."""
        if self.closed:
            return []
        found = []
        if self.terminal.modes() != self.terminal.modes_before:
            found.append("terminal modes")
        if self.terminal.in_full_screen():
            found.append("alternate screen")
        if not self.terminal.cursor_is_visible():
            found.append("hidden cursor")
        return found

    def own_processes(self):
        return set() if self.closed else {self.terminal.server_pid, self.terminal.shell}

    def last_words(self):
        return "" if self.closed else self.terminal.show()


class PipeSeat:
    """`--json` into a pipe, which is read all the time: a full one would hold nettop."""

    name = "json"

    def __init__(self, env):
        self.env = env
        self.temporary = env.scratch / f"seat-{time.monotonic_ns()}"
        self.temporary.mkdir()
        self.nettop = None
        self.closed = False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.nettop:
            self.nettop.__exit__(*error)

    def start(self, target, prefix=(), variables=None):
        self.nettop = Nettop(self.env, target, interval_s=INTERVAL_S, prefix=prefix, variables={"TMPDIR": str(self.temporary), **(variables or {})})
        self.pid = self.nettop.process.pid

    def runs(self):
        return self.nettop.process.alive()

    def linger(self, seconds):
        deadline = time.monotonic() + seconds
        try:
            while (left := deadline - time.monotonic()) > 0 and self.nettop.read(left):
                pass
        except OutOfLimit:
            pass

    def wait_until_works(self):
        """The target throws all the time."""
        self.nettop.wait_for(lambda line: state_of(line, "lttng") == "delivering" and line["exceptions"]["count"], PATIENCE_S,
                             "the runtime's events are delivered")

    def wait_for_reason(self, source, text):
        """Until a source is in trouble for this reason."""
        self.nettop.wait_for(lambda line: text in (source_of(line, source).get("reason") or ""), PATIENCE_S, f"{source} says that it {text}")

    def wait_until_noticed(self):
        self.nettop.wait_for(lambda line: state_of(line, "lttng") != "delivering", PATIENCE_S, "the loss is shown")

    def check_alive(self):
        for _ in range(2):
            self.nettop.wait_for(lambda line: True, PATIENCE_S, "an interval")

    def freeze(self, seconds):
        os.kill(self.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(self.pid, signal.SIGCONT)

    def tell_to_end(self):
        self.nettop.process.signal(signal.SIGINT)

    def wait_for_end(self):
        deadline = time.monotonic() + PATIENCE_S
        while self.nettop.read(max(deadline - time.monotonic(), 0.01)):
            pass
        status = self.nettop.process.wait(max(deadline - time.monotonic(), 1))
        return 128 - status if status < 0 else status

    def problems(self):
        return []

    def own_processes(self):
        return set()

    def last_words(self):
        return self.nettop.process.stderr_text()[-600:] if self.nettop else ""


def failure_with(seat, failure):
    """The same failure with what nettop showed last; final, because a second try would hide a race that was found."""
    try:
        words = seat.last_words()
    except Failure:
        words = ""
    return Failure(f"{failure}\n{words}" if words else str(failure))
