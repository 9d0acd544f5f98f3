#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Calls that open, read, write, connect and sync, counted by the kernel: as many as the program knows that it makes, on what it makes them, with as many bytes and errors; how long they take lies within its
own stopwatch; nobody else's are among them; without the right to it is said what is missing, and nothing is left of it after SIGKILL.
"""
import ctypes
import errno
import os
import re
import signal
import socket
import subprocess
import sys
import threading

from nt_live import *
from nt_live.process import LineProcess

SEEN_S = 30
WAITS = 10  # as in the program
WITHOUT_BPF = ("setpriv", "--bounding-set=-sys_admin,-bpf")

# Does what it is told, each so often, and says how long calls took by its own clock.
PROGRAM = r"""
import errno, os, socket, struct, sys, time
folder, port = sys.argv[1], int(sys.argv[2])
pread, pwrite, clock = os.pread, os.pwrite, time.monotonic_ns
WAITS = 10
held = os.open(folder + "/held", os.O_RDWR | os.O_CREAT)
os.write(held, b"h" * 4096)
near, far = socket.socketpair()
near.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 100000))
listener = socket.create_server(("127.0.0.1", 0))
def expect(error, call, *arguments):
    try:
        call(*arguments)
        sys.exit("no error")
    except OSError as failed:
        if failed.errno != error:
            raise
def files():
    for _ in range(300):                     # one path, opened again and again; closed long before anybody looks
        fd = os.open(folder + "/often", os.O_RDWR | os.O_CREAT)
        os.write(fd, b"12345678")
        os.close(fd)
    for _ in range(70):
        expect(errno.ENOENT, os.open, folder + "/absent", os.O_RDONLY)
def descriptors():
    begin = clock()
    for _ in range(5000):
        pread(held, 16, 0)
    took = clock() - begin
    for _ in range(40):
        os.fsync(held)
    expect(errno.EINVAL, pread, held, 1, -1)
    print("took", took, flush=True)
def sockets():
    for _ in range(25):
        with socket.create_connection(("127.0.0.1", port)) as out:
            out.sendall(b"x" * 100)
            while out.recv(64):
                pass
    for _ in range(6):
        expect(errno.ECONNREFUSED, socket.create_connection, ("127.0.0.1", int(sys.argv[3])))
def clients():
    for _ in range(10):
        near = socket.create_connection(listener.getsockname())
        far = listener.accept()[0]
        near.sendall(b"y" * 10)
        far.recv(10)
        far.close()
        near.close()
# At a number that was another file's, which close_range() closed: a pipe, a descriptor that came through a socket, a copy, a client.
given = os.open(folder + "/given", os.O_RDWR | os.O_CREAT)
far_end, near_end = socket.socketpair()
kept = []
def after_another(make):
    number = os.open(folder + "/old", os.O_RDWR | os.O_CREAT)
    os.write(number, b"12345678")
    os.closerange(number, number + 1)
    made = make()
    kept.append(made)
    if (made if isinstance(made, int) else made[0] if isinstance(made, tuple) else made.fileno()) != number:
        sys.exit(f"{made} instead of {number}")
    return made
def piped():
    reads, writes = after_another(os.pipe)
    for _ in range(30):
        os.write(writes, b"p")
        os.read(reads, 1)
def passed():
    socket.send_fds(far_end, [b"x"], [given])
    through = after_another(lambda: socket.recv_fds(near_end, 1, 1)[1][0])
    for _ in range(40):
        os.write(through, b"t")
def copied():
    copy = after_another(lambda: os.dup(given))
    for _ in range(50):
        os.write(copy, b"c")
def accepted():
    client = socket.create_connection(listener.getsockname())
    served = after_another(lambda: listener.accept()[0])
    for _ in range(60):
        client.send(b"n")
        served.recv(1)
    kept.append(client)
def slow():
    # Nobody sends anything: the kernel ends each wait after a tenth of a second, by jiffies of 10 ms at most.
    most = 0
    for _ in range(WAITS):
        begin = clock()
        expect(errno.EAGAIN, near.recv, 1)
        most += clock() - begin
    print("took", 85 * 10**6 * WAITS, most, flush=True)
print("ready", listener.getsockname()[1], flush=True)
for line in sys.stdin:
    globals()[line.strip()]()
    print("done", flush=True)
"""


class Program:
    def __init__(self, env, port=0, refused=0, prefix=()):
        env.scratch.mkdir(parents=True, exist_ok=True)
        self.folder = str(env.scratch)
        self.process = LineProcess([*prefix, sys.executable, "-c", PROGRAM, self.folder, str(port), str(refused)], None, env.scratch / "program.err")
        word, own = self.process.read_line(SEEN_S).split()
        check_equal("its first word", word, "ready")
        self.port, self.pid = int(own), self.process.pid

    def do(self, word):
        self.process.send_line(word)
        said = []
        while (line := self.process.read_line(SEEN_S)) not in ("done", None):
            said.append(line)
        return [int(number) for line in said for number in line.split()[1:]]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()


def row(line, what, kind="file"):
    found = [row for row in line["io"]["open"] if row["kind"] == kind and row["what"] == what]
    check(len(found) <= 1, f"one name has {len(found)} rows: {found}")
    return found[0] if found else None


def watch(env, program, *options):
    nettop = Nettop(env, program.pid, "--calls", "--top", "10000", "--source", "runtime", *options, interval_s=0.5)
    nettop.wait_for(lambda line: line["io"]["call_count"] is not None, SEEN_S, "calls are counted")
    return nettop


def newest(nettop, what, kind):
    """The row as it was told last: one on which nothing happens, and of which nothing is open, is not told."""
    return next(filter(None, (row(line, what, kind) for line in reversed(nettop.intervals))), None)


def wait_for(nettop, what, kind, wanted):
    """`wanted`: key -> number, since the row is there. Exactly that, in the end."""
    def there(_=None):
        found = newest(nettop, what, kind)
        return found and all(found[key] == number for key, number in wanted.items())

    try:
        if not there():
            nettop.wait_for(there, SEEN_S, f"{what}: {wanted}")
    except OutOfLimit:
        raise Failure(f"{what}: {wanted}, not {newest(nettop, what, kind)}") from None
    return newest(nettop, what, kind)


@test
def files_by_their_paths(env):
    with Program(env) as program, watch(env, program) as nettop:
        program.do("files")
        wait_for(nettop, program.folder + "/often", "file", {"open_calls_all_count": 300, "write_calls_all_count": 300, "written_all_bytes": 2400, "error_all_count": 0})
        wait_for(nettop, program.folder + "/absent", "file", {"open_calls_all_count": 70, "error_all_count": 70, "read_calls_all_count": 0})
        (took,) = program.do("descriptors")
        held = wait_for(nettop, program.folder + "/held", "file", {"read_calls_all_count": 5001, "read_all_bytes": 80000, "sync_calls_all_count": 40, "error_all_count": 1})
        check(held["open_count"] == 1, f"what is open has one row with its calls: {held}")
        # Half of them took as long or longer, within an eighth, and all of them lie between the program's two looks at its clock.
        check(held["p50_ns"] * 7 // 8 * 2500 <= took, f"half of the calls took {held['p50_ns']} ns and more, all of them {took} ns")
        check(held["caller_looked_count"] >= 16 and held["caller"] is None, f"it was looked who makes them, and there is no managed code: {held}")
        summary = nettop.stop()["io"]
        check_equal("what is not known", [summary["call_lost_count"], summary["calls_reason"]], [0, None])


@test
def sockets_by_the_other_end(env):
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("127.0.0.1", 0)) as taken:
        refused = taken.getsockname()[1]
        taken.close()
        port = server.getsockname()[1]

        def serve():
            for _ in range(25):
                peer = server.accept()[0]
                left = 100
                while left:
                    left -= len(peer.recv(left))
                peer.sendall(b"a" * 64)
                peer.close()

        threading.Thread(target=serve, daemon=True).start()
        with Program(env, port, refused) as program, watch(env, program) as nettop:
            program.do("sockets")
            wait_for(nettop, f"127.0.0.1:{port}", "socket", {"connect_calls_all_count": 25, "write_calls_all_count": 25, "written_all_bytes": 2500, "read_all_bytes": 1600, "error_all_count": 0})
            wait_for(nettop, f"127.0.0.1:{refused}", "socket", {"connect_calls_all_count": 6, "error_all_count": 6})
            program.do("clients")
            wait_for(nettop, f"127.0.0.1:{program.port}", "socket", {"connect_calls_all_count": 10, "written_all_bytes": 100})
            wait_for(nettop, f"listening at 127.0.0.1:{program.port}", "socket", {"accept_calls_all_count": 10})
            wait_for(nettop, f"clients of :{program.port}", "socket", {"read_calls_all_count": 10, "read_all_bytes": 100})


@test
def numbers_that_were_given_away_anew(env):
    """Nothing that is called on them is told as of whatever had them before."""
    with Program(env) as program, watch(env, program) as nettop:
        program.do("piped")
        wait_for(nettop, None, "pipe", {"read_calls_all_count": 30, "read_all_bytes": 30})
        program.do("passed")
        wait_for(nettop, program.folder + "/given", "file", {"write_calls_all_count": 40})
        program.do("copied")
        wait_for(nettop, program.folder + "/given", "file", {"write_calls_all_count": 90})
        program.do("accepted")
        wait_for(nettop, f"clients of :{program.port}", "socket", {"read_calls_all_count": 60})
        wait_for(nettop, f"127.0.0.1:{program.port}", "socket", {"write_calls_all_count": 60})
        wait_for(nettop, program.folder + "/old", "file", {"open_calls_all_count": 4, "write_calls_all_count": 4, "written_all_bytes": 32, "read_calls_all_count": 0})


@test
def as_long_as_the_program_says(env):
    """A wait for what never comes takes at least as long as the kernel was told, and no longer than from before it is called until after it is back."""
    with Program(env) as program, watch(env, program) as nettop:
        least, most = program.do("slow")
        waits = wait_for(nettop, "unix", "socket", {"read_calls_all_count": WAITS, "again_all_count": WAITS, "error_all_count": 0})
        check(least <= waits["call_all_ns"] <= most, f"in all {waits['call_all_ns']} ns, by the program's clock from {least} to {most}")
        check(waits["p50_ns"] * 8 // 7 >= least // WAITS, f"half of the calls took {waits['p50_ns']} ns and less, and each {least // WAITS} at least")


# Who makes most of the calls on a file of the workload's, and the least and the most of them that he makes, in per cent; three of four reads are ReadOften()'s.
CALLERS = {"read": ("Workload.Filing.ReadOften", 55, 92), "written": ("Workload.Filing.Write", 80, 100), "opened": ("Workload.Filing.Open", 70, 100),
           "absent": ("Workload.Filing.OpenAbsent", 80, 100)}
ROUNDS, TURNS_MOST = 400, 30


@test
def which_method_makes_them(env):
    folder = env.scratch / "files"
    folder.mkdir(parents=True, exist_ok=True)
    with Bare(env) as work, Nettop(env, work.pid, "--calls", "--top", "10000", interval_s=0.5) as nettop:
        nettop.wait_for(lambda line: line["io"]["call_count"] is not None, SEEN_S, "calls are counted")

        def is_right(name):
            method, least, most = CALLERS[name]
            found = newest(nettop, str(folder / name), "file")
            return found and (found["caller"] or "").startswith(method + "(") and least <= found["caller_pct"] <= most and found["caller_looked_count"] >= 16

        for turn in range(1, TURNS_MOST + 1):
            work.do(f"files {ROUNDS} 0 {folder}")
            told = len(nettop.intervals) + 2
            nettop.wait_for(lambda line, told=told: len(nettop.intervals) >= told, SEEN_S, "two intervals")
            if all(map(is_right, CALLERS)):
                break
        else:
            raise OutOfLimit(f"who makes them: {[newest(nettop, str(folder / name), 'file') for name in CALLERS]}")
        read = newest(nettop, str(folder / "read"), "file")
        check(read["read_calls_all_count"] > 4 * read["caller_looked_count"], f"few of many are looked at: {read}")
        return f"after {turn} turns {read['caller_pct']:.0f} % of the reads, of {read['caller_looked_count']} looked at"


@test
def of_one_process_alone(env):
    """The same program beside it makes the same calls."""
    with Program(env) as program, Program(env) as other, watch(env, program) as nettop:
        other.do("files")
        program.do("files")
        other.do("files")
        wait_for(nettop, program.folder + "/often", "file", {"open_calls_all_count": 300, "write_calls_all_count": 300})
        wait_for(nettop, program.folder + "/absent", "file", {"open_calls_all_count": 70})
        program.do("descriptors")
        wait_for(nettop, program.folder + "/held", "file", {"read_calls_all_count": 5001})
        check_equal("what it has opened in the end", newest(nettop, program.folder + "/often", "file")["open_calls_all_count"], 300)


@test
def in_a_pid_namespace(env):
    """Where the target has another number, and nettop sees it by its own."""
    with Program(env, prefix=("unshare", "--pid", "--fork", "--kill-child")) as outer:
        (child,) = subprocess.run(["pgrep", "-P", str(outer.pid)], capture_output=True, text=True, check=True).stdout.split()
        outer.pid = int(child)
        with watch(env, outer) as nettop:
            outer.do("files")
            wait_for(nettop, outer.folder + "/often", "file", {"open_calls_all_count": 300, "write_calls_all_count": 300})


@test
def without_the_right_to(env):
    with Program(env) as program, Nettop(env, program.pid, "--calls", "--source", "runtime", prefix=WITHOUT_BPF, interval_s=0.5) as nettop:
        line = nettop.wait_for(lambda line: line["io"]["calls_reason"] and "CAP_BPF" in line["io"]["calls_reason"], SEEN_S, "it says what is missing")
        check_equal("what is not known is not 0", line["io"]["call_count"], None)
        check("setcap" in line["io"]["calls_fix"], f"the fix: {line['io']['calls_fix']}")


@test
def nobody_asks(env):
    with Program(env) as program, Nettop(env, program.pid, "--source", "runtime", interval_s=0.5) as nettop:
        line = nettop.wait_for(lambda line: line["io"]["open"], SEEN_S, "what is open")
        check_equal("calls", [line["io"]["call_count"], line["io"]["open"][0]["calls_per_s"]], [None, None])
        check("--calls" in line["io"]["calls_reason"], f"the reason: {line['io']['calls_reason']}")


def programs_of(pid):
    """The numbers of the BPF programs that a process has."""
    numbers = set()
    for fd in os.listdir(f"/proc/{pid}/fdinfo"):
        with open(f"/proc/{pid}/fdinfo/{fd}", encoding="ascii") as info:
            numbers.update(int(number) for number in re.findall(r"^prog_id:\s*(\d+)$", info.read(), re.MULTILINE))
    return numbers


def is_in_the_kernel(number):
    """bpf(BPF_PROG_GET_FD_BY_ID)"""
    libc = ctypes.CDLL(None, use_errno=True)
    attributes = (ctypes.c_uint32 * 32)(number)
    fd = libc.syscall(321 if os.uname().machine == "x86_64" else 280, 13, attributes, ctypes.sizeof(attributes))
    if fd >= 0:
        os.close(fd)
    elif ctypes.get_errno() != errno.ENOENT:
        raise Missing(f"programs of the kernel cannot be looked for: {os.strerror(ctypes.get_errno())}")
    return fd >= 0


@test
def nothing_is_left_after_sigkill(env):
    with Program(env) as program, watch(env, program) as nettop:
        numbers = programs_of(nettop.process.pid)
        check(len(numbers) == 2 and all(map(is_in_the_kernel, numbers)), f"it has two programs in the kernel: {numbers}")
        nettop.process.signal(signal.SIGKILL)
        wait_until(lambda: not any(map(is_in_the_kernel, numbers)), SEEN_S, lambda: f"programs that are gone: {numbers}")
        check(program.do("files") == [], "the program works")


main()
