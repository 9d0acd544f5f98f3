# SPDX-License-Identifier: GPL-2.0-only
"""A terminal that is nothing but a line: what nettop sends, byte by byte, and what is typed, when the test says so."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

from nt_live.process import OutOfLimit


class Line:
    """`with Line(env, "-p", 4711) as line: line.wait_for(b"...")`. Its other end is nettop's controlling terminal."""

    def __init__(self, env, *arguments, columns=120, lines=40, variables=None):
        self.sent = bytearray()
        self.times = []  # (when, how many bytes)
        self.fd, self.other = pty.openpty()
        other = self.other
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TMUX")}
        environment |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": str(env.scratch)} | (variables or {})
        environment.pop("XDG_CONFIG_HOME", None)
        self.process = subprocess.Popen([env.nettop, *map(str, arguments)], stdin=other, stdout=other, stderr=other, env=environment, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.fd)
        os.close(self.other)

    def unread(self):
        """Bytes that were typed and nobody has read: what a shell would get next, which takes lines."""
        modes = termios.tcgetattr(self.other)
        modes[3] &= ~termios.ICANON
        termios.tcsetattr(self.other, termios.TCSANOW, modes)
        return struct.unpack("i", fcntl.ioctl(self.other, termios.FIONREAD, b"\0\0\0\0"))[0]

    def type(self, keys):
        os.write(self.fd, keys)

    def read_for(self, seconds):
        """What comes in this time is added to `sent`. False: nettop has closed its end."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([self.fd], [], [], left)[0]:
                continue
            try:
                got = os.read(self.fd, 65536)
            except OSError:
                return False
            if not got:
                return False
            self.sent += got
            self.times.append((time.monotonic(), len(got)))
        return True

    def wait_for(self, condition, what, seconds=20.0, start=0):
        """Until bytes are among those sent from `start` on, or condition(bytes) is true."""
        test = condition if callable(condition) else lambda sent: condition in sent
        deadline = time.monotonic() + seconds
        while not test(bytes(self.sent[start:])):
            if time.monotonic() > deadline or not self.read_for(0.02):
                if test(bytes(self.sent[start:])):
                    return
                raise OutOfLimit(f"{what}: not within {seconds} s; sent was {bytes(self.sent[start:])[-1500:]!r}")

    def rest(self, seconds=10.0):
        """All until nettop has ended. Returns its exit status."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            self.read_for(0.02)
        return self.process.wait(1)
