# SPDX-License-Identifier: GPL-2.0-only
"""What the long tests share beyond nt_live and nt_pty: places where nettop runs, work for the target, and what must not be left behind."""
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "live"), str(TESTS / "pty")]
