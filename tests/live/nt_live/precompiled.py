# SPDX-License-Identifier: GPL-2.0-only
"""Precompiled (ReadyToRun) methods: what the runtime itself says of those in a process, and what nettop reads in the same images."""
import bisect
import collections
import subprocess

from .eventpipe import RUNTIME, Session
from .method_names import Comparison, Method, of_perf_map
from .process import Failure

JITTED = 8  # of MethodFlags
ROUND_S = 60

Code = collections.namedtuple("Code", "begin size token method")  # a Method

def rundown(env, pid):
    """What the runtime lists of its precompiled methods, by the file that holds their code: {path: [Code, ...]}, begin as an offset in that file."""
    stream = env.scratch / "rundown.nettrace"
    session = Session(pid, [(RUNTIME, 1, 1)], rundown=True)
    stream.write_bytes(session.stop())
    maps = _file_mappings(pid)
    starts = [start for start, _, _, _ in maps]
    files = collections.defaultdict(list)
    for line in _run(env, "nettrace_dump", "--methods", stream):
        if line.count("\t") != 2:
            continue  # the closing line
        numbers, name, signature = line.split("\t")
        address, size, token, flags, kind = numbers.split(" ", 4)
        at = bisect.bisect(starts, int(address, 16)) - 1
        if int(flags, 16) & JITTED or at < 0 or int(address, 16) >= maps[at][1]:
            continue
        start, _, offset, path = maps[at]
        files[path].append(Code(int(address, 16) - start + offset, int(size, 16), int(token, 16), Method(kind, name, signature)))
    return files


def read_image(env, path, begins):
    """What nettop reads at these places of a file: {begin: Code}."""
    methods = {}
    for line in _run(env, "r2r_dump", path, "-", text="".join(f"{begin:x}\n" for begin in begins)):
        begin, end, token, name = line.split(" ", 3)
        method = of_perf_map(name)
        if not method:
            raise Failure(f"not of the perf map's form: {name}")
        methods[int(begin, 16)] = Code(int(begin, 16), int(end, 16) - int(begin, 16), int(token, 16), method)
    return methods


def differences(env, path, listed):
    """Of the methods that the runtime lists in an image, those that nettop reads otherwise there, each with what is different."""
    read, comparison = read_image(env, path, [code.begin for code in listed]), Comparison()
    for code in listed:
        found = read.get(code.begin)
        if not found:
            yield "no method begins there", code, None
            continue
        if code.token != found.token:
            yield "token", code, found
        different = comparison.differs(code.method, found.method)
        if different:
            yield different, code, found
        if not code.size <= found.size:
            yield "size", code, found


def _file_mappings(pid):
    """(start, end, offset in the file, path) of every executable mapping of a file, sorted."""
    found = []
    with open(f"/proc/{pid}/maps", encoding="utf-8") as lines:
        for line in lines:
            parts = line.rstrip("\n").split(None, 5)
            if len(parts) == 6 and "x" in parts[1] and parts[5].startswith("/") and not parts[5].startswith("/memfd:"):
                start, end = (int(part, 16) for part in parts[0].split("-"))
                found.append((start, end, int(parts[2], 16), parts[5]))
    return sorted(found)


def _run(env, tool, *arguments, text=""):
    done = subprocess.run([env.nettop.parent / "tests/tools" / tool, *arguments], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=ROUND_S, check=False)
    if done.returncode != 0:
        raise Failure(f"{tool} {' '.join(map(str, arguments))}: exit status {done.returncode}: {done.stderr[-400:]}")
    return done.stdout.splitlines()
