# SPDX-License-Identifier: GPL-2.0-only
"""What tests of `nettop jit` share: a report looked at, and scripts that start the program."""
import json

from .process import Failure
from .runner import check_equal

SECTIONS = ("tiers", "triggers", "modules", "namespaces", "methods")


def check_parts(report, complete=True):
    """Each section is all of the compilations, told apart in another way."""
    check_equal("type of the report", report["type"], "jit")
    check_equal(f"whether it is complete ({json.dumps(report)[:300]})", report["complete"], complete)
    total = report["total"]
    for section in SECTIONS:
        for key, expected in (("count", total["method_count"]), ("time_ns", total["time_ns"])):
            check_equal(f"sum of {key} of the {section}", sum(line[key] for line in report[section]), expected)


def named(report, section, name):
    """A line of a section; its names, when there is none such."""
    for line in report[section]:
        if line["name"] == name:
            return line
    raise Failure(f"no {name} among the {section}: {[line['name'] for line in report[section]][:20]}")


def script_of(env, name, *lines):
    script = env.scratch / name
    script.write_text("\n".join(("#!/bin/sh", *lines, "")), encoding="ascii")
    script.chmod(0o755)
    return script
