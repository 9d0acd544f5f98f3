#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop that has its rights from its file, as README.md's lines give them, and is run by a user without any."""
import os
import pathlib
import re
import shutil
import subprocess

from nt_live import *
from nt_live.nettop import source_of, state_of
from nt_live.process import run

REPO = pathlib.Path(__file__).resolve().parents[2]
UID, OTHER = 54321, 54322
PRIVATE = re.compile(r"^    sudo setcap (\S+=ep) /usr/local/bin/nettop$", re.M)


def user(uid):
    return ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups")


def rights():
    """Those for one's own programs, and those for everybody's."""
    lines = PRIVATE.findall((REPO / "README.md").read_text(encoding="utf-8"))
    check_equal("lines with rights in README.md", len(lines), 2)
    return lines


def nettop_with(env, capabilities):
    env.need_commands("setcap", "setpriv")
    program = env.open_scratch / "nettop"
    shutil.copy(env.nettop, program)
    subprocess.run(["setcap", capabilities, program], check=True)
    return program


def watch(env, program, work, uid, *options):
    """As that user: nettop at a program of UID's. Its summary."""
    work.process.send_line("compute 60000")
    with Nettop(env, work.pid, *options, program=program, prefix=user(uid), variables={"HOME": "/nonexistent", "XDG_RUNTIME_DIR": ""}) as nettop:
        nettop.wait_for(lambda line: sum(row["self_samples"] for row in line["methods"]) >= 5 and state_of(line, "eventpipe") != "starting", 30, "samples")
        nettop.wait_for(lambda line: True, 10, "one more interval")
        return nettop.stop()


def is_named(summary, name):
    return any(name in row["name"] and row["self_samples"] for row in summary["methods"])


def bare(env, uid):
    return Bare(env, under=user(uid), variables={"HOME": "/nonexistent"})


@test
def one_sees_all_of_ones_own_program(env):
    program = nettop_with(env, rights()[0])
    with bare(env, UID) as work:
        summary = watch(env, program, work, UID, "--waits")
        check_equal("EventPipe", state_of(summary, "eventpipe"), "delivering")
        check(is_named(summary, "Workload.Compute.Spin"), f"no name of a compiled method: {[row['name'] for row in summary['methods'][:5]]}")
        check(summary["waits"]["method"] in ("exact", "mixed"), f"how waits are known: {summary['waits']['method']}")
        check(not any(row["naming"] == "kernel_hidden" for row in summary["methods"]), "names of the kernel are hidden")
        check_equal("left", work.leftovers(), [])


@test
def and_of_others_what_no_port_is_needed_for(env):
    program = nettop_with(env, rights()[0])
    with bare(env, UID) as work:
        summary = watch(env, program, work, OTHER, "--waits")
        check(state_of(summary, "eventpipe") in ("forbidden", "absent"), f"EventPipe is {state_of(summary, 'eventpipe')}")
        check(summary["waits"]["method"] in ("exact", "mixed"), f"how waits are known: {summary['waits']['method']}")
        fix = next(source["fix"] for source in summary["sources"] if source["name"] == "eventpipe")
        check_equal("what helps", fix, f"sudo {program} -p {work.pid}")
        check(is_named(summary, "Workload.Compute.Spin"), f"no name of a compiled method, which its memory tells: {[row['name'] for row in summary['methods'][:5]]}")
        check_equal("left", work.leftovers(), [])


@test
def or_all_of_others(env):
    program = nettop_with(env, rights()[1])
    with bare(env, UID) as work:
        summary = watch(env, program, work, OTHER)
        check_equal("EventPipe", state_of(summary, "eventpipe"), "delivering")
        check(is_named(summary, "Workload.Compute.Spin"), f"no name of a compiled method: {[row['name'] for row in summary['methods'][:5]]}")
        check_equal("left", work.leftovers(), [])


@test
def what_could_not_be_removed_is_not_switched_on(env):
    """The port opens to CAP_DAC_OVERRIDE; the map is removed as its user, whom nettop may not become."""
    program = nettop_with(env, "cap_perfmon,cap_sys_ptrace,cap_dac_override=ep")
    with bare(env, UID) as work:
        with Nettop(env, work.pid, "--map", program=program, prefix=user(OTHER), variables={"HOME": "/nonexistent", "XDG_RUNTIME_DIR": ""}) as nettop:
            line = nettop.wait_for(lambda line: "could not be removed again" in (source_of(line, "map")["reason"] or ""), 30, "it is said")
            check_equal("what helps", source_of(line, "map")["fix"], f"sudo {program} -p {work.pid}")
            check(not work.writes_map(), "the map is on")
            nettop.stop()
        check_equal("left", work.leftovers(), [])


@test
def a_program_that_it_starts_has_none_of_its_rights(env):
    program = nettop_with(env, rights()[1])
    said = env.open_scratch / "said"
    said.touch()
    os.chown(said, UID, UID)
    script = f"grep -E '^(CapPrm|CapEff|CapAmb)' /proc/self/status >{said}; grep -c . /proc/self/environ >>{said}; exec dotnet {env.workload_dll}"
    done = subprocess.run([*user(UID), program, "run", "--json", "--source", "eventpipe", "--", "sh", "-c", script], input="compute 200\nquit\n", text=True,
                          capture_output=True, timeout=60, check=False, env=os.environ | {"HOME": "/nonexistent"})
    text = said.read_text(encoding="ascii")
    check_equal(f"exit status ({done.stderr[-500:]})", done.returncode, 0)
    check_equal(f"capabilities of the program ({text})", re.findall(r"Cap\w+:\t(\w+)", text), ["0" * 16] * 3)
    check(re.search(r"^[1-9]", text.splitlines()[-1]), "the program may not read its own /proc")
    check("Workload.Program.Main" in done.stdout or '"jit"' in done.stdout, "nothing was seen of it")


@test
def what_is_missing_is_said(env):
    program = nettop_with(env, "cap_sys_ptrace=ep")
    with bare(env, UID) as work:
        done = run([*user(OTHER), str(program), "doctor", "-p", str(work.pid)])
        check_equal(f"exit status ({done.stderr})", done.returncode, 3)
        for word in ("CAP_PERFMON", "diagnostics_socket", "kptr_restrict"):
            check(word in done.stdout, f"{word} is not spoken of: {done.stdout}")


if __name__ == "__main__":
    main()
