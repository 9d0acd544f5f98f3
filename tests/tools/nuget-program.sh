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

# shellcheck source=tests/tools/build-once.sh
. "$here/../build-once.sh"
build_begins "$name"
program=$out/bin/$name.dll
if ! build_is_there "$program" "$here"; then
	mkdir -p "$out/source"
	cp "$here"/*.cs "$here/$name.csproj" "$out/source/"
	build_with "the library is not to be had" timeout 300 dotnet publish "$out/source/$name.csproj" -c Release -o "$out/bin" --disable-build-servers -v quiet
	touch "$program"
fi
echo "$program"
