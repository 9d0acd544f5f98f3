# SPDX-License-Identifier: GPL-2.0-only
"""A program that waits at its start at a port of the test's own, and is sent commands there one by one."""
import os
import pathlib
import re
import socket
import struct
import tempfile

from .eventpipe import read_exactly
from .process import Failure, LineProcess

REPO = pathlib.Path(__file__).resolve().parents[3]
RUNTIME = "Microsoft-Windows-DotNETRuntime"
VARIABLE = "DOTNET_DiagnosticPorts"


def text(value):
    """As the wire has it: None is null, "" a text without letters."""
    return struct.pack("<I", 0) if value is None else struct.pack("<I", len(value) + 1) + (value + "\0").encode("utf-16-le")


def provider(filters):
    return struct.pack("<IQI", 1, 0xC001, 4) + text(RUNTIME) + text(None) + (struct.pack("<BI", 0, 0) if filters else b"")


# What nettop sends, by the names of src/target/port/ipc_commands.def: command set, command, payload.
COMMANDS = {
    "CREATE_CORE_DUMP3": (1, 3, text("/nonexistent/core") + struct.pack("<II", 1, 0)),
    "STOP_TRACING": (2, 1, struct.pack("<Q", 1)),
    "COLLECT_TRACING2": (2, 3, struct.pack("<IIB", 1, 1, 0) + provider(False)),
    "COLLECT_TRACING3": (2, 4, struct.pack("<IIBB", 1, 1, 0, 0) + provider(False)),
    "COLLECT_TRACING4": (2, 5, struct.pack("<IIQB", 1, 1, 0, 0) + provider(False)),
    "COLLECT_TRACING5": (2, 6, struct.pack("<IIIQB", 0, 1, 1, 0, 0) + provider(True)),
    "PROCESS_INFO": (4, 0, b""),
    "RESUME_RUNTIME": (4, 1, b""),
    "PROCESS_ENVIRONMENT": (4, 2, b""),
    "SET_ENVIRONMENT": (4, 3, text(VARIABLE) + text("")),
    "UNSET_ENVIRONMENT": (4, 3, text(VARIABLE) + text(None)),
    "PROCESS_INFO2": (4, 4, b""),
    "ENABLE_PERF_MAP": (4, 5, struct.pack("<I", 3)),
    "DISABLE_PERF_MAP": (4, 6, b""),
    "PROCESS_INFO3": (4, 8, b""),
}
# A failure without a reason is what Native AOT says to CREATE_CORE_DUMP3: it has no tool that writes cores.
NOT_DONE = {0x80131385: "does not know it", 0x80131515: "does not support it", 0x80004005: "failed"}


def table():
    """{command: (core_clr, native_aot, unknown)}, as the table in the sources says it."""
    rows = re.findall(r"^IPC_COMMAND\((\w+),\s*([\w()]+),\s*([\w()]+),\s*([\w()]+)\)", (REPO / "src/target/port/ipc_commands.def").read_text(encoding="ascii"), re.M)
    return {row[0]: row[1:] for row in rows}


class StartupPort:
    """A program that waits. It has nothing else of ours in its environment."""

    def __init__(self, env, *command):
        self.listener = socket.socket(socket.AF_UNIX)
        path = tempfile.mktemp(prefix="port.", dir=env.scratch)
        self.listener.bind(path)
        self.listener.listen(16)
        self.listener.settimeout(20)
        self.kept = []
        self.waiting = None
        self.process = LineProcess([*map(str, command)], os.environ | {VARIABLE: f"{path},suspend"}, stderr_path=env.scratch / "waiting.err")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        for connection in filter(None, (*self.kept, self.waiting, self.listener)):
            connection.close()

    def await_it(self):
        """Until it waits."""
        self.waiting = self.waiting or self.listener.accept()[0]

    def send(self, name):
        """None: it was carried out. Else how the runtime refused it."""
        command_set, command, payload = COMMANDS[name]
        self.await_it()
        connection, self.waiting = self.waiting, None
        self.kept.append(connection)  # behind the answer to CollectTracing is the stream
        connection.settimeout(20)
        read_exactly(connection, 34)
        connection.sendall(b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 20 + len(payload), command_set, command, 0) + payload)
        try:
            head = read_exactly(connection, 20)
            size, _, failed = struct.unpack("<HBB", head[14:18])
            answer = read_exactly(connection, size - 20)
        except OSError as error:
            raise Failure(f"{name}: {error}; the program's status: {self.process.child.poll()}") from None
        result = struct.unpack("<I", answer[:4])[0] if failed else 0
        if result and result not in NOT_DONE:
            raise Failure(f"{name} is answered with {result:#x}")
        return NOT_DONE.get(result)
