#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tab in bash, zsh and fish: words that are the only ones, several to choose from, processes, files."""
import pathlib
import re
import shutil
import subprocess

from nt_pty import *
from nt_live.workload import Workload  # noqa: E402

# How each is started without anything of its user's, and what its prompt becomes.
SHELLS = {
    "bash": ("bash --norc --noprofile", "PS1='now> '", 'eval "$(nettop completion bash)"'),
    "zsh": ("zsh -f", "PS1='now> '; autoload -Uz compinit; compinit -D", 'eval "$(nettop completion zsh)"'),
    "fish": ("fish --no-config", "function fish_prompt; echo -n 'now> '; end; set -g fish_autosuggestion_enabled 0", "nettop completion fish | source"),
}


def line_of(screen):
    """The last line with a prompt: what stands on it."""
    return [line for line in screen.split("\n") if line.startswith("now>")][-1][len("now> "):]


def begin_of(env, pid):
    """The shortest begin of it that is no other process's."""
    said = subprocess.run([env.nettop, "completion", "line", "-p", ""], timeout=20, text=True, stdout=subprocess.PIPE, check=True).stdout
    others = [line.split("\t")[0] for line in said.splitlines() if line.split("\t")[0] != str(pid)]
    return next(str(pid)[:length] for length in range(1, len(str(pid)) + 1) if not any(other.startswith(str(pid)[:length]) for other in others))


def completes_in(env, shell):
    start, prompt, load = SHELLS[shell]
    env.need_commands(start.split()[0])
    with Target(env) as target, Terminal(env, 120, 40) as terminal:
        terminal.type(f"PATH={env.nettop.parent}:$PATH TERM=xterm {start}\n")
        terminal.wait_for(lambda screen: re.search(r"[#$>%] *$", screen.rstrip("\n").split("\n")[-1]) and "ready>" not in screen.rstrip("\n").split("\n")[-1], "the shell has started")
        terminal.type(prompt + "\n")
        terminal.wait_for(re.compile("^now>", re.M), "its prompt")
        terminal.type(f"{load}\n")
        (env.scratch / "only-file.json").touch()
        for typed, expected in (("nettop doc", "nettop doctor"), ("nettop --no-pay", "nettop --no-payload"), ("nettop events --no-pa", "nettop events --no-payload"),
                                ("nettop --theme li", "nettop --theme light"), ("nettop --theme=li", "nettop --theme=light"), (f"nettop -p {begin_of(env, target.pid)}", f"nettop -p {target.pid}"),
                                ("nettop threads -p workl" if target.is_dotnet else "nettop threads -p fakec", None), ("nettop --sort gc.survived", "nettop --sort gc.survived_pct"),
                                ("nettop jit --compare only-f", "nettop jit --compare only-file.json"), ("nettop run -- ./only-f", "nettop run -- ./only-file.json"),
                                ("nettop --source perf,lt", "nettop --source perf,lttng")):
            if expected is None:
                expected = "nettop threads -p " + ("workload" if target.is_dotnet else "fakeclr")
            terminal.keys("C-u") if shell != "fish" else terminal.keys("C-c")
            terminal.wait_for(lambda screen: line_of(screen) == "", "an empty line")
            terminal.type(typed)
            terminal.wait_for(lambda screen: line_of(screen) == typed, f"{typed!r} is typed")
            terminal.keys("Tab")
            terminal.wait_for(lambda screen: line_of(screen) == expected, f"{shell}: {typed!r} and Tab becomes {expected!r}")
        terminal.keys("C-u") if shell != "fish" else terminal.keys("C-c")
        terminal.wait_for(lambda screen: line_of(screen) == "", "an empty line")
        terminal.type("nettop --theme ")
        terminal.keys("Tab", "Tab")
        terminal.wait_for(lambda screen: all(re.search(rf"\b{word}\b", screen.split("--theme ")[-1]) for word in ("auto", "contrast", "mono")), f"{shell}: all themes to choose from")


# What a shell would do something with, if it read it.
HOSTILE = "a b$(touch hit)`touch hit`;touch hit'\"\\\x1b[2J\n|.dll"


class Named(Workload):
    """A process calls itself what it likes: by the name of its entry assembly."""

    def __init__(self, env, folder):
        self._folder = folder
        super().__init__(env, mode="none", perf_map=False, lttng=False)

    def _command(self, env, program):
        dll = pathlib.Path(env.workload_dll)
        shutil.copy(dll, self._folder / HOSTILE)
        return ["dotnet", "exec", "--runtimeconfig", dll.with_suffix(".runtimeconfig.json"), "--depsfile", dll.with_suffix(".deps.json"), self._folder / HOSTILE]


def hostile_name_in(env, shell):
    """Nothing of that is done, or put on the line; its pid is completed."""
    start, prompt, load = SHELLS[shell]
    env.need_commands(start.split()[0], "dotnet")
    folder = env.scratch / f"named-{shell}"
    folder.mkdir(exist_ok=True)
    with Named(env, folder) as named, Terminal(env, 120, 40) as terminal:
        terminal.type(f"cd {folder}; PATH={env.nettop.parent}:$PATH TERM=xterm {start}\n")
        terminal.wait_for(lambda screen: re.search(r"[#$>%] *$", screen.rstrip("\n").split("\n")[-1]) and "ready>" not in screen.rstrip("\n").split("\n")[-1], "the shell has started")
        terminal.type(prompt + "\n")
        terminal.wait_for(re.compile("^now>", re.M), "its prompt")
        terminal.type(f"{load}\n")
        terminal.type("nettop -p ")
        terminal.keys("Tab", "Tab")
        terminal.wait_for(lambda screen: str(named.pid) in screen.split("nettop -p ", 1)[-1], f"{shell}: its pid is among those to choose from")
        terminal.keys("C-u") if shell != "fish" else terminal.keys("C-c")
        terminal.wait_for(lambda screen: line_of(screen) == "", "an empty line")
        terminal.type(f"nettop -p {begin_of(env, named.pid)}")
        terminal.keys("Tab")
        terminal.wait_for(lambda screen: line_of(screen) == f"nettop -p {named.pid}", f"{shell}: its pid is completed")
    check(not (folder / "hit").exists(), f"{shell} does what the name of a process says")


@test
def a_hostile_name_in_bash(env):
    hostile_name_in(env, "bash")


@test
def a_hostile_name_in_zsh(env):
    hostile_name_in(env, "zsh")


@test
def a_hostile_name_in_fish(env):
    hostile_name_in(env, "fish")


@test
def in_bash(env):
    completes_in(env, "bash")


@test
def in_zsh(env):
    completes_in(env, "zsh")


@test
def in_fish(env):
    completes_in(env, "fish")


if __name__ == "__main__":
    main(without_root=True)
