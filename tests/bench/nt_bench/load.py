# SPDX-License-Identifier: GPL-2.0-only
"""Work for the target, for as long as something is measured."""
import contextlib
import threading

from nt_live import Failure

# One CPU busy with computing, allocating, collecting, compiling and throwing. No thread begins or ends: perf spins when one does.
STEADY = ("compute 300", "alloc 100", "loh 40", "jit-expr 10", "throw 20", "pool 300")
# About 1000 threads a second that begin and end.
CHURN = ("churn 10", "idle 1")
# One thread of 200 at work now and then.
MOSTLY_IDLE = ("compute 50", "idle 150")


@contextlib.contextmanager
def working(work, commands):
    """The target repeats the commands while the block runs."""
    stop = threading.Event()
    problems = []

    def repeat():
        try:
            while not stop.is_set():
                for command in commands:
                    if not stop.is_set():
                        work.do(command)
        except Failure as failure:
            problems.append(failure)

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(60)
    if problems:
        raise problems[0]
    if thread.is_alive():
        raise Failure("the target did not answer within 60 s")
