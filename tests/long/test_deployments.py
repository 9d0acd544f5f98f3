#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What nettop says of a program, however it carries its runtime: self-contained, as a single file, compiled with Native AOT."""
import os
import re

from nt_long import TESTS
from nt_live import Nettop, check, check_equal, main, test
from nt_live.environment import REPO, run_script
from nt_live.process import LineProcess
from nt_live.ps import wait_for_row

FORMS = (("self", "net8.0"), ("self", "net9.0"), ("self", "net10.0"), ("single", "net8.0"), ("single", "net9.0"), ("single", "net10.0"), ("compressed", "net10.0"),
         ("aot", "net9.0"), ("aot-port", "net9.0"), ("aot", "net10.0"), ("aot-port", "net10.0"))
KINDS = {"compressed": "single", "aot-port": "aot"}


def add(form, framework):
    def is_told(env):
        program = run_script(TESTS / "long/tiny.sh", form, framework, os.environ.get("NT_TINY_OUT", str(REPO / "build/tiny")))
        process = LineProcess([program], os.environ.copy())
        try:
            check_equal("the program's word", process.read_line(30).strip(), "ready")
            row = wait_for_row(env, process.pid, lambda row: form == "aot" or row["eventpipe"] == "ok", "EventPipe would deliver")
        finally:
            process.kill()
        kind = KINDS.get(form, form)
        check_equal("name, kind, EventPipe", (row["name"], row["kind"], row["eventpipe"]), ("tiny", kind, "missing" if form == "aot" else "ok"))
        if kind == "aot":
            check_equal("runtime, mode, LTTng, map", (row["runtime"], row["mode"], row["lttng"], row["map"]), (None, None, "missing", "missing"))
        else:
            check(re.fullmatch(re.escape(framework[3:]) + r"\.\d+", row["runtime"] or ""), f"the runtime of {framework} is {row['runtime']}")
        return f"{row['sources']} {row['runtime']}"

    is_told.__name__ = f"{form.replace('-', '_')}_{framework.replace('.', '_')}_is_told"
    test(is_told)


for entry in FORMS:
    add(*entry)


@test
def the_runtime_in_a_single_file_is_called_so(env):
    """Its collector is a part of the executable then, which has no library's name."""
    program = run_script(TESTS / "long/tiny.sh", "single", "net10.0", os.environ.get("NT_TINY_OUT", str(REPO / "build/tiny")))
    process = LineProcess([program], os.environ.copy())
    try:
        check_equal("the program's word", process.read_line(30).strip(), "ready")
        with Nettop(env, process.pid, "--source", "perf", "-F", "999", interval_s=0.5) as nettop:
            nettop.wait_for_sources("perf")
            for _ in range(200):
                process.send_line("gc")
                process.read_line(30)
            nettop.wait_for(lambda line: any(row["module"] == "tiny" for row in line["methods"]), 30, "code of the executable")
            summary = nettop.stop()
    finally:
        process.kill()
    kinds = {row["kind"] for row in summary["methods"] if row["module"] == "tiny" and row["self_samples"]}
    check_equal("what its code is called", kinds - {"unknown"}, {"runtime"})


if __name__ == "__main__":
    main()
