# SPDX-License-Identifier: GPL-2.0-only
"""What a target holds while sessions come and go: it must not become more."""
import dataclasses
import os
import re
import statistics

from nt_live import check

from .leftovers import names_in, shared_buffers


@dataclasses.dataclass(frozen=True)
class Look:
    anonymous_bytes: int
    descriptors: int
    buffers: int  # of traces, mapped
    shared_files: int  # in /dev/shm

    @classmethod
    def at(cls, pid):
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as status:
            anonymous_kb = int(re.search(r"RssAnon:\s+(\d+) kB", status.read())[1])
        return cls(anonymous_kb << 10, len(os.listdir(f"/proc/{pid}/fd")), shared_buffers(pid), len(names_in("/dev/shm")))


class Watch:
    """look() after each session; verdict() compares the last quarter with the second: the first one is for what is made once."""

    def __init__(self, pid, growth_bytes):
        self._pid, self._growth_bytes = pid, growth_bytes
        self._looks = []

    def look(self):
        self._looks.append(Look.at(self._pid))

    def verdict(self):
        """In words; Failure when something has grown. Whatever counts whole things may be seen while it is being given back, so the least is compared."""
        quarter = len(self._looks) // 4
        check(quarter, f"only {len(self._looks)} sessions")
        early, late = self._looks[quarter:2 * quarter], self._looks[-quarter:]
        grown = statistics.mean(look.anonymous_bytes for look in late) - statistics.mean(look.anonymous_bytes for look in early)
        check(grown <= self._growth_bytes, f"grown by {grown / 1e6:.2f} MB from the second to the last quarter of {len(self._looks)} sessions")
        for what in ("descriptors", "buffers", "shared_files"):
            before, now = (min(getattr(look, what) for look in part) for part in (early, late))
            check(now <= before, f"{what}: {before}, at the end {now}")
        last = self._looks[-1]
        return (f"{grown / 1e6:+.2f} MB of {last.anonymous_bytes / 1e6:.1f}, {last.descriptors} descriptors, {last.buffers} buffers mapped, "
                f"{last.shared_files} files in /dev/shm")
