#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the "may include" column of doc/ARCHITECTURE.md: every quoted include must stay within the walls of its folder."""
import pathlib
import re
import sys

# folder -> folders whose headers it may include with quotes, besides its own
ALLOWED = {
    "include/nettop": {"nettop"},
    "src/base": {"nettop"},
    "src/decode": {"nettop", "base"},
    "src/target": {"nettop", "base", "decode"},
    "src/source": {"nettop", "base", "target", "decode"},
    "src/symbol": {"nettop", "base", "decode"},
    "src/model": {"nettop", "base", "symbol"},
    "src/output": {"nettop", "base"},
    "src/app": {"nettop", "base", "decode", "target", "source", "symbol", "model", "output", "ui"},
    "src/ust0": set(),  # loaded into other people's processes: nothing of nettop, nothing of LTTng
    "ui": {"nettop", "base"},
}
# <system> headers that only one file may have
ONLY = {re.compile(r"n?curses"): {"ui/term_curses.c"}, re.compile(r"lttng/(ust|tracepoint)|^urcu"): set()}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^">]+)[">]', re.M)


def room_of(path):
    folder = path.parent.as_posix()
    return folder if folder in ALLOWED else None


def problems(path):
    room = room_of(path)
    own = room.split("/")[-1]
    for kind, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if kind == "<":
            for pattern, files in ONLY.items():
                if pattern.search(name) and path.as_posix() not in files:
                    yield f"{path}: only {', '.join(files) or 'tests'} may include <{name}>"
            continue
        top = name.split("/")[0] if "/" in name else own
        if top != own and top not in ALLOWED[room]:
            yield f'{path}: {room} may not include "{name}"'


def main():
    found = []
    for top in ("include", "src", "ui"):
        for path in sorted(pathlib.Path(top).rglob("*.[chS]")):
            if room_of(path):
                found += problems(path)
    print("\n".join(found) if found else "includes: every file stays within its walls")
    return 1 if found else 0


sys.exit(main())
