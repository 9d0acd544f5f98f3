#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What is covered in part, on each .NET, against the workload's own counters: the figures, and which of them cannot be known. Writes its section of doc/TRUTH.md, the last, when all have
been looked at.
"""
import re

from nt_long.truth_covered import CASES  # nt_long tells where nt_live lies
from nt_live import check, main, test
from nt_live.environment import REPO
from nt_live.process import OutOfLimit

MAJORS = (8, 9, 10)
TABLE = REPO / "doc/TRUTH.md"
TITLE = "## Partial, suspended, stalled, second observer"
ROWS = {}

HEAD = f"""{TITLE}

`tests/long/test_truth_covered.py`, a part of `make check-long-truth`, wrote this section. The workload throws, collects and allocates all the time, before nettop comes until after it is
gone, and says in between what the runtime counted. A cell is *what was done at least, and at most, in the time that the figure says it covers* (`covered_ns`, of each interval) / *nettop's
figure*: least and most differ by what lies across an end of that time, which is known to 60 ms. Tolerance: by how much the figure may lie outside. `unknown`: nettop must not know. The short ones of it are in
`make check`: `tests/live/test_coverage.py`.
"""


def word(case):
    return re.sub(r"\W+", "_", case.title).strip("_").lower()


def add(case, major):
    def is_true(env):
        rows = ROWS[case.title, major] = case.observe(env, env.selfcontained(f"net{major}.0"))
        wrong = [f"{row.title}: {row.text()}" for row in rows if not row.is_right()]
        if wrong:
            raise OutOfLimit("; ".join(wrong))
        return "; ".join(f"{row.title}: {row.text()}" for row in rows)

    is_true.__name__ = f"{word(case)}_on_dotnet_{major}"
    test(is_true)


for each_major in MAJORS:
    for each_case in CASES:
        if each_major >= each_case.first_major:
            add(each_case, each_major)


def cell(case, major, index):
    return ROWS[case.title, major][index].text() if major >= case.first_major else "-"


def section(case):
    lines = [f"### {case.title[0].upper()}{case.title[1:]}", "", f"Test: `{word(case)}_on_dotnet_*`.", "",
             "| figure | tolerance | " + " | ".join(f".NET {major}" for major in MAJORS) + " |", "|---|---|" + "---|" * len(MAJORS)]
    rows = ROWS[case.title, MAJORS[-1]]
    return "\n".join(lines + [f"| {row.title} | {row.tolerance()} | " + " | ".join(cell(case, major, i) for major in MAJORS) + " |" for i, row in enumerate(rows)])


@test
def section_is_written(env):
    missing = [f"{case.title} on {major}" for case in CASES for major in MAJORS if major >= case.first_major and (case.title, major) not in ROWS]
    check(not missing, f"not looked at: {missing}")
    others = TABLE.read_text(encoding="utf-8").partition(TITLE)[0]
    TABLE.write_text("\n\n".join([others.strip(), HEAD.strip(), *map(section, CASES)]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
