#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop symbols` against a server of ours: what it asks for, what it keeps, what it says. Never the network."""
import contextlib
import http.server
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import threading

from nt_live import *
from nt_live.process import run
from nt_live.spinner import spinner

ASKED = re.compile(r"/(?:_\.debug/elf-buildid-sym-([0-9a-f]+)/_\.debug|buildid/([0-9a-f]+)/debuginfo)")


class Answers(http.server.BaseHTTPRequestHandler):
    """Has the files of `server.files`; one of `server.stall` is begun and never ended."""

    def do_GET(self):
        self.server.asked.append(self.path)
        status, content = self.server.files.get(self.path, (404, b""))
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.server.stall:
            self.wfile.write(content[:1000])
            self.server.stalls.set()
            self.server.goes_on.wait(60)
        else:
            self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def symbol_server(files, stall=False):
    """`files`: (status, content) by path. Yields its URL and itself."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = True
    server.files, server.stall, server.asked = files, stall, []
    server.stalls, server.goes_on = threading.Event(), threading.Event()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", server
    finally:
        server.goes_on.set()
        server.shutdown()
        server.server_close()
        thread.join()


def build_id(path):
    text = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.search(r"Build ID: ([0-9a-f]+)", text)[1]


def ssqp(key):
    return f"/_.debug/elf-buildid-sym-{key}/_.debug"


def debuginfod(key):
    return f"/buildid/{key}/debuginfo"


def fetch(env, pid, url, *options, cache="/nonexistent"):
    return run([str(env.nettop), "symbols", "-p", str(pid), "--server", url, *options],
               {"DEBUGINFOD_CACHE_PATH": str(cache), "DEBUGINFOD_URLS": "http://127.0.0.1:1", "http_proxy": ""})


def image_of(env, pid, url, library, *options, **where):
    """Its entry in the JSON, and the exit status."""
    result = fetch(env, pid, url, "--json", *options, **where)
    answer = json.loads(result.stdout)
    check_equal("type", answer["type"], "symbols")
    return next(image for image in answer["images"] if image["path"] == str(library)), result.returncode


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@contextlib.contextmanager
def watched(env):
    """A program with a stripped library that spins when there is a file `go`; the library, its debug file, its build id, and an empty folder."""
    env.need_commands("readelf")
    library, aside = spinner(env)
    folder = pathlib.Path(tempfile.mkdtemp(dir=env.scratch))
    with Workload(env, mode="none", lttng=False, variables={"LD_PRELOAD": str(library), "SPINNER_GO": str(folder / "go")}) as work:
        yield work, library, aside, build_id(library), folder


@test
def fetched_symbols_name_the_library(env):
    with watched(env) as (work, library, aside, key, folder):
        cache = folder / "cache"
        with symbol_server({debuginfod(key): (200, aside.read_bytes())}) as (url, server):
            result = fetch(env, work.pid, url, cache=cache)
            place = cache / key / "debuginfo"
            check_equal(f"exit status ({result.stderr.strip()})", result.returncode, 0)
            check(re.search(rf"^libspinner\.so +{key} +0\.\d MB +fetched: {place}$", result.stdout, re.M), result.stdout)
            check_equal("the file", place.read_bytes(), aside.read_bytes())
            check_equal("files in the cache", files_below(cache), [f"{key}/debuginfo"])
            strange = [path for path in server.asked if not ASKED.fullmatch(path)]
            check(not strange, f"asked for {strange}")
            check_equal("how the library was asked for", [path for path in server.asked if key in path], [ssqp(key), debuginfod(key)])
            server.asked.clear()
            again, status = image_of(env, work.pid, url, library, cache=cache)
            check_equal("second time", (status, again["state"], again["file"], again["build_id"]), (0, "debug_file", str(place), key))
            check(not [path for path in server.asked if key in path], "asked again for what is there")
        (folder / "go").touch()
        with Nettop(env, work.pid, variables={"DEBUGINFOD_CACHE_PATH": str(cache)}) as nettop:
            nettop.wait_for(lambda line: any(row["name"].startswith("spin_for_ever") and row["naming"] == "named" for row in line["methods"]), 20,
                            "the function's name from the file that was fetched")


@test
def a_tenth_of_what_is_free_stays_free(env):
    """Which files are asked for is for the program to say, and what comes is for the server to say."""
    env.need_commands("mount", "umount")
    with watched(env) as (work, library, _, key, folder):
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2M", "tmpfs", folder], check=True)
        try:
            with symbol_server({ssqp(key): (200, bytes(3 << 20))}) as (url, _):
                image, status = image_of(env, work.pid, url, library, "-o", str(folder))
            check_equal("state and exit status", (image["state"], status), ("failed", 1))
            check("is larger than 1 MB, nine tenths of what is free on the disk; name another folder" in image["reason"], image["reason"])
            check_equal("what is left", files_below(folder), [])
        finally:
            subprocess.run(["umount", folder], check=True)


@long_test
def what_does_not_belong_is_not_kept(env):
    """And the reason names the URL; -o: the file's name is dotnet-symbol's."""
    with watched(env) as (work, library, aside, key, folder):
        whole = aside.read_bytes()
        cases = {
            "it is no debug file of this build": (200, library.read_bytes()),  # it has no symbols
            "not kept": (200, whole[:len(whole) // 2]),
            "refuses with HTTP status 500": (500, b"sorry"),
        }
        for reason, answer in cases.items():
            with symbol_server({ssqp(key): answer}) as (url, _):
                image, status = image_of(env, work.pid, url, library, "-o", str(folder))
            check_equal(f"{reason}: state and exit status", (image["state"], status), ("failed", 1))
            check(reason in image["reason"] and url.rstrip("/") in image["reason"], image["reason"])
            check_equal("what is left", files_below(folder), [])
        image, status = image_of(env, work.pid, url, library, "-o", str(folder))  # nobody is there any more
        check_equal("state and exit status", (image["state"], status), ("failed", 1))
        check("--server URL" in image["reason"], image["reason"])
        with symbol_server({}) as (url, _):
            image, status = image_of(env, work.pid, url, library, "-o", str(folder))
        check_equal("state and exit status", (image["state"], status, image["reason"]), ("absent", 0, None))
        with symbol_server({ssqp(key): (200, whole)}) as (url, _):
            image, status = image_of(env, work.pid, url, library, "-o", str(folder))
        check_equal("state, file and exit status", (image["state"], image["file"], status), ("fetched", f"{folder}/libspinner.so.dbg", 0))
        check_equal("what is left", files_below(folder), ["libspinner.so.dbg"])


@long_test
def an_interrupt_leaves_no_part_of_a_file(env):
    with watched(env) as (work, _, aside, key, folder):
        with symbol_server({ssqp(key): (200, aside.read_bytes())}, stall=True) as (url, server):
            with subprocess.Popen([env.nettop, "symbols", "-p", str(work.pid), "--server", url, "-o", folder], stdout=subprocess.DEVNULL) as nettop:
                begun = server.stalls.wait(30)
                check(begun, "nothing was asked for")
                nettop.send_signal(signal.SIGINT)
                check_equal("how it ended", nettop.wait(30), -signal.SIGINT)
            check_equal("what is left", files_below(folder), [])


if __name__ == "__main__":
    main()
