# SPDX-License-Identifier: GPL-2.0-only
"""Programs that are not ours, each at the work that people give it: Garnet, ASP.NET Core's mvc template, the C# compiler, the engine of PowerShell."""
import contextlib
import dataclasses
import os
import pathlib
import re
import socket
import subprocess
import time

from nt_live import Failure, Missing
from nt_live.environment import REPO, run_script
from nt_live.live_session import free_port
from nt_live.process import LineProcess, wait_until
from nt_live.workload import settings_as_variables

BUILD = REPO / "tests/bench/servers/build.sh"
TOOL = REPO / "tests/tools/dotnet-tool.sh"
START_S = 60
WORK_S = 120  # at most for one call of work()
LOAD_GARNET = ("-t", "set", "-c", "10", "-P", "8")
CLASSES, METHODS = 60, 12  # of the source that is compiled: about half a second of a CPU
SCRIPT = ("function f($n) { $s = 0; for ($i = 0; $i -lt $n; $i++) { $s += $i % 7; if ($i % 3 -eq 0) { $s -= 1 } }; $s }; "
          "$h = @{}; 1..200 | ForEach-Object { $h[\"k$_\"] = f 50 }; $sum = 0; $h.Values | Where-Object { $_ -gt 3 } | ForEach-Object { $sum += $_ }; $sum")


@dataclasses.dataclass(frozen=True)
class Done:
    """What was done in one call of work()."""
    count: int
    seconds: float

    @property
    def per_s(self):
        return self.count / self.seconds


class Running:
    """A program at its work: `work(seconds)` gives it about so much of it."""

    def __init__(self, process, rate, work):
        """`work(count, seconds)`: who can only be told how much to do is told that, at the rate of the last time."""
        self.pid = process.pid
        self._rate = rate
        self._work = work

    def work(self, seconds):
        done = self._work(max(round(self._rate * seconds), 1), seconds)
        self._rate = done.per_s
        return done


@dataclasses.dataclass(frozen=True)
class Server:
    name: str
    operation: str
    start: object  # environment -> context of a Running
    commands: tuple = ()


def _answers(port):
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False


@contextlib.contextmanager
def _started(env, name, *words, cwd=None):
    """A process with nothing set, as most programs run."""
    words = (["env", "-C", str(cwd)] if cwd else []) + [str(word) for word in words]
    process = LineProcess(words, settings_as_variables({}), env.scratch / f"{name}.err")
    try:
        yield process
    finally:
        process.kill()


def _said(*words):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=WORK_S, check=False,
                          env=settings_as_variables({}))
    if done.returncode != 0:
        raise Failure(f"{words[0]}: exit {done.returncode}: {done.stdout.strip()[-500:]}")
    return done.stdout


@contextlib.contextmanager
def garnet(env):
    port = free_port()
    program = run_script(TOOL, "garnet-server")

    def load(count, _):
        answer = _said("redis-benchmark", "-p", port, *LOAD_GARNET, "-n", count, "--csv")
        return Done(count, count / float(re.search(r'^"SET[^,]*","([\d.]+)"', answer, re.M)[1]))
    with _started(env, "garnet", program, "--bind", "127.0.0.1", "--port", port, "-m", "256m", "-i", "64m") as process:
        wait_until(lambda: _answers(port), START_S, "Garnet answers")
        yield Running(process, 100_000, load)


def _web_command(name, port):
    """The web application on this port. It finds its files in the working directory."""
    dll = pathlib.Path(run_script(BUILD, name))
    return dll.parent, ["dotnet", dll, "--urls", f"http://127.0.0.1:{port}", "--Logging:LogLevel:Default=Warning", "--Logging:LogLevel:Microsoft.AspNetCore=Warning"]


def mvc_command(port):
    return _web_command("mvc", port)


@contextlib.contextmanager
def web_application(env, name, connections, under=(), load_under=()):
    """That of a template, under load by so many connections; `under`: words before its own command, and before that of what loads it."""
    port = free_port()
    folder, words = _web_command(name, port)

    def load(_, seconds):
        answer = _said(*load_under, "wrk", "-t", 1, "-c", connections, "-d", f"{max(round(seconds), 1)}s", f"http://127.0.0.1:{port}/")
        if "Non-2xx" in answer or "Socket errors" in answer:
            raise Failure(f"wrk: {answer.strip()[-500:]}")
        requests, length = re.search(r"(\d+) requests in ([\d.]+)s", answer).groups()
        if not int(requests):
            raise Failure(f"wrk: no answer in {length} s")
        return Done(int(requests), float(length))
    with _started(env, name, *under, *words, cwd=folder) as process:
        wait_until(lambda: _answers(port), START_S, f"the {name} program answers")
        yield Running(process, 1, load)


def mvc(env):
    return web_application(env, "mvc", 8)


def _compiler():
    """(folder of the SDK's compiler, folder of the assemblies that programs refer to)."""
    listed = subprocess.run(["dotnet", "--list-sdks"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    version, sdks = re.match(r"(\S+) \[(.*)\]", listed[-1]).groups()
    packs = sorted(pathlib.Path(sdks).parent.glob("packs/Microsoft.NETCore.App.Ref/*/ref/net*"))
    if not packs:
        raise Missing(f"the SDK in {sdks} has no Microsoft.NETCore.App.Ref")
    return pathlib.Path(sdks) / version / "Roslyn/bincore", packs[-1]


def _source_text():
    method = ("  public int M{m}(int x, List<int> list) {{ int sum = {m}; foreach (int i in list) {{ if (i % {n} == 0) sum += i * x; else sum -= Math.Max(i, x); }} "
              "return list.Where(y => y > sum).Select(y => y + value).Sum(); }}\n")
    methods = "".join(method.format(m=m, n=m + 2) for m in range(METHODS))
    return "using System;\nusing System.Collections.Generic;\nusing System.Linq;\n" + "".join(
        f"public class C{c} {{\n  public int value;\n{methods}}}\n" for c in range(CLASSES))


@contextlib.contextmanager
def compiler(env):
    """The compiler's own server, which `dotnet build` leaves running, and csc as its client."""
    folder, references = _compiler()
    pipe, source, response = f"nettop-bench-{os.getpid()}", env.scratch / "generated.cs", env.scratch / "generated.rsp"
    source.write_text(_source_text(), encoding="utf-8")
    response.write_text("".join(f"-r:{dll}\n" for dll in sorted(references.glob("*.dll"))), encoding="utf-8")
    words = ["dotnet", "exec", folder / "csc.dll", "-noconfig", f"-shared:{pipe}", "-nologo", "-nostdlib", "-target:library", f"-out:{env.scratch / 'generated.dll'}",
             f"@{response}", source]

    def load(count, _):
        before = time.monotonic()
        for _ in range(count):
            _said(*words)
        return Done(count, time.monotonic() - before)
    listens = pathlib.Path("/tmp") / pipe  # whatever TMPDIR says
    try:
        with _started(env, "compiler", "dotnet", "exec", folder / "VBCSCompiler.dll", f"-pipename:{pipe}") as process:
            wait_until(listens.exists, START_S, "the compiler's server listens")
            yield Running(process, 1, load)
    finally:
        listens.unlink(missing_ok=True)


@contextlib.contextmanager
def powershell(env):
    """It says a line after each run of the script."""
    with _started(env, "powershell", "dotnet", run_script(BUILD, "powershell"), SCRIPT) as process:
        def load(_, seconds):
            before, count = time.monotonic(), 0
            while count == 0 or time.monotonic() - before < seconds:
                if process.read_line(START_S) is None:
                    raise Failure(f"PowerShell's engine has ended: {process.stderr_text()[-500:]}")
                count += 1
            return Done(count, time.monotonic() - before)
        yield Running(process, 1, load)


GARNET = Server("Garnet", "SET", garnet, ("redis-benchmark",))
MVC = Server("ASP.NET Core mvc", "request", mvc, ("wrk",))
COMPILER = Server("C# compiler", "compilation", compiler)
POWERSHELL = Server("PowerShell's engine", "script", powershell)
