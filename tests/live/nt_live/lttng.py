# SPDX-License-Identifier: GPL-2.0-only
"""LTTng without nettop: a session daemon of our own and a recording made with LTTng's own commands."""
import collections
import os
import re
import subprocess

from .process import Failure, LineProcess, wait_until

# The curated events, with the sentinel GCStart (the runtime reads its state to decide about all other GC events).
EVENTS = """GCStart* GCEnd* GCHeapStats* GCSuspendEE* GCRestartEE* GCTriggered GCGlobalHeapHistory* GCPerHeapHistory*
MethodJittingStarted* MethodLoadVerbose* MethodUnloadVerbose* TieredCompilation* ThreadPool* ThreadCreated
ThreadTerminated Contention*""".split()
PROVIDER = "DotNETRuntime"


def command(*argv, seconds=30):
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(argv)}: exit {done.returncode}: {done.stdout.strip()[-500:]}")
    return done.stdout


def sessions():
    """The names of the sessions that the session daemon has; none when no daemon answers."""
    done = subprocess.run(["lttng", "--mi", "xml", "list"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=30,
                          check=False)
    return re.findall(r"<session><name>([^<]*)</name>", done.stdout)


def _lttng_answers():
    return subprocess.run(["lttng", "list"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


class Daemon:
    """One of LTTng's daemons, `process`, asked to end when the `with` ends."""

    def __init__(self, process, answers):
        self.process = process
        wait_until(lambda: self._answers(answers), 15, f"{process.name} answers")

    def _answers(self, answers):
        if not self.process.alive():
            raise Failure(f"{self.process.name} ended: {self.process.stderr_text()[-500:]}")
        return answers()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.signal(15)
        self.process.wait(15)
        self.process.kill()


class SessionDaemon(Daemon):
    """lttng-sessiond in this program's mount namespace (see environment.enter_private_namespace)."""

    def __init__(self, env):
        env.need_commands("lttng", "lttng-sessiond", "babeltrace2")
        home = env.scratch / "lttng-home"
        home.mkdir(exist_ok=True)
        os.environ["LTTNG_HOME"] = str(home)
        super().__init__(LineProcess(["lttng-sessiond", "--no-kernel"], stderr_path=env.scratch / "sessiond.err"), _lttng_answers)

    def wait_for_app(self, pid, seconds=20):
        """Until the process has registered: before, it emits nothing."""
        wait_until(lambda: f"PID: {pid} " in command("lttng", "list", "-u"), seconds, f"process {pid} registers with LTTng")


class Recording:
    """Records one process into a folder between start() and stop(); then counts what is in it."""

    def __init__(self, env, pid, events=EVENTS):
        self.folder = env.scratch / f"trace-{pid}"
        self.session = f"nt-live-{pid}"
        command("lttng", "create", self.session, "-o", str(self.folder))
        try:
            command("lttng", "enable-channel", "-s", self.session, "-u", "--subbuf-size=1M", "--num-subbuf=8", "runtime")
            command("lttng", "track", "-s", self.session, "-u", f"--vpid={pid}")
            command("lttng", "add-context", "-s", self.session, "-u", "-c", "runtime", "-t", "vpid", "-t", "vtid")
            command("lttng", "enable-event", "-s", self.session, "-u", "-c", "runtime",
                    ",".join(f"{PROVIDER}:{event}" for event in events))
        except BaseException:
            self.destroy()
            raise

    def start(self):
        command("lttng", "start", self.session)

    def stop(self):
        text = command("lttng", "stop", self.session)
        if "discarded" in text or "lost" in text:
            raise Failure(f"the recording has losses: {text.strip()}")
        self.destroy()

    def destroy(self):
        command("lttng", "destroy", self.session)

    def events(self):
        """(name, time in ns of CLOCK_MONOTONIC, vtid, text of the payload) of each event, in the order of time."""
        pattern = re.compile(rf"^\[(\d+)\] .*?{PROVIDER}:(\w+): .*?vtid = (\d+) \}}, (.*)$")
        reader = subprocess.Popen(["babeltrace2", "--clock-cycles", "--no-delta", str(self.folder)],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        with reader:
            for line in reader.stdout:
                match = pattern.match(line)
                if not match:
                    raise Failure(f"babeltrace2 wrote a line that is no event: {line.strip()[:200]}")
                yield match[2], int(match[1]), int(match[3]), match[4]
            errors = reader.stderr.read().strip()
        if reader.returncode != 0:
            raise Failure(f"babeltrace2: exit {reader.returncode}: {errors[-500:]}")

    def counts(self):
        """Events by name."""
        return collections.Counter(name for name, *_ in self.events())


def field(payload, name):
    """A number out of babeltrace2's text of a payload."""
    match = re.search(rf"\b{name} = (-?(?:0x)?[0-9A-Fa-f]+)", payload)
    if not match:
        raise Failure(f"no field {name} in {payload[:200]}")
    return int(match[1], 0)
