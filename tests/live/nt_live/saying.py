# SPDX-License-Identifier: GPL-2.0-only
"""A command that says in the end what it did."""
import subprocess

from .runner import check_equal


class Saying:
    """A child that runs until it is told to end, or by itself: what it says to standard error is read then. `with Saying(...) as saying: ...; said = saying.said(30)`"""

    def __init__(self, *command, **options):
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def said(self, seconds, status=0):
        """What it said until its end, which must come within so many seconds."""
        said = self.process.communicate(timeout=seconds)[1]
        check_equal(f"exit status ({said.strip()})", self.process.returncode, status)
        return said
