#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Several processes in one list: a row each, that says what `-p` alone says of it, and goes on when its process ends and another takes its place."""
import collections
import contextlib
import json
import os
import re
import signal
import time

from nt_live import *
from nt_live.bare import open_files
from nt_live.environment import REPO
from nt_live.perf_dump import WITHOUT_PERFMON
from nt_live.process import LineProcess, descendants, read_until, run, wait_until
from nt_live.runner import check, check_equal

STARTS_S = 30
WORKS = (("throw 120", "locks 35", "gc 0", "gc 0", "gc 2", "compute 400"), ("throw 17", "locks 90", "gc 1", "compute 150"), ("gc 2", "gc 2", "throw 3", "alloc 20"))
COUNTS = (("gc", "gen0_count"), ("gc", "gen1_count"), ("gc", "gen2_count"), ("exceptions", "count"), ("contention", "count"))
TIMES = (("gc", "pause_ns"), ("cpu", "time_ns"), ("gc", "alloc_bytes"))
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


class Many(LineProcess):
    """nettop --json of several processes: the lines of each pid, in `lines`; those of all others and of idle CPUs by their name; `summaries` of each pid."""

    def __init__(self, env, *options, interval_s=0.5, prefix=()):
        super().__init__([*prefix, str(env.nettop), "--json", "-d", str(interval_s), *options], os.environ.copy(), stderr_path=env.scratch / "many.err")
        self.lines, self.summaries = {}, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def read(self, seconds):
        line = self.read_line(seconds)
        if line is None:
            return None
        row = json.loads(line)
        if row["type"] == "process_summary":
            self.summaries[row["pid"]] = row
            return row
        check_equal("type of a line", row["type"], "process")
        self.lines.setdefault(row["pid"] or row["name"], []).append(row)
        return row

    def wait_for(self, condition, seconds, what):
        """The first line from now on for which it holds."""
        return read_until(self, self.read, condition, seconds, what, lambda: f"the last lines: { {key: rows[-1] for key, rows in self.lines.items()} }"[:3000])

    def wait_past(self, pid, moment_ns):
        return self.wait_for(lambda row: row["pid"] == pid and row["t0_ns"] > moment_ns, STARTS_S, f"an interval of {pid} after that")

    def sums(self, pid, since_ns, until_ns, keys):
        inside = [row for row in self.lines[pid] if row["t0_ns"] >= since_ns and row["t1_ns"] <= until_ns]
        return {key: sum(row[key[0]][key[1]] or 0 for row in inside) for key in keys}


def is_told(row):
    return row["pid"] and row["state"] == "live" and row["gc_pause_pct"] is not None and row["exceptions_per_s"] is not None


def files_of(pid):
    """How many of each kind it has open; but for pidfds: it has one of each .NET process of the machine."""
    return collections.Counter(re.sub(r"\d+", "N", target) for target in open_files(pid) if "pidfd" not in target)


def alone(nettop, since_ns, until_ns, keys):
    inside = [line for line in nettop.intervals if line["t0_ns"] >= since_ns and line["t1_ns"] <= until_ns]
    return {key: sum(line[key[0]][key[1]] or 0 for line in inside) for key in keys}


@test
def each_is_as_if_alone(env):
    """Three that do different things, watched in one list and each alone at the same time: both say the same of the same span, which is the process's own word."""
    with contextlib.ExitStack() as stack:
        works = [stack.enter_context(Bare(env)) for _ in range(3)]
        for work in works:
            work.settle()
        many = stack.enter_context(Many(env, "-p", ",".join(str(work.pid) for work in works)))
        singles = [stack.enter_context(Nettop(env, work.pid, interval_s=0.5)) for work in works]
        for work, single in zip(works, singles):
            many.wait_for(lambda row, work=work: row["pid"] == work.pid and is_told(row), STARTS_S, f"the row of {work.pid}")
            single.wait_for(lambda line: line["gc"]["pause_pct"] is not None and line["exceptions"]["count"] is not None, STARTS_S, "it alone")
            many.wait_for(lambda row, work=work: row["pid"] == work.pid and row["gc"]["alloc_bytes"] is not None, STARTS_S, f"what {work.pid} has allocated, by its counters")
        details = []
        for work in works:
            work.settle()
        spans = []
        for work, single, commands in zip(works, singles, WORKS):
            quiet_ns = time.monotonic_ns()
            many.wait_past(work.pid, quiet_ns)
            single.wait_for(lambda line, quiet_ns=quiet_ns: line["t0_ns"] > quiet_ns, STARTS_S, "a quiet interval")
            truth, _ = work.measure(*commands)
            done_ns = time.monotonic_ns()
            last_ns = many.wait_past(work.pid, done_ns)["t1_ns"]
            single.wait_for(lambda line, last_ns=last_ns: line["t1_ns"] > last_ns, STARTS_S, "the same of it alone")
            spans.append((truth, quiet_ns, last_ns))
        for work, single, (truth, since_ns, until_ns) in zip(works, singles, spans):
            counted = many.sums(work.pid, since_ns, until_ns, COUNTS)
            check_equal(f"counts of {work.pid} in the list and alone", counted, alone(single, since_ns, until_ns + 500_000_000, COUNTS))
            check_equal("collections", [counted["gc", f"gen{n}_count"] for n in range(3)], truth.gc_counts())
            check_equal("exceptions", counted["exceptions", "count"], truth["exception_count"])
            check_equal("contentions", counted["contention", "count"], truth["contention_count"])
            one, other = many.sums(work.pid, since_ns, until_ns, TIMES), alone(single, since_ns, until_ns + 500_000_000, TIMES)
            check_within("pause in the list and alone", one["gc", "pause_ns"], other["gc", "pause_ns"], absolute=1e5)
            check_within("CPU time in the list and alone", one["cpu", "time_ns"], other["cpu", "time_ns"], relative=0.05, absolute=30e6)
            check_within("bytes allocated in the list and alone", one["gc", "alloc_bytes"], other["gc", "alloc_bytes"], relative=0.05, absolute=2e6)
            row = many.lines[work.pid][-1]
            for column, value in (("gc_pause_pct", row["gc"]["pause_pct"]), ("cpu_pct", row["cpu"]["usage_pct"]), ("queue_count", row["threadpool"]["queue_count"])):
                check_equal(column, row[column], value)
            details.append(f"{counted}")
        many.signal(signal.SIGINT)
        while many.read(STARTS_S):
            pass
        check_equal("exit status", many.wait(STARTS_S), 0)
        for work in works:
            summary = many.summaries[work.pid]
            check_equal(f"all of {work.pid}, and the sum of its intervals", {key: summary[key[0]][key[1]] for key in COUNTS}, many.sums(work.pid, 0, 1 << 63, COUNTS))
            check_equal("complete", summary["complete"], True)
        for single in singles:
            single.process.kill()  # its keeper tidies up after it, beside whatever else the machine does
        wait_until(lambda: not any(work.leftovers() for work in works), STARTS_S, lambda: f"nothing is left in the three: {[work.leftovers() for work in works]}")
    return "; ".join(details)


def own_samples(lines):
    """{method: CPU samples of its own in these lines of one that is watched alone}."""
    sums = {}
    for line in lines:
        for row in line["methods"]:
            sums[row["name"]] = sums.get(row["name"], 0) + row["self_samples"]
    return sums


@test
def what_runs_is_as_alone(env):
    """The hottest method of three that run different code, one session sampling all of them, is that of each watched alone, and so is its share; of one that rests there is none; none is asked for anything."""
    with contextlib.ExitStack() as stack:
        works = [stack.enter_context(Bare(env)) for _ in range(4)]
        for work, command in zip(works, ("compute 60000", "sort 60000", "deep 3 60000")):
            work.process.send_line(command)
        sources = (*MANY_SAMPLES, "--source", "procfs,perf,map,runtime")
        many = stack.enter_context(Many(env, "-p", ",".join(str(work.pid) for work in works), *sources, interval_s=1))
        singles = [stack.enter_context(Nettop(env, work.pid, *sources, interval_s=1)) for work in works[:3]]
        told = {}
        for work, single in zip(works, singles):
            many.wait_for(lambda row, work=work: row["pid"] == work.pid and row["hot_pct"] and not row["hot_why"], STARTS_S, f"what runs in {work.pid}")
            single.wait_for(lambda line: sum(own_samples(single.intervals[-5:]).values()) > 200 and len(single.intervals) > 6, STARTS_S, "it alone")
            row = many.wait_past(work.pid, time.monotonic_ns())
            alone_samples = own_samples(single.intervals[-5:])
            name, share = row["hot_method"], row["hot_pct"]
            check_equal(f"why it has no name: {name}", row["hot_why"], None)
            most = max(alone_samples.values())
            check(alone_samples.get(name, 0) >= 0.8 * most, f"the list has {name}, {share:.0f} %; alone: {sorted(alone_samples.items(), key=lambda item: -item[1])[:4]}")
            check_within(f"share of {name}", share, 100 * alone_samples[name] / sum(alone_samples.values()), absolute=20)
            told[work.pid] = f"{name} {share:.0f} %"
        idle = many.wait_for(lambda row: row["pid"] == works[3].pid and row["cpu_pct"] is not None and row["cpu_pct"] < 1, STARTS_S, "the one that rests")
        check_equal("of the one that rests", (idle["hot_method"], idle["hot_pct"]), (None, None))
        check("Spin" in told[works[0].pid], f"{told}")
        many.signal(signal.SIGINT)
        check_equal("exit status", many.wait(STARTS_S), 0)
        for single in singles:
            single.process.kill()
        check_equal("left in them", [work.leftovers() for work in works], [[]] * 4)
    return "; ".join(told.values())


@test
def without_rights_to_samples(env):
    """Where events of CPUs are not allowed it is not known what runs, and the reason is said; all else is as with them."""
    with Bare(env) as work:
        work.process.send_line("compute 60000")
        with Many(env, "-p", f"{work.pid},{os.getpid()}", prefix=WITHOUT_PERFMON) as many:
            row = many.wait_for(lambda row: row["pid"] == work.pid and row["hot_why"] and is_told(row), STARTS_S, "why it is not known")
            check_equal("what runs", (row["hot_method"], row["hot_pct"]), (None, None))
            check("CAP_PERFMON" in row["hot_why"] and (row["cpu_pct"] or 0) > 10, f"{row['hot_why']}; {row['cpu_pct']} %")
    return row["hot_why"]


def own_lttng_sessions():
    return [name for name in sessions() if name.startswith("nettop-")]


@long_test
def one_lttng_session_serves_all(env):
    """
    Three that were started for LTTng, one that was not: one session brings the events of the three, EventPipe those of the other, and each row is what `-p` alone says. Of one that comes
    later EventPipe tells. After kill -9 nothing is left.
    """
    with SessionDaemon(env) as daemon, contextlib.ExitStack() as stack:
        works = [stack.enter_context(Workload(env, mode="N", named="onesession")) for _ in range(3)]
        for work in works:
            daemon.wait_for_app(work.pid)
        works.append(stack.enter_context(Bare(env)))
        for work in works:
            work.settle()
        many = stack.enter_context(Many(env, "-p", ",".join(str(work.pid) for work in works)))
        for work in works:
            many.wait_for(lambda row, work=work: row["pid"] == work.pid and is_told(row), STARTS_S, f"the row of {work.pid}")
        check_equal("sessions of a list", len(own_lttng_sessions()), 1)
        singles = [stack.enter_context(Nettop(env, work.pid, interval_s=0.5)) for work in works]
        for single in singles:
            single.wait_for(lambda line: line["gc"]["pause_pct"] is not None and line["exceptions"]["count"] is not None, STARTS_S, "it alone")
        for work in works:
            work.settle()
        details = []
        for work, single, commands in zip(works, singles, (*WORKS, WORKS[0])):
            quiet_ns = time.monotonic_ns()
            many.wait_past(work.pid, quiet_ns)
            single.wait_for(lambda line, quiet_ns=quiet_ns: line["t0_ns"] > quiet_ns, STARTS_S, "a quiet interval")
            truth, _ = work.measure(*commands)
            last_ns = many.wait_past(work.pid, time.monotonic_ns())["t1_ns"]
            single.wait_for(lambda line, last_ns=last_ns: line["t1_ns"] > last_ns, STARTS_S, "the same of it alone")
            counted = many.sums(work.pid, quiet_ns, last_ns, COUNTS)
            check_equal(f"counts of {work.pid} in the list and alone", counted, alone(single, quiet_ns, last_ns + 500_000_000, COUNTS))
            check_equal("collections", [counted["gc", f"gen{n}_count"] for n in range(3)], truth.gc_counts())
            check_equal("exceptions", counted["exceptions", "count"], truth["exception_count"])
            check_equal("contentions", counted["contention", "count"], truth["contention_count"])
            details.append(f"{counted}")
        for single in singles:
            single.stop()
        wait_until(lambda: len(own_lttng_sessions()) == 1, STARTS_S, "the sessions of those alone are gone")
        # One that comes later cannot come to that session.
        os.kill(works[0].pid, signal.SIGKILL)
        many.wait_for(lambda row: row["pid"] == works[0].pid and row["state"] == "ended", STARTS_S, "its end")
        with Workload(env, mode="N", named="onesession") as later:
            many.wait_for(lambda row: row["pid"] == later.pid and is_told(row), STARTS_S, "the row of one that came later")
            quiet_ns = time.monotonic_ns()
            many.wait_past(later.pid, quiet_ns)
            truth, _ = later.measure("gc 0", "gc 1", "throw 9")
            counted = many.sums(later.pid, quiet_ns, many.wait_past(later.pid, time.monotonic_ns())["t1_ns"], COUNTS)
            check_equal("collections of one that came later", [counted["gc", f"gen{n}_count"] for n in range(3)], truth.gc_counts())
            check_equal("exceptions of one that came later", counted["exceptions", "count"], truth["exception_count"])
        check_equal("sessions of a list", len(own_lttng_sessions()), 1)
        many.signal(signal.SIGKILL)
        wait_until(lambda: not own_lttng_sessions(), STARTS_S, "the keeper removes the session of the list")
        check_equal("left in the one of EventPipe", works[3].leftovers(), [])
    return "; ".join(details)


@test
def all_of_a_name(env):
    """-p NAME of which there are two is a list of the two; all others and idle CPUs have what is left of the machine."""
    with Bare(env, named="several") as one, Bare(env, named="several") as other, Bare(env, named="several", under=("env", "-u", "NT_NONE")) as third:
        with Many(env, "-p", "several", "-n", "6") as many:
            one.process.send_line("compute 2500")
            while many.read(STARTS_S):
                pass
            check_equal("exit status", many.wait(STARTS_S), 0)
        check(one.pid in many.lines and other.pid in many.lines and third.pid in many.lines, f"rows of {sorted(map(str, many.lines))}")
        cpus = os.cpu_count()
        used = []
        for rows in zip(*many.lines.values()):
            if all(row["cpu_pct"] is not None for row in rows):
                used.append(sum(row["cpu_pct"] for row in rows))
        # Idle CPUs are looked at at another moment than processes: what one interval lacks when somebody stops computing the one before has too much.
        mean = sum(used) / len(used)
        check(cpus * 85 <= mean <= cpus * 115, f"all rows together use {mean:.0f} % of {cpus} CPUs: {[round(pct) for pct in used]}")
        check(max(row["cpu_pct"] or 0 for row in many.lines[one.pid]) > 40, "one computes")
        check(all("gc" not in row for row in many.lines["(idle)"]), "nothing else is known of idle CPUs")
    for words, what in ((("--on", "gc.pause>1s=exit"), "--on"), (("-b", "--alloc"), "--alloc"), (("--json", "--waits"), "--waits")):
        done = run([str(env.nettop), "-p", f"{one.pid},{other.pid}", *words])
        check(done.returncode == 2 and f"{what} is of one process, and here there are several" in done.stderr, f"{words}: {done.returncode}, {done.stderr}")
    done = run([str(env.nettop), "-p", f"{one.pid},{other.pid}", "-b", "-n", "1"])
    check_equal("of processes that are gone", (done.returncode, done.stdout), (1, ""))
    check(f"there is no .NET process {one.pid},{other.pid}" in done.stderr, done.stderr)


@test
def crash_loop(env):
    """One of a name is killed and started again, five times: each is taken up within 2 s of its start, its row counts on, and nothing is left in the last one, or open in nettop."""
    pids, gaps = [], []
    with Bare(env, named="crashing") as steady, Bare(env, named="crashing") as other, Many(env, "-p", "crashing") as many:
        for work in (steady, other):
            many.wait_for(lambda row, work=work: row["pid"] == work.pid and is_told(row), STARTS_S, "one that lives")
        for round in range(6):
            began_ns = time.monotonic_ns()
            with Bare(env, named="crashing") as work:
                pids.append(work.pid)
                row = many.wait_for(lambda row: row["pid"] == work.pid and row["state"] == "live" and row["cpu_pct"] is not None, STARTS_S, f"start {round}")
                gaps.append((row["t1_ns"] - began_ns) / 1e9)
                many.wait_for(lambda row: row["pid"] == work.pid and is_told(row), STARTS_S, f"the runtime's events of start {round}")
                check_equal("restarts", many.lines[work.pid][-1]["restarts"], round)
                if round:
                    check_equal("how the one before ended", many.lines[work.pid][-1]["last_end_text"], "killed by SIGKILL")
                if round == 0:
                    first_files = files_of(many.pid)
                if round == 5:
                    wait_until(lambda: files_of(many.pid).total() <= first_files.total(), 10, lambda: f"nettop has more files open than before the first end: {files_of(many.pid) - first_files}")
                    many.signal(signal.SIGINT)
                    check_equal("exit status", many.wait(STARTS_S), 0)
                    check_equal("left in the last one", work.leftovers() + steady.leftovers(), [])
                os.kill(work.pid, signal.SIGKILL)
            if round < 5:
                many.wait_for(lambda row: row["pid"] == pids[-1] and row["state"] == "ended" and row["harm"] == 99, STARTS_S, "its end")
    check(max(gaps[1:]) <= 2, f"from a start to the end of the first interval with it: {gaps}")
    return "gaps " + " ".join(f"{gap:.1f}" for gap in gaps[1:]) + " s"


@test
def restarts_at_once(env):
    """One that is killed and started again in the same moment, three times: its row goes on, whether it was named by its name or by its pid."""
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(Bare(env, named="restarting"))
        manys = [stack.enter_context(Many(env, "--all", "-p", named)) for named in ("restarting", str(work.pid))]
        for many in manys:
            many.wait_for(lambda row: row["pid"] == work.pid and is_told(row), STARTS_S, "its row")
        for round in range(1, 4):
            os.kill(work.pid, signal.SIGKILL)
            work = stack.enter_context(Bare(env, named="restarting"))
            for many in manys:
                many.wait_for(lambda row, work=work: row["pid"] == work.pid and is_told(row), STARTS_S, f"start {round}")
                check_equal(f"restarts, {many.child.args[-1]}", many.lines[work.pid][-1]["restarts"], round)
                ended = [rows[-1]["pid"] for rows in many.lines.values() if rows[-1]["state"] == "ended" and rows[-1]["sequence"] == many.lines[work.pid][-1]["sequence"]]
                check_equal("rows of those before", ended, [])


@test
def a_pid_is_used_again(env):
    """Another program has the pid of one that has ended: it has a row and figures of its own from then on, and the row of the one that ended stays what it was."""
    with Bare(env, named="reused") as work, Many(env, "--all", "-p", "reused,stranger") as many:
        pid = work.pid
        many.wait_for(lambda row: row["pid"] == pid and is_told(row), STARTS_S, "its row")
        os.kill(pid, signal.SIGKILL)
        work.process.wait(STARTS_S)
        many.wait_for(lambda row: row["pid"] == pid and row["state"] == "ended", STARTS_S, "its end")
        with Bare(env, named="stranger", under=(str(REPO / "tests/tools/as_pid.py"), str(pid))):
            many.wait_for(lambda row: row["pid"] == pid and row["name"] == "stranger" and is_told(row), STARTS_S, "the other one's row")
            first = many.lines[pid][-1]["sequence"]
            many.wait_for(lambda row: row["pid"] == pid and row["sequence"] >= first + 8, STARTS_S, "some intervals more")
        later = [row for row in many.lines[pid] if row["sequence"] >= first]
        for row in later:
            known = (row["state"], row["restarts"], row["last_end_text"], row["gc_pause_pct"] is not None)
            check_equal(f"the row of {row['name']}", known, ("live", 0, None, True) if row["name"] == "stranger" else ("ended", 0, "killed by SIGKILL", False))
        check_equal("rows", sorted({row["name"] for row in later}), ["reused", "stranger"])


@test
def pids_are_taken_up(env):
    """A process that was named by its pid is taken up by who begins with its command; another program is not, and neither is a second one of the same command."""
    with Bare(env, named="takenup") as one, Many(env, "-p", f"{one.pid},{os.getpid()}") as many:
        many.wait_for(lambda row: row["pid"] == one.pid and is_told(row), STARTS_S, "its row")
        with Bare(env, named="takenup") as stranger:
            many.wait_past(one.pid, time.monotonic_ns())
            check(stranger.pid not in many.lines, "one of the same command is there beside it, and nobody asked for that")
        os.kill(one.pid, signal.SIGKILL)
        many.wait_for(lambda row: row["pid"] == one.pid and row["state"] == "ended", STARTS_S, "its end")
        with Bare(env, named="takenup") as successor:
            row = many.wait_for(lambda row: row["pid"] == successor.pid and row["state"] == "live", STARTS_S, "who takes its place")
            check_equal("restarts", row["restarts"], 1)


@test
def others_processes(env):
    """Of another user's process, which may not be read, the kernel's numbers are told and nothing else; nothing is asked of it."""
    with Bare(env) as work, Many(env, "-p", str(work.pid), "--all", "-n", "3", prefix=NOBODY) as many:
        row = many.wait_for(lambda row: row["pid"] == work.pid and row["cpu_pct"] is not None, STARTS_S, "its row")
        check_equal("what is known", [row[key] for key in ("state", "harm", "gc_pause_pct", "user")], ["closed", None, None, "root"])
        check(row["thread_count"] > 3 and "gc" not in row, "the kernel's numbers, and no others")
        check_equal("sessions in it", work.leftovers(), [])


@test
def only_the_kernels_numbers(env):
    """--all enables nothing in anybody: figures of the runtime are unknown, not 0."""
    with Bare(env) as work, Many(env, "--all") as many:
        row = many.wait_for(lambda row: row["pid"] == work.pid and row["state"] == "live" and row["cpu_pct"] is not None, STARTS_S, "its row")
        check_equal("what is not known", [row[key] for key in ("gc_pause_pct", "alloc_bytes_per_s", "exceptions_per_s", "lock_ns_per_s")], [None] * 4)
        check(row["thread_count"] > 3 and row["rss_bytes"] > 1 << 20, f"the kernel's numbers: {row['thread_count']}, {row['rss_bytes']}")
        check_equal("sessions in it", work.leftovers(), [])


@test
def children_of_one(env):
    """--follow-children: a .NET process that a shell has started, of which the shell is named."""
    with Bare(env, under=("sh", "-c", '"$@"; exit 0', "sh")) as shell, Bare(env) as stranger:
        pid = next(pid for pid, name in descendants(shell.pid).items() if name == "dotnet")
        with Many(env, "-p", str(shell.pid), "--follow-children") as many:
            many.wait_for(lambda row: row["pid"] == pid and row["state"] == "live", STARTS_S, "the child's row")
            check(stranger.pid not in many.lines, "it is no child")


@test
def of_a_control_group(env):
    """--cgroup: those of a group, by its path as /proc tells it; none of them before one comes."""
    with Bare(env) as work:
        path = open(f"/proc/{work.pid}/cgroup", encoding="utf-8").read().splitlines()[-1].split(":", 2)[2]
        with Many(env, "--cgroup", path, "-n", "2") as many:
            many.wait_for(lambda row: row["pid"] == work.pid and row["state"] == "live", STARTS_S, "its row")
        with Many(env, "--cgroup", path.rstrip("/") + "/no-such-group", "--duration", "1.5") as many:
            while many.read(STARTS_S):
                pass
            check(work.pid not in many.lines, "it is in no such group")
            check_equal("exit status", many.wait(STARTS_S), 0)


if __name__ == "__main__":
    main()
