# SPDX-License-Identifier: GPL-2.0-only
"""Programs of the old ABI (liblttng-ust.so.0), run with the bridge or with the genuine libraries, and what must hold of them."""
import os
import re

from .lttng import SessionDaemon, command
from .process import Failure, LineProcess, wait_until
from .runner import check, check_equal
from .session import Session
from .workload import Workload

OLD = "nt_fields"  # provider0's name of itself
NET = "DotNETRuntime"
SWITCHED_S = 20


class OldProvider(LineProcess):
    """tests/live/provider0: a program of lttng-ust 2.12, with its libraries or the bridge. LTTng's complaints are fatal to it."""

    def __init__(self, env, libraries, variables=None, under=()):
        environment = os.environ | {"LD_LIBRARY_PATH": str(libraries), "LTTNG_UST_ABORT_ON_CRITICAL": "1"} | (variables or {})
        super().__init__([*under, str(env.provider0)], environment, env.scratch / "provider0.err")
        if self.read_line(20) != "ready":
            raise Failure(f"provider0 does not start: {self.stderr_text()[-500:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def do(self, line):
        self.send_line(line)
        if self.read_line(30) != "done":
            raise Failure(f"provider0: {line}: no answer; {self.stderr_text()[-500:]}")

    def quit(self):
        """Returns from main(); the exit status."""
        self.send_line("quit")
        return self.wait(20)


def _describe_dotnet(env, daemon, libraries, program):
    with Workload(env, mode="none", libraries=libraries, program=program) as work:
        daemon.wait_for_app(work.pid)
        session = Session(env, f"net-{libraries.parent.name}").enable(f"{NET}*").start().stop()
    return session.described(NET)


def descriptions_are_equal(env, program=None):
    """Every event of .NET, as the metadata of a trace describes it; how many there are. `program`: a self-contained workload."""
    with SessionDaemon(env) as daemon:
        bridge = _describe_dotnet(env, daemon, env.bridge_dir, program)
        genuine = _describe_dotnet(env, daemon, env.genuine_dir, program)
    check_equal("events", sorted(bridge), sorted(genuine))
    for name, text in bridge.items():
        check(text == genuine[name], f"{name}:\nbridge:  {text}\ngenuine: {genuine[name]}")
    check(len(bridge) > 500, f"only {len(bridge)} events")
    return len(bridge)


def _ends_without_it(env, work, collections):
    """Events of a session that has the end of collections alone."""
    session = Session(env, "without").enable(f"{NET}:GCEnd*").start()
    for _ in range(collections):
        work.do("gc 1")
    return sum(session.stop().counts(NET).values())


def sentinel_is_switched(env, mode, program=None):
    """
    GCStart (V0) is never fired; its state decides about all other events of the collector. It is the first call site of the runtime, which the
    bridge must switch by itself (src/ust0/mirrors.h).
    """
    with SessionDaemon(env) as daemon, Workload(env, mode=mode, program=program) as work:
        daemon.wait_for_app(work.pid)
        collections = 12
        session = Session(env, "with").enable(f"{NET}:GCStart*").enable(f"{NET}:GCEnd*").start()
        for _ in range(collections):
            work.do("gc 1")
        with_sentinel = session.stop().counts(NET)
        # That a session has ended reaches a program a moment later, on a thread of its own.
        wait_until(lambda: _ends_without_it(env, work, collections) == 0 or mode != "none", SWITCHED_S, "no event when the sentinel's session has ended")
        check_equal("exit status", work.quit(), 0)
    check_equal("GCEnd_V1 with the sentinel", with_sentinel["GCEnd_V1"], collections)
    return ", ".join(f"{count} {name}" for name, count in sorted(with_sentinel.items()))


def exit_often(env, times):
    """Threads of provider0 emit while main() returns."""
    with SessionDaemon(env) as daemon:
        Session(env, "exits").enable(f"{OLD}:pair_a").start()
        for _ in range(times):
            with OldProvider(env, env.bridge_dir) as program:
                program.do("threads 4")
                check_equal(f"exit status; {program.stderr_text()}", program.quit(), 0)
        command("lttng", "destroy", "exits")
        check(daemon.process.alive(), "the session daemon is gone")
    return f"{times} times"


def exit_dotnet_often(env, times, program=None):
    """One in three such exits is a SIGSEGV with the genuine library (src/ust0/exit.h)."""
    with SessionDaemon(env) as daemon:
        Session(env, "dotnet-exits").enable(f"{NET}:EventSource").start()
        for _ in range(times):
            with Workload(env, mode="all", program=program) as work:
                work.do("restless 4")
                check_equal(f"exit status; {work.process.stderr_text()}", work.quit(), 0)
        command("lttng", "destroy", "dotnet-exits")
        check(daemon.process.alive(), "the session daemon is gone")
    return f"{times} times"


def hide(*names):
    """A command's beginning that runs it where these libraries are no libraries."""
    folder = re.search(r"=> (.*)/liblttng-ctl\.so", command("sh", "-c", "ldd $(command -v lttng)"))[1]
    files = {os.path.realpath(f"{folder}/{name}") for name in names}
    mounts = " && ".join(f"mount --bind /dev/null {file}" for file in sorted(files))
    return ["unshare", "-m", "--propagation", "private", "sh", "-c", f'{mounts} && exec "$@"', "sh"]
