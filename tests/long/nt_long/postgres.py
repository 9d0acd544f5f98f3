# SPDX-License-Identifier: GPL-2.0-only
"""A PostgreSQL of Debian's, of its own folder and port."""
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile

from nt_live.environment import Missing
from nt_live.live_session import free_port
from nt_live.process import Failure

START_S = 60
BINARIES = "/usr/lib/postgresql"


class Postgres:
    """`with Postgres() as database: ... database.connection(pool=10)`"""

    def __init__(self):
        versions = sorted(pathlib.Path(BINARIES).glob("*/bin"))
        if not versions:
            raise Missing(f"no PostgreSQL in {BINARIES}")
        self.bin = versions[-1]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nettop-postgres-"))
        self.port = free_port()
        user = pwd.getpwnam("postgres")
        os.chown(self.folder, user.pw_uid, user.pw_gid)
        try:
            self._run("initdb", "-D", self.folder / "data", "-A", "trust", "-U", "shop", "--no-sync")
            self._run("pg_ctl", "-D", self.folder / "data", "-w", "-t", str(START_S), "-l", self.folder / "log",
                      "-o", f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off", "start")
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _run(self, command, *arguments):
        """It refuses to be root's."""
        done = subprocess.run(["runuser", "-u", "postgres", "--", self.bin / command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, timeout=2 * START_S, check=False, cwd=self.folder)
        if done.returncode != 0:
            raise Failure(f"{command}: {done.stdout[-800:]}")

    def connection(self, pool):
        """A connection string, with so many connections at most."""
        return f"Host=127.0.0.1;Port={self.port};Username=shop;Database=postgres;Maximum Pool Size={pool}"

    @property
    def server(self):
        return f"127.0.0.1:{self.port}"

    @property
    def name(self):
        return f"postgres at {self.server}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
