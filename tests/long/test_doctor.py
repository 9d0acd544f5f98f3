#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
`nettop doctor`: each prerequisite is made missing, and the printed fix, pasted, brings it. Where the fix is variables of the next start, the workload is
started with the printed lines.
"""
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil

from nt_long import TESTS  # makes the modules below known  # noqa: F401
from nt_live.doctor import WITHOUT_PERFMON, Verdicts
from nt_live.environment import Missing, mounted
from nt_live.lttng import SessionDaemon
from nt_live.nettop import Nettop, source_of
from nt_live.process import COMMAND_S, Failure, run, running, wait_until
from nt_live.runner import check, check_equal, main, test
from nt_live.workload import Workload

NOBODY = ("setpriv", "--reuid=65534", "--regid=65534")
SAMPLES_S = 20


def run_checked(argv):
    done = run(argv)
    if done.returncode != 0:
        raise Failure(f"{shlex.join(argv)}: exit {done.returncode}: {done.stderr.strip()[-400:]}")


def paste(env, fix, shell_pid=None):
    """Runs a printed fix as root's shell would; sudo is there even where none is installed."""
    shim = env.open_scratch / "bin" / "sudo"
    if not shim.exists():
        shim.parent.mkdir(exist_ok=True)
        shim.write_text('#!/bin/sh\nexec "$@"\n', encoding="ascii")
        shim.chmod(0o755)
    if shell_pid:
        fix = fix.replace("$$", str(shell_pid))
    done = run(["sh", "-c", fix], {"PATH": f"{shim.parent}:{os.environ['PATH']}:/usr/sbin:/sbin"})
    if done.returncode != 0:
        raise Failure(f"the fix {fix!r}: exit {done.returncode}: {done.stderr.strip()[-400:]}")


def program_for_all(env):
    """A copy of nettop that every user may run, without capabilities."""
    copy = env.open_scratch / "nettop"
    copy.unlink(missing_ok=True)
    shutil.copy(env.nettop, copy)
    copy.chmod(0o755)
    return copy


@contextlib.contextmanager
def sysctls(**values):
    """Sets kernel.NAME for the block; all three are as before afterwards, whatever the block sets."""
    names = ("perf_event_paranoid", "kptr_restrict", "perf_event_mlock_kb")
    files = {name: pathlib.Path("/proc/sys/kernel", name) for name in names}
    before = {name: file.read_text(encoding="ascii") for name, file in files.items()}
    try:
        try:
            for name, value in values.items():
                files[name].write_text(str(value), encoding="ascii")
        except OSError as error:
            raise Missing(f"kernel.{name} cannot be set here: {error.strerror}") from None
        yield
    finally:
        for name, file in files.items():
            if file.read_text(encoding="ascii") != before[name]:
                file.write_text(before[name], encoding="ascii")


def seen_by_perf(env, program, prefix, pid, what, condition):
    """What nettop says of its source perf, in the first interval in which condition(line, source) is true."""
    with Nettop(env, pid, "--source", "perf", prefix=prefix, program=program) as nettop:
        return source_of(nettop.wait_for(lambda line: condition(line, source_of(line, "perf")), SAMPLES_S, what), "perf")


@test
def perf_event_paranoid(env):
    """A busy process of the same user. By 3 and 4 Linux means what it means by 2; kernels of some distributions refuse everything."""
    env.need_commands("setpriv", "sysctl")
    program, prefix = program_for_all(env), NOBODY + ("--clear-groups",)
    seen = []
    with running(*prefix, "sh", "-c", "while :; do :; done") as busy:
        for level in (4, 3, 2):
            with sysctls(perf_event_paranoid=level):
                verdicts = Verdicts(program, "-p", str(busy.pid), prefix=prefix)
                verdicts.expect("forbidden", "perf_event_paranoid")
                lacking = seen_by_perf(env, program, prefix, busy.pid, "samples, or that there are none",
                                       lambda line, perf: line["cpu"]["samples"] or perf.get("state") == "forbidden")
                lost = "no CPU samples" if lacking["state"] == "forbidden" else "no kernel code in the CPU samples"
                check_equal(f"{level}: what it takes away", verdicts["perf_event_paranoid"]["takes_away"], lost)
                check_equal(f"{level}: what the screen says", lacking["reason"], verdicts.sentence("perf_event_paranoid"))
                fixes = lacking["fix"].split("   or: ")
                check_equal(f"{level}: the fixes", fixes, [verdicts.fix("perf_event_paranoid"), verdicts.fix("CAP_PERFMON")])
                paste(env, fixes[0])
                Verdicts(program, "-p", str(busy.pid), prefix=prefix).expect("ok", "perf_event_paranoid", "CAP_PERFMON", "perf_event_open")
                allowed = seen_by_perf(env, program, prefix, busy.pid, "samples after the fix", lambda line, _: line["cpu"]["samples"])
                check_equal(f"{level}: what the screen lacks after the fix", allowed["reason"], None)
                seen.append(f"{level}: {lacking['state']}, {lost}")
    return "; ".join(seen)


@test
def cap_perfmon(env):
    env.need_commands("setpriv", "setcap")
    program = program_for_all(env)
    prefix = NOBODY + ("--clear-groups",)
    with sysctls(perf_event_paranoid=4):
        verdicts = Verdicts(program, prefix=prefix)
        verdicts.expect("missing", "CAP_PERFMON")
        paste(env, verdicts.fix("CAP_PERFMON"))
        Verdicts(program, prefix=prefix).expect("ok", "CAP_PERFMON", "perf_event_paranoid", "perf_event_open")
    return verdicts.fix("CAP_PERFMON")


@test
def cap_perfmon_for_other_users(env):
    """A process of root, watched by nobody: the runtime's files are closed to him too, so the sentence comes before any line."""
    env.need_commands("setpriv")
    with running("sleep", "1000") as sleeper:
        done = run([*NOBODY, "--clear-groups", str(program_for_all(env)), "doctor", "-p", str(sleeper.pid)])
        check_equal("exit status", done.returncode, 3)
        check(f"sudo {program_for_all(env)} -p {sleeper.pid}" in done.stderr, f"no fix in: {done.stderr}")
        return done.stderr.strip()


@test
def kptr_restrict(env):
    env.need_commands("setpriv", "sysctl")
    program = program_for_all(env)
    seen = []
    for restrict, prefix in ((1, NOBODY + ("--clear-groups",)), (2, WITHOUT_PERFMON)):
        with sysctls(kptr_restrict=restrict, perf_event_paranoid=2):
            verdicts = Verdicts(program, prefix=prefix)
            verdicts.expect("forbidden", "kptr_restrict")
            paste(env, verdicts.fix("kptr_restrict"))
            Verdicts(program, prefix=prefix).expect("ok", "kptr_restrict")
            seen.append(verdicts.fix("kptr_restrict"))
    return "; ".join(seen)


@test
def perf_event_mlock_kb(env):
    env.need_commands("setpriv", "sysctl", "prlimit")
    program = program_for_all(env)
    prefix = ("prlimit", "--memlock=8192:8192", *NOBODY, "--clear-groups")
    for kilobytes, state in ((8, "forbidden"), (64, "missing")):
        with sysctls(perf_event_mlock_kb=kilobytes, perf_event_paranoid=1):
            verdicts = Verdicts(program, prefix=prefix)
            verdicts.expect(state, "perf_event_mlock_kb")
            paste(env, verdicts.fix("perf_event_mlock_kb"))
            Verdicts(program, prefix=prefix).expect("ok", "perf_event_mlock_kb")
    return verdicts.fix("perf_event_mlock_kb")


@test
def tracefs(env):
    """In the tests' own mount namespace; the machine's mounts stay as they are."""
    for place in ("/sys/kernel/tracing", "/sys/kernel/debug"):
        run(["umount", "-l", place])
    if not os.path.isdir("/sys/kernel/tracing"):
        raise Missing("this kernel has no /sys/kernel/tracing")
    verdicts = Verdicts(env.nettop)
    verdicts.expect("missing", "tracefs")
    check(verdicts.object["complete"], "tracefs counts, although nothing on the screen needs it")
    try:
        paste(env, verdicts.fix("tracefs"))
    except Failure as refused:
        raise Missing(f"tracefs cannot be mounted here: {refused}") from None
    Verdicts(env.nettop).expect("ok", "tracefs")
    return verdicts.fix("tracefs")


@test
def lttng_daemons(env):
    """Installing needs a network: that the named package has the program is what is checked."""
    env.need_commands("dpkg", "lttng-relayd")
    relayd = shutil.which("lttng-relayd")
    with mounted("--bind", "/dev/null", relayd):
        verdicts = Verdicts(env.nettop, "--readonly")  # EventPipe needs no LTTng
        verdicts.expect("missing", "lttng_daemons")
    package = verdicts.fix("lttng_daemons").removeprefix("sudo apt-get install ")
    check(f"{package}:" in run(["dpkg", "-S", relayd]).stdout, f"{package} has no {relayd}")
    Verdicts(env.nettop).expect("ok", "lttng_daemons")
    return verdicts.fix("lttng_daemons")


@test
def tracing_group(env):
    """usermod on a copy of /etc."""
    env.need_commands("setpriv", "usermod")
    if run(["getent", "group", "tracing"]).returncode != 0:
        raise Missing("no group tracing here (package lttng-tools)")
    program = program_for_all(env)
    user = NOBODY + ("--init-groups",)
    with SessionDaemon(env), contextlib.ExitStack() as stack:
        shutil.copytree("/etc", env.scratch / "etc", symlinks=True, copy_function=shutil.copy2, dirs_exist_ok=True)
        stack.enter_context(mounted("--bind", str(env.scratch / "etc"), "/etc"))
        verdicts = Verdicts(program, "--readonly", prefix=user)
        verdicts.expect("forbidden", "tracing_group")
        paste(env, verdicts.fix("tracing_group"))
        Verdicts(program, prefix=user).expect("ok", "tracing_group")
    return verdicts.fix("tracing_group")


@test
def lttng_rings(env):
    run_checked(["mount", "-o", "remount,size=1m", "/dev/shm"])
    try:
        verdicts = Verdicts(env.nettop, "--readonly")
        verdicts.expect("missing", "lttng_rings")
        paste(env, verdicts.fix("lttng_rings"))
        Verdicts(env.nettop).expect("ok", "lttng_rings")
    finally:
        run_checked(["mount", "-o", "remount,size=50%", "/dev/shm"])
    return verdicts.fix("lttng_rings")


@test
def open_files(env):
    """The limit of a shell is raised by somebody who may: its $$ is put in by hand."""
    env.need_commands("setpriv", "prlimit")
    program = program_for_all(env)
    user = (*NOBODY, "--clear-groups", "--bounding-set=-all")
    script = 'nettop=$1; shift; while read -r _; do "$nettop" doctor --json -p $$; done'
    with sysctls(perf_event_paranoid=1):
        with running("prlimit", "--nofile=64:64", *user, "sh", "-c", script, "sh", str(program)) as shell:
            shell.send_line("")
            before = {entry["key"]: entry for entry in json.loads(shell.read_line(COMMAND_S))["prerequisites"]}["open_files"]
            check_equal("with 64 files", before["state"], "forbidden")
            try:
                paste(env, before["fix"], shell.pid)
            except Failure as refused:
                raise Missing(f"root may not raise limits here (CAP_SYS_RESOURCE): {refused}") from None
            shell.send_line("")
            after = {entry["key"]: entry for entry in json.loads(shell.read_line(COMMAND_S))["prerequisites"]}["open_files"]
            check_equal("after the fix", after["state"], "ok")
    return before["fix"]


@test
def mount_namespace(env):
    """A container with a /run/lttng of its own, and one that has ours: what `-v /run/lttng:/run/lttng` does."""
    alone = "mount -t tmpfs tmpfs /run/lttng && exec sleep 1000"
    for script, state in ((alone, "missing"), ("exec sleep 1000", "ok")):
        with running("unshare", "-m", "sh", "-c", script) as container:
            wait_until(lambda pid=container.pid: pathlib.Path(f"/proc/{pid}/comm").read_text(encoding="ascii") == "sleep\n", 10,
                       "the container has its mounts")
            verdicts = Verdicts(env.nettop, "-p", str(container.pid))
            verdicts.expect(state, "mount_namespace")
            verdicts.expect("missing", "runtime")
            check("event_log" not in verdicts, "a process that is not .NET is judged as one")
            if state == "missing":
                fix = verdicts.fix("mount_namespace")
    return fix


def variables_of(verdicts, keys):
    """The printed lines of these prerequisites, as one shell would take them: of two values of one variable the later one holds."""
    variables = {}
    for key in keys:
        check(verdicts[key]["at_start"], f"{key}: not a fix of the next start: {verdicts[key]['fix']}")
        variables |= dict(word.split("=", 1) for word in shlex.split(verdicts.fix(key)))
    return variables


def need_bridge(verdicts, key="liblttng-ust"):
    folder = verdicts.fix(key).removeprefix("LD_LIBRARY_PATH=").split(":")[0]
    if not os.path.exists(f"{folder}/liblttng-ust.so.0"):
        raise Missing(f"nettop's bridge is not built: no {folder}/liblttng-ust.so.0")


@test
def started_with_nothing(env):
    """What a target without any variable lacks, and the same target with the printed lines: nettop sees it all."""
    keys = ("liblttng-ust", "event_log", "pool_events", "DOTNET_EnableDiagnostics", "diagnostics_socket", "perf_map")
    with Workload(env, mode="none", perf_map=False, lttng=False, dotnet={"EnableDiagnostics": "0"}) as work:
        verdicts = Verdicts(env.nettop, "-p", str(work.pid))
        verdicts.expect("missing", *keys)
        verdicts.expect("ok", "runtime", "provider", "W^X", "mount_namespace", "pid_namespace")
    need_bridge(verdicts)
    variables = variables_of(verdicts, keys)
    with Workload(env, mode="none", perf_map=False, lttng=False, variables=variables) as work:
        verdicts = Verdicts(env.nettop, "-p", str(work.pid))
        verdicts.expect("ok", *keys)
        check(verdicts.object["complete"], f"not complete: {[entry for entry in verdicts.values() if entry['state'] != 'ok']}")
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("lttng", "map", "perf")
            work.do("throw 3")
            summary = nettop.stop()
        check_equal("exceptions seen", summary["exceptions"]["count"], 3)
    return " ".join(f"{name}={value}" for name, value in variables.items())


@test
def started_with_filters(env):
    """Each setting that keeps something away, and its way out."""
    keys = ("provider", "event_filters", "pool_events")
    settings = {"LTTng": "0", "LTTngConfig": "Microsoft-Windows-DotNETRuntime:1:4", "EventNameFilter": "Nothing"}
    with Workload(env, mode="F", dotnet=settings) as work:
        verdicts = Verdicts(env.nettop, "-p", str(work.pid), "--readonly")  # EventPipe would bring all of it
        verdicts.expect("missing", *keys)
        found = verdicts["event_filters"]["found"]
        for subject in ("compilations", "locks"):
            check(subject in found, f"{subject} is not in: {found}")
    with Workload(env, mode="F", variables=variables_of(verdicts, keys)) as work:
        Verdicts(env.nettop, "-p", str(work.pid)).expect("ok", *keys, "liblttng-ust", "event_log", "perf_map")
    return found


def exceptions_are_let_through(env, framework):
    """LTTng's own library, and a filter that lets exceptions through: what is pasted for the next start keeps them from LTTng."""
    program = env.selfcontained(framework) if framework else None
    settings = {"LTTngConfig": "Microsoft-Windows-DotNETRuntime:8100001C011:5"}
    with Workload(env, mode="N", dotnet=settings, libraries=env.genuine_dir, program=program) as work:
        verdicts = Verdicts(env.nettop, "-p", str(work.pid))
        verdicts.expect("missing", "exceptions")
        found = verdicts["exceptions"]["found"]
        check("ends the target" in found, f"the harm is not in: {found}")
    with Workload(env, mode="N", dotnet=settings, program=program, variables=variables_of(verdicts, ["exceptions"])) as work:
        Verdicts(env.nettop, "-p", str(work.pid)).expect("ok", "exceptions", "event_filters", "liblttng-ust")
    return found


@test
def exceptions_of_10_are_let_through(env):
    return exceptions_are_let_through(env, None)


@test
def exceptions_of_9_are_let_through(env):
    return exceptions_are_let_through(env, "net9.0")


@test
def exceptions_of_8_are_let_through(env):
    return exceptions_are_let_through(env, "net8.0")


@test
def perf_map_in_another_folder(env):
    """Switched on, but not where it can be written; the fix is a folder where it can."""
    with Workload(env, dotnet={"PerfMapJitDumpPath": "/proc"}) as work:
        verdicts = Verdicts(env.nettop, "-p", str(work.pid))
        verdicts.expect("missing", "perf_map")
    with Workload(env, variables=variables_of(verdicts, ["perf_map"])) as work:
        Verdicts(env.nettop, "-p", str(work.pid)).expect("ok", "perf_map")
    return verdicts.fix("perf_map")


@test
def liblttng_ust_of_the_system(env):
    """The bridge without what it stands on. Installing needs a network: that the named package has the library is what is checked."""
    env.need_commands("dpkg", "ldconfig")
    found = re.search(r"liblttng-ust\.so\.1 .*=> (\S+)", run(["ldconfig", "-p"]).stdout)
    if not found:
        raise Missing("no liblttng-ust.so.1 here")
    library = os.path.realpath(found[1])
    with mounted("--bind", "/dev/null", library), Workload(env) as work:
        verdicts = Verdicts(env.nettop, "-p", str(work.pid), "--readonly")  # EventPipe would bring the events
        verdicts.expect("missing", "liblttng-ust")
    package = verdicts.fix("liblttng-ust").removeprefix("sudo apt-get install ")
    owners = "".join(run(["dpkg", "-S", path]).stdout for path in (library, library.removeprefix("/usr")))
    check(package in owners, f"{package} has no {library}: {owners}")
    with Workload(env) as work:
        Verdicts(env.nettop, "-p", str(work.pid)).expect("ok", "liblttng-ust")
    return verdicts.fix("liblttng-ust")


@test
def mode_n_lacks_the_pool(env):
    """Where EventPipe may not bring its events."""
    with Workload(env, mode="N") as work:
        check(Verdicts(env.nettop, "-p", str(work.pid)).object["complete"], "something is missing, though EventPipe brings it")
        verdicts = Verdicts(env.nettop, "-p", str(work.pid), "--readonly")
        check_equal("what is missing", [key for key, entry in verdicts.items() if entry["on_screen"] and entry["state"] != "ok"],
                    ["pool_events", "exceptions", "allocation_samples"])
        lines = run([str(env.nettop), "doctor", "-p", str(work.pid), "--readonly"]).stdout.splitlines()
        check_equal("lines", len(lines), len(verdicts) + 1)
        for line, entry in zip(lines, verdicts.values()):
            check(line.startswith(entry["state"]) and entry["key"] in line and entry["found"] in line, f"not {entry}: {line}")
            check(entry["state"] == "ok" or not entry["fix"] or entry["fix"] in line, f"no fix in: {line}")
    return lines[-1]


if __name__ == "__main__":
    main()
