#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Get dotnet-trace, which nettop stands beside and is measured against, from the machine's own NuGet sources.
#
# usage: dotnet-trace.sh [OUT]    OUT: default build/dotnet-trace below the repository
# stdout: the path of the program. exit: 0, 3 when this machine cannot deliver it (said on stderr)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(cd "$here/../.." && pwd)/build/dotnet-trace}
mkdir -p "$out"
out=$(cd "$out" && pwd)
program=$out/dotnet-trace

command -v dotnet >/dev/null 2>&1 || {
	echo "dotnet-trace: no dotnet here" >&2
	exit 3
}
if [ ! -x "$program" ]; then
	export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 HOME="${HOME:-$out/home}"
	export DOTNET_CLI_HOME="$HOME"
	timeout 300 dotnet tool install dotnet-trace --tool-path "$out" >"$out/install.log" 2>&1 || {
		cat "$out/install.log" >&2
		echo "dotnet-trace: not to be had (above)" >&2
		exit 3
	}
fi
echo "$program"
