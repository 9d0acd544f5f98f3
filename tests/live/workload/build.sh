#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the workload of the live tests, or another program of theirs, offline.
#
# usage: build.sh [OUT [NAME]]    NAME: a folder beside this one (default: workload); OUT: default build/NAME below the repository
# stdout: the path of NAME.dll (run it with `dotnet`). exit: 0, 1 when the build failed, 3 without a .NET SDK
set -eu

name=${2:-workload}
here=$(cd "$(dirname "$0")/../$name" && pwd)
repo=$(cd "$here/../../.." && pwd)
out=${1:-$repo/build/$name}
mkdir -p "$out"
out=$(cd "$out" && pwd)
dll=$out/bin/$name/release/$name.dll

command -v dotnet >/dev/null 2>&1 || {
	echo "$name: no dotnet here" >&2
	exit 3
}

# Two tests may ask at once; who waited finds the work done.
exec 9>"$out/lock"
flock 9
if [ ! -e "$dll" ] || [ -n "$(find "$here" -type f -newer "$dll" | head -n 1)" ]; then
	export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1
	export DOTNET_CLI_WORKLOAD_UPDATE_NOTIFY_DISABLE=1
	# A home of its own: nothing of the user's settings takes part, nothing is written there, and one exists.
	mkdir -p "$out/home"
	export HOME="$out/home" DOTNET_CLI_HOME="$out/home"
	dotnet build "$here/$name.csproj" -c Release --artifacts-path "$out" --disable-build-servers -v quiet \
		>"$out/build.log" 2>&1 9>&- || {
		cat "$out/build.log" >&2
		echo "$name: the build failed (above)" >&2
		exit 1
	}
	touch "$dll"
fi
echo "$dll"
