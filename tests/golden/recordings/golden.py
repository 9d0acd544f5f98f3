#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What nettop says of the recordings of tests/data/recordings (make.py beside this makes them): the frame and the figures of the interval in which it first has the finding that a recording is called by, a
report of all of it, and of a deadlock the threads. A file each, as it was decided; `--update` writes them anew.
"""
import difflib
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REPO = HERE.parents[2]
RECORDINGS = sorted((REPO / "tests/data/recordings").glob("*.nettop"))
NETTOP = os.environ.get("NETTOP", str(REPO / "build/default/nettop"))
SECOND_NS = 10**9
FIGURES = ("cpu", "gc", "jit", "threadpool", "exceptions", "contention", "waits", "requests")
FINDINGS = {"gc_pauses": "gc_storm"}  # else what the file is called
TIMEOUT_S = 20


def nettop(*words):
    done = subprocess.run([NETTOP, *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT_S, check=False, env=os.environ | {"TZ": "UTC"})
    said = "".join(f"[{line}]\n" for line in done.stderr.splitlines())
    return done.stdout + said + (f"[exit status {done.returncode}]\n" if done.returncode else "")


def numbers(section):
    """Without the lists in it."""
    return {key: value for key, value in section.items() if not isinstance(value, (dict, list))}


def said_of(path):
    name = path.stem
    lines = [json.loads(line) for line in nettop("replay", path, "--json").splitlines() if line.startswith("{")]
    kind = FINDINGS.get(name, name)
    first = next((line for line in lines if any(finding["kind"] == kind for finding in line["findings"])), None)
    if not first:
        return f"no interval has the finding {kind}\n"
    begin = lines[0]["t0_ns"]
    span = [f"+{(first[time] - begin) / SECOND_NS:.9f}" for time in ("t0_ns", "t1_ns")]
    figures = {"findings": first["findings"], **{key: numbers(first[key]) for key in FIGURES}}
    parts = [("replay -b, the interval of the finding", nettop("replay", path, "-b", "--rows", 8, "--from", span[0], "--to", span[1])),
             ("replay --json, its figures", json.dumps(figures, indent=1) + "\n"), ("report", nettop("report", "--replay", path, "--rows", 5))]
    if name == "deadlock":
        parts.append(("threads", nettop("threads", "--replay", path)))
    return "".join(f"==== {title} ====\n{text}" for title, text in parts)


def main():
    update, failed = "--update" in sys.argv[1:], 0
    for path in RECORDINGS:
        golden, said = HERE / f"{path.stem}.txt", said_of(path)
        if update:
            golden.write_text(said, encoding="utf-8")
            continue
        wanted = golden.read_text(encoding="utf-8") if golden.exists() else ""
        if said == wanted:
            continue
        failed += 1
        print(f"FAIL {path.name}: it is said otherwise (`make golden-update` takes that; `make recordings` makes them anew, of a form that is no longer read)")
        sys.stdout.writelines(list(difflib.unified_diff(wanted.splitlines(keepends=True), said.splitlines(keepends=True), str(golden), "now"))[:60])
    print(f"recordings: {len(RECORDINGS) - failed} passed, {failed} failed")
    return 1 if failed or not RECORDINGS else 0


if __name__ == "__main__":
    sys.exit(main())
