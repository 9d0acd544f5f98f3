#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop jit of programs that are not root's when their runtime starts, or have a /tmp or a root folder of their own: they wait at a port of root's, and must reach it."""
import contextlib
import os
import signal

from nt_live import *
from nt_live.process import descendants, wait_until

KILLED = 3
UNDONE_S = 5  # the keeper removes what nettop had no time for at its end
UID = 54321
GIVES_UP_ROOT = f"setpriv --reuid={UID} --regid={UID} --clear-groups"


def script_of(env, *lines):
    script = env.open_scratch / "start.sh"
    script.write_text("\n".join(("#!/bin/sh -e", *lines, "")), encoding="ascii")
    script.chmod(0o755)
    return script


def folder_of_temporary_files(env):
    """What everybody has in common, with nothing in it yet."""
    folder = env.open_scratch / "tmp"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o1777)
    return folder


def jit(env, *lines, folder=None):
    """nettop at a script that starts the workload in this way: "$@"."""
    env.need_commands("dotnet", "setpriv", "unshare", "mount", "chroot")
    variables = {"TMPDIR": str(folder or folder_of_temporary_files(env)), "HOME": str(env.open_scratch)}
    return NettopJit(env, script_of(env, *lines), "dotnet", env.workload_dll, options=("--source", "eventpipe"), variables=variables)


def left_in(folder):
    return [name for name in os.listdir(folder) if name.startswith("nettop-")]


def reports(env, *lines):
    with jit(env, *lines) as nettop:
        status = nettop.read_to_end(60)
        check_equal(f"exit status ({nettop.process.stderr_text()[-600:]})", status, 0)
        check(nettop.report["complete"] and nettop.report["from_start"], f"not complete, not from the start: {nettop.process.stderr_text()[-600:]}")
        check(any(line["name"] == "Workload.Program.Main()" for line in nettop.report["methods"]), "Main is not among its methods")
    wait_until(lambda: not left_in(folder_of_temporary_files(env)), UNDONE_S, lambda: f"nothing is left: {left_in(folder_of_temporary_files(env))}")


@test
def a_program_that_gives_up_root(env):
    reports(env, f'echo quit | {GIVES_UP_ROOT} "$@"')


@test
def one_with_a_tmp_of_its_own(env):
    own = f"mount -t tmpfs -o mode=1777 tmpfs {env.open_scratch}/tmp"
    for user in ("", GIVES_UP_ROOT):
        reports(env, f'echo quit | unshare --mount --propagation private sh -ec \'{own}; exec {user} "$@"\' sh "$@"')


@test
def one_with_a_root_folder_of_its_own(env):
    root = env.open_scratch / "root"
    root.mkdir()
    own = f"mount --rbind / {root}; mount -t tmpfs -o mode=1777 tmpfs {root}{env.open_scratch}/tmp"
    reports(env, f'echo quit | unshare --mount --propagation private sh -ec \'{own}; exec chroot --userspec={UID}:{UID} {root} "$@"\' sh "$@"')
    root.rmdir()


@test
def two_of_them_after_each_other(env):
    """The second is not the one that is watched; it comes to the same port."""
    reports(env, f'echo quit | {GIVES_UP_ROOT} "$@"', f'echo quit | {GIVES_UP_ROOT} "$@"')
    own = f"mount -t tmpfs -o mode=1777 tmpfs {env.open_scratch}/tmp"
    script = script_of(env).with_name("two.sh")
    script.write_text(f'#!/bin/sh -e\n{own}\necho quit | "$@"\necho quit | "$@"\n', encoding="ascii")
    script.chmod(0o755)
    reports(env, f'exec unshare --mount --propagation private {script} "$@"')


@test
def where_it_cannot_reach_it_this_is_said(env):
    own = f"mount -t tmpfs -o ro tmpfs {env.open_scratch}/tmp"
    tells(env, f'echo quit | unshare --mount --propagation private sh -ec \'{own}; exec {GIVES_UP_ROOT} "$@"\' sh "$@"')
    closed = env.open_scratch / "closed"
    closed.mkdir(mode=0o700)
    tells(env, f'echo quit | {GIVES_UP_ROOT} "$@"', folder=closed)


@contextlib.contextmanager
def killed_as_it_makes_a_port(env, words):
    """nettop, killed as soon as there is something of it in the /tmp that is the program's own; and that folder."""
    outer = env.open_scratch / "outer"
    outer.mkdir(exist_ok=True)
    outer.chmod(0o1777)
    own = f"mount --bind {outer} {env.open_scratch}/tmp"
    with jit(env, f'{words} | unshare --mount --propagation private sh -ec \'{own}; exec {GIVES_UP_ROOT} "$@"\' sh "$@"') as nettop:
        wait_until(lambda: list(outer.glob("nettop-*")), 30, "a port is made in that folder", step=0.0005)
        nettop.process.signal(signal.SIGKILL)
        nettop.process.wait(20)  # until then its children have no living parent, and are nobody's descendants
        yield outer


@test
def a_killed_nettop_leaves_nothing_there(env):
    """What it has made in that program's /tmp is the keeper's to remove, when nobody is left who might look for it."""
    with killed_as_it_makes_a_port(env, "sleep 600") as outer:
        check(list(outer.glob("nettop-*")), "it is gone before the program is")
        for pid, name in descendants().items():
            if not name.startswith("nettop"):
                with contextlib.suppress(ProcessLookupError):  # with the one before it may have ended, too
                    os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not list(outer.glob("nettop-*")), 20, lambda: f"it is removed: {list(outer.rglob('*'))}, {descendants()}")
    wait_until(lambda: not descendants(), 20, lambda: f"nobody is left: {descendants()}")


@test
def a_killed_nettop_lets_it_go_on(env):
    """Who waits at its start for a port that is just being made there is not left waiting."""
    for _ in range(KILLED):
        with killed_as_it_makes_a_port(env, "echo quit") as outer:
            wait_until(lambda: not descendants(), 20, lambda: f"the program has come to its end: {descendants()}")
            check(not list(outer.glob("nettop-*")), f"left: {list(outer.rglob('*'))}")


def tells(env, line, **where):
    with jit(env, line, **where) as nettop:
        wait_until(lambda: "it waits at its start" in nettop.process.stderr_text(), 30, lambda: f"it is said: {nettop.process.stderr_text()[-600:]}")
        nettop.process.signal(signal.SIGTERM)
        nettop.read_to_end(30)
    wait_until(lambda: not descendants(), 20, lambda: f"nobody is left: {descendants()}")


if __name__ == "__main__":
    main()
