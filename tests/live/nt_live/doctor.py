# SPDX-License-Identifier: GPL-2.0-only
"""`nettop doctor` as a test asks it."""
import json

from .process import Failure, run
from .runner import check, check_equal

# linux/capability.h: CAP_SYS_ADMIN, CAP_PERFMON, CAP_BPF
WITHOUT_PERFMON = ("setpriv", "--bounding-set=-cap_21,-cap_38,-cap_39")


class Verdicts(dict):
    """What one `nettop doctor --json` said, by key. The text form must say the same."""

    def __init__(self, program, *options, prefix=()):
        done = run([*prefix, str(program), "doctor", "--json", *options])
        if not done.stdout.startswith("{"):
            raise Failure(f"nettop doctor: exit {done.returncode}: {done.stderr[-400:]}")
        self.object = json.loads(done.stdout)
        super().__init__((entry["key"], entry) for entry in self.object["prerequisites"])
        check_equal("exit status", done.returncode, 0 if self.object["complete"] else 3)
        lacking = [key for key, entry in self.items() if entry["on_screen"] and entry["state"] != "ok"]
        check_equal("complete", self.object["complete"], not lacking)
        for entry in self.values():
            check(entry["state"] == "ok" or entry["takes_away"] or not entry["on_screen"], f"{entry['key']} is {entry['state']} and takes nothing away")

    def expect(self, state, *keys):
        for key in keys:
            if self[key]["state"] != state:
                raise Failure(f"{key} is {self[key]['state']}, not {state}: {self[key]['found']}")

    def fix(self, key):
        check(self[key]["fix"], f"{key}: no fix for: {self[key]['found']}")
        return self[key]["fix"]

    def sentence(self, key):
        """What doctor's text line says of a prerequisite that is not there."""
        check(self[key]["state"] != "ok", f"{key} is ok: {self[key]['found']}")
        return f"{self[key]['takes_away']}: {self[key]['found']}"
