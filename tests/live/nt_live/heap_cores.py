# SPDX-License-Identifier: GPL-2.0-only
"""Core dumps of tests/live/holding: how they are made, what ClrMD says of them, and how the two spell types."""
import os
import re
import subprocess

from nt_live import Failure, check, check_equal
from nt_live.environment import REPO, run_script
from nt_live.process import LineProcess, run


def core_of(env, pid, kind="full"):
    """A core dump by the runtime's own program."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
        folder = re.search(r"(/\S+)/libcoreclr\.so", maps.read())[1]
    path = env.scratch / "core"
    done = run([f"{folder}/createdump", *([f"--{kind}"] if kind != "heap" else ["--withheap"]), "-f", str(path), str(pid)])
    if done.returncode != 0:
        raise Failure(f"createdump: {done.stdout[-500:]} {done.stderr[-500:]}")
    return path


# C#'s words, which ClrMD does not use.
WORDS = {"bool": "Boolean", "byte": "Byte", "sbyte": "SByte", "char": "Char", "short": "Int16", "ushort": "UInt16", "int": "Int32", "uint": "UInt32", "long": "Int64", "ulong": "UInt64",
         "nint": "IntPtr", "nuint": "UIntPtr", "float": "Single", "double": "Double", "decimal": "Decimal", "string": "String", "object": "Object"}


def as_clrmd_writes(name):
    """Without what the two spell differently: nested types, blanks."""
    whole = re.sub(r"(?<![\w.+])(" + "|".join(WORDS) + r")(?!\w)", lambda found: "System." + WORDS[found[1]], name)
    return whole.replace(" ", "").replace("+", ".")


def heap_of_core(env, core, *options, status=0):
    done = subprocess.run([str(env.nettop), "heap", "--core", str(core), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    check_equal(f"exit status of nettop heap --core ({done.stderr[-500:]})", done.returncode, status)
    return done


class Asked:
    """ClrMD asked about a core dump (tests/tools/clrmd/Holders.cs)."""

    def __init__(self, env, core):
        reader = run_script(REPO / "tests/tools/nuget-program.sh", "clrmd")
        self.child = LineProcess(["dotnet", reader, str(core), "holders"], os.environ.copy(), env.scratch / "clrmd.err")

    def ask(self, question):
        self.child.send_line(question)
        answer = self.child.read_line(120)
        check(answer is not None, f"no answer to {question}: {self.child.stderr_text()[-1000:]}")
        return answer

    def end(self):
        self.child.kill()


def whole_paths(steps):
    """Each path as a list of names from the objects to a root, and how many objects it is of."""
    stack, paths = [], []
    for step in steps:
        stack[step["depth"]:] = [step["by"]]
        if step["root"]:
            paths.append((list(stack), step["count"]))
    return paths


# The fields whose objects nothing else refers to, by the names of the objects' types.
ALONE = {"Holding.Warehouse.s_orders": "System.Collections.Generic.List<Holding.Order>",
         "Holding.Warehouse.s_byName": "System.Collections.Generic.Dictionary<string, Holding.Order>",
         "Holding.Warehouse.s_boxes": "System.Collections.Generic.List<Holding.Box<int>>",
         "Holding.Warehouse.s_lids": "System.Collections.Generic.List<Holding.Box<string>.Lid>",
         "Holding.Warehouse.s_others": "System.Collections.Generic.List<object>",
         "Holding.Archive.s_orders": "System.Collections.Generic.List<Holding.Order>"}
