# SPDX-License-Identifier: GPL-2.0-only
"""A real terminal: a tmux server of our own with one pane, and a shell in it, as a person has it."""
import itertools
import os
import re
import shlex
import subprocess
import termios
import time

from nt_live.process import Failure, OutOfLimit, descendants, name_of, wait_until

_numbers = itertools.count(1)
PROMPT = "ready> "
# What a test waits for at most, on a machine that others use too.
PATIENCE_S = 15.0
POLL_S = 0.03


class Look:
    """How a cell looks, as far as tests ask: the parameters of tmux's escape sequences that are in force."""

    def __init__(self):
        self.reverse, self.background, self.colours = False, None, False

    def follow(self, parameters):
        """One `ESC [ parameters m`."""
        numbers = [int(number) for number in parameters.split(";") if number] or [0]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                self.__init__()
            elif number in (7, 27):
                self.reverse = number == 7
            elif number in (38, 48):
                numbers[:(2 if numbers[0] == 5 else 4)] = []
                self.colours = True
                if number == 48:
                    self.background = "some"
            elif number in range(40, 48) or number in range(100, 108):
                self.background, self.colours = "some", True
            elif number == 49:
                self.background = None
            elif number in range(30, 38) or number in range(90, 98):
                self.colours = True

    def has_background(self):
        return self.reverse or self.background is not None

    def copy(self):
        other = Look()
        other.__dict__.update(self.__dict__)
        return other


class Terminal:
    """`with Terminal(env) as t: t.run("nettop -p 1"); t.wait_for("LIVE", 5)`. The shell is dash: it repairs nothing behind nettop's back."""

    def __init__(self, env, columns=80, lines=24, term="tmux-256color"):
        env.need_commands("tmux", "dash")
        self.env = env
        self.server = f"nt-pty-{os.getpid()}-{next(_numbers)}"
        self.temporary = env.scratch / self.server  # TMPDIR of what runs here: nothing of others' lies in it
        self.temporary.mkdir()
        start_up = env.scratch / "start-up.sh"  # dash as root takes no prompt from its environment
        start_up.write_text(f"PS1='{PROMPT}'\n", encoding="ascii")
        self._variables = {
            "PATH": os.environ["PATH"], "HOME": str(env.scratch), "LC_ALL": "C.UTF-8", "ENV": str(start_up),
            "TMPDIR": str(self.temporary), "TMUX_TMPDIR": str(env.scratch),
            "XDG_CONFIG_HOME": str(self.temporary / "config"),  # what somebody keeps here (W) is for no other terminal
        }
        self._variables |= {name: value for name, value in os.environ.items() if name == "LTTNG_HOME" or name.endswith("SAN_OPTIONS")}
        self._tmux("start-server", ";", "set-option", "-g", "default-terminal", term, ";", "set-option", "-g", "status", "off", ";",
                   "new-session", "-d", "-c", str(env.scratch), "-x", str(columns), "-y", str(lines), "dash -i")
        self._closed = False
        self.server_pid = int(self.ask("#{pid}"))
        self.shell = int(self.ask("#{pane_pid}"))
        self.tty = self.ask("#{pane_tty}")
        self.wait_for(lambda screen: PROMPT.strip() in screen, "the shell is ready")
        self.modes_before = self.modes()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not self._closed:
            self._tmux("kill-server", check=False)
        wait_until(lambda: self.server_pid not in descendants(), PATIENCE_S, "tmux has ended")

    def _tmux(self, *arguments, check=True):
        done = subprocess.run(["tmux", "-L", self.server, "-f", "/dev/null", *arguments], env=self._variables, timeout=20, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if check and done.returncode != 0:
            raise Failure(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    # ---- what is on the screen

    def ask(self, expression):
        """A format of tmux, e.g. #{cursor_flag}."""
        return self._tmux("display-message", "-p", expression).strip()

    def screen(self, colours=False):
        """The text on the screen, one line per row, blanks at the ends removed. `colours`: with the escape sequences of tmux's form."""
        return self._tmux("capture-pane", "-p", *(["-e"] if colours else []))

    def lines(self):
        return self.screen().split("\n")

    def looks(self):
        """The look of the first cell of each row. tmux writes a sequence only where the look changes, also from row to row; an empty row is plain."""
        look, rows = Look(), []
        for line in self.screen(colours=True).split("\n"):
            parts = re.split(r"\x1b\[([0-9;]*)m", line)
            first = None
            for at, part in enumerate(parts):
                if at % 2:
                    look.follow(part)
                elif part and first is None:
                    first = look.copy()
            rows.append(first or Look())
        return rows

    def wait_for(self, condition, what="", seconds=PATIENCE_S):
        """Until the screen holds a text, matches a pattern, or makes condition(screen) true. Returns the true value; shows the screen on failure."""
        what = what or str(getattr(condition, "pattern", condition))
        if isinstance(condition, str):
            text = condition
            test = lambda screen: text in screen
        elif isinstance(condition, re.Pattern):
            test = condition.search
        else:
            test = condition
        deadline = time.monotonic() + seconds
        while True:
            screen = self.screen()
            value = test(screen)
            if value:
                return value
            if time.monotonic() > deadline:
                raise OutOfLimit(f"{what}: not within {seconds} s. On the screen:\n{self._framed(screen)}")
            time.sleep(POLL_S)

    def _framed(self, screen):
        return "\n".join(f"    |{line}" for line in screen.rstrip("\n").split("\n"))

    def show(self):
        return self._framed(self.screen())

    def in_full_screen(self):
        return self.ask("#{alternate_on}") == "1"

    def cursor_is_visible(self):
        return self.ask("#{cursor_flag}") == "1"

    def modes(self):
        """What `stty -a` shows."""
        fd = os.open(self.tty, os.O_RDWR | os.O_NOCTTY)
        try:
            return termios.tcgetattr(fd)
        finally:
            os.close(fd)

    def is_restored(self):
        """As it was before anything ran here: line settings, normal screen, cursor."""
        return self.modes() == self.modes_before and not self.in_full_screen() and self.cursor_is_visible()

    # ---- what a person does

    def keys(self, *names):
        """Keys by tmux's names: Down, C-z, F1, x."""
        self._tmux("send-keys", *names)

    def type(self, text):
        """A last semicolon would be tmux's own: the end of its command."""
        self._tmux("send-keys", "-l", re.sub(r";$", r"\\;", text))

    def paste(self, text):
        """As a terminal does it: with what says that it is pasted, where nettop has asked for that."""
        self._tmux("set-buffer", text)
        self._tmux("paste-buffer", "-p")

    def mouse(self, button, column, line, to=None):
        """A button (0: left; 64, 65: the wheel up, down) at this place, from 0, as terminals of this type tell it (kmous in its terminfo entry). `to`: it is let go there."""
        for code, (x, y) in ((button, (column, line)), (3, to or (column, line))) if button < 3 else ((button, (column, line)),):  # 3: it is let go
            self.type("\x1b[M" + "".join(chr(part) for part in (32 + code, 33 + x, 33 + y)))

    def mouse_is_asked_for(self):
        return self.ask("#{mouse_standard_flag}") == "1"

    def resize(self, columns, lines):
        self._tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def close_window(self):
        """As by a click on the window's cross: the terminal is gone; with its only window the server ends, too."""
        self._closed = True
        self._tmux("kill-session")

    def run(self, *words, variables=None):
        """A command line for the shell, with Enter. `variables`: set for this command only, None takes one away."""
        assignments = []
        for name, value in (variables or {}).items():
            assignments += ["-u", name] if value is None else [f"{name}={value}"]
        command = [*(["env", *assignments] if assignments else []), *map(str, words)]
        self.type(shlex.join(command))
        self.keys("Enter")

    def start_nettop(self, pid, *options, variables=None, delay_s=0.2, alternate_screen=True):
        """nettop on this terminal, until its first full frame. Returns its pid. `delay_s`: None for its own. `alternate_screen`: this kind of terminal has one."""
        self.run(self.env.nettop, "-p", pid, *(() if delay_s is None else ("-d", delay_s)), *options, variables=variables)
        nettop = wait_until(self.nettop_pid, PATIENCE_S, "nettop starts")
        self.wait_for(lambda screen: screen.startswith(f"{pid} ") and self.in_full_screen() == alternate_screen, "the identity line stands in line 1")
        return nettop

    def nettop_pid(self):
        """The nettop that the shell started; None when there is none."""
        for pid in descendants(self.shell):
            if name_of(pid) == "nettop" and self._parent(pid) == self.shell:
                return pid
        return None

    @staticmethod
    def _parent(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                return int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            return 0

    def wait_for_shell(self, what="back at the shell", seconds=PATIENCE_S):
        """Until nettop has ended or was suspended: the shell's prompt is the last thing on the screen."""
        self.wait_for(lambda screen: screen.rstrip("\n").split("\n")[-1] == PROMPT.strip() and not self.in_full_screen(), what, seconds)

    def last_status(self):
        """What the last command line ended with. What is typed before the shell has written a prompt stands before it, and the answer behind it."""
        self.type("echo status=$?.")
        self.keys("Enter")
        return int(self.wait_for(re.compile(rf"^(?:{re.escape(PROMPT)})*status=(\d+)\.$", re.M), "the shell says the exit status")[1])
