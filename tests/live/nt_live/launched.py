# SPDX-License-Identifier: GPL-2.0-only
"""Programs that `nettop run` starts and that end by themselves."""
from .nettop import NettopRun


def run_shortly(env, *command, seconds=30, **keywords):
    """Exit status and standard error of a command that ends by itself."""
    with NettopRun(env, *command, **keywords) as nettop:
        nettop.process.child.stdin.close()
        status = nettop.read_to_end(seconds)
        return status, nettop.process.stderr_text(), nettop.summary
