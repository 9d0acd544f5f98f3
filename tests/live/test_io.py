#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a program reads, writes and has open, against a program that knows it: files, sockets and pipes, threads blocked in them, and calls in known numbers."""
import socket
import sys

from nt_live import Nettop, check, check_equal, main, test
from nt_live.process import LineProcess

SEEN_S = 20
READS, READ_BYTES, WRITES, WRITE_BYTES = 3000, 16, 2000, 32

PROGRAM = r"""
import os, resource, socket, sys, threading
resource.setrlimit(resource.RLIMIT_NOFILE, (8192, 8192))
folder, files = sys.argv[1], int(sys.argv[2])
out = os.open(folder + "/out\x1b[2J", os.O_WRONLY | os.O_CREAT)
with open(folder + "/in", "w") as f:
    f.write("x" * 4096)
opened = [os.open(folder + "/in", os.O_RDONLY) for _ in range(files)]
reads, writes = os.pipe()
near, far = socket.socketpair()
threading.Thread(target=os.read, args=(reads, 1), daemon=True).start()
threading.Thread(target=near.recv, args=(1,), daemon=True).start()
print("ready", len(os.listdir("/proc/self/fd")) - 1, flush=True)
for line in sys.stdin:
    if line == "work\n":
        for _ in range(%d):
            os.pread(opened[0], %d, 0)
        for _ in range(%d):
            os.write(out, b"y" * %d)
    elif line == "open\n":
        opened += [os.open(folder + "/in", os.O_RDONLY) for _ in range(5)]
    print("done", flush=True)
""" % (READS, READ_BYTES, WRITES, WRITE_BYTES)


# Who is at the other end of each socket, and a listener of its own; orders as above.
SOCKETS = r"""
import socket, sys
port = int(sys.argv[1])
out = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
listens = socket.create_server(("127.0.0.1", 0))
served = []
data = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
data.connect(("127.0.0.1", 9))
local = socket.socket(socket.AF_UNIX)
local.bind(sys.argv[2])
local.listen()
try:
    six = socket.create_server(("::1", 0), family=socket.AF_INET6)
    print(listens.getsockname()[1], six.getsockname()[1], flush=True)
except OSError:
    print(listens.getsockname()[1], 0, flush=True)
for line in sys.stdin:
    if line == "accept\n":
        served.append(listens.accept()[0])
    print("done", flush=True)
"""


class Program:
    """PROGRAM, with so many descriptors of one file open."""

    def __init__(self, env, files):
        env.scratch.mkdir(parents=True, exist_ok=True)
        self.path = str(env.scratch / "in")
        self.process = LineProcess([sys.executable, "-c", PROGRAM, str(env.scratch), str(files)], None, env.scratch / "program.err")
        word, count = self.process.read_line(SEEN_S).split()
        check_equal("its first word", word, "ready")
        self.open_count = int(count)
        self.pid = self.process.pid

    def do(self, word):
        self.process.send_line(word)
        check_equal("its answer", self.process.read_line(SEEN_S).strip(), "done")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()


def rows(line, kind, what=None):
    return [row for row in line["io"]["open"] if row["kind"] == kind and (what is None or row["what"] == what)]


@test
def files_sockets_and_pipes(env):
    with Program(env, files=40) as program, Nettop(env, program.pid, "--source", "runtime", interval_s=1) as nettop:
        line = nettop.wait_for(lambda line: (line["io"]["blocked_count"] or 0) == 3, SEEN_S, "three threads are blocked: the main one reads its orders")
        check_equal("descriptors", [line["io"]["open_count"], line["io"]["unseen_count"]], [program.open_count, 0])
        counted = nettop.wait_for(lambda line: line["io"]["descriptor_count"], SEEN_S, "the kernel's count of descriptors")["io"]
        check_equal("counted", [counted["descriptor_count"], counted["descriptor_limit_count"]], [program.open_count, 8192])
        (file,) = rows(line, "file", program.path)
        check_equal("the file", [file["open_count"], file["ways"], file["blocked_count"], file["blocked_ns"]], [40, "r", 0, None])
        (socket,), (pipe,) = rows(line, "socket"), rows(line, "pipe")
        check_equal("threads blocked in a socket and a pipe", [socket["blocked_count"], pipe["blocked_count"]], [1, 2])
        check(any("\\x1b[2J" in (row["what"] or "") for row in rows(line, "file")), f"a control character of a name is escaped: {rows(line, 'file')}")
        longer = nettop.wait_for(lambda line: rows(line, "pipe")[0]["blocked_ns"] > pipe["blocked_ns"], SEEN_S, "it is blocked for longer")
        check_equal("by the same thread", rows(longer, "pipe")[0]["blocked_tid"], pipe["blocked_tid"])
        program.do("open")
        nettop.wait_for(lambda line: rows(line, "file", program.path)[0]["opened_all_count"] == 5, SEEN_S, "five more are open")
        program.do("work")
        summary = nettop.stop()["io"]
        check(READS <= summary["read_count"] <= READS + 50 and WRITES <= summary["write_count"] <= WRITES + 50, f"calls: {summary}")
        check(READS * READ_BYTES <= summary["read_bytes"] <= READS * READ_BYTES + 5000, f"bytes read: {summary}")
        check(WRITES * WRITE_BYTES <= summary["write_bytes"] <= WRITES * WRITE_BYTES + 5000, f"bytes written: {summary}")


def open_sockets(line):
    return {row["what"]: row["open_count"] for row in rows(line, "socket") if row["open_count"]}


@test
def sockets_are_called_by_the_other_end(env):
    env.scratch.mkdir(parents=True, exist_ok=True)
    path = str(env.scratch / "socket")
    with socket.create_server(("127.0.0.1", 0)) as downstream:
        port = downstream.getsockname()[1]
        program = LineProcess([sys.executable, "-c", SOCKETS, str(port), path], None, env.scratch / "program.err")
        try:
            own, six = (int(word) for word in program.read_line(SEEN_S).split())
            accepted = [downstream.accept()[0] for _ in range(3)]
            with Nettop(env, program.pid, "--source", "runtime", interval_s=0.5) as nettop:
                wanted = {f"127.0.0.1:{port}": 3, f"listening at 127.0.0.1:{own}": 1, "udp 127.0.0.1:9": 1, f"unix {path}": 1}
                if six:
                    wanted[f"listening at [::1]:{six}"] = 1
                nettop.wait_for(lambda line: open_sockets(line) == wanted, SEEN_S, f"its sockets are {wanted}")
                clients = [socket.create_connection(("127.0.0.1", own)) for _ in range(2)]
                for _ in clients:
                    program.send_line("accept")
                    check_equal("its answer", program.read_line(SEEN_S).strip(), "done")
                nettop.wait_for(lambda line: open_sockets(line).get(f"clients of :{own}") == 2, SEEN_S, "two have come")
                accepted.pop().close()
                nettop.wait_for(lambda line: open_sockets(line).get(f"127.0.0.1:{port} CLOSE_WAIT") == 1 and open_sockets(line)[f"127.0.0.1:{port}"] == 2,
                                SEEN_S, "the other end has gone, and the program does not close its own")
                for client in clients + accepted:
                    client.close()
        finally:
            program.kill()


@test
def of_very_many_the_rest_is_counted(env):
    with Program(env, files=5000) as program, Nettop(env, program.pid, "--source", "runtime", interval_s=1) as nettop:
        line = nettop.wait_for(lambda line: line["io"]["open"], SEEN_S, "what is open")
        check_equal("descriptors looked at", sum(row["open_count"] for row in line["io"]["open"]), 1024)
        known = line["io"]["open_count"]
        check(known in (None, program.open_count), f"all of them, where the kernel says so: {known}, not {program.open_count}")


if __name__ == "__main__":
    main()
