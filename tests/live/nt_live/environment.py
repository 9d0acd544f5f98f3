# SPDX-License-Identifier: GPL-2.0-only
"""Where the tests run: paths, what must be there, and a mount namespace of their own."""
import contextlib
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

from .process import run

REPO = pathlib.Path(__file__).resolve().parents[3]
BUILD = REPO / "tests/live/workload/build.sh"
INSIDE = "NT_LIVE_INSIDE"
# What LTTng shares between all processes of a machine. With empty ones of our own no daemon or session of others can
# change what the watched program emits, and killing daemons harms nobody.
PRIVATE_MOUNTS = ("/run/lttng", "/dev/shm")


class Missing(Exception):
    """This machine lacks something; the tests that need it are skipped, with this text."""


def enter_private_namespace():
    """Runs this program again with private LTTng folders; returns only inside."""
    if os.environ.get(INSIDE) == "1":
        for folder in PRIVATE_MOUNTS:
            os.makedirs(folder, exist_ok=True)
            subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", folder], check=True)
        os.chmod("/dev/shm", 0o1777)
        return
    if os.geteuid() != 0:
        raise Missing("not root: a mount namespace for the LTTng daemons needs root")
    if not shutil.which("unshare"):
        raise Missing("no unshare (package util-linux)")
    os.environ[INSIDE] = "1"
    os.execvp("unshare", ["unshare", "-m", "--propagation", "private", sys.executable, *sys.argv])


@contextlib.contextmanager
def mounted(*arguments):
    """mount ARGUMENTS in the tests' own mount namespace; the last one is the place."""
    done = run(["mount", *arguments])
    if done.returncode != 0:
        raise Missing(f"mount {shlex.join(arguments)}: {done.stderr.strip()}")
    try:
        yield
    finally:
        run(["umount", "-l", arguments[-1]])


def run_script(path, *args):
    """The line a build script answers; its messages go to our stderr. Missing when it exits with 3."""
    done = subprocess.run([path, *args], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 3:
        raise Missing(f"{path.name} cannot deliver on this machine (see above)")
    if done.returncode != 0:
        raise RuntimeError(f"{path} failed with {done.returncode}")
    return done.stdout.strip().splitlines()[-1]


class Environment:
    """Paths of one test program. Everything costly is made at its first use."""

    def __init__(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="nt-live."))
        self._take_temporary_files()
        self._open_scratch = None
        self._genuine = self._dll = self._web_dll = self._incidents_dll = self._waiting_dll = self._first_rent_dll = self._shop_dll = self._holding_dll = self._telling_dll = self._dying_dll = self._pausing_dll = self._deploying_dll = self._compiling_dll = self._provider0 = None

    def close(self):
        for folder in filter(None, (self.scratch, self._open_scratch)):
            shutil.rmtree(folder, ignore_errors=True)

    def _take_temporary_files(self):
        """
        What the tests start has a TMPDIR of its own: a killed runtime leaves its diagnostics sockets, a killed nettop its folder. Some of it runs
        as another user.
        """
        temporary = self.scratch / "tmp"
        temporary.mkdir()
        temporary.chmod(0o1777)
        self.scratch.chmod(0o711)
        os.environ["TMPDIR"] = str(temporary)

    @property
    def open_scratch(self):
        """A folder that every user can read."""
        if not self._open_scratch:
            self._open_scratch = pathlib.Path(tempfile.mkdtemp(prefix="nt-live-open."))
            self._open_scratch.chmod(0o755)
        return self._open_scratch

    @property
    def nettop(self):
        path = pathlib.Path(os.environ.get("NETTOP", REPO / "build/default/nettop"))
        if not path.exists():
            raise Missing(f"{path} is not built (set NETTOP to another)")
        return path

    @property
    def sanitized(self):
        """Is nettop built with a sanitizer?"""
        program = self.nettop.read_bytes()
        return b"__asan_init" in program or b"__tsan_init" in program

    @property
    def fakeclr(self):
        path = self.nettop.parent / "fakeclr"
        if not path.exists():
            raise Missing(f"{path} is not built (make fakeclr)")
        return str(path)

    @property
    def bridge_dir(self):
        """The folder with the bridge (src/ust0), for the target's LD_LIBRARY_PATH."""
        folder = self.nettop.parent / "ust0"
        if not (folder / "liblttng-ust.so.0").exists():
            raise Missing(f"{folder} has no bridge (make bridge)")
        return folder

    @property
    def genuine_dir(self):
        """The folder with the genuine lttng-ust 2.12 libraries: what the bridge is compared with."""
        if not self._genuine:
            self._genuine = pathlib.Path(run_script(REPO / "src/deps/ust0.sh"))
        return self._genuine

    @property
    def provider0(self):
        """A program of lttng-ust 2.12 (tests/live/provider0)."""
        if not self._provider0:
            self.need_commands("gcc")
            source, program, genuine = REPO / "tests/live/provider0", self.scratch / "provider0", self.genuine_dir
            subprocess.run(["gcc", "-O2", "-g", f"-I{genuine.parent / 'include'}", f"-I{source}", "-o", str(program), str(source / "main.c"), f"-L{genuine}",
                            "-l:liblttng-ust.so.0", f"-Wl,-rpath-link,{genuine}", "-ldl", "-lpthread"], check=True)
            self._provider0 = program
        return self._provider0

    @property
    def workload_dll(self):
        if not self._dll:
            self._dll = run_script(BUILD, os.environ.get("NT_WORKLOAD_OUT", REPO / "build/workload"))
        return self._dll

    def workload_named(self, name):
        """The workload as a program of another name: no other test's workload is taken for it."""
        folder = self.scratch / name
        if not folder.exists():  # else it is there, and may be mapped
            folder.mkdir()
            for ending in (".runtimeconfig.json", ".dll"):
                shutil.copy(str(self.workload_dll).removesuffix(".dll") + ending, folder / f"{name}{ending}")
        return folder / f"{name}.dll"

    @staticmethod
    def selfcontained(framework, name="workload"):
        """The workload, or another program of tests/live, with a runtime of its own: "net8.0", "net9.0"."""
        return run_script(REPO / "tests/long/selfcontained.sh", framework, os.environ.get("NT_SELFCONTAINED_OUT", str(REPO / "build/selfcontained")), name)

    @property
    def web_dll(self):
        """A program of ASP.NET Core (tests/live/web)."""
        if not self._web_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._web_dll = run_script(BUILD, pathlib.Path(below) / "web" if below else REPO / "build/web", "web")
        return self._web_dll

    @property
    def incidents_dll(self):
        """Programs with something wrong (tests/live/incidents)."""
        if not self._incidents_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._incidents_dll = run_script(BUILD, pathlib.Path(below) / "incidents" if below else REPO / "build/incidents", "incidents")
        return self._incidents_dll

    @property
    def waiting_dll(self):
        """Threads that wait, twelve ways (tests/live/waiting)."""
        if not self._waiting_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._waiting_dll = run_script(BUILD, pathlib.Path(below) / "waiting" if below else REPO / "build/waiting", "waiting")
        return self._waiting_dll

    @property
    def holding_dll(self):
        """Objects of many kinds (tests/live/holding)."""
        if not self._holding_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._holding_dll = run_script(BUILD, pathlib.Path(below) / "holding" if below else REPO / "build/holding", "holding")
        return self._holding_dll

    @property
    def dying_dll(self):
        """Threads at known places, and an end of a known kind (tests/live/dying)."""
        if not self._dying_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._dying_dll = run_script(BUILD, pathlib.Path(below) / "dying" if below else REPO / "build/dying", "dying")
        return self._dying_dll

    @property
    def pausing_dll(self):
        """One thread collects, another one stands meanwhile (tests/live/pausing)."""
        if not self._pausing_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._pausing_dll = run_script(BUILD, pathlib.Path(below) / "pausing" if below else REPO / "build/pausing", "pausing")
        return self._pausing_dll

    @property
    def deploying_dll(self):
        """A service one method of which takes more from a word on (tests/live/deploying)."""
        if not self._deploying_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._deploying_dll = run_script(BUILD, pathlib.Path(below) / "deploying" if below else REPO / "build/deploying", "deploying")
        return self._deploying_dll

    @property
    def telling_dll(self):
        """A program that tells of its work (tests/live/telling)."""
        if not self._telling_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._telling_dll = run_script(BUILD, pathlib.Path(below) / "telling" if below else REPO / "build/telling", "telling")
        return self._telling_dll

    @property
    def compiling_dll(self):
        """Known methods that cause compilations (tests/live/compiling)."""
        if not self._compiling_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._compiling_dll = run_script(BUILD, pathlib.Path(below) / "compiling" if below else REPO / "build/compiling", "compiling")
        return self._compiling_dll

    @property
    def first_rent_dll(self):
        """It rents from a pool of arrays for the first time while somebody opens counters (tests/live/first_rent)."""
        if not self._first_rent_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._first_rent_dll = run_script(BUILD, pathlib.Path(below) / "first_rent" if below else REPO / "build/first_rent", "first_rent")
        return self._first_rent_dll

    @property
    def shop_dll(self):
        """A web service in which something can go wrong, and the world around it (tests/live/shop)."""
        if not self._shop_dll:
            below = os.environ.get("NT_WORKLOAD_OUT")
            self._shop_dll = run_script(BUILD, pathlib.Path(below) / "shop" if below else REPO / "build/shop", "shop")
        return self._shop_dll

    def need_commands(self, *names):
        for name in names:
            if not shutil.which(name):
                raise Missing(f"no {name} here")
