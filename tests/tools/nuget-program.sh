#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Build a program of ours that reads something with a library of others, for nettop to be compared with; the library comes from the machine's own NuGet sources.
#
# usage: nuget-program.sh NAME [OUT]    NAME: a folder beside this file (traceevent: nettrace files; clrmd: core dumps; clr_shapes: what the runtime says of its events); OUT: default build/NAME below the repository
# stdout: the path of the program. exit: 0, 3 when this machine cannot deliver it (said on stderr)
set -eu

name=$1
here=$(cd "$(dirname "$0")/$name" && pwd)
out=${2:-$(cd "$here/../../.." && pwd)/build/$name}
mkdir -p "$out/source"
out=$(cd "$out" && pwd)
program=$out/bin/$name.dll

command -v dotnet >/dev/null 2>&1 || {
	echo "$name: no dotnet here" >&2
	exit 3
}
# Two tests may ask at once; who waited finds the work done.
exec 9>"$out/lock"
flock 9
if [ ! -e "$program" ] || [ -n "$(find "$here" -type f -newer "$program" | head -n 1)" ]; then
	cp "$here"/*.cs "$here/$name.csproj" "$out/source/"
	export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 HOME="${HOME:-$out/home}"
	export DOTNET_CLI_HOME="$HOME"
	timeout 300 dotnet publish "$out/source/$name.csproj" -c Release -o "$out/bin" --disable-build-servers -v quiet >"$out/build.log" 2>&1 9>&- || {
		cat "$out/build.log" >&2
		echo "$name: the library is not to be had (above)" >&2
		exit 3
	}
	touch "$program"
fi
echo "$program"
