#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Each kind of event over each source, in each mode, on each .NET, against what the runtime counted itself: the figures, and which of them cannot be known. Writes doc/TRUTH.md
when all have been looked at.
"""
import json
import re

from nt_long.truth import KINDS, WAYS, judge, observe  # nt_long tells where nt_live lies
from nt_live import check, main, test
from nt_live.environment import REPO
from nt_live.process import OutOfLimit

MAJORS = (8, 9, 10)
TABLE = REPO / "doc/TRUTH.md"
KEPT = "## Not by events alone"  # from there on it is kept by hand, and made by test_truth_covered.py
CELLS = {}

HEAD = """# Is it true?

`make check-long-truth` wrote this page. Each kind of event is had over each source, in each mode, on each version of .NET, from a program that does a known amount of work from idle to
idle (`tests/live/workload`) and says what the runtime itself counted. A cell is *the runtime's own count* / *nettop's*, as the sum of its intervals. Two counts of the runtime's: nettop's
intervals began before the work and ended after it, and the runtime compiles at moments of its own; the second is of all that time. `unknown`: nettop says that it
does not know, and why; that is right where it stands, and the test fails if there is a number instead. Tolerance: by how much the two may differ. The test is
`tests/long/test_truth.py --only WAY_on_dotnet_VERSION`.

Modes are those of doc/TARGET.md. Without a word about the source nettop chooses: LTTng for what it delivers whole, EventPipe for all else.
Who may own a kind is `target/needs/lttng_delivers.c` and `model/arrival/owners.c`. One case of each rule is in `make check`: `tests/live/test_owners.py`.
What no event tells, or something else tells as well, is in the section "Not by events alone", which is kept by hand.
"""


def word(way):
    return re.sub(r"\W+", "_", way.title).strip("_").lower()


def add(way, major):
    def is_true(env):
        cells, wrong = judge(way, major, observe(env, way, env.selfcontained(f"net{major}.0")))
        CELLS[way.title, major] = cells
        if wrong:
            raise OutOfLimit("; ".join(wrong))
        return json.dumps({title: seen for title, (_, _, seen) in cells.items()})

    is_true.__name__ = f"{word(way)}_on_dotnet_{major}"
    test(is_true)


for each_major in MAJORS:
    for each_way in WAYS:
        add(each_way, each_major)


def number(value):
    return "unknown" if value is None else str(value) if isinstance(value, int) else f"{value:.1f}"


def cell(way, major, kind):
    if major < kind.first_major:
        return "-"
    least, most, seen = CELLS[way.title, major][kind.title]
    own = number(least) if number(least) == number(most) else f"{number(least)} to {number(most)}"
    return f"{own} / {number(seen)}"


def section(way):
    lines = [f"## {way.title[0].upper()}{way.title[1:]}", "", f"Test: `{word(way)}_on_dotnet_*`.", "",
             "| kind | tolerance | " + " | ".join(f".NET {major}" for major in MAJORS) + " |", "|---|---|" + "---|" * len(MAJORS)]
    return "\n".join(lines + [f"| {kind.title} | {kind.tolerance()} | " + " | ".join(cell(way, major, kind) for major in MAJORS) + " |" for kind in KINDS])


@test
def table_is_written(env):
    missing = [f"{way.title} on {major}" for way in WAYS for major in MAJORS if (way.title, major) not in CELLS]
    check(not missing, f"not looked at: {missing}")
    _, mark, kept = TABLE.read_text(encoding="utf-8").partition(KEPT)
    TABLE.write_text("\n\n".join([HEAD.strip(), *map(section, WAYS)]) + f"\n\n{mark}{kept}", encoding="utf-8")


if __name__ == "__main__":
    main()
