# SPDX-License-Identifier: GPL-2.0-only
"""A process of the stranger's that looks like one of .NET: a library of the runtime's name is mapped, and it may have a diagnostics port that says what they like."""
import shutil

from nt_live.process import Failure, LineProcess
from nt_live.workload import settings_as_variables

from .stranger import UID, as_stranger, run_as_stranger

PYTHON = "/usr/bin/python3"

# Arguments: the library, and, when there is a port, two files: how each stream begins, and what follows without an end.
PROGRAM = """
import mmap, os, socket, struct, sys, threading

def message(status, payload):
    return b"DOTNET_IPC_V1\\0" + struct.pack("<HBBH", 20 + len(payload), 0xff, status, 0) + payload

def serve(connection, begin, go_on):
    try:
        size, command_set, command = struct.unpack("<HBB", connection.recv(65536)[14:18])
        if command_set != 2 or command == 1:
            connection.sendall(message(0xff, struct.pack("<I", 0x80131385)))
            return
        connection.sendall(message(0, struct.pack("<Q", 1)) + begin)
        while True:
            connection.sendall(go_on)
    except OSError:
        pass
    finally:
        connection.close()

def listen(begin, go_on):
    with open("/proc/self/stat", encoding="ascii") as file:
        key = file.read().rsplit(")", 1)[1].split()[19]
    port = socket.socket(socket.AF_UNIX)
    port.bind(f"{os.environ['TMPDIR']}/dotnet-diagnostic-{os.getpid()}-{key}-socket")
    port.listen(100)
    def accept():
        while True:
            connection = port.accept()[0]
            with open(f"{os.environ['TMPDIR']}/connections", "a", encoding="ascii") as file:
                file.write(".")
            threading.Thread(target=serve, args=(connection, begin, go_on), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()

with open(sys.argv[1], "rb") as file:
    mapped = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)
if len(sys.argv) > 2:
    listen(*[open(path, "rb").read() for path in sys.argv[2:4]])
print("ready", flush=True)
while "BUSY" in os.environ:
    pass
sys.stdin.read()
"""


class Pretender:
    """
    `with Pretender(env, folder) as fake: fake.pid`. `folder` is the stranger's. `version`: of the machine's runtime that it has; None: one of its own.
    `stream`: the bytes with which each answer to a request for events begins, and those that follow, again and again. `busy`: an executable, a copy of PYTHON, in which it
    spins. `seen_at`: where the process has the files of `folder`. `settings`: of the runtime's, without DOTNET_.
    """

    def __init__(self, env, folder, version=None, stream=(), busy=None, seen_at=None, settings=None):
        self.folder = folder
        seen_at = seen_at or folder
        place = folder / "shared/Microsoft.NETCore.App" / version if version else folder
        run_as_stranger("mkdir", "-p", place)
        library = place / "libcoreclr.so"
        shutil.copy("/usr/bin/sleep", library)  # stripped, and with a build id
        shutil.chown(library, UID, UID)
        files = [folder / f"stream{index}" for index in range(len(stream))]
        for path, content in zip(files, stream):
            path.write_bytes(content)
        argv = as_stranger(busy or PYTHON, "-c", PROGRAM, *(seen_at / path.relative_to(folder) for path in (library, *files)))
        variables = settings_as_variables(settings or {}) | {"TMPDIR": str(seen_at)} | ({"BUSY": "1"} if busy else {})
        self.process = LineProcess(argv, variables, env.scratch / "pretender.err")
        self.pid = self.process.pid
        if self.process.read_line(20) != "ready":
            raise Failure(f"the pretender has not begun: {self.process.stderr_text()[-500:]}")

    def connections(self):
        """How many came to its port so far."""
        told = self.folder / "connections"
        return told.stat().st_size if told.exists() else 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
