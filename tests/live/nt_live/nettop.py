# SPDX-License-Identifier: GPL-2.0-only
"""nettop as a test runs it: JSON lines out, signals in."""
import json
import os
import signal
import time

from .process import Failure, LineProcess, OutOfLimit


class Nettop:
    """`nettop -p PID --json`. Its lines are kept in `intervals`, the last one in `summary`."""

    def __init__(self, env, pid, *options, interval_s=0.2, prefix=(), variables=None):
        """`prefix`: a program that runs nettop, with its arguments (prlimit, valgrind). `variables`: for nettop only."""
        self.process = LineProcess([*prefix, str(env.nettop), "-p", str(pid), "--json", "-d", str(interval_s), *options],
                                   os.environ | (variables or {}), stderr_path=env.scratch / "nettop.err")
        self.intervals = []
        self.summary = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()

    def read(self, seconds):
        """One more line into intervals or summary; False at the end of the output."""
        line = self.process.read_line(seconds)
        if line is None:
            return False
        try:
            parsed = json.loads(line)
        except ValueError:
            raise Failure(f"nettop wrote a line that is not JSON: {line[:200]}") from None
        if parsed.get("type") == "summary":
            self.summary = parsed
        elif parsed.get("type") == "interval":
            self.intervals.append(parsed)
        else:
            raise Failure(f"nettop wrote a line of unknown type: {line[:200]}")
        return True

    def wait_for(self, condition, seconds, what):
        """The first interval line from now on for which condition(line) is true."""
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise OutOfLimit(f"{what}: not within {seconds} s; sources {self.sources_text()}")
            if not self.read(left):
                raise Failure(f"nettop ended while waiting for: {what}; {self.process.stderr_text()[-800:]}")
            if self.intervals and condition(self.intervals[-1]):
                return self.intervals[-1]

    def wait_for_sources(self, *names, seconds=20):
        """Until all these sources deliver."""
        return self.wait_for(lambda line: all(state_of(line, name) == "delivering" for name in names), seconds,
                             f"sources {', '.join(names)} deliver")

    def stop(self, seconds=20):
        """Ends it as Ctrl-C does, reads the rest, checks the exit status; returns the summary."""
        self.process.signal(signal.SIGINT)
        deadline = time.monotonic() + seconds
        while self.read(max(deadline - time.monotonic(), 0.01)):
            pass
        status = self.process.wait(max(deadline - time.monotonic(), 0.01))
        if status != 0:
            raise Failure(f"nettop: exit status {status}: {self.process.stderr_text()[-800:]}")
        if self.summary is None:
            raise Failure(f"nettop wrote no summary: {self.process.stderr_text()[-800:]}")
        return self.summary

    def sources_text(self):
        line = self.summary or (self.intervals[-1] if self.intervals else {})
        return [(s.get("name"), s.get("state"), s.get("reason")) for s in line.get("sources", [])]


def source_of(line, name):
    """The entry of a source in a line's `sources`; {} when it is not there."""
    return next((source for source in line.get("sources", []) if source.get("name") == name), {})


def state_of(line, name):
    return source_of(line, name).get("state")
