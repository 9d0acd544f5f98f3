#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Small files and streams of the stranger's that ask for memory: root's nettop takes a bounded amount. Each runs within an address space that spares the machine when
nettop does not.
"""
import os
import re
import shutil
import struct
import subprocess

from nt_hostile import *
from nt_live.nettop import source_of, state_of
from nt_live.process import running, wait_until

MB = 1 << 20
PS_MB = 200  # of memory in use at the peak
NAMES_MB = 300
STREAM_MB = 600
SECTION = "<IIQQQQIIQQ"  # struct Elf64_Shdr
SHT_SYMTAB, SHT_STRTAB, SHT_DYNSYM = 2, 3, 11


# ---- executables ----


def section(kind, size, offset, link=0, entry=0):
    return struct.pack(SECTION, 0, kind, 0, 0, offset, size, link, 0, 1, entry)


def with_sections(program, headers, count=None, holes=0):
    """Other headers of sections behind an executable, all the rest of which stays; `count`: as many by its header's word; `holes`: so long is it at least."""
    at = (program.stat().st_size + 63) & ~63
    with open(program, "r+b") as file:
        file.seek(at)
        file.write(b"".join(headers))
        file.seek(40)
        file.write(struct.pack("<Q", at))
        file.seek(58)
        file.write(struct.pack("<HHH", 64, 0 if count else len(headers), 0))
        file.truncate(max(at + 64 * (count or len(headers)), holes))


def executable_of_stranger(env, name, copy_of="/usr/bin/sleep", **sections):
    folder = folder_of_stranger(env, name)
    program = folder / "program"
    shutil.copy(copy_of, program)
    with_sections(program, **sections)
    shutil.chown(program, UID, UID)
    return program


def beside(env, program):
    """`nettop ps`, and the list of images, while it runs."""
    blocks = program.stat().st_blocks * 512
    with running(*as_stranger(program, "1000")) as process:
        wait_until(lambda: os.readlink(f"/proc/{process.pid}/exe") == str(program), 10, "the stranger's program runs")
        answer, peak = peak_of(confined(env.nettop, "ps"))
        check(str(process.pid) not in answer, f"the list has it: {answer}")
        check_peak("nettop ps", peak, PS_MB)
        answer, symbols = peak_of(confined(env.nettop, "symbols", "-p", process.pid))
        check_peak("nettop symbols", symbols, PS_MB)
    return f"{blocks >> 10} KB on disk: {peak} MB, {symbols} MB", answer


@test
def executable_that_says_it_has_millions_of_sections(env):
    count = 6_000_000
    program = executable_of_stranger(env, "sections", headers=[section(0, count, 0)], count=count)
    said, answer = beside(env, program)
    check(f"it says that it has {count} sections" in answer, f"the reason is missing: {answer}")
    return said


@test
def executable_with_symbols_in_holes(env):
    """Each table no longer than a real one may be: together they are."""
    size, tables = 15 * MB, 80
    headers = [section(0, 0, 0), section(SHT_STRTAB, size, MB), *(section(SHT_DYNSYM, size, MB, link=1, entry=24) for _ in range(tables))]
    said, answer = beside(env, executable_of_stranger(env, "symbols", headers=headers, holes=32 * MB))
    check("it says that its tables have" in answer, f"the reason is missing: {answer}")
    return said


def peak_now(nettop):
    with open(f"/proc/{nettop.process.pid}/status", encoding="ascii") as file:
        return int(re.search(r"^VmHWM:\s+(\d+) kB", file.read(), re.M)[1]) >> 10


@test
def samples_in_an_image_with_symbols_in_holes(env):
    """The tables that names are taken from: several of them, because one of them has no texts."""
    size, tables = 240 * MB, 6
    headers = [section(0, 0, 0), *(section(SHT_SYMTAB, size, 16 * MB, entry=24) for _ in range(tables))]
    program = executable_of_stranger(env, "image", copy_of=PYTHON, headers=headers, holes=300 * MB)
    with Pretender(env, folder_of_stranger(env, "busy"), version="10.0.0", busy=program) as fake:
        with Nettop(env, fake.pid, "--source", "perf,map", "--readonly", prefix=confined()) as nettop:
            line = nettop.wait_for(lambda line: any("program" in row["name"] and row["reason"] != "not looked up yet" for row in line["methods"]), 20,
                                   "the image is looked at")
            peak = peak_now(nettop)
            nettop.stop()
    check_peak("nettop", peak, NAMES_MB)
    reasons = {row["reason"] for row in line["methods"]}
    check(any("it says that its tables have" in (reason or "") for reason in reasons), f"the reason is missing: {reasons}")
    return f"{peak} MB"


# ---- streams of events ----


def stream_object(name, content=None, offset=0):
    """`offset`: where it begins in the stream, for what it holds is aligned."""
    head = b"\5\5\1" + struct.pack("<III", 2, 2, len(name)) + name.encode("ascii") + b"\6"
    if content is None:
        return head
    head += struct.pack("<I", len(content))
    return head + b"\0" * (-(offset + len(head)) % 4) + content + b"\6"


def events_block(events):
    return struct.pack("<HHQQ", 20, 1, 0, 0) + events


def utf16(text):
    return (text + "\0").encode("utf-16-le")


def beginning():
    """A header, and one kind of event, which no table has. Its length is a multiple of 4."""
    begin = b"Nettrace" + struct.pack("<I", 20) + b"!FastSerialization.1" + stream_object("Trace") + struct.pack("<QQQQIIII", 0, 0, 0, 10**9, 8, 1, 2, 10**6) + b"\6"
    record = struct.pack("<I", 1) + utf16("Microsoft-Windows-DotNETRuntime") + struct.pack("<I", 9999) + utf16("") + struct.pack("<QIII", 0, 0, 4, 0)
    events = bytes([1 | 128, 0, 0, *([len(record) & 0x7f | 0x80, len(record) >> 7])]) + record
    begin += stream_object("MetadataBlock", events_block(events), len(begin))
    for padding in range(4):  # of an empty block of stacks, whose length makes the sum so
        whole = begin + stream_object("StackBlock", struct.pack("<II", 1, 0) + b"\0" * padding, len(begin))
        if len(whole) % 4 == 0:
            return whole
    raise AssertionError("no padding fits")


def tiny_events(size):
    """A block of so many bytes, two for each event. Its length is a multiple of 4."""
    first = bytes([1 | 2 | 4, 1, 1, 7, 0, 7, 1])
    content = events_block(first)
    content += b"\0\1" * ((size - len(content)) // 2)
    for last in (b"", b"\0\x81\0", b"\0\1", b"\0\x81\x81\0\0\1"):  # events of three, two, and four bytes with two
        block = stream_object("EventBlock", content + last)
        if len(block) % 4 == 0:
            return block
    raise AssertionError("no last event fits")


END_S = 4  # nettop's limit is 2 s, which the guard holds (tests/live/test_hangs.py)


def peak_of_stream(env, name, block):
    """nettop's peak in MB while the stranger sends this for ever, some intervals after the stream has begun; and what it says of the source then."""
    folder = folder_of_stranger(env, name)
    with Pretender(env, folder, version="10.0.0", stream=(beginning(), block)) as fake:
        with Nettop(env, fake.pid, "--source", "eventpipe", prefix=confined()) as nettop:
            nettop.wait_for(lambda line: state_of(line, "eventpipe") in ("delivering", "stalled"), 20, "the stream has begun")
            for _ in range(15):
                line = nettop.wait_for(lambda _: True, 10, "the next interval")
            peak = peak_now(nettop)
            # Whoever is flooded may have no time left for a summary.
            nettop.interrupt()
            check_equal("exit status", nettop.read_to_end(END_S), 0)
    check_peak("nettop", peak, STREAM_MB)
    return peak, source_of(line, "eventpipe")


@test
def stream_of_blocks_that_are_too_large(env):
    peak, source = peak_of_stream(env, "large", tiny_events(8 * MB))
    check("too large" in (source["reason"] or ""), f"the reason is missing: {source}")
    return f"{peak} MB; {source['reason']}"


@test
def stream_of_tiny_events(env):
    peak, source = peak_of_stream(env, "tiny", tiny_events(MB - 64))
    # Where nettop has too little of a CPU for half a million events a block, the guard ends the connections, so that nobody waits for it.
    check((source["state"], source["reason"]) in (("delivering", None), ("stalled", "the connection to the runtime was cut")), f"it is not read: {source}")
    return f"{peak} MB"


if __name__ == "__main__":
    main()
