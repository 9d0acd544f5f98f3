# SPDX-License-Identifier: GPL-2.0-only
"""The user who means root's nettop harm: no name, no group of anybody's, no capability."""
import os
import pathlib
import subprocess
import tempfile

UID = 54321
STRANGER = ("setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all")


def as_stranger(*command):
    """The command, as that user."""
    return [*STRANGER, *map(str, command)]


def run_as_stranger(*command, seconds=20, **keywords):
    return subprocess.run(as_stranger(*command), timeout=seconds, check=True, text=True, capture_output=True, **keywords)


def folder_of_stranger(env, name):
    """A new folder of theirs, which root can reach."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{name}-", dir=env.open_scratch))  # a test may be tried twice
    folder.chmod(0o755)
    os.chown(folder, UID, UID)
    return folder
