# SPDX-License-Identifier: GPL-2.0-only
"""nettop measured against its peers, on the same real target, in one run (doc/RESULTS.md says what came out)."""
import pathlib
import sys

# The target, the private LTTng daemons and the deadlines are those of the live tests.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live"))
