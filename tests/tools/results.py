#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""usage: results.py NAME [ROW...] < TEXT      puts TEXT into doc/RESULTS.md, between the marks of `make NAME`, in place of what was there.

Of what was there those lines of the table stay whose first cell is a ROW that TEXT does not have: it was not measured again.
"""
import pathlib
import sys

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "doc/RESULTS.md"


def split(text, name):
    """What is before the marks, between and behind them; None when there are none."""
    begin, end = f"<!-- make {name}: begin -->", f"<!-- make {name}: end -->"
    head, found, rest = text.partition(begin)
    inside, closed, tail = rest.partition(end)
    return (head + begin, inside, end + tail) if found and closed else None


def row_name(line):
    """The first cell of a table's line; None when it is none."""
    return line.split("|")[1].strip() if line.startswith("|") and line.count("|") > 1 else None


def keep_rows(old, new, rows):
    """`new`, a text that ends with its table, with those of `rows` that only `old` has; all of them in order."""
    lines = new.strip().splitlines()
    rule = max((i for i, line in enumerate(lines) if line.startswith("|---")), default=None)
    if rule is None:
        return new
    measured = {row_name(line): line for line in lines[rule + 1:]}
    kept = {row_name(line): line for line in old.splitlines() if row_name(line) in rows}
    return "\n".join(lines[:rule + 1] + [line for _, line in sorted({**kept, **measured}.items())])


def replace(old, name, text, rows=()):
    parts = split(old, name)
    if not parts:
        parts = split(f"{old.rstrip()}\n\n<!-- make {name}: begin -->\n<!-- make {name}: end -->\n", name)
    head, inside, tail = parts
    return f"{head}\n\n{keep_rows(inside, text, rows).strip()}\n\n{tail}"


def main():
    old = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "# Results\n"
    RESULTS.write_text(replace(old, sys.argv[1], sys.stdin.read(), sys.argv[2:]), encoding="utf-8")


if __name__ == "__main__":
    main()
