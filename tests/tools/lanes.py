#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Runs test files in lanes: LANES at a time, for most of what they do is wait. A file that must have the machine for itself says so, and why, in a line
`# alone: REASON`; these come last, one after the other.

usage: lanes.py [--lanes N] [--seconds N] FILE...

A test that has missed a limit at each attempt (`later`) is measured once more at the very end, alone: what is measured shall not be what others do. So is one
that has failed, for what it waits for may be held up by others; more than MAX_SECOND_TRIES of these have failed. Those that passed then are named at the end:
each one is to be looked into.

What a file says stays together: the earliest one that runs is shown while it runs, the others when their turn comes. A file that does not end in time, or
without its closing line, is closed for it with `0 passed, 1 failed`. Exit 1 when a file failed; interrupted, it first ends everything that was started.
"""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))

from nt_live.process import adopt_orphans, end_descendants  # noqa: E402

STEP_S = 0.05
MAX_SECOND_TRIES = 2
FAREWELL_S = 20  # for a test that is told to end: it ends what it started, and removes its files
ALONE = re.compile(r"^# alone: \S", re.M)
TEST = re.compile(r"^@(test|presses)\b", re.M)
CLOSED = re.compile(rb"^\d+ passed, \d+ failed(, \d+ skipped)?$", re.M)


class Job:
    """A test file that runs, in a process group of its own, as under timeout(1): Ctrl-C reaches this program alone, which tells the test."""

    def __init__(self, path, seconds, only=()):
        self.path, self.seconds = path, seconds
        self.deadline = time.monotonic() + seconds
        self.told = self.late = False
        self._log = tempfile.TemporaryFile()
        self._shown = 0
        self.process = subprocess.Popen([sys.executable, path, *only], stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT, preexec_fn=os.setpgrp)

    def ended(self):
        if self.process.poll() is None and time.monotonic() > self.deadline:
            self.late = True
            self.tell()
        return self.process.poll() is not None

    def tell(self):
        """It shall end; the second time it must."""
        if self.told:
            os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.send_signal(signal.SIGINT)
        self.told, self.deadline = True, time.monotonic() + FAREWELL_S

    def show(self):
        """What it has said since the last time."""
        text = os.pread(self._log.fileno(), os.fstat(self._log.fileno()).st_size - self._shown, self._shown)
        self._shown += len(text)
        sys.stdout.buffer.write(text)
        sys.stdout.flush()

    def close(self):
        """Shows the rest. Did it pass?"""
        self.show()
        whole = os.pread(self._log.fileno(), self._shown, 0)
        self._log.close()
        if not CLOSED.search(whole):
            newline = "" if whole.endswith(b"\n") or not whole else "\n"
            end = f"did not end within {self.seconds} s" if self.late else f"ended before its last test: status {self.process.returncode}"
            print(f"{newline}FAIL {self.path}: {end}\n0 passed, 1 failed", flush=True)
            return False
        return self.process.returncode == 0


def run(paths, lanes, seconds):
    """Runs them, so many at a time. Did all pass?"""
    waiting, jobs, passed = list(paths), [], True
    try:
        while waiting or jobs:
            while waiting and sum(not job.ended() for job in jobs) < lanes:
                jobs.append(Job(waiting.pop(0), seconds))
            while jobs and jobs[0].ended():
                passed = jobs.pop(0).close() and passed
            if jobs:
                jobs[0].show()
            time.sleep(STEP_S)
    finally:
        end(jobs)
    return passed


def run_later(later, seconds):
    """What the runner of tests (nt_live/runner.py) has written there: a file, the name of a test and why in each line. Did all pass?"""
    passed, mended = True, []
    lines = [line.split("\t") for line in later.read_text(encoding="utf-8").splitlines()]
    failures = [name for _, name, why in lines if why == "failure"]
    if len(failures) > MAX_SECOND_TRIES:
        print(f"FAIL {', '.join(failures)}: too many for a second try\n0 passed, {len(failures)} failed", flush=True)
        return False
    for path, name, why in lines:
        job = Job(path, seconds, ("--only", name))
        try:
            while not job.ended():
                time.sleep(STEP_S)
            good = job.close()
        finally:
            end([job])
        passed = passed and good
        mended += [name] if good and why == "failure" else []
    if mended:
        print(f"note passed only at a second try: {', '.join(mended)}", flush=True)
    return passed


def end(jobs):
    """Only after an interrupt is there still something to end."""
    running = [job for job in jobs if not job.ended()]
    for job in running:
        job.tell()
    for job in running:
        try:
            job.process.wait(FAREWELL_S)
        except subprocess.TimeoutExpired:
            pass
    end_descendants()


def interrupted(*_):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # once is enough: the tests are told
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lanes", type=int, default=2, help="files at a time; no more than there are processors")
    parser.add_argument("--seconds", type=int, default=500, help="for each file")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, interrupted)
    signal.signal(signal.SIGTERM, interrupted)
    adopt_orphans()
    text = {path: pathlib.Path(path).read_text(encoding="utf-8") for path in options.files}
    alone = [path for path in options.files if ALONE.search(text[path])]
    # Those with many tests first: the last ones, which end at different times, are short.
    beside = sorted(set(options.files) - set(alone), key=lambda path: (-len(TEST.findall(text[path])), path))
    with tempfile.TemporaryDirectory() as folder:
        later = pathlib.Path(folder) / "later"
        later.touch()
        os.environ["NT_LATER"] = str(later)
        try:
            passed = run(beside, max(1, min(options.lanes, os.cpu_count())), options.seconds)
            passed = run(alone, 1, options.seconds) and passed
            del os.environ["NT_LATER"]
            passed = run_later(later, options.seconds) and passed
        except KeyboardInterrupt:
            sys.exit(130)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
