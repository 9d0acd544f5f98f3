#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Get a .NET tool (dotnet-trace, garnet-server), which nettop stands beside, is measured against or watches, from the machine's own NuGet sources.
#
# usage: dotnet-tool.sh NAME [OUT]    OUT: default build/NAME below the repository
# stdout: the path of the program. exit: 0, 3 when this machine cannot deliver it (said on stderr)
set -eu

name=$1
here=$(cd "$(dirname "$0")" && pwd)
out=${2:-$(cd "$here/../.." && pwd)/build/$name}
mkdir -p "$out"
out=$(cd "$out" && pwd)
program=$out/$name

command -v dotnet >/dev/null 2>&1 || {
	echo "$name: no dotnet here" >&2
	exit 3
}
# Two tests may ask at once; who waited finds the work done.
exec 9>"$out/lock"
flock 9
if [ ! -x "$program" ]; then
	export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 HOME="${HOME:-$out/home}"
	export DOTNET_CLI_HOME="$HOME"
	timeout 300 dotnet tool install "$name" --tool-path "$out" >"$out/install.log" 2>&1 9>&- || {
		cat "$out/install.log" >&2
		echo "$name: not to be had (above)" >&2
		exit 3
	}
fi
echo "$program"
