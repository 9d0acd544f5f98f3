#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop replay of a folder that LTTng has recorded into: what babeltrace2 has of the same folder; and of what is cut, missing, a link or a FIFO one sentence."""
import contextlib
import json
import os
import re
import shutil
import subprocess

from nt_live import *
from nt_live.lttng import EVENTS, PROVIDER, command, field

END_S = 60
OTHER = 1000
CONTEXTS = ("vpid", "vtid", "procname")


def replay(env, folder, *options):
    """What replay writes, as lines of JSON, and what it says; its exit status."""
    done = subprocess.run([str(env.nettop), "replay", str(folder), "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=END_S, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr, done.returncode


def refused(env, folder, *words):
    lines, said, status = replay(env, folder)
    check(status and not lines, f"{len(lines)} lines, exit status {status}: {said}")
    for word in words:
        check(word in said, f"{word} is not in: {said}")


@contextlib.contextmanager
def recording(env, name, *channel, events=EVENTS, contexts=CONTEXTS):
    """A session of LTTng's own commands; its folder, which is whole behind the `with`."""
    folder = env.scratch / name
    command("lttng", "create", name, "-o", str(folder))
    try:
        command("lttng", "enable-channel", "-s", name, "-u", "--subbuf-size=1M", "--num-subbuf=8", *channel, "runtime")
        for context in contexts:
            command("lttng", "add-context", "-s", name, "-u", "-c", "runtime", "-t", context)
        command("lttng", "enable-event", "-s", name, "-u", "-c", "runtime", ",".join(f"{PROVIDER}:{event}" for event in events))
        command("lttng", "start", name)
        yield folder
        said = command("lttng", "stop", name)
        check("discarded" not in said and "lost" not in said, said)
    finally:
        command("lttng", "destroy", name)


def as_babeltrace_says(folder, pid):
    """(name, text) of each event of a process."""
    done = subprocess.run(["babeltrace2", str(folder)], stdout=subprocess.PIPE, text=True, errors="replace", timeout=END_S, check=True)
    pattern = re.compile(rf"{PROVIDER}:(\w+): .*?vpid = {pid}\b.*? \}}, (.*)$", re.MULTILINE)
    return pattern.findall(done.stdout)


def check_told(env, folder, pid):
    theirs = as_babeltrace_says(folder, pid)
    lines, said, status = replay(env, folder)
    check_equal(f"exit status of replay, which says {said}", status, 0)
    summary = lines[-1]
    check_equal("process", summary["target"]["pid"], pid)
    check_equal("events", next(source["events"] for source in summary["sources"] if source["name"] == "lttng"), len(theirs))
    ends = [text for name, text in theirs if name.startswith("GCEnd")]
    rows = {row["number"]: row for line in lines for row in line["gc"]["collections"]}
    check_equal("collections", sorted(rows), sorted(field(text, "Count") for text in ends))
    for text in ends:
        check_equal("generation", rows[field(text, "Count")]["generation"], field(text, "Depth"))
    loads = [text for name, text in theirs if name.startswith("MethodLoadVerbose")]
    check_equal("compilations", summary["jit"]["method_count"], len(loads))
    return summary, said, theirs


@test
def as_babeltrace2_has_it(env):
    """With buffers of users, in which two processes are, and of processes; a program that LTTng is not asked to tell of is in neither."""
    with SessionDaemon(env) as daemon, Workload(env, mode="N") as work, FakeRuntime(env) as beside:
        for each in (work, beside):
            daemon.wait_for_app(each.pid)
        work.settle()
        with recording(env, "users") as users, recording(env, "processes", "--buffers-pid") as processes:
            work.do("gc 0 20")
            work.do("gc 2")
            work.do("jit-expr 20")
            beside.do("gc 0")
            work.do("compute 1100")
            work.do("gc 1")
        for folder in (users, processes):
            summary, said, theirs = check_told(env, folder, work.pid)
            check("other processes" in said and str(beside.pid) in said, f"of the process beside: {said}")
            check_equal("samples", (summary["cpu"]["samples"], summary["cpu"]["reason"]), (None, "an LTTng folder has no samples"))
            check_equal("exceptions", summary["exceptions"]["count"], None)
            check_equal("locks", summary["contention"]["count"], None)
    return f"{len(theirs)} events"


@long_test
def what_was_not_recorded_is_unknown(env):
    with SessionDaemon(env) as daemon, FakeRuntime(env) as work:
        daemon.wait_for_app(work.pid)
        with recording(env, "some", events=("GC*",)) as some, recording(env, "nobodys", contexts=()) as nobodys, recording(env, "jit", events=("Method*",)) as jit:
            work.do("gc 0")
    summary = replay(env, some)[0][-1]
    check("compilations were not recorded" in summary["jit"]["reason"] and summary["jit"]["method_count"] is None, f"compilations: {summary['jit']}")
    check("thread pool was not recorded" in summary["threadpool"]["reason"], f"thread pool: {summary['threadpool']['reason']}")
    refused(env, nobodys, "do not say to which process they belong", "add-context")
    refused(env, jit, "no ")


def copy(env, folder, name):
    to = env.scratch / name
    shutil.copytree(folder, to)
    return to, next(to.rglob("metadata")).parent


@test
def what_is_damaged_or_not_its_own_is_not_told(env):
    with SessionDaemon(env) as daemon, FakeRuntime(env) as work:
        daemon.wait_for_app(work.pid)
        with recording(env, "whole") as whole:
            for _ in range(3):
                work.do("gc 0")
    count = len(replay(env, whole)[0][-1]["gc"]["collections"])
    # Beside a whole one: of that all is told, of the other why it is not.
    both, _ = copy(env, whole, "both/whole")
    _, cut = copy(env, whole, "both/cut")
    os.truncate(cut / "metadata", 5000)
    lines, said, status = replay(env, both.parent)
    check_equal("with a cut one beside", (len(lines[-1]["gc"]["collections"]), status), (count, 0))
    check("is left out" in said and "metadata" in said and "byte 4096 of 5000" in said, said)
    refused(env, both.parent / "cut", "metadata", "byte 4096 of 5000")
    folder, trace = copy(env, whole, "missing")
    (trace / "metadata").unlink()
    refused(env, folder, "no trace in it")
    os.mkfifo(trace / "metadata")
    refused(env, folder, "no trace in it")
    folder, trace = copy(env, whole, "waiting")
    os.mkfifo(trace / "runtime_7")
    refused(env, folder, "runtime_7 in it is no file")
    # A link leads out of the folder: to a stream that is whole, and may not be read all the same.
    folder, trace = copy(env, whole, "linked")
    for stream in trace.glob("runtime_*"):
        outside = env.scratch / f"outside-{stream.name}"
        stream.rename(outside)
        stream.symlink_to(outside)
    check(as_babeltrace_says(folder, work.pid), "babeltrace2 reads what the link leads to")
    refused(env, folder, "cannot be read")
    # Another user's, which nobody else may read.
    folder, trace = copy(env, whole, "others")
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, OTHER, OTHER)
        path.chmod(0o700)
    check_equal("of another user's folder", len(replay(env, folder)[0][-1]["gc"]["collections"]), count)


if __name__ == "__main__":
    main()
