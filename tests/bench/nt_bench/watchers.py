# SPDX-License-Identifier: GPL-2.0-only
"""Who watches a program, as people start it, and how one sees that it does."""
import contextlib
import dataclasses
import json
import os
import subprocess

from nt_live import Failure
from nt_live.eventpipe import sessions_of

from .contenders import PERF
from .program import Program, pumped

ATTACH_S = 20
COPIES = 8  # of nettop. A dotnet-trace more is nearly free: its sampler stops all threads once for all of them.
WORK_NOW_AND_THEN = """
import sys, time
share, start_s = float(sys.argv[1]) / 100, time.monotonic()
before_s = time.process_time()
while True:
    time.sleep(0.05)
    while time.process_time() - before_s < share * (time.monotonic() - start_s):
        pass
"""


@dataclasses.dataclass(frozen=True)
class Watcher:
    title: str
    argv: object             # (bench, pid, file of its own) -> words
    terminal: bool = False
    sessions: bool = False   # has EventPipe sessions, or it does not watch
    starts: int = 1          # perf gives up when a thread ends while it attaches; bpftrace may end without its sums
    copies: int = 1          # so many of it watch at the same time: what one costs is lost in what an operation costs from second to second
    check: object = None     # (its file, its terminal's text) -> why it does not watch, or ""
    ready: str = ""          # what its file says when it begins to watch


def _nettop(*options):
    return lambda bench, pid, _: [bench.env.nettop, "-p", pid, *options]


def _record(*options):
    return lambda bench, pid, file: ["perf", "record", "-q", "-g", *PERF, *(["-p", pid] if "-a" not in options else []), *options, "-o", file]


def _lines(file):
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _sampled(file, _):
    """In its JSON lines."""
    return "" if any(line["methods"] for line in _lines(file)) else "it has no samples"


def _drawn(_, text):
    return "" if "METHOD" in text else f"its screen has no methods: {text[-800:]!r}"


def _recorded(file, _):
    return "" if os.path.getsize(file) > 10_000 else "it has recorded nothing"


NETTOP = Watcher("nettop", _nettop(), terminal=True, sessions=True, check=_drawn, copies=COPIES)
NETTOP_JSON = Watcher("nettop --json", _nettop("--json"), sessions=True, check=_sampled, copies=COPIES)
NETTOP_PERF = Watcher("nettop --source perf", _nettop("--json", "--source", "perf"), check=_sampled)
NETTOP_EVENTPIPE = Watcher("nettop --source eventpipe", _nettop("--json", "--source", "eventpipe"), sessions=True)
NETTOP_MAP = Watcher("nettop --source map", _nettop("--json", "--source", "map"))
DOTNET_TRACE = Watcher("dotnet-trace collect", lambda bench, pid, file: [bench.dotnet_trace, "collect", "-p", pid, "-o", file], sessions=True, check=_recorded)
# Works as much as nettop in a terminal does, 20 times a second, and watches nobody: what anybody's work beside the program costs it.
COMPANY = Watcher("the same work, watching nobody", lambda bench, *_: ["python3", "-c", WORK_NOW_AND_THEN, bench.company_pct])
PERF_PID = Watcher("perf record -g -p", _record(), starts=5, check=_recorded)
PERF_ALL = Watcher("perf record -g -a", _record("-a"), check=_recorded)


def _exact(file, _):
    lines = _lines(file)
    told = sum(line["waits"]["method"] == "exact" for line in lines)
    return "" if told > len(lines) / 2 else f"switches are told in {told} of {len(lines)} lines only"


# All switches, whatever they cost the target, of the whole machine: perf has a filter for threads that live already, not for a process.
NETTOP_WAITS = Watcher("nettop --json --waits", _nettop("--json", "--waits", "--max-target-cost", "100"), sessions=True, check=_exact)
MOUNT = "mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing; "
PERF_SCHED = Watcher("perf sched record", lambda bench, pid, file: [
    "sh", "-c", MOUNT + 'exec "$@"', "sh", "perf", "sched", "record", "-q", "-o", file], check=_recorded)


def _counted(file, _):
    lines = _lines(file)
    told = sum(line["io"]["call_count"] is not None for line in lines)
    return "" if told > len(lines) / 2 else f"calls are counted in {told} of {len(lines)} lines only"


def _listed(file, _):
    return "" if "% time" in file.read_text(encoding="utf-8", errors="replace") else "it has counted nothing"


# All calls, whatever they cost the target; of one copy, because the programs of each run at each call.
NETTOP_CALLS = Watcher("nettop --json --calls", _nettop("--json", "--calls", "--max-target-cost", "100"), sessions=True, check=_counted)
STRACE = Watcher("strace -c -f", lambda bench, pid, file: ["strace", "-q", "-c", "-f", "-p", pid, "-o", file], check=_listed)


def _single(file, _):
    """They are asked for when the runtime has told its own counters."""
    told = [line["requests"] for line in _lines(file)]
    return "" if any(figures["single_in_flight_count"] is not None for figures in told) else f"single requests are not told: {[figures['single_reason'] for figures in told]}"


# Each request, whatever it costs the target; of one copy, because a process has one setting of that provider for all.
NETTOP_EVENTS = Watcher("nettop --json --source eventpipe,map,procfs", _nettop("--json", "--source", "eventpipe,map,procfs"), sessions=True)
NETTOP_REQUESTS = Watcher("nettop --json --source eventpipe,map,procfs --requests", _nettop("--json", "--source", "eventpipe,map,procfs", "--requests", "--max-target-cost", "100"), sessions=True,
                          check=_single)
NETTOP_REQUEST_CPU = Watcher("nettop --json --source eventpipe,map,procfs --request-cpu", _nettop("--json", "--source", "eventpipe,map,procfs", "--request-cpu", "--max-target-cost", "100"), sessions=True,
                             check=_single)
HOSTING = "Microsoft.AspNetCore/Microsoft.AspNetCore.Hosting.HttpRequestIn"
REQUEST_SPECS = "\n".join((f"{HOSTING}.Start@Activity1Start:-M=Request.Method;P=Request.Path.Value;S=*Activity.SpanId;T=*Activity.TraceId",
                           f"{HOSTING}.Stop@Activity1Stop:-C=Response.StatusCode;D=*Activity.Duration.Ticks;S=*Activity.SpanId", f"{HOSTING}:-"))
DOTNET_TRACE_REQUESTS = Watcher("dotnet-trace collect --providers Microsoft-Diagnostics-DiagnosticSource", lambda bench, pid, file: [
    bench.dotnet_trace, "collect", "-p", pid, "-o", file, "--providers", f'Microsoft-Diagnostics-DiagnosticSource:0x802:4:FilterAndPayloadSpecs="{REQUEST_SPECS}"'],
    sessions=True, check=_recorded)


LISTENER = Watcher("Microsoft.Diagnostics.NETCore.Client", lambda bench, pid, file: [
    "sh", "-c", 'exec dotnet "$1" "$2" "$3" > "$4"', "sh", bench.listener, pid, REQUEST_SPECS, file], sessions=True, ready="ready")


# Where threads wait and how long, as one would write it; "$1" is the process.
BPFTRACE_SCRIPT = """BEGIN { printf("ready\\n"); }
tracepoint:sched:sched_switch /pid == $1/ { @begin[tid] = nsecs; @at[tid] = ustack(perf, 127); }
tracepoint:sched:sched_switch /@begin[args->next_pid]/ { @off[args->next_pid, @at[args->next_pid]] = sum(nsecs - @begin[args->next_pid]); delete(@begin[args->next_pid]); }"""


def _summed(file, _):
    return "" if "@off" in file.read_text(encoding="utf-8", errors="replace") else "it has no sums"


BPFTRACE = Watcher("bpftrace, waits by stack", lambda bench, pid, file: [
    "sh", "-c", MOUNT + 'exec bpftrace -B line -e "$1" "$2" > "$3"', "sh", BPFTRACE_SCRIPT, pid, file], check=_summed, ready="ready", starts=12)


def _is_ready(watcher, file):
    return not watcher.ready or watcher.ready in file.read_text(encoding="utf-8", errors="replace")


def _check(watcher, file, text):
    why = watcher.check(file, text) if watcher.check else ""
    if why:
        raise Failure(f"{watcher.title}: {why}")


@contextlib.contextmanager
def _one(bench, pid, watcher, number, under):
    """The Program watches the process while the block runs, or Failure."""
    file = bench.env.scratch / f"watcher-{number}.out"
    sessions = sessions_of(pid) if watcher.sessions else 0
    with open(file, "wb") as out, Program([*under, *watcher.argv(bench, pid, file)], bench.home, terminal=watcher.terminal,
                                          stdout=out if "--json" in watcher.argv(bench, pid, file) else subprocess.DEVNULL) as program:
        program.run(ATTACH_S, lambda _: (not watcher.sessions or sessions_of(pid) > sessions) and _is_ready(watcher, file))
        if not _is_ready(watcher, file):
            raise Failure(f"{watcher.title}: does not watch after {ATTACH_S} s")
        if watcher.sessions and sessions_of(pid) <= sessions:
            raise Failure(f"{watcher.title}: no EventPipe session after {ATTACH_S} s")
        with pumped(program):
            yield program
        program.run(program.age_s() + 0.001)  # Failure if it has ended
        program.end()
        _check(watcher, file, program.text())


@contextlib.contextmanager
def watching(bench, pid, watcher, under=()):
    """All copies of it watch the process while the block runs, each started with the words `under` before its own; the block gives them the time that they need for attaching. The block gets their Programs."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(_one(bench, pid, watcher, number, under)) for number in range(watcher.copies)]
