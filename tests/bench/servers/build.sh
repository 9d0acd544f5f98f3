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
mkdir -p "$out"
out=$(cd "$out" && pwd)
dll=$out/published/$name.dll

make_source() {
	rm -rf "$out/source"
	case $name in
	mvc | web) dotnet new "$name" -o "$out/source" -n "$name" --no-https --no-restore ;;
	*) cp -r "$here/$name" "$out/source" ;;
	esac
}

publish() {
	dotnet publish "$out/source/$name.csproj" -c Release -o "$out/published" --disable-build-servers -v quiet
}

command -v dotnet >/dev/null 2>&1 || {
	echo "$name: no dotnet here" >&2
	exit 3
}
# Two may ask at once; who waited finds the work done.
exec 9>"$out/lock"
flock 9
if [ ! -e "$dll" ]; then
	export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 HOME="${HOME:-$out/home}"
	export DOTNET_CLI_HOME="$HOME" DOTNET_CLI_WORKLOAD_UPDATE_NOTIFY_DISABLE=1
	{ make_source && publish; } >"$out/build.log" 2>&1 9>&- || {
		cat "$out/build.log" >&2
		echo "$name: not to be had (above)" >&2
		exit 3
	}
fi
echo "$dll"
