#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""usage: path.py PROGRAM [--update]      from the top of the repository

The files that a CPU sample and a collection pass through, measured: PROGRAM (path.c) takes one of each from its bytes to a drawn frame and a line of JSON, and leaves counts of the lines
that ran meanwhile. A file is on the way when some line of it ran more often than in an interval that brought nothing; the other files that ran take part in every interval. src/base is
left out: everything stands on it. doc/ARCHITECTURE.md has the three lists between two marks, and they must be these (--update writes them).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter

REPO = pathlib.Path(__file__).resolve().parents[3]
DOCUMENT = REPO / "doc/ARCHITECTURE.md"
BEGIN, END = "<!-- begin: make check-path -->\n", "<!-- end: make check-path -->\n"
ROOM_ORDER = [line.split()[0] for line in (REPO / "src/rooms").read_text().splitlines() if line.startswith(("src", "ui", "include"))]


def lines_run(program, what):
    """{(file, line): how often} of one run. A header with a .c file of its name counts as that file; contracts of include/ are no station."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, GCOV_PREFIX=folder)
        subprocess.run([program, what], check=True, env=environment, cwd=REPO, timeout=60)
        counts = [path.resolve() for path in pathlib.Path(folder).rglob("*.gcda")]
        for path in counts:
            notes = pathlib.Path("/") / path.relative_to(pathlib.Path(folder).resolve()).with_suffix(".gcno")
            path.with_suffix(".gcno").symlink_to(notes)
        told = subprocess.run(["gcov", "--json-format", "--stdout", *map(str, counts)], check=True, stdout=subprocess.PIPE, cwd=folder, timeout=120)
    run = Counter()
    for unit in told.stdout.splitlines():
        for file in json.loads(unit)["files"]:
            name = pathlib.Path(os.path.normpath(REPO / file["file"]))
            if not name.is_relative_to(REPO):
                continue
            name = name.relative_to(REPO)
            if name.suffix == ".h" and (REPO / name.with_suffix(".c")).exists():
                name = name.with_suffix(".c")
            if name.parts[0] in ("src", "ui") and name.parts[:2] != ("src", "base"):
                for line in file["lines"]:
                    if line["count"]:
                        run[str(name), file["file"], line["line_number"]] += line["count"]
    return run


def files_of(run):
    return {key[0] for key in run}


def by_room(files):
    """One line for each room, in the order of src/rooms."""
    rooms = {}
    for file in sorted(files):
        rooms.setdefault(os.path.dirname(file), []).append(os.path.basename(file))
    return "".join(f"| `{room.removeprefix('src/')}` | {' '.join(f'`{name}`' for name in rooms[room])} |\n" for room in sorted(rooms, key=ROOM_ORDER.index))


def measured(program):
    sample, collection = lines_run(program, "sample"), lines_run(program, "collection")
    nothing, nothing_on_2 = lines_run(program, "nothing"), lines_run(program, "nothing-on-2")
    on_the_way = files_of(sample - nothing), files_of(collection - nothing_on_2)
    all_files = files_of(sample) | files_of(collection)
    parts = [("A CPU sample passes through {} files:", on_the_way[0]), ("A collection passes through {} files:", on_the_way[1]),
             ("{} more files ran because they run in every interval, whatever came:", all_files - on_the_way[0] - on_the_way[1])]
    return "".join(f"\n{title.format(len(files))}\n\n| room | files |\n|---|---|\n{by_room(files)}" for title, files in parts) + "\n"


def main():
    program, *options = sys.argv[1:]
    found = measured(os.path.abspath(program))
    text = DOCUMENT.read_text(encoding="utf-8")
    before, marked, rest = text.partition(BEGIN)
    said, ended, after = rest.partition(END)
    if not marked or not ended:
        sys.exit(f"{DOCUMENT.name}: no lists between {BEGIN.strip()} and {END.strip()}")
    if options == ["--update"]:
        DOCUMENT.write_text(before + BEGIN + found + END + after, encoding="utf-8")
        return
    passed = said == found
    if not passed:
        here, there = set(found.splitlines()), set(said.splitlines())
        print("FAIL path: doc/ARCHITECTURE.md does not list the files that ran: run make path-update")
        print("".join(f"  measured: {line}\n" for line in sorted(here - there)) + "".join(f"  written:  {line}\n" for line in sorted(there - here)), end="")
    print(f"path: {int(passed)} passed, {int(not passed)} failed")
    sys.exit(not passed)


main()
