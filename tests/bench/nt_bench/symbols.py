# SPDX-License-Identifier: GPL-2.0-only
"""What it costs to have names: of generated code, among half a million symbols (tests/bench/bench_symbols.c), and of precompiled code (bench_r2r.c)."""
import json
import pathlib
import subprocess

from nt_live import Failure, WebServer, Workload

from . import paired
from .meter import NS_PER_S
from .program import Program
from .report import Row

DEADLINE_S = 60
SAMPLED_S = 10
PIECE = 256  # bytes of code without a symbol that count as a method
CORELIB = "/System.Private.CoreLib.dll"


def _output(words, text=""):
    """Of a program."""
    done = subprocess.run(list(map(str, words)), input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=DEADLINE_S, check=False)
    if done.returncode != 0:
        raise Failure(f"{words[0]}: {done.stderr.strip()}")
    return done.stdout


def _answer(words, text=""):
    return json.loads(_output(words, text))


def numbered(script):
    """What `perf script -F ip,sym,symoff` says, as lines `METHOD OFFSET`: methods as numbers, in an order that has nothing to do with how hot they are."""
    samples = []
    for line in script.splitlines():
        address, _, symbol = line.strip().partition(" ")
        name, _, offset = symbol.rpartition("+0x")
        if name:
            samples.append((name, int(offset, 16)))
        elif address:
            at = int(address, 16)
            samples.append((str(at // PIECE), at % PIECE))
    numbers = {name: number for number, name in enumerate(sorted({name for name, _ in samples}))}
    return "".join(f"{numbers[name]} {offset}\n" for name, offset in samples)


def _samples(bench):
    """Of a program that works in the framework."""
    data = bench.env.scratch / "symbols.data"
    with WebServer(bench.env) as web:
        web.do("mixed 500")
        with subprocess.Popen(["perf", "record", "-q", "-e", "cpu-clock", "-F", "999", "-p", str(web.pid), "-o", str(data), "--", "sleep", str(SAMPLED_S)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as record:
            web.do(f"mixed {SAMPLED_S * 1000 - 1000}")
            record.wait(DEADLINE_S)
        return numbered(_output(["perf", "script", "-i", data, "-F", "ip,sym,symoff"]))


def _least(answers, key):
    return min(answer[key] for answer in answers)


def _corelib(bench):
    """Path of the file that a program of this runtime has mapped."""
    with Workload(bench.env, mode="none", perf_map=False, lttng=False) as work:
        lines = pathlib.Path(f"/proc/{work.pid}/maps").read_text(encoding="utf-8").splitlines()
    paths = {line.split(maxsplit=5)[5] for line in lines if line.endswith(CORELIB)}
    if not paths:
        raise Failure("no CoreLib is mapped")
    return paths.pop()


def _sha256sum_s(bench, path):
    with Program(["sha256sum", path], bench.home, terminal=False) as program:
        program.wait(DEADLINE_S)
    return program.cpu_ns / NS_PER_S


def symbols(bench, _):
    count, corelib, samples = bench.plan.map_lines, _corelib(bench), _samples(bench)
    of_jit, of_r2r, sums_s = [], [], []
    for _ in range(bench.plan.map_runs):
        of_jit.append(_answer([bench.programs / "bench_symbols", count], samples))
        of_r2r.append(_answer([bench.programs / "bench_r2r", corelib]))
        sums_s.append(_sha256sum_s(bench, corelib))
    table_s, methods = _least(of_r2r, "cpu_ns") / NS_PER_S, of_r2r[0]["methods"]
    ours_ns, bsearch_ns = paired.middle([(answer["ns_per_sample"], answer["bsearch_ns"]) for answer in of_jit])
    bench.say(f"name of a sample {ours_ns:.0f} ns, bsearch {bsearch_ns:.0f} ns, table of CoreLib {table_s:.3f} s, sha256sum {min(sums_s):.3f} s")
    return [
        Row(f"name of a sample, {count} symbols", ours_ns, "ns", "libc's `bsearch()` of the same", bsearch_ns, 1.15,
            note=f"amortised: {of_jit[0]['samples']} samples of ASP.NET Core in {of_jit[0]['methods']} methods, again and again"),
        Row("the same, a method being compiled in every second", _least(of_jit, "ns_while_compiling"), "ns"),
        Row(f"name of a sample anywhere in {count} symbols", _least(of_jit, "ns_at_random"), "ns"),
        Row("memory of a JIT symbol of the map", _least(of_jit, "bytes_per_symbol"), "B", limit=20, note="its name stays in the file"),
        Row("memory of a JIT symbol that came later, besides its name", _least(of_jit, "late_bytes_per_symbol"), "B", limit=20),
        Row("memory of what METHOD_LOAD says of it, besides its name", _least(of_jit, "load_bytes_per_symbol"), "B", limit=20),
        Row("table of the methods of CoreLib", table_s, "s", "`sha256sum`", min(sums_s), 3),
        Row("the same, memory", of_r2r[0]["bytes"] / methods, "B", note=f"for each of {methods} methods"),
        Row("name of a precompiled method, all written one after the other", _least(of_r2r, "named_ns") / methods, "ns"),
    ]
