#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Build a program of the bench that is not ours: `mvc` and `web`, the web applications that `dotnet new` makes of these templates, or `powershell`, the engine of PowerShell in a program that gives it scripts
# (powershell/), which nettop watches; `listener`, Microsoft's client library in a program that asks a process for its requests (listener/), which watches beside it.
#
# usage: build.sh NAME [OUT]    OUT: default build/NAME below the repository
# stdout: the path of NAME.dll (run it with `dotnet`). exit: 0, 3 when this machine cannot deliver it (said on stderr)
set -eu

name=$1
here=$(cd "$(dirname "$0")" && pwd)
out=${2:-$(cd "$here/../../.." && pwd)/build/$name}

make_source() {
	rm -rf "$out/source"
	case $name in
	mvc | web) dotnet new "$name" -o "$out/source" -n "$name" --no-https --no-restore ;;
	*) cp -r "$here/$name" "$out/source" ;;
	esac
}

make_and_publish() {
	make_source && dotnet publish "$out/source/$name.csproj" -c Release -o "$out/published" --disable-build-servers -v quiet
}

# shellcheck source=tests/tools/build-once.sh
. "$here/../../tools/build-once.sh"
build_begins "$name"
dll=$out/published/$name.dll
if [ ! -e "$dll" ]; then
	build_with "not to be had" make_and_publish
fi
echo "$dll"
