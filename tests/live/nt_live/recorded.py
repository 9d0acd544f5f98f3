# SPDX-License-Identifier: GPL-2.0-only
"""A recording as a test makes one, and what nettop makes of it."""
import signal
import subprocess

from .process import wait_until
from .runner import check_equal

END_S = 60


class Recorded:
    """`nettop record --json`, with its lines in a file."""

    def __init__(self, env, pid, path, *options, lines=True):
        path.unlink(missing_ok=True)
        self.env, self.path = env, path
        self.lines_path, self.said_path = env.scratch / "record.lines", env.scratch / "record.said"
        argv = [str(env.nettop), "record", "-p", str(pid), "-o", str(path), *(["--json"] if lines else []), *options]
        with open(self.lines_path, "wb") as lines_file, open(self.said_path, "wb") as said_file:
            self.process = subprocess.Popen(argv, stdout=lines_file, stderr=said_file, stdin=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def lines(self):
        """Whole ones."""
        return [line for line in self.lines_path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]

    def said(self):
        return self.said_path.read_text(encoding="utf-8")

    def wait_for_lines(self, count):
        wait_until(lambda: len(self.lines()) >= count, END_S, lambda: f"{count} lines; there are {len(self.lines())}, and it says {self.said()}")

    def end(self, status=0):
        self.process.send_signal(signal.SIGINT)
        check_equal(f"exit status of record, which says {self.said()}", self.process.wait(END_S), status)

    def replayed(self, *options):
        """What replay writes, what it says, its exit status."""
        done = subprocess.run([str(self.env.nettop), "replay", str(self.path), "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=END_S, check=False)
        return done.stdout, done.stderr.decode(), done.returncode
