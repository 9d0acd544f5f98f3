#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the reader of nettrace files that nettop's is compared with; its library comes from the machine's own NuGet sources.
#
# usage: build.sh [OUT]    OUT: default build/traceevent below the repository
# stdout: the path of the program. exit: 0, 3 when this machine cannot deliver it (said on stderr)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(cd "$here/../../.." && pwd)/build/traceevent}
mkdir -p "$out/source"
out=$(cd "$out" && pwd)
program=$out/bin/traceevent.dll

command -v dotnet >/dev/null 2>&1 || {
	echo "traceevent: no dotnet here" >&2
	exit 3
}
# Two tests may ask at once; who waited finds the work done.
exec 9>"$out/lock"
flock 9
if [ ! -e "$program" ] || [ -n "$(find "$here" -type f -newer "$program" | head -n 1)" ]; then
	cp "$here"/*.cs "$here/traceevent.csproj" "$out/source/"
	export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 HOME="${HOME:-$out/home}"
	export DOTNET_CLI_HOME="$HOME"
	timeout 300 dotnet publish "$out/source/traceevent.csproj" -c Release -o "$out/bin" --disable-build-servers -v quiet >"$out/build.log" 2>&1 9>&- || {
		cat "$out/build.log" >&2
		echo "traceevent: the library is not to be had (above)" >&2
		exit 3
	}
	touch "$program"
fi
echo "$program"
