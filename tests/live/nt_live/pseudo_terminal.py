# SPDX-License-Identifier: GPL-2.0-only
"""Pseudo-terminals for programs that draw on a screen."""
import fcntl
import os
import pty
import struct
import termios


def open_terminal(lines, columns):
    """(master, slave) of this size; reading the master does not wait."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    os.set_blocking(master, False)
    return master, slave


def take_terminal():
    """In the child, before it executes: its standard input becomes the terminal of a session of its own."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
