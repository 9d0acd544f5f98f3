# SPDX-License-Identifier: GPL-2.0-only
"""Which files somebody makes in a folder, also such as are gone before anybody could look: the kernel's own word (inotify)."""
import ctypes
import os
import struct

IN_CREATE, IN_MOVED_TO = 0x100, 0x80
HEAD = struct.Struct("iIII")  # struct inotify_event


class MadeFiles:
    """Of one folder, from `with` on."""

    def __init__(self, folder="/tmp"):
        self.folder, self.fd, self.made = folder, -1, set()

    def __enter__(self):
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.fd < 0 or libc.inotify_add_watch(self.fd, os.fsencode(self.folder), IN_CREATE | IN_MOVED_TO) < 0:
            raise OSError(ctypes.get_errno(), "inotify")
        return self

    def __exit__(self, *_):
        os.close(self.fd)

    def names(self):
        """All so far."""
        while True:
            try:
                told = os.read(self.fd, 1 << 16)
            except BlockingIOError:
                return self.made
            at = 0
            while at < len(told):
                length = HEAD.unpack_from(told, at)[3]
                self.made.add(told[at + HEAD.size:at + HEAD.size + length].rstrip(b"\0").decode())
                at += HEAD.size + length

    def maps_of(self, pid):
        """Perf maps of a process."""
        return {name for name in self.names() if name in (f"perf-{pid}.map", f"perfinfo-{pid}.map")}
