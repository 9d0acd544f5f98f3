#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Look for circles between files and between folders: what one takes from the other must lie below it.

A unit is a .c file with the .h of its name. It takes from another one what has a name in the whole program: a function or a table that the other defines,
or a function that the other's header has in full. Which headers it includes says less: a header may describe what several files make together, so only
headers that include each other are a circle. In each folder the files and folders in it must have an order, too."""
import collections
import pathlib
import re
import sys

TOPS = ("include", "src", "ui")

# Comments, and texts and characters, which name nothing.
QUIET = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
MACRO = re.compile(r"^[ \t]*#[ \t]*define\b(?:\\\n|[^\n])*", re.M)
OUTSIDE = r"^(?![^\n(;={]*\b(?:static|typedef|extern|return|else)\b)[A-Za-z_]"  # a line that begins something which is not this file's alone
FUNCTION = re.compile(OUTSIDE + r"[\w \t*]*?[ *](\w+)\((?:[^;{}]*)\)\s*\{", re.M)
TABLE = re.compile(OUTSIDE + r"[\w \t*]*?[ *](\w+)(?:\[[^\]\n]*\])*(?: =[ \n]|;)", re.M)
INLINE = re.compile(r"^static inline [\w \t*]*?[ *](\w+)\([^;{}]*\)\s*\{.*?^\}", re.M | re.S)
# A type of that name is another thing, and so is a member.
NAME = re.compile(r"(?<![\w.>])(?:(?:struct|enum|union)[ \t]+\w+|([A-Za-z_]\w*))")


def unit_of(path):
    return path.with_suffix("").as_posix()


class House:
    def __init__(self, root):
        self.root = root
        self.text = {path: path.read_text(encoding="utf-8") for top in TOPS for path in sorted((root / top).rglob("*.[ch]"))}
        self.code = {path: QUIET.sub(" ", text) for path, text in self.text.items()}
        self.home = self.find_homes()

    def unit(self, path):
        return unit_of(path.relative_to(self.root))

    def find_homes(self):
        """name -> the unit that defines it. What several define, as each program its main(), is nobody's."""
        homes = collections.defaultdict(set)
        for path, code in self.code.items():
            patterns = (FUNCTION, TABLE) if path.suffix == ".c" else (INLINE,)
            for pattern in patterns:
                for name in pattern.findall(code):
                    homes[name].add(self.unit(path))
        return {name: units.pop() for name, units in homes.items() if len(units) == 1}

    def used(self, path):
        """The names that a file uses; a header does so only in the functions and macros that it has in full, and of names that it does not declare."""
        code = self.code[path]
        if path.suffix == ".c":
            return set(NAME.findall(code)) - {""}
        full = "\n".join(found[0] for pattern in (INLINE, MACRO) for found in pattern.finditer(code))
        declared = MACRO.sub("", INLINE.sub("", code))
        return set(NAME.findall(full)) - set(NAME.findall(declared)) - {""}

    def ties(self):
        """unit -> unit -> the names that the first takes from the second."""
        ties = collections.defaultdict(lambda: collections.defaultdict(set))
        for path in self.code:
            unit = self.unit(path)
            for name in self.used(path):
                home = self.home.get(name, unit)
                if home != unit:
                    ties[unit][home].add(name)
        return ties

    def header_ties(self):
        ties = collections.defaultdict(lambda: collections.defaultdict(set))
        headers = {path.relative_to(self.root).as_posix() for path in self.text if path.suffix == ".h"}
        for path in self.text:
            if path.suffix != ".h":
                continue
            folder = path.relative_to(self.root).parent
            for name in INCLUDE.findall(self.text[path]):
                for place in (folder, pathlib.Path("include"), pathlib.Path("src"), pathlib.Path(".")):
                    other = (place / name).as_posix()
                    if other in headers:
                        ties[path.relative_to(self.root).as_posix()][other].add(f'#include "{name}"')
                        break
        return ties


def folder_ties(ties):
    """folder -> the same between what stands in it: two units are tied where their ways part. src/ itself is no folder here: ui/ is above some of it and below some."""
    folders = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(set)))
    for unit, others in ties.items():
        for other, names in others.items():
            ours, theirs = (each.removeprefix("src/").split("/") for each in (unit, other))
            same = next(i for i, (one, two) in enumerate(zip(ours, theirs)) if one != two)
            if len(ours) > same + 1 or len(theirs) > same + 1:
                inside = folders["/".join(ours[:same])]
                inside["/".join(ours[:same + 1])]["/".join(theirs[:same + 1])] |= names
    return folders


def way_back(ties, start, left):
    """The shortest way from `start` to itself, among those `left`; None: there is none."""
    came_from = {}
    queue = collections.deque([start])
    while queue:
        at = queue.popleft()
        for other in sorted(ties.get(at, ())):
            if other == start:
                way = [at]
                while way[0] != start:
                    way.insert(0, came_from[way[0]])
                return way
            if other in left and other not in came_from:
                came_from[other] = at
                queue.append(other)
    return None


def circles(ties):
    """The shortest circle, then the shortest of what is left without one of its members, and so on."""
    left = set(ties)
    while True:
        ways = [way for start in sorted(left) if (way := way_back(ties, start, left))]
        if not ways:
            return
        shortest = min(ways, key=len)
        yield shortest
        left -= set(shortest)


def described(ties, way, what):
    lines = [f"circle of {len(way)} {what}:"]
    for one, other in zip(way, way[1:] + way[:1]):
        names = sorted(ties[one][other])
        lines.append(f"  {one} -> {other}: {', '.join(names[:6])}{f' and {len(names) - 6} more' if len(names) > 6 else ''}")
    return "\n".join(lines)


def main():
    house = House(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    ties = house.ties()
    found = [described(ties, way, "files") for way in circles(ties)]
    headers = house.header_ties()
    found += [described(headers, way, "headers") for way in circles(headers)]
    for inside in folder_ties(ties).values():
        found += [described(inside, way, "folders") for way in circles(inside)]
    if not house.home:
        found.append("no definitions found: is this the top of the repository?")
    print("\n".join(found) if found else f"circles: none among {len(house.home)} names")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
