#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The runtime read from outside: where threads wait, in a program that was already stuck when nettop came, with nothing asked of it."""
import pathlib
import re
import subprocess

from nt_live import Incident, Nettop, check, check_equal, main, test, wait_until
from nt_live.process import descendants_named
from nt_live.threads import run_counts, settled

SEEN_S = 20
UID = 54321
PTRACE = 1 << 19
SITE = "Incidents.Ship(object, object)"


def waits_at(line, site, wait):
    return [row for row in line["waits"]["sites"] if row["site"] == site and row["for"] == wait]


def dump(env, pid):
    """tests/tools/contract_dump: [(tid, managed or native, how, [frame ...])], a frame as (pc, start, size, kind)."""
    tool = env.nettop.parent / "tests/tools/contract_dump"
    threads = []
    for line in subprocess.run([tool, str(pid)], check=True, capture_output=True, text=True, timeout=20).stdout.splitlines():
        word = line.split()
        if word[0] == "thread":
            threads.append((int(word[1]), word[4], word[5], []))
        elif word[0] == "frame":
            threads[-1][3].append((int(word[1], 16), int(word[2], 16), int(word[3], 16), word[4]))
    return threads


def stuck_threads(env, pid):
    """Those that show two frames of the program above each other, as both threads of the deadlock do: Ship, and the lambda that calls it."""
    found = [thread for thread in dump(env, pid) if sum(frame[3] == "jit" for frame in thread[3]) >= 2 and thread[2] == "whole"]
    return found if len(found) == 2 else None


def stuck(env, **how):
    incident = Incident(env, "deadlock", **how)
    incident.begin()
    wait_until(lambda: stuck_threads(env, incident.pid), SEEN_S, "two threads wait for each other")
    return incident


@test
def a_deadlock_that_was_there_before_is_seen(env):
    with stuck(env) as incident, Nettop(env, incident.pid, "--source", "perf,runtime", interval_s=1) as nettop:
        # The first look may be made at the very end of an interval, of which nothing is known then.
        line = nettop.wait_for(lambda line: line["waits"]["method"] and waits_at(line, SITE, "monitor"), SEEN_S, f"waits for a monitor at {SITE}")
        check_equal("how it is known", line["waits"]["method"], "polled")
        row = waits_at(line, SITE, "monitor")[0]
        check(1.5 < row["spent_s_per_s"] < 2.5, f"two threads wait all the time: {row}")
        check("Monitor.Enter" in row["means"], f"in what they wait: {row}")
        check_equal("how long waits last, which looks do not tell", [row["p50_ns"], row["p99_ns"]], [None, None])
        line = nettop.wait_for(lambda line: any(finding["kind"] == "deadlock" for finding in line["findings"]), SEEN_S, "the finding")
        text = next(finding["text"] for finding in line["findings"] if finding["kind"] == "deadlock")
        check(re.search(r"^Deadlock: t(\d+) (?:orders|stock) waits at Incidents\.Ship for t(\d+) (?:orders|stock), which waits at Incidents\.Ship for t\1 ", text),
              f"it does not say who waits for whom: {text}")
        check(", for at least " in text, f"it has been there for longer than nettop: {text}")
        return text


@test
def nobody_is_woken_to_be_looked_at(env):
    with stuck(env) as incident:
        tids = [thread[0] for thread in stuck_threads(env, incident.pid)]
        before = settled(incident.pid, tids)
        with Nettop(env, incident.pid, "--readonly", "--source", "runtime", interval_s=0.5) as nettop:
            for _ in range(4):
                nettop.wait_for(lambda line: line["waits"]["method"] == "polled", SEEN_S, "that threads are looked at")
        check_equal("run time and switches of threads that were looked at", run_counts(incident.pid, tids), before)


@test
def frames_are_of_the_methods_that_the_runtime_names(env):
    """The runtime's own word is its perf map."""
    with stuck(env) as incident, Nettop(env, incident.pid, "--map", interval_s=1) as nettop:
        perf_map = pathlib.Path(f"/tmp/perf-{incident.pid}.map")
        nettop.wait_for(lambda line: perf_map.exists() and re.search(r"<Deadlock>b__\d+_1", perf_map.read_text()), SEEN_S, "a perf map")
        lines = [re.match(r"(?:0x)?([0-9a-fA-F]+) ([0-9a-fA-F]+) (.*)", text) for text in perf_map.read_text().splitlines()]
        named = {(int(line[1], 16), int(line[2], 16)): line[3] for line in lines if line}
        for tid, _, _, frames in stuck_threads(env, incident.pid):
            own = [named.get((start, size)) for _, start, size, kind in frames if kind == "jit"]
            check(all(own), f"a method of thread {tid} has another begin or size in the perf map: {frames}")
            check("Incidents::Ship(" in own[0] and "<Deadlock>" in own[1], f"the methods of thread {tid}: {own}")


def rights_of(pid):
    """(user, effective capabilities, permitted ones) of a process."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"^Uid:\t(\d+)", status, re.M)[1]), *(int(re.search(rf"^Cap{which}:\t(\w+)", status, re.M)[1], 16) for which in ("Eff", "Prm"))


@test
def memory_that_may_be_read_but_not_opened_is_lent(env):
    """Without CAP_DAC_OVERRIDE the kernel opens nobody /proc/PID/mem of another user."""
    env.need_commands("setpriv")
    as_user = ("setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups")
    as_root = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    as_another = ("setpriv", f"--reuid={UID + 1}", f"--regid={UID + 1}", "--clear-groups", "--inh-caps=-all,+sys_ptrace", "--ambient-caps=-all,+sys_ptrace")
    with stuck(env, under=as_user, variables={"HOME": "/", "DOTNET_CLI_HOME": "/"}) as incident:
        for who, prefix in ((65534, as_root), (UID + 1, as_another)):
            check(b"Permission denied" in subprocess.run([*prefix, "cat", f"/proc/{incident.pid}/mem"], capture_output=True, check=False).stderr, "the memory can be opened")
            with Nettop(env, incident.pid, "--source", "runtime", interval_s=1, prefix=prefix) as nettop:
                nettop.wait_for(lambda line: any(row["spent_s_per_s"] for row in line["waits"]["sites"] if row["for"] == "monitor"), SEEN_S, "that threads wait for a monitor")
                lenders = descendants_named("nettop-lender")
                check_equal("processes that lend memory", len(lenders), 1)
                check_equal("their user and rights", rights_of(lenders[0]), (who, PTRACE, PTRACE))
                check_equal("rights of who reads what they lend", [rights_of(pid) for pid in descendants_named("nettop-reader")], [(who, 0, 0)])
            wait_until(lambda: not descendants_named("nettop-lender"), SEEN_S, "the lender ends with nettop")


@test
def memory_that_may_not_be_read_has_a_reason(env):
    """Who may take samples of others' processes may read their mappings, but no more of them."""
    env.need_commands("setpriv")
    as_user, as_another = (("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups") for uid in (UID, UID + 1))
    as_another += ("--inh-caps=-all,+perfmon", "--ambient-caps=-all,+perfmon")
    with stuck(env, under=as_user, variables={"HOME": "/", "DOTNET_CLI_HOME": "/"}) as incident:
        said = subprocess.run([*as_another, str(env.nettop), "doctor", "-p", str(incident.pid)], capture_output=True, text=True, timeout=60, check=False).stdout
        check(re.search(rf"target_memory .*the memory of process {incident.pid} .*is closed to uid {UID + 1} without CAP_SYS_PTRACE", said), f"doctor says: {said}")


if __name__ == "__main__":
    main()
