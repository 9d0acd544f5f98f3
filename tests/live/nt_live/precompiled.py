# SPDX-License-Identifier: GPL-2.0-only
"""Precompiled (ReadyToRun) methods: what the runtime itself says of those in a process, and what nettop reads in the same images."""
import bisect
import collections
import re
import subprocess

from .eventpipe import RUNTIME, Session
from .process import Failure

JITTED = 8  # of MethodFlags
ROUND_S = 60

Method = collections.namedtuple("Method", "begin size token type name signature")

# The runtime writes signatures in one way into events and in another into the perf map, which nettop follows. What is equal, in the events' words ->
# the perf map's. The order matters.
SAME_WORDS = (
    (r"\bvalue class ", "valuetype "),
    (r"\bclass System\.String\b(?![.`/+\w])", "string"),
    (r"\bclass System\.Object\b(?![.`/+\w])", "object"),
    (r"\bunsigned int(?=\d)", "uint"),
    (r"\bunsigned int\b", "native uint"),
    (r"(?<![\w.` ])int\b", "native int"),
    (r"(?<= )int\b", "native int"),
    (r"\bnative native\b", "native"),
    (r"\bwchar\b", "char"),
    (r"\brefany\b", "typedref"),
    (r"\bgeneric ", ""),           # of a generic method: events only
    (r"\b(required|optional)_modifier \S+ ", ""),
    (r"\bfnptr ([^()]*)\(", r"method \1 *("),
    (r"\b(unmanaged|cdecl|stdcall|thiscall|fastcall|vararg) ", ""),
    (r"\[0\.\.\.(,0\.\.\.)*\]", lambda found: "[" + "," * found.group().count(",") + "]"),
)


def plain(signature):
    """A signature as both ways of writing it can be compared: a nested type is its last part, which is all that events tell."""
    for pattern, words in SAME_WORDS:
        signature = re.sub(pattern, words, signature)
    return re.sub(r"\b(class|valuetype) [^<>(),&*\[\] ]*/", r"\1 ", signature).replace("  ", " ")


def rundown(env, pid):
    """What the runtime lists of its precompiled methods, by the file that holds their code: {path: [Method, ...]}, begin as an offset in that file."""
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
        files[path].append(Method(int(address, 16) - start + offset, int(size, 16), int(token, 16), kind, name, signature))
    return files


def read_image(env, path, begins):
    """What nettop reads at these places of a file: {begin: Method}."""
    methods = {}
    for line in _run(env, "r2r_dump", path, "-", text="".join(f"{begin:x}\n" for begin in begins)):
        begin, end, token, name = line.split(" ", 3)
        methods[int(begin, 16)] = Method(int(begin, 16), int(end, 16) - int(begin, 16), int(token, 16), *_parts(name))
    return methods


def _parts(name):
    """Type, method, signature of a name as the perf map writes it: `RET [Assembly] Type::Method(ARGS)`."""
    depth, at = 0, len(name)
    while at > 0 and (depth or at == len(name)):
        at -= 1
        depth += (name[at] == ")") - (name[at] == "(")
    parts = re.fullmatch(r"(.*?) \[[^\]]*\] (.*?)::(.+)", name[:at])
    if not parts:
        raise Failure(f"not of the perf map's form: {name}")
    returned, kind, method = parts.groups()
    return kind, method, f"{returned} {name[at:]}"


def differences(env, path, listed):
    """Of the methods that the runtime lists in an image, those that nettop reads otherwise there, each with what is different."""
    read = read_image(env, path, [method.begin for method in listed])
    for method in listed:
        found = read.get(method.begin)
        if not found:
            yield "no method begins there", method, None
            continue
        for what in ("token", "type", "name"):
            if getattr(method, what) != getattr(found, what):
                yield what, method, found
        if plain(method.signature) != plain(found.signature):
            yield "signature", method, found
        if not method.size <= found.size:
            yield "size", method, found


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
