# SPDX-License-Identifier: GPL-2.0-only
"""What a frame says: its parts, from the text on the screen."""
import re

from nt_live.process import Failure


def identity(screen):
    """Line 1, which ends with the state word."""
    return screen.split("\n")[0].rstrip()


def clock_of(screen):
    """The time of day that is shown while paused."""
    return re.search(r"PAUSED (\d\d:\d\d:\d\d)", identity(screen))[1]


def body(screen):
    """The rows below the title row of the methods, without the context line."""
    lines = screen.rstrip("\n").split("\n")
    title = next((at for at, line in enumerate(lines) if "METHOD" in line), None)
    if title is None:
        raise Failure(f"no title row with METHOD:\n{screen}")
    return [line for line in lines[title + 1:-1] if line.strip()]


def tree_rows(screen):
    """The rows of the call tree; none when it is not shown."""
    lines = screen.rstrip("\n").split("\n")
    title = next((at for at, line in enumerate(lines) if re.search(r"CALLE[ER]S OF", line)), len(lines))
    return [line for line in lines[title + 1:-1] if re.match(r".\s*>?\d+\.\d ", line)]


def context_line(screen):
    return screen.rstrip("\n").split("\n")[-1]


def position(screen):
    """(first, last, all) at the right of the context line, e.g. 1-15 of 318; None without."""
    match = re.search(r"(\d+)-(\d+) of (\d+)", context_line(screen))
    return tuple(map(int, match.groups())) if match else None


def rows_of(screen):
    """(shown, all) of the same."""
    place = position(screen)
    return (place[1] - place[0] + 1, place[2]) if place else None


def selected_row(terminal, first=8):
    """
    The number of the line of the body of 80x24, which begins at line `first`, that is drawn as the cursor: the only one with a background. The rows of the methods begin
    below their titles, wherever those are: a finding, of a target that waits for a CPU, say, pushes them down.
    """
    titles = [at for at, line in enumerate(terminal.lines()) if re.search(r"SELF%.*METHOD", line)]
    first = titles[0] + 1 if titles else first
    marked = [at for at, look in enumerate(terminal.looks()) if at in range(first, 23) and look.has_background()]
    return marked[0] if len(marked) == 1 else None


def wait_for_methods(terminal, target):
    """Until there are method rows, the hot one among them."""
    terminal.wait_for(lambda screen: any(target.hot in row for row in body(screen)), f"a row of {target.hot}", 30)


def write_interval(terminal, folder, name):
    """The bytes of the interval that is shown, as JSON; `folder` is the shell's."""
    terminal.keys("w", "Down", "Enter", "C-u")
    terminal.type(name)
    terminal.keys("Enter")
    terminal.wait_for(f"Wrote ./{name}")
    return (folder / name).read_bytes()
