#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What `nettop env` prints means the same to those who read it: shells, systemd, Kubernetes; and a program that is started with it is seen whole."""
import json
import os
import re
import shutil
import subprocess

from nt_live import *

AWKWARD = "it's \"5%\" of $HOME $(id) `id` \\n %n {x} # $$ é"
BRIDGE = "/opt/net top's/ust0"
COMMAND_S = 30


def printed(env, *options, variables=None):
    """The lines of `nettop env`; `variables` is the shell's whole environment."""
    done = subprocess.run([str(env.nettop), "env", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=COMMAND_S,
                          check=False, env=variables)
    check_equal(f"exit status of nettop env ({done.stderr.strip()})", done.returncode, 0)
    return done.stdout


def awkward(env, style):
    return printed(env, "-f", style, "--event-source", AWKWARD, "--event-name", "", "--bridge", BRIDGE, variables={})


EXPECTED = {
    "LD_LIBRARY_PATH": BRIDGE, "DOTNET_EnableEventLog": "1", "DOTNET_EventSourceFilter": AWKWARD, "DOTNET_EventNameFilter": "",
    "DOTNET_LTTngConfig": "Microsoft-Windows-DotNETRuntime:81000014011:5", "DOTNET_PerfMapEnabled": "3",
}


def ours(variables):
    return {name: value for name, value in variables.items() if name in EXPECTED}


@test
def shells_read_it(env):
    lines = awkward(env, "shell")
    seen = []
    for shell in filter(shutil.which, ("sh", "dash", "bash", "zsh", "ksh")):
        for before, path in (({}, BRIDGE), ({"LD_LIBRARY_PATH": "/a b:/c"}, f"{BRIDGE}:/a b:/c"), ({"LD_LIBRARY_PATH": ""}, BRIDGE)):
            done = subprocess.run([shell, "-c", f"set -eu; {lines}\nenv -0"], stdout=subprocess.PIPE, text=True, timeout=COMMAND_S, check=True,
                                  env=before | {"PATH": os.environ["PATH"]})
            variables = dict(entry.split("=", 1) for entry in done.stdout.rstrip("\0").split("\0"))
            check_equal(f"what {shell} makes of it", ours(variables), EXPECTED | {"LD_LIBRARY_PATH": path})
        seen.append(shell)
    return ", ".join(seen)


@test
def what_a_shell_has_stays(env):
    has = {"LD_LIBRARY_PATH": "/a", "DOTNET_EventSourceFilter": "MyCompany", "COMPlus_PerfMapEnabled": "0", "PATH": os.environ["PATH"]}
    lines = printed(env, "--events", "full", "--bridge", "/b", variables=has)
    done = subprocess.run(["sh", "-c", f"{lines}\nenv -0"], stdout=subprocess.PIPE, text=True, timeout=COMMAND_S, check=True, env=has)
    variables = dict(entry.split("=", 1) for entry in done.stdout.rstrip("\0").split("\0"))
    del variables["PATH"], has["PATH"]
    check_equal("the variables afterwards", {name: value for name, value in variables.items() if name not in ("PWD", "SHLVL", "_")},
                has | {"LD_LIBRARY_PATH": "/b:/a", "DOTNET_EnableEventLog": "1"})
    for lost in ("no thread-pool events", "no names from a perf map"):
        check(lost in lines, f"'{lost}' is not in:\n{lines}")


@test
def systemd_reads_it(env):
    """systemd's own parser: at level debug, systemd-analyze shows the unit as it was understood."""
    env.need_commands("systemd-analyze")
    unit = env.scratch / "nt-env-test.service"
    unit.write_text(f"{awkward(env, 'systemd')}\nExecStart=/bin/true\n", encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=COMMAND_S, check=False, env=os.environ | {"SYSTEMD_LOG_LEVEL": "debug"})
    if f"Unit {unit.name}" not in done.stdout:
        raise Missing(f"systemd-analyze shows no unit here: {done.stderr.strip()[-300:]}")
    complaints = [line for line in done.stderr.splitlines() if line.startswith(f"{unit}:")]
    check_equal("complaints of systemd", complaints, [])
    variables = dict(re.findall(r"^\s*Environment: (\w+)=(.*)$", done.stdout, re.M))
    check_equal("what systemd makes of it", variables, EXPECTED)


@test
def kubernetes_reads_it(env):
    """The YAML by a YAML parser; then $$ is $, and $(NAME) a reference, in Kubernetes' own pass over each value."""
    try:
        import yaml
    except ImportError:
        raise Missing("no YAML parser (package python3-yaml)") from None
    entries = yaml.safe_load(awkward(env, "kubernetes"))["env"]
    variables = {}
    for entry in entries:
        check(isinstance(entry["value"], str), f"not a text: {entry}")
        check("$(" not in entry["value"].replace("$$", ""), f"a reference: {entry}")
        variables[entry["name"]] = entry["value"].replace("$$", "$")
    check_equal("what Kubernetes makes of it", variables, EXPECTED)


def verdicts(env, pid):
    done = subprocess.run([str(env.nettop), "doctor", "--json", "-p", str(pid)], stdout=subprocess.PIPE, text=True, timeout=COMMAND_S, check=False)
    return done.returncode, {entry["key"]: entry["state"] for entry in json.loads(done.stdout)["prerequisites"] if entry["on_screen"]}


@test
def started_with_it(env):
    """The workload started by a shell that takes the lines; then once more with those that nettop prints of it for a full screen."""
    shell = ["sh", "-c", 'eval "$("$0" env)"; exec "$@"', str(env.nettop)]
    with Workload(env, mode="none", perf_map=False, lttng=False, under=shell) as work:
        status, states = verdicts(env, work.pid)
        check_equal("what is missing", [key for key, state in states.items() if state != "ok"], [])
        check_equal("doctor's exit status", status, 0)
        lines = printed(env, "-p", str(work.pid), "--events", "full")
        check("is now 'NoSuchSource': no thread-pool events" in lines, f"what changes is not said in:\n{lines}")
        work.settle()
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("lttng", "map")
            truth, _ = work.measure("throw 3", "gc 0", "jit-expr 20")
            summary = nettop.stop()
        check_equal("exceptions", summary["exceptions"]["count"], 3)
        check_equal("collections", summary["gc"]["gen0_count"], truth.gc_counts()[0])
        check_equal("methods compiled", summary["jit"]["method_count"], truth["jit_method_count"])
    with Workload(env, mode="none", perf_map=False, lttng=False, under=["sh", "-c", f'{lines}\nexec "$@"', "sh"]) as work:
        status, states = verdicts(env, work.pid)
        check_equal("what is missing", [key for key, state in states.items() if state != "ok"], [])
        check_equal("doctor's exit status", status, 0)
    return "mode N, then F"


if __name__ == "__main__":
    main()
