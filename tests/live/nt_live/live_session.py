# SPDX-License-Identifier: GPL-2.0-only
"""Live sessions of somebody else's: a relay of our own, and sessions made with LTTng's commands."""
import contextlib
import os
import re
import socket
import subprocess

from .lttng import PROVIDER, Daemon, command
from .nettop import Nettop
from .process import Failure, LineProcess

LIVE_TIMER_US = 100_000
# nettop finds the relay of an existing session at LTTng's own port for viewers.
VIEWER_PORT = 5344


def free_port():
    """One of 127.0.0.1 that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Relay(Daemon):
    """lttng-relayd on loopback."""

    def __init__(self, env):
        env.need_commands("lttng-relayd")
        self.control, self.data = free_port(), free_port()
        self.viewer = free_port() if _answers(VIEWER_PORT) else VIEWER_PORT
        process = LineProcess(
            ["lttng-relayd", f"--control-port=tcp://127.0.0.1:{self.control}", f"--data-port=tcp://127.0.0.1:{self.data}",
             f"--live-port=tcp://127.0.0.1:{self.viewer}", f"--output={env.scratch / 'relay'}"],
            stderr_path=env.scratch / "relayd.err")
        super().__init__(process, lambda: _answers(self.viewer))

    def url(self, session):
        return f"net://127.0.0.1:{self.viewer}/host/{socket.gethostname()}/{session}"


def _sessions():
    return set(re.findall(r"^ *\d+\) (\S+)", command("lttng", "list"), re.MULTILINE))


def events_of_nettop(env, pid):
    """The names of the events that nettop enables in a session of its own, so that the peers read the same."""
    before = _sessions()
    with Nettop(env, pid, "--source", "lttng", interval_s=0.2) as nettop:
        nettop.wait_for_sources("lttng")
        text = "".join(command("lttng", "list", name) for name in _sessions() - before)
        nettop.stop()
    events = re.findall(rf"{PROVIDER}:(\S+) \(", text)
    if not events:
        raise Failure(f"nettop's session lists no event: {text[-300:]}")
    return events


@contextlib.contextmanager
def live_session(relay, pid, events):
    """These events of one process as a live session; yields its name."""
    name = f"nt-live-{pid}-{os.urandom(3).hex()}"
    command("lttng", "create", name, f"--live={LIVE_TIMER_US}", f"--ctrl-url=tcp://127.0.0.1:{relay.control}",
            f"--data-url=tcp://127.0.0.1:{relay.data}")
    try:
        command("lttng", "enable-channel", "-s", name, "-u", "--subbuf-size=2M", "--num-subbuf=8", "runtime")
        command("lttng", "track", "-s", name, "-u", f"--vpid={pid}")
        command("lttng", "add-context", "-s", name, "-u", "-c", "runtime", "-t", "vpid", "-t", "vtid", "-t", "procname", "-t", "pid_ns")
        command("lttng", "enable-event", "-s", name, "-u", "-c", "runtime",
                ",".join(f"{PROVIDER}:{event}" for event in events))
        command("lttng", "start", name)
        yield name
    finally:
        subprocess.run(["lttng", "stop", "--no-wait", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30, check=False)
        command("lttng", "destroy", name)


def check_lossless(name):
    """Failure when the session has lost events."""
    text = command("lttng", "stop", name)
    if "discarded" in text or "lost" in text:
        raise Failure(f"session {name} has losses: {text.strip()}")
