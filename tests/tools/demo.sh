#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: demo.sh NETTOP BUILD_DIR
#
# The main job on a real workload: starts the .NET program of the live tests with what nettop needs (mode N, perf map), gives it work, and watches
# it: on a terminal in full screen until you quit, else with a few text frames. Everything it started ends with it.
#
# Environment: DEPS_DIR (default build/deps). Without a .NET SDK the stand-in runtime (tests/tools/fakeclr) plays the target.
set -euo pipefail

readonly nettop=$1 build=$2
readonly here=${BASH_SOURCE[0]%/*}
readonly repo=$here/../..
pids=()
work=

say() { printf 'demo: %s\n' "$*"; }

clean_up() {
	local pid
	for pid in "${pids[@]}"; do
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
		# The runtime leaves the map that `nettop env` asks for.
		rm -f "/tmp/perf-$pid.map"
	done
	[ -n "$work" ] && rm -rf "$work"
}
trap clean_up EXIT

# Commands for the workload, for ever: computing, allocating, compiling, throwing, waiting.
dotnet_work() {
	while echo "compute 400" && echo "alloc 200" && echo "loh 100" && echo "jit-expr 20" && echo "throw 20" && echo "locks 5" &&
		echo "pool 2000" && echo "idle 50"; do :; done
}

start_dotnet() {
	local dll
	say "building the .NET workload"
	dll=$("$repo/tests/live/workload/build.sh")
	mkfifo "$work/in"
	(
		eval "$("$nettop" env)"
		exec dotnet "$dll"
	) <"$work/in" >"$work/out" 2>&1 &
	target=$!
	pids+=("$target")
	dotnet_work >"$work/in" 2>/dev/null &
	pids+=("$!")
}

start_fakeclr() {
	say "no .NET here: the stand-in runtime plays the target"
	"$build/fakeclr" --play >"$work/out" 2>&1 </dev/null &
	target=$!
	pids+=("$target")
}

# The target answers its first line when it runs.
wait_ready() {
	local i
	for ((i = 0; i < 300; i++)); do
		[ -s "$work/out" ] && return
		kill -0 "$target" 2>/dev/null || break
		sleep 0.1
	done
	say "the target did not start:"
	cat "$work/out"
	exit 1
}

main() {
	work=$(mktemp -d)
	if command -v dotnet >/dev/null; then start_dotnet; else start_fakeclr; fi
	wait_ready
	if [ -t 0 ] && [ -t 1 ]; then
		say "nettop -p $target    (q quits)"
		"$nettop" -p "$target"
	else
		say "no terminal: nettop -b -n 3 -p $target"
		"$nettop" -b -n 3 -p "$target"
	fi
}

main
