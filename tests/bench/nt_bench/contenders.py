# SPDX-License-Identifier: GPL-2.0-only
"""nettop and its peers as people start them, and one of them at work on the target."""
import contextlib
import dataclasses

from nt_live.live_session import live_session
from .program import Program

RATE = ("-F", "999")  # of perf, and of nettop where the two are compared
PERF = ("-e", "cpu-clock", *RATE)


@dataclasses.dataclass(frozen=True)
class Contender:
    title: str
    argv: object  # (bench, URL of the session) -> words
    terminal: bool = True
    session: bool = False  # reads a live session that is there before it
    is_perf: bool = False


def _nettop(*options):
    return lambda bench, _: [bench.env.nettop, "-p", bench.work.pid, *options]


NETTOP_PERF = Contender("nettop --source perf", _nettop("--source", "perf", *RATE))
NETTOP_ALL = Contender("nettop", _nettop())


def _perf_top(*options):
    return lambda b, _: ["perf", "top", "--stdio", "-g", *options, *PERF, "-p", b.work.pid]


# It draws as often as nettop, as top does below: what is drawn is paid for. Left to itself it draws every 2 s.
PERF_TOP = Contender("perf top --stdio -g -d 1", _perf_top("-d", "1"), is_perf=True)
PERF_TOP_BY_DEFAULT = Contender("perf top --stdio -g", _perf_top(), is_perf=True)
PERF_RECORD = Contender("perf record -g", lambda b, _: ["perf", "record", "-g", *PERF, "-p", b.work.pid, "-o", b.env.scratch / "perf.data"],
                        terminal=False, is_perf=True)
BABELTRACE = Contender("babeltrace2 text", lambda _, url: ["babeltrace2", "--input-format=lttng-live", url], terminal=False, session=True)
TOP = Contender("top -p", lambda b, _: ["top", "-d", "1", "-p", b.work.pid])


@contextlib.contextmanager
def started(bench, contender):
    """The contender at work; with a session of its own where it needs one."""
    with contextlib.ExitStack() as stack:
        url = None
        if contender.session:
            url = bench.relay.url(stack.enter_context(live_session(bench.relay, bench.work.pid, bench.events)))
        yield stack.enter_context(Program(contender.argv(bench, url), bench.home, contender.terminal))
