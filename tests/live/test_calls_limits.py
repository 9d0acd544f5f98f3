#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Calls counted by the kernel beside a tool that is not ours, and at their limits: of a .NET program as many and as many bytes as strace says, path by path; more paths than there is room for are counted, and the price is kept; what
goes another way (io_uring) is said; the same again from the events that were kept.
"""
import collections
import pathlib
import re
import socket
import subprocess
import sys
import threading

from nt_live import *
from nt_live.process import LineProcess

SEEN_S = 30
PATHS = 20000

# Orders are its functions' names.
PROGRAM = r"""
import os, sys, threading
folder = sys.argv[1]
zero = os.open("/dev/zero", os.O_RDONLY)
going = threading.Event()
def many():
    for i in range(%d):
        try:
            os.open(f"{folder}/absent-{i}", os.O_RDONLY)
        except FileNotFoundError:
            pass
def busy():
    going.set()
    def work():
        read = os.read
        while going.is_set():
            for _ in range(1000):
                read(zero, 1)
    threading.Thread(target=work, daemon=True).start()
def rest():
    going.clear()
print("ready", flush=True)
for line in sys.stdin:
    globals()[line.strip()]()
    print("done", flush=True)
""" % PATHS

# Writes so many times through a ring, and ten times by a call of its own.
RING = r"""
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static struct io_uring_params p;
static char *sq, *cq;
static struct io_uring_sqe *sqes;
static int ring, out;
static int submit(void)
{
	uint32_t *tail = (uint32_t *)(sq + p.sq_off.tail), mask = *(uint32_t *)(sq + p.sq_off.ring_mask), at = *tail & mask;
	memset(&sqes[at], 0, sizeof(sqes[at]));
	sqes[at].opcode = IORING_OP_WRITE;
	sqes[at].fd = out;
	sqes[at].addr = (uintptr_t)"ring";
	sqes[at].len = 4;
	sqes[at].off = (uint64_t)-1;
	((uint32_t *)(sq + p.sq_off.array))[at] = at;
	atomic_store((_Atomic uint32_t *)tail, *tail + 1);
	if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		return 1;
	uint32_t *head = (uint32_t *)(cq + p.cq_off.head);
	struct io_uring_cqe *done = (struct io_uring_cqe *)(cq + p.cq_off.cqes) + (*head & *(uint32_t *)(cq + p.cq_off.ring_mask));
	int result = done->res;
	atomic_store((_Atomic uint32_t *)head, *head + 1);
	return result != 4;
}
int main(int argc, char **argv)
{
	char line[64];
	out = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600);
	ring = (int)syscall(SYS_io_uring_setup, 8, &p);
	if (argc < 2 || out < 0 || ring < 0) {
		puts("none");
		return 0;
	}
	sq = mmap(NULL, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	cq = mmap(NULL, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
	sqes = mmap(NULL, p.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
	if (sq == MAP_FAILED || cq == MAP_FAILED || sqes == MAP_FAILED)
		return 1;
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		for (int i = 0; i < 100; i++)
			if (submit())
				return 1;
		for (int i = 0; i < 10; i++)
			if (write(out, "call", 4) != 4)
				return 1;
		if (line[0] == 'e')
			close(ring);
		puts("done");
		fflush(stdout);
	}
	return 0;
}
"""


class Program:
    def __init__(self, env, *argv):
        env.scratch.mkdir(parents=True, exist_ok=True)
        self.folder = str(env.scratch)
        self.process = LineProcess(argv or [sys.executable, "-c", PROGRAM, self.folder], None, env.scratch / "program.err")
        self.pid = self.process.pid
        self.hello = self.process.read_line(SEEN_S)

    def do(self, word):
        self.process.send_line(word)
        check_equal("its answer", self.process.read_line(SEEN_S), "done")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()


def watch(env, pid, *options):
    nettop = Nettop(env, pid, "--calls", "--top", "10000", *options, interval_s=0.5)
    nettop.wait_for(lambda line: line["io"]["call_count"] is not None, SEEN_S, "calls are counted")
    return nettop


def newest(nettop, what):
    return next((row for line in reversed(nettop.intervals) for row in line["io"]["open"] if row["what"] == what), None)


@test
def what_goes_through_a_ring_is_said(env):
    env.need_commands("gcc")
    env.scratch.mkdir(parents=True, exist_ok=True)
    path, program = str(env.scratch / "ringed"), str(env.scratch / "ring")
    subprocess.run(["gcc", "-x", "c", "-O1", "-o", program, "-"], input=RING, text=True, check=True)
    with Program(env, program, path) as ring:
        if ring.hello == "none":
            raise Missing("io_uring is not to be had here")
        with watch(env, ring.pid, "--source", "runtime") as nettop:
            line = nettop.wait_for(lambda line: line["io"]["calls_lack"], SEEN_S, "it is said what is not counted")
            check("io_uring" in line["io"]["calls_lack"], f"what is not counted: {line['io']['calls_lack']}")
            ring.do("go")
            nettop.wait_for(lambda _: (newest(nettop, path) or {"write_calls_all_count": 0})["write_calls_all_count"] >= 10, SEEN_S, "its own calls")
            check_equal("calls of write() alone", [newest(nettop, path)[key] for key in ("write_calls_all_count", "written_all_bytes")], [10, 40])
            ring.do("end")
            nettop.wait_for(lambda line: not line["io"]["calls_lack"], SEEN_S, "it has none any more")


@test
def more_paths_than_there_is_room_for(env):
    """All are counted; of some it is not known what they were on, and that is said."""
    with Program(env) as program, watch(env, program.pid, "--source", "runtime") as nettop:
        before = sum(line["io"]["call_count"] or 0 for line in nettop.intervals)
        program.do("many")
        told = lambda: sum(line["io"]["call_count"] or 0 for line in nettop.intervals) - before
        nettop.wait_for(lambda _: told() >= PATHS, SEEN_S, "all of them are counted")
        summary = nettop.stop()["io"]
        check_equal("calls that were not counted", summary["call_lost_count"], 0)
        check(0 < summary["call_unnamed_count"] < PATHS, f"of how many it is not known what they were on: {summary['call_unnamed_count']}")
        check(PATHS <= summary["call_error_count"] <= PATHS + 100, f"each fails: {summary['call_error_count']}")
        return f"{summary['call_unnamed_count']} of {PATHS} at once without a name"


@test
def what_is_too_dear_ends_and_says_so(env):
    with Program(env) as program, watch(env, program.pid, "--source", "runtime") as nettop:
        program.do("busy")
        line = nettop.wait_for(lambda line: "no longer" in (line["io"]["calls_reason"] or ""), SEEN_S, "it says that it is too dear")["io"]
        check("no longer counted" in line["calls_reason"] and "--max-target-cost" in line["calls_fix"], f"what it says: {line['calls_reason']}; {line['calls_fix']}")
        line = nettop.wait_for(lambda line: line["io"]["call_count"] is None, SEEN_S, "nothing is counted")
        check(nettop.stop()["io"]["call_count"] > 0, "what was counted before is not forgotten")
        with watch(env, program.pid, "--source", "runtime", "--max-target-cost", "100") as generous:
            generous.wait_for(lambda line: line["io"]["call_count"] is not None, SEEN_S, "calls are counted")
            first = len(generous.intervals)
            generous.wait_for(lambda _: len(generous.intervals) >= first + 8, SEEN_S, "some intervals")
            check_equal("why who pays that is not told", [line["io"]["calls_reason"] for line in generous.intervals[first:] if "no longer" in (line["io"]["calls_reason"] or "")], [])
        program.do("rest")


@test
def the_same_from_events_that_were_kept(env):
    folder = env.scratch / "files"
    folder.mkdir(parents=True, exist_ok=True)
    with Bare(env) as work, watch(env, work.pid, "--check-replay") as nettop:
        work.do(f"files 200 0 {folder}")
        nettop.wait_for(lambda _: newest(nettop, str(folder / "read")), SEEN_S, "its calls")
        nettop.stop()  # fails where replaying brings other figures


# ---- beside strace ----

TRACED = "openat,read,pread64,write,pwrite64,sendto,sendmsg,recvfrom,recvmsg,connect,close"


def by_strace(text, folder, port):
    """Path, or port -> calls and bytes, of a log of `strace -f -yy`: the path that is opened, or of the descriptor; the port that is connected to."""
    open_calls, sums = {}, collections.defaultdict(collections.Counter)
    for line in text.splitlines():
        begun = re.match(r"^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$", line)
        if begun:
            open_calls[begun[1]] = line[:-len(" <unfinished ...>")]
            continue
        resumed = re.match(r"^(\d+) +<\.\.\. \w+ resumed>(.*)$", line)
        if resumed:
            line = open_calls.pop(resumed[1], f"{resumed[1]} ") + resumed[2]
        call = re.match(r"^\d+ +(\w+)\((.*)\) += (-?\d+)(?: (\w+))?", line)
        if not call:
            continue
        name, arguments, result = call[1], call[2], int(call[3])
        path = re.search(r'"([^"]*)"', arguments) if name == "openat" else re.match(r"\d+<((?:->|[^>])*)>", arguments)
        path = path[1] if path else ""
        if f"sin_port=htons({port})" in arguments or path.endswith(f"->127.0.0.1:{port}]"):
            path = folder + f"/:{port}"
        if not path.startswith(folder) or name == "close":
            continue
        kind = {"openat": "open", "connect": "connect"}.get(name, "write" if "write" in name or "send" in name else "read")
        sums[path][f"{kind}_calls_all_count"] += 1
        if kind in ("read", "write") and result > 0:
            sums[path][{"read": "read_all_bytes", "write": "written_all_bytes"}[kind]] += result
        if result < 0 and call[4] not in ("EAGAIN", "EINPROGRESS", "EINTR"):
            sums[path]["error_all_count"] += 1
    return sums


CALLS = ("open_calls_all_count", "connect_calls_all_count", "read_calls_all_count", "write_calls_all_count")
COUNTED = (*CALLS, "read_all_bytes", "written_all_bytes", "error_all_count")


def serve(server):
    """Each client sends 100 bytes and is sent 64."""
    while True:
        try:
            peer = server.accept()[0]
        except OSError:
            return
        left = 100
        while left:
            left -= len(peer.recv(left))
        peer.sendall(b"a" * 64)
        peer.close()


def is_traced(pid):
    """All its threads?"""
    return all("TracerPid:\t0\n" not in status.read_text(encoding="ascii") for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status"))


def check_same(nettop, what, wanted):
    """`wanted`: key -> number."""
    def same(_=None):
        found = newest(nettop, what)
        return found and all(found[key] == wanted[key] for key in COUNTED)

    check(sum(wanted.values()) > 0, f"strace knows {what}")
    try:
        if not same():
            nettop.wait_for(same, SEEN_S, what)
    except OutOfLimit:
        raise Failure(f"{what}: by strace {wanted}, here {newest(nettop, what)}") from None


@test
def as_many_as_strace_says(env):
    """Both at the same time."""
    env.need_commands("strace")
    folder, log = env.scratch / "files", env.scratch / "strace.log"
    folder.mkdir(parents=True, exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as server, Bare(env) as work:
        port = server.getsockname()[1]
        threading.Thread(target=serve, args=(server,), daemon=True).start()
        work.do(f"files 10 0 {folder}")  # what the runtime makes of all this when it is new to it is not the subject
        strace = subprocess.Popen(["strace", "-q", "-f", "-yy", "-e", f"trace={TRACED}", "-p", str(work.pid), "-o", str(log)])
        try:
            with watch(env, work.pid, "--max-target-cost", "99") as nettop:
                wait_until(lambda: is_traced(work.pid), SEEN_S, "strace has all threads")
                check(not newest(nettop, str(folder / "read")), "nothing is counted yet")
                work.do(f"files 300 {port} {folder}")
                strace.terminate()
                strace.wait(SEEN_S)
                says = by_strace(log.read_text(), str(folder), port)
                names = {name: str(folder / name) for name in ("read", "written", "opened", "absent")} | {f":{port}": f"127.0.0.1:{port}"}
                for name, what in names.items():
                    check_same(nettop, what, {key: says[str(folder / name)][key] for key in COUNTED})
        finally:
            strace.kill()
            strace.wait()
    return ", ".join(f"{sum(says[str(folder / name)][key] for key in CALLS)} calls on {name}" for name in names)


if __name__ == "__main__":
    main()
