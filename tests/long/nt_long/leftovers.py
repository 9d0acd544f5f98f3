# SPDX-License-Identifier: GPL-2.0-only
"""What nettop may have left behind on the machine. Each entry names the thing: a process, a session, a folder, a file, a descriptor."""
import os
import pathlib

from nt_live.lttng import sessions
from nt_live.process import descendants, name_of

# lttng-ust's doorbell: made by whoever comes first, for all processes of a machine, and never removed by LTTng.
SHARED_FOR_GOOD = "lttng-ust-wait"


def names_in(folder):
    try:
        return set(os.listdir(folder))
    except FileNotFoundError:
        return set()


def perf_events(pid):
    """How many perf events a process holds."""
    count = 0
    try:
        for entry in os.scandir(f"/proc/{pid}/fd"):
            try:
                count += "perf_event" in os.readlink(entry.path)
            except OSError:
                pass  # closed meanwhile
    except OSError:
        pass  # ended meanwhile
    return count


def shared_buffers(pid):
    """Trace buffers that a target has mapped."""
    try:
        return sum("/dev/shm/" in line and SHARED_FOR_GOOD not in line for line in pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines())
    except OSError:
        return 0


class Leftovers:
    """Made before nettop starts; what is there then is not nettop's."""

    def __init__(self, target, seat, daemon):
        self._target, self._seat, self._daemon = target, seat, daemon
        self._shm, self._run = names_in("/dev/shm"), names_in("/run/lttng")
        self._relay = names_in("/run/lttng/relayd")
        self._buffers = shared_buffers(target)

    def _processes(self):
        known = {self._target} | self._seat.own_processes()
        if self._daemon:
            known |= {self._daemon, *descendants(self._daemon)}
        return [f"process {name} {pid}" for pid, name in descendants().items() if pid not in known and name != "lttng"]

    def _relay_files(self):
        """The relay's sockets. Its folder /run/lttng/relayd is LTTng's: any relay makes it if it is missing, and none removes it."""
        found = {f"/run/lttng/{name}" for name in names_in("/run/lttng") - self._run if "relay" in name and name != "relayd"}
        return sorted(found | {f"/run/lttng/relayd/{name}" for name in names_in("/run/lttng/relayd") - self._relay})

    def found(self):
        """All that is left now."""
        found = self._processes()
        found += [f"session {name}" for name in sessions()]
        found += [f"{self._seat.temporary}/{name}" for name in names_in(self._seat.temporary)]
        found += [f"/dev/shm/{name}" for name in names_in("/dev/shm") - self._shm if not name.startswith(SHARED_FOR_GOOD)]
        found += self._relay_files()
        found += [f"{events} perf events in {name_of(pid)} {pid}" for pid in descendants() if (events := perf_events(pid))]
        if shared_buffers(self._target) > self._buffers:
            found.append(f"{shared_buffers(self._target)} trace buffers mapped in the target, {self._buffers} before")
        return found + self._seat.problems()
