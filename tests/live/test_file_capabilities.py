#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop that has its rights from its file, as README.md's lines give them, and is run by a user without any."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from nt_live import *
from nt_live.doctor import Verdicts
from nt_live.nettop import source_of, state_of
from nt_live.process import run, running

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
    program.unlink(missing_ok=True)  # one of it may still be about to end
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
def without_any_one_sees_ones_own_program(env):
    """And is told what is missing, with what brings it."""
    env.need_commands("setpriv")
    program = env.open_scratch / "nettop"
    program.unlink(missing_ok=True)
    shutil.copy(env.nettop, program)
    level = int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text(encoding="ascii"))
    with bare(env, UID) as work:
        work.process.send_line("compute 60000")
        with Nettop(env, work.pid, "--calls", program=program, prefix=user(UID), variables={"HOME": "/nonexistent", "XDG_RUNTIME_DIR": ""}) as nettop:
            line = nettop.wait_for(lambda line: is_named(line, "Workload.Compute.Spin") and state_of(line, "eventpipe") == "delivering" and line["io"]["calls_reason"], 30, "its method, its events, and that calls are not told")
            nettop.stop()
        check_equal("left", work.leftovers(), [])
    check("CAP_BPF" in line["io"]["calls_reason"], f"calls: {line['io']['calls_reason']}")
    perf = source_of(line, "perf")
    check(level <= 1 or (f"kernel.perf_event_paranoid is {level}" in (perf["reason"] or "") and "setcap" in (perf["fix"] or "")), f"samples: {perf}")


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
def a_program_that_it_starts_has_the_persons_environment(env):
    """What the loader and nettop take out of their own, because the file has rights, is the program's all the same; so it is for ssh."""
    program = nettop_with(env, rights()[1])
    _, own = of_root(env)
    given = {"LD_LIBRARY_PATH": "/nonexistent/libraries", "TMPDIR": str(own), "TERMINFO": "/nonexistent/terminfo", "TERM": "of-mine", "SSLKEYLOGFILE": "/nonexistent/keys", "GCONV_PATH": "/nonexistent/gconv", "LAST": ""}
    (own / "ssh").write_text(f"#!/bin/sh\nenv >{own}/said\nexit 255\n", encoding="ascii")
    (own / "ssh").chmod(0o755)
    for words in (("run", "--json", "--source", "procfs", "--", "sh", "-c", f"env >{own}/said"), ("--ssh", "far", "ps")):
        status, said = run_as(UID, program, *words, PATH=f"{own}:/usr/bin:/bin", **given)
        has = dict(line.split("=", 1) for line in (own / "said").read_text(encoding="utf-8").splitlines() if "=" in line)
        check_equal(f"{words[0]}: of the person's ({status}, {said[-300:]})", {name: has.get(name) for name in given}, given)
        (own / "said").unlink()


# What doctor says of another user's program that lacks nothing else, when this one is not given: the line of README.md's table.
LACKS = {
    "cap_perfmon": {"CAP_PERFMON", "perf_event_paranoid"},
    "cap_bpf": set(),  # waits: below
    "cap_sys_ptrace": {"target_files", "target_memory"},
    "cap_checkpoint_restore": set(),
    "cap_syslog": set(),
    "cap_dac_override": {"DOTNET_EnableDiagnostics", "diagnostics_socket"},
    "cap_setuid": set(),
    "cap_setgid": set(),
}


@test
def each_right_is_for_what_the_readme_says(env):
    """Given all but one, just that is missing, and named; nothing is said to be missing that nobody could look at."""
    every = rights()[1].removesuffix("=ep").split(",")
    check_equal("rights with a line here", sorted(every), sorted(LACKS))
    with bare(env, UID) as work:
        def look(*rest):
            program = nettop_with(env, ",".join(rest) + "=ep")
            return Verdicts(program, "-p", str(work.pid), prefix=user(OTHER))
        usual = look(*every)
        usual.expect("ok", "CAP_PERFMON", "target_files", "target_memory", "diagnostics_socket", "DOTNET_EnableDiagnostics", "kptr_restrict")
        for without, lacks in LACKS.items():
            seen = look(*(one for one in every if one != without))
            worse = {key for key, entry in seen.items() if usual[key]["state"] == "ok" != entry["state"]}
            check(lacks <= worse, f"without {without}: {sorted(worse)}, and not {sorted(lacks - worse)}")
            if without not in ("cap_sys_ptrace", "cap_dac_override"):
                check_equal(f"without {without}", sorted(worse), sorted(lacks))
            for key in ("diagnostics_socket", "liblttng-ust"):
                check(usual[key]["state"] == seen[key]["state"] or seen[key]["state"] != "missing", f"without {without}: {key} is said to be missing: {seen[key]}")
        summary = watch(env, nettop_with(env, ",".join(one for one in every if one != "cap_bpf") + "=ep"), work, OTHER, "--waits")
        check(summary["waits"]["method"] not in ("exact", "mixed"), f"without cap_bpf waits are known: {summary['waits']['method']}")


SECRET = "the-secret-of-root"
ALL = "cap_dac_override,cap_dac_read_search,cap_sys_ptrace,cap_perfmon,cap_fowner,cap_chown=ep"


def of_root(env):
    """A folder of root's into which nobody else may look, with a file in it; and one of UID's."""
    theirs, own = env.open_scratch / "of-root", env.open_scratch / "own"
    for folder in (theirs, own):
        folder.mkdir(exist_ok=True)
    theirs.chmod(0o700)
    os.chown(own, UID, UID)
    return theirs, own


def run_as(uid, program, *words, under=(), **variables):
    """The variables are the program's alone: not those of who becomes that user."""
    given = [f"{name}={value}" for name, value in ({"HOME": "/nonexistent", "XDG_RUNTIME_DIR": ""} | variables).items()]
    done = subprocess.run([*under, *user(uid), "env", *given, str(program), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def run_as_traced(uid, log, program, *words, **variables):
    """The same under root's strace, which leaves the file its rights."""
    return run_as(uid, program, *words, under=("strace", "-f", "-qq", "-s", "300", "-e", "trace=open,openat,openat2", "-o", str(log)), **variables)


@test
def files_that_the_person_names_are_no_business_of_these_rights(env):
    """What is written, read and executed by a path of the person's is what may be without nettop."""
    program = nettop_with(env, ALL)
    theirs, own = of_root(env)
    for name in ("a.gcdump", "secret", "script"):
        (theirs / name).write_text(f"#!/bin/echo\n{SECRET}\n", encoding="ascii")
    (own / "link.gcdump").symlink_to(theirs / "a.gcdump")
    (own / "config").mkdir()
    (own / "config/nettop").mkdir()
    (own / "config/nettop/config").symlink_to(theirs / "secret")
    (theirs / "nettop").mkdir()
    (theirs / "nettop/config").write_text(f"{SECRET} = 1\n", encoding="ascii")
    (theirs / "script").chmod(0o700)
    before = sorted((path.name, path.stat().st_mtime_ns) for path in theirs.rglob("*"))
    with bare(env, UID) as work:
        pid = work.pid
        for words, variables, expected in (
                (("map", "-p", pid, "-o", theirs / "map"), {}, "cannot write"), (("map", "-p", pid, "--symfs", theirs / "symfs"), {}, "cannot make the new folder"),
                (("report", "-p", pid, "-d", 1, "-o", theirs / "report"), {}, "cannot write"), (("stacks", "-p", pid, "-d", 1, "-o", theirs / "secret"), {}, "cannot write"),
                (("heap", own / "link.gcdump"), {}, "cannot read"), (("heap", theirs / "a.gcdump"), {}, "cannot read"), (("heap", "-p", pid, "--yes", "--compare", theirs / "secret"), {}, "Permission denied"), (("heap", "--core", theirs / "secret"), {}, "Permission denied"),
                (("jit", "-p", pid, "-d", 1, "--compare", theirs / "secret"), {}, "Permission denied"),
                (("dump", "-p", pid, "--yes", "-o", theirs / "core"), {}, "cannot write"), (("symbols", "-p", pid, "-o", theirs / "new", "--server", "http://127.0.0.1:9"), {}, ""),
                (("config",), {"XDG_CONFIG_HOME": str(own / "config")}, "cannot read"), (("config",), {"XDG_CONFIG_HOME": str(theirs)}, "cannot read"),
                (("run", "--json", "--", theirs / "script"), {}, "Permission denied"), (("--ssh", "far", "ps"), {"PATH": str(theirs)}, "ssh")):
            status, said = run_as(UID, program, *words, **variables)
            check(SECRET not in said, f"{words}: what nobody may read is shown: {said[-500:]}")
            check(expected in said, f"{words}: exit status {status}, said: {said[-500:]}")
    check_equal("what root has", sorted((path.name, path.stat().st_mtime_ns) for path in theirs.rglob("*")), before)


LIBRARY = """
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) { static const char text[] = "loaded\\n"; write(2, text, sizeof(text) - 1); }
"""


@test
def the_environment_brings_no_code_into_it(env):
    """libbabeltrace2 would take libraries from a folder that the person says, and does not ask whether the program has rights of its own; the loader does."""
    env.need_commands("gcc")
    program = nettop_with(env, ALL)
    _, own = of_root(env)
    (own / "plugins").mkdir()
    library = own / "plugins/babeltrace-plugin-ctf.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"], input=LIBRARY, text=True, check=True)
    with Workload(env, mode="N", under=user(UID), variables={"HOME": "/nonexistent"}) as work:
        told = {"BABELTRACE_PLUGIN_PATH": own / "plugins", "LIBBABELTRACE2_PLUGIN_PROVIDER_DIR": own / "plugins", "LD_PRELOAD": library, "LD_LIBRARY_PATH": own / "plugins"}
        status, said = run_as(UID, program, "-p", work.pid, "--json", "-n", 3, "-d", 0.5, "--session", "nobodys", **{name: str(value) for name, value in told.items()})
        check("loaded" not in said, "a library of the person's runs with these rights")
        check('"lttng"' in said and status == 0, f"exit status {status}, said: {said[-500:]}")


@test
def no_description_of_a_terminal_of_the_persons_is_read(env):
    """By ncurses, which is not made for hostile ones. His are FIFOs: who opens one stands still."""
    env.need_commands("script")
    program = nettop_with(env, rights()[1])
    _, own = of_root(env)
    for folder in (".terminfo/x", "other/x"):
        (own / folder).mkdir(parents=True)
        for name in ("xterm-256color", "xterm-mine"):
            os.mkfifo(own / folder / name, 0o644)
            os.chown(own / folder / name, UID, UID)
    with bare(env, UID) as work:
        for term in ("xterm-256color", "xterm-mine"):
            said = subprocess.run([*user(UID), "env", f"HOME={own}", f"TERMINFO={own}/other", f"TERMINFO_DIRS={own}/other", f"TERM={term}", "timeout", "-s", "KILL", "20", "script", "-qec",
                                   f"stty rows 24 columns 80; {program} -p {work.pid} -d 0.5 --duration 1.5", "/dev/null"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
            check("METHOD" in said.stdout, f"{term}: no screen, exit status {said.returncode}: {said.stdout[-400:]!r}")


@test
def its_own_processes_do_nothing_for_a_person(env):
    """The words by which nettop starts them, said by somebody who has a socket for each: none reads another process's memory."""
    program = nettop_with(env, rights()[0])
    with running("sleep", "1000") as process:
        start = int(re.search(r"^([0-9a-f]+)-\S+ r--p 00000000 .*/sleep$", pathlib.Path(f"/proc/{process.pid}/maps").read_text(encoding="utf-8"), re.M)[1], 16)
        script = f"""if True:
            import array, os, socket, struct, subprocess
            for _ in range(8):
                os.open("/dev/null", os.O_RDONLY)  # 3 is to be the lender's
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            asks, answers = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            os.dup2(theirs.fileno(), 3)
            child = subprocess.Popen([{str(program)!r}, "(lender)"], pass_fds=[3])
            for one in (ours, asks):
                one.settimeout(10)
            fds = array.array("i", [os.pidfd_open({process.pid}), answers.fileno()])
            theirs.close(), os.close(3)
            try:
                ours.sendmsg([struct.pack("i", {process.pid})], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
                answers.close()
                asks.send(struct.pack("Q", {start}))
                print("LENT" if asks.recv(65536).startswith(b"\\x7fELF") else "nothing")
            except OSError:
                print("nobody")
            """
        done = subprocess.run([*user(UID), sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
        check("LENT" not in done.stdout and done.stdout, f"memory of root's process: {done.stdout}{done.stderr}")


@test
def none_of_them_is_there_while_another_machine_speaks(env):
    program = nettop_with(env, rights()[1])
    _, own = of_root(env)
    said = own / "said"
    (own / "ssh").write_text(f"#!/bin/sh\ngrep -h ^Cap /proc/$PPID/status /proc/self/status >{said}\nexit 255\n", encoding="ascii")
    (own / "ssh").chmod(0o755)
    run_as(UID, program, "--ssh", "far", "ps", PATH=f"{own}:/usr/bin:/bin")
    sets = re.findall(r"^Cap(?:Prm|Eff|Inh|Amb):\t(\w+)$", said.read_text(encoding="ascii"), re.M)
    check_equal("of nettop, and of its ssh", sets, ["0" * 16] * 8)


@test
def its_own_folder_is_removed_with_the_persons_rights(env):
    """The folder is the person's, who may put a link into it, or what is root's, before it is removed."""
    program = nettop_with(env, ALL)
    theirs, _ = of_root(env)
    (theirs / "secret").write_text(SECRET, encoding="ascii")
    def folders():
        return {path for path in pathlib.Path("/tmp").glob("nettop-??????") if path.stat().st_uid == UID}
    with bare(env, UID) as work:
        before = folders()
        with Nettop(env, work.pid, "--source", "procfs", program=program, prefix=user(UID), variables={"HOME": "/nonexistent", "XDG_RUNTIME_DIR": ""}) as nettop:
            nettop.wait_for(lambda line: True, 20, "an interval")
            folder, = folders() - before
            check_equal("its rights", folder.stat().st_mode & 0o777, 0o700)
            (folder / "link").symlink_to(theirs)
            (folder / "moved").mkdir()
            (folder / "moved/secret").write_text(SECRET, encoding="ascii")
            nettop.stop()
    left = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
    shutil.rmtree(folder, ignore_errors=True)
    check_equal("what root has", (theirs / "secret").read_text(encoding="ascii"), SECRET)
    check_equal("left of the folder", left, ["moved", "moved/secret"])


@test
def caches_of_debug_files_are_read_with_the_persons_rights(env):
    """By strace's word: what lies there is looked for, and opened by no process of nettop's."""
    env.need_commands("strace")
    program = nettop_with(env, ALL)
    theirs, _ = of_root(env)
    log = env.scratch / "caches.strace"
    with bare(env, UID) as work:
        images = {line.split(None, 5)[5].strip() for line in pathlib.Path(f"/proc/{work.pid}/maps").read_text(encoding="utf-8").splitlines() if " r-xp " in line and ".so" in line}
        for image in images:
            notes = subprocess.run(["readelf", "-n", image], capture_output=True, text=True, check=False).stdout
            for build in re.findall(r"Build ID: (\w+)", notes):
                (theirs / build).mkdir(exist_ok=True)
                shutil.copy("/usr/bin/true", theirs / build / "debuginfo")
        work.process.send_line("compute 3000")
        status, said = run_as_traced(UID, log, program, "-p", work.pid, "--json", "-n", 4, "-d", 0.5, DEBUGINFOD_CACHE_PATH=str(theirs))
    lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if str(theirs) in line and "open" in line]
    check(lines, f"nobody has looked there (exit status {status}): {said[-500:]}")
    check_equal("opened", [line for line in lines if " = -1 EACCES" not in line and "unfinished" not in line], [])


@test
def it_is_not_made_for_the_set_user_id_bit(env):
    program = nettop_with(env, "cap_perfmon=ep")
    for bit in (0o4000, 0o2000):
        program.chmod(0o755 | bit)
        status, said = run_as(UID, program, "ps")
        check_equal(f"exit status with {bit:o}", status, 3)
        check("chmod u-s,g-s" in said, said)


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
