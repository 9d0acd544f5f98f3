#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Hold the code against src/rooms: every folder of source files is a room there, every quoted include stays within the walls of its room and goes to a
room above it, every file has a name of its own."""
import collections
import pathlib
import re
import sys

TABLE = pathlib.Path("src/rooms")
TOPS = ("include", "src", "ui")
# <system> headers that only one file may have
ONLY = {re.compile(r"n?curses"): {"ui/terminal/term_curses.c"}, re.compile(r"lttng/(ust|tracepoint)|^urcu"): set()}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^">]+)[">]', re.M)
GENERATED = {"paths.h": "src/target/process/bridge.c", "flamegraph_js.h": "src/output/stacks/stacks_flamegraph.c"}


def word_of(folder):
    """How the table calls a folder in its third column."""
    return "nettop" if folder == "include/nettop" else folder.removeprefix("src/")


class Table:
    def __init__(self, text):
        self.rooms = {}      # folder -> words of what it may look into
        self.library = {}    # folder -> library
        self.under = {}      # library -> those that it lies on
        self.problems = []
        for line in text.splitlines():
            fields, _, what = line.partition(";")
            fields = fields.split()
            if not fields or fields[0] == "#":
                continue
            if fields[0] == "library":
                self.under[fields[1]] = set(fields[2:])
                continue
            folder, library, words = fields[0], fields[1], set(fields[2:]) - {"-"}
            if folder in self.rooms:
                self.problems.append(f"{TABLE}: {folder} is there twice")
            if not what.strip():
                self.problems.append(f"{TABLE}: {folder}: says not what it is")
            above = [word_of(room) for room in self.rooms]
            for word in sorted(words):
                if not any(room == word or room.startswith(word + "/") for room in above):
                    self.problems.append(f"{TABLE}: {folder} may look into {word}, which is no room above it")
            self.rooms[folder], self.library[folder] = words, library
        for folder in self.rooms:
            mine = self.library[folder]
            for other in self.rooms:
                theirs = self.library[other]
                if self.may(folder, other) and theirs not in ("-", mine) and theirs not in self.under.get(mine, {theirs}):
                    self.problems.append(f"{TABLE}: {folder} may look into {other}, but library {mine} does not lie on {theirs}")

    def may(self, folder, other):
        """Only into itself and into rooms above it in the table, whatever its words say: so rooms cannot look into each other in a circle."""
        name, order = word_of(other), list(self.rooms)
        if other == folder or other not in self.rooms:
            return other == folder
        return order.index(other) < order.index(folder) and any(name == word or name.startswith(word + "/") for word in self.rooms[folder])


def find(path, name):
    """The file of an include, as the compiler finds it."""
    for folder in (path.parent, pathlib.Path("include"), pathlib.Path("src"), pathlib.Path(".")):
        if (folder / name).is_file():
            return folder / name
    return None


def problems(table, path):
    room = path.parent.as_posix()
    if room not in table.rooms:
        yield f"{path}: {room} is no room of {TABLE}, so nobody knows what it may look into"
        return
    for kind, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if kind == "<":
            for pattern, files in ONLY.items():
                if pattern.search(name) and path.as_posix() not in files:
                    yield f"{path}: only {', '.join(files) or 'tests'} may include <{name}>"
            continue
        found = find(path, name)
        if not found:
            if GENERATED.get(name) != path.as_posix():
                yield f'{path}: "{name}" is not there'
        elif not table.may(room, found.parent.as_posix()):
            yield f'{path}: {room} may not include "{name}"'


def main():
    table = Table(TABLE.read_text(encoding="utf-8"))
    found = table.problems
    files = [path for top in TOPS for path in sorted(pathlib.Path(top).rglob("*")) if path.suffix in (".c", ".h", ".S", ".def")]
    for path in files:
        found += problems(table, path)
    for room in table.rooms:
        if not any(path.parent.as_posix() == room for path in files):
            found.append(f"{TABLE}: {room} is empty")
    named = collections.defaultdict(list)
    for path in files:
        named[path.name].append(path.as_posix())
    found += [f"{' and '.join(paths)} have the same name" for paths in named.values() if len(paths) > 1]
    print("\n".join(found) if found else "includes: every file stays within its walls")
    return 1 if found else 0


sys.exit(main())
