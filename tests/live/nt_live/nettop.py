# SPDX-License-Identifier: GPL-2.0-only
"""nettop as a test runs it: JSON lines out, signals in."""
import json
import os
import pathlib
import signal
import time

from .runner import check_equal
from .process import Failure, LineProcess, read_until, wait_until
from .workload import settings_as_variables

# Some of everything that is counted exactly.
WORK = ("gc 0", "gc 2", "jit-dynamic 30", "throw 40", "locks 20")
MANY_HZ = 999
MANY_SAMPLES = ("-F", str(MANY_HZ))  # ten times as many as by default, for a test that counts them


class Nettop:
    """`nettop -p PID --json`. Its lines are kept in `intervals`, the last one in `summary`."""

    def __init__(self, env, pid, *options, interval_s=0.2, prefix=(), variables=None, program=None):
        """`prefix`: a program that runs nettop, with its arguments (prlimit, valgrind). `variables`: for nettop only. `program`: another copy of it."""
        self._start(env, [*prefix, str(program or env.nettop), "-p", str(pid), "--json", "-d", str(interval_s), *options], os.environ | (variables or {}))

    def _start(self, env, argv, variables):
        self.process = LineProcess(argv, variables, stderr_path=env.scratch / "nettop.err")
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
            raise Failure(f"nettop wrote a line that is not JSON: {line[:200]} [{len(line)} characters] ... {line[-200:]}") from None
        if parsed.get("type") == "summary":
            self.summary = parsed
        elif parsed.get("type") == "interval":
            self.intervals.append(parsed)
        else:
            raise Failure(f"nettop wrote a line of unknown type: {line[:200]}")
        return True

    def wait_for(self, condition, seconds, what):
        """The first interval line from now on for which condition(line) is true."""
        read_until(self.process, self.read, lambda _: self.intervals and condition(self.intervals[-1]), seconds, what,
                   lambda: f"{len(self.intervals)} intervals, sources {self.sources_text()}, methods {self.methods_text()}")
        return self.intervals[-1]

    def wait_for_sources(self, *names, seconds=20):
        """Until all these sources deliver."""
        return self.wait_for(lambda line: all(state_of(line, name) == "delivering" for name in names), seconds,
                             f"sources {', '.join(names)} deliver")

    def read_to_end(self, seconds=20):
        """All lines that are left, until it has ended; its exit status."""
        deadline = time.monotonic() + seconds
        while self.read(max(deadline - time.monotonic(), 0.01)):
            pass
        return self.process.wait(max(deadline - time.monotonic(), 0.01))

    def interrupt(self):
        self.process.signal(signal.SIGINT)

    def stop(self, seconds=20):
        """Ends it as Ctrl-C does, reads the rest, checks the exit status; returns the summary."""
        self.interrupt()
        status = self.read_to_end(seconds)
        if status != 0:
            raise Failure(f"nettop: exit status {status}: {self.process.stderr_text()[-800:]}")
        if self.summary is None:
            raise Failure(f"nettop wrote no summary: {self.process.stderr_text()[-800:]}")
        return self.summary

    def sources_text(self):
        line = self.summary or (self.intervals[-1] if self.intervals else {})
        return [(s.get("name"), s.get("state"), s.get("reason")) for s in line.get("sources", [])]

    def methods_text(self):
        """The busiest rows of the last interval."""
        return [(row["name"], row["kind"], row["reason"], row["self_samples"]) for row in self.intervals[-1]["methods"][:5]] if self.intervals else []


class NettopRun(Nettop):
    """
    `nettop run --json -- COMMAND`. The command's standard input is ours, its output is on nettop's standard error: answers of a workload are found
    there.
    """

    def __init__(self, env, *command, options=(), interval_s=0.2, variables=None):
        self._start(env, [str(env.nettop), "run", "--json", "-d", str(interval_s), *options, "--", *map(str, command)],
                    settings_as_variables({}) | (variables or {}))

    def send(self, command):
        self.process.send_line(command)

    def answer(self, has, seconds=60):
        """The first answer of the workload for which has(answer) is true."""
        return wait_until(lambda: next(filter(has, self._answers()), None), seconds,
                          lambda: f"an answer of the workload; so far: {self.process.stderr_text()[-800:]}")

    def work_and_kill(self, after_ms=1, counters=False):
        """Let the workload work, then SIGKILL while nothing happens: what the runtime counted until then is all that it ever did. Its own counters.
        `counters`: nettop has the runtime's counters come over EventPipe, which are compiled again meanwhile."""
        pid = self.answer(lambda answer: answer.get("ready"))["pid"]
        self._await_exceptions()
        # The first mark and the first idle time compile what the last ones need.
        for command in (*WORK, "idle 1", "mark first", "settle 20000", "idle 1", "mark last", "idle 1"):
            self.send(command)
        mark = self.answer(lambda answer: answer.get("name") == "last")
        # EventPipe is written a tenth of a second later: what was not is lost with the process.
        self.send(f"idle {after_ms}")
        self.send("mark written")
        written = self.answer(lambda answer: answer.get("name") == "written")["jit_method_count"]
        check_equal("compilations while idle", written if not counters else mark["jit_method_count"], mark["jit_method_count"])
        mark["jit_method_count_most"] = written
        if not self.answer(lambda answer: answer.get("cmd") == "settle")["settled"]:
            raise OutOfLimit("the workload did not come to rest")
        os.kill(pid, signal.SIGKILL)
        pathlib.Path(f"/tmp/perf-{pid}.map").unlink(missing_ok=True)
        return mark

    def _await_exceptions(self):
        """They come over EventPipe in every mode: what was thrown before its session was open has not come."""
        def asks_for_all(line):
            source = source_of(line, "eventpipe")
            return source.get("state") == "delivering" and "is starting" not in (source.get("reason") or "")

        self.wait_for(asks_for_all, 20, "EventPipe delivers, and the program has had time to start: a session that opens makes the runtime work")

    def _answers(self):
        for line in self.process.stderr_text().splitlines():
            try:
                yield json.loads(line)
            except ValueError:  # nettop's own words, or half a line
                continue


class NettopJit(NettopRun):
    """`nettop jit --json`, of a command or with -p: one object at the end, kept in `report`."""

    def __init__(self, env, *command, options=(), variables=None, prefix=()):
        self.report = None
        self._start(env, [*map(str, prefix), str(env.nettop), "jit", "--json", *map(str, options), *(["--", *map(str, command)] if command else [])],
                    settings_as_variables({}) | (variables or {}))

    def read(self, seconds):
        line = self.process.read_line(seconds)
        if line is None:
            return False
        self.report = json.loads(line)
        return True

    def _await_exceptions(self):
        """It counts none, and says nothing before its end."""


def source_of(line, name):
    """The entry of a source in a line's `sources`; {} when it is not there."""
    return next((source for source in line.get("sources", []) if source.get("name") == name), {})


def state_of(line, name):
    return source_of(line, name).get("state")
