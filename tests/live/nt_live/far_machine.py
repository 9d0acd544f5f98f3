# SPDX-License-Identifier: GPL-2.0-only
"""Another machine, as far as nettop can see: Debian's sshd on loopback, with a key, a port and settings of its own. This machine's own ssh and its settings are not touched."""
import contextlib
import os
import shutil
import signal
import socket
import subprocess

from .environment import Missing
from .process import descendants, name_of, wait_until

SSHD = "/usr/sbin/sshd"
PERSON = 54321  # a user of that machine only: sshd sees other lists of users and passwords than the rest of this one
WITH_PERSON = 'mount --bind "$1/passwd" /etc/passwd && mount --bind "$1/shadow" /etc/shadow && shift && exec "$@"'


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class FarMachine:
    """
    `with FarMachine(env) as far:` nettop finds an ssh in far.variables["PATH"] that calls this machine "far". `path`: where programs are looked for over there. `user`: root, or "person", whose
    password is asked for where one is given.
    """

    def __init__(self, env, path, user="root", shell=None, password=None):
        env.need_commands("ssh", "ssh-keygen")
        if not os.path.exists(SSHD):
            raise Missing("no sshd (package openssh-server)")
        self.folder = env.scratch / f"far-{user}-{free_port()}"
        self.temporary = env.open_scratch / f"far-tmp-{free_port()}"  # TMPDIR over there: nothing of others' lies in it
        self.home = env.open_scratch / f"far-home-{free_port()}"
        for folder in (self.folder, self.temporary, self.home):
            folder.mkdir()
        self.start = [] if user == "root" else ["unshare", "--mount", "sh", "-c", WITH_PERSON, "sh", self.folder]
        if user != "root":
            self._have_person(user, password)
        self.temporary.chmod(0o1777)
        os.makedirs("/run/sshd", exist_ok=True)
        self.port = free_port()
        for key in ("host", "person"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / key], check=True)
        keys = env.open_scratch / f"far-keys-{self.port}"
        shutil.copy(self.folder / "person.pub", keys)
        keys.chmod(0o644)
        forced = f"ForceCommand {shell}\n" if shell else ""
        (self.folder / "sshd_config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.folder}/host\nPidFile none\nUsePAM no\nStrictModes no\n"
            f"AuthorizedKeysFile {keys}\nPasswordAuthentication {'yes' if password else 'no'}\nPubkeyAuthentication {'no' if password else 'yes'}\nKbdInteractiveAuthentication no\nPermitRootLogin yes\nPrintMotd no\n"
            f"SetEnv PATH={path} TMPDIR={self.temporary} HOME={self.home}\n{forced}", encoding="ascii")
        host_key = (self.folder / "host.pub").read_text(encoding="ascii")
        (self.folder / "known_hosts").write_text(f"[127.0.0.1]:{self.port} {host_key}", encoding="ascii")
        (self.folder / "ssh_config").write_text(
            f"Host far\nHostName 127.0.0.1\nPort {self.port}\nUser {user}\nIdentityFile {self.folder}/person\nIdentitiesOnly yes\n"
            f"UserKnownHostsFile {self.folder}/known_hosts\nGlobalKnownHostsFile /dev/null\nBatchMode {'no' if password else 'yes'}\n", encoding="ascii")
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "ssh").write_text(f"#!/bin/sh\nexec {shutil.which('ssh')} -F {self.folder}/ssh_config \"$@\"\n", encoding="ascii")
        (programs / "ssh").chmod(0o755)
        self.log = self.folder / "log"
        self.variables = {"PATH": f"{programs}:{os.environ['PATH']}"}

    def _have_person(self, user, password):
        """He has this machine's programs, and a home of his own."""
        os.chown(self.home, PERSON, PERSON)
        hashed = subprocess.run(["openssl", "passwd", "-6", password], stdout=subprocess.PIPE, text=True, check=True).stdout.strip() if password else "*"
        for name, line in (("passwd", f"{user}:x:{PERSON}:{PERSON}::{self.home}:/bin/sh\n"), ("shadow", f"{user}:{hashed}:20000::::::\n")):
            with open(f"/etc/{name}", encoding="utf-8") as usual:
                (self.folder / name).write_text(usual.read() + line, encoding="utf-8")
            (self.folder / name).chmod(0o644 if name == "passwd" else 0o600)

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.daemon = subprocess.Popen([*self.start, SSHD, "-D", "-e", "-f", self.folder / "sshd_config"], stderr=log)
        wait_until(lambda: "Server listening" in self.log.read_text(encoding="utf-8", errors="replace"), 10, lambda: f"sshd listens: {self.log.read_text()}")
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """No new connections; those that are there stay."""
        self.daemon.terminate()
        self.daemon.wait(10)

    def cut(self):
        """The connections that are there are gone at once, as with a cable: the processes of sshd that serve them are killed."""
        children = subprocess.run(["pgrep", "-P", str(self.daemon.pid)], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
        for pid in children:
            os.kill(int(pid), 9)
        return len(children)

    @contextlib.contextmanager
    def silent(self):
        """Nothing comes of the connections that are there: the processes of sshd that serve them stand still."""
        children = {int(pid) for pid in subprocess.run(["pgrep", "-P", str(self.daemon.pid)], stdout=subprocess.PIPE, text=True, check=False).stdout.split()}
        serving = children | {pid for child in children for pid in descendants(child) if name_of(pid) == "sshd"}
        for pid in serving:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in serving:
                os.kill(pid, signal.SIGCONT)

    def forget_key(self):
        """Nobody knows its key any more."""
        (self.folder / "known_hosts").write_text("", encoding="ascii")
        config = self.folder / "ssh_config"
        config.write_text(config.read_text(encoding="ascii").replace("BatchMode yes", "BatchMode no"), encoding="ascii")

    def move_to(self, port):
        """Whoever connects comes to this port."""
        config = self.folder / "ssh_config"
        config.write_text(config.read_text(encoding="ascii").replace(f"Port {self.port}\n", f"Port {port}\n"), encoding="ascii")

    def change_key(self):
        """It has another one than is known."""
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / "other"], check=True)
        (self.folder / "known_hosts").write_text(f"[127.0.0.1]:{self.port} {(self.folder / 'other.pub').read_text(encoding='ascii')}", encoding="ascii")

    def processes(self, name):
        """Those of that name which sshd has started, with what they have started."""
        return {pid for pid in descendants(self.daemon.pid) if name_of(pid) == name}

    def left(self):
        """What is in the folder for temporary files over there."""
        return sorted(path.name for path in self.temporary.iterdir())
