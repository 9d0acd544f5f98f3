# SPDX-License-Identifier: GPL-2.0-only
"""The watched .NET program (tests/live/workload) and what it says about itself."""
import json
import os
import pathlib

from .process import Failure, LineProcess, OutOfLimit, waited_for_cpu_ns

# What the target is started with, by mode (doc/TESTING.md). Mode none: nothing.
MODES = {
    "none": {},
    "N": {"EnableEventLog": "1", "EventSourceFilter": "NoSuchSource",
          "LTTngConfig": "Microsoft-Windows-DotNETRuntime:81000014011:5"},
    "F": {"EnableEventLog": "1", "EventSourceFilter": "Microsoft-Windows-DotNETRuntime"},
    "all": {"EnableEventLog": "1"},
}
# Two heaps whatever the number of CPUs, and no adaption of their number while the test counts.
SERVER_GC = {"gcServer": "1", "GCHeapCount": "2"}
START_DEADLINE_S = 60
# A little of everything there is to count. No command of it makes the pool keep threads for long.
EVERYTHING = ("alloc 200", "loh 64", "gc 0", "gc 1", "gc 2", "gc-background", "jit-expr 40", "jit-dynamic 30", "generics 50",
              "throw 120", "locks 75", "pool 2000", "async 200", "churn 10", "compute 200")
OURS = ("DOTNET_", "COMPlus_", "LTTNG_", "LD_LIBRARY_PATH")


class Mark(dict):
    """The runtime's own counters at one moment (see tests/live/workload/README.md)."""

    def since(self, earlier):
        """The counters of the time between two marks. Heap and thread counts are those of the later mark."""
        levels = ("gc_heap_bytes", "gc_committed_bytes", "pool_thread_count", "pool_pending_count")
        delta = Mark({key: value - earlier[key] if isinstance(value, int) and key not in levels else value
                      for key, value in self.items()})
        delta["waited_ns"] = sum(max(ns - earlier["waited_ns"].get(tid, 0), 0) for tid, ns in self["waited_ns"].items())
        delta["threads"] = [thread | {"cpu_ns": thread["cpu_ns"] - earlier.thread_cpu_ns(thread["tid"])}
                            for thread in self["threads"]]
        return delta

    def gc_counts(self):
        """Collections of exactly generation 0, 1, 2: the runtime counts an older one in the younger, too."""
        return [self["gc0_count"] - self["gc1_count"], self["gc1_count"] - self["gc2_count"], self["gc2_count"]]

    def thread_cpu_ns(self, tid):
        """CPU of a thread; 0 when it does not exist."""
        return next((thread["cpu_ns"] for thread in self["threads"] if thread["tid"] == tid), 0)


def settings_as_variables(settings):
    """Our own environment without the runtime's settings, and with these."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith(OURS) or k == "DOTNET_ROOT"}
    return variables | {f"DOTNET_{name}": value for name, value in settings.items()}


class Workload:
    """A running workload. `with Workload(env, mode="N") as work: work.do("alloc 100")`"""

    def __init__(self, env, mode="N", server_gc=False, perf_map=True, lttng=True, dotnet=None, libraries=None, under=(),
                 program=None, variables=None, named=None):
        """
        `dotnet`: further DOTNET_ settings. `lttng=False`: without the bridge, as most programs run. `libraries`: these instead of the bridge.
        `under`: a command that runs it. `program`: a self-contained one instead of the machine's runtime. `variables`: whole ones, which override
        all others. `named`: the name of the program, where one of another test is not to be taken for it.
        """
        if not program:
            env.need_commands("dotnet")
        settings = dict(MODES[mode])
        if server_gc:
            settings |= SERVER_GC
        if perf_map:
            settings["PerfMapEnabled"] = "3"
        settings |= dotnet or {}
        environment = settings_as_variables(settings)
        if lttng:
            environment["LD_LIBRARY_PATH"] = str(libraries or env.bridge_dir)
        self.mode = mode
        command = ["dotnet", env.workload_named(named)] if named else self._command(env, program)
        self._start(env, [*under, *command], environment | (variables or {}))

    def _command(self, env, program):
        return [program] if program else ["dotnet", env.workload_dll]

    def _start(self, env, argv, variables, errors="workload.err"):
        self.process = LineProcess(argv, variables, env.scratch / errors)
        self.pid = self.process.pid
        try:
            self.hello = self._answer(START_DEADLINE_S)
            if not self.hello.get("ready"):
                raise OutOfLimit("the workload did not come to rest at its start")
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def do(self, command, seconds=60):
        """Sends one command and returns its answer."""
        self.process.send_line(command)
        answer = self._answer(seconds)
        if "error" in answer:
            raise Failure(f"workload: {command}: {answer['error']}")
        return answer

    def mark(self, name=""):
        return Mark(self.do(f"mark {name}"), waited_ns=waited_for_cpu_ns(self.pid))

    def settle(self, seconds=60):
        """Waits until the work's echoes (tiered compilation, background collections) are over."""
        answer = self.do(f"settle {int(seconds * 1000)}", seconds + 10)
        if not answer["settled"]:
            raise OutOfLimit(f"the workload was not idle within {seconds} s")

    def measure(self, *commands):
        """The runtime's own counters of these commands, settled before and after; and the answers."""
        self.settle()
        before = self.mark("before")
        answers = [self.do(command) for command in commands]
        self.settle()
        return self.mark("after").since(before), answers

    def quit(self, seconds=20):
        """Ends it the orderly way; its exit status."""
        self.process.send_line("quit")
        return self.process.wait(seconds)

    def close(self):
        self.process.kill()
        pathlib.Path(f"/tmp/perf-{self.pid}.map").unlink(missing_ok=True)

    def _answer(self, seconds):
        line = self.process.read_line(seconds)
        while line is not None and line.startswith("[createdump]"):  # what the runtime's own program says of a dump there
            line = self.process.read_line(seconds)
        if line is None:
            raise Failure(f"the workload has ended ({self.process.wait(5)}): {self.process.stderr_text()[-500:]}")
        return json.loads(line)


class WebServer(Workload):
    """tests/live/web: a server of ASP.NET Core with counters of its own, and its client."""

    def __init__(self, env):
        env.need_commands("dotnet")
        self.mode = "none"
        self._start(env, ["dotnet", env.web_dll], settings_as_variables({}))


class Incident(Workload):
    """tests/live/incidents: a program with something wrong, `what`; it goes wrong when it is told to begin(). Started as most programs are."""

    def __init__(self, env, what, mode="none", program=None, under=(), variables=None):
        """`program`: a build of it with a runtime of its own. `under`: a command that runs it. `variables`: whole ones, which override all others."""
        env.need_commands("dotnet")
        self.mode = mode
        self._start(env, [*under, *([program] if program else ["dotnet", env.incidents_dll]), what], settings_as_variables(MODES[mode]) | (variables or {}))

    def begin(self):
        self.process.send_line("begin")


class Waiting(Workload):
    """tests/live/waiting: a program of threads that wait. Started as most programs are."""

    def __init__(self, env, program=None, dotnet=None, variables=None):
        """As of Workload."""
        env.need_commands("dotnet")
        self.mode = "none"
        self._start(env, [program] if program else ["dotnet", env.waiting_dll], settings_as_variables(dotnet or {}) | (variables or {}))


class Holding(Workload):
    """tests/live/holding: a program that has objects of many kinds. Started as most programs are."""

    def __init__(self, env, under=(), program=None, variables=None):
        """As of Workload."""
        env.need_commands("dotnet")
        self.mode = "none"
        self._start(env, [*under, *([program] if program else ["dotnet", env.holding_dll])], settings_as_variables({}) | (variables or {}))


class Dying(Workload):
    """tests/live/dying: threads at known places, and an end of a known kind. Started as most programs are."""

    def __init__(self, env, variables=None, under=()):
        """As of Workload."""
        env.need_commands("dotnet")
        self.mode = "none"
        self._start(env, [*under, "dotnet", env.dying_dll], settings_as_variables({}) | (variables or {}))

    def end(self, how, seconds):
        """By "unhandled", "abort" or "native"; its exit status."""
        self.process.send_line(how)
        return self.process.wait(seconds)


class Pausing(Workload):
    """tests/live/pausing: a thread that collects, alone, and one that stands meanwhile. Started as most programs are."""

    def __init__(self, env, variables=None):
        """As of Workload."""
        env.need_commands("dotnet")
        self.mode = "none"
        self._start(env, ["dotnet", env.pausing_dll], settings_as_variables({"gcConcurrent": "0"}) | (variables or {}))


class Deploying(Workload):
    """tests/live/deploying: a service with a steady load, one method of which takes more from a word on. With a perf map, for whoever has no other names."""

    def __init__(self, env):
        env.need_commands("dotnet")
        self.mode = "none"
        self._start(env, ["dotnet", env.deploying_dll], settings_as_variables({"PerfMapEnabled": "1"}))


class Telling(Workload):
    """tests/live/telling: a program that tells of its work by an EventSource and a log. Started as most programs are."""

    def __init__(self, env, program=None):
        """`program`: a self-contained one instead of the machine's runtime."""
        env.need_commands("dotnet")
        self.mode = "none"
        self._start(env, [program] if program else ["dotnet", env.telling_dll], settings_as_variables({}))


class Compiling(Workload):
    """tests/live/compiling: a program in which known methods cause compilations. Started as most programs are."""

    def __init__(self, env, program=None, mode="none"):
        """As of Workload. `mode`: with the bridge, if it is another one."""
        env.need_commands("dotnet")
        self.mode = mode
        bridge = {} if mode == "none" else {"LD_LIBRARY_PATH": str(env.bridge_dir)}
        self._start(env, [program] if program else ["dotnet", env.compiling_dll], settings_as_variables(MODES[mode]) | bridge)


class FirstRent(Workload):
    """tests/live/first_rent: a program that can be locked up by who opens counters."""

    def __init__(self, env):
        env.need_commands("dotnet")
        self.mode = "none"
        self._start(env, ["dotnet", env.first_rent_dll], settings_as_variables({}))

    def wait_until_rented(self, seconds):
        """It got over that."""
        if not self._answer(seconds).get("rented"):
            raise Failure("the program says something else")


class FakeRuntime(Workload):
    """tests/tools/fakeclr in the workload's place: the same commands and counters, on lttng-ust 2.13."""

    def __init__(self, env, mode="N", perf_map=True):
        self.mode = mode
        settings = MODES[mode] | ({"PerfMapEnabled": "3"} if perf_map else {})
        self._start(env, [env.fakeclr], settings_as_variables(settings))
