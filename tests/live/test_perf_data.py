#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Files of the genuine perf record, opened by nettop replay: what it tells of them is what perf script tells."""
import collections
import contextlib
import json
import pathlib
import re
import subprocess

from nt_live import *

END_S = 60
SECONDS = "1"
ATTEMPTS = 3

# A map and a jitdump; and code where perf looks for names in a map: in memory that is of no file.
NAMED = {"PerfMapEnabled": "1", "PerfMapStubGranularity": "2", "EnableWriteXorExecute": "0"}

# How each is recorded. They run side by side, on the same program.
WAYS = {
    "plain": ("-g", "-F", "199"),
    "packed": ("-g", "-F", "199", "-z", "--switch-events"),
    "copied": ("--call-graph", "dwarf", "-F", "99"),
    "of two events": ("-g", "-F", "199", "-e", "cpu-clock,context-switches"),
    "of the machine": ("-g", "-F", "199", "-a", "-k", "mono"),
    "of a pipe": ("-g", "-F", "199", "-o", "-"),
}


class PerfFile:
    """What `perf record` has written, and what perf itself says of it."""

    def __init__(self, env, path):
        self.env, self.path = env, path

    def script(self, fields):
        done = subprocess.run(["perf", "script", "-i", str(self.path), "-F", fields], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=END_S, check=False)
        check_equal(f"exit status of perf script, which says {done.stderr.decode(errors='replace')}", done.returncode, 0)
        return done.stdout.decode(errors="replace")

    def samples_by_thread(self, pid, event="cpu-clock"):
        found = re.findall(r"^\s*(\d+)/(\d+) +(\S+?):", self.script("pid,tid,event"), re.M)
        return collections.Counter(int(tid) for of, tid, name in found if int(of) == pid and name.startswith(event))

    def replayed(self, *options):
        """The lines, what it says, its exit status."""
        done = subprocess.run([str(self.env.nettop), "replay", str(self.path), "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=END_S, check=False)
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode(), done.returncode


def start(stack, made, pid, options):
    out = stack.enter_context(open(made.path, "wb")) if "-" in options else subprocess.DEVNULL
    target = () if "-a" in options else ("-p", str(pid))
    file = () if "-" in options else ("-o", str(made.path))
    argv = ["perf", "record", "-q", *options, *target, *file, "sleep", SECONDS]
    recorder = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE)
    stack.callback(recorder.kill)
    return recorder


def record_all(env, pid):
    """One file for each of the ways. perf gives up when a thread ends while it attaches to all of them: it is begun anew then."""
    files = {way: PerfFile(env, env.scratch / f"{number}.data") for number, way in enumerate(WAYS)}
    with contextlib.ExitStack() as stack:
        recorders = {way: start(stack, made, pid, WAYS[way]) for way, made in files.items()}
        for way, recorder in recorders.items():
            for _ in range(ATTEMPTS):
                said = recorder.communicate(timeout=END_S)[1].decode()
                if not recorder.returncode:
                    break
                recorder = start(stack, files[way], pid, WAYS[way])
            else:
                raise Failure(f"perf record {way} ends with {recorder.returncode}, and says {said}")
    return files


def check_samples(way, made, pid):
    lines, said, status = made.replayed("--process", str(pid))
    check_equal(f"{way}: exit status of replay, which says {said}", status, 0)
    wanted, summary = made.samples_by_thread(pid), lines[-1]
    check_equal(f"{way}: the process", (summary["target"]["pid"], summary["complete"]), (pid, True))
    check(sum(wanted.values()) > 0, f"{way}: perf has {sum(wanted.values())} samples of it")
    told = collections.Counter()
    for line in lines[:-1]:
        told.update({row["tid"]: row["samples"] for row in line["thread_rows"]})
    check_equal(f"{way}: samples by thread", dict(+told), dict(wanted))
    check_equal(f"{way}: samples of all the time", summary["cpu"]["samples"], sum(wanted.values()))
    return said, summary


def perf_leaves(made, pid):
    """Samples by the method that ran, as perf script names it: of generated code, by the perf map of the process, which has not ended."""
    found = re.findall(r"^\s*(\d+)/\d+ *\n\s*[0-9a-f]+ (.*?) \((.*)\)$", made.script("pid,tid,ip,sym,dso"), re.M)
    return collections.Counter(name for of, name, dso in found if int(of) == pid and dso.endswith(f"/perf-{pid}.map"))


def of_all_tiers(counts):
    """A method is one row of nettop's, with the tier that it had last: the map has a line for each."""
    sums = collections.Counter()
    for name, count in counts.items():
        sums[re.sub(r"\[[^]]*\]$", "", name)] += count
    return dict(sums)


@test
def methods_are_those_of_perf_with_its_map(env):
    """By a perf map, and by a jitdump, which says besides from when on each name holds."""
    env.need_commands("perf")
    made = PerfFile(env, env.scratch / "named.data")
    dump = None
    with Workload(env, mode="none", lttng=False, perf_map=False, dotnet=NAMED) as work, contextlib.ExitStack() as stack:
        dump = pathlib.Path(f"/tmp/jit-{work.pid}.dump")
        stack.callback(dump.unlink, missing_ok=True)
        work.settle()
        recorder = subprocess.Popen(["perf", "record", "-q", "-g", "-F", "499", "-k", "mono", "-p", str(work.pid), "-o", str(made.path), "sleep", SECONDS])
        stack.callback(recorder.kill)
        work.do("compute 1500")
        check_equal("exit status of perf record", recorder.wait(END_S), 0)
        work.quit()  # it has written all of the jitdump then
        wanted = perf_leaves(made, work.pid)
        check(sum(wanted.values()) > 10, f"perf names {wanted}")
        texts = []
        for names in (f"/tmp/perf-{work.pid}.map", str(dump)):
            lines, said, status = made.replayed("--perf-map", names)
            check_equal(f"{names}: exit status of replay, which says {said}", status, 0)
            told = collections.Counter({row["raw"] or row["name"]: row["self_samples"] for row in lines[-1]["methods"] if row["kind"] == "jit" and row["self_samples"]})
            check_equal(f"{names}: samples by method", of_all_tiers(told), of_all_tiers(wanted))
            texts.append(f"{len(told)} methods by {names}")
        return ", ".join(texts)


@test
def as_many_samples_of_each_thread_as_perf_script_has(env):
    env.need_commands("perf")
    with Bare(env) as work:
        work.settle()
        work.spin()
        files = record_all(env, work.pid)
        said = {way: check_samples(way, made, work.pid)[0] for way, made in files.items()}
        for way in ("plain", "packed", "of a pipe"):
            check_equal(f"what is said of the one that is {way}", said[way], "")
        check("are from copies of the stack" in said["copied"], said["copied"])
        check("are of other events than CPU time" in said["of two events"] and "context-switches" in said["of two events"], said["of two events"])
        said_of_all, status = files["of the machine"].replayed()[1:]
        check(status == 0 and re.search(r"process \d+ is told of, which has \d+ of the file's \d+ samples of \d+ processes", said_of_all), said_of_all)
        said_of_none, status = files["plain"].replayed("--process", "nosuch")[1:]
        check(status == 1 and f"it has no samples of a process nosuch: most are of {work.pid} (" in said_of_none, f"status {status}: {said_of_none}")
        told_cut = what_is_cut_is_told_up_to_there(files["plain"], files["packed"])
        return f"{len(files)} files, {told_cut}"


def what_is_cut_is_told_up_to_there(*files):
    """At some places in each: as many samples as before, or fewer, and a sentence."""
    counts = []
    for made in files:
        whole = made.path.read_bytes()
        most = made.replayed()[0][-1]["cpu"]["samples"]
        for part in (0.3, 0.6, 0.9):
            made.path.write_bytes(whole[:int(len(whole) * part)])
            lines, said, status = made.replayed()
            # Before the first sample there is nothing to be told.
            check(status == 0 and "the file is cut" in said or "it has no samples" in said, f"cut at {part}: status {status}, {said}")
            counts.append(lines[-1]["cpu"]["samples"] if lines else 0)
            check(counts[-1] <= most, f"cut at {part}: {counts[-1]} of {most} samples")
        made.path.write_bytes(whole)
    return f"cut: {counts} samples"


if __name__ == "__main__":
    main()
