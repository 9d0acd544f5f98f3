#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""usage: results.py NAME < TEXT      puts TEXT into doc/RESULTS.md, between the marks of `make NAME`, in place of what was there."""
import pathlib
import sys

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "doc/RESULTS.md"


def replace(old, name, text):
    begin, end = f"<!-- make {name}: begin -->", f"<!-- make {name}: end -->"
    if begin not in old or end not in old:
        old = f"{old.rstrip()}\n\n{begin}\n{end}\n"
    head, rest = old.split(begin, 1)
    return f"{head}{begin}\n\n{text.strip()}\n\n{end}{rest.split(end, 1)[1]}"


def main():
    old = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "# Results\n"
    RESULTS.write_text(replace(old, sys.argv[1], sys.stdin.read()), encoding="utf-8")


main()
