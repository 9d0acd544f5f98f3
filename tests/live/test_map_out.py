#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop map`: its lines against the runtime's own map, and as perf and bcc look them up."""
import contextlib
import ctypes
import pathlib
import re
import signal
import subprocess
import time

from nt_live import *
from nt_live.process import run, running

PRECOMPILED = "[PreJIT]"
EVERY = 97  # of the lines are looked up


def write_map(env, pid, path):
    result = run([str(env.nettop), "map", "-p", str(pid), "-o", str(path)])
    check_equal(f"exit status ({result.stderr.strip()})", result.returncode, 0)
    return lines_of(path)


def lines_of(path):
    """(address, size, name) of each line."""
    split = [line.split(" ", 2) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(int(start, 16), int(size, 16), name) for start, size, name in split]


def check_disjoint(lines):
    for (start, size, name), (after, _, after_name) in zip(lines, lines[1:]):
        check(start + size <= after, f"{name} at {start:x} reaches into {after_name} at {after:x}")


@contextlib.contextmanager
def in_place(pid, path):
    """The file where tools look for the map of a process that writes none."""
    place = pathlib.Path(f"/tmp/perf-{pid}.map")
    check(not place.exists(), f"{place} is there")
    place.write_bytes(path.read_bytes())
    try:
        yield
    finally:
        place.unlink()


@test
def all_code_is_in_it(env):
    """Each method that the runtime's own map has last for an address, and the precompiled ones; and that map stays what it is."""
    path = env.scratch / "whole.map"
    with Workload(env, mode="none", lttng=False) as work:
        for command in ("jit-lambda 50", "generics 20"):
            work.do(command)
        work.settle()
        own_path = pathlib.Path(f"/tmp/perf-{work.pid}.map")
        before = own_path.read_bytes()
        lines = write_map(env, work.pid, path)
        refused = run([str(env.nettop), "map", "-p", str(work.pid), "-o", str(own_path)])
        check_equal("exit status for the process's own map", refused.returncode, 2)
        check("itself writes; give another file" in refused.stderr, refused.stderr)
        check(own_path.read_bytes().startswith(before), "the process's own map is not what it was")
        own = lines_of(own_path)[:before.count(b"\n")]
    check_disjoint(lines)
    known = {(start, name) for start, _, name in lines}
    last = {start: name for start, _, name in own}
    missing = [name for start, name in last.items() if (start, name) not in known and re.search(r"\[\w+\]$", name)]
    # Others have been compiled over them, from another address on.
    check(len(missing) <= 0.02 * len(last), f"{len(missing)} of {len(last)} lines are not in it: {missing[:5]}")
    check(any("Workload.Program::Main()" in name for _, _, name in lines), "no Main")
    precompiled = [name for _, _, name in lines if name.endswith(PRECOMPILED)]
    check(any("[System.Private.CoreLib] System.String::" in name for name in precompiled), f"no precompiled String in {precompiled[:5]}")
    return f"{len(own)} lines of its own, {len(precompiled)} precompiled"


@test
def a_process_that_ends_meanwhile(env):
    """Status 0 is the word for a whole map, whenever the process ends."""
    path = env.scratch / "ended.map"
    statuses, whole = [], None
    for tenth in (9, 5, 1):
        with Workload(env, mode="none", lttng=False) as work:
            work.settle()
            if whole is None:
                begin = time.monotonic()
                whole = len(write_map(env, work.pid, path))
                takes = time.monotonic() - begin
            path.unlink(missing_ok=True)
            nettop = subprocess.Popen([str(env.nettop), "map", "-p", str(work.pid), "-o", str(path)], stderr=subprocess.PIPE, text=True)
            with contextlib.suppress(subprocess.TimeoutExpired):
                nettop.wait(takes * (tenth - 0.5) / 10)
            work.process.signal(signal.SIGKILL)
            said = nettop.communicate(timeout=60)[1]
        statuses.append(nettop.returncode)
        if nettop.returncode == 0:
            check_within("lines of a map that is said to be whole", len(lines_of(path)), whole, relative=0.05)
        else:
            check_equal(f"exit status ({said.strip()})", nettop.returncode, 4)
    check(4 in statuses, f"it never ended meanwhile: {statuses}")
    return f"exit statuses {statuses}"


class Symbol(ctypes.Structure):
    """struct bcc_symbol of bcc's bcc_syms.h."""
    _fields_ = [("name", ctypes.c_char_p), ("demangle_name", ctypes.c_char_p), ("module", ctypes.c_char_p), ("offset", ctypes.c_uint64)]


def named_by_bcc(library, pid, lines):
    """How many of the lines bcc finds by an address within them, and calls so."""
    cache = ctypes.c_void_p(library.bcc_symcache_new(pid, None))
    symbol, good = Symbol(), 0
    for start, size, name in lines:
        if library.bcc_symcache_resolve(cache, ctypes.c_uint64(start + size // 2), ctypes.byref(symbol)) == 0:
            good += symbol.name == name.encode()
    library.bcc_free_symcache(cache, pid)
    return good


@long_test
def bcc_names_everything(env):
    """Precompiled methods, too, of a process that has no map of its own."""
    try:
        library = ctypes.CDLL("libbcc.so.0")
    except OSError as error:
        raise Missing(f"bcc: {error} (apt-get install libbpfcc)") from error
    library.bcc_symcache_new.restype = ctypes.c_void_p
    path = env.scratch / "bcc.map"
    with Bare(env) as work:
        lines = write_map(env, work.pid, path)[::EVERY]
        without = named_by_bcc(library, work.pid, lines)
        with in_place(work.pid, path):
            check_equal("lines that bcc names", named_by_bcc(library, work.pid, lines), len(lines))
    return f"{len(lines)} of {len(lines)}, {without} without the map"


def reported(data, *options):
    """What `perf report` says: {(file, symbol): percent}."""
    report = subprocess.run(["perf", "report", "-i", str(data), "--stdio", "--sort", "dso,sym", *options], capture_output=True, text=True, timeout=120, check=True).stdout
    return {(m[2], m[3]): float(m[1]) for m in re.finditer(r"^\s+([\d.]+)%\s+(\S.*?)\s+\[[.k]\] (.*\S)", report, re.M)}


@long_test
def perf_names_all_managed_code(env):
    """
    Of compiled code perf asks a map, if W^X is off. Precompiled code is in files, for which it asks none: their symbols lie in a folder for it. What it named
    without that it still names, but for the vdso, which it has from a cache of its own.
    """
    env.need_commands("perf")
    path, data, folder = env.scratch / "perf.map", env.scratch / "perf.data", env.scratch / "symfs"
    with Bare(env, dotnet={"EnableWriteXorExecute": "0", "TieredCompilation": "0"}) as work:
        with running("perf", "record", "-q", "-e", "cpu-clock", "-F", "499", "-p", str(work.pid), "-o", str(data), "--", "sleep", "4") as record:
            while record.alive():
                for command in ("compute 30", "jit-expr 40", "throw 40"):
                    work.do(command)
        command = [str(env.nettop), "map", "-p", str(work.pid), "-o", str(path), "--symfs", str(folder)]
        check_equal("exit status", run(command).returncode, 0)
        again = run(command)
        check(again.returncode == 1 and "cannot make the new folder" in again.stderr, f"a folder that is there: {again}")
    with in_place(work.pid, path):
        before = reported(data)
        shares = reported(data, "--symfs", str(folder), "--kallsyms", "/proc/kallsyms")
    spin = sum(share for (_, name), share in shares.items() if "Workload.Compute::Spin(" in name)
    check(spin > 2, f"perf calls {spin} % Spin: {dict(list(shares.items())[:8])}")
    precompiled = {name: share for (file, name), share in shares.items() if file.endswith(".dll")}
    without = {name: share for name, share in precompiled.items() if name.startswith("0x")}
    check(sum(precompiled.values()) > 2, f"few samples in precompiled code: {precompiled}")
    check_limit(f"share of precompiled code without a name ({without})", sum(without.values()) / sum(precompiled.values()), 0.01)
    lost = {key: share for key, share in before.items() if not key[1].startswith("0x") and key[0] != "[vdso]" and key not in shares}
    check(not lost, f"without the folder perf has names for {lost}")
    return f"{spin:.1f} % in Spin, {sum(precompiled.values()):.1f} % in {len(precompiled)} precompiled methods"


if __name__ == "__main__":
    main()
