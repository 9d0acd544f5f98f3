#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What nettop keeps of root's rights while it watches, that all sources deliver with those, and that what it starts has its usual ones."""
import os
import pathlib
import re
import signal
import subprocess
import time

from nt_live import *
from nt_live.nettop import state_of
from nt_live.process import descendants

UID = 54321
CAPABILITIES = ["chown", "dac_override", "dac_read_search", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap", "linux_immutable", "net_bind_service", "net_broadcast",
                "net_admin", "net_raw", "ipc_lock", "ipc_owner", "sys_module", "sys_rawio", "sys_chroot", "sys_ptrace", "sys_pacct", "sys_admin", "sys_boot", "sys_nice",
                "sys_resource", "sys_time", "sys_tty_config", "mknod", "lease", "audit_write", "audit_control", "setfcap", "mac_override", "mac_admin", "syslog", "wake_alarm",
                "block_suspend", "audit_read", "perfmon", "bpf", "checkpoint_restore"]
READ = {"sys_ptrace", "dac_override", "dac_read_search", "checkpoint_restore"}
WATCH = READ | {"perfmon", "bpf", "syslog", "ipc_lock"}
SEEN_S = 30

# As it is installed it belongs to root and has the bit; it says who it is and with what.
HELPER = r"""
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
	char line[256];
	FILE *status = fopen("/proc/self/status", "r");
	printf("helper uid %d euid %d\n", (int)getuid(), (int)geteuid());
	while (status && fgets(line, sizeof(line), status))
		if (strncmp(line, "Cap", 3) == 0 || strncmp(line, "NoNew", 5) == 0)
			printf("helper %s", line);
	return 0;
}
"""


def sets_of(task):
    """{"CapEff": {"perfmon", ...}, ...} of a process or one of its threads, and NoNewPrivs as a number."""
    text = pathlib.Path(f"/proc/{task}/status").read_text(encoding="utf-8", errors="replace")
    sets = {name: {word for bit, word in enumerate(CAPABILITIES) if int(value, 16) >> bit & 1} for name, value in re.findall(r"^(Cap\w+):\t(\w+)$", text, re.M)}
    return sets, int(re.search(r"^NoNewPrivs:\t(\d)", text, re.M)[1])


def threads_of(pid):
    return [f"{pid}/task/{name}" for name in os.listdir(f"/proc/{pid}/task")]


def check_has(what, task, kept):
    """Of what this test has itself: no more."""
    mine, _ = sets_of(os.getpid())
    theirs, no_new = sets_of(task)
    for name in ("CapEff", "CapPrm"):
        check_equal(f"{name} of {what}", theirs[name], kept & mine["CapPrm"])
    check_equal(f"CapBnd of {what}", theirs["CapBnd"], kept & mine["CapBnd"])
    check_equal(f"CapInh and CapAmb of {what}", theirs["CapInh"] | theirs["CapAmb"], set())
    check_equal(f"no_new_privs of {what}", no_new, 1)


def check_has_all(what, pid):
    mine, no_new = sets_of(os.getpid())
    theirs, theirs_no_new = sets_of(pid)
    for name in ("CapEff", "CapPrm", "CapBnd"):
        check_equal(f"{name} of {what}", theirs[name], mine[name])
    check_equal(f"no_new_privs of {what}", theirs_no_new, no_new)


def named(pid, name):
    return sorted(one for one, comm in descendants(pid).items() if comm == name)


@test
def a_watch_has_what_it_needs_and_no_more(env):
    """Of another user's program, with everything that there is to see."""
    under = ("setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups")
    env.need_commands("setpriv")
    with Workload(env, mode="N", perf_map=False, under=under, variables={"HOME": "/", "DOTNET_CLI_HOME": "/"}) as work:
        with Nettop(env, work.pid, *MANY_SAMPLES) as nettop:
            nettop.wait_for_sources("perf", "lttng", "eventpipe", "map", "procfs", seconds=SEEN_S)
            work.do("jit-dynamic 30")
            work.do("locks 20")
            work.process.send_line("compute 60000")
            nettop.wait_for(lambda line: any(row["kind"] == "kernel" and row["naming"] != "kernel_hidden" for row in line["methods"]), SEEN_S, "names of the kernel")
            nettop.wait_for(lambda line: any("Workload.Compute.Spin" in row["name"] for row in line["methods"]), SEEN_S, "names of the perf map by command")
            for task in threads_of(nettop.process.pid):
                check_has("nettop's thread", task, WATCH)
            keepers = named(nettop.process.pid, "nettop-keeper")
            check_equal("keepers", len(keepers), 2)
            for pid in (*keepers, *named(nettop.process.pid, "lttng-sessiond"), *named(nettop.process.pid, "lttng-relayd")):
                check_has_all(f"{pathlib.Path(f'/proc/{pid}/comm').read_text(encoding='ascii').strip()}", pid)
            check(named(nettop.process.pid, "lttng-sessiond") and named(nettop.process.pid, "lttng-relayd"), "nettop has started no daemons")
            summary = nettop.stop()
        check(summary["contention"]["count"], "no event of LTTng's has come")
        check(not pathlib.Path(f"/tmp/perf-{work.pid}.map").exists(), "the map is left")


@test
def doctor_misses_no_right(env):
    with Bare(env) as work:
        done = subprocess.run([env.nettop, "doctor", "-p", str(work.pid)], capture_output=True, text=True, timeout=60, check=False)
        check("CAP_" not in "".join(line for line in done.stdout.splitlines(True) if " without " in line), f"a right is missed: {done.stdout}")


def helper(env):
    env.need_commands("gcc", "setpriv")
    path = env.open_scratch / "helper"
    subprocess.run(["gcc", "-x", "c", "-o", path, "-"], input=HELPER, text=True, check=True)
    os.chmod(path, 0o4755)
    return path


def script_for(env, *lines):
    script = env.open_scratch / "start.sh"
    script.write_text("\n".join(("#!/bin/sh -e", *lines, "")), encoding="ascii")
    script.chmod(0o755)
    return script


@test
def what_it_starts_has_its_usual_rights(env):
    """A program that runs one of root's with the bit set, as sudo is."""
    as_user = f"setpriv --reuid={UID} --regid={UID} --clear-groups"
    said = env.open_scratch / "said"
    script = script_for(env, f"{as_user} {helper(env)} >{said}", f"grep -E '^(Cap|NoNew)' /proc/self/status >>{said}", f"echo quit | dotnet {env.workload_dll}")
    usual = subprocess.run(["sh", "-c", f"{as_user} {helper(env)}; grep -E '^(Cap|NoNew)' /proc/self/status"], capture_output=True, text=True, timeout=60, check=True).stdout
    check(f"helper uid {UID} euid 0" in usual, f"programs with the bit do not run here: {usual}")
    for command in (("run", "--json", "--source", "eventpipe"), ("jit", "--json", "--source", "eventpipe")):
        done = subprocess.run([env.nettop, *command, "--", script], capture_output=True, text=True, timeout=60, check=False)
        check_equal(f"{command[0]}: exit status ({done.stderr[-500:]})", done.returncode, 0)
        check_equal(f"{command[0]}: what the program has", said.read_text(encoding="ascii"), usual)


@test
def who_became_another_user_is_told_to_end(env):
    """nettop itself may send it nothing any more."""
    env.need_commands("setpriv")
    with NettopRun(env, "setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", "dotnet", env.workload_dll, options=("--source", "eventpipe,procfs"),
                   variables={"HOME": "/", "DOTNET_CLI_HOME": "/"}) as nettop:
        nettop.wait_for_sources("eventpipe", seconds=SEEN_S)
        program = nettop.answer(lambda answer: answer.get("ready"))["pid"]
        check_has("nettop", nettop.process.pid, WATCH)
        start = time.monotonic()
        nettop.process.signal(signal.SIGTERM)
        wait_until(lambda: not os.path.exists(f"/proc/{program}") or "Z" in pathlib.Path(f"/proc/{program}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0], 5,
                   "the program ends")
        nettop.read_to_end(20)
        return f"{time.monotonic() - start:.2f} s"


@test
def commands_without_a_keeper(env):
    """ps and doctor say what a watch would get, so they keep what that has."""
    env.need_commands("strace")
    variables = os.environ | {"ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0"}  # which looks at the process as strace does
    with Bare(env) as work:
        for command, kept in ((("ps",), WATCH), (("doctor", "-p", str(work.pid)), WATCH), (("symbols", "-p", str(work.pid), "--server", "http://127.0.0.1:9"), READ), (("env", "-p", str(work.pid)), READ)):
            done = subprocess.run(["strace", "-f", "-e", "trace=capset,prctl", env.nettop, *command], env=variables, capture_output=True, text=True, timeout=60, check=False)
            sets = re.findall(r"capset\(.*?effective=([^,]*),", done.stderr)
            check(sets, f"{command[0]} gives up rights")
            check(set(sets[1:]) <= {"0"}, f"{command[0]}: what it starts has rights, {sets[1:]}")  # decoders, and these have none
            asked = 0
            for word in re.findall(r"1<<CAP_(\w+)", sets[0]):
                asked |= 1 << CAPABILITIES.index(word.lower())
            mine, _ = sets_of(os.getpid())
            check_equal(f"{command[0]} keeps", {CAPABILITIES[bit] for bit in range(len(CAPABILITIES)) if asked >> bit & 1}, kept & mine["CapPrm"])


if __name__ == "__main__":
    main()
