#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What the documents say of the tree. What a room of src/rooms is stands there, in the second line of just one of its files, and in doc/ARCHITECTURE.md, which names each room. The files and folders
that documents name are there: what stands in backticks and looks like a file of sources (`source/perf/perf.c`, `perf.c`, `perf_*.c`, `tests/golden/`) is one: with a folder, the end of a path in the tree; without, a name anywhere in it. A test, `test_x.py:name`, is one that runs: the file has a function of that name that is declared as one. In doc/COMPARISON.md a row that names no test says no, or not yet. What looks like a name of the code (`nt_model_apply()`, `NT_STACKS_ALL`) is in some source."""
import fnmatch
import pathlib
import re
import subprocess
import sys

REPO = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", *sorted(str(path.relative_to(REPO)) for path in (REPO / "doc").glob("*.md"))]
FILE = re.compile(r"(?:[\w.*-]+/)*[\w*-][\w.*-]*\.(?:c|h|S|def|py|sh|js|md|in|cs|patch)$")
NAME = re.compile(r"((?:nt|NT)_\w+)(?:\(.*)?$")
TEST = re.compile(r"(test_\w+\.(?:c|py)):(\w+)$")  # one of the tests of a file
FOLDER = re.compile(r"(?:src|ui|include|tests|doc)/[\w./*-]*/$|(?:src|ui|include|tests|doc)/[\w/-]+$")


def tree():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=REPO, check=True, stdout=subprocess.PIPE, text=True)
    return [path for path in listed.stdout.splitlines() if (REPO / path).exists()]


def tokens(text):
    """(line, word) of what is in backticks, blocks of code left out; a name with braces, {a,b}.c, is several."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        inside ^= line.startswith("```")
        if inside:
            continue
        for quoted in re.findall(r"`([^`]+)`", line):
            for word in quoted.split():
                braces = re.fullmatch(r"(.*)\{(.*)\}(.*)", word)
                yield from ((number, braces[1] + part + braces[3]) for part in braces[2].split(",")) if braces else [(number, word)]


def is_test(text, kind, name):
    """Does the file with this text run a test of that name? A function that only helps is none."""
    declared = rf"^static void {name}\(void \*\*" if kind == "c" else rf"^@.*\n(?:^[@ )].*\n)*^def {name}\("
    return bool(re.search(declared, text, re.MULTILINE))


def comparison():
    """What is wrong with the answers of doc/COMPARISON.md: where the table says by which test one sees a thing, a row without a test is one without that thing."""
    column = None
    for number, line in enumerate((REPO / "doc/COMPARISON.md").read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            column = None
        elif column is None:
            column = cells.index("test") if "test" in cells else None
        elif not set(line) <= set("|- ") and len(cells) > column and not TEST.search(cells[column].strip("`")) and not re.match(r"no\b|not\b", cells[1]):
            yield f"doc/COMPARISON.md:{number}: by which test does one see that? {cells[0]}"


def rooms():
    """What is wrong with what is said of them."""
    architecture = (REPO / "doc/ARCHITECTURE.md").read_text(encoding="utf-8")
    for line in (REPO / "src/rooms").read_text(encoding="utf-8").splitlines():
        fields, _, what = line.partition(";")
        folder = (fields.split() or ["#"])[0]
        if folder in ("#", "library"):
            continue
        word = folder.removeprefix("src/").removeprefix("include/")
        sentence = f"/* Room {word}: {what.strip()}. */"
        second = [line for path in (REPO / folder).iterdir() if path.is_file() for line in path.read_text(encoding="utf-8").splitlines()[1:2]]
        if [line for line in second if line.startswith("/* Room ")] != [sentence]:
            yield f"{folder}: just one of its files has the second line `{sentence}`"
        if f"`{word}`" not in architecture and f"`{folder}`" not in architecture:
            yield f"doc/ARCHITECTURE.md: nothing of the room `{word}`"


def main():
    files = tree()
    folders = {str(parent) + "/" for path in files for parent in pathlib.PurePath(path).parents}
    ends = {"/".join(parts[at:]) for path in files for parts in [path.split("/")] for at in range(len(parts))}
    names = {name for path in files if path.endswith((".c", ".h", ".def", ".sh", ".py")) and path.startswith(("src/", "ui/", "include/", "tests/"))
             for name in re.findall(r"\b(?:nt|NT)_\w+", (REPO / path).read_text(encoding="utf-8"))}
    missing = [*rooms(), *comparison()]
    for document in DOCUMENTS:
        for number, word in tokens((REPO / document).read_text(encoding="utf-8")):
            if FILE.match(word):
                there = word in ends or "*" in word and bool(fnmatch.filter(ends, word))
            elif found := TEST.match(word):
                there = any(is_test((REPO / path).read_text(encoding="utf-8"), found[1].rpartition(".")[2], found[2]) for path in files if path.endswith("/" + found[1]))
            elif FOLDER.match(word):
                there = bool(fnmatch.filter(folders, word.rstrip("/") + "/")) or word in ends
            elif NAME.match(word):
                there = NAME.match(word)[1] in names
            else:
                continue
            if not there:
                missing.append(f"{document}:{number}: {word} is not there")
    sys.exit("\n".join(missing) or 0)


main()
