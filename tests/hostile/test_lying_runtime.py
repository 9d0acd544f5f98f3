#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A runtime that is none: a stranger's libcoreclr.so that describes its data as .NET's does, and has lies wherever that leads. Root's nettop looks there, lives, and says what it does not know."""
import json
import pathlib
import re
import subprocess

from nt_hostile import *
from nt_live.nettop import source_of
from nt_live.process import running, wait_until

LAYOUT = pathlib.Path(__file__).resolve().parents[2] / "src/decode/contract/contract_layout.def"
WATCH_MB = 200  # of memory in use at the peak
LOOKS = 4

LIBRARY = r"""
#include <stdint.h>
enum { WORDS = 1 << 17 };
static uint64_t lies[WORDS], pointers[COUNT];
static char text[] = { TEXT };
struct { uint64_t magic; uint32_t flags, size; char *text; uint32_t count, pad; uint64_t *pointers; }
__attribute__((visibility("default"))) DotNetRuntimeContractDescriptor = { 0x0043414443434e44, 1, SIZE, text, COUNT, 0, pointers };
__attribute__((constructor)) static void lie(void)
{
	for (int i = 0; i < WORDS; i++)
		lies[i] = LIE;
	for (int i = 0; i < COUNT; i++)
		pointers[i] = (uint64_t)&lies[WORDS / 2 + 512 * i];
}
"""
PROGRAM = r"""
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
static void *wait_for_ever(void *unused)
{
	pause();
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t id;
	for (int i = 0; i < 8; i++)
		pthread_create(&id, 0, wait_for_ever, 0);
	return argc == 2 && dlopen(argv[1], RTLD_NOW) ? pause() : 1;
}
"""
NASTY = "\x1b]0;x\x07\u009b2J\u202e\r\nFORGED"


def description(**more):
    """All that nettop uses, each field with an offset of its own."""
    types, number = {}, 0
    text = LAYOUT.read_text(encoding="ascii")
    for kind, name, field in re.findall(r'^(FIELD|SIZE)\(\w+, \w+, "(\w+)"(?:, "(\w+)")?\)', text, re.M):
        types.setdefault(name, {})[field or "!"] = [8 * number, NASTY] if kind == "FIELD" else 512
        number += 1
    names = re.findall(r'^GLOBAL\(\w+, \w+, "(\w+)"\)', text, re.M)
    contracts = {name: int(most) for name, most in re.findall(r'^CONTRACT\(\w+, "(\w+)", \d+, (\d+)\)', text, re.M)}
    whole = {"version": 0, "contracts": contracts, "types": types, "globals": {name: [[i], "pointer"] for i, name in enumerate(names)}}
    return json.dumps(whole | more).encode(), len(names)


def library(folder, name, lie, text=None, size=None):
    """Beside others of its kind, so that it is one of .NET 10's."""
    made, count = description(**{NASTY: NASTY})
    text = text or made
    beside = folder / name / "shared/Microsoft.NETCore.App/10.0.12"
    beside.mkdir(parents=True)
    source = LIBRARY.replace("COUNT", str(count)).replace("TEXT", ",".join(map(str, text))).replace("SIZE", str(size or len(text))).replace("LIE", lie)
    subprocess.run(["gcc", "-x", "c", "-w", "-O1", "-fPIC", "-shared", "-o", str(beside / "libcoreclr.so"), "-"], input=source.encode(), check=True)
    return beside / "libcoreclr.so"


def is_clean(text):
    return not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]|^FORGED", text, re.M)


def watch(env, program, mapped):
    with running(*as_stranger(program, mapped)) as process:
        wait_until(lambda: str(mapped) in pathlib.Path(f"/proc/{process.pid}/maps").read_text(encoding="utf-8"), 10, "it is mapped")
        said, peak = peak_of(confined(env.nettop, "-p", process.pid, "--readonly", "--source", "runtime,procfs", "--json", "-d", "0.3", "-n", LOOKS))
        check_peak("nettop", peak, WATCH_MB)
        check(is_clean(said), f"it says what it was told to: {said[:2000]!r}")
        lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        check(len(lines) >= LOOKS, f"intervals: {len(lines)}")
        source = source_of(lines[-1], "runtime")
        if source["state"] == "absent":
            check_equal("why nothing is known", source["reason"], "the runtime's description of its data cannot be read")
        for line in lines:
            for site in line["waits"]["sites"] or []:
                check_equal("where threads wait, of which only the kernel says the truth", [site["site"], site["for"], site["waker"]], [None, "native", None])
        return peak, source["state"]


@test
def a_runtime_that_lies(env):
    folder = folder_of_stranger(env, "runtime")
    program = folder / "program"
    subprocess.run(["gcc", "-x", "c", "-o", str(program), "-", "-ldl", "-lpthread"], input=PROGRAM.encode(), check=True)
    lies = {"itself": "(uint64_t)&lies[i]", "circle": "(uint64_t)&lies[(i * 7919 + 512) % WORDS]", "counts": "UINT64_MAX >> 33"}
    made = {name: library(folder, name, lie) for name, lie in lies.items()}
    made["nested"] = library(folder, "nested", "0", text=b"[" * 50000)
    made["larger"] = library(folder, "larger", "0", size=1 << 31)
    seen = {name: watch(env, program, mapped) for name, mapped in made.items()}
    check_equal("descriptions that are none", [name for name, (_, state) in seen.items() if state == "absent"], ["nested", "larger"])
    return ", ".join(f"{name} {peak} MB" for name, (peak, _) in seen.items())


if __name__ == "__main__":
    main()
