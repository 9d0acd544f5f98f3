# SPDX-License-Identifier: GPL-2.0-only
"""The workload in a container as an engine makes one, of unshare and mount alone: pids, mounts, /tmp and a root of its own, an overlay over ours."""
import os
import pathlib
import shutil
import signal
import tempfile

from .nettop import Nettop
from .process import descendants
from .workload import Workload

# $1: a folder. Its `files` are laid over our root; `shared` folders are those of whoever starts the container (-v FOLDER:FOLDER).
MAKE = """
set -e
folder=$1 shared=$2
shift 2
mount -t tmpfs tmpfs "$folder/top"
mkdir "$folder/top/upper" "$folder/top/work"
cp -a "$folder/files/." "$folder/top/upper"
mount -t overlay -o "lowerdir=/,upperdir=$folder/top/upper,workdir=$folder/top/work" overlay "$folder/root"
cd "$folder/root"
mount -t proc proc proc
mount --rbind /dev dev
for own in run dev/shm tmp; do mount -t tmpfs -o mode=1777 tmpfs "$own"; done
for one in $shared; do mkdir -p ".$one"; mount --bind "$one" ".$one"; done
mkdir tmp/before
pivot_root . tmp/before
umount -l /tmp/before
exec "$@"
"""
LTTNG_FOLDERS = "/run/lttng /dev/shm"


class Container(Workload):
    """Its first process is the workload, at /app, with nothing set. `pid` is ours for it; `root`: its root, as we reach it."""

    def __init__(self, env, mode="none", lttng=False):
        env.need_commands("unshare", "mount", "pivot_root")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="container.", dir=env.scratch))
        for name in ("files", "top", "root"):
            (folder / name).mkdir(mode=0o755)
        shutil.copytree(pathlib.Path(env.workload_dll).parent, folder / "files/app")
        if lttng:
            shutil.copytree(env.bridge_dir, folder / "files/app/ust0")
        under = ("unshare", "--pid", "--mount", "--propagation", "private", "--fork", "--kill-child", "sh", "-c", MAKE, "sh", str(folder),
                 LTTNG_FOLDERS if lttng else "")
        super().__init__(env, mode=mode, perf_map=False, lttng=lttng, libraries="/app/ust0", under=under, variables={"TMPDIR": "/tmp"})

    def _command(self, env, program):
        return ["dotnet", "/app/workload.dll"]

    def _start(self, env, argv, variables):
        super()._start(env, argv, variables)
        self.pid = next(pid for pid, name in descendants(self.process.pid).items() if name == "dotnet")

    @property
    def root(self):
        return pathlib.Path(f"/proc/{self.pid}/root")


def beside(pid):
    """What runs a command in the pid namespace of this process, with mounts of its own: a side-car as `docker run --pid=container:ID` starts it."""
    own_proc = 'mount -t proc proc /proc && exec "$@"'
    return ("nsenter", "-t", str(pid), "--pid", "unshare", "--mount", "--propagation", "private", "sh", "-c", own_proc, "sh")


class SideCar(Nettop):
    """nettop beside the first process of a container, whose pid is 1 there. `prefix`: what takes capabilities from it."""

    def __init__(self, env, container, *options, prefix=()):
        super().__init__(env, 1, *options, prefix=(*beside(container.pid), *prefix))

    def interrupt(self):
        """nsenter waits for its child, which is nettop by now."""
        waiting = self.process.pid
        child = pathlib.Path(f"/proc/{waiting}/task/{waiting}/children").read_text(encoding="ascii").split()[0]
        os.kill(int(child), signal.SIGINT)
