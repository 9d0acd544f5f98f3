# SPDX-License-Identifier: GPL-2.0-only
"""EventPipe without nettop: a session of the tests' own, to compare with and to record streams from."""
import glob
import os
import socket
import struct
import threading

RUNTIME = "Microsoft-Windows-DotNETRuntime"
RUNTIME_GUID = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"
# Garbage collector, loader, JIT, contention, exceptions, thread pool, tiering.
USUAL_KEYWORDS = 0x100001C019


def _text(text):
    return struct.pack("<I", len(text) + 1) + (text + "\0").encode("utf-16-le") if text else struct.pack("<I", 0)


def _message(command_set, command, payload):
    return b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 20 + len(payload), command_set, command, 0) + payload


def read_exactly(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise OSError("the runtime closed the connection")
        data += part
    return data


def ask(pid, command_set, command, payload=b""):
    """Send one request; the connection, of which a successful answer has been read, and the answer."""
    path = glob.glob(f"{os.environ.get('TMPDIR', '/tmp')}/dotnet-diagnostic-{pid}-*-socket")[0]
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(20)
    connection.connect(path)
    connection.sendall(_message(command_set, command, payload))
    head = read_exactly(connection, 20)
    size, _, status = struct.unpack("<HBB", head[14:18])
    answer = read_exactly(connection, size - 20)
    if status != 0:
        raise OSError(f"the runtime refuses command {command_set}.{command}: {struct.unpack('<I', answer[:4])[0]:#x}")
    return connection, answer


class Session:
    """
    A streaming session (CollectTracing3, which .NET 9 and 10 know). `providers`: (name, keywords, level[, arguments]). `only`: ids of events, the
    others are left out (CollectTracing5, .NET 10). `rundown`: at its end it lists all methods and modules. `old`: CollectTracing2, which .NET 8 knows, too.
    """

    def __init__(self, pid, providers, buffer_mb=64, stacks=False, only=None, rundown=False, old=False):
        command, payload, filter_ids = 4, struct.pack("<IIBBI", buffer_mb, 1, rundown, stacks, len(providers)), b""
        if old:
            command, payload = 3, struct.pack("<IIBI", buffer_mb, 1, rundown, len(providers))
        if only:
            command, payload = 6, struct.pack("<IIIQBI", 0, buffer_mb, 1, 0, stacks, len(providers))
            filter_ids = struct.pack(f"<BI{len(only)}I", 1, len(only), *only)
        for name, keywords, level, *arguments in providers:
            payload += struct.pack("<QI", keywords, level) + _text(name) + _text(arguments[0] if arguments else "") + filter_ids
        self.pid = pid
        self.connection, answer = ask(pid, 2, command, payload)
        self.id = struct.unpack("<Q", answer)[0]
        self.connection.settimeout(None)
        self.data = bytearray()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        while part := self.connection.recv(1 << 16):
            self.data += part

    def stop(self):
        """The whole stream."""
        ask(self.pid, 2, 1, struct.pack("<Q", self.id))[0].close()
        self.reader.join(20)
        self.connection.close()
        return bytes(self.data)


def sessions_of(pid):
    """EventPipe sessions of a process, by the threads that serve them: one of that name serves the diagnostics port."""
    def names():
        for tid in os.listdir(f"/proc/{pid}/task"):
            try:
                with open(f"/proc/{pid}/task/{tid}/comm", encoding="utf-8") as comm:
                    yield comm.read().strip()
            except OSError:
                continue
    return sum(name == ".NET EventPipe" for name in names()) - 1
