# SPDX-License-Identifier: GPL-2.0-only
"""A memory cgroup that a program is started in: what it has is charged to who was first."""
import contextlib
import os
import pathlib

from .environment import Missing

# Where the controller is mounted: version 1, version 2 alone.
V1, V2 = pathlib.Path("/sys/fs/cgroup/memory"), pathlib.Path("/sys/fs/cgroup")
ENTER = 'echo $$ > "$0/cgroup.procs" && exec "$@"'


class MemoryGroup:
    def __init__(self, root, version_1):
        self.root, self._version_1 = root, version_1
        self.folder = root / f"nt-live-{os.getpid()}"
        self.under = ("sh", "-c", ENTER, str(self.folder))  # a command that runs what follows in it

    def used_bytes(self):
        """Without cache of files that can be dropped."""
        usage = int((self.folder / ("memory.usage_in_bytes" if self._version_1 else "memory.current")).read_text(encoding="ascii"))
        stat = dict(line.split() for line in (self.folder / "memory.stat").read_text(encoding="ascii").splitlines())
        return usage - int(stat["total_inactive_file" if self._version_1 else "inactive_file"])

    def limit(self, size):
        """The limit that the kernel has made of it: whole pages."""
        path = self.folder / ("memory.limit_in_bytes" if self._version_1 else "memory.max")
        path.write_text(str(size), encoding="ascii")
        return int(path.read_text(encoding="ascii"))


@contextlib.contextmanager
def memory_group():
    """It ends behind the programs that are in it."""
    version_1 = (V1 / "memory.limit_in_bytes").exists() or (V1 / "memory.usage_in_bytes").exists()
    controls = V2 / "cgroup.subtree_control"
    if not version_1 and not (controls.exists() and "memory" in controls.read_text(encoding="ascii").split()):
        raise Missing("no cgroup with the memory controller")
    group = MemoryGroup(V1 if version_1 else V2, version_1)
    try:
        group.folder.mkdir()
    except OSError as error:
        raise Missing(f"cannot make a cgroup: {error}") from None
    try:
        yield group
    finally:
        for one in (group.folder / "cgroup.procs").read_text(encoding="ascii").split():
            (group.root / "cgroup.procs").write_text(one, encoding="ascii")
        group.folder.rmdir()
