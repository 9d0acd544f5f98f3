#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What is missing on the screen says why in the words of `nettop doctor`, with its fix: here the values that the empty panels show, as JSON."""
import shutil
import subprocess

from nt_live import *
from nt_live.doctor import WITHOUT_PERFMON, Verdicts
from nt_live.environment import mounted
from nt_live.process import running
from nt_live.nettop import source_of

CAP_SYS_RESOURCE = "-cap_24"  # who has it may open more files than he may
SEEN_S = 20
LTTNG_ALONE = ("--source", "perf,lttng,map")  # EventPipe would bring what LTTng lacks


def lacking_of_source(nettop, name, state):
    line = nettop.wait_for(lambda line: source_of(line, name).get("state") == state, SEEN_S, f"source {name} is {state}")
    return source_of(line, name)


def check_words(verdicts, key, lacking):
    """Reason and fix of a source or of figures are doctor's; a fix may name more, so that one restart is enough."""
    check_equal(f"{key}: the reason", lacking["reason"], verdicts.sentence(key))
    start, fix = "restart the target with " if verdicts[key]["at_start"] else "", verdicts.fix(key)
    check(lacking["fix"].startswith(start + fix), f"{key}: the fix is {lacking['fix']!r}, doctor's {fix!r}")


@test
def no_kernel_code(env):
    """One's own process without CAP_PERFMON: user code only, or with a kernel that takes 3 or 4 at its word nothing at all."""
    env.need_commands("setpriv")
    verdicts = Verdicts(env.nettop, prefix=WITHOUT_PERFMON)
    if verdicts["perf_event_paranoid"]["state"] == "ok":
        raise Missing(verdicts["perf_event_paranoid"]["found"])
    with running("sleep", "1000") as process, Nettop(env, process.pid, "--source", "perf", prefix=WITHOUT_PERFMON) as nettop:
        line = nettop.wait_for(lambda line: source_of(line, "perf").get("reason"), SEEN_S, "a word about the samples")
        check_words(verdicts, "perf_event_paranoid", source_of(line, "perf"))
    return verdicts.sentence("perf_event_paranoid")


@test
def cpu_samples_forbidden(env):
    """Neither one descriptor for each thread and CPU nor all CPUs."""
    env.need_commands("setpriv", "prlimit")
    prefix = ("prlimit", "--nofile=64:64", WITHOUT_PERFMON[0], f"{WITHOUT_PERFMON[1]},{CAP_SYS_RESOURCE}")
    with running("sleep", "1000") as process:
        verdicts = Verdicts(env.nettop, "-p", str(process.pid), prefix=prefix)
        if verdicts["open_files"]["state"] == "ok":
            raise Missing(verdicts["open_files"]["found"])
        with Nettop(env, process.pid, "--source", "perf", prefix=prefix) as nettop:
            check_words(verdicts, "open_files", lacking_of_source(nettop, "perf", "forbidden"))
    return verdicts.sentence("open_files")


@test
def a_seccomp_filter_is_named(env):
    """As a container has one by default: no capability helps, and none is asked for."""
    program = env.nettop.parent / "tests/tools/seccomp"
    if not program.exists():
        raise Missing(f"{program} is not built (make tools)")
    verdicts = Verdicts(env.nettop, prefix=(str(program),))
    check_equal("perf_event_open", verdicts["perf_event_open"]["state"], "forbidden")
    check("seccomp filter" in verdicts.sentence("perf_event_open") and "seccomp profile" in verdicts.fix("perf_event_open"), f"doctor: {verdicts['perf_event_open']}")
    with running("sleep", "1000") as process, Nettop(env, process.pid, "--source", "perf", "--calls", prefix=(str(program),)) as nettop:
        check_words(verdicts, "perf_event_open", lacking_of_source(nettop, "perf", "forbidden"))
        nettop.wait_for(lambda line: "a seccomp filter keeps" in (line["io"]["calls_reason"] or ""), 20, "calls are not counted because of the filter, either")
    without = Verdicts(env.nettop)
    check("seccomp" not in (without["perf_event_open"].get("found") or ""), f"without a filter: {without['perf_event_open']}")
    return verdicts.sentence("perf_event_open")


@test
def capabilities_of_a_user_namespace_are_called_so(env):
    """As in a rootless container, where nettop is root and has each capability: the kernel's own samples take those of the first namespace, and no setting can be changed from within."""
    env.need_commands("setpriv", "unshare")
    prefix = ("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", "unshare", "-Ur")
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode:
        raise Missing("no user namespaces for users here")
    verdicts = Verdicts(env.nettop, prefix=prefix)
    found = verdicts["perf_event_paranoid"]["found"]
    if verdicts["perf_event_paranoid"]["state"] == "ok":
        check("CAP_PERFMON overrides" not in found, f"a capability that does not count: {found}")
        raise Missing(found)
    check_equal("fixes", {verdicts.fix("perf_event_paranoid"), verdicts.fix("CAP_PERFMON")}, {"run nettop on the host"})
    check("in a user namespace only" in found, found)
    return found


@test
def provider_without_its_library(env):
    """Most processes are started so. EventPipe brings all that LTTng would: nobody is sent to restart it. Without EventPipe they are."""
    with Workload(env, mode="none", lttng=False) as work:
        verdicts = Verdicts(env.nettop, "-p", str(work.pid))
        verdicts.expect("missing", "liblttng-ust", "event_log", "pool_events")
        check(verdicts.object["complete"], "the screen is said not to be complete, though EventPipe brings the events")
        check_equal("restarts", [key for key, entry in verdicts.items() if "restart" in (entry["fix"] or "") or entry["at_start"]], [])
        verdicts = Verdicts(env.nettop, "-p", str(work.pid), "--readonly")  # likewise
        with Nettop(env, work.pid, *LTTNG_ALONE) as nettop:
            check_words(verdicts, "liblttng-ust", lacking_of_source(nettop, "lttng", "absent"))
            check_words(verdicts, "liblttng-ust", nettop.intervals[-1]["jit"])
    return verdicts.sentence("liblttng-ust")


@test
def no_log_no_perf_map(env):
    """Mode none, and no port to switch the map on by."""
    with Workload(env, mode="none", perf_map=False, dotnet={"EnableDiagnostics": "0"}) as work:
        verdicts = Verdicts(env.nettop, "-p", str(work.pid))
        needed = [key for key in ("DOTNET_EnableDiagnostics", "diagnostics_socket", "liblttng-ust", "event_log") if verdicts[key]["on_screen"]]
        check_equal("what is needed without a port, the port too", len(needed), 4)
        with Nettop(env, work.pid, *LTTNG_ALONE) as nettop:
            line = nettop.wait_for(lambda line: "; " in (source_of(line, "map").get("reason") or ""), SEEN_S, "why the map is not switched on")
            perf_map = source_of(line, "map")
            first, second = perf_map["reason"].split("; ", 1)
            check_equal("the state of the map", perf_map["state"], "absent")
            check_equal("the reason why there is none", first, "no names from a perf map: the target writes no perf map")
            verdicts.expect("ok", "perf_map")  # its names are in its memory
            check_words(verdicts, "DOTNET_EnableDiagnostics", perf_map | {"reason": second})
            lacking_of_source(nettop, "lttng", "delivering")
            line = nettop.wait_for(lambda line: "EventLog" in (line["jit"]["reason"] or ""), SEEN_S, "a word about the log")
            for section, key in (("jit", "event_log"), ("contention", "event_log"), ("threadpool", "pool_events")):
                check_words(verdicts, key, line[section])
            check("over EventPipe only" in line["exceptions"]["reason"], f"exceptions: {line['exceptions']['reason']}")
    return verdicts.sentence("event_log")


@test
def no_relay_installed(env):
    """A file that cannot be executed lies in its place."""
    env.need_commands("lttng-relayd")
    with mounted("--bind", "/dev/null", shutil.which("lttng-relayd")), Workload(env, mode="N") as work:
        verdicts = Verdicts(env.nettop, "-p", str(work.pid), "--readonly")
        with Nettop(env, work.pid) as nettop:
            check_words(verdicts, "lttng_daemons", lacking_of_source(nettop, "lttng", "absent"))
    return verdicts.sentence("lttng_daemons")


if __name__ == "__main__":
    main()
