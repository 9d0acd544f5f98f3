#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
as_pid.py PID COMMAND ...: executes the command in a process that has this pid, which must be free. It ends with this program, which ends as it does.

By clone3(2) with set_tid: takes CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN. Exit status 125: it is refused.
"""
import ctypes
import os
import signal
import sys

SYS_CLONE3, PR_SET_PDEATHSIG = 435, 1
CLONE_ARGS = ("flags", "pidfd", "child_tid", "parent_tid", "exit_signal", "stack", "stack_size", "tls", "set_tid", "set_tid_size", "cgroup")


class CloneArgs(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in CLONE_ARGS]


def main(pid, *command):
    libc = ctypes.CDLL(None, use_errno=True)
    wanted = (ctypes.c_int * 1)(int(pid))
    args = CloneArgs(exit_signal=signal.SIGCHLD, set_tid=ctypes.addressof(wanted), set_tid_size=1)
    child = libc.syscall(SYS_CLONE3, ctypes.byref(args), ctypes.sizeof(args))
    if child == 0:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.execvp(command[0], command)
    if child < 0:
        print(f"as_pid.py: {os.strerror(ctypes.get_errno())}", file=sys.stderr)
        return 125
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
