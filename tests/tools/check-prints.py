#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that what nettop shows goes one way: src/app/common/print.c makes stdout and stderr escape, output/frame/json_value.c makes JSON's texts, ui/screen/grid.c the screen's."""
import pathlib
import re
import sys

ROOMS = ("include", "src/base", "src/decode", "src/target", "src/source", "src/symbol", "src/model", "src/output", "src/app", "ui")
CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)

# what is looked for, why not, and which files may (a folder ends with a slash)
RULES = (
    (r"\b(stdout|stderr)\b|\b(v?printf|puts|putchar|perror|psignal|psiginfo)\s*\((?!,)", "nothing below src/app/ prints: return an error, or take a FILE *",
     ("src/app/", "src/base/alloc.c", "src/base/error.c")),  # the two say words of their own, and end
    (r"\b(STDOUT_FILENO|STDERR_FILENO|v?dprintf|fileno)\b", "a descriptor leads past what escapes: print to stdout or stderr",
     ("src/app/common/print.c",
      "src/app/common/new_file.c",                             # -o /dev/stdout: which one that is
      "src/app/child/child_output.c", "src/app/run/run_start.c",  # what the program says that nettop run has started
      "src/app/commands/jit_repeat.c",                           # where a run in a child of ours writes its report
      "src/app/commands/stacks_files.c", "src/app/show/watch.c",            # isatty()
      "src/app/ssh/ssh_child.c", "src/app/ssh/ssh_command.c",   # the streams of the ssh that shows another nettop; isatty()
      "src/source/perf/perf_list.c",                         # which ones a child closes
      "ui/terminal/term_curses.c", "ui/terminal/term_type.c")),           # whose terminal it is
    (r"\bnt_print_raw\b", "only curses has standard output as it is", ("src/app/common/print.c", "src/app/common/print.h", "src/app/show/frame.c")),
    (r"\bnt_print_bytes\b", "only what is no text goes out as it is", ("src/app/common/print.c", "src/app/common/print.h", "src/app/commands/stacks_command.c")),
    (r"\b(stdout|stderr)\s*=[^=]", "src/app/common/print.c alone says what they are", ("src/app/common/print.c",)),
    (r"\bjson_(v?sprintf|stringn?|string_set\w*|stringn?_nocheck)\b|\bjson_pack(?!\(QUOTED, QUOTED, \(json_int_t\))",
     "nt_json_text() makes a text of JSON", ("src/output/frame/json_value.c",)),
)


def code_of(path):
    """Without comments, and with a word in place of each text."""
    return CODE.sub(lambda found: "QUOTED" if found[0].startswith('"') else re.sub(r"[^\n]+", " ", found[0]), path.read_text(encoding="utf-8"))


def problems(path):
    code, name = code_of(path), path.as_posix()
    for pattern, reason, allowed in RULES:
        if any(name == place or place.endswith("/") and name.startswith(place) for place in allowed):
            continue
        for found in re.finditer(pattern, code):
            yield f"{name}:{code.count(chr(10), 0, found.start()) + 1}: {found[0].strip()}: {reason}"


def main():
    found = [problem for room in ROOMS for path in sorted(pathlib.Path(room).rglob("*.[ch]")) for problem in problems(path)]
    print("\n".join(found) if found else "prints: everything goes the one way")
    return 1 if found else 0


sys.exit(main())
