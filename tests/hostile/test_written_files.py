#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Files that root's nettop writes into a folder of somebody else: nothing of root's goes where a link leads, and no rights go with it."""
import os
import stat
import subprocess

from nt_hostile import *

VICTIM = "root's own\n"


def write(env, pid, path, *words, cwd=None):
    """`nettop map -o path`, or what `words` say."""
    command = words or ("map", "-p", str(pid), "-o", str(path))
    return subprocess.run([str(env.nettop), *command], text=True, capture_output=True, timeout=60, check=False, cwd=cwd)


def plant(how, folder, victim):
    """What the stranger puts where root is going to write. Gives the path."""
    path = folder / "out"
    plants = {"a link": f"ln -s {victim} {path}",
              "a link to nothing": f"ln -s {victim}.new {path}",
              "a file that anybody may run as its owner": f"touch {path}; chmod 6777 {path}",
              "a file": f"touch {path}",
              "a FIFO": f"mkfifo {path}"}
    run_as_stranger("sh", "-c", plants[how])
    return path


def refused(env, pid, folder, victim, how):
    path = plant(how, folder, victim)
    before = os.lstat(path)
    answer = write(env, pid, path)
    check(answer.returncode == 3 and str(path) in answer.stderr, f"{how}: not refused by name: {answer}")
    after = os.lstat(path)
    check_equal(f"{how}: what lies there", (after.st_ino, after.st_uid, after.st_mode, after.st_size), (before.st_ino, before.st_uid, before.st_mode, before.st_size))
    check_equal(f"{how}: root's file", victim.read_text(encoding="ascii"), VICTIM)
    check(not os.path.lexists(f"{victim}.new"), f"{how}: a new file where the link leads")
    check_equal(f"{how}: files beside it", os.listdir(folder), ["out"])
    run_as_stranger("rm", path)


@test
def nothing_is_written_through_what_a_stranger_planted(env):
    victim = env.scratch / "victim"
    victim.write_text(VICTIM, encoding="ascii")
    folder = folder_of_stranger(env, "planted")
    with Bare(env) as work:
        for how in ("a link", "a link to nothing", "a file that anybody may run as its owner", "a file", "a FIFO"):
            refused(env, work.pid, folder, victim, how)


@test
def a_file_of_ours_is_replaced_with_the_rights_of_a_new_one(env):
    """Its old mode, set-user-ID included, is nothing that a new content should have."""
    path = env.scratch / "ours"
    path.write_text("old\n", encoding="ascii")
    path.chmod(0o6777)
    old = os.umask(0o027)
    try:
        with Bare(env) as work:
            answer = write(env, work.pid, path)
    finally:
        os.umask(old)
    check_equal(f"exit status ({answer.stderr})", answer.returncode, 0)
    check(path.read_text(encoding="ascii") != "old\n", "not replaced")
    check_equal("mode", oct(stat.S_IMODE(path.stat().st_mode)), oct(0o640))


@test
def a_link_of_ours_leads_nowhere_either(env):
    """Whoever wants a file elsewhere names it: no link at the end of a path is followed, whoever made it."""
    victim = env.scratch / "elsewhere"
    victim.write_text(VICTIM, encoding="ascii")
    path = env.scratch / "link"
    path.symlink_to(victim)
    with Bare(env) as work:
        answer = write(env, work.pid, path)
    check(answer.returncode == 3 and "link" in answer.stderr, f"not refused: {answer}")
    check_equal("what it leads to", victim.read_text(encoding="ascii"), VICTIM)


if __name__ == "__main__":
    main()
